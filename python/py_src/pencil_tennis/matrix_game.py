"""Any zero-sum matrix game: value, optimal strategies, proved bounds, exact fractions, uniqueness.

>>> from pencil_tennis import matrix_game
>>> solution = matrix_game.solve([[3, -1], [-2, 1]])
>>> solution.value
Fraction(1, 7)
>>> solution.row_strategy
(Fraction(3, 7), Fraction(4, 7))
>>> solution.uniqueness
('unique', 'unique')

The row player maximises, the column player minimises; payoffs are those of the row player.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native
from pencil_tennis._arrays import array_of
from pencil_tennis._enclosure import Enclosure, proved_when_asked
from pencil_tennis._equilibrium import Uniqueness
from pencil_tennis._game import whole
from pencil_tennis._html import rows_of
from pencil_tennis._native import MatrixError
from pencil_tennis._shares import distribution

__all__ = [
    "Elimination", "ExactSolution", "PayoffSensitivity", "Payoffs", "Solution", "Solutions", "Undominated", "expected_payoff",
    "solve", "solve_all", "undominated",
]  # fmt: skip

Payoffs: TypeAlias = NDArray[Any] | Sequence[Sequence[Any]]
"""A matrix of payoffs to the row player: an array of two dimensions, or its rows."""

_MOST_DIGITS = 10_000

_MOST_ENTRIES = 1 << 20
"""The rows and the columns of a matrix in lists, so that an iterator without an end is noticed."""

_NO_ROWS = (str, bytes, Mapping, Set)


class Solution:
    """The solution of a matrix game in floating point, with proved bounds. Made by `solve`.

    Numbers and arrays are made when they are asked for first.
    """

    def __init__(self, found: _native.MatrixSolution) -> None:
        self._found = found
        self._value: Enclosure | None = None

    @property
    def value(self) -> Enclosure:
        """The value to the row player: a float with proved bounds, some 1e-16 of the largest payoff apart."""
        # Until Python 3.12 the lock of a cached property takes as long as all else here.
        if self._value is None:
            found = self._found
            self._value = proved_when_asked(found.value(), found.security_levels)
        return self._value

    @cached_property
    def row_strategy(self) -> NDArray[np.float64]:
        """The probability of each row."""
        return self._found.row_strategy()

    @cached_property
    def column_strategy(self) -> NDArray[np.float64]:
        """The probability of each column."""
        return self._found.column_strategy()

    def _repr_html_(self) -> str:
        return _html(self.value, self.row_strategy.tolist(), self.column_strategy.tolist())

    @property
    def lower(self) -> Fraction:
        """The security level of the row strategy (its probabilities as parts of their sum), without rounding."""
        return self.value.lower

    @property
    def upper(self) -> Fraction:
        """The most that the column strategy concedes, without rounding."""
        return self.value.upper

    @cached_property
    def exact(self) -> ExactSolution:
        """The exact solution of this game, every double taken as the fraction that it is."""
        return _exactly([[Fraction(payoff) for payoff in row] for row in self._found.payoffs().tolist()])

    @property
    def uniqueness(self) -> tuple[Uniqueness, Uniqueness]:
        """Whether the row player and the column player have one optimal strategy; decided exactly."""
        return self.exact.uniqueness

    def __repr__(self) -> str:
        """The value and both strategies."""
        value, row, column = self.value, self.row_strategy, self.column_strategy
        return f"Solution(value={value!r}, row_strategy={row!r}, column_strategy={column!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """What the solution is made of again: the bounds are proved anew."""
        found = self._found
        strategies = [strategy.tolist() for strategy in (found.row_strategy(), found.column_strategy())]
        return _restored, (found.payoffs(), *strategies, float(self.value))


def _restored(payoffs: NDArray[np.float64], row: list[float], column: list[float], value: float) -> Solution:
    return Solution(_native.MatrixSolution(payoffs, row, column, value))


Strategy: TypeAlias = tuple[Fraction, ...]
"""The probability of each row, or of each column."""


@dataclass(frozen=True)
class ExactSolution:
    """The exact solution of a matrix game."""

    value: Fraction
    """The value to the row player."""
    row_strategy: tuple[Fraction, ...]
    """The probability of each row; they sum to 1."""
    column_strategy: tuple[Fraction, ...]
    """The probability of each column; they sum to 1."""
    _payoffs: list[list[Fraction]] = field(repr=False, compare=False)

    def _repr_html_(self) -> str:
        return _html(self.value, self.row_strategy, self.column_strategy)

    @property
    def lower(self) -> Fraction:
        """The value: the security level of the row strategy."""
        return self.value

    @property
    def upper(self) -> Fraction:
        """The value: the security level of the column strategy."""
        return self.value

    @cached_property
    def uniqueness(self) -> tuple[Uniqueness, Uniqueness]:
        """Whether the row player and the column player have one optimal strategy; decided exactly."""
        return _native.ExactMatrixGame(self._payoffs).uniqueness()

    def optimal_strategies(self, most: int = 1000) -> tuple[list[Strategy], list[Strategy]]:
        """All optimal strategies of the row player and of the column player: the extreme points of the optimal sets.

        The optimal strategies are the mixtures of these and no others. They are in lexicographic order.

        Parameters
        ----------
        most
            A game may have exponentially many; where more than these arise for a player, also on the way, it is refused.

        Raises
        ------
        Error
            Where there are more than ``most``.

        Examples
        --------
        >>> from pencil_tennis import matrix_game
        >>> rows, columns = matrix_game.solve([[2, -1], [-1, 1], [-1, 1]]).optimal_strategies()
        >>> [[str(share) for share in strategy] for strategy in rows]
        [['2/5', '0', '3/5'], ['2/5', '3/5', '0']]
        """
        rows, columns = _native.optimal_strategies(self._payoffs, whole(most, "most", 1))
        return [*map(tuple, rows)], [*map(tuple, columns)]

    def maximum_entropy(self, most: int = 1000) -> tuple[Strategy, Strategy]:
        """Of all optimal strategies of either player the most even one, that of maximum entropy.

        It is exactly a mixture of the optimal strategies, and so exactly optimal; the weights of the mixture are found in floating
        point.

        Parameters
        ----------
        most
            As in `optimal_strategies`.

        Raises
        ------
        Error
            Where there are more than ``most``.

        Examples
        --------
        >>> from pencil_tennis import matrix_game
        >>> row, _ = matrix_game.solve([[2, -1], [-1, 1], [-1, 1]]).maximum_entropy()
        >>> [str(share) for share in row]
        ['2/5', '3/10', '3/10']
        """
        row, column = _native.maximum_entropy(self._payoffs, whole(most, "most", 1))
        return tuple(row), tuple(column)

    def sensitivity(self) -> list[list[PayoffSensitivity]] | None:
        """How the value depends on each payoff, row by row; `None` where a player has several optimal strategies.

        Examples
        --------
        The first payoff may fall by 4, to -1, and rise by any amount, until the players mix other actions:

        >>> from pencil_tennis import matrix_game
        >>> change = matrix_game.solve([[3, -1], [-2, 1]]).sensitivity()[0][0]
        >>> change.derivative, change.may_fall, change.may_rise
        (Fraction(6, 49), Fraction(4, 1), None)
        """
        found = _native.sensitivity(self._payoffs)
        return None if found is None else [[PayoffSensitivity(*change) for change in row] for row in found]


@dataclass(frozen=True)
class PayoffSensitivity:
    """How the value of a matrix game depends on one payoff, while the others stay as they are."""

    derivative: Fraction
    """The derivative of the value: the probability with which the two actions meet."""
    may_fall: Fraction | None
    """By how much the payoff may fall until the players mix other actions; `None` if by any amount."""
    may_rise: Fraction | None
    """By how much it may rise until then."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """The solutions of many matrix games in floating point, with proved bounds. Made by `solve_all`."""

    value: NDArray[np.float64]
    """The value of every game to its row player, of shape ``(games,)``."""
    lower: NDArray[np.float64]
    """Proved lower bounds of the values: with k probabilities above 0, up to (k + 3)·2.2e-16 of the largest payoff below what the row
    strategy secures."""
    upper: NDArray[np.float64]
    """Proved upper bounds of the values, in the same way above what the column strategy concedes."""
    row_strategy: NDArray[np.float64]
    """The probability of each row, of shape ``(games, rows)``."""
    column_strategy: NDArray[np.float64]
    """The probability of each column, of shape ``(games, columns)``."""

    def __len__(self) -> int:
        """The number of games."""
        return len(self.value)


@dataclass(frozen=True)
class Elimination:
    """A dominated action."""

    round: int
    """The round in which it was eliminated, counted from 1."""
    player: Literal["row", "column"]
    """Whose action it is."""
    action: int
    """The number of the row or the column, counted from 0."""
    by: dict[int, Fraction]
    """A mixture of the same player's actions that dominates it among those of this round."""


