"""Any two-player zero-sum game with simultaneous moves, solved with proved bounds; games of OpenSpiel among them.

>>> from pencil_tennis import games
>>> class Pennies:
...     '''Matching pennies for some rounds: A wins if both showed the same side more often than not.'''
...     def starts(self):
...         return [(3, 0)]
...     def turn(self, state):
...         rounds, lead = state
...         return (("heads", "tails"), ("heads", "tails")) if rounds else (lead > 0) - (lead < 0)
...     def after(self, state, a, b):
...         rounds, lead = state
...         return (rounds - 1, lead + (1 if a == b else -1))
>>> solution = games.solve(Pennies())
>>> solution[3, 0], solution[2, 1]
(0.0 (exactly 0), 0.5 (exactly 1/2))
>>> solution.strategies((2, 1))[0]
{'heads': 0.5, 'tails': 0.5}

A chooses rows and maximises, B chooses columns and minimises; payoffs are what A wins. docs/games.md of the project says what
kinds of games there are, and what is proved.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._native import Error
from pencil_tennis._progress import Progress, listening

__all__ = ["Judgement", "Kind", "OpenSpielGame", "Rules", "Solution", "from_open_spiel", "nash_conv", "solve"]

Kind: TypeAlias = Literal["acyclic", "discounted", "stopping", "recursive"]
"""How a game comes to an end, or does not; what is said is verified."""

Number: TypeAlias = Any
"""A number that is taken exactly: an int, a Fraction, a Decimal, a float (the double that it is), or a text such as ``"1/3"``."""

_MOST_STATES = 10_000_000
_SECONDS_BETWEEN_REPORTS = 0.2


class Rules(Protocol):
    """A game in Python. States are anything that can be hashed, actions anything that `str` tells apart.

    Besides these methods, a game may have ``kind`` ("acyclic" unless it is said) and ``discount``, a method
    ``reward(state, a, b)``, what A receives at once, and in recursive games ``endless(state)``, what A receives if play goes on
    for ever there. All of them are pure: asked twice they answer the same.
    """

    def starts(self) -> Iterable[Hashable]:
        """The states where play starts."""
        ...

    def turn(self, state: Any) -> tuple[Sequence[Any], Sequence[Any]] | Number:
        """The lists of A's and of B's actions, or at an end what A receives."""
        ...

    def after(self, state: Any, a: Any, b: Any) -> Hashable | Mapping[Any, Number]:
        """The state that follows, or a dict of states with their probabilities, which sum to exactly 1."""
        ...


class Solution(Mapping[Any, Enclosure]):
    """A solved game: a mapping of its states to their values, floats with proved bounds. Made by `solve`."""

    def __init__(self, native: _native.StochasticSolution, states: list[Any], actions: Callable[[int], Any]) -> None:
        self._native = native
        self._states = states
        self._places = {state: place for place, state in enumerate(states)}
        self._actions = actions

    def __getitem__(self, state: Any) -> Enclosure:
        return self._native.value(self._place(state))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        return f"<a solved {self.kind} game of {len(self)} states>"

    @property
    def kind(self) -> str:
        """The kind of the game, verified."""
        return self._native.kind

    @property
    def starts(self) -> list[Any]:
        """The states where play starts."""
        return [self._states[place] for place in self._native.starts()]

    @property
    def value(self) -> Enclosure:
        """The value of the first start."""
        return self[self.starts[0]]

    @property
    def widest(self) -> Fraction:
        """The largest distance of the bounds of any value."""
        return max(value.width for value in self.values())

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Values, lower and upper bounds, rounded outward, in the order of iteration."""
        values, lower, upper = self._native.arrays()
        return values, lower, upper

    def strategies(self, state: Any) -> tuple[dict[Any, float], dict[Any, float]]:
        """A's and B's strategy at a state: the actions that are chosen, with their probabilities. Empty at an end."""
        place = self._place(state)
        if self._native.actions(place) is None:
            return {}, {}
        names = self._actions(place)
        found = zip(names, self._native.strategies(place), strict=True)
        a, b = ({actions[action]: share for action, share in own} for actions, own in found)
        return a, b

    def exact(self, bits: int = 4096, *, progress: Progress = None) -> dict[Any, Fraction]:
        """The values that are known as fractions, with denominators of up to ``bits`` bits: where play cannot return."""
        with listening(progress, "proving") as callback:
            values = self._native.exact(bits, callback)
        return {state: value for state, value in zip(self._states, values, strict=True) if value is not None}

    def judge(self, player: Literal["A", "B"], policy: Any, *, progress: Progress = None) -> Judgement:
        """Judges a player's policy against the best response from every state, within proved bounds.

        Parameters
        ----------
        player
            "A" or "B".
        policy
            A function of a state, or a mapping of states, that gives a dict of actions with their probabilities. Where there is
            a single action nothing need be said.
        """
        which = "AB".index(player)
        ask = policy.get if isinstance(policy, Mapping) else policy
        probabilities: list[list[tuple[int, Fraction]]] = []
        for place, state in enumerate(self._states):
            own: list[tuple[int, Fraction]] = []
            if self._native.actions(place) is not None:
                names = self._actions(place)[which]
                numbers = {name: number for number, name in enumerate(names)}
                given = ask(state) if len(names) > 1 else None
                for action, share in (given or {}).items():
                    if action not in numbers:
                        raise Error(f"{player} has no action {action!r} at {state!r}")
                    own.append((numbers[action], _fraction(share, f"a probability at {state!r}")))
            probabilities.append(own)
        with listening(progress, "judging") as callback:
            worth, regrets = self._native.judge(player, probabilities, callback)
        by_state = dict(zip(self._states, worth, strict=True))
        return Judgement(by_state, dict(zip(self._states, regrets.tolist(), strict=True)), self.starts[0])

    def certificate(self) -> bytes:
        """The certificate, which `pencil-tennis verify` and docs/check_game_proof.py check; states are numbers there."""
        return bytes(self._native.certificate())

    def _place(self, state: Any) -> int:
        try:
            return self._places[state]
        except (KeyError, TypeError):
            raise KeyError(f"the starts do not reach a state {state!r}") from None


