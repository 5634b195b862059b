"""Families of random games of every kind, and random policies of them, as the lines of game files.

Every family is a function from a random number generator to lines. `FAMILIES` has them by name.
"""

import json
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

KINDS = ("acyclic", "discounted", "stopping", "recursive", "total", "target")
# Of one sign; play in games of the last one never ends unless a player sees to it.
TOTAL_KINDS = ("total", "target")
# Weights of judged policies are multiples of 2^-62, to which the program would round others.
WHOLE = 1 << 62
# The program's limit is 2^62.
LARGEST_DENOMINATOR = (1 << 62) - 1


def shares(rng, count, denominator):
    """Positive fractions that sum to 1."""
    cuts = [0, *sorted(rng.sample(range(1, denominator), count - 1)), denominator]
    return [Fraction(high - low, denominator) for low, high in zip(cuts, cuts[1:])]


def recursive_game(rng, least=2, most=8):
    """A recursive game: reachability, safety, or several ends; with ties and duplicate actions."""
    kind = rng.choice(["reach", "safe", "several"])
    if kind == "several":
        ends, endless = (
            [rng.randint(-5, 5) for _ in range(rng.randint(2, 4))],
            Fraction(rng.randint(-5, 5), rng.choice([1, 1, 2, 3])),
        )
    else:
        ends, endless = [0, 1], int(kind == "safe")
    names = [f"s{state}" for state in range(rng.randint(least, most))]
    targets = names + [f"e{end}" for end in range(len(ends))]
    certain, denominator = rng.choice([0.3, 0.6, 1.0]), rng.choice([3, 10, 10**6, 10**9])

    def cell():
        count = 1 if rng.random() < certain else rng.choice([2, 2, 3])
        return {
            "to": [
                [str(share), to]
                for share, to in zip(shares(rng, count, denominator), rng.sample(targets, count))
            ]
        }

    lines = [{"format": "stochastic-game", "version": 1, "kind": "recursive", "start": names}]
    lines += [{"id": f"e{end}", "value": str(value)} for end, value in enumerate(ends)]
    for name in names:
        rows, columns = rng.randint(1, 3), rng.randint(1, 3)
        cells = [[cell() for _ in range(columns)] for _ in range(rows)]
        if rng.random() < 0.2:
            # A duplicate action, and a tie.
            cells.append(cells[rng.randrange(rows)])
        actions = [
            [f"{player}{action}" for action in range(count)]
            for player, count in (("a", len(cells)), ("b", columns))
        ]
        lines.append(
            {"id": name, "a": actions[0], "b": actions[1], "endless": str(endless), "cells": cells}
        )
    return lines


@dataclass(frozen=True)
class Shape:
    """The sizes from which a family draws the numbers of its games."""

    states: tuple = (2, 8)
    actions: tuple = (1, 3)
    payoffs: tuple = tuple(range(-5, 6))
    # How often a cell has a reward, and which; those of total rewards take one sign.
    rewarded: float = 0.5
    rewards: tuple = (1, 2, 3, 5)
    # The least probability with which a cell that has to leave does so.
    leave: tuple = (Fraction(1, 2), Fraction(1, 10))
    # Where such a cell goes to: "earlier" states, so that stays multiply, or "ends".
    exits: str = "earlier"
    denominators: tuple = (2, 3, 10, 1000)
    discounts: tuple = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))


def outcomes(rng, targets, denominator, total=Fraction(1)):
    """One to three outcomes of some targets, whose probabilities sum to `total`."""
    count = min(rng.choice([1, 1, 2, 3]), denominator, len(targets))
    return [
        [share * total, target]
        for share, target in zip(shares(rng, count, denominator), rng.sample(targets, count))
    ]


def cell(pairs, reward=0):
    """A cell of these outcomes; outcomes of one successor are added."""
    sums = {}
    for probability, target in pairs:
        sums[target] = sums.get(target, 0) + probability
    found = {
        "to": [[str(probability), target] for target, probability in sums.items() if probability]
    }
    return found | {"reward": str(reward)} if reward else found


def state(name, cells, endless=None):
    """The line of a state with this table of cells."""
    found = {
        "id": name,
        "a": [f"a{row}" for row in range(len(cells))],
        "b": [f"b{column}" for column in range(len(cells[0]))],
    }
    if endless is not None:
        found["endless"] = str(endless)
    return found | {"cells": cells}


def header(kind, start, discount=None):
    found = {"format": "stochastic-game", "version": 1, "kind": kind, "start": start}
    return found if discount is None else found | {"discount": str(discount)}


def fits(found, discount):
    """Whether a cell's numbers have a common denominator that the program supports."""
    parts = [Fraction(found.get("reward", 0)), Fraction(discount)]
    parts += [Fraction(probability) * discount for probability, _ in found["to"]]
    return math.lcm(*(part.denominator for part in parts)) <= LARGEST_DENOMINATOR


