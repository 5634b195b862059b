#!/usr/bin/env python3
"""Whether blind Tennis ever needs a bid above the other's most possible points plus one: blind_bids.py POINTS

Every game with up to POINTS points each is written in sequence form here, anew, and solved by a linear programme (SciPy): with
all bids, with these bids struck off A's side alone, and off B's alone. Where neither changes the value, striking off both does not
change it either. Prints for each motion and scoring how many games have such bids, and the largest difference; and the same for all
bids above the other's most possible points, and above one less, so that one sees that there can be a difference.
"""

import sys
from collections import defaultdict
from itertools import product

import numpy
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

FIELD = 2
MORE = (1, 0, -1)
SCORINGS = [(2, 1, 0, -1, -2), (1, 1, 0, -1, -1), (3, 1, 1, 0, -2)]


def over_the_net(ball, bid_a, bid_b):
    """Where the ball goes: to the loser's side of the net, at least."""
    return max(ball + 1, 1) if bid_a > bid_b else min(ball - 1, -1) if bid_a < bid_b else ball


def step(ball, bid_a, bid_b):
    """Where the ball goes: a field."""
    return ball + (bid_a > bid_b) - (bid_a < bid_b)


class Side:
    """A player's sequences of bids, numbered, and the sets of information they lead to."""

    def __init__(self):
        self.sequences = {((), ()): 0}
        self.sets = defaultdict(dict)  # what is known: {bid: sequence}
        self.parents = {}
        self.most = defaultdict(int)

    def bid(self, bids, balls, bid):
        """The number of the sequence that ends with this bid."""
        return self.sets[bids, balls].setdefault(bid, self.sequences.setdefault((bids + (bid,), balls), len(self.sequences)))

    def above(self, more):
        """The sequences that end with a bid above the other's most possible points and so many more."""
        least = {known: max(most + more, 1) for known, most in self.most.items()}
        return [number for known, bids in self.sets.items() for bid, number in bids.items() if bid > least[known]]


def tree(points_a, points_b, ball, motion, payoffs):
    """Both sides, and the payoff of each pair of sequences that ends a game."""
    sides, leaves = (Side(), Side()), defaultdict(float)

    def visit(bids, left, balls, last):
        ball = balls[-1]
        if abs(ball) > FIELD or left == (0, 0):
            leaves[last] += payoffs[0 if ball > FIELD else 4 if ball < -FIELD else 1 if ball > 0 else 3 if ball < 0 else 2]
            return
        for side, own, other, sequence in zip(sides, bids, left[::-1], last):
            side.parents[own, balls] = sequence
            side.most[own, balls] = max(side.most[own, balls], other)
        choices = [range(1, points + 1) if points else (0,) for points in left]
        for pair in product(*choices):
            after = tuple(side.bid(own, balls, bid) for side, own, bid in zip(sides, bids, pair))
            ball_after = motion(ball, *pair)
            visit(tuple(own + (bid,) for own, bid in zip(bids, pair)), tuple(points - bid for points, bid in zip(left, pair)),
                  balls + (ball_after,), after)

    visit(((), ()), (points_a, points_b), (ball,), (0, 0))
    return sides, leaves


def differences(points_a, points_b, ball, motion, payoffs):
    """How far the value moves without bids above the other's most possible points and so many more; None where none is."""
    (a, b), leaves = tree(points_a, points_b, ball, motion, payoffs)
    plans, sets = len(a.sequences), {known: number for number, known in enumerate(b.sets)}
    # Variables: A's realisation plan, then the worth of each set of B's; the first is that of the start, or of no bid.
    width = plans + 1 + len(sets)
    replies = lil_matrix((len(b.sequences), width))
    for (own, other), payoff in leaves.items():
        replies[other, own] -= payoff
    replies[0, plans] += 1
    for known, number in sets.items():
        replies[b.parents[known], plans + 1 + number] -= 1
        for sequence in b.sets[known].values():
            replies[sequence, plans + 1 + number] += 1
    whole = lil_matrix((1 + len(a.sets), width))
    whole[0, 0] = 1
    for row, (known, bids) in enumerate(a.sets.items(), 1):
        whole[row, a.parents[known]] = -1
        for sequence in bids.values():
            whole[row, sequence] = 1
    ones = numpy.zeros(1 + len(a.sets))
    ones[0] = 1
    goal = numpy.zeros(width)
    goal[plans] = -1
    replies, whole = replies.tocsr(), whole.tocsr()

    def solve(barred_a, barred_b):
        kept = numpy.setdiff1d(numpy.arange(len(b.sequences)), barred_b)
        limits = [(0, 1)] * plans + [(None, None)] * (width - plans)
        for sequence in barred_a:
            limits[sequence] = (0, 0)
        result = linprog(goal, replies[kept], numpy.zeros(len(kept)), whole, ones, limits, method="highs")
        return -result.fun

    def difference(more):
        barred_a, barred_b = [side.above(more) for side in (a, b)]
        alone = ([solve(barred_a, [])] if barred_a else []) + ([solve([], barred_b)] if barred_b else [])
        return max((abs(value - every) for value in alone), default=None)

    every = solve([], [])
    return [difference(more) for more in MORE]


def main(most):
    """Prints three lines for every motion and scoring."""
    for motion, payoffs in product((over_the_net, step), SCORINGS):
        states = product(range(1, most + 1), range(1, most + 1), range(-FIELD, FIELD + 1))
        for more, found in zip(MORE, zip(*(differences(*state, motion, payoffs) for state in states))):
            found = [difference for difference in found if difference is not None]
            game = f"{motion.__name__} {','.join(map(str, payoffs))}, {more:+}"
            print(f"{game}: {len(found)} games, values differ by {max(found):.1e} at most", flush=True)


main(int(sys.argv[1]))
