"""Solved games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._progress import Progress, listening
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis._native import Rules

Method: TypeAlias = Literal["simplex", "tableau", "lp"]
"""The method that solves the matrix games: the warm-started simplex, the dense tableau, or linear programmes as a reference."""

EXACT_BITS = 4_096
"""The bits that a denominator may have with ``exact=True``: some 1,200 decimal digits."""


def solve(
    points: int | tuple[int, int] = 50,
    rules: Rules | None = None,
    *,
    method: Method = "simplex",
    threads: int | None = None,
    exact: bool | int = False,
    symmetry: bool = True,
    keep_strategies: bool = True,
    memory_limit: int | None = None,
    progress: Progress = None,
) -> Solution:
    """Solves every state of a game.

    Other Python threads run meanwhile, and Ctrl-C interrupts.

    Parameters
    ----------
    points
        The points both players start with, or those of A and those of B.
    rules
        The rules; Tennis unless given.
    method
        ``"simplex"``, ``"tableau"`` (slower, every state from the start) or ``"lp"`` (a slow, independent reference).
    threads
        The number of threads; as many as the machine has unless given. The result is the same, to the byte, for any number.
    exact
        Also finds exact values and strategies, of every state whose value has a denominator of at most this many bits; True
        for 4,096.
    symmetry
        Whether a state may take over the solution of its mirror image where the scoring allows it.
    keep_strategies
        Whether strategies are kept in memory; otherwise they are found again when they are asked for.
    memory_limit
        The bytes that the solution may take; 8 GiB unless given.
    progress
        A function that is called with the share of the work that is done, or True for a bar (needs tqdm).

    Raises
    ------
    Error
        For points, threads or memory that are not possible.
    """
    a, b = (points, points) if isinstance(points, int) else points
    bits = EXACT_BITS if exact is True else None if exact is False else exact
    with listening(progress, "solve") as callback:
        native = _native.solve(
            _native.Rules.tennis() if rules is None else rules,
            (a, b),
            method,
            threads,
            bits,
            symmetry,
            keep_strategies,
            memory_limit,
            callback,
        )
    return Solution(native)


class Solution:
    """A solved game: the value, proved bounds and both optimal mixed strategies of every state.

    Made by `solve`.
    """

    __slots__ = ("_native", "_tables")

    def __init__(self, native: _native.Solution) -> None:
        self._native = native
        self._tables: dict[str, NDArray[np.float64]] = {}

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._native.rules

    @property
    def points(self) -> tuple[int, int]:
        """The points A and B start with, the most that a solved state has."""
        return self._native.points

    @property
    def start(self) -> State:
        """The state at the start: all points and the ball on the net."""
        return State(*self.points, 0)

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of every state to A, indexed ``[a, b, ball + field]``.

        An array of shape ``(A's points + 1, B's points + 1, 2 * field + 1)``, computed when it is first asked for, then always
        the same, and read-only; `numpy.copy` makes one that can be changed.
        """
        return self._table("value")

    @property
    def lower(self) -> NDArray[np.float64]:
        """Proved lower bounds of `values`, indexed like them: the largest doubles not above them. Read-only."""
        return self._table("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """Proved upper bounds of `values`, indexed like them: the smallest doubles not below them. Read-only."""
        return self._table("upper")

    def value(self, state: StateLike) -> float:
        """The value of a state to A, the nearest double."""
        return self._native.value(state)

    def _table(self, which: Literal["value", "lower", "upper"]) -> NDArray[np.float64]:
        if which not in self._tables:
            table = self._native.table(which)
            table.flags.writeable = False
            self._tables[which] = table
        return self._tables[which]

    def __len__(self) -> int:
        """The number of states."""
        return len(self._native)
