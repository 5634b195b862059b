"""States of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native


class State(NamedTuple):
    """A state, on which the rest of a game depends: both accounts and the ball.

    A tuple of three numbers that prints as it is written: ``str(State(4, 3, -2))`` is ``"4:3@-2"``. It equals the tuple
    ``(4, 3, -2)``, and is a key of dictionaries like it.

    Examples
    --------
    >>> from pencil_tennis import State
    >>> state = State.parse("4:3@-2")
    >>> state.ball, str(state.mirrored())
    (-2, '3:4@2')
    """

    a: int
    """The points A has left."""
    b: int
    """The points B has left."""
    ball: int
    """The ball: 0 is the net, positive fields lie on B's side."""

    @classmethod
    def parse(cls, state: StateLike) -> State:
        """Returns the state named by a text such as ``"4:3@-2"`` or by three numbers such as ``(4, 3, -2)``.

        Raises
        ------
        GameError
            For a text that is no state, or a ball farther than 100 from the net.
        TypeError
            For anything else.
        """
        return cls(*_native.parse_state(state))

    def mirrored(self) -> State:
        """The mirror image: this state with the players exchanged."""
        return State(self.b, self.a, -self.ball)

    def __str__(self) -> str:
        return f"{self.a}:{self.b}@{self.ball}"


StateLike: TypeAlias = (
    str | tuple[SupportsIndex, SupportsIndex, SupportsIndex] | Sequence[SupportsIndex] | NDArray[np.integer[Any]]
)
"""A state in any accepted form: ``"4:3@-2"``, ``(4, 3, -2)``, a list or an array of three numbers, or a `State`."""


class States(Sequence[State]):
    """All states of a game, by A's points, then B's, then the ball: the order of its arrays, raveled."""

    def __init__(self, points: tuple[int, int], field: int) -> None:
        self.shape = (points[0] + 1, points[1] + 1, 2 * field + 1)
        """The shape of the game's arrays."""
        self._field = field

    @overload
    def __getitem__(self, places: int) -> State: ...
    @overload
    def __getitem__(self, places: slice) -> list[State]: ...
    def __getitem__(self, places: int | slice) -> State | list[State]:
        if isinstance(places, slice):
            return [self[place] for place in range(len(self))[places]]
        others, place = divmod(range(len(self))[places], self.shape[2])
        return State(*divmod(others, self.shape[1]), place - self._field)

    def __iter__(self) -> Iterator[State]:
        a, b, _ = self.shape
        field = self._field
        return (State(i, j, ball) for i in range(a) for j in range(b) for ball in range(-field, field + 1))

    def __len__(self) -> int:
        a, b, balls = self.shape
        return a * b * balls

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """The states as columns ``a, b, ball``."""
        a, b, place = (index.ravel() for index in np.indices(self.shape))
        return {"a": a, "b": b, "ball": place - self._field}