class Drawn:
    """One random game of a kind and a shape."""

    def __init__(self, rng, kind, shape):
        self.rng, self.kind, self.shape = rng, kind, shape
        self.discount = rng.choice(shape.discounts) if kind == "discounted" else None
        self.denominator = rng.choice(shape.denominators)
        self.names = [f"s{number}" for number in range(rng.randint(*shape.states))]
        self.ends = [f"e{number}" for number in range(rng.randint(1, 3))]
        self.sign = rng.choice([1, -1])

    def lines(self):
        start = self.names
        endless = (
            self.rng.choice(self.shape.payoffs) if self.kind in ("recursive", "total") else None
        )
        found = [header(self.kind, start, self.discount)]
        found += [
            {"id": end, "value": str(self.rng.choice(self.shape.payoffs))} for end in self.ends
        ]
        found += [
            state(name, self.table(number), endless) for number, name in enumerate(self.names)
        ]
        return found

    def table(self, number):
        rows, columns = self.rng.randint(*self.shape.actions), self.rng.randint(*self.shape.actions)
        cells = [[self.cell(number) for _ in range(columns)] for _ in range(rows)]
        if self.kind in TOTAL_KINDS:
            self.add_way_out(cells, number)
        if self.rng.random() < 0.2:
            # A duplicate action, and a tie.
            cells.append(cells[self.rng.randrange(len(cells))])
        return cells

    def cell(self, number):
        """A cell, which leaves if the kind demands that play ends, and often if it does not."""
        while True:
            if self.kind == "acyclic":
                pairs = outcomes(self.rng, self.names[:number] + self.ends, self.denominator)
            elif self.kind == "stopping" or (self.kind != "discounted" and self.rng.random() < 0.6):
                pairs = self.leaving(number)
            else:
                pairs = outcomes(self.rng, self.names + self.ends, self.denominator)
            found = cell(pairs, self.reward())
            if fits(found, self.discount or 1):
                return found

    def leaving(self, number):
        leave = self.rng.choice(self.shape.leave)
        exits = self.names[:number] + self.ends if self.shape.exits == "earlier" else self.ends
        # A leave probability below 2^-40 has no room for other denominators.
        denominator = (
            self.denominator
            if leave.denominator * self.denominator**2 <= LARGEST_DENOMINATOR
            else 2
        )
        stay = outcomes(self.rng, self.names + self.ends, denominator, 1 - leave)
        return [*stay, [leave, self.rng.choice(exits)]]

    def reward(self):
        if self.kind == "recursive" or self.rng.random() >= self.shape.rewarded:
            return 0
        reward = self.rng.choice(self.shape.rewards)
        return (
            self.sign * abs(reward)
            if self.kind in TOTAL_KINDS
            else self.rng.choice([1, -1]) * reward
        )

    def add_way_out(self, cells, number):
        """Gives the player who pays an action that always leaves, so that the value is finite."""
        if self.sign > 0:
            for row in cells:
                row.append(self.leaving_cell(number))
        else:
            cells.append([self.leaving_cell(number) for _ in cells[0]])

    def leaving_cell(self, number):
        return cell(self.leaving(number), self.reward() or self.sign)


class WithoutWayOut(Drawn):
    """A game of total rewards in which nobody needs to have a way to an end."""

    def add_way_out(self, cells, number):
        pass


def mirrored(lines):
    """The game with the players exchanged."""
    found = []
    for line in lines:
        line = dict(line)
        for payoff in ("value", "endless"):
            if payoff in line:
                line[payoff] = str(-Fraction(line[payoff]))
        if "cells" in line:
            line["a"], line["b"] = line["b"], line["a"]
            line["cells"] = [[opposite(cell) for cell in column] for column in zip(*line["cells"])]
        found.append(line)
    return found


def opposite(found):
    return found | {"reward": str(-Fraction(found["reward"]))} if "reward" in found else found


