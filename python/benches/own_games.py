"""How fast a game of one's own is solved: 75,000 pairs of actions with two successors each, through every door.

    python python/benches/own_games.py [RUNS]

The same game as arrays, as rules for many states at once, as rules and as a file, from the call to the proved solution, on one
thread; arrays and file are made before. Prints the pairs of actions a second of the fastest run in time of this process, since
whatever else the machine does can only slow it down, and asserts that all doors lead to the same bounds.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from pencil_tennis import games

# 8,350 states with nine pairs of actions each, and 167 ends.
ROUNDS, WIDE = 50, 167
QUARTER, REST = Fraction(1, 4), Fraction(3, 4)


class Walk:
    """Rounds of three actions each, which pay, and after which chance picks one of two states."""

    def starts(self) -> Any:
        return [(ROUNDS, x) for x in range(WIDE)]

    def turn(self, state: Any) -> Any:
        rounds, x = state
        return ((0, 1, 2), (0, 1, 2)) if rounds else x % 7

    def after(self, state: Any, a: int, b: int) -> Any:
        rounds, x = state
        return {(rounds - 1, (3 * x + a + 2 * b) % WIDE): QUARTER, (rounds - 1, (3 * x + 7 * a + b + 9) % WIDE): REST}

    def reward(self, state: Any, a: int, b: int) -> int:
        return (2 * a + b * (a + 1) + state[1]) % 5


class ManyWalk:
    """The same, for many states at once."""

    def starts(self) -> Any:
        return [[ROUNDS, x] for x in range(WIDE)]

    def turn_many(self, states: Any) -> Any:
        return np.where(states[:, :1] > 0, 3, 0) * np.ones(2, np.int64), states[:, 1] % 7

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        rounds, x = states.T
        rows = np.array([[rounds - 1, (3 * x + a + 2 * b) % WIDE], [rounds - 1, (3 * x + 7 * a + b + 9) % WIDE]])
        return rows.transpose(2, 0, 1), np.full((len(a), 2), [1, 3]), (2 * a + b * (a + 1) + x) % 5


def arrays() -> dict[str, Any]:
    """The arrays of the game, whose states have numbers from the first round on."""
    states = np.arange((ROUNDS + 1) * WIDE)
    rounds, x = ROUNDS - states // WIDE, states % WIDE
    sizes, values = ManyWalk().turn_many(np.stack([rounds, x], 1))
    of, pair = np.divmod(np.arange(9 * ROUNDS * WIDE), 9)
    rows, weights, rewards = ManyWalk().after_many(np.stack([rounds, x], 1)[of], pair // 3, pair % 3)
    following = (ROUNDS - rows[:, :, 0]) * WIDE + rows[:, :, 1]
    return {"actions": sizes, "values": values, "transitions": (following, weights), "rewards": rewards, "starts": range(WIDE)}


def written(path: Path) -> Path:
    """The game as a file."""
    rules = Walk()
    with path.open("w") as file:
        starts = [str(state) for state in rules.starts()]
        print(json.dumps({"format": "stochastic-game", "version": 1, "kind": "acyclic", "start": starts}), file=file)
        for state in ((rounds, x) for rounds in range(ROUNDS, -1, -1) for x in range(WIDE)):
            turn = rules.turn(state)
            if not isinstance(turn, tuple):
                print(json.dumps({"id": str(state), "value": str(turn)}), file=file)
                continue
            actions, cells = [*map(str, turn[0])], []
            for a in turn[0]:
                row = [(rules.reward(state, a, b), rules.after(state, a, b)) for b in turn[1]]
                shares = [[[str(share), str(to)] for to, share in after.items()] for _, after in row]
                cells.append([{"reward": str(paid), "to": to} for (paid, _), to in zip(row, shares, strict=True)])
            print(json.dumps({"id": str(state), "a": actions, "b": actions, "cells": cells}), file=file)
    return path


def main(runs: int = 5) -> None:
    """Measures and prints."""
    known, given = set[Any](), arrays()
    with tempfile.TemporaryDirectory() as folder:
        file = written(Path(folder) / "walk.jsonl")
        doors: dict[str, Callable[[], games.Solution]] = {
            "arrays": lambda: games.solve(games.from_arrays(**given), threads=1),
            "rules for many states": lambda: games.solve(ManyWalk(), threads=1),
            "rules": lambda: games.solve(Walk(), threads=1),
            "a file": lambda: games.solve(file, threads=1),
        }
        for name, door in doors.items():
            taken = []
            for _ in range(runs):
                begin = time.process_time()
                solution = door()
                taken.append(time.process_time() - begin)
            known.add((len(solution), solution.widest, solution.value.lower, solution.value.upper))
            print(f"{name}: {9 * ROUNDS * WIDE / min(taken):,.0f} pairs of actions a second")
    assert len(known) == 1, known


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
