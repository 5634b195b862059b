"""Games with proved bounds of every state's value."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pencil_tennis._enclosure import GameValue
from pencil_tennis._game import OfGame
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from pencil_tennis import _native
    from pencil_tennis._enclosure import Enclosure

Native = TypeVar("Native", bound="_native.Solution | _native.Proof")


class BoundedGame(OfGame[Native]):
    """Base of solutions and proofs: the game, and bounds of every state's value."""

    __slots__ = ()

    @property
    def start(self) -> State:
        """The state at the start: all points and the ball on the net."""
        return State(*self.points, 0)

    @property
    def widest(self) -> float:
        """The largest difference of the two bounds of any state, rounded up."""
        return self._native.widest

    @property
    def value(self) -> GameValue[StateLike]:
        """The value to A at the start, with proved bounds; ``value(state)`` is that of a state, the nearest double."""
        return GameValue.of(lambda: self.enclosure(self.start), self._value, self._value(self.start))

    def _value(self, state: StateLike) -> float:
        return float(self._native.enclosure(state))

    def enclosure(self, state: StateLike) -> Enclosure:
        """The value of a state to A: a float with proved bounds."""
        return self._native.enclosure(state)

    def __len__(self) -> int:
        """The number of states."""
        return len(self._native)

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, BoundedGame) else NotImplemented
