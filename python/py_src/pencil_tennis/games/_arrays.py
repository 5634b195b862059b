"""Games as arrays, and rules that answer for many states at once."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from pencil_tennis import _native
from pencil_tennis._arrays import array_of, own_array
from pencil_tennis._game import whole
from pencil_tennis._native import Error
from pencil_tennis._progress import Progress, counting
from pencil_tennis._shares import Number, fraction
from pencil_tennis.games._rules import MEMORY_LIMIT, Kind, as_kind, as_starts, check_hooks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    _Weights = NDArray[np.int64] | NDArray[np.float64]
    _Numbers = _Weights | tuple[NDArray[np.int64], NDArray[np.int64]]
    # The arguments of `_native.game_from_arrays` that make a game.
    _Made = tuple[
        str, Fraction | None, list[int], NDArray[np.int64], _Numbers, NDArray[np.int64], NDArray[np.int64], _Weights, _Numbers | None
    ]


BYTES_A_CELL, BYTES_A_STATE = 50, 200
"""The memory that arrays take while rules for many states are asked: those of a cell, and of a state but for its numbers."""


class ManyRules(Protocol):
    """A game whose states are rows of integers, as rules that answer for many of them at once.

    ``kind``, ``discount`` and ``endless_many(states)`` are as in `Rules`. Actions are the numbers from 0 on.
    """

    def starts(self) -> ArrayLike:
        """The rows where play starts, of the shape ``(starts, numbers)``."""
        ...

    def turn_many(self, states: NDArray[np.int64]) -> tuple[ArrayLike, ArrayLike]:
        """The numbers of A's and of B's actions, of the shape ``(states, 2)``, 0 and 0 at an end; and the payoffs of ends."""
        ...

    def after_many(self, states: NDArray[np.int64], a: NDArray[np.int64], b: NDArray[np.int64]) -> Any:
        """The rows that follow when ``a[i]`` meets ``b[i]`` at ``states[i]``: of the shape ``(states, numbers)``.

        Or a tuple: of rows of the shape ``(states, outcomes, numbers)``, of their weights ``(states, outcomes)``, of which 0 leaves
        one out, and optionally of A's rewards ``(states,)``. Numbers are as in `from_arrays`.
        """
        ...


# The places of arguments of `_native.game_from_arrays`.
_STARTS: Final = 2
_SIZES: Final = 3


class ArrayGame:
    """A game in memory, whose states are numbers, or rows. Made by `from_arrays`; `solve` takes it."""

    def __init__(self, made: _Made, starts: Any, memory_limit: int, exact: bool, rows: Any = None) -> None:
        self.native, normalised = _native.game_from_arrays(*made, memory_limit, exact)
        self.normalised = normalised + (starts[2] if starts else 0)
        """The cells and lists of starts whose floats were divided by their sum."""
        sizes = made[_SIZES]
        self.sizes, self._rows = sizes, rows
        sizes.flags.writeable = False
        self.states: Sequence[Any] = range(len(sizes)) if rows is None else [*map(tuple, rows.rows(0).tolist())]
        if starts:
            self.starts, self.chances = starts[:2]
        else:
            self.starts = [self.states[start] for start in made[_STARTS]]
            self.chances = [(self.starts[0], Fraction(1))]

    def find(self, state: Any) -> tuple[int, bool]:
        """The number of a state, or a KeyError."""
        if self._rows is None:
            place = self.states.index(state)
        elif (place := self._rows.find(state)) is None:
            raise KeyError(state)
        return place, False

    def table(self) -> NDArray[np.int64]:
        """The states as an array: their rows, or their numbers."""
        return np.arange(len(self)) if self._rows is None else self._rows.rows(0)

    @property
    def actions(self) -> Any:
        """The actions of both players by state."""
        return _Actions(self.sizes)

    def named(self, message: str) -> str:
        """A message as it is: it has the number of the state."""
        return message

    def __len__(self) -> int:
        return len(self.sizes)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "packed": self.native.packed(),
            "rows": None if self._rows is None else self._rows.rows(0),
            "starts": self.starts,
            "chances": self.chances,
            "normalised": self.normalised,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "packed" not in state:
            raise Error("the pickle is of an earlier version of pencil_tennis; expected one of this version: solve the game again")
        self.native = _native.unpacked_game(state["packed"])
        self.sizes = self.native.sizes()
        self.sizes.flags.writeable = False
        self.starts, self.chances, self.normalised = state["starts"], state["chances"], state["normalised"]
        rows = state["rows"]
        if rows is None:
            self.states, self._rows = range(len(self)), None
        else:
            self.states, self._rows = [*map(tuple, rows.tolist())], _native.RowNumbers(rows.shape[1])
            self._rows.number(rows)
        try:
            places = [self.find(start)[0] for start in self.starts]
        except (KeyError, TypeError, ValueError):
            places = []
        if len(self.states) != len(self) or not places:
            raise Error(f"the pickle has {len(self.states)} states, or starts, that are not those of its game of {len(self)} states")

    def __repr__(self) -> str:
        return f"<a game of {len(self)} states in arrays>"


class _Actions:
    def __init__(self, sizes: NDArray[np.int64]) -> None:
        self.sizes = sizes

    def __getitem__(self, place: int) -> tuple[list[int], list[int]] | None:
        a, b = self.sizes[place].tolist()
        return (list(range(a)), list(range(b))) if a else None


def from_arrays(
    actions: ArrayLike,
    values: ArrayLike,
    transitions: Any,
    rewards: ArrayLike | None = None,
    *,
    starts: Iterable[int] | Mapping[int, Number] = (0,),
    kind: Kind = "acyclic",
    discount: Number | None = None,
    memory_limit: int | None = None,
    exact: bool = False,
) -> ArrayGame:
    """A game as arrays, to be given to `solve`: four times as fast as rules that are asked about every cell.

    States are the numbers from 0 on, and so are each player's actions. A *cell* is a pair of actions; cells are ordered by state,
    then A's action, then B's.

    Parameters
    ----------
    actions
        The numbers of A's and of B's actions: integers of the shape ``(states, 2)``, 0 and 0 at an end.
    values
        A's payoffs at ends, and in recursive games those of infinite plays at other states: of the shape ``(states,)``.
    transitions
        A row for every cell with the weights of the states that follow, which are divided by their sum: a sparse matrix of
        scipy, or anything with its ``indptr``, ``indices`` and ``data``; or these three arrays; or a pair of arrays of the shape
        ``(cells, outcomes)``, states and their weights.
    rewards
        A's immediate reward of every cell; none unless given.
    starts
        The states where play starts, or a dict of them with probabilities.
    kind, discount
        As in `Rules`.
    memory_limit
        As in `solve`.
    exact
        Whether probabilities in doubles that do not sum to exactly 1 are refused.

    Notes
    -----
    Integers are exact, and so are `Fraction` objects in arrays of objects. Doubles are what they are: a payoff at an end is the
    double that it is. Probabilities in doubles that sum to 1 within 1e-9 are weights: they are divided by their sum and, like
    rewards, rounded to multiples of 2^-60 (with a discount, as much coarser as its denominator is long), the largest of a row so
    that the sum is exactly 1. That game is solved and proved, and `Solution.normalised` counts such rows; give thirds as the
    weights 1 and 2. Arrays are copied: they may be written into afterwards.

    Raises
    ------
    Error
        With the state and its actions, for arrays that are no game.

    Examples
    --------
    Each player guesses the other's coin to win it, and tails count three:

    >>> from pencil_tennis import games
    >>> pennies = games.from_arrays([[2, 2], [0, 0], [0, 0], [0, 0]], [0, 1, 3, -1], ([[1], [3], [3], [2]], [[1]] * 4))
    >>> games.solve(pennies)[0]
    0.3333333333333333 (proved to within 1.8e-18)
    """
    indptr, indices, data = _sparse(transitions)
    sizes = _whole(actions, "the numbers of actions", 2)
    begin = _starts(starts, max(len(sizes), 1), exact)
    made: _Made = (
        as_kind(kind),
        None if discount is None else fraction(discount, "the discount"),
        begin[0],
        sizes,
        _numbers(values, "a value"),
        indptr,
        indices,
        data,
        None if rewards is None else _numbers(rewards, "a reward"),
    )
    return ArrayGame(made, begin, MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit"), exact)


def explored(rules: Any, most_states: int, memory_limit: int, progress: Progress, exact: bool = False) -> ArrayGame:
    """The game of rules that answer for many states at once."""
    check_hooks(rules)
    starts = np.ascontiguousarray(_whole(rules.starts(), "the starts", 2))
    if not starts.size:
        raise Error(f"the starts have the shape {starts.shape}; expected at least one row of at least one number")
    rows = _native.RowNumbers(starts.shape[1])
    begin = [*map(int, dict.fromkeys(rows.number(starts).tolist()))]
    sizes, values, counts, targets, weights, rewards = ([] for _ in range(6))
    done, asked = 0, 0.0
    with counting(progress, "asking", " states") as tell:
        while done < len(rows):
            states = rows.rows(done)
            done += len(states)
            # Rules get copies, and their answers are copied: they may write into the one and reuse the other.
            turn = rules.turn_many(states.copy())
            if not isinstance(turn, tuple) or len(turn) != 2:
                raise Error("`turn_many` gives no pair; expected the numbers of actions, and the values of ends")
            sizes_here = _whole(turn[0], "the numbers of actions", 2)
            if sizes_here.shape != (len(states), 2) or (sizes_here < 0).any():
                raise Error(f"`turn_many` gives the shape {sizes_here.shape}, or negative numbers; expected {(len(states), 2)}")
            value = own_array(turn[1], "the values of `turn_many`")
            if value.shape != (len(states),):
                raise Error(f"`turn_many` gives values of the shape {value.shape}; expected {(len(states),)}")
            if hasattr(rules, "endless_many"):
                endless = array_of(rules.endless_many(states.copy()), "the values of `endless_many`")
                value = np.where(sizes_here[:, 0] == 0, value, endless)
            sizes.append(sizes_here)
            values.append(value)
            # In doubles nothing overflows.
            asked += float(sizes_here[:, 0].astype(float) @ sizes_here[:, 1])
            if (needed := BYTES_A_CELL * asked + (BYTES_A_STATE + 8 * starts.shape[1]) * len(rows)) > memory_limit:
                known = f"{asked:.0f} cells of {done} states would take {needed:.0f} bytes of memory"
                raise Error(f"{known}, above the limit of {memory_limit}")
            cells = sizes_here[:, 0] * sizes_here[:, 1]
            of = np.repeat(np.arange(len(states)), cells)
            within = np.arange(len(of)) - np.repeat(np.cumsum(cells) - cells, cells)
            a, b = within // np.maximum(sizes_here[of, 1], 1), within % np.maximum(sizes_here[of, 1], 1)
            if not len(of):
                continue
            following, weight, reward = _following(rules.after_many(states[of], a, b), len(of), starts.shape[1])
            kept = np.flatnonzero(weight.ravel() != 0)
            counts.append(np.bincount(kept // weight.shape[1], minlength=len(of)))
            targets.append(rows.number(np.ascontiguousarray(following.reshape(-1, starts.shape[1])[kept])))
            weights.append(weight.ravel()[kept])
            rewards.append(reward)
            if len(rows) > most_states:
                known = f"{done} of them were asked about"
                raise Error(f"the game has more than {most_states} states; {known}; expected a larger `most_states`")
            if tell is not None:
                tell(done, len(rows))
    all_sizes = np.concatenate(sizes)
    empty = np.zeros(0, np.int64)
    pointers = np.concatenate([[0], np.cumsum(np.concatenate([*counts, empty]))]).astype(np.int64)
    made: _Made = (
        as_kind(getattr(rules, "kind", "acyclic")),
        None if getattr(rules, "discount", None) is None else fraction(rules.discount, "the discount"),
        begin,
        np.ascontiguousarray(all_sizes),
        _numbers(np.concatenate(values), "a value"),
        pointers,
        np.concatenate([*targets, empty]),
        _weights(np.concatenate(weights) if weights else empty, pointers),
        _numbers(np.concatenate([*rewards, empty]), "a reward"),
    )
    return ArrayGame(made, None, memory_limit, exact, rows)


MOST_UNPACKED = 256
"""The times by which bytes may grow when they are unpacked: what would grow more is not packed, so that a bomb is noticed."""


def compressed(content: bytes) -> bytes:
    """In pieces, so that Ctrl-C is heard."""
    for level in (1, 0):
        packer = zlib.compressobj(level)
        pieces = [packer.compress(content[first : first + (1 << 20)]) for first in range(0, len(content), 1 << 20)]
        packed = b"".join([*pieces, packer.flush()])
        if len(content) <= MOST_UNPACKED // 2 * len(packed):
            break
    return packed


def uncompressed(packed: bytes) -> bytes:
    """What `compressed` has packed."""
    most = MOST_UNPACKED * len(packed)
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(packed, most)
    if not unpacker.eof:
        raise Error(f"{len(packed)} packed bytes are cut off, or grow to more than {most}, which no pickle of a solution does")
    return content


def _following(after: Any, cells: int, numbers: int) -> tuple[NDArray[np.int64], NDArray[Any], Any]:
    """The successors of cells, their weights, and the rewards."""
    rows, weight, reward = (*after, None)[:3] if isinstance(after, tuple) and len(after) in (2, 3) else (after, None, None)
    following = array_of(rows, "a state that follows")
    if weight is None:
        weight = np.ones((cells, 1), np.int64)
        following = following.reshape(cells, 1, -1) if following.shape == (cells, numbers) else following
    weight = own_array(weight, "the weights of `after_many`")
    if following.shape != (cells, *weight.shape[1:2], numbers) or weight.shape[:1] != (cells,) or weight.ndim != 2:
        expected = f"expected rows of the shape ({cells}, outcomes, {numbers}) and weights of the shape ({cells}, outcomes)"
        raise Error(f"`after_many` gives rows of the shape {following.shape}, weights of {weight.shape}; {expected}")
    rewards = np.zeros(cells, np.int64) if reward is None else own_array(reward, "the rewards of `after_many`")
    return _whole(following, "a state that follows", 3), weight, rewards


def _starts(starts: Any, states: int, exact: bool) -> tuple[list[int], list[tuple[int, Fraction]], bool]:
    """As `as_starts`, of integers of Python."""
    found, chances, is_normalised = as_starts(starts, states, "states that differ", exact=exact)
    numbers = [whole(state, "a start") for state in found]
    return numbers, [(whole(state, "a start"), share) for state, share in chances], is_normalised


def _sparse(transitions: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
    """Row pointers, successors and weights."""
    if hasattr(transitions, "tocsr"):
        transitions = transitions.tocsr()
    if hasattr(transitions, "indptr"):
        transitions = transitions.indptr, transitions.indices, transitions.data
    if not isinstance(transitions, tuple) or len(transitions) not in (2, 3):
        raise Error("the transitions are no sparse matrix; expected one, or (indptr, indices, data), or (states, weights)")
    if len(transitions) == 3:
        indptr, indices, data = transitions
        pointers, targets = _whole(indptr, "the row pointers", 1), _whole(indices, "the successors", 1)
        return pointers, targets, _weights(own_array(data, "the weights"), pointers)
    states, weights = _whole(transitions[0], "the successors", 2), own_array(transitions[1], "the weights")
    if weights.shape != states.shape:
        raise Error(f"the weights have the shape {weights.shape}; expected that of the successors, {states.shape}")
    pointers = np.arange(states.shape[0] + 1, dtype=np.int64) * states.shape[1]
    return pointers, states.reshape(-1), _weights(weights.reshape(-1), pointers)


def _whole(numbers: Any, what: str, axes: int) -> NDArray[np.int64]:
    """Integers in C order, in an array of its own."""
    array = own_array(numbers, what)
    if array.size == 0:
        array = array.astype(np.int64)
    is_whole = array.dtype.kind in "iu" and (array.dtype != np.uint64 or not (array > 2**63 - 1).any())
    if not is_whole or array.ndim != axes:
        raise Error(f"{what}: expected integers in {axes} dimensions, but found {array.dtype} of the shape {array.shape}")
    return np.ascontiguousarray(array, np.int64)


def _held(array: NDArray[Any]) -> NDArray[Any] | None:
    """Integers of 64 bits, or doubles; None where Python's numbers are needed."""
    if array.dtype.kind in "iu" and array.dtype != np.uint64 or array.dtype == bool:
        return np.ascontiguousarray(array, np.int64)
    return np.ascontiguousarray(array, np.float64) if array.dtype.kind == "f" else None