@dataclass
class Loops:
    """Chains of states behind self-loops that play leaves with a probability of 1e-6 to 1e-15.

    Such a chain hides the longest stay from an iteration that stops once its steps are small.
    """

    rng: object
    kind: str

    def __post_init__(self):
        self.leave = Fraction(self.rng.randint(1, 3), 10 ** self.rng.randint(6, 15))
        self.length = self.rng.choice([1, 2, 3, 5, 10, 40, 100])
        # Several rewards in a row would be a sum above the largest payoff.
        self.size = self.rng.choice([1, 1, 7]) if self.leave > Fraction(1, 10**15) else 1

    def reward(self, sign):
        """A reward; of total rewards all have one sign."""
        if self.kind == "recursive":
            return 0
        if self.kind in TOTAL_KINDS:
            return self.rng.choice([0, self.size])
        return sign * self.size

    def leaves(self, target, sign):
        return cell([[1 - self.leave, target], [self.leave, "z"]], self.reward(sign))

    def goes(self, target, sign):
        return cell([[Fraction(1), target]], self.reward(sign))

    def lines(self, tables):
        ends = [{"id": "z", "value": str(self.rng.choice([0, 0, 1, 5]))}]
        if self.kind == "recursive":
            ends.append({"id": "w", "value": "1"})
        endless = self.rng.choice([-1, 0, 1, 2]) if self.kind in ("recursive", "total") else None
        states = [
            state(name, self.with_way_out(self.turned(cells)), endless)
            for name, cells in tables.items()
        ]
        lines = [header(self.kind, list(tables)), *ends, *states]
        return self.rng.choice([lines, mirrored(lines)])

    def with_way_out(self, cells):
        """Lets B, who pays total rewards here, end play; adds a second end to recursive games."""
        if self.kind in TOTAL_KINDS:
            return [[*row, cell([[Fraction(1), "z"]], self.size)] for row in cells]
        if self.kind == "recursive" and self.rng.random() < 0.1:
            return [[*row, cell([[self.leave, "w"], [1 - self.leave, "z"]])] for row in cells]
        return cells

    def turned(self, options):
        """Options of B as a table, sometimes those of A."""
        return [options] if self.rng.random() < 0.7 else [[option] for option in options]

    def hub(self):
        """A hub that stays with a reward, or walks along a chain that pays, and back."""
        tables = {"h": [self.leaves("h", 1), self.goes("c0", -1)]}
        for place in range(self.length):
            last = place + 1 == self.length
            tables[f"c{place}"] = [self.leaves("h", -1) if last else self.goes(f"c{place + 1}", -1)]
        return self.lines({"s": [self.goes("h", 1)], **tables})

    def shortcuts(self):
        """A chain with a way back to its start at every step; the state at its end may stay."""
        tables = {"s": [self.leaves("c0", -1)], "t": [self.goes("s", -1), self.leaves("t", 1)]}
        for place in range(self.length):
            following = "t" if place + 1 == self.length else f"c{place + 1}"
            tables[f"c{place}"] = [self.goes(following, -1), self.goes("s", 1)]
        return self.lines(tables)

    def ring(self):
        """Rewards that cancel around a ring; at some states play may begin again."""
        self.length = max(2, self.length - self.length % 2)
        tables = {}
        for place in range(self.length):
            following = f"r{(place + 1) % self.length}"
            sign = 1 if place % 2 == 0 else -1
            options = [self.leaves(following, sign) if place == 0 else self.goes(following, sign)]
            if self.rng.random() < 0.3:
                options.append(
                    self.goes("r0", self.rng.choice([-1, 1])) if place else self.leaves("r0", 1)
                )
            tables[f"r{place}"] = options
        return self.lines(tables)


def one_state(rng, kind):
    """One state, which play leaves with a probability down to 1e-15."""
    leave = tuple(Fraction(1, 10**power) for power in (1, 3, 6, 9, 12, 15))
    return Drawn(
        rng, kind, replace(ORDINARY, states=(1, 1), leave=leave, discounts=NEAR_ONE[:9])
    ).lines()


def without_way_out(rng, kind):
    """Total rewards in a graph of any form, so that many values are infinite."""
    drawn = WithoutWayOut(rng, kind, replace(ORDINARY, states=(1, 5), rewarded=0.25))
    lines = drawn.lines()
    if not any(
        "reward" in found for line in lines[1:] for row in line.get("cells", []) for found in row
    ):
        # Without a reward it would be of neither sign.
        lines[-1]["cells"][0][0] |= {"reward": str(drawn.sign)}
    return lines


@dataclass(frozen=True)
class Family:
    """Games of a kind: `draw` takes a random number generator and the kind to lines."""

    kind: str
    draw: object
    # The widest bounds, relative to the largest value or 1, that the script accepts.
    widest: float = math.inf
    # The share of games that may be refused, by a part of the sentence.
    refusals: tuple = ()

    def lines(self, rng):
        return self.draw(rng, self.kind)


