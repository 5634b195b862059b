"""Compares values of Oshi-Zumo with OpenSpiel's own game up to its horizon: python oshi_zumo_horizon.py COINS SIZE [HORIZON].

Positions, what bids lead to, and payoffs are those of ``pyspiel.load_game("oshi_zumo")`` with a smallest bid of 0. From the
horizon back to the first turn every position is a matrix game, solved here by a tableau in doubles, and proved by what its two strategies
secure. The values are compared with those that pencil-tennis computes for play without a horizon.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pencil_tennis as pt
import pyspiel


def value(matrix: Any) -> tuple[float, float]:
    """The security level of the row player, and the most that the column player concedes, by the strategies of a tableau."""
    saddle = matrix.min(axis=1).max(), matrix.max(axis=0).min()
    if saddle[0] == saddle[1]:
        return saddle
    rows, columns = matrix.shape
    least = matrix.min() - 1.0
    # Maximise the sum of y where (matrix - least) y <= 1: the columns' player, with slacks that are the rows'.
    tableau = np.block(
        [
            [matrix - least, np.eye(rows), np.ones((rows, 1))],
            [-np.ones((1, columns)), np.zeros((1, rows)), np.zeros((1, 1))],
        ]
    )
    basis = list(range(columns, columns + rows))
    while True:
        entering = int(np.argmin(tableau[-1, :-1]))
        if tableau[-1, entering] >= -1e-14:
            break
        column = tableau[:-1, entering]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(column > 1e-11, tableau[:-1, -1] / column, np.inf)
        ties = np.flatnonzero(ratios <= ratios.min() + 1e-13)
        # The largest pivot rounds least.
        leaving = int(max(ties, key=lambda row: column[row]))
        tableau[leaving] /= tableau[leaving, entering]
        for row in range(rows + 1):
            if row != leaving:
                tableau[row] -= tableau[row, entering] * tableau[leaving]
        basis[leaving] = entering
    y = np.zeros(columns)
    for row, variable in enumerate(basis):
        if variable < columns:
            y[variable] = max(tableau[row, -1], 0.0)
    x = np.maximum(tableau[-1, columns:-1], 0.0)
    x, y = x / x.sum(), y / y.sum()
    return float((x @ matrix).min()), float((matrix @ y).max())


def positions(game: Any, horizon: int) -> tuple[dict[str, float], dict[str, list[list[str]]]]:
    """For every position of OpenSpiel's game: its payoff at the horizon, and its successors."""
    worth: dict[str, float] = {}
    after: dict[str, list[list[str]]] = {}
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        name = str(state)
        if name in worth:
            continue
        end = state.clone()
        while not end.is_terminal():
            end.apply_actions([0, 0])
        worth[name] = end.returns()[0]
        if state.is_terminal():
            continue
        after[name] = []
        for bid in state.legal_actions(0):
            row = []
            for reply in state.legal_actions(1):
                child = state.clone()
                child.apply_actions([bid, reply])
                # A position is reached in fewer turns than there are: every bid spends coins.
                assert child.move_number() < horizon or child.is_terminal()
                row.append(str(child))
                if bid or reply:
                    waiting.append(child)
            after[name].append(row)
    return worth, after


def compare(coins: int, size: int, horizon: int) -> tuple[float, float, int]:
    """The largest difference from our values, the widest bounds here, and the number of positions."""
    game = pyspiel.load_game("oshi_zumo", {"coins": coins, "size": size, "horizon": horizon, "min_bid": 0})
    worth, after = positions(game, horizon)
    widest = 0.0
    # The last matrix solved at a position, and its value: most entries are unchanged a turn later.
    known: dict[str, tuple[list[float], float]] = {}
    for _ in range(horizon):
        before, worth = worth, dict(worth)
        for name, rows in after.items():
            entries = [before[child] for row in rows for child in row]
            if name not in known or known[name][0] != entries:
                lower, upper = value(np.array(entries).reshape(len(rows), -1))
                widest = max(widest, upper - lower)
                known[name] = entries, (lower + upper) / 2
            worth[name] = known[name][1]
    solution = pt.solve(coins, pt.Rules.oshi_zumo(size, min_bid=0))
    largest = 0.0
    for name in after:
        # As in `Coins: 3 4, Field: #...W.#`, where the edges are out.
        _, a, b, _, field = name.replace(",", "").split()
        place = int(a), int(b), field.index("W") - size - 1
        largest = max(largest, abs(worth[name] - solution[place]))
    return largest, widest, len(after)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    if not 2 <= len(numbers) <= 3:
        sys.exit(__doc__)
    coins, size, horizon = (*numbers, 40)[:3]
    largest, widest, count = compare(coins, size, horizon)
    print(f"{count} positions, {horizon} turns: values differ by {largest:.1e} at most, matrix games are solved to {widest:.1e}")
    # A turn's rounding is some units in the last place, and 2 turns a coin are no more than the horizon.
    if largest > 1e-12:
        sys.exit("that is more than rounding")