def _numbers(numbers: Any, what: str) -> _Numbers:
    """Integers, doubles, or numerators and denominators, in arrays of their own."""
    array = own_array(numbers, what)
    if array.ndim != 1:
        raise Error(f"{what}: expected one dimension, but found the shape {array.shape}")
    if (held := _held(array)) is not None:
        return held
    numerators, denominators = _parts(array, what)
    return _small(numerators, what), _small(denominators, what)


def _weights(weights: NDArray[Any], pointers: NDArray[np.int64] | None) -> NDArray[Any]:
    """Integers or doubles; fractions as integers by row."""
    if weights.ndim != 1:
        raise Error(f"the weights have the shape {weights.shape}; expected one dimension")
    if (held := _held(weights)) is not None:
        return held
    numerators, denominators = _parts(weights, "a weight")
    common: list[int] = []
    ends = [0, len(numerators)] if pointers is None else pointers.tolist()
    for begin, end in zip(ends, ends[1:], strict=False):
        row_denominators = denominators[begin:end]
        denominator = lcm(*row_denominators)
        common += [part * (denominator // of) for part, of in zip(numerators[begin:end], row_denominators, strict=True)]
    return _small(common, "a weight")


def _parts(numbers: NDArray[Any], what: str) -> tuple[list[int], list[int]]:
    """The numerators and denominators of Python's numbers."""
    parts = [
        number if type(number) is Fraction else fraction(number, f"{what} (number {place})")
        for place, number in enumerate(numbers.tolist())
    ]
    return [part.numerator for part in parts], [part.denominator for part in parts]


def _small(numbers: list[int], what: str) -> NDArray[np.int64]:
    try:
        return np.array(numbers, np.int64)
    except OverflowError:
        raise Error(f"{what} has a numerator or a denominator of more than 63 bits") from None
