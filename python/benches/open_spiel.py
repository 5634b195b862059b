"""Every zero-sum game of OpenSpiel with simultaneous moves, at a small size, against another way to its value.

    python python/benches/open_spiel.py

Two other ways that share nothing with the solver: the linear programme of a matrix game, by scipy; and recursion over OpenSpiel's
own states with a linear programme at each, to the end. Prints the states, the
width of the proved bounds, the seconds, and how far the other values are outside, at most.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyspiel
from scipy.optimize import linprog

from pencil_tennis import games

GAMES = [
    "matrix_mp", "matrix_rps", "matrix_brps", "matrix_rpsw",
    "blotto(coins=5,fields=3,players=2)",
    "goofspiel(num_cards=3,imp_info=False,points_order=descending)",
    "goofspiel(num_cards=4,imp_info=False,points_order=descending,returns_type=point_difference)",
    "oshi_zumo(coins=5,size=1,min_bid=1,horizon=20)",
    "oshi_zumo(coins=4,size=1,min_bid=0,horizon=6)",
    "markov_soccer(grid=.OB\n.A.,horizon=6)",
    "laser_tag(grid=S.\n.S,horizon=3,zero_sum=True)",
    "capture_the_flag(grid=a..b,horizon=6)",
]  # fmt: skip


def value(matrix: Any) -> float:
    """The value of a matrix game by a linear programme."""
    rows, columns = matrix.shape
    if rows == 1 or columns == 1:
        return float(matrix.max(axis=0).min() if columns > 1 or rows > 1 else matrix[0, 0])
    bounds = [(0, None)] * rows + [(None, None)]
    columns_lose = np.hstack([-matrix.T, np.ones((columns, 1))])
    whole = np.append(np.ones(rows), 0)[None]
    return -float(linprog(np.append(np.zeros(rows), -1), columns_lose, np.zeros(columns), whole, [1], bounds).fun)


def played(state: Any, known: dict[Any, float]) -> float:
    """The first player's returns, by recursion; states are told apart by their text, the number of moves and the returns so far."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return sum(share * played(state.child(action), known) for action, share in state.chance_outcomes())
    key = str(state), state.move_number(), *state.returns()
    if key not in known:
        if state.is_simultaneous_node():
            matrix = []
            for a in state.legal_actions(0):
                row = []
                for b in state.legal_actions(1):
                    child = state.clone()
                    child.apply_actions([a, b])
                    row.append(played(child, known))
                matrix.append(row)
            known[key] = value(np.array(matrix))
        else:
            best = max if state.current_player() == 0 else min
            known[key] = best(played(state.child(action), known) for action in state.legal_actions())
    return known[key]


def main() -> None:
    print("| game | states | width | seconds | seconds of the other way | distance |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for text in GAMES:
        game = pyspiel.load_game(text)
        begin = time.perf_counter()
        rules = games.from_open_spiel(game)
        solution = games.solve(rules)
        between = time.perf_counter()
        known: dict[Any, float] = {}
        distance, pays = 0.0, str(game.get_type().reward_model).endswith("REWARDS")
        for key, state in rules.states.items():
            other = played(state, known) - (state.returns()[0] if pays else 0)
            distance = max(distance, float(solution[key].lower) - other, other - float(solution[key].upper))
        end = time.perf_counter()
        name = text.replace("\n", "/")
        ours = f"{len(solution)} | {float(solution.widest):.1e} | {between - begin:.2f}"
        print(f"| `{name}` | {ours} | {end - between:.2f} | {distance:.0e} |", flush=True)
        assert distance < 1e-8, text


if __name__ == "__main__":
    main()