@dataclass(frozen=True)
class Undominated:
    """The actions that iterated elimination of dominated actions leaves. Made by `undominated`."""

    rows: list[int]
    """The rows that are left."""
    columns: list[int]
    """The columns that are left."""
    eliminations: list[Elimination]
    """All others, in the order in which they were eliminated: in each round rows first."""


def undominated(payoffs: Payoffs, dominance: Literal["strict", "weak"] = "strict") -> Undominated:
    """Eliminates dominated actions in rounds, exactly.

    Every round removes all actions of both players that are dominated in the game which the round before has left. An action is
    strictly dominated if a mixture of others is better against every action of the opponent, weakly if it is nowhere worse and
    somewhere better. Which actions are left after strict dominance depends on no order; after weak dominance it may, and optimal
    strategies may get lost.

    Parameters
    ----------
    payoffs
        The payoffs to the row player, as `solve` takes them; floats are the doubles that they are.
    dominance
        "strict" or "weak".

    Raises
    ------
    MatrixError
        As `solve`.

    Examples
    --------
    The third row is worse than the others mixed evenly:

    >>> from pencil_tennis import matrix_game
    >>> left = matrix_game.undominated([[4, 0], [0, 4], [1, 1]])
    >>> left.rows, left.eliminations[0].by
    ([0, 1], {0: Fraction(1, 2), 1: Fraction(1, 2)})
    """
    rows, columns, found = _native.undominated(_exact_rows(payoffs), dominance)
    eliminations = [Elimination(round, "row" if is_row else "column", action, dict(by)) for round, is_row, action, by in found]
    return Undominated(rows, columns, eliminations)


