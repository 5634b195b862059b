"""Rules in Python, and the states that they are asked about."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from pencil_tennis import _native
from pencil_tennis._game import whole
from pencil_tennis._native import Error
from pencil_tennis._progress import Progress, counting
from pencil_tennis._shares import Number, distribution, fraction

Kind: TypeAlias = Literal["acyclic", "discounted", "stopping", "recursive", "total", "target"]
"""How a game ends, or does not; the library verifies it."""

KINDS = ("acyclic", "discounted", "stopping", "recursive", "total", "target")

MEMORY_LIMIT = 8 << 30
"""The bytes that a game may take unless another limit is given."""

MOST_STATES = 10_000_000

State = TypeVar("State")
Action = TypeVar("Action")


class Rules(Protocol[State, Action]):
    """A game in Python. States and actions are hashable; actions also differ in their `str`.

    Besides these methods, a game may have ``kind`` (by default "acyclic") and ``discount``, a method
    ``reward(state, a, b)``, A's immediate reward, and in recursive games ``endless(state)``, A's payoff of infinite plays
    there.

    ``canonical(state)`` gives one of several states that are the same but for names, always the same one, and whether the players
    are exchanged there. States with the same answer are solved once, and have the actions of the one that the solution lists. In
    acyclic games that one also stands for states with exchanged players, whose values have the other sign;
    `Solution.unmerged` has both. `solve` tries up to a hundred states for mistakes then, `Solution.check_symmetry` more.
    ``index(state)``, a number of a game's own for every canonical state, counts in digests alone, in place of the order in which
    states are met.

    All methods are pure: equal arguments give equal results.
    """

    def starts(self) -> Iterable[State]:
        """The states where play starts; a dict with probabilities if chance picks one, so that the game is worth their mean."""
        ...

    def turn(self, state: State) -> tuple[Sequence[Action], Sequence[Action]] | Number:
        """The lists of A's and of B's actions, or at an end the payoff to A."""
        ...

    def after(self, state: State, a: Action, b: Action) -> Hashable | Mapping[Any, Number] | list[tuple[Any, Number]]:
        """The state that follows; or a dict of states with probabilities, or a list of such pairs.

        Probabilities sum to exactly 1, as fractions and texts can. Integers are weights, and so are floats that sum to 1 within
        1e-9: they are divided by their sum. `Solution.normalised` counts the latter, ``solve(game, exact=True)`` refuses them.
        """
        ...


Exchange: TypeAlias = Literal["merged", "apart", "ignored", "refused"]
"""What becomes of a state that ``canonical`` gives with exchanged players: it is merged with the canonical one, numbered apart, taken
as canonical itself, or not taken."""


class Explored:
    """The states of a game, numbered as they are found; states with equal canonical forms and sides are one."""

    def __init__(self, game: Any, most_states: int, progress: Progress, exact: bool = False) -> None:
        if not all(hasattr(game, method) for method in ("starts", "turn", "after")):
            raise TypeError(f"{game!r:.80} is no game; {_door(game)}")
        if isinstance(game, type):
            raise TypeError(f"{game.__name__} is a class; expected an object of it, such as {game.__name__}()")
        check_hooks(game)
        self.game, self.most_states, self.progress = game, whole(most_states, "most_states", 1), progress
        self.exact = exact
        self.normalised = 0
        """The cells and lists of starts whose floats were divided by their sum."""
        self.kind = as_kind(getattr(game, "kind", "acyclic"))
        self.discount = getattr(game, "discount", None)
        self.starts: list[Any] = []
        self.chances: list[tuple[Any, Fraction]] = []
        """The starts whose mean is the value of the game, with their probabilities."""
        self._explore("apart")

    def _explore(self, exchange: Exchange) -> None:
        """Begins anew."""
        discount = None if self.discount is None else fraction(self.discount, "the discount")
        explorer = _native.Explorer(self.game, self.most_states, exchange, discount, self.exact)
        self.exchange = exchange
        self._explorer: _native.Explorer | None = explorer
        self.canonical: Callable[[Any], tuple[Any, bool]] = explorer.canonical
        self.outcome = explorer.outcome
        self.states: list[Any] = explorer.states
        """Of each number the canonical state; where the players are exchanged there, the first state that was found."""
        self.actions: list[tuple[list[Any], list[Any]] | None] = explorer.actions
        """Those of the states that were asked about; none of an end."""
        self._places = explorer.numbers

    def find(self, state: object) -> tuple[int, bool]:
        """The number of any state that is like one that was found, and whether the players are exchanged; or a KeyError."""
        canonical, exchanged = self.canonical(state)
        alike, turned_round = self._places
        if exchanged:
            alike, turned_round = turned_round, alike
        for numbers, key, turned in ((alike, canonical, False), (turned_round, canonical, True), (self._places[0], state, False)):
            if key in numbers:
                return numbers[key], turned
        raise KeyError(state)

    def merged(self, memory_limit: int) -> _native.StochasticGame | _native.RulesTable:
        """The game in the library's memory, as a table where a state stands for the one with exchanged players."""
        if self.kind != "acyclic" or self.discount is not None or not hasattr(self.game, "canonical"):
            return self.native(memory_limit)
        self._explore("refused")
        try:
            return self.native(memory_limit)
        except Error:
            if self._explorer is None or not self._explorer.is_stopped:
                raise
        return self.table(memory_limit)

    def native(self, memory_limit: int) -> _native.StochasticGame:
        """The game in the library's memory."""
        discount = None if self.discount is None else fraction(self.discount, "the discount")
        explorer, starts = self._begin()
        with counting(self.progress, "asking", " states") as tell:
            game = explorer.game(self.kind, discount, [number for number, _ in starts], memory_limit, tell)
        # A game of OpenSpiel counts its own.
        counted = getattr(self.game, "normalised", 0)
        if isinstance(counted, int) and counted and self.exact:
            raise Error(f"floats of {counted} nodes of chance were divided by their sum, which exact=True refuses")
        self.normalised += explorer.normalised + (counted if isinstance(counted, int) else 0)
        return game

    def table(self, memory_limit: int) -> _native.RulesTable:
        """The game as rules."""
        if self.discount is not None and self.kind != "discounted":
            raise Error(f"a game of kind {self.kind!r} has the discount {self.discount!r}; expected none")
        discount = Fraction(1) if self.discount is None else fraction(self.discount, "the discount")
        # A state stands for those with exchanged players in acyclic games alone, as in the library.
        self._explore("merged" if self.kind == "acyclic" else "ignored")
        explorer, starts = self._begin()
        with counting(self.progress, "asking", " states") as tell:
            table = explorer.table(self.kind, discount, starts, memory_limit, tell)
        self.normalised += explorer.normalised
        return table

    def named(self, message: str) -> str:
        """A message with the state where the library has its number."""
        found = re.search(r"state `(\d+)`", message)
        if not found or int(found[1]) >= len(self.states):
            return message
        return message.replace(found[0], f"state {self.states[int(found[1])]!r}")

    def _begin(self) -> tuple[_native.Explorer, list[tuple[int, bool]]]:
        explorer = self._explorer
        assert explorer is not None
        self.starts, self.chances, is_normalised = as_starts(self.game.starts(), self.most_states, exact=self.exact)
        self.normalised = int(is_normalised)
        return explorer, [explorer.enter(state) for state in self.starts]

    def __getstate__(self) -> dict[str, Any]:
        states = {name: value for name, value in self.__dict__.items() if name not in ("_explorer", "canonical", "outcome")}
        return states | {"progress": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        discount = None if self.discount is None else fraction(self.discount, "the discount")
        explorer = _native.Explorer(self.game, self.most_states, self.exchange, discount, self.exact)
        self._explorer, self.canonical, self.outcome = None, explorer.canonical, explorer.outcome


def _door(game: object) -> str:
    """What helps somebody who hands over something else."""
    if hasattr(game, "new_initial_state"):
        return "expected games.from_open_spiel(game) for a game of OpenSpiel"
    if isinstance(game, (list, tuple, np.ndarray)):
        return "expected pencil_tennis.matrix_game.solve for a matrix, games.from_arrays for a game as arrays"
    missing = [method for method in ("starts", "turn", "after") if not hasattr(game, method)]
    found = f"; {', '.join(missing)} is missing" if len(missing) < 3 else ""
    return f"expected a path, or an object with the methods starts, turn and after{found}"


def as_kind(kind: object) -> Kind:
    if kind not in KINDS:
        raise Error(f"the kind is {kind!r:.80}, but there is no kind of game like that; expected one of {', '.join(KINDS)}")
    return kind  # type: ignore[return-value]


HOOKS = ("canonical", "discount", "endless", "endless_many", "index", "kind", "reward")
"""What a game may have besides what it needs."""


def check_hooks(game: Any) -> None:
    """Refuses a method whose name is nearly that of one that counts: it would be passed over."""
    known = {*HOOKS, "starts", "turn", "after", "turn_many", "after_many"}
    for name in dir(type(game)):
        if name not in known and not name.startswith("_") and callable(getattr(type(game), name, None)):
            for meant in get_close_matches(name, HOOKS, 1, 0.85):
                if not hasattr(game, meant):
                    raise Error(f"{game!r:.80} has a method `{name}`, which means nothing here; expected `{meant}`, or another name")
    if hasattr(game, "reward") and not callable(game.reward):
        raise Error(f"{game!r:.80} has the reward {game.reward!r:.80}; expected a method reward(state, a, b)")


def as_starts(
    starts: Any, most: int, expected: str = "a larger `most_states`, or a smaller game", *, exact: bool = False
) -> tuple[list[Any], list[tuple[Any, Fraction]], bool]:
    """The starts, those whose mean is the value with their probabilities, and whether these were divided by their sum."""
    try:
        if isinstance(starts, (str, bytes)):
            raise TypeError
        found = list(islice(starts, most + 1))
    except TypeError:
        raise Error(f"the starts are {starts!r:.200}; expected a list of states, or a dict with their probabilities") from None
    if not found:
        raise Error("there is no start; expected at least one state")
    if len(found) > most:
        raise Error(f"there are more than {most} starts; expected {expected}")
    if not isinstance(starts, Mapping):
        return found, [(found[0], Fraction(1))], False
    shares, is_normalised = distribution({start: starts[start] for start in found}, "the probabilities of the starts", exact=exact)
    return found, [*zip(found, shares, strict=True)], is_normalised
