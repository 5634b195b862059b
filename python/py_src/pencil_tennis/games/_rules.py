"""Rules in Python, and the states that they are asked about."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._game import whole
from pencil_tennis._native import Error
from pencil_tennis._progress import Progress, counting

Kind: TypeAlias = Literal["acyclic", "discounted", "stopping", "recursive"]
"""How a game comes to an end, or does not; what is said is verified."""

Number: TypeAlias = Any
"""A number that is taken exactly: an int, a Fraction, a Decimal, a float (the double that it is), or a text such as ``"1/3"``."""

_SECONDS_BETWEEN_REPORTS = 0.2

_Kept: TypeAlias = tuple[Any, bool]
"""A canonical state, and whether the players are exchanged there."""
_Place: TypeAlias = tuple[int, bool]
"""The number of a state, and whether the players are exchanged there."""
_Cell: TypeAlias = tuple[Fraction, list[tuple[Fraction, _Place]]]
_NOTHING, _CERTAIN = Fraction(0), Fraction(1)


class Rules(Protocol):
    """A game in Python. States and actions are anything that can be hashed; of actions, `str` tells one from another, too.

    Besides these methods, a game may have ``kind`` ("acyclic" unless it is said) and ``discount``, a method
    ``reward(state, a, b)``, what A receives at once, and in recursive games ``endless(state)``, what A receives if play goes on
    for ever there.

    ``canonical(state)`` gives one of several states that are the same but for names, always the same one, and whether the players
    are exchanged there. States with the same answer are solved once, and have the actions of the one that the solution lists;
    `Solution.check_symmetry` looks for mistakes.
    ``index(state)``, a number of a game's own for every canonical state, counts in digests alone, in place of the order in which
    states are met.

    All of them are pure: asked twice they answer the same.
    """

    def starts(self) -> Iterable[Hashable] | Mapping[Any, Number]:
        """The states where play starts; a dict with probabilities if chance picks one, so that the game is worth their mean."""
        ...

    def turn(self, state: Any) -> tuple[Sequence[Any], Sequence[Any]] | Number:
        """The lists of A's and of B's actions, or at an end what A receives."""
        ...

    def after(self, state: Any, a: Any, b: Any) -> Hashable | Mapping[Any, Number] | list[tuple[Any, Number]]:
        """The state that follows; or a dict of states with probabilities, which sum to exactly 1, or a list of such pairs."""
        ...


class Explored:
    """The states of a game, numbered as they are met; a state is like all those with the same canonical one and sides."""

    def __init__(self, game: Any, most_states: int, progress: Progress) -> None:
        if not all(hasattr(game, method) for method in ("starts", "turn", "after")):
            raise TypeError(f"{game!r:.80} is no game; expected a path, or an object with the methods starts, turn and after")
        self.game, self.most_states, self.progress = game, most_states, progress
        self.kind = getattr(game, "kind", "acyclic")
        self.discount = getattr(game, "discount", None)
        self.has_canonical = hasattr(game, "canonical")
        self.starts: list[Any] = []
        self.chances: dict[Any, Fraction] = {}
        """The starts whose mean is the value of the game, with their probabilities."""
        self.states: list[Any] = []
        """Of each number the canonical state; where the players are exchanged there, the first state that was met."""
        self.actions: list[tuple[list[Any], list[Any]] | None] = []
        """Those of the states that were asked about; none of an end."""
        self._places: dict[_Kept, int] = {}
        # Whether a state stands for those with exchanged players, too: in tables of acyclic games alone, as in the library.
        self._is_table = False

    def find(self, state: Any) -> _Place:
        """The place of any state that is like one that was met, or a KeyError."""
        canonical, exchanged = self.canonical(state)
        for kept, turned in (((canonical, exchanged), False), ((canonical, not exchanged), True), ((state, False), False)):
            if kept in self._places:
                return self._places[kept], turned
        raise KeyError(state)

    def lines(self) -> Iterator[bytes]:
        """The game in the library's format; a line tells of a state that was asked about just now."""
        header: dict[str, Any] = {"format": "stochastic-game", "version": 1, "kind": self.kind}
        if self.discount is not None:
            header["discount"] = str(fraction(self.discount, "the discount"))
        header["start"] = [str(place) for place, _ in self._begin()]
        yield _line(header)
        for place in self._unasked():
            turn = self._turn(place)
            if isinstance(turn, Fraction):
                yield _line({"id": str(place), "value": str(turn)})
                continue
            endless, cells = turn
            a, b = ([str(action) for action in actions] for actions in self.actions[place] or ())
            written = [[_written(cell) for cell in row] for row in cells]
            yield _line({"id": str(place), "a": a, "b": b, "endless": str(endless), "cells": written})

    def table(self) -> _native.RulesTable:
        """The game as rules."""
        self._is_table = True
        if self.discount is not None and self.kind != "discounted":
            raise Error(f"a game of kind {self.kind!r} has the discount {self.discount!r}; expected none")
        discount = _CERTAIN if self.discount is None else fraction(self.discount, "the discount")
        table = _native.RulesTable(self.kind, discount)
        for start in self._begin():
            table.start(*start)
        for place in self._unasked():
            turn = self._turn(place)
            if hasattr(self.game, "index"):
                state = self.states[place]
                table.index(whole(self.game.index(state), f"the index of {state!r}", 0, 2**32))
            if isinstance(turn, Fraction):
                table.end(turn)
            else:
                endless, cells = turn
                a, b = (len(actions) for actions in self.actions[place] or ())
                table.state(a, b, endless, [_weighed(cell, self.states[place]) for row in cells for cell in row])
        return table

    def named(self, message: str) -> str:
        """A message with the state where the lines have its number."""
        message = re.sub(r"^line \d+: ", "", message)
        found = re.search(r"state `(\d+)`", message)
        if not found or int(found[1]) >= len(self.states):
            return message
        return message.replace(found[0], f"state {self.states[int(found[1])]!r}")

    def _begin(self) -> list[_Place]:
        starts = self.game.starts()
        self.starts = list(starts)
        if not self.starts:
            raise Error("there is no start; expected at least one state")
        places = [self._enter(state) for state in self.starts]
        chances = starts if isinstance(starts, Mapping) else {self.starts[0]: 1}
        self.chances = {state: fraction(share, f"the probability of {state!r}") for state, share in chances.items()}
        if sum(self.chances.values()) != 1 or min(self.chances.values()) < 0:
            raise Error(f"the starts have the probabilities {[*map(str, self.chances.values())]}; expected a sum of exactly 1")
        return places

    def _unasked(self) -> Iterator[int]:
        """The numbers of the states, also of those that are met meanwhile."""
        with counting(self.progress, "asking", " states") as tell:
            heard = time.monotonic()
            while len(self.actions) < len(self.states):
                yield len(self.actions)
                if len(self.states) > self.most_states:
                    expected = "expected a larger `most_states`, or a smaller game"
                    raise Error(f"the game has more than {self.most_states} states; {expected}")
                if tell is not None and (now := time.monotonic()) - heard > _SECONDS_BETWEEN_REPORTS:
                    heard = now
                    tell(len(self.actions), len(self.states))
            if tell is not None:
                tell(len(self.actions), len(self.states))

    def _turn(self, place: int) -> Fraction | tuple[Fraction, list[list[_Cell]]]:
        """What an end pays, or what endless play pays, and the cells."""
        game, state = self.game, self.states[place]
        turn = game.turn(state)
        if not isinstance(turn, tuple):
            self.actions.append(None)
            return fraction(turn, f"the value of {state!r}")
        if len(turn) != 2:
            raise Error(f"`turn` gives {turn!r:.200} at {state!r}; expected a pair of lists of actions, or a number")
        a, b = (list(actions) for actions in turn)
        for actions in (a, b):
            try:
                alike = len(set(actions)) < len(actions)
            except TypeError:
                raise Error(f"state {state!r}: {actions!r:.200} are no actions; expected some that can be hashed") from None
            if alike:
                raise Error(f"state {state!r}: two actions are equal: {actions!r:.200}")
        self.actions.append((a, b))
        pays = fraction(game.endless(state), f"what endless play pays at {state!r}") if hasattr(game, "endless") else _NOTHING
        return pays, [[self._cell(state, row, column) for column in b] for row in a]

    def _cell(self, state: Any, a: Any, b: Any) -> _Cell:
        reward, follow = told(self.game, state, a, b)
        return reward, [(share, self._enter(following)) for share, following in follow]

    def canonical(self, state: Any) -> _Kept:
        """The state that it is like, and whether the players are exchanged there."""
        if not self.has_canonical:
            return state, False
        canonical, exchanged = self.game.canonical(state)
        return canonical, bool(exchanged)

    def _enter(self, state: Any) -> _Place:
        canonical, exchanged = self.canonical(state)
        if self._is_table and self.kind == "acyclic":
            return self._number((canonical, False), canonical), exchanged
        if exchanged and self._is_table:
            return self._number((state, False), state), False
        return self._number((canonical, exchanged), state if exchanged else canonical), False

    def _number(self, kept: _Kept, state: Any) -> int:
        try:
            place = self._places.setdefault(kept, len(self.states))
        except TypeError:
            raise TypeError(f"{state!r:.200} is no state; expected something that can be hashed, such as a tuple") from None
        if place == len(self.states):
            self.states.append(state)
        return place


