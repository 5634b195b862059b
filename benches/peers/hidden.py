#!/usr/bin/env python3
"""Solve games with hidden information with pencil-tennis, OpenSpiel and Gambit; measure every strategy in fractions.

    cargo build --release
    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r benches/peers/requirements.txt -r benches/peers/requirements-matrices.txt
    /tmp/peers/bin/python benches/peers/hidden.py

The games are OpenSpiel's; Gambit and pencil-tennis read them from a file that the script writes. A solver has one thread and a limit of
seconds a game; CFR+ uses all of it. Both strategies are then compared with best responses, in exact fractions, by code of this file.

Exit status: 0 no bounds contradict each other, 1 some do, 2 wrong usage.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

# Before numpy is loaded: a thread for everybody.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "THREADS"):
    os.environ[variable] = "1"

import pyspiel  # noqa: E402

GAMES = {
    "Kuhn poker": "kuhn_poker",
    "Leduc poker": "leduc_poker",
    "liar's dice, 3 sides": "liars_dice(dice_sides=3)",
    "liar's dice, 4 sides": "liars_dice(dice_sides=4)",
    "liar's dice, 5 sides": "liars_dice(dice_sides=5)",
    "Goofspiel, 3 cards": "goofspiel(num_cards=3,imp_info=True,points_order=random,returns_type=point_difference)",
    "Goofspiel, 4 cards": "goofspiel(num_cards=4,imp_info=True,points_order=random,returns_type=point_difference)",
}

SOLVERS = ["pencil-tennis", "OpenSpiel CFR+", "OpenSpiel LP", "Gambit lp", "Gambit lp, fractions"]

MOST_DENOMINATOR = 10**6
"""Chance has simple fractions in these games; OpenSpiel has them as doubles."""

Strategy = dict[str, dict[int, float]]
"""Probabilities of actions, by information-state strings. They need not sum to 1: only their proportions count."""


def load(name: str) -> pyspiel.Game:
    """A game whose players move one after the other."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


@dataclass
class Node:
    """A node of the tree: "chance", "end", or the number of the player who moves."""

    kind: str | int
    information: str = ""
    actions: list[int] = field(default_factory=list)
    shares: list[Fraction] = field(default_factory=list)
    payoff: Fraction = Fraction(0)
    successors: list[int] = field(default_factory=list)


class Tree:
    """A game of OpenSpiel in fractions; nodes are in prefix order."""

    def __init__(self, game: pyspiel.Game) -> None:
        self.nodes: list[Node] = []
        # By players, and information sets in the order of their first nodes: the actions, and the player's last set and action.
        self.sets: list[dict[str, tuple[list[int], tuple[str, int] | None]]] = [{}, {}]
        self.add(game.new_initial_state(), (None, None))

    def add(self, state: pyspiel.State, last: tuple[tuple[str, int] | None, tuple[str, int] | None]) -> int:
        """Adds a state with all that follow; returns its number."""
        number = len(self.nodes)
        if state.is_terminal():
            payoff = Fraction(state.returns()[0]).limit_denominator(MOST_DENOMINATOR)
            self.nodes.append(Node("end", payoff=payoff))
        elif state.is_chance_node():
            outcomes = state.chance_outcomes()
            shares = [Fraction(share).limit_denominator(MOST_DENOMINATOR) for _, share in outcomes]
            assert sum(shares) == 1, shares
            node = Node("chance", actions=[action for action, _ in outcomes], shares=shares)
            self.nodes.append(node)
            for action in node.actions:
                node.successors.append(self.add(state.child(action), last))
        else:
            player = state.current_player()
            information = state.information_state_string(player)
            node = Node(player, information, state.legal_actions())
            self.nodes.append(node)
            known = self.sets[player].setdefault(information, (node.actions, last[player]))
            assert known == (node.actions, last[player]), "both players have perfect recall"
            for action in node.actions:
                now = (information, action)
                node.successors.append(self.add(state.child(action), (now, last[1]) if player == 0 else (last[0], now)))
        return number

    def secures(self, player: int, strategy: Strategy) -> Fraction:
        """The first player's payoff if a player plays by a strategy and the opponent responds best."""
        opponent = 1 - player
        best = max if opponent == 0 else min
        shares = {information: fractions_of(strategy[information], actions) for information, (actions, _) in self.sets[player].items()}
        worth: dict[tuple[str, int] | None, Fraction] = {None: Fraction(0)}
        for information, (actions, _) in self.sets[opponent].items():
            worth.update({(information, action): Fraction(0) for action in actions})
        waiting: list[tuple[int, Fraction, tuple[str, int] | None]] = [(0, Fraction(1), None)]
        while waiting:
            number, probability, reply = waiting.pop()
            node = self.nodes[number]
            if node.kind == "end":
                worth[reply] += probability * node.payoff
            elif node.kind == opponent:
                for action, after in zip(node.actions, node.successors, strict=True):
                    waiting.append((after, probability, (node.information, action)))
            else:
                chances = node.shares if node.kind == "chance" else shares[node.information]
                for share, after in zip(chances, node.successors, strict=True):
                    if share:
                        waiting.append((after, probability * share, reply))
        for information, (actions, before) in reversed(self.sets[opponent].items()):
            worth[before] += best(worth[information, action] for action in actions)
        return worth[None]

    def write_efg(self, path: Path) -> None:
        """Writes a file for Gambit. Information sets are called by their numbers."""
        numbers = [{information: place for place, information in enumerate(sets, 1)} for sets in self.sets]
        with path.open("w") as out:
            out.write('EFG 2 R "a game" { "A" "B" }\n')
            for place, node in enumerate(self.nodes, 1):
                if node.kind == "end":
                    out.write(f't "" {place} "" {{ {node.payoff} {-node.payoff} }}\n')
                elif node.kind == "chance":
                    shares = " ".join(f'"{action}" {share}' for action, share in zip(node.actions, node.shares, strict=True))
                    out.write(f'c "" {place} "" {{ {shares} }} 0\n')
                else:
                    number = numbers[node.kind][node.information]
                    actions = " ".join(f'"{action}"' for action in node.actions)
                    out.write(f'p "" {node.kind + 1} {number} "{number}" {{ {actions} }} 0\n')

    def at(self, path: list[int]) -> Node:
        """The node to which actions lead."""
        node = self.nodes[0]
        for action in path:
            node = self.nodes[node.successors[node.actions.index(action)]]
        return node

    def named(self, found: dict[tuple[int, int], dict[int, float]]) -> list[Strategy]:
        """Strategies by information-state strings, from strategies by players and numbers of information sets."""
        strategies: list[Strategy] = []
        for player, sets in enumerate(self.sets):
            strategies.append({information: found[player, place] for place, information in enumerate(sets, 1)})
        return strategies


