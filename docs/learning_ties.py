#!/usr/bin/env python3
"""A search that chooses otherwise where several strategies are optimal: learning_ties.py DEPTH nothing|uniform OUT.npz

The same as `lookahead:DEPTH` of 50 points each, written anew: at the leaves every state is worth nothing, or what comes out when
both bid at random. A matrix game with a saddle point is played by the first row that has one, any other as the linear
programmes of SciPy (HiGHS) say. `pencil-tennis exploit OUT.npz` judges what is written.
"""

import sys

import numpy
from scipy.optimize import linprog

POINTS, FIELD = 50, 2


def moved(ball, sign):
    """Where the ball goes when A bids more (1), less (-1) or the same (0)."""
    return max(ball + 1, 1) if sign > 0 else min(ball - 1, -1) if sign < 0 else ball


def stage_game(values, a, b, ball):
    """What A wins after each pair of bids: rows are A's bids, rising."""
    lowest_a, lowest_b = min(a, 1), min(b, 1)
    # Accounts that are left, by A's and by B's bid.
    left_a, left_b = a - numpy.arange(lowest_a, a + 1), b - numpy.arange(lowest_b, b + 1)
    bids = numpy.sign((a - left_a)[:, None] - (b - left_b)[None, :])
    game = numpy.empty(bids.shape)
    for sign in (-1, 0, 1):
        after = moved(ball, sign)
        worth = values[numpy.ix_(left_a, left_b)][:, :, FIELD + after] if abs(after) <= FIELD else 2.0 * numpy.sign(after)
        game = numpy.where(bids == sign, worth, game)
    return game


def solved(game):
    """The value and an optimal strategy of A."""
    lows = game.min(axis=1)
    best = int(lows.argmax())
    if lows[best] == game.max(axis=0).min():
        return lows[best], numpy.eye(len(game))[best]
    rows, columns = game.shape
    goal = numpy.r_[numpy.zeros(rows), -1]
    limits = [(0, None)] * rows + [(None, None)]
    result = linprog(goal, numpy.c_[-game.T, numpy.ones(columns)], numpy.zeros(columns),
                     [numpy.r_[numpy.ones(rows), 0]], [1], limits, method="highs")
    strategy = numpy.clip(result.x[:-1], 0, None)
    return result.x[-1], strategy / strategy.sum()


def states():
    """All states in which somebody has points, by the points of both."""
    accounts = sorted(numpy.ndindex(POINTS + 1, POINTS + 1), key=sum)[1:]
    return ((a, b, ball) for a, b in accounts for ball in range(-FIELD, FIELD + 1))


def main(depth, leaves, out):
    """Searches, and writes the policy of both."""
    values = numpy.zeros((POINTS + 1, POINTS + 1, 2 * FIELD + 1))
    values[0, 0] = numpy.sign(range(-FIELD, FIELD + 1))
    if leaves == "uniform":
        for a, b, ball in states():
            values[a, b, FIELD + ball] = stage_game(values, a, b, ball).mean()
    for _ in range(depth):
        after, policy = values.copy(), numpy.zeros((*values.shape, POINTS + 1))
        for a, b, ball in states():
            value, strategy = solved(stage_game(values, a, b, ball))
            after[a, b, FIELD + ball] = value
            policy[a, b, FIELD + ball, min(a, 1) : a + 1] = strategy
        values = after
    # B sees the mirror image.
    numpy.savez_compressed(out, policy_a=policy, policy_b=policy.transpose(1, 0, 2, 3)[:, :, ::-1])


main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
