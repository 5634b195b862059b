"""Ten families of games with simultaneous moves, unrelated to each other, as rules of `pencil_tennis.games`."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

Cards: TypeAlias = tuple[int, ...]
Square: TypeAlias = tuple[int, int]
"""The row and the column of a square."""
Field: TypeAlias = tuple[int, int, int, int, str]
"""The places of A and B in soccer, and who has the ball."""
Arena: TypeAlias = tuple[Square, Square, frozenset[Square]]
"""The places of both riders, and the walls."""

class Goofspiel:
    """Cards from 1 on for prizes from 1 on, which are drawn one after the other; the higher card wins the prize's points."""

    def __init__(self, cards: int, prizes: int) -> None:
        self.cards, self.prizes = tuple(range(1, cards + 1)), tuple(range(1, prizes + 1))

    def starts(self) -> Any:
        share = Fraction(1, len(self.prizes))
        return {(self.cards, self.cards, _without(self.prizes, prize), prize): share for prize in self.prizes}

    def turn(self, state: tuple[Cards, Cards, Cards, int]) -> Any:
        return state[:2] if state[3] else 0

    def after(self, state: tuple[Cards, Cards, Cards, int], a: int, b: int) -> Any:
        cards_a, cards_b, pile, _ = state
        left = _without(cards_a, a), _without(cards_b, b)
        return {(*left, _without(pile, prize), prize): Fraction(1, len(pile)) for prize in pile} or (*left, pile, 0)

    def reward(self, state: tuple[Cards, Cards, Cards, int], a: int, b: int) -> int:
        return int(state[3]) * _sign(a - b)


class Blotto:
    """Hills are fought for one after the other, worth 1, 2, 3, ...; soldiers who were sent do not come back."""

    def __init__(self, hills: int, soldiers: int) -> None:
        self.start = hills, soldiers, soldiers - 1

    def starts(self) -> Any:
        return [self.start]

    def turn(self, state: tuple[int, int, int]) -> Any:
        hills, soldiers_a, soldiers_b = state
        # All remaining soldiers fight at the last hill.
        return ([soldiers_a], [soldiers_b]) if hills == 1 else (range(soldiers_a + 1), range(soldiers_b + 1)) if hills else 0

    def after(self, state: tuple[int, int, int], a: int, b: int) -> Any:
        hills, soldiers_a, soldiers_b = state
        return hills - 1, soldiers_a - a, soldiers_b - b

    def reward(self, state: tuple[int, int, int], a: int, b: int) -> int:
        return int(state[0]) * _sign(a - b)


class Pursuit:
    """A hunter, who also moves diagonally, and a runner on a square, at the same time; A, who hunts, wins 1, less the later."""

    kind, discount = "discounted", Fraction(9, 10)

    def __init__(self, side: int) -> None:
        self.side = side

    def starts(self) -> Any:
        return [(0, 0, self.side - 1, self.side - 1)]

    def turn(self, state: tuple[int, int, int, int]) -> Any:
        return 1 if state[:2] == state[2:] else (_moves(state[:2], self.side, 2), _moves(state[2:], self.side, 1))

    def after(self, state: tuple[int, int, int, int], a: Square, b: Square) -> Any:
        return (state[0] + a[0], state[1] + a[1], state[2] + b[0], state[3] + b[1])


