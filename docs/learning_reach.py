"""How often a policy meets a state when it plays against itself, and how A bids there: learning_reach.py POLICY.npz STATE..."""

import sys

import numpy

FIELD = 2


def moved(ball, bid_a, bid_b):
    """Where the ball goes."""
    return max(ball + 1, 1) if bid_a > bid_b else min(ball - 1, -1) if bid_a < bid_b else ball


def reached(policy_a, policy_b):
    """The probability of every state, carried forward from the start."""
    points_a, points_b = policy_a.shape[0] - 1, policy_a.shape[1] - 1
    share = numpy.zeros(policy_a.shape[:3])
    share[points_a, points_b, FIELD] = 1
    # Accounts only fall, so that all games that lead to a state have been counted before it.
    for a, b in sorted(numpy.ndindex(share.shape[:2]), key=sum, reverse=True):
        for place in range(2 * FIELD + 1) if a + b > 0 else ():
            here = share[a, b, place]
            for bid_a in numpy.flatnonzero(policy_a[a, b, place]) if here > 0 else ():
                for bid_b in numpy.flatnonzero(policy_b[a, b, place]):
                    ball = moved(place - FIELD, bid_a, bid_b)
                    if abs(ball) <= FIELD:
                        both = policy_a[a, b, place, bid_a] * policy_b[a, b, place, bid_b]
                        share[a - bid_a, b - bid_b, FIELD + ball] += here * both
    return share


def main():
    """Prints a line for every state."""
    policy = dict(numpy.load(sys.argv[1]))
    share = reached(policy["policy_a"], policy["policy_b"])
    for state in sys.argv[2:]:
        accounts, ball = state.split("@")
        place = (*map(int, accounts.split(":")), FIELD + int(ball))
        row = policy["policy_a"][place]
        bids = ", ".join(f"{bid}: {100 * row[bid]:.1f} %" for bid in numpy.flatnonzero(row > 0.01))
        print(f"{state} is met in {100 * share[place]:.2f} % of the games; A bids {bids}")


main()
