#!/usr/bin/env python3
"""Solve OpenSpiel's Goofspiel with pencil-tennis, with OpenSpiel, and with SciPy: first the values, only then the time.

    cargo build --release --example goofspiel
    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install ./python -r benches/peers/requirements.txt
    /tmp/peers/bin/python benches/peers/any_game.py --cards 3 4 --value-iteration-cards 3

One thread each; seconds are the best of the repetitions, in which the solvers take turns. See README.md beside this file.

Exit status: 0 all agree, 1 some do not, 2 wrong usage.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

# Before numpy is loaded: a thread for everybody.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402
from open_spiel.python.algorithms import value_iteration  # noqa: E402
from solvers import linprog_value  # noqa: E402

from pencil_tennis import games  # noqa: E402

Values = dict[str, float]
"""What A wins, by the texts of OpenSpiel's states."""

TOLERANCE = 1e-6
"""Linear programmes stop at 1e-7, and their errors add once a turn, of which there are fewer than ten."""


def goofspiel(cards: int) -> pyspiel.Game:
    """The game: perfect information but for the bids, prizes in any order, who has more points has won."""
    return pyspiel.load_game("goofspiel", {"num_cards": cards, "imp_info": False, "points_order": "random"})


def by_pencil_tennis(game: pyspiel.Game) -> Values:
    """Values with proved bounds, OpenSpiel asked about every pair of bids."""
    solution = games.solve(games.from_open_spiel(game), threads=1)
    return {state: solution[state] for state in solution}


def by_value_iteration(game: pyspiel.Game) -> Values:
    """OpenSpiel's own; states met before are not expanded again."""
    values: Values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-7, cyclic_game=True)
    return values


def by_scipy(game: pyspiel.Game) -> Values:
    """A recursion with a linear programme a state."""
    known: Values = {}

    def value(state: pyspiel.State) -> float:
        if state.is_terminal():
            return float(state.returns()[0])
        if state.is_chance_node():
            return sum(chance * value(state.child(action)) for action, chance in state.chance_outcomes())
        if (text := str(state)) not in known:
            bids = [state.legal_actions(player) for player in (0, 1)]
            known[text] = linprog_value(np.array([[value(after(state, a, b)) for b in bids[1]] for a in bids[0]]))
        return known[text]

    value(game.new_initial_state())
    return known


def after(state: pyspiel.State, *bids: int) -> pyspiel.State:
    """The state after both have bid."""
    state = state.clone()
    state.apply_actions(bids)
    return state


def rules_in_code(cards: int, program: Path) -> tuple[int, float]:
    """States and seconds of the example in Rust, which solves the same game with symmetries and proof."""
    output = subprocess.run([program, str(cards), "win"], check=True, capture_output=True, text=True).stdout
    states, seconds = re.findall(r"([\d]+) states in ([\d.]+) s", output)[0]
    return int(states), float(seconds)


def main() -> int:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--value-iteration-cards", type=int, default=3, help="the most for OpenSpiel's value iteration")
    parser.add_argument("--repetitions", type=int, default=2)
    parser.add_argument("--program", type=Path, default=Path("target/release/examples/goofspiel"))
    options = parser.parse_args()
    print("| cards | solver | seconds | ratio | states | farthest from proved values |")
    print("| ---: | --- | ---: | ---: | ---: | ---: |")
    agree = True
    for cards in options.cards:
        game = goofspiel(cards)
        solvers: dict[str, Callable[[pyspiel.Game], Values]] = {"pencil-tennis, from Python": by_pencil_tennis}
        solvers["SciPy, a matrix a state"] = by_scipy
        if cards <= options.value_iteration_cards:
            solvers["OpenSpiel, value iteration"] = by_value_iteration
        seconds = dict.fromkeys(solvers, float("inf"))
        values: dict[str, Values] = {}
        for _ in range(options.repetitions):
            for name, solve in solvers.items():
                begin = time.process_time()
                values[name] = solve(game)
                seconds[name] = min(seconds[name], time.process_time() - begin)
        proved = values["pencil-tennis, from Python"]
        states, own = rules_in_code(cards, options.program)
        print(f"| {cards} | pencil-tennis, rules in code | {own:.4f} | 1 | {states:,} | |")
        for name in solvers:
            common = proved.keys() & values[name].keys()
            farthest = max(abs(proved[state] - values[name][state]) for state in common)
            # A value that is not a number must not pass.
            agree &= len(common) > 0 and farthest <= TOLERANCE
            print(f"| | {name} | {seconds[name]:.3g} | {seconds[name] / own:,.0f} | {len(common):,} | {farthest:.1e} |")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
