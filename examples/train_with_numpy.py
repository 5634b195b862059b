"""A toy learner in numpy whose policy the command line judges.

Usage: train_with_numpy.py FOLDER PROGRAM..., for example train_with_numpy.py /tmp cargo run --release --quiet --

It plays by the article's rules: bids in proportion to weights, and the winner's bids gain 1. The file it writes is the article's matrix: a row of weights
for every state, looked up by the own points, the opponent's points, and the ball counted toward the opponent's end.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy

POINTS, FIELD, GAMES = 8, 2, 20_000


def beginner():
    """Weight 1 for every legal bid."""
    own, _, _, bid = numpy.indices((POINTS + 1, POINTS + 1, 2 * FIELD + 1, POINTS + 1))
    return ((bid >= numpy.minimum(own, 1)) & (bid <= own)).astype(float)


def play(weights, random):
    """One game; what both players bid, and the ball at the end."""
    points, ball, turns = [POINTS, POINTS], 0, ([], [])
    while any(points) and abs(ball) <= FIELD:
        bids = []
        for player, sign in enumerate((1, -1)):
            state = points[player], points[1 - player], FIELD + sign * ball
            sums = numpy.cumsum(weights[state])
            bids.append(int(numpy.searchsorted(sums, random.random() * sums[-1], side="right")))
            turns[player].append((*state, bids[player]))
        points = [points[0] - bids[0], points[1] - bids[1]]
        if bids[0] > bids[1]:
            ball = max(ball + 1, 1)
        elif bids[0] < bids[1]:
            ball = min(ball - 1, -1)
    return turns, ball


def exploitability(weights, folder, program):
    """What the program says about these weights."""
    path = folder / "learned_with_numpy.npz"
    numpy.savez_compressed(path, weights=weights.reshape(-1, POINTS + 1))
    command = [*program, "exploit", str(path), "--points", str(POINTS), "--format", "json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["exploitability"]


def main():
    """Learns, and is judged before and after."""
    folder, program = Path(sys.argv[1]), sys.argv[2:]
    weights, random = beginner(), numpy.random.default_rng(2012)
    before = exploitability(weights, folder, program)
    for _ in range(GAMES):
        turns, ball = play(weights, random)
        if ball != 0:
            for place in turns[0 if ball > 0 else 1]:
                # With an empty account there is nothing to learn.
                weights[place] += place[3] > 0
    after = exploitability(weights, folder, program)
    print(f"exploitability {before:.4f} before and {after:.4f} after {GAMES} games")
    assert after < before / 2, "it has learned nothing"


main()