def told(game: Any, state: Any, a: Any, b: Any) -> tuple[Fraction, list[tuple[Fraction, Any]]]:
    """The reward of a pair of actions, and the states that may follow with their probabilities, none of them 0."""
    after = game.after(state, a, b)
    if isinstance(after, Mapping):
        after = [*after.items()]
    follow = [(_CERTAIN, after)]
    if isinstance(after, list):
        shares = [(fraction(share, f"a probability at {state!r}"), following) for following, share in after]
        follow = [(share, following) for share, following in shares if share]
    reward = game.reward(state, a, b) if hasattr(game, "reward") else 0
    return fraction(reward, f"the reward at {state!r}") if reward else _NOTHING, follow


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _written(cell: _Cell) -> dict[str, Any]:
    """A cell as a line has it."""
    reward, to = cell
    written: dict[str, Any] = {"to": [[str(share) if share is not _CERTAIN else "1", str(place)] for share, (place, _) in to]}
    if reward is not _NOTHING:
        written["reward"] = str(reward)
    return written


def _weighed(cell: _Cell, state: Any) -> tuple[list[tuple[int, int, bool]], int, int]:
    """A cell with integer weights, as rules have it."""
    reward, to = cell
    if sum(share for share, _ in to) != 1 or any(share < 0 for share, _ in to):
        raise Error(f"state {state!r}: {[str(share) for share, _ in to]} are no probabilities; expected a sum of exactly 1")
    common = lcm(*(share.denominator for share, _ in to))
    if max(common, abs(reward.numerator), reward.denominator) > 2**62:
        raise Error(f"state {state!r}: a probability or a reward is too fine; expected numerators and denominators up to 2^62")
    return [(int(share * common), *place) for share, place in to], reward.numerator, reward.denominator


def fraction(number: Number, what: str) -> Fraction:
    try:
        if isinstance(number, np.generic):
            number = number.item()
        return Fraction(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise Error(f"{what} is {number!r}; expected a finite number") from None
