"""The game solved a second time, in fractions and from its rules alone, without the package."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from retelling import bids, turn
from retelling import won as payoff

Matrix = list[list[Fraction]]
State = tuple[int, int, int]


def equalised(game: Matrix) -> tuple[list[Fraction], Fraction] | None:
    """The weights of the rows that equalise all columns of a square game, and their value; None if there are none."""
    size = len(game)
    # Columns: the weights and the value; rows: one for every column of the game, and one for the sum of the weights.
    system = [[game[i][j] for i in range(size)] + [Fraction(-1), Fraction(0)] for j in range(size)]
    system.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for place in range(size + 1):
        pivot = next((row for row in range(place, size + 1) if system[row][place] != 0), None)
        if pivot is None:
            return None
        system[place], system[pivot] = system[pivot], system[place]
        system[place] = [entry / system[place][place] for entry in system[place]]
        for row in range(size + 1):
            if row != place and system[row][place] != 0:
                factor = system[row][place]
                system[row] = [entry - factor * other for entry, other in zip(system[row], system[place])]
    solution = [line[-1] for line in system]
    return solution[:-1], solution[-1]


def secured(game: Matrix, strategy: list[Fraction]) -> Fraction:
    """The security level of the row player."""
    return min(sum((p * line[j] for p, line in zip(strategy, game)), Fraction(0)) for j in range(len(game[0])))


def value_of(game: Matrix) -> Fraction:
    """The value of a matrix game, found by trying all square kernels (Shapley and Snow)."""
    turned = [[-line[j] for line in game] for j in range(len(game[0]))]
    for size in range(1, min(len(game), len(turned)) + 1):
        for rows in combinations(range(len(game)), size):
            for columns in combinations(range(len(turned)), size):
                kernel = [[game[i][j] for j in columns] for i in rows]
                mine, theirs = equalised(kernel), equalised([[-line[j] for line in kernel] for j in range(size)])
                if mine is None or theirs is None or min(mine[0]) < 0 or min(theirs[0]) < 0:
                    continue
                row = [Fraction(0)] * len(game)
                column = [Fraction(0)] * len(turned)
                for i, weight in zip(rows, mine[0]):
                    row[i] = weight
                for j, weight in zip(columns, theirs[0]):
                    column[j] = weight
                if secured(game, row) == -secured(turned, column) == mine[1]:
                    return mine[1]
    raise AssertionError("every matrix game has a kernel")


@lru_cache(maxsize=None)
def value(state: State) -> Fraction:
    """The value of a state to A."""
    won = payoff(state)
    if won is not None:
        return Fraction(won)
    return value_of([[value(turn(state, i, j)) for j in bids(state[1])] for i in bids(state[0])])


@lru_cache(maxsize=None)
def against_uniform(state: State) -> Fraction:
    """A's payoff by best responses to a uniform B."""
    won = payoff(state)
    if won is not None:
        return Fraction(won)
    replies = bids(state[1])
    return max(sum((against_uniform(turn(state, i, j)) for j in replies), Fraction(0)) / len(replies) for i in bids(state[0]))


@lru_cache(maxsize=None)
def uniform_meets_uniform(state: State) -> Fraction:
    """A's expected payoff when both bid uniformly."""
    won = payoff(state)
    if won is not None:
        return Fraction(won)
    pairs = [(i, j) for i in bids(state[0]) for j in bids(state[1])]
    return sum((uniform_meets_uniform(turn(state, i, j)) for i, j in pairs), Fraction(0)) / len(pairs)