def fractions_of(probabilities: dict[int, float], actions: list[int]) -> list[Fraction]:
    """The shares of actions, in multiples of about 2^-60; uniform if none is positive."""
    weights = [int(max(probabilities.get(action, 0.0), 0.0) * 2.0**60) for action in actions]
    whole = sum(weights)
    return [Fraction(weight, whole) if whole else Fraction(1, len(actions)) for weight in weights]


def by_pencil_tennis(options: argparse.Namespace, efg: Path) -> dict[str, object]:
    """The program with its default gap; its time is that of the whole process, with reading and the proof."""
    table = efg.with_suffix(".csv")
    command = [options.program, "solve", efg, "--threads", "1", "--format", "json"]
    begin = time.perf_counter()
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    seconds = time.perf_counter() - begin
    export = [options.program, "export", "strategies", efg, "--threads", "1", "-o", table]
    subprocess.run(export, check=True)
    found: dict[tuple[int, int], dict[int, float]] = {}
    with table.open() as rows:
        for row in csv.DictReader(rows):
            key = ("AB".index(row["player"]), int(row["set"]))
            found.setdefault(key, {})[int(row["action"])] = float(row["probability"])
    bounds = report["decimal"]
    proved = [bounds["lower"], bounds["upper"]]
    return {"seconds": seconds, "proved": proved, "numbers": [[*key, value] for key, value in found.items()]}


def by_cfr(options: argparse.Namespace, game: pyspiel.Game) -> dict[str, object]:
    """OpenSpiel's CFR+ in C++: its average strategies after the given seconds."""
    begin = time.perf_counter()
    solver = pyspiel.CFRPlusSolver(game)
    iterations = 0
    while time.perf_counter() - begin < options.seconds:
        solver.evaluate_and_update_policy()
        iterations += 1
    seconds = time.perf_counter() - begin
    average = solver.average_policy()
    tree = Tree(game)
    strategies = [{name: average.action_probabilities(name) for name in sets} for sets in tree.sets]
    return {"seconds": seconds, "note": f"{iterations:,} iterations", "strategies": strategies}


def by_programme(game: pyspiel.Game) -> dict[str, object]:
    """OpenSpiel's linear programmes in sequence form."""
    from open_spiel.python.algorithms import sequence_form_lp

    begin = time.perf_counter()
    value, _, *policies = sequence_form_lp.solve_zero_sum_game(game)
    seconds = time.perf_counter() - begin
    tree = Tree(game)
    strategies = []
    for policy, sets in zip(policies, tree.sets, strict=True):
        rows = {name: policy.action_probability_array[policy.state_lookup[name]] for name in sets}
        strategies.append({name: {action: float(row[action]) for action in sets[name][0]} for name, row in rows.items()})
    return {"seconds": seconds, "claim": float(value), "strategies": strategies}


