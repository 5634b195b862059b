"""Rules of some games, for certificates that name a game by its digest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


class Goofspiel:
    """By sets of cards, in points, with a list of pairs where a prize is drawn; the players may be exchanged."""

    def __init__(self, cards: int = 3) -> None:
        self.all = tuple(range(1, cards + 1))

    def starts(self) -> list[Any]:
        return [(self.all, self.all, self.all, 0)]

    def turn(self, state: Any) -> Any:
        if not state[0]:
            return 0
        return (state[0], state[1]) if state[3] else (["draw"], ["draw"])

    def after(self, state: Any, a: Any, b: Any) -> Any:
        *hands, pile, prize = state
        if not prize:
            return [((*hands, without(pile, card), card), Fraction(1, len(pile))) for card in pile]
        return without(hands[0], a), without(hands[1], b), pile, 0

    def reward(self, state: Any, a: Any, b: Any) -> Any:
        # Of a type whose numbers have 64 bits.
        return state[3] * np.sign(a - b) if state[3] else 0

    def canonical(self, state: Any) -> Any:
        a, b, pile, prize = state
        # Of the hands only the order counts.
        order = {card: place for place, card in enumerate(sorted({*a, *b}))}
        hands = [tuple(order[card] for card in hand) for hand in (a, b)]
        return (min(hands), max(hands), pile, prize), hands[0] > hands[1]


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in cards if other != card)


class Numbered(Goofspiel):
    """As above, with numbers of its own."""

    def index(self, state: Any) -> int:
        a, b, pile, prize = (sum(1 << card for card in part) if isinstance(part, tuple) else part for part in state)
        return ((a * 16 + b) * 16 + pile) * 4 + prize


class Discounted(Goofspiel):
    """An acyclic game that says it has a discount, which it has not."""

    discount = "1/2"


class Snowball:
    """Hide or run, in which play may go on for ever."""

    kind = "recursive"

    def starts(self) -> list[str]:
        return ["hidden"]

    def turn(self, state: str) -> Any:
        return (["hide", "run"], ["wait", "throw"]) if state == "hidden" else {"home": 1, "hit": -1}[state]

    def after(self, state: str, a: str, b: str) -> Any:
        if (a, b) == ("run", "throw"):
            return {"hit": "7/8", "hidden": "1/8"}
        return "hidden" if a == "hide" and b == "wait" else "home"

    def endless(self, state: str) -> str:
        return "-1/3"


class Duel:
    """Both step towards each other or shoot, at a discount; the nearer player shoots better. The players may be exchanged."""

    kind, discount = "discounted", "7/8"

    def starts(self) -> list[Any]:
        return [(0, 0), (1, 0)]

    def turn(self, state: Any) -> Any:
        return (["step", "shoot"], ["step", "shoot"]) if isinstance(state, tuple) else state

    def after(self, state: Any, a: str, b: str) -> Any:
        hits = [Fraction(1 + steps, 5) if shot == "shoot" else Fraction(0) for steps, shot in zip(state, (a, b), strict=True)]
        steps = tuple(min(3, own + (chosen == "step")) for own, chosen in zip(state, (a, b), strict=True))
        one, other = hits
        return {1: one * (1 - other), -1: other * (1 - one), 0: one * other, steps: (1 - one) * (1 - other)}

    def reward(self, state: Any, a: str, b: str) -> Fraction:
        return Fraction((b == "shoot") - (a == "shoot"), 10)

    def canonical(self, state: Any) -> Any:
        return ((max(state), min(state)), state[0] < state[1]) if isinstance(state, tuple) else (abs(state), state < 0)
