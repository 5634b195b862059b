#!/usr/bin/env python3
"""Compare `pencil_tennis.matrix_game` with QuantEcon's `minmax` on many small games: first the strategies, only then the time.

    python3 -m venv /tmp/small && /tmp/small/bin/pip install ./python quantecon==0.11.4
    /tmp/small/bin/python benches/peers/small_matrices.py

Strategies: of each family and size 300 games. A pair of strategies has a gap, what the best replies to them win together, and is wrong
if that is more than a millionth of the range of payoffs. QuantEcon's gaps are measured in doubles, and ours are the proved ones.

Time: games of n rows and columns, payoffs even between -1 and 1. Nanoseconds a game, the best of nine rounds in which all take turns,
so that their ratios hold on a busy machine, too; but for two threads, which want two idle cores.

Exit status: 1 if a value of QuantEcon's is outside proved bounds by more than 1e-9 where payoffs are even.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from pencil_tennis import matrix_game
from quantecon.optimize import minmax

ROUNDS = 9
TIMED = {3: 2000, 5: 2000, 9: 1000, 10: 1000, 16: 500, 20: 500, 50: 60, 100: 12}
CHECKED = 300
WRONG = 1e-6

Games = NDArray[np.float64]
Family = Callable[[np.random.Generator, tuple[int, int, int]], Games]


def skew(generator: np.random.Generator, shape: tuple[int, int, int]) -> Games:
    """Symmetric games, whose value is 0."""
    half = generator.integers(-3, 4, shape).astype(float)
    return half - half.transpose(0, 2, 1)


FAMILIES: dict[str, Family] = {
    "even between -1 and 1": lambda generator, shape: generator.uniform(-1, 1, shape),
    "integers from -2 to 2": lambda generator, shape: generator.integers(-2, 3, shape).astype(float),
    "-1, 0 and 1": lambda generator, shape: generator.integers(-1, 2, shape).astype(float),
    "rows times 1e-6 to 1e6": lambda generator, shape: (
        generator.uniform(-1, 1, shape) * 10.0 ** generator.integers(-6, 7, (*shape[:2], 1))
    ),
    "1e9 and up to 1 more or less": lambda generator, shape: 1e9 + generator.uniform(-1, 1, shape),
    "symmetric, small integers": skew,
    "1 and up to 1e-9 more or less": lambda generator, shape: 1 + 1e-9 * generator.uniform(-1, 1, shape),
}


def gap_of_peer(game: Games) -> float:
    """What best replies to QuantEcon's strategies win together; infinite where it finds none."""
    try:
        _, row, column = minmax(game)
    except Exception:  # It raises what its linear programme does.
        return np.inf
    gap = float((game @ column).max() - (row @ game).min())
    return gap if np.isfinite(gap) else np.inf


def check() -> None:
    generator = np.random.default_rng(5)
    print(f"{'family':30} rows   QuantEcon: widest gap  wrong   ours: widest gap  wrong")
    for name, family in FAMILIES.items():
        for rows in (3, 10, 30):
            games = family(generator, (CHECKED, rows, rows))
            ranges = np.ptp(games, axis=(1, 2))
            ranges[ranges == 0] = 1
            theirs = np.array([gap_of_peer(game) for game in games]) / ranges
            solved = matrix_game.solve_all(games)
            ours = (solved.upper - solved.lower) / ranges
            peer = f"{theirs.max():22.1e} {np.count_nonzero(theirs > WRONG):6}"
            print(f"{name:30} {rows:4} {peer} {ours.max():18.1e} {np.count_nonzero(ours > WRONG):6}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measure() -> int:
    generator = np.random.default_rng(1)
    print("rows  solve  solve_all  two threads  quantecon  solve/quantecon  solve_all/quantecon  one/two threads")
    for rows, count in TIMED.items():
        games = generator.uniform(-1, 1, (count, rows, rows))
        solved = matrix_game.solve_all(games)
        theirs = np.array([minmax(game)[0] for game in games])
        if ((theirs < solved.lower - 1e-9) | (theirs > solved.upper + 1e-9)).any():
            print(f"QuantEcon has other values of games of {rows} rows")
            return 1
        ways: list[Callable[[], object]] = [
            lambda games=games: [matrix_game.solve(game).value for game in games],
            lambda games=games: matrix_game.solve_all(games, threads=1),
            lambda games=games: matrix_game.solve_all(games, threads=2),
            lambda games=games: [minmax(game) for game in games],
        ]
        best = np.min([[seconds(way) for way in ways] for _ in range(ROUNDS)], axis=0) / count * 1e9
        one, all_, two, peer = best
        times = f"{one:6.0f} {all_:10.0f} {two:12.0f} {peer:10.0f}"
        print(f"{rows:4} {times} {one / peer:16.2f} {all_ / peer:20.2f} {all_ / two:16.2f}", flush=True)
    return 0


def main() -> int:
    warnings.simplefilter("ignore", RuntimeWarning)
    check()
    return measure()


if __name__ == "__main__":
    sys.exit(main())