def expected_payoff(payoffs: Payoffs, row_strategy: Probabilities, column_strategy: Probabilities) -> Fraction:
    """The row player's expected payoff of two strategies, exactly.

    Parameters
    ----------
    payoffs
        The payoffs to the row player, as `solve` takes them; floats are the doubles that they are.
    row_strategy, column_strategy
        The probability of each row and of each column: numbers that sum to 1. Floats that do so within 1e-9, and integers, are
        divided by their sum.

    Raises
    ------
    MatrixError
        As `solve`, and for strategies of another length.
    Error
        For numbers that are no probabilities.

    Examples
    --------
    >>> from pencil_tennis import matrix_game
    >>> matrix_game.expected_payoff([[3, -1], [-2, 1]], ["3/7", "4/7"], [0.5, 0.5])
    Fraction(1, 7)
    """
    rows = _exact_rows(payoffs)
    row_shares = _strategy(row_strategy, len(rows), "row")
    column_shares = _strategy(column_strategy, len(rows[0]), "column")
    means = (share * sum((part * payoff for part, payoff in zip(column_shares, row, strict=True) if part), Fraction(0)) for share, row in zip(row_shares, rows, strict=True) if share)
    return sum(means, Fraction(0))


Probabilities: TypeAlias = NDArray[Any] | Sequence[Any]
"""The probabilities of actions in their order."""


def _exact_rows(payoffs: Payoffs) -> list[list[Fraction]]:
    rows = _rows(payoffs)
    entries = rows.tolist() if isinstance(rows, np.ndarray) else rows
    if not entries or not entries[0]:
        raise MatrixError("a matrix needs at least one row and one column, and rows of equal length")
    return [[_fraction(payoff, i, j) for j, payoff in enumerate(row)] for i, row in enumerate(entries)]


def _strategy(probabilities: Probabilities, count: int, player: str) -> list[Fraction]:
    """The probabilities of a player, which sum to exactly 1."""
    if isinstance(probabilities, _NO_ROWS):
        raise MatrixError(f"{probabilities!r:.80} is no strategy; expected the probabilities of all {count} {player}s in their order")
    shares = probabilities if isinstance(probabilities, (list, tuple)) else array_of(probabilities, "a strategy", MatrixError).tolist()
    if not isinstance(shares, (list, tuple)) or len(shares) != count:
        found = len(shares) if isinstance(shares, (list, tuple)) else "no"
        raise MatrixError(f"the {player} player's strategy has {found} probabilities; expected {count}")
    return distribution(dict(enumerate(shares)), f"the {player} player's probabilities", exact=False)[0]


