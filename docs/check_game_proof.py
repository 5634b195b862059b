#!/usr/bin/env python3
"""Checks a certificate of a game of any rules with nothing but Python, in fractions: check_game_proof.py FILE [BOUNDS.csv]

The form of the file and why the bounds hold stand in games.md. Slow and plain on purpose: some thousand cells a second.
"""

import csv
import json
import sys
from fractions import Fraction

WHOLE = 2**62
LARGEST_BOUND = 2**62
LARGEST_EXPONENT = 126


def fail(sentence):
    sys.exit(f"not valid: {sentence}")


def number(text):
    if not isinstance(text, str):
        fail(f"{text!r} is no string")
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        fail(f"{text!r} is no number")


class Game:
    """A game as the file describes it: ends, and states with tables of cells (reward, [(probability, state)])."""

    def __init__(self, lines):
        head = json.loads(lines[0])
        if head.get("format") != "stochastic-game" or head.get("version") != 1:
            fail("the game is not of version 1")
        self.kind = head["kind"]
        if self.kind not in ("acyclic", "discounted", "stopping", "recursive"):
            fail(f"no kind of game: {self.kind}")
        self.discount = number(head["discount"]) if self.kind == "discounted" else Fraction(1)
        if self.kind == "discounted" and not 0 < self.discount < 1:
            fail("the discount is out of range")
        self.states = [json.loads(line) for line in lines[1:]]
        self.place = {state["id"]: place for place, state in enumerate(self.states)}
        if len(self.place) < len(self.states):
            fail("two states have the same name")
        self.start = [self.place[name] for name in head["start"]]
        self.value, self.endless, self.cells = {}, {}, {}
        for place, state in enumerate(self.states):
            if "value" in state:
                self.value[place] = number(state["value"])
                continue
            self.endless[place] = number(state.get("endless", "0"))
            self.cells[place] = [[self.cell(cell) for cell in row] for row in state["cells"]]
            rows, columns = len(state["a"]), len(state["b"])
            if not rows or not columns or [len(row) for row in self.cells[place]] != [columns] * rows:
                fail(f"the cells of {state['id']} are no table of its actions")

    def cell(self, cell):
        if set(cell) - {"to", "reward"}:
            fail(f"an unknown field: {cell}")
        outcomes = [(number(share), self.place[name]) for share, name in cell["to"]]
        if sum(share for share, _ in outcomes) != 1 or any(share < 0 for share, _ in outcomes):
            fail(f"no probabilities: {cell}")
        reward = number(cell.get("reward", "0"))
        if reward and self.kind == "recursive":
            fail("a reward in a recursive game")
        return reward, [(share, place) for share, place in outcomes if share]

    def check_kind(self):
        """Play certainly ends unless it is discounted, or recursive with one payoff for endless play in every cycle."""
        if self.kind in ("acyclic", "stopping"):
            any_cell = {place: [[cell] for row in rows for cell in row] for place, rows in self.cells.items()}
            if closed(set(self.cells), any_cell):
                fail("play need not end")
        if self.kind == "recursive":
            for component in self.components():
                if len({self.endless[place] for place in component}) > 1:
                    fail("endless play pays unlike numbers in one cycle")

    def components(self):
        """The strongly connected components of the states that are no ends, by two searches (Kosaraju)."""
        after = {p: {q for row in rows for _, outs in row for _, q in outs if q in self.cells} for p, rows in self.cells.items()}
        before = {place: set() for place in after}
        for place, nexts in after.items():
            for following in nexts:
                before[following].add(place)

        def search(root, edges, seen):
            seen.add(root)
            path, done = [(root, iter(edges[root]))], []
            while path:
                place, nexts = path[-1]
                following = next((q for q in nexts if q not in seen), None)
                if following is None:
                    done.append(path.pop()[0])
                else:
                    seen.add(following)
                    path.append((following, iter(edges[following])))
            return done

        seen, order = set(), []
        for place in after:
            if place not in seen:
                order += search(place, after, seen)
        seen = set()
        return [search(place, before, seen) for place in reversed(order) if place not in seen]