class Soccer:
    """Littman's soccer: two players on a field four long; whoever runs into the other gives it the ball."""

    kind, discount = "discounted", Fraction(9, 10)
    steps = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1), "stand": (0, 0)}

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def starts(self) -> Any:
        middle = (self.rows - 1) // 2
        return [(middle, 2, self.rows // 2, 1, ball) for ball in "BA"]

    def turn(self, state: Field | tuple[int]) -> Any:
        return (tuple(self.steps), tuple(self.steps)) if len(state) == 5 else state[0]

    def after(self, state: Field, a: str, b: str) -> Any:
        follow: dict[Any, Fraction] = {}
        for first in "AB":
            end = self._played(state, a, b, first)
            follow[end] = follow.get(end, Fraction(0)) + Fraction(1, 2)
        return follow

    def _played(self, state: Field, a: str, b: str, first: str) -> Field | tuple[int]:
        places: dict[str, Square] = {"A": state[:2], "B": state[2:4]}
        ball = state[4]
        for player in (first, "B" if first == "A" else "A"):
            other = "B" if player == "A" else "A"
            step = self.steps[a if player == "A" else b]
            to = places[player][0] + step[0], places[player][1] + step[1]
            if ball == player and to[1] in (-1, 4):
                # A plays toward the left.
                return (1,) if to[1] == -1 else (-1,)
            if not (0 <= to[0] < self.rows and 0 <= to[1] < 4):
                continue
            if to == places[other]:
                ball = other
            else:
                places[player] = to
        return (*places["A"], *places["B"], ball)


class Inspections:
    """Dresher's inspections: A may inspect some of the days, B may break the rule on some; caught or not, at most once a day."""

    def __init__(self, days: int) -> None:
        self.start = days, days // 2, days // 2 + 1

    def starts(self) -> Any:
        return [self.start]

    def turn(self, state: tuple[int, int, int]) -> Any:
        days, inspections, violations = state
        if not days or not violations:
            return 0
        return ("wait", "inspect")[: 1 + (inspections > 0)], ("obey", "violate")

    def after(self, state: tuple[int, int, int], a: str, b: str) -> Any:
        days, inspections, violations = state
        caught = a == "inspect" and b == "violate"
        return days - 1, inspections - (a == "inspect"), 0 if caught else violations - (b == "violate")

    def reward(self, state: tuple[int, int, int], a: str, b: str) -> int:
        return 0 if b == "obey" else 2 if a == "inspect" else -1


class Row:
    """Tic-tac-toe by bids on a single row: both pay their bids, the higher one takes a cell; two in a row win."""

    def __init__(self, cells: int, chips: int) -> None:
        self.start = "." * cells, chips + 1, chips

    def starts(self) -> Any:
        return [self.start]

    def turn(self, state: tuple[str, int, int]) -> Any:
        board, chips_a, chips_b = state
        for player, value in (("X", 1), ("O", -1)):
            if player * 2 in board:
                return value
        if "." not in board or chips_a == chips_b == 0:
            return 0
        free = [place for place, cell in enumerate(board) if cell == "."]
        return tuple(tuple(product(range(min(chips, 1), chips + 1), free)) for chips in (chips_a, chips_b))

    def after(self, state: tuple[str, int, int], a: tuple[int, int], b: tuple[int, int]) -> Any:
        board, chips_a, chips_b = state
        if a[0] != b[0]:
            place, mark = (a[1], "X") if a[0] > b[0] else (b[1], "O")
            board = board[:place] + mark + board[place + 1 :]
        return board, chips_a - a[0], chips_b - b[0]


class Tron:
    """Two riders leave walls behind them; whoever cannot go on loses, and a collision is half a win of A, the heavier one."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.start = (0, 0), (rows - 1, columns - 1), frozenset({(0, 0), (rows - 1, columns - 1)})

    def starts(self) -> Any:
        return [self.start]

    def turn(self, state: Arena | tuple[int | Fraction]) -> Any:
        if len(state) == 1:
            return state[0]
        free_a, free_b = (self._free(place, state[2]) for place in state[:2])
        return (free_a, free_b) if free_a and free_b else bool(free_a) - bool(free_b)

    def after(self, state: Arena, a: Square, b: Square) -> Any:
        return (Fraction(1, 2),) if a == b else (a, b, state[2] | {a, b})

    def _free(self, place: Square, walls: frozenset[Square]) -> tuple[Square, ...]:
        beside = [(place[0] + i, place[1] + j) for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        return tuple(to for to in beside if 0 <= to[0] < self.rows and 0 <= to[1] < self.columns and to not in walls)


class OshiZumo:
    """Two wrestlers bid coins to push each other off a field of five; A has a coin more."""

    def __init__(self, coins: int) -> None:
        self.start = coins + 1, coins, 0

    def starts(self) -> Any:
        return [self.start]

    def turn(self, state: tuple[int, int, int]) -> Any:
        coins_a, coins_b, place = state
        if abs(place) > 2 or coins_a == coins_b == 0:
            return _sign(place)
        return range(min(coins_a, 1), coins_a + 1), range(min(coins_b, 1), coins_b + 1)

    def after(self, state: tuple[int, int, int], a: int, b: int) -> Any:
        coins_a, coins_b, place = state
        return coins_a - a, coins_b - b, place + _sign(a - b)


class Random:
    """Rounds of random matrices of rewards, with three actions and two random successors a cell."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    def starts(self) -> Any:
        return [(self.rounds, 0)]

    def turn(self, state: tuple[int, int]) -> Any:
        return (range(3), range(3)) if state[0] else 0

    def after(self, state: tuple[int, int], a: int, b: int) -> Any:
        drawn = random.Random(f"{state} {a} {b}")
        share = Fraction(drawn.randint(1, 7), 8)
        first, second = drawn.sample(range(8), 2)
        return {(state[0] - 1, first): share, (state[0] - 1, second): 1 - share}

    def reward(self, state: tuple[int, int], a: int, b: int) -> int:
        return random.Random(f"reward {state} {a} {b}").randint(-4, 4)


class Snowball:
    """A trap: A hides or runs through yards, B waits or throws; hiding for ever wins nothing, and no best strategy exists."""

    # With one yard this is hide or run (Kumar and Shiau 1981). With more, whoever hides while B waits is back at the first one, and
    # nearly optimal strategies run with powers of tiny probabilities, as in Purgatory (Hansen, Koucky and Miltersen 2009).
    kind = "recursive"

    def __init__(self, yards: int, misses: int) -> None:
        self.yards, self.misses = yards, misses

    def starts(self) -> Any:
        return [0]

    def turn(self, state: int | str) -> Any:
        return (("hide", "run"), ("wait", "throw")) if state not in ("hit", self.yards) else int(state == self.yards)

    def after(self, state: int, a: str, b: str) -> Any:
        if (a, b) == ("hide", "wait"):
            return 0
        return {"hit": 1 - Fraction(1, self.misses), state: Fraction(1, self.misses)} if (a, b) == ("run", "throw") else state + 1


FAMILIES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "goofspiel": (Goofspiel, [(4, 4), (5, 4), (5, 5)]),
    "blotto": (Blotto, [(3, 6), (4, 10), (5, 14)]),
    "pursuit": (Pursuit, [(3,), (4,), (5,)]),
    "soccer": (Soccer, [(2,), (3,), (4,)]),
    "inspections": (Inspections, [(6,), (12,), (24,)]),
    "row": (Row, [(4, 4), (5, 6), (5, 8)]),
    "tron": (Tron, [(4, 4), (3, 6), (4, 5)]),
    "oshi-zumo": (OshiZumo, [(10,), (14,), (20,)]),
    "random": (Random, [(3,), (6,), (12,)]),
    "snowball": (Snowball, [(2, 2), (2, 8), (3, 2)]),
}
"""The families, and the arguments of their three sizes."""


def _without(cards: Cards, card: int) -> Cards:
    return tuple(other for other in cards if other != card)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _moves(place: Square, side: int, most: int) -> tuple[tuple[int, int], ...]:
    steps = [(i, j) for i, j in product((-1, 0, 1), repeat=2) if abs(i) + abs(j) <= most]
    return tuple((i, j) for i, j in steps if 0 <= place[0] + i < side and 0 <= place[1] + j < side)
