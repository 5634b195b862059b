"""Policies of solved games in every form, and what they are worth."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native
from pencil_tennis._arrays import array_of
from pencil_tennis._judged import ByState, Judgement, Ranked
from pencil_tennis._native import PolicyError
from pencil_tennis._shares import fraction
from pencil_tennis._tables import table_of
from pencil_tennis.games._arrays import ArrayGame
from pencil_tennis.games._rules import State

if TYPE_CHECKING:
    from pencil_tennis.games._solution import Solution


class _HasArray(Protocol):
    def __array__(self, *arguments: Any, **options: Any) -> NDArray[Any]: ...


class _HasDlpack(Protocol):
    def __dlpack__(self, *arguments: Any, **options: Any) -> Any: ...


PolicyLike: TypeAlias = (
    NDArray[Any] | Sequence[Any] | Mapping[Any, Any] | Callable[..., Any] | _HasArray | _HasDlpack | os.PathLike[str] | str
)
"""A policy, see `Solution.judge`: arrays, tables and their paths, mappings, functions, and pairs of them for both players."""

BATCH = 4096
"""The states that a function is asked about at once."""

_COLUMNS = ("state", "player", "action", "probability")


def judgement_of(
    player: Literal["A", "B"], solution: Solution[State, Any], native: _native.PolicyJudgement
) -> Judgement[State]:
    """The judgement that the native part has made."""

    def find(state: Any) -> int:
        place, exchanged = solution._place(state)
        if exchanged:
            raise KeyError(f"the policy was judged at the state that stands for {state!r} with exchanged players")
        return place

    payoff = ByState(solution, find, native.payoff)
    return Judgement(
        player,
        payoff,
        ByState(solution, find, native.loss),
        ByState(solution, find, native.regret),
        solution._mean(payoff.__getitem__),
        native.rounded,
        Ranked(solution._states, native.worst),
        native.arrays,
    )


class PolicyReader:
    """Makes what the native part judges of the forms in which people have policies."""

    def __init__(self, solution: Solution[Any, Any], *, batched: bool, normalise: bool) -> None:
        self.solution, self.batched, self.normalise = solution, batched, normalise

    def both(self, policy: PolicyLike) -> tuple[Any, Any]:
        """Both players' parts."""
        from pencil_tennis.games._solution import Policy

        if isinstance(policy, Policy):
            return policy.array("A"), policy.array("B")
        if (table := table_of(policy, _COLUMNS)) is not None:
            return self._from_table(table, "A"), self._from_table(table, "B")
        if isinstance(policy, (tuple, list)) and len(policy) == 2:
            return self.part(policy[0], "A"), self.part(policy[1], "B")
        if callable(policy):
            # A function of many states has the legal actions besides.
            a = self.part(of_player(policy, "A", self.batched), "A")
            return a, self.part(of_player(policy, "B", self.batched), "B")
        expected = "expected a pair of them, a Policy, a table, or a function of a state and a player"
        raise TypeError(f"{policy!r:.80} is no policy of both players; {expected}")

    def part(self, policy: PolicyLike, player: Literal["A", "B"]) -> Any:
        """One player's part: an array, or for every state the actions that are chosen with their probabilities."""
        from pencil_tennis.games._solution import Policy

        if isinstance(policy, Policy):
            return policy.array(player)
        if (table := table_of(policy, _COLUMNS)) is not None:
            return self._from_table(table, player)
        if isinstance(policy, Mapping):
            return self._from_mapping(policy, player)
        if isinstance(policy, (np.ndarray, list)) or hasattr(policy, "__array__") or hasattr(policy, "__dlpack__"):
            return _from_array(policy, player)
        if not callable(policy):
            raise TypeError(f"{policy!r:.80} is no policy; expected an array, a table, a mapping of states, or a function of a state")
        return self._in_batches(policy, player) if self.batched else self._asked(policy, player)

    def _in_batches(self, policy: Any, player: str) -> NDArray[np.float64]:
        """The array of a function that is asked about many states at once, in the order of the solution."""
        return asked_in_batches(policy, player, _states_array(self.solution), self.solution._whole.sizes()[:, "AB".index(player)])

    def _from_mapping(self, policy: Mapping[Any, Any], player: str) -> list[list[tuple[int, Fraction]]]:
        for state in policy:
            self.solution._place(state)
        return self._asked(policy.get, player)

    def _asked(self, ask: Callable[[Any], Any], player: str) -> list[list[tuple[int, Fraction]]]:
        """The choices of a function of a state."""
        which, found = "AB".index(player), []
        for place, state in enumerate(self.solution._states):
            actions = self.solution._actions(place)
            names = [] if actions is None else actions[which]
            given = ask(state) if len(names) > 1 else None
            found.append([] if given is None else self._divided(choice(given, names, f"{state!r}", player)))
        return found

    def _divided(self, shares: list[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
        """Probabilities, divided by their sum if that is asked for."""
        return divided_by_sum(shares) if self.normalise else shares

    def _from_table(self, table: dict[str, Sequence[Any]], player: str) -> list[list[tuple[int, Fraction]]]:
        """The choices of a player in a table of states, players, actions and probabilities."""
        which, solution = "AB".index(player), self.solution
        names, known = _Names(solution._states), dict[int, _Names]()
        found: list[dict[Any, Any]] = [{} for _ in range(len(solution))]
        has_rows = False
        for state, who, action, share in zip(*(table[name] for name in _COLUMNS), strict=True):
            if who != player:
                if who not in ("A", "B"):
                    raise PolicyError(f"there is no player {who!r:.80} at {state!r:.80}; expected A or B")
                continue
            has_rows = True
            place = names.find(state)
            actions = solution._actions(place)
            if place not in known:
                known[place] = _Names(() if actions is None else actions[which])
            number = known[place].find(action, f"{player} has no action", f" at {state!r:.80}")
            if number in found[place]:
                raise PolicyError(f"{player}'s action {action!r:.80} is there twice at {state!r:.80}")
            found[place][number] = fraction(share, f"a probability at {state!r:.80}")
        if not has_rows:
            raise PolicyError(f"the table has no row of {player}")
        return [self._divided([*given.items()]) for given in found]


def _from_array(policy: Any, player: str) -> NDArray[np.float64]:
    table = array_of(policy, f"{player}'s policy", PolicyError)
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        found = f"{table.dtype} of the shape {table.shape}"
        raise PolicyError(f"{player}'s policy is an array of {found}; expected numbers of the shape (states, actions)")
    return np.ascontiguousarray(table, np.float64)


def asked_in_batches(
    policy: Any, player: str, places: Any, sizes: NDArray[np.int64], things: str = "states"
) -> NDArray[np.float64]:
    """The array of a function that is asked about many places at once, whose numbers of actions are `sizes`."""
    table = np.zeros((len(sizes), int(sizes.max(initial=0))))
    choices = np.flatnonzero(sizes)
    actions = np.arange(table.shape[1])
    for first in range(0, len(choices), BATCH):
        some = choices[first : first + BATCH]
        asked = places[some] if isinstance(places, np.ndarray) else [places[place] for place in some.tolist()]
        legal = actions < sizes[some, None]
        given = _from_array(policy(asked, legal.copy()), player)
        if given.shape != legal.shape:
            raise PolicyError(f"{player}'s policy gives the shape {given.shape} for {len(some)} {things}; expected {legal.shape}")
        table[some] = given
    return table


class _Names:
    """Numbers of states or actions by what they are, or by their texts, as files have them."""

    def __init__(self, things: Sequence[Any]) -> None:
        self._places = {thing: place for place, thing in enumerate(things)}
        self._texts: dict[str, int] = {}
        for place, thing in enumerate(things):
            for text in {str(thing), repr(thing)}:
                # A text that two things have means neither.
                self._texts[text] = -1 if text in self._texts else place

    def find(self, name: Any, fault: str = "the starts do not reach a state", where: str = "") -> int:
        try:
            place = self._places.get(name, -1)
        except TypeError:
            place = -1
        if place < 0:
            place = self._texts.get(str(name), -1)
        if place < 0:
            raise PolicyError(f"{fault} {name!r:.80}{where}")
        return place


def choice(
    given: Any, names: Sequence[Any], where: str, player: str, words: Sequence[str] = ()
) -> list[tuple[int, Fraction]]:
    """The numbers of actions, known by their names or words, with the probabilities that a policy gives at one place."""
    if not isinstance(given, Mapping):
        given = _in_order(given, names, where, player)
    numbers = {word: number for number, word in enumerate(words)} | {name: number for number, name in enumerate(names)}
    shares = []
    for action, share in islice(given.items(), len(numbers) + 1):
        if action not in numbers:
            raise PolicyError(f"{player} has no action {action!r:.80} at {where}; expected {[*names]!r:.200}")
        shares.append((numbers[action], fraction(share, f"a probability of {player} at {where}")))
    return shares


def _in_order(given: Any, names: Sequence[Any], where: str, player: str) -> dict[Any, Any]:
    """Probabilities in the order of the actions, with their names."""
    expected = "expected a dict of actions with their probabilities, or these in the order of the actions"
    if isinstance(given, (str, bytes)) or not (isinstance(given, (Sequence, np.ndarray)) or hasattr(given, "__array__")):
        raise TypeError(f"{player}'s policy gives {given!r:.80} at {where}; {expected}")
    row = array_of(given, f"{player}'s policy at {where}", PolicyError)
    if row.shape != (len(names),):
        raise PolicyError(f"{player}'s policy gives the shape {row.shape} at {where}; expected ({len(names)},) for {[*names]!r:.200}")
    return dict(zip(names, row.tolist(), strict=True))


def divided_by_sum(shares: list[tuple[int, Fraction]]) -> list[tuple[int, Fraction]]:
    """Probabilities divided by their sum; what is negative or missing is refused with the place."""
    total = sum((share for _, share in shares), Fraction(0))
    return [(action, share / total) for action, share in shares] if total > 0 else shares


def of_player(policy: Any, player: str, batched: bool) -> Callable[..., Any]:
    if batched:
        return lambda states, legal: policy(states, legal, player)
    return lambda state: policy(state, player)


def _states_array(solution: Solution[Any, Any]) -> Any:
    """The states as an array where they are numbers or rows of them, else as a list."""
    game = solution._explored
    return game.table() if isinstance(game, ArrayGame) else solution._states
