"""States of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

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
