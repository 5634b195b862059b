"""Measure the processor time of the three checkers on the same certificates, as a table.

    python3 coq/extracted/times.py PROGRAM

PROGRAM is pencil-tennis, which makes the certificates. Of each checker the least of several runs counts, in turn.
"""

import pathlib
import random
import resource
import sys
import tempfile

from compare import ROOT, run
from compare_games import dumped, module, prove, random_game, written

RUNS = 5
LONG = 5.0  # seconds: a run that takes longer is not repeated

TENNIS = {
    "50:50": ["50"],
    "100:100": ["100"],
    "50:50, field 3, motion step, win-loss, smallest bid 0": ["50", "--field", "3", "--motion", "step", "--scoring", "win-loss", "--min-bid", "0"],
    "1,000:3": ["1000:3"],
    "3,000:2": ["3000:2"],
}

LARGE = "100:100", "1,000:3", "3,000:2"


def chain(states):
    """An acyclic game in which one state leads to the next."""
    head = {"format": "stochastic-game", "version": 1, "kind": "acyclic", "start": [f"s{states}"]}
    lines = [head, {"id": "s0", "value": "0"}]
    for number in range(1, states + 1):
        to = {"to": [["1", f"s{number - 1}"]]}
        row = [to, {"reward": "1", **to}]
        lines.append({"id": f"s{number}", "a": ["x", "y"], "b": ["x", "y"], "cells": [row, row[::-1]]})
    return "".join(map(dumped, lines))


def certificates(program, folder):
    """Names and files."""
    for name, arguments in TENNIS.items():
        file = folder / "tennis.proof"
        if run([program, "prove", *arguments, "-o", file])[0]:
            sys.exit(f"{name} is not proved")
        # With so many points, Python takes minutes.
        yield name, None if name in LARGE else ROOT / "docs/check_certificate.py", file
    rng = random.Random(50)
    again = module("rules_again")
    for name, game in [
        ("Littman's soccer", written(again.Soccer())),
        ("Goofspiel, 5 cards", written(type("Goofspiel", (again.Goofspiel,), {"cards": 5})())),
        ("a chain of 20,000 states", chain(20_000)),
        ("a random acyclic game", random_game("acyclic", 85_000, 6, rng)),
    ]:
        file = folder / "game.proof"
        file.write_bytes(prove(program, game, folder))
        cells = game.count('"to":')
        yield f"{name} ({cells:,} cells)", None if cells > 10**6 else ROOT / "docs/check_game_proof.py", file


def seconds(command):
    """User and system time of a program that has to accept."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run(command)[0]:
        sys.exit(f"refused: {command}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(program):
    print("| certificate | `verify` | extracted | times | Python |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        table = folder / "table.csv"
        for name, in_python, file in certificates(program, folder):
            commands = [[program, "verify", file, "--bounds", table], [ROOT / "coq/extracted/check", file]]
            if in_python:
                commands.append([sys.executable, in_python, file, table])
            least = [seconds(command) for command in commands]
            for _ in range(RUNS - 1):
                for place, command in enumerate(commands):
                    if least[place] < LONG:
                        least[place] = min(least[place], seconds(command))
            rust, extracted, *python = least
            rest = f"{python[0]:.1f} s" if python else "–"
            print(f"| {name} | {rust:.3f} s | {extracted:.2f} s | {extracted / rust:.1f} | {rest} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