class Judgement:
    """What one player's policy is worth against a best response."""

    def __init__(self, worth: dict[Any, Enclosure], regret: dict[Any, float], start: Any) -> None:
        self.worth = worth
        """What A wins from each state on."""
        self.regret = regret
        """What the choice at each state gives away at most, if all goes on optimally."""
        self.value = worth[start]
        """What A wins at the first start."""


def nash_conv(solution: Solution, policy: Any) -> Enclosure:
    """What both best responses gain together at the first start, when both players play a policy; OpenSpiel's NashConv.

    The policy is a function of a state and a player ("A" or "B").
    """
    a, b = (solution.judge(player, lambda state, player=player: policy(state, player)).value for player in ("A", "B"))
    return Enclosure(max(0.0, float(b) - float(a)), max(Fraction(0), b.lower - a.upper), b.upper - a.lower)


def solve(
    game: Any, *, threads: int | None = None, most_states: int = _MOST_STATES, progress: Progress = None
) -> Solution:
    """Solves a game: an object as `Rules` describes it, or a file of JSON Lines by its path.

    An object is asked about every pair of actions of every state once; Python answers some 100,000 times a second.

    Parameters
    ----------
    game
        The object, or the path.
    threads
        The number of threads; as many as there are processors unless given. The result is the same for any number.
    most_states
        A game with more states is refused as soon as that is known.
    progress
        True for a bar, or a function that is called with the share of the work that is done; while states are explored, with 0.

    Raises
    ------
    Error
        With the state, for rules that contradict themselves and for what the library refuses.
    """
    if isinstance(game, (str, os.PathLike)):
        text = Path(game).read_bytes()
        with listening(progress, "solving") as callback:
            native = _native.solve_stochastic_game(text, threads, callback)
        return Solution(native, native.names(), native.actions)
    with listening(progress, "solving") as callback:
        explored = _Explored(game, most_states, callback)
        try:
            native = _native.solve_stochastic_game(explored.text(), threads, callback)
        except Error as error:
            raise Error(explored.named(str(error))) from None
    return Solution(native, explored.states, explored.actions.__getitem__)


