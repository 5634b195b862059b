"""Turns a second of many games at once, on one core: stepped alone, and with all that a learner wants of a turn.

Usage: turns.py [SECONDS], after `pip install ./python`. Bids are uniformly random; games that are over start again. Every number
is the best of five runs in time of this thread, since whatever else the machine does can only slow them down.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict

import numpy as np

import pencil_tennis
from pencil_tennis import Games


def measure(count: int, points: int, seconds: float) -> dict[str, float]:
    """The seconds that each part of a turn of a game takes."""
    random, games = np.random.default_rng(1), Games(count, points)
    uniform = pencil_tennis.as_policy("uniform", points)
    seen, mask = np.empty((count, 3), np.int32), np.empty((count, points + 1), np.bool_)
    bids = np.empty((2, count), np.int64)
    taken: dict[str, float] = defaultdict(float)
    turns, end = 0, time.perf_counter() + seconds

    def timed(part: str, work, *arguments) -> None:
        start = time.thread_time()
        work(*arguments)
        taken[part] += time.thread_time() - start

    while time.perf_counter() < end:
        for row, player in enumerate("AB"):
            timed("draw", games.draw, uniform, player, random, bids[row])
            timed("see", games.observe, player, seen)
            timed("see", games.mask, player, mask)
        timed("step", games.step, *bids)
        timed("step", games.restart)
        turns += count
    return {part: total / turns for part, total in taken.items()}


def main(seconds: float = 1.0) -> None:
    """Measures and prints."""
    print(f"{'games':>7}  {'points':>6}  {'step':>12}  {'+ what both see':>15}  {'+ bids drawn':>12}    (million turns a second)")
    for points in (10, 50):
        for count in (16, 256, 4_096, 65_536):
            runs = [measure(count, points, seconds / 5) for _ in range(5)]
            step, see, draw = (min(run[part] for run in runs) for part in ("step", "see", "draw"))
            rates = [1e-6 / time for time in (step, step + see, step + see + draw)]
            print(f"{count:7,}  {points:6}  {rates[0]:12.1f}  {rates[1]:15.1f}  {rates[2]:12.1f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