def by_gambit(efg: Path, *, rational: bool) -> dict[str, object]:
    """Gambit's linear programme of the extensive form; its time is that of solving alone."""
    import pygambit

    game = pygambit.read_efg(str(efg))
    begin = time.perf_counter()
    equilibrium = pygambit.nash.lp_solve(game, rational=rational).equilibrium
    seconds = time.perf_counter() - begin
    rows = []
    for name in "AB":
        # A set is given by the actions that lead to one of its nodes.
        for history, shares in equilibrium[name]:
            path = [int(step.action) for step in history]
            rows.append([path, {int(action): float(share) for action, share in shares}])
    return {"seconds": seconds, "claim": float(equilibrium.payoffs["A"]), "paths": rows}


def work(options: argparse.Namespace) -> None:
    """Runs one solver on one game, and prints what it found: in a process of its own, which can be ended."""
    solver, name, efg = options.work
    if solver == "pencil-tennis":
        found = by_pencil_tennis(options, Path(efg))
    elif solver.startswith("Gambit"):
        found = by_gambit(Path(efg), rational=solver.endswith("fractions"))
    elif solver == "OpenSpiel CFR+":
        found = by_cfr(options, load(name))
    else:
        found = by_programme(load(name))
    json.dump(found, sys.stdout)


def asked(options: argparse.Namespace, solver: str, name: str, efg: Path) -> dict[str, object]:
    """What a solver found, or a note why it found nothing."""
    command = [sys.executable, __file__, "--work", solver, name, efg]
    command += ["--program", options.program, "--seconds", str(options.seconds)]
    try:
        # CFR+ takes all of the seconds, and some to hand over.
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds + 30, check=False)
    except subprocess.TimeoutExpired:
        return {"note": f"no answer in {options.seconds + 30:.0f} s"}
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no word"]
        return {"note": last[0][:80]}
    return json.loads(done.stdout)


def strategies_of(tree: Tree, found: dict[str, object]) -> list[Strategy]:
    """Both players' strategies, whatever they are called by."""
    # JSON has made texts of the numbers of actions.
    if "strategies" in found:
        by_name = found["strategies"]
        return [{name: {int(a): p for a, p in row.items()} for name, row in rows.items()} for rows in by_name]
    if "paths" in found:
        strategies: list[Strategy] = [{}, {}]
        for path, row in found["paths"]:
            node = tree.at(path)
            strategies[node.kind][node.information] = {int(a): p for a, p in row.items()}
        return strategies
    return tree.named({(player, number): {int(a): p for a, p in row.items()} for player, number, row in found["numbers"]})


def compare(options: argparse.Namespace, title: str, name: str, folder: Path) -> bool:
    """Prints the rows of a game. Returns whether the bounds contradict each other nowhere."""
    tree = Tree(load(name))
    efg = folder / "game.efg"
    tree.write_efg(efg)
    sets = " + ".join(f"{len(sets):,}" for sets in tree.sets)
    head = f"{title} | {len(tree.nodes):,} | {sets}"
    proved = None
    agree = True
    for solver in SOLVERS:
        found = asked(options, solver, name, efg)
        notes = [found["note"]] if "note" in found else []
        cells = ["", "", ""]
        if "seconds" in found:
            cells[0] = f"{found['seconds']:.3g}"
        if found.keys() & {"numbers", "strategies", "paths"}:
            a, b = strategies_of(tree, found)
            lower, upper = tree.secures(0, a), tree.secures(1, b)
            cells[1] = f"{float(upper - lower):.1e}"
            if "proved" in found:
                proved = [Fraction(bound) for bound in found["proved"]]
                cells[2] = f"{float(proved[1] - proved[0]):.1e}"
            elif "claim" in found and proved is not None:
                claim = Fraction(found["claim"])
                away = max(proved[0] - claim, claim - proved[1], Fraction(0))
                # A sum of payoffs in doubles has been rounded by so much.
                largest = max(abs(node.payoff) for node in tree.nodes)
                is_within = away <= largest * Fraction(sys.float_info.epsilon)
                notes.append("value within our bounds" if is_within else f"value {float(away):.0e} outside of our bounds")
            # Every pair of strategies has the value between its bounds.
            agree &= proved is None or (lower <= proved[1] and proved[0] <= upper)
        print(f"| {head} | {solver} | {cells[0]} | {cells[1]} | {cells[2]} | {'; '.join(notes)} |", flush=True)
        head = " | | "
    return agree


def main() -> int:
    """Compares, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="GAME")
    parser.add_argument("--seconds", type=float, default=60.0, help="of CFR+; the others have half a minute more")
    parser.add_argument("--program", default="target/release/pencil-tennis")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    if options.work:
        work(options)
        return 0
    print("| game | nodes | information sets | solver | seconds | width, measured | width, proved | |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: | --- |")
    agree = True
    with tempfile.TemporaryDirectory() as folder:
        for title in options.games:
            agree &= compare(options, title, GAMES[title], Path(folder))
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