NEAR_ONE = tuple(1 - Fraction(1, 10**power) for power in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12))
ORDINARY = Shape()
LONG_STAYS = replace(
    ORDINARY,
    leave=tuple(Fraction(1, 10**power) for power in range(6, 16)),
    exits="ends",
    states=(1, 6),
    rewards=(1, 2, 5),
)
# Stays that multiply: each leads to the next, up to 1e15 turns.
NESTED_STAYS = replace(ORDINARY, leave=(Fraction(1, 100), Fraction(1, 10**4)), states=(2, 4))
CANCELLING = replace(
    ORDINARY,
    rewarded=0.9,
    rewards=tuple(size + more for size in (10**6, 10**12) for more in (-1, 0, 0, 1)),
    payoffs=(-(10**12), 10**12, 10**12 + 1, 0, 1),
)
UNLIKE = replace(ORDINARY, rewards=(1, 10**9), payoffs=(-(10**9), -1, 0, 1, 10**9))
BIG = replace(
    ORDINARY,
    states=(20, 60),
    actions=(1, 2),
    leave=(Fraction(1, 10), Fraction(1, 100)),
    exits="ends",
)
PATIENT = replace(ORDINARY, discounts=NEAR_ONE, states=(1, 6))


# Of total rewards: policies that leave with a probability near 2^-62, again and again, and those of
# infinite worth.
POLICY_REFUSALS = (
    ("a policy of finite worth: state …: the policy is worth more here than can be counted", 0.05),
    ("a policy of infinite worth: ", 0.2),
)
# Of total rewards: where nobody pays a reward of 1e9, bounds are proved in the unit in which it
# fits, 2^-31, of which rounding may take 64.
TOTAL_WIDEST = 1e-7
GAME_REFUSALS = {
    "without a way out": (("the value is infinite for", 0.2), ("it is not decided whether", 0.1)),
}


def drawn(shape):
    return lambda rng, kind: Drawn(rng, kind, shape).lines()


def loops(form):
    return lambda rng, kind: form(Loops(rng, kind))


def families():
    """All families by name."""
    found = {"recursive": Family("recursive", lambda rng, kind: recursive_game(rng), widest=1e-12)}
    for kind in KINDS:
        refusals = POLICY_REFUSALS if kind in TOTAL_KINDS else ()
        forms = forms_of(kind)
        for form, draw in forms.items():
            more = GAME_REFUSALS.get(form, ()) if kind in TOTAL_KINDS else ()
            widest = TOTAL_WIDEST if kind in TOTAL_KINDS else math.inf
            found[f"{form}, {kind}"] = Family(kind, draw, widest, refusals + more)
    return found


def forms_of(kind):
    """The forms of games that a kind can have."""
    forms = {"ordinary": drawn(ORDINARY), "1e9 beside 1": drawn(UNLIKE)}
    if kind not in ("acyclic", "discounted"):
        forms["long stays"] = drawn(LONG_STAYS)
        forms["nested stays"] = drawn(NESTED_STAYS)
        forms["hub"] = loops(Loops.hub)
        forms["shortcuts"] = loops(Loops.shortcuts)
        forms["ring"] = loops(Loops.ring)
    if kind != "acyclic":
        forms["one state"] = one_state
        forms["20 to 60 states"] = drawn(BIG)
    if kind not in TOTAL_KINDS:
        forms["cancelling"] = drawn(CANCELLING)
    else:
        forms["without a way out"] = without_way_out
    if kind == "discounted":
        forms["patient"] = drawn(PATIENT)
    return forms


def kept_games():
    """Games that the program once misjudged, or refused in part, by the names of their files."""
    found = {}
    for path in sorted((Path(__file__).parent / "kept_games").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        found[f"kept {path.stem}"] = Family(
            lines[0]["kind"],
            same(lines),
            widest=1e-12,
            refusals=(("a policy of ", 1.0),),
        )
    return found


def same(lines):
    return lambda rng, kind: lines


def uniform_policy(lines):
    """Even weights, as `{state: {player: weights in units of 2^-62}}`."""
    policy = {}
    for line in lines:
        if "cells" in line:
            policy[line["id"]] = {player: even(len(line[player.lower()])) for player in "AB"}
    return policy


def even(count):
    weights = [WHOLE // count] * count
    weights[-1] += WHOLE - sum(weights)
    return weights


def random_policy(lines, rng):
    """Random weights, many of them 0 or a few units of 2^-62."""
    policy = {}
    for line in lines:
        if "cells" in line:
            policy[line["id"]] = {player: uneven(len(line[player.lower()]), rng) for player in "AB"}
    return policy


def uneven(count, rng):
    rest, unit, weights = WHOLE, rng.choice([1, 1 << 20, 1 << 50, 1 << 60]), []
    for _ in range(count - 1):
        weights.append(min(rest, rng.choice([0, 1, 3]) * unit))
        rest -= weights[-1]
    weights.append(rest)
    rng.shuffle(weights)
    return weights


def policy_csv(lines, policy):
    """The policy as the program reads it."""
    rows = ["state,player,action,probability"]
    for line in lines:
        for player in "AB" if "cells" in line else "":
            for action, weight in zip(line[player.lower()], policy[line["id"]][player]):
                rows.append(f"{line['id']},{player},{action},{Fraction(weight, WHOLE)}")
    return "\n".join(rows) + "\n"
