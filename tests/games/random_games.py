#!/usr/bin/env python3
"""Random concurrent games of 2 to 8 states, and a policy of each: how wide the proved bounds of a program are, as histograms.

    python3 tests/games/random_games.py PROGRAM [GAMES [SEED]]

Reachability (one end worth 1, infinite plays 0), safety (the reverse), several ends, with ties and duplicate actions. Every
certificate is checked by `docs/check_game_proof.py`. In the documents: 1,000 games with seed 36.
"""

import collections
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "docs" / "check_game_proof.py"


def shares(rng, count, denominator):
    """Positive fractions that sum to 1."""
    cuts = [0, *sorted(rng.sample(range(1, denominator), count - 1)), denominator]
    return [Fraction(high - low, denominator) for low, high in zip(cuts, cuts[1:])]


def game(rng, least=2, most=8):
    """The lines of a random game of `least` to `most` states."""
    kind = rng.choice(["reach", "safe", "several"])
    if kind == "several":
        ends, endless = [rng.randint(-5, 5) for _ in range(rng.randint(2, 4))], Fraction(rng.randint(-5, 5), rng.choice([1, 1, 2, 3]))
    else:
        ends, endless = [0, 1], int(kind == "safe")
    names = [f"s{state}" for state in range(rng.randint(least, most))]
    targets = names + [f"e{end}" for end in range(len(ends))]
    certain, denominator = rng.choice([0.3, 0.6, 1.0]), rng.choice([3, 10, 10**6, 10**9])

    def cell():
        count = 1 if rng.random() < certain else rng.choice([2, 2, 3])
        return {"to": [[str(share), to] for share, to in zip(shares(rng, count, denominator), rng.sample(targets, count))]}

    lines = [{"format": "stochastic-game", "version": 1, "kind": "recursive", "start": names}]
    lines += [{"id": f"e{end}", "value": str(value)} for end, value in enumerate(ends)]
    for name in names:
        rows, columns = rng.randint(1, 3), rng.randint(1, 3)
        cells = [[cell() for _ in range(columns)] for _ in range(rows)]
        if rng.random() < 0.2:
            # A duplicate action, and a tie.
            cells.append(cells[rng.randrange(rows)])
        actions = [[f"{player}{action}" for action in range(count)] for player, count in (("a", len(cells)), ("b", columns))]
        lines.append({"id": name, "a": actions[0], "b": actions[1], "endless": str(endless), "cells": cells})
    return lines


def policy(lines, rng):
    """A random policy as csv, with probabilities down to 2^-62."""
    rows = ["state,player,action,probability"]
    for line in lines:
        for player in "AB":
            actions = line.get(player.lower(), [])
            rest, unit = 1 << 62, rng.choice([1, 1 << 20, 1 << 50, 1 << 60])
            for place, action in enumerate(actions):
                weight = rest if place + 1 == len(actions) else min(rest, rng.choice([0, 1, 3]) * unit)
                rest -= weight
                rows.append(f"{line['id']},{player},{action},{Fraction(weight, 1 << 62)}")
    return "\n".join(rows) + "\n"


def judged(run, largest):
    """The widest worth of a judged policy, as a share of the largest value."""
    report = json.loads(run.stdout)["policy"]
    worths = [player["worth"]["decimal"] for state in report["states"] for player in state["players"]]
    return max(float(Fraction(worth["upper"]) - Fraction(worth["lower"])) / largest for worth in worths)


def main(program, count="100", seed="36"):
    """Solves the games and judges a policy of each; exits with an error if a certificate is refused or bounds are wide."""
    rng, widths, slowest = random.Random(int(seed)), collections.Counter(), 0.0
    policies, judges = collections.Counter(), random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        path, proof, chosen = (Path(folder) / name for name in ("game.jsonl", "game.proof", "policy.csv"))
        for number in range(int(count)):
            lines = game(rng)
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
            begin = time.monotonic()
            run = subprocess.run([program, "game", path, "--format", "json", "--prove", proof], check=True, capture_output=True)
            seconds = time.monotonic() - begin
            slowest = max(slowest, seconds)
            subprocess.run([sys.executable, CHECKER, proof], check=True, capture_output=True)
            width = json.loads(run.stdout)["widest_enclosure"]
            widths[math.floor(math.log10(width)) if width else "0"] += 1
            chosen.write_text(policy(lines, judges))
            run = subprocess.run([program, "game", path, "--format", "json", "--policy", chosen], check=True, capture_output=True)
            largest = max([1] + [abs(Fraction(line[key])) for line in lines for key in ("value", "endless") if key in line])
            loss = judged(run, float(largest))
            policies[math.floor(math.log10(loss)) if loss else "0"] += 1
            if loss > 1e-12:
                print(f"game {number}: its policy is judged to {loss:.1e}", flush=True)
            if width > 1e-12 or seconds > 1:
                print(f"game {number}: width {width:.1e}, {seconds:.2f} s", flush=True)
                if len(sys.argv) > 4:
                    Path(sys.argv[4], f"game{number}.jsonl").write_text(path.read_text())
    if any(width != "0" and width >= -12 for width in [*widths, *policies]):
        sys.exit("some bounds are wide")
    for title, found in (("games", widths), ("policies", policies)):
        for width, games in sorted(found.items(), key=str):
            print(f"{title}, {'1e' if width != '0' else ''}{width}: {games}")
    print(f"slowest {slowest:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:4])