def solve_all(payoffs: NDArray[Any], *, threads: int | None = None) -> Solutions:
    """Solves many zero-sum matrix games of one shape in floating point, in several threads: for minimax-Q, for example.

    Parameters
    ----------
    payoffs
        The payoffs to the row players: an array of shape ``(games, rows, columns)``, of numbers that doubles hold.
    threads
        The number of threads; by default one per processor. It does not affect the result.

    Raises
    ------
    MatrixError
        For an array of another shape, and for entries that are no finite numbers, are masked, or that no double holds.

    Examples
    --------
    >>> import numpy as np
    >>> from pencil_tennis import matrix_game
    >>> games = np.array([[[0.0, 1.0], [1.0, 0.0]], [[3.0, 1.0], [1.0, 0.0]]])
    >>> solved = matrix_game.solve_all(games)
    >>> solved.value.tolist(), solved.row_strategy.tolist()
    ([0.5, 1.0], [[0.5, 0.5], [1.0, 0.0]])
    """
    if np.ma.is_masked(payoffs):
        game, i, j = np.argwhere(np.ma.getmaskarray(payoffs))[0]
        raise MatrixError(f"game {game}: the entry in row {i}, column {j} is masked; a matrix game needs all of them")
    given = array_of(payoffs, "many games", MatrixError)
    if given.ndim != 3 or given.dtype.kind not in "fiub":
        shape = f"{given.dtype} {given.shape}"
        raise MatrixError(f"many games are an array of numbers of shape (games, rows, columns); this is {shape}")
    doubles = given.astype(np.float64)
    if given.dtype.kind != "f" or given.dtype.itemsize > 8:
        # Integers of 64 bits need not be doubles.
        for game in np.flatnonzero((doubles.astype(object) != given.astype(object)).any(axis=(1, 2)))[:1]:
            exactly = f"matrix_game.solve(payoffs[{game}]) solves it exactly"
            raise MatrixError(f"game {game} has numbers that no double holds; {exactly}")
    if given.shape[0] and not (given.shape[1] and given.shape[2]):
        raise MatrixError(f"matrices need at least one row and one column; this is {given.shape}")
    workers = whole(threads, "the number of threads", 1, 256) if threads is not None else min(256, os.cpu_count() or 1)
    (value, lower, upper), (row, column) = _native.solve_many_doubles(doubles, workers)
    return Solutions(value, lower, upper, row, column)


@overload
def solve(payoffs: Payoffs, *, exact: Literal[True]) -> ExactSolution: ...
@overload
def solve(payoffs: Payoffs, *, exact: Literal[False]) -> Solution: ...
@overload
def solve(payoffs: Payoffs, *, exact: bool | None = None) -> Solution | ExactSolution: ...
def solve(payoffs: Payoffs, *, exact: bool | None = None) -> Solution | ExactSolution:
    """Solves a zero-sum matrix game.

    Parameters
    ----------
    payoffs
        The payoffs to the row player: an array of shape ``(rows, columns)``, or rows of equal length, of numbers.
    exact
        Whether to solve in fractions. By default a matrix is solved in floating point if it has floats and doubles hold all of
        its numbers, and else in fractions: integers, Fractions, Decimals and texts such as ``"0.1"`` or ``"1/3"``.

    Returns
    -------
    ExactSolution or Solution
        Both have ``value``, ``row_strategy``, ``column_strategy``, ``lower``, ``upper`` and ``uniqueness``: fractions in the
        first, floats (and exact bounds) in the second. Bounds are about the numbers as they were given: none is rounded before.

    Raises
    ------
    MatrixError
        For a matrix without rows or columns, for rows of different lengths, for entries that are no finite numbers or are
        masked, and with ``exact=False`` for numbers that no double holds.

    Examples
    --------
    >>> from decimal import Decimal
    >>> from fractions import Fraction
    >>> from pencil_tennis import matrix_game
    >>> matrix_game.solve([[Decimal("0.1"), 0], [0, 1]]).value
    Fraction(1, 11)
    >>> rough = matrix_game.solve([[3.0, -1.0], [-2.0, 0.5]])
    >>> rough.lower <= Fraction(-1, 13) <= rough.upper
    True
    """
    # A matrix of doubles is what most callers have, a thousand times a second.
    if type(payoffs) is np.ndarray and not exact:
        found = _native.solve_doubles(payoffs)
        if found is not None:
            return Solution(found)
    rows = _rows(payoffs)
    if isinstance(rows, np.ndarray):
        if not exact:
            return _approximately(rows)
        rows = rows.tolist()
    fractions = [[_fraction(payoff, i, j) for j, payoff in enumerate(row)] for i, row in enumerate(rows)]
    rounded = _first_rounded(fractions)
    if exact is None:
        floats = any(isinstance(payoff, (float, np.floating)) for row in rows for payoff in row)
        exact = rounded is not None or not floats
    if exact:
        return _exactly(fractions)
    if rounded is not None:
        i, j = rounded
        raise MatrixError(
            f"entry {rows[i][j]!r} in row {i}, column {j} would be rounded to a double, which exact=False refuses; "
            "expected exact=True, or a matrix of floats such as numpy.asarray(payoffs, float)"
        )
    return _approximately(np.array(fractions, np.float64))


