"""Games with proved bounds of every state's value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import numpy as np

from pencil_tennis._enclosure import Enclosure
from pencil_tennis._game import OfGame
from pencil_tennis._state import State, StateLike, States

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis import _native

Native = TypeVar("Native", bound="_native.Solution | _native.Proof")


class StateArrays(NamedTuple):
    """The values of all states and their bounds as arrays; those of Tennis are indexed ``[a, b, ball + field]``.

    The arrays of any game, and those of Tennis when raveled, are in the order of iteration.
    """

    values: NDArray[np.float64]
    """The values to A, rounded to nearest."""
    lower: NDArray[np.float64]
    """The largest doubles not above the proved lower bounds."""
    upper: NDArray[np.float64]
    """The smallest doubles not below the proved upper bounds."""


class BoundedGame(OfGame[Native], Mapping[State, Enclosure]):
    """Base of solutions and proofs: the game, and a mapping of its states to their values, floats with proved bounds."""

    __slots__ = ()

    @property
    def start(self) -> State:
        """The state at the start: all points and the ball on the net."""
        return State(*self.points, 0)

    @property
    def starts(self) -> list[State]:
        """The states where play starts: `start` alone."""
        return [self.start]

    @property
    def widest(self) -> Fraction:
        """The largest difference of the two bounds of any state, rounded up to a double."""
        return Fraction(self._native.widest)

    @property
    def value(self) -> Enclosure:
        """The value to A at the start, a float with proved bounds."""
        return self[self.start]

    def __getitem__(self, state: StateLike) -> Enclosure:
        """The value of a state to A: a float with proved bounds."""
        return self._native.enclosure(state)

    def __contains__(self, state: object) -> bool:
        try:
            self._native.enclosure(state)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return False
        return True

    def __iter__(self) -> Iterator[State]:
        """All states, by A's points, then B's, then the ball."""
        return iter(self._states)

    def __len__(self) -> int:
        """The number of states."""
        return len(self._native)

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, BoundedGame) else NotImplemented

    @property
    def _states(self) -> States:
        return States(self.points, self.rules.field)

    def _bounds(self, which: Literal["lower", "upper"]) -> NDArray[np.float64]:
        table = self._native.table(which)
        table.flags.writeable = False
        return table