def closed(inside, choices):
    """The largest part of `inside` in which play can be kept; a choice of a state is a list of cells that must all stay."""
    while True:
        stays = {p for p in inside if any(all(q in inside for _, outs in cells for _, q in outs) for cells in choices[p])}
        if stays == inside:
            return inside
        inside = stays


def read_weights(pairs, name):
    """The weights of a strategy by the numbers of actions, which rise."""
    actions = [action for action, _ in pairs]
    if any(type(action) is not int for action in actions) or actions != sorted(set(actions)):
        fail(f"{name}: the actions do not rise")
    return {action: int(weight) for action, weight in pairs}


def check(game, unit, bounds, weights):
    for place, value in game.value.items():
        if not bounds[place][0] <= value * unit <= bounds[place][1]:
            fail(f"{game.states[place]['id']}: the value is not within its bounds")
        if any(weights[place]):
            fail(f"{game.states[place]['id']}: an end has weights")
    for side, sign in ((0, 1), (1, -1)):
        replies = {}
        for place, rows in game.cells.items():
            name = game.states[place]["id"]
            table = rows if side == 0 else [list(column) for column in zip(*rows)]
            own = weights[place][side]
            if sum(own.values()) != WHOLE or any(weight <= 0 or not 0 <= action < len(table) for action, weight in own.items()):
                fail(f"{name}: no weights")
            for other in range(len(table[0])):
                expected = sum(
                    weight * (reward * unit + game.discount * sum(share * bounds[q][side] for share, q in outs))
                    for action, weight in own.items()
                    for reward, outs in [table[action][other]]
                )
                if sign * expected < sign * bounds[place][side] * WHOLE:
                    fail(f"{name}: the weights do not secure the {('lower', 'upper')[side]} bound")
            replies[place] = [[table[action][other] for action in own] for other in range(len(table[0]))]
        if game.kind == "recursive":
            better = {p for p in game.cells if sign * bounds[p][side] > sign * game.endless[p] * unit}
            if closed(better, replies):
                fail("play can be kept where the bound is better than what endless play pays")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = json.loads(lines[0])
    if head.get("format") != "stochastic-game-proof" or head.get("version") != 1:
        fail("it is no certificate of version 1")
    if "digest" in head:
        fail("the game is one that rules in code give again, which are not here")
    if not 0 <= head["exponent"] <= LARGEST_EXPONENT:
        fail("the exponent is out of range")
    count, unit = head["states"], 2 ** head["exponent"]
    if len(lines) != 2 * count + 2:
        fail("it has not as many lines as it should")
    game = Game(lines[1 : count + 2])
    game.check_kind()
    bounds, weights = [], []
    for state, line in zip(game.states, lines[count + 2 :]):
        proof = json.loads(line)
        bounds.append((int(proof["lower"]), int(proof["upper"])))
        if any(abs(bound) > LARGEST_BOUND for bound in bounds[-1]):
            fail(f"{state['id']}: a bound is above 2^62")
        weights.append([read_weights(proof.get(player, []), state["id"]) for player in "ab"])
    check(game, unit, bounds, weights)
    widest = max(upper - lower for lower, upper in bounds)
    print(f"valid: {game.kind} game, {count} states, every value to within {float(Fraction(widest, unit)):.2g}")
    for place in game.start:
        print(f"  {game.states[place]['id']}: between {bounds[place][0]} and {bounds[place][1]} times 2^-{head['exponent']}")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["state", "lower", "upper", "exponent"])
            rows.writerows([state["id"], *bounds[place], head["exponent"]] for place, state in enumerate(game.states))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        main()
    except OSError as error:
        fail(error)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
        fail(f"the file is not as described ({type(error).__name__}: {error})")