class _Explored:
    """The states of a game, numbered as they are met, and their lines."""

    def __init__(self, game: Any, most_states: int, callback: Callable[[float], object] | None) -> None:
        self.game = game
        self.states: list[Any] = list(dict.fromkeys(game.starts()))
        self.places: dict[Any, int] = {state: place for place, state in enumerate(self.states)}
        self.starts = len(self.states)
        self.actions: list[Any] = []
        self.lines: list[str] = []
        if not self.states:
            raise Error("there is no start; expected at least one state")
        heard = time.monotonic()
        while len(self.lines) < len(self.states):
            self.lines.append(self._line(len(self.lines)))
            if len(self.states) > most_states:
                raise Error(f"the game has more than {most_states} states; expected a larger `most_states`, or a smaller game")
            if callback is not None and time.monotonic() - heard > _SECONDS_BETWEEN_REPORTS:
                heard = time.monotonic()
                callback(0.0)

    def _line(self, place: int) -> str:
        game, state = self.game, self.states[place]
        turn = game.turn(state)
        if not isinstance(turn, tuple):
            self.actions.append(None)
            return json.dumps({"id": str(place), "value": str(_fraction(turn, f"the value of {state!r}"))})
        a, b = (list(actions) for actions in turn)
        self.actions.append((a, b))
        names = [[str(action) for action in actions] for actions in (a, b)]
        cells = [[self._cell(state, row, column) for column in b] for row in a]
        line: dict[str, Any] = {"id": str(place), "a": names[0], "b": names[1], "cells": cells}
        if hasattr(game, "endless"):
            line["endless"] = str(_fraction(game.endless(state), f"what endless play pays at {state!r}"))
        return json.dumps(line)

    def _cell(self, state: Any, a: Any, b: Any) -> dict[str, Any]:
        after = self.game.after(state, a, b)
        if isinstance(after, Mapping):
            shares = {follows: _fraction(share, f"a probability at {state!r}") for follows, share in after.items()}
            to = [[str(share), self._enter(follows)] for follows, share in shares.items()]
        else:
            to = [["1", self._enter(after)]]
        cell: dict[str, Any] = {"to": to}
        if hasattr(self.game, "reward") and (reward := self.game.reward(state, a, b)):
            cell["reward"] = str(_fraction(reward, f"the reward at {state!r}"))
        return cell

    def _enter(self, state: Any) -> str:
        place = self.places.setdefault(state, len(self.states))
        if place == len(self.states):
            self.states.append(state)
        return str(place)

    def text(self) -> bytes:
        """The game in the library's format."""
        header: dict[str, Any] = {"format": "stochastic-game", "version": 1, "kind": getattr(self.game, "kind", "acyclic")}
        if (discount := getattr(self.game, "discount", None)) is not None:
            header["discount"] = str(_fraction(discount, "the discount"))
        header["start"] = [str(place) for place in range(self.starts)]
        return "\n".join([json.dumps(header), *self.lines]).encode()

    def named(self, message: str) -> str:
        """A message with the state where the text has its number."""
        for place, state in enumerate(self.states):
            if f"state `{place}`" in message:
                return message.replace(f"state `{place}`", f"state {state!r}")
        return message


