#!/usr/bin/env python3
"""The games with cycles of the table in paper/cycles.md: how wide a program's proved bounds are, and what solving takes.

    python3 tests/games/cycle_table.py PROGRAM [SIDE...]

Prints a line for each game: the widest bounds, rounded up, or those that strategies secure of an approached value, relative to the largest value where that exceeds 1; the program's
seconds of processor time on one thread, reading included; and its largest resident memory, of which this script counts for some
20 MiB. SIDE is the side of a grid of pursuit, by default 10 and 15 (9,901 and 50,401 states); 20 and 30 (159,601 and 809,101)
need 0.2 and 0.9 GB for their files. Of these games the seconds of reading alone are printed, too.
"""

import decimal
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from game_families import recursive_game


def line(name, state):
    """The line of a state, which is an end's value or rows of cells."""
    if isinstance(state, str):
        return {"id": name, "value": state}
    a, b = ([str(action) for action in range(count)] for count in (len(state), len(state[0])))
    return {"id": name, "a": a, "b": b, "cells": state}


def text(kind, start, states, **header):
    """The lines of a game of these states."""
    yield {"format": "stochastic-game", "version": 1, "kind": kind, "start": [start], **header}
    yield from (line(name, state) for name, state in states.items())


def to(*outcomes, reward="0"):
    """A cell: pairs of a probability and a successor, or a successor alone."""
    pairs = [["1", outcome] if isinstance(outcome, str) else list(outcome) for outcome in outcomes]
    return {"to": pairs} if reward == "0" else {"to": pairs, "reward": reward}


def hide_or_run(*hit):
    """A wins by running while B waits, or by hiding while B throws the only snowball."""
    states = {"win": "1", "hit": "0", "s": [[to("s"), to("win")], [to("win"), to(*hit)]]}
    return text("recursive", "s", states)


def purgatory(floors):
    """Whoever guesses a floor's bit goes up; a wrong guess of 1 leads to the bottom, a wrong guess of 0 is lost."""
    states = {"won": "1", "lost": "0"}
    for floor in range(1, floors + 1):
        up = to("won" if floor == floors else str(floor + 1))
        states[str(floor)] = [[up, to("1")], [to("lost"), up]]
    return text("recursive", "1", states)


def cliff_walk(states):
    """A walk to the end of a line: a step forward with 9/10, else one back, and below the first state A loses; or a step back at will."""
    line_of = {"win": "1", "lose": "0"}
    for state in range(states):
        back, forward = str(state - 1) if state else "lose", str(state + 1)
        step = to(("1/2", "win"), ("1/2", back)) if state == states - 1 else to(("9/10", forward), ("1/10", back))
        line_of[str(state)] = [[to(back)], [step]]
    return text("recursive", "0", line_of)


def noisy_walk(states):
    """As a walk on a cliff, but the first state is followed by itself, and A wins at the end with 1/2: the only way out is long."""
    line_of = {"win": "1", "lose": "0"}
    for state in range(states):
        back, forward = str(max(state - 1, 0)), str(state + 1)
        step = to(("1/2", "win"), ("1/2", "lose")) if state == states - 1 else to(("9/10", forward), ("1/10", back))
        line_of[str(state)] = [[to(back)], [step]]
    return text("recursive", "0", line_of)


def two_corridors(length):
    """B chooses a corridor, in which A goes forward or back; at their ends A wins with 1/2 or 2/5. One end component of all states."""
    states = {"win": "1", "lose": "0", "hall": [[to("1:0"), to("2:0")]]}
    for corridor, chance, rest in ((1, "1/2", "1/2"), (2, "2/5", "3/5")):
        for place in range(length):
            back = to(f"{corridor}:{place - 1}" if place else "hall")
            step = to((chance, "win"), (rest, "lose")) if place == length - 1 else to(f"{corridor}:{place + 1}")
            states[f"{corridor}:{place}"] = [[back], [step]]
    return text("recursive", "hall", states)


def discounted(turns):
    """Six states with three actions each, rewards up to 5, and a discount of 1 - 1/turns."""
    draw = random.Random(1)
    names = [str(state) for state in range(6)]

    def cell():
        one, other = draw.sample(names, 2)
        return to(("1/3", one), ("2/3", other), reward=str(draw.randint(-5, 5)))

    states = {name: [[cell() for _ in range(3)] for _ in range(3)] for name in names}
    return text("discounted", "0", states, discount=f"{turns - 1}/{turns}")


def stopping(turns):
    """A reward of 1 at every other turn, until play stops with probability 1/turns."""
    again = to((f"1/{turns}", "end"), (f"{turns - 1}/{turns}", "pay"))
    return text("stopping", "pay", {"end": "0", "pay": [[to("go", reward="1")]], "go": [[again]]})


