"""The rules and points of a game, as arguments and as attributes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Generic, Literal, SupportsIndex, TypeAlias, TypeVar

from pencil_tennis._native import Error, Rules

if TYPE_CHECKING:
    from pencil_tennis import _native

Points: TypeAlias = SupportsIndex | tuple[SupportsIndex, SupportsIndex]
"""The points of both players, or those of A and those of B."""


def as_points(points: Points) -> tuple[int, int]:
    """The points of A and of B."""
    try:
        pair = points if isinstance(points, tuple) else (points, points)
        a, b = (operator.index(number) for number in pair)
    except (TypeError, ValueError):
        raise TypeError(f"{points!r} are no points; expected a number such as 50, or a pair such as (50, 40)") from None
    for number in (a, b):
        if not 0 <= number < 2**32:
            raise Error(f"{number} points are not possible; expected 1 to {2**32 - 1}, as many as there is memory for")
    return a, b


def whole(number: SupportsIndex, name: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number within a range; the message names it, and the range."""
    try:
        found = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is {number!r}; expected a whole number") from None
    if not least <= found <= most:
        raise Error(f"{name} is {found}; expected {least} to {most}")
    return found


def seconds(number: float, name: str) -> float:
    """A number of seconds."""
    try:
        found = float(number)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {number!r:.80}; expected a number of seconds") from None
    # NaN is below nothing.
    if not 0 <= found <= 1e12:
        raise Error(f"{name} is {found}; expected seconds, from 0 on")
    return found


def as_player(player: object) -> Literal["A", "B"]:
    """The player, A or B."""
    if player == "A":
        return "A"
    if player == "B":
        return "B"
    raise Error(f"there is no player {player!r:.80}; expected A or B")


def as_rules(rules: Rules | None) -> Rules:
    """The rules; Tennis unless given."""
    if not isinstance(rules, (Rules, type(None))):
        raise TypeError(f"{rules!r:.80} are no rules; expected Rules(...), such as Rules.footsteps()")
    return Rules.tennis() if rules is None else rules


Native = TypeVar("Native", bound="_native.Solution | _native.Proof | _native.Games | _native.ForcedPlay")


class OfGame(Generic[Native]):
    """Base of thin wrappers of native objects that have rules and points."""

    __slots__ = ("_native",)

    def __init__(self, native: Native) -> None:
        self._native = native

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._native.rules

    @property
    def points(self) -> tuple[int, int]:
        """The points A and B start with, the most that a state has."""
        return self._native.points
