"""Pure play: payoffs that can be forced, and the endgame."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pencil_tennis import _native
from pencil_tennis._game import OfGame, Points, as_points, as_rules, whole
from pencil_tennis._games import Player
from pencil_tennis._native import Rules
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pencil_tennis._solution import Solution


@dataclass(frozen=True)
class Endgame:
    """The endgame with the ball on one position, where pure play decides."""

    ball: int
    """The position of the ball."""
    decided_states: int
    """The number of states that pure play decides."""
    decided_to: int
    """The most points up to which all states are decided, however they are distributed."""
    first_undecided: list[State]
    """The states with the fewest points in which a player has to randomise."""
    last_between: list[State]
    """The states with the most points that are decided, but for neither the best nor the worst payoff."""
    needed_a: list[int | None]
    """By B's points: the fewest points with which A forces the best payoff; None where no account is enough."""
    needed_b: list[int | None]
    """As above for B, by A's points."""


class ForcedPlay(OfGame["_native.ForcedPlay"]):
    """The payoffs that either player can force by pure play, at every state.

    Parameters
    ----------
    points, rules
        The game, as for `solve`.

    Raises
    ------
    Error
        For points and rules that are not possible.

    Examples
    --------
    >>> from pencil_tennis import ForcedPlay
    >>> forced = ForcedPlay(10)
    >>> forced.bounds("4:3@-2")  # A is sure of -1, B of letting A have no more than 1
    (Fraction(-1, 1), Fraction(1, 1))
    >>> forced.value("3:1@1"), forced.forcing_bids("A", "3:1@1")
    (Fraction(2, 1), [1, 2])
    >>> forced.endgame(-2).decided_to
    3
    """

    __slots__ = ()

    def __init__(self, points: Points = 50, rules: Rules | None = None) -> None:
        super().__init__(_native.ForcedPlay(as_rules(rules), as_points(points)))

    def bounds(self, state: StateLike) -> tuple[Fraction, Fraction]:
        """The payoff to A that A can force, and the one that B can hold A to.

        Raises
        ------
        GameError
            For a state that the game does not have.
        """
        return self._native.bounds(state)

    def value(self, state: StateLike) -> Fraction | None:
        """The payoff that both can force; None where the value takes randomising."""
        lower, upper = self.bounds(state)
        return lower if lower == upper else None

    def forcing_bids(self, player: Player, state: StateLike) -> list[int]:
        """The bids that force a player's best payoff, whatever the opponent bids."""
        return self._native.forcing_bids(player, state)

    def attains(self, player: Player, solution: Solution, state: StateLike) -> bool | None:
        """Whether a player gets the value of a state by pure play; None where the bounds of the value do not decide."""
        return self._native.attains(player, solution._native, state)

    @property
    def lower(self) -> NDArray[np.float64]:
        """The payoff that A can force at every state, a new array ``[a, b, ball + field]``."""
        return self._native.table(0)

    @property
    def upper(self) -> NDArray[np.float64]:
        """The payoff that B can hold A to at every state, a new array ``[a, b, ball + field]``."""
        return self._native.table(1)

    def endgame(self, ball: int) -> Endgame:
        """Where the endgame begins with the ball there."""
        return Endgame(**self._native.endgame(whole(ball, "the ball", -(2**31), 2**31 - 1)))

    def __reduce__(self) -> tuple[type[ForcedPlay], tuple[tuple[int, int], Rules]]:
        return ForcedPlay, (self.points, self.rules)

    def __repr__(self) -> str:
        a, b = self.points
        return f"<ForcedPlay of {a}:{b} points, {self.rules!r}>"
