#!/usr/bin/env python3
"""Checks a certificate of a game with hidden information with nothing but Python, in fractions.

    check_hidden_proof.py FILE

hidden.md has the form of the file. The bounds hold if A's strategy secures the lower one against B's best response, and B's the upper
one against A's. Slow and plain on purpose: some ten thousand nodes a second.
"""

import json
import re
import sys
from fractions import Fraction

LARGEST_PAYOFF = 2**61
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


def fail(sentence):
    sys.exit(f"not valid: {sentence}")


def expect(holds, number, sentence):
    if not holds:
        fail(f"line {number}: {sentence}")


def fraction(value, number):
    expect(isinstance(value, str) and re.fullmatch(r"-?[0-9]+(/[0-9]+)?", value), number, f"{value!r} is no number")
    numerator, _, denominator = value.partition("/")
    expect(int(denominator or 1) > 0, number, f"{value!r} is no number")
    return Fraction(int(numerator), int(denominator or 1))


def are_names(names):
    return isinstance(names, list) and names and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


class Certificate:
    """The tree, as lists by nodes in prefix order, and the weights of both players' actions."""

    def __init__(self, lines):
        self.lines = [self.parse(number, line) for number, line in enumerate(lines, 1)]
        head = self.lines[0] if self.lines else None
        expect(isinstance(head, dict) and head.get("format") == "hidden-game-proof", 1, "expected the format hidden-game-proof")
        expect(type(head.get("version")) is int and head["version"] == 1, 1, "expected version 1")
        self.lower, self.upper = fraction(head.get("lower"), 1), fraction(head.get("upper"), 1)
        # Of each player, by information sets in the order of their first nodes: the actions, and the last sequence before.
        # A sequence is a set with the number of an action; None is the empty one.
        self.sets = {"A": {}, "B": {}}
        # The kind of a node, with its set, probabilities or payoff, and its successors.
        self.nodes = []
        next_line = self.read_tree()
        self.weights = {"A": {}, "B": {}}
        for player in "AB":
            for name, (actions, _) in self.sets[player].items():
                self.weights[player][name] = self.read_weights(player, name, len(actions), next_line)
                next_line += 1
        expect(next_line == len(self.lines), next_line + 1, "expected the end of the file")

    @staticmethod
    def parse(number, line):
        try:
            return json.loads(line)
        except ValueError:
            return fail(f"line {number}: it is no JSON")

    def read_tree(self):
        """Reads the nodes; returns the place of the first line after them."""
        # Nodes that lack successors: the number, how many there are, and both players' last sequences.
        waiting = []
        for place in range(1, len(self.lines) + 1):
            if self.nodes and not waiting:
                return place
            number, node = place + 1, len(self.nodes)
            line = self.lines[place] if place < len(self.lines) else None
            expect(isinstance(line, list) and line and line[0] in ("end", "chance", "A", "B"), number, "expected a node")
            before = {"A": None, "B": None}
            if waiting:
                parent, count, before = waiting[-1]
                kind, what, successors = self.nodes[parent]
                before = dict(before)
                if kind in "AB":
                    before[kind] = (what, len(successors))
                successors.append(node)
                if len(successors) == count:
                    waiting.pop()
            count = 0
            if line[0] == "end":
                expect(len(line) == 2, number, "expected a payoff")
                what = fraction(line[1], number)
                expect(abs(what) <= LARGEST_PAYOFF, number, "a payoff is too large")
            elif line[0] == "chance":
                expect(len(line) == 2 and isinstance(line[1], list) and line[1], number, "a node has no successor")
                what = [fraction(share, number) for share in line[1]]
                expect(sum(what) == 1 and min(what) >= 0, number, "the probabilities are negative or do not sum to 1")
                count = len(what)
            else:
                what = self.read_set(line, number, before[line[0]])
                count = len(self.sets[line[0]][what][0])
            self.nodes.append((line[0], what, []))
            if count:
                waiting.append((node, count, before))
        return fail("the tree is not complete")

    def read_set(self, line, number, before):
        player, sets = line[0], self.sets[line[0]]
        expect(len(line) in (2, 3) and isinstance(line[1], str), number, "expected an information set")
        name = line[1]
        if name not in sets:
            expect(len(line) == 3 and are_names(line[2]), number, f"{player}'s set {name!r} has no distinct actions")
            sets[name] = line[2], before
        actions, known = sets[name]
        expect(len(line) == 2 or line[2] == actions, number, f"{player}'s set {name!r} has other actions before")
        expect(known == before, number, f"{player} moved otherwise before other nodes of {name!r}: no perfect recall")
        return name

    def read_weights(self, player, name, count, place):
        number, line = place + 1, self.lines[place] if place < len(self.lines) else None
        expect(isinstance(line, list) and line[:3] == ["weights", player, name], number, f"expected weights of {player} at {name}")
        expect(len(line) == 4 and isinstance(line[3], list) and len(line[3]) == count, number, f"expected {count} weights")
        weights = [fraction(weight, number) for weight in line[3]]
        expect(all(weight >= 0 and weight.denominator == 1 for weight in weights), number, "expected whole weights from 0")
        expect(sum(weights) > 0, number, "the weights sum to 0")
        return [weight / sum(weights) for weight in weights]

    def secures(self, player):
        """The payoff to A if a player plays by the weights and the opponent responds best."""
        best = max if player == "B" else min
        opponent = "B" if player == "A" else "A"
        # By the opponent's sequences: what the ends that follow before the next choice are worth, then with best play.
        worth = {None: Fraction(0)}
        for name, (actions, _) in self.sets[opponent].items():
            worth.update({(name, action): Fraction(0) for action in range(len(actions))})
        waiting = [(0, Fraction(1), None)]
        while waiting:
            node, probability, sequence = waiting.pop()
            kind, what, successors = self.nodes[node]
            if kind == "end":
                worth[sequence] += probability * what
            elif kind == opponent:
                waiting += [(after, probability, (what, action)) for action, after in enumerate(successors)]
            else:
                shares = what if kind == "chance" else self.weights[player][what]
                waiting += [(after, probability * share, sequence) for share, after in zip(shares, successors) if share]
        # A set is listed after the set of the sequence before it.
        for name, (actions, before) in reversed(self.sets[opponent].items()):
            worth[before] += best(worth[name, action] for action in range(len(actions)))
        return worth[None]


def main(path):
    with open(path, encoding="utf-8") as file:
        # Names may have other ends of lines in them.
        certificate = Certificate(file.read().removesuffix("\n").split("\n"))
    lower, upper = certificate.secures("A"), certificate.secures("B")
    if certificate.lower > lower:
        fail(f"A's strategy secures {float(lower)}, less than the lower bound")
    if certificate.upper < upper:
        fail(f"B's strategy concedes {float(upper)}, more than the upper bound")
    print(f"valid: {len(certificate.nodes)} nodes, the value lies between {certificate.lower} and {certificate.upper}")


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
