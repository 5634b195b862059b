"""Solved games."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from pencil_tennis import _native
from pencil_tennis._bounded import BoundedGame, StateArrays
from pencil_tennis._enclosure import rounded_up
from pencil_tennis._equilibrium import Digits, Equilibrium, ExactEquilibrium, Uniqueness
from pencil_tennis._game import Points, as_player, as_points, as_rules, seconds, whole
from pencil_tennis._games import Player
from pencil_tennis._judged import Judgement as PlayerJudgement
from pencil_tennis._judging import Judgement
from pencil_tennis._native import Policy
from pencil_tennis._policy import BatchedPolicy, PolicyLike, as_policy
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
    points: Points = 50,
    rules: Rules | None = None,
    *,
    method: Method = "simplex",
    threads: int | None = None,
    exact: bool | int = False,
    symmetry: bool = True,
    keep_strategies: bool = True,
    memory_limit: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    resume: str | os.PathLike[str] | None = None,
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
        The number of threads; by default all of the machine. The result is identical, byte for byte, for any number.
    exact
        Also finds exact values and strategies, of every state whose value has a denominator of at most this many bits; True
        for 4,096.
    symmetry
        Whether a state may take over the solution of its mirror image where the scoring allows it.
    keep_strategies
        Whether strategies are kept in memory; otherwise they are found again when they are asked for.
    memory_limit
        The bytes that the solution may take; 8 GiB unless given.
    checkpoint
        A file in which unfinished work is kept, so that it can be gone on from; also when it is interrupted. It is a new or
        empty file, or that of ``resume``: no other file is overwritten.
    checkpoint_every
        The seconds between two checkpoints, at least.
    resume
        A checkpoint to resume: game, method and kept strategies are those of the file, whatever the other arguments. The
        result is identical, byte for byte, to that of an uninterrupted solve.
    progress
        A function that is called with the share of the work that is done, or True for a bar (needs tqdm). An exception that it
        raises ends the work.

    Raises
    ------
    Error
        For points, threads or memory that are not possible.
    MemoryError
        For a game that there is no memory for.
    TableFileError
        For a checkpoint that cannot be gone on from.
    OSError
        For a checkpoint that cannot be written; at once, where its folder does not exist.
    FileExistsError
        For a checkpoint that would replace another file; at once.

    Examples
    --------
    >>> import pencil_tennis
    >>> solution = pencil_tennis.solve(4)
    >>> float(solution["4:3@-2"])
    -0.2
    >>> solution.strategy("4:3@-2", "B")
    {1: 0.6, 3: 0.4}
    """
    bits = _bits(exact)
    with listening(progress, "solve") as callback:
        native = _native.solve(
            as_rules(rules),
            as_points(points),
            method,
            None if threads is None else whole(threads, "the number of threads"),
            bits,
            symmetry,
            keep_strategies,
            None if memory_limit is None else whole(memory_limit, "memory_limit"),
            None if checkpoint is None else (os.fspath(checkpoint), seconds(checkpoint_every, "checkpoint_every")),
            None if resume is None else os.fspath(resume),
            callback,
        )
    return Solution(native)


def load(
    path: str | os.PathLike[str], *, in_memory: bool = False, exact: bool | int = False, progress: Progress = None
) -> Solution:
    """Opens a table file that `Solution.save` or the command line wrote.

    The bounds of a file are *stored*, not proved (`Solution.is_proved`). With ``in_memory`` or ``exact`` they are proved while
    the file is read, if it has strategies.

    Parameters
    ----------
    path
        The file.
    in_memory
        Whether strategies are read into memory; otherwise they stay in the file, which has to stay where it is, until they are
        asked for.
    exact
        Also finds exact values and strategies, as for `solve`; reads everything into memory.
    progress
        A function of the share that is done, or True for a bar.

    Raises
    ------
    TableFileError
        When it is no table file, damaged, or a checkpoint.
    OSError
        When it cannot be read.

    Examples
    --------
    >>> import os, tempfile, pencil_tennis
    >>> solution = pencil_tennis.solve(5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "5.table")
    ...     solution.save(path)
    ...     pencil_tennis.load(path) == solution
    True
    """
    with open(path, "rb"):
        pass  # Missing or forbidden files raise Python's own exceptions.
    with listening(progress, "load") as callback:
        return Solution(_native.load_table(os.fspath(path), in_memory, _bits(exact), callback))