def heads(count):
    """A reward of 1 for every toss of a coin, until it has shown so many heads in a row."""
    states = {"end": "0"}
    for toss in range(count):
        following = "end" if toss + 1 == count else str(toss + 1)
        states[str(toss)] = [[to(("1/2", following), ("1/2", "0"), reward="1")]]
    return text("stopping", "0", states)


def pursuit(side):
    """A chases B on a grid: both step to a neighbouring square or stay, and B's step fails with probability 1/10."""
    squares = range(side * side)

    def steps(square):
        x, y = square % side, square // side
        moves = ((x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [x + y * side for x, y in moves if 0 <= x < side and 0 <= y < side]

    def at(a, b):
        return "caught" if a == b else f"{a}_{b}"

    def cell(a, b, next_a, next_b):
        if next_a == b and next_b == a:
            return to("caught")
        return to(at(next_a, b)) if next_b == b else to(("9/10", at(next_a, next_b)), ("1/10", at(next_a, b)))

    yield from text("discounted", at(0, side * side - 1), {"caught": "1"}, discount="9/10")
    for a in squares:
        for b in squares:
            if a != b:
                rows = [[cell(a, b, next_a, next_b) for next_b in steps(b)] for next_a in steps(a)]
                yield line(at(a, b), rows)


def run(program, path):
    """The program's status, its processor time in seconds, and its largest resident memory in MiB."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    output = [(os.POSIX_SPAWN_OPEN, 1, path.with_suffix(".json"), flags, 0o600), (os.POSIX_SPAWN_OPEN, 2, os.devnull, flags, 0o600)]
    command = [program, "solve", path, "--threads", "1", "--format", "json"]
    _, status, usage = os.wait4(os.posix_spawnp(program, command, os.environ, file_actions=output), 0)
    return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def reading(program, path):
    """The seconds of reading alone: a game that is said to be acyclic, and is not, is refused right after."""
    with path.open("r+b") as file:
        header = file.readline().rstrip()
        wrong = header.replace(b'"discounted"', b'"acyclic"').replace(b',"discount":"9/10"', b"")
        file.seek(0)
        file.write(wrong.ljust(len(header)))
    status, seconds, _ = run(program, path)
    if not status:
        sys.exit("a game with a cycle is solved as acyclic")
    return seconds


def largest(path):
    """The largest value in size."""
    with open(path) as file:
        next(file)
        return max(abs(decimal.Decimal(row.rsplit(",", 3)[1])) for row in file)


def main(program, *sides):
    games = {
        "snowball": hide_or_run("hit"),
        "hide or run": hide_or_run(("7/8", "hit"), ("1/8", "s")),
        **{f"purgatory, {floors} floors": purgatory(floors) for floors in range(2, 6)},
        **{f"cliff walk, {states}": cliff_walk(states) for states in (100, 1000, 10000)},
        **{f"noisy walk, {states}": noisy_walk(states) for states in (100, 1000, 10000)},
        **{f"two corridors of {length}": two_corridors(length) for length in (500, 5000, 25000)},
        **{f"discount 1 - 1e-{digits}": discounted(10**digits) for digits in (4, 6, 9)},
        **{f"stopping, 1e-{digits} a turn": stopping(10**digits) for digits in (6, 9, 12)},
        **{f"{count} heads in a row": heads(count) for count in (16, 30, 50)},
        **{f"random, seed {seed}": recursive_game(random.Random(seed), 20, 100) for seed in range(20)},
        **{f"pursuit, side {side}": pursuit(int(side)) for side in sides or ("10", "15")},
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        for name, lines in games.items():
            with path.open("w") as file:
                file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            status, seconds, memory = run(program, path)
            if status:
                sys.exit(f"{name} is not solved")
            report = json.loads(path.with_suffix(".json").read_text())
            subprocess.run([program, "export", "values", path, "-o", path.with_suffix(".csv")], check=True)
            best = report["start"][0].get("best_payoff", {"attained": True})
            # An approached value is known exactly; the width is that of the strategies.
            secured = {} if best["attained"] else best["secured"]["decimal"]
            gap = decimal.Decimal(secured.get("upper", 0)) - decimal.Decimal(secured.get("lower", 0))
            width = max(decimal.Decimal(report["widest_enclosure"]), gap) / max(1, largest(path.with_suffix(".csv")))
            width = f"{decimal.Context(2, decimal.ROUND_CEILING).plus(width):.1e}" if width else "0"
            print(f"{name}: {report['states']:,} states, width {width}, {seconds:.2f} s, {memory:.0f} MiB", flush=True)
            if name.startswith("pursuit"):
                print(f"    {path.stat().st_size / 1e6:.0f} MB are read in {reading(program, path):.2f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