def _fraction(number: Number, what: str) -> Fraction:
    try:
        if isinstance(number, np.generic):
            number = number.item()
        return Fraction(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise Error(f"{what} is {number!r}; expected a finite number") from None


class OpenSpielGame:
    """A game of OpenSpiel as `Rules`. Made by `from_open_spiel`; states are what ``key`` makes of them."""

    def __init__(self, game: Any, key: Callable[[Any], Hashable], kind: Kind, discount: Number, endless: Number) -> None:
        self.game, self.key, self.kind = game, key, kind
        if kind == "discounted":
            self.discount = discount
        if kind == "recursive":
            self.endless = lambda state: endless
        information = game.get_type()
        if game.num_players() != 2 or str(information.utility).rpartition(".")[2] != "ZERO_SUM":
            raise Error(f"{game} is no zero-sum game of two players")
        self._on_the_way = str(information.reward_model).rpartition(".")[2] == "REWARDS"
        self._met: dict[Hashable, Any] = {}
        self._turns: dict[Hashable, Any] = {}
        self._cells: dict[Any, tuple[dict[Hashable, Fraction], Fraction]] = {}
        self._begin = self._outcomes(game.new_initial_state())

    def starts(self) -> list[Hashable]:
        """The first states, more than one where chance moves first."""
        return list(self._begin[0])

    def turn(self, state: Hashable) -> Any:
        """The actions by OpenSpiel's numbers, or the payoff of the first player."""
        return self._turns[state]

    def after(self, state: Hashable, a: int, b: int) -> dict[Hashable, Fraction]:
        """The states that follow; chance is played out, so that no state is one of chance."""
        return self._cell(state, a, b)[0]

    def reward(self, state: Hashable, a: int, b: int) -> Fraction:
        """The mean of what the first player receives on the way, in games that pay so."""
        return self._cell(state, a, b)[1]

    def policy(self, policy: Any) -> Callable[[Hashable, Literal["A", "B"]], dict[int, float]]:
        """A policy of OpenSpiel for this game, as `nash_conv` takes it, after the game was solved.

        `Solution.judge` takes one player's part of it, ``lambda state: policy(state, "A")``. OpenSpiel is asked about the first
        state that was met of those with the same key.
        """

        def part(state: Hashable, player: Literal["A", "B"]) -> dict[int, float]:
            probabilities: dict[int, float] = policy.action_probabilities(self._met[state], "AB".index(player))
            return probabilities

        return part

    def _cell(self, state: Hashable, a: int, b: int) -> tuple[dict[Hashable, Fraction], Fraction]:
        if (state, a, b) not in self._cells:
            child = self._met[state].clone()
            if child.is_simultaneous_node():
                child.apply_actions([a, b])
            else:
                child.apply_action(a if child.current_player() == 0 else b)
            self._cells.clear()
            self._cells[state, a, b] = self._outcomes(child)
        return self._cells[state, a, b]

    def _outcomes(self, state: Any) -> tuple[dict[Hashable, Fraction], Fraction]:
        """The states that follow without a choice, by their keys, and the mean reward until then."""
        reward = Fraction(state.rewards()[0]) if self._on_the_way else Fraction(0)
        if not state.is_chance_node():
            return {self._enter(state): Fraction(1)}, reward
        shares = _shares(state.chance_outcomes())
        follow: dict[Hashable, Fraction] = {}
        for action, share in shares:
            child = state.clone()
            child.apply_action(action)
            keys, later = self._outcomes(child)
            reward += share * later
            for key, part in keys.items():
                follow[key] = follow.get(key, Fraction(0)) + share * part
        return follow, reward

    def _enter(self, state: Any) -> Hashable:
        if state.is_terminal():
            turn: Any = Fraction(0) if self._on_the_way else Fraction(state.returns()[0])
        elif state.is_simultaneous_node():
            turn = tuple(state.legal_actions(0)), tuple(state.legal_actions(1))
        else:
            own = tuple(state.legal_actions())
            turn = (own, (0,)) if state.current_player() == 0 else ((0,), own)
        key = ("over", turn) if state.is_terminal() else self.key(state)
        if self._turns.setdefault(key, turn) != turn:
            raise Error(f"`key` takes two states for one whose legal actions differ, {key!r:.200}; expected one that tells more")
        if key not in self._met:
            self._met[key] = None if state.is_terminal() else state.clone()
        return key


def _shares(outcomes: list[tuple[int, float]]) -> list[tuple[int, Fraction]]:
    """Probabilities as the simple fractions that the doubles stand for."""
    shares = [(action, Fraction(share).limit_denominator(1_000_000)) for action, share in outcomes]
    missed = max(abs(simple - given) for (_, simple), (_, given) in zip(shares, outcomes, strict=True))
    if missed > 1e-12 or sum(share for _, share in shares) != 1:
        raise Error(f"the probabilities {outcomes!r:.200} stand for no fractions with denominators up to a million")
    return shares


def from_open_spiel(
    game: Any,
    key: Callable[[Any], Hashable] = str,
    *,
    kind: Kind = "acyclic",
    discount: Number = "9/10",
    endless: Number = 0,
) -> OpenSpielGame:
    """A zero-sum game of OpenSpiel with perfect information, but for simultaneous moves, to be given to `solve`.

    Parameters
    ----------
    game
        The game, as ``pyspiel.load_game`` gives it.
    key
        What tells states apart: states with the same key are one. `str` leaves out how many turns are left in games with a
        horizon, and keeps the order in which cards were played; a key of one's own can do better. States whose legal actions
        differ and whose keys do not are refused. It is not asked about states of chance, whose texts leave out the actions that
        are pending: chance is played out at once.
    kind
        "acyclic"; "discounted" or "recursive" where states with the same key can come back.
    discount
        Of a discounted game.
    endless
        What the first player receives if play of a recursive game never ends.

    Notes
    -----
    Payoffs are OpenSpiel's: with ``returns_type=point_difference``, Goofspiel pays half of the difference of the points.
    OpenSpiel answers some tens of thousands of joint actions a second: ``progress=True`` shows that it lives.

    """
    return OpenSpielGame(game, key, kind, discount, endless)