def _bits(exact: bool | int) -> int | None:
    return EXACT_BITS if exact is True else None if exact is False else whole(exact, "exact", 1)


class Solution(BoundedGame["_native.Solution"]):
    """A solved game: a mapping of its states to their values, floats with proved bounds, and both optimal mixed strategies.

    Made by `solve` and `load`. Two solutions are equal if their rules, points, bounds and strategies are. Pickles hold the whole
    table.

    Examples
    --------
    >>> import pencil_tennis
    >>> solution = pencil_tennis.solve((4, 3), exact=True)
    >>> solution["4:3@-2"], solution.exact_value("4:3@-2")
    (-0.2 (proved to within 8.7e-19), Fraction(-1, 5))
    >>> solution.arrays().values[4, 3, -2 + 2]
    np.float64(-0.2)
    >>> solution.uniqueness("4:3@-2")
    ('several', 'unique')
    """

    __slots__ = ("_arrays",)

    def __init__(self, native: _native.Solution) -> None:
        super().__init__(native)
        self._arrays: StateArrays | None = None

    @property
    def method(self) -> Method:
        """The method that solved the matrix games."""
        return self._native.method

    @property
    def seconds(self) -> dict[Literal["solve", "certify", "total"], float]:
        """The seconds that finding strategies, proving bounds, and everything took."""
        solve, certify, total = self._native.seconds
        return {"solve": solve, "certify": certify, "total": total}

    @property
    def is_proved(self) -> bool:
        """Whether the bounds were proved by this program; those of a file are not until that is done (see `load`)."""
        return self._native.is_proved

    @property
    def randomised_states(self) -> int:
        """The number of states in which a player randomises."""
        return self._native.randomised_states

    @property
    def exact_states(self) -> int:
        """The number of states with an exact value; 0 unless ``exact`` asked for it."""
        return self._native.exact_states

    def arrays(self) -> StateArrays:
        """The values of all states and their bounds: read-only arrays ``[a, b, ball + field]``.

        Their shape is ``(A's points + 1, B's points + 1, 2 * field + 1)``. They are made once; `numpy.copy` makes a mutable one.
        """
        if self._arrays is None:
            values = self._native.table("value")
            values.flags.writeable = False
            self._arrays = StateArrays(values, self._bounds("lower"), self._bounds("upper"))
        return self._arrays

    def decimal(self, state: StateLike) -> Digits:
        """The proved bounds as decimal numbers that are true as written, and the value with as many digits as are certain."""
        lower, value, upper = self._native.decimal(state)
        return Digits(Decimal(lower), None if value is None else Decimal(value), Decimal(upper))

    def equilibrium(self, state: StateLike) -> Equilibrium[State, int]:
        """The value and both strategies of a state."""
        parsed = State.parse(state)
        return Equilibrium(parsed, self[parsed], *self._native.strategies(parsed))

    def strategy(self, state: StateLike, player: Player = "A") -> dict[int, float]:
        """The optimal strategy of a player at a state: bids with positive probability, rising, and these probabilities."""
        return self.strategies(state)[as_player(player) == "B"]

    def strategies(self, state: StateLike) -> tuple[dict[int, float], dict[int, float]]:
        """A's and B's optimal strategy at a state."""
        a, b = self._native.strategies(state)
        return a, b

    def dyadic_strategy(self, state: StateLike, player: Player = "A") -> dict[int, Fraction]:
        """As `strategy`, in multiples of 2**-62 that sum to exactly 1: the strategy that proves the bounds."""
        return self._native.dyadic_strategies(state)[player == "B"]

    def stage_game(self, state: StateLike) -> NDArray[np.float64]:
        """The matrix game of a state over the values of its successors, a new array.

        Rows are A's bids, columns B's, rising from the lowest legal one (1, or 0 with an empty account); payoffs are to A.
        """
        return self._native.stage_game(state)

    def exact_value(self, state: StateLike) -> Fraction | None:
        """The exact value, where it is known: see ``exact`` of `solve`."""
        return self._native.exact_value(state)

    def is_irrational(self, state: StateLike) -> bool:
        """Whether the value is proved to be no fraction: see ``exact`` of `solve`.

        That happens with a smallest bid of 0 alone, where a state may repeat itself; `digits` works nevertheless.

        >>> import pencil_tennis
        >>> rules = pencil_tennis.Rules.oshi_zumo(1, min_bid=0)
        >>> pencil_tennis.solve((5, 4), rules, exact=True).is_irrational("5:4@0")  # the square root of 3/5
        True
        """
        return self._native.is_irrational(state)

    def exact_values(self) -> dict[State, Fraction]:
        """The exact values of all states where they are known: see ``exact`` of `solve`."""
        known = ((state, self._native.exact_value(state)) for state in self)
        return {state: value for state, value in known if value is not None}

    def exact_equilibrium(self, state: StateLike) -> ExactEquilibrium | None:
        """The exact value and strategies, where they are known: see ``exact`` of `solve`."""
        found = self._native.exact(state)
        return None if found is None else ExactEquilibrium(State.parse(state), *found)

    def digits(self, state: StateLike, digits: int, *, progress: Progress = None) -> Digits:
        """Proved bounds to as many decimals as asked for, 1 to 100,000.

        At 50 points 100 digits take about a second and 1,000 some 12 s of one core.

        Raises
        ------
        Error
            For another number of digits.
        """
        digits = whole(digits, "the number of decimals", 1, 100_000)
        with listening(progress, "digits") as callback:
            lower, value, upper = self._native.digits(State.parse(state), digits, callback)
        return Digits(Decimal(lower), None if value is None else Decimal(value), Decimal(upper))

    def uniqueness(self, state: StateLike) -> tuple[Uniqueness, Uniqueness]:
        """Whether A and B have one optimal strategy of the next turn at a state, or infinitely many."""
        return self._native.uniqueness(state)

    def policy(self, *, refined: bool = False, progress: Progress = None) -> Policy:
        """Both players' optimal strategies of all states.

        Parameters
        ----------
        refined
            Whether to take, of several optimal strategies, those that gain most when the opponent errs (Dresher's refinement):
            a second at 50 points.
        progress
            A function of the share that is done, or True for a bar.
        """
        with listening(progress, "policy") as callback:
            return self._native.policy(refined, callback)

    @overload
    def judge(
        self,
        player: Player,
        policy: PolicyLike | BatchedPolicy,
        *,
        batched: bool = ...,
        normalise: bool = ...,
        progress: Progress = ...,
    ) -> PlayerJudgement[State]: ...
    @overload
    def judge(
        self,
        player: PolicyLike | BatchedPolicy | tuple[BatchedPolicy, BatchedPolicy],
        *,
        batched: bool = ...,
        normalise: bool = ...,
        progress: Progress = ...,
    ) -> Judgement: ...
    def judge(
        self,
        player: Any,
        policy: Any = None,
        *,
        batched: bool = False,
        normalise: bool = False,
        progress: Progress = None,
    ) -> PlayerJudgement[State] | Judgement:
        """Judges a policy by its best responses and by the optimum: its loss, and where it arises.

        ``judge("A", policy)`` judges A's, ``judge(policy)`` both players', which also gives NashConv and the exploitability.

        Parameters
        ----------
        player
            "A" or "B"; or, alone, a policy of both.
        policy
            The policy, as for `as_policy`, for the game that was solved.
        batched, normalise
            As for `as_policy`.
        progress
            A function of the share that is done, or True for a bar.

        Raises
        ------
        PolicyError
            As for `as_policy`, and for a policy of another game.

        Examples
        --------
        >>> import pencil_tennis
        >>> judgement = pencil_tennis.solve(8).judge("uniform")
        >>> round(float(judgement.exploitability), 6)
        1.94442
        >>> str(judgement.costliest(1)[0].state)
        '8:8@0'
        """
        one = as_player(player) if policy is not None or isinstance(player, str) and player in ("A", "B") else None
        if one is not None and policy is None:
            raise TypeError(f"there is no policy of {one}; expected judge({one!r}, policy)")
        given: Any = player if one is None else policy
        # A function or an array alone is that of A.
        is_whole = isinstance(given, (Policy, str, tuple)) or isinstance(given, Mapping) and "policy_b" in given
        if one == "B" and not is_whole:
            given = (None, given)
        checked = as_policy(given, self.points, self.rules, batched=batched, normalise=normalise)
        joint = Judgement.of(checked, self, progress)
        return joint if one is None else joint.a if one == "A" else joint.b

    def frame(self) -> dict[str, NDArray[np.int64] | NDArray[np.float64]]:
        """All states as columns ``a, b, ball, value, lower, upper``.

        A dict of new arrays, which pandas and polars take as it is.
        """
        arrays = zip(("value", "lower", "upper"), self.arrays(), strict=True)
        return self._states.columns() | {name: np.array(table).ravel() for name, table in arrays}

    def strategy_frame(self) -> dict[str, NDArray[np.int64] | NDArray[np.float64] | NDArray[np.str_]]:
        """All optimal strategies as columns ``a, b, ball, player, bid, probability``, one row for every bid that is made.

        A dict of new arrays, which pandas and polars take as it is. States where the game is over are left out.
        """
        policy = self.policy()
        parts = []
        for player in ("A", "B"):
            array = policy.array(player)
            a, b, place, bid = np.nonzero(array)
            going = (a > 0) | (b > 0)
            a, b, place, bid = (index[going] for index in (a, b, place, bid))
            names = np.full(len(a), player)
            parts.append((a, b, place - self.rules.field, names, bid, array[a, b, place, bid]))
        a, b, ball, players, bid, probability = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.lexsort((bid, players, ball, b, a))
        columns = {"a": a, "b": b, "ball": ball, "player": players, "bid": bid, "probability": probability}
        return {name: column[order] for name, column in columns.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a table file: bounds of all states, and strategies if they are kept. It is whole, or not there.

        Raises
        ------
        OSError
            When it cannot be written; the message names the file.
        """
        self._native.save(os.fspath(path))

    def certificate(self) -> bytes:
        """A certificate of the bounds, which `verify`, the command line and ``docs/check_certificate.py`` check.

        It is read again and checked as by `verify` before it is returned.

        Raises
        ------
        CertificateError
            When the checker refuses it: a defect of this package, or of the table that the solution was loaded from.
        """
        return self._native.certificate()

    def __reduce__(self) -> tuple[object, tuple[bytes, int | None]]:
        return (_unpickled, (self._native.table_bytes(), self._native.exact_bits))

    def __repr__(self) -> str:
        a, b = self.points
        widest = rounded_up(self.widest)
        return f"<Solution of {a}:{b} points, {self.rules}: {len(self)} states, widest bounds {widest}>"

    def _repr_html_(self) -> str:
        return self.equilibrium(self.start)._repr_html_()


def _unpickled(table: bytes, exact_bits: int | None) -> Solution:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        path.write_bytes(table)
        return load(path, in_memory=True, exact=False if exact_bits is None else exact_bits)
