#!/usr/bin/env python3
"""Compare `pencil_tennis.matrix_game` with QuantEcon's `minmax` on many small games: first the values, only then the time.

    python3 -m venv /tmp/small && /tmp/small/bin/pip install ./python quantecon==0.11.4
    /tmp/small/bin/python benches/peers/small_matrices.py

Games of n rows and columns, payoffs even between -1 and 1. Nanoseconds a game, the best of nine rounds in which all take turns, so that
their ratios hold on a busy machine, too. Exit status: 1 if a value of QuantEcon's is outside proved bounds by more than 1e-9.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from pencil_tennis import matrix_game
from quantecon.optimize import minmax

ROUNDS = 9
GAMES = {3: 2000, 5: 2000, 9: 1000, 10: 1000, 16: 500, 20: 500, 50: 60, 100: 12}


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> int:
    generator = np.random.default_rng(1)
    print("rows  solve  solve_all  two threads  quantecon  solve/quantecon  solve_all/quantecon  one/two threads")
    for rows, count in GAMES.items():
        games = generator.uniform(-1, 1, (count, rows, rows))
        solved = matrix_game.solve_all(games)
        theirs = np.array([minmax(game)[0] for game in games])
        if ((theirs < solved.lower - 1e-9) | (theirs > solved.upper + 1e-9)).any():
            print(f"QuantEcon has other values of games of {rows} rows")
            return 1
        ways: list[Callable[[], object]] = [
            lambda games=games: [matrix_game.solve(game) for game in games],
            lambda games=games: matrix_game.solve_all(games, threads=1),
            lambda games=games: matrix_game.solve_all(games, threads=2),
            lambda games=games: [minmax(game) for game in games],
        ]
        best = np.min([[seconds(way) for way in ways] for _ in range(ROUNDS)], axis=0) / count * 1e9
        one, all_, two, peer = best
        times = f"{one:6.0f} {all_:10.0f} {two:12.0f} {peer:10.0f}"
        print(f"{rows:4} {times} {one / peer:16.2f} {all_ / peer:20.2f} {all_ / two:16.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