def _html(value: Enclosure | Fraction, row: Sequence[Any], column: Sequence[Any]) -> str:
    def listed(strategy: Sequence[Any]) -> str:
        return ", ".join(f"{number}: {share:.6g}" if isinstance(share, float) else f"{number}: {share}" for number, share in enumerate(strategy) if share)

    shown = repr(value) if isinstance(value, Enclosure) else str(value)
    return rows_of("a solved matrix game", [("value", shown), ("rows", listed(row)), ("columns", listed(column))])


def _rows(payoffs: Any) -> NDArray[np.float64] | list[list[Any]]:
    """The matrix as doubles where it is an array of nothing else, or the entries of its rows."""
    if np.ma.is_masked(payoffs):
        i, j = np.argwhere(np.ma.getmaskarray(payoffs))[0]
        raise MatrixError(f"the entry in row {i}, column {j} is masked; a matrix game needs all of them")
    if not isinstance(payoffs, np.ndarray) and (hasattr(payoffs, "__array__") or hasattr(payoffs, "__dlpack__")):
        # Frames of pandas and polars, tensors.
        payoffs = array_of(payoffs, "the matrix", MatrixError)
    if isinstance(payoffs, np.ndarray):
        if payoffs.ndim != 2:
            many = "; solve_all solves many games" if payoffs.ndim == 3 else ""
            raise MatrixError(f"a matrix has two dimensions; this array has the shape {payoffs.shape}{many}")
        if payoffs.dtype.kind == "f" and payoffs.dtype.itemsize <= 8:
            # The solution keeps it, and the caller may write into his own.
            return np.array(payoffs, np.float64)
        # In `tolist` numpy would not turn longer floats into Python numbers.
        rows = [list(row) for row in payoffs] if payoffs.dtype.kind == "f" else payoffs.tolist()
    else:
        try:
            rows = _listed(payoffs)
        except TypeError:
            rows = None
        if rows is None:
            raise MatrixError(f"{payoffs!r:.80} is no matrix; expected an array of two dimensions, or rows")
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise MatrixError("a matrix needs at least one row and one column, and rows of equal length")
    return rows


def _listed(payoffs: Any) -> list[list[Any]]:
    """The entries of rows; a TypeError where an order or a row is missing: sets, mappings and texts would be read as others."""
    if isinstance(payoffs, _NO_ROWS):
        raise TypeError
    rows = []
    for row in payoffs:
        if isinstance(row, _NO_ROWS):
            raise TypeError
        rows.append([*islice(row, _MOST_ENTRIES + 1)])
        if max(len(rows), len(rows[-1])) > _MOST_ENTRIES or len(rows) * len(rows[0]) > 16 * _MOST_ENTRIES:
            raise MatrixError(f"the matrix has more than {_MOST_ENTRIES} rows or columns, or no end; expected an array of numpy")
    return rows


def _first_rounded(rows: list[list[Fraction]]) -> tuple[int, int] | None:
    """The place of the first number that is not a double."""
    for i, row in enumerate(rows):
        for j, payoff in enumerate(row):
            try:
                if float(payoff) != payoff:
                    return i, j
            except OverflowError:
                return i, j
    return None


def _approximately(payoffs: NDArray[np.float64]) -> Solution:
    found = _native.solve_doubles(payoffs)
    assert found is not None
    return Solution(found)


def _exactly(rows: list[list[Fraction]]) -> ExactSolution:
    game = _native.ExactMatrixGame(rows)
    return ExactSolution(game.value, tuple(game.row_strategy), tuple(game.column_strategy), rows)


def _fraction(payoff: Any, row: int, column: int) -> Fraction:
    try:
        if isinstance(payoff, np.integer):
            return Fraction(int(payoff))
        if isinstance(payoff, np.floating):
            return Fraction(*payoff.as_integer_ratio())
        if isinstance(payoff, (str, Decimal)) and _is_long(payoff):
            raise MatrixError(f"entry {payoff!r} in row {row}, column {column} has more than {_MOST_DIGITS} digits")
        return Fraction(payoff)
    except MatrixError:
        raise
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise MatrixError(f"entry {payoff!r} in row {row}, column {column} is not a finite number") from None


def _is_long(payoff: str | Decimal) -> bool:
    """Whether a fraction has too many digits: it would take minutes to make, in which nobody hears Ctrl-C."""
    try:
        number = Decimal(payoff)
    except InvalidOperation:
        # Another text, such as `1/3`, is as long as its digits.
        return False
    return number.is_finite() and abs(number.adjusted()) > _MOST_DIGITS
