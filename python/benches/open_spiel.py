"""Every zero-sum game of OpenSpiel with simultaneous moves, at a small size, against other ways to its value.

    python python/benches/open_spiel.py

Two ways share nothing with the solver: the linear programme of a matrix game, by scipy; and recursion over OpenSpiel's own states
with a linear programme at each, to the end. The third are OpenSpiel's own, for a minute each: its value iteration, which takes
states for one whose texts are equal, and where that does not give the value its linear programme in sequence form; they take `pip
install cvxpy ecos`. Prints the states, the width of the proved bounds, the seconds, and how far the other values are outside, at
most; then every other simultaneous game that OpenSpiel has registered, with the reason why it cannot be in the list.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

# This file is called as OpenSpiel's package is.
sys.path.pop(0)

import numpy as np  # noqa: E402
import open_spiel.python.games  # noqa: E402, F401  (registers those in Python)
import pyspiel  # noqa: E402
from scipy.optimize import linprog  # noqa: E402

from pencil_tennis import games  # noqa: E402

GAMES = [
    "matrix_mp", "matrix_rps", "matrix_brps", "matrix_rpsw",
    "blotto(coins=5,fields=3,players=2)",
    "goofspiel(num_cards=3,imp_info=False,points_order=descending)",
    "goofspiel(num_cards=3,imp_info=False,points_order=random)",
    "goofspiel(num_cards=4,imp_info=False,points_order=descending,returns_type=point_difference)",
    "oshi_zumo(coins=5,size=1,min_bid=1,horizon=20)",
    "oshi_zumo(coins=4,size=1,min_bid=0,horizon=6)",
    "markov_soccer(grid=.OB\n.A.,horizon=6)",
    "laser_tag(grid=S.\n.S,horizon=3,zero_sum=True)",
    "capture_the_flag(grid=a..b,horizon=6)",
    # Games of games.
    "normal_form_extensive_game(game=kuhn_poker())",
    "repeated_game(stage_game=matrix_rps(),num_repetitions=2)",
    "misere(game=matrix_brps())",
    "zerosum(game=matrix_shapleys_game())",
    "zerosum(game=snake(rows=4,columns=4,horizon=2))",
    "add_noise(epsilon=1.0,seed=1,game=goofspiel(num_cards=3,points_order=descending))",
    "nfg_game(filename=FILE)",
]  # fmt: skip

# The game that FILE stands for above.
NFG = 'NFG 1 R "tails count three" { "A" "B" } { 2 2 }\n\n1 -1 0 0 0 0 3 -3\n'

LIMIT = 60
"""The seconds that each of OpenSpiel's own ways may take."""


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


def first(state: Any, known: Callable[[Any], float]) -> float:
    """The mean over the states where players choose first."""
    if state.is_chance_node():
        return sum(share * first(state.child(action), known) for action, share in state.chance_outcomes())
    return known(state)


def within(seconds: int, call: Callable[[], float]) -> tuple[float | str, float]:
    """What a call gives or raises within some seconds, and how long it took."""

    def end(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, end)
    begin = time.perf_counter()
    found: float | str
    try:
        signal.alarm(seconds)
        found = call()
    except Exception as error:  # noqa: BLE001
        found = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    finally:
        signal.alarm(0)
    return found, time.perf_counter() - begin


def theirs(game: Any, value: Any) -> str:
    """What OpenSpiel's own ways give, or why they do not."""
    try:
        from open_spiel.python.algorithms import sequence_form_lp, value_iteration
    except ImportError as error:
        return f"not run: {error}"

    def iterated(stops: bool) -> float:
        # Whether it stops at a text that it has seen: where texts leave out the turn, it then misses states.
        known = value_iteration.value_iteration(game, -1, 1e-9, cyclic_game=stops)
        return first(game.new_initial_state(), lambda state: known[str(state)])

    def programme() -> float:
        return float(sequence_form_lp.solve_zero_sum_game(pyspiel.convert_to_turn_based(game))[0])

    words = []
    ways = {"value iteration": lambda: iterated(True), "of the whole tree": lambda: iterated(False), "sequence form": programme}
    for name, way in ways.items():
        found, seconds = within(LIMIT, way)
        if isinstance(found, str):
            words.append(f"{name}: {found}")
            continue
        off = max(float(value.lower) - found, found - float(value.upper), 0.0)
        words.append(f"{name}: {found:.6f} in {seconds:.1f} s, off by {off:.0e}")
        if off < 1e-6:
            break
    return "; ".join(words)


def others() -> None:
    """Prints the simultaneous games that are not in the list, and why."""
    print("\nThe other simultaneous games are not zero-sum, unless `zerosum` makes them so, or have more players:\n")
    print("| game | why not |\n| --- | --- |")
    simultaneous = {game.short_name: game for game in pyspiel.registered_games() if str(game.dynamics).endswith("SIMULTANEOUS")}
    for name in sorted(simultaneous.keys() - {text.partition("(")[0] for text in GAMES}):
        kind = simultaneous[name]
        utility = str(kind.utility).rpartition(".")[2].lower().replace("_", " ")
        assert utility != "zero sum", f"{name} is missing"
        least, most = kind.min_num_players, kind.max_num_players
        players = f"{least}" if least == most else f"{least} to {most}"
        print(f"| `{name}` | {utility}, {players} players |")


def main() -> None:
    print(f"Written by `python python/benches/open_spiel.py` with OpenSpiel {version('open_spiel')}, on a busy machine.\n")
    print(
        "| game | states | width | seconds | seconds of the other way | distance | OpenSpiel's own |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".nfg") as file:
        file.write(NFG)
        file.flush()
        for text in GAMES:
            compare(text, pyspiel.load_game(text.replace("FILE", file.name)))
    others()


def compare(text: str, game: Any) -> None:
    """Prints the row of a game."""
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
    ours = f"{len(solution)} | {float(solution.widest):.1e} | {between - begin:.2f}"
    name = text.replace("\n", "/")
    print(f"| `{name}` | {ours} | {end - between:.2f} | {distance:.0e} | {theirs(game, solution.value)} |", flush=True)
    assert distance < 1e-8, text


if __name__ == "__main__":
    main()
