"""Checks what B's strategies in shares concede for large accounts, by a program of its own (docs/limit.md has the theorem).

    STRATEGIES=shares.txt cargo run --release --example large_accounts -- 2
    cargo run --release -- export values 200 -o values.csv
    python docs/check_large_accounts.py shares.txt values.csv

Needs numpy. The first line of the file has the steps, the middle cell and the turns; every other line a ball (0 for A's last
field), a cell, and parts of B's strategy: from, to, weight. With the values of a solved game, all states that the theorem
covers are compared after 10, 20, 40 and all turns.
"""

import csv
import math
import sys

import numpy as np

UNIT = 2**32
WORST, BEST = -2 * UNIT, 2 * UNIT
BALLS = range(-2, 3)
# With so many steps, and ratios up to e^30, doubles err by less than 1e-8 of a step.
MOST_STEPS, LARGEST_LOGARITHM = 10**6, 30


def read(path):
    """The steps, the middle cell, the turns, and the strategies by ball and cell."""
    with open(path, encoding="ascii") as file:
        steps, middle, turns = map(int, next(file).split())
        if not (0 < steps <= MOST_STEPS and 0 <= middle <= LARGEST_LOGARITHM * steps and turns > 0):
            raise ValueError(f"no header: {steps} steps, middle {middle}, {turns} turns")
        strategies = {}
        for line in file:
            ball, cell, *parts = map(int, line.split())
            if len(parts) % 3 or not parts:
                raise ValueError(f"a line is cut: {line:.60}")
            strategy = np.array(parts, dtype=np.int64).reshape(-1, 3).T
            first, end, weight = strategy
            are_bids = (0 <= first).all() and (first < end).all() and (weight > 0).all()
            if not (0 <= ball < 5 and 0 <= cell <= 2 * middle and are_bids):
                raise ValueError(f"no strategy: {line:.60}")
            if (first[1:] < first[:-1]).any() or int((weight * (end - first)).sum()) >= 2**25:
                raise ValueError(f"bids that do not rise, or weights too large: {line:.60}")
            if (ball - 2, cell) in strategies:
                raise ValueError(f"two strategies for one ball and cell: {line:.60}")
            strategies[ball - 2, cell] = strategy
    return steps, middle, turns, strategies


class Sums:
    """Sums of bounds over ranges of cells; what lies beyond counts as the first cell, or as A's best payoff."""

    def __init__(self, bounds, above):
        self.up_to = np.concatenate([[0], np.cumsum(bounds)])
        self.below, self.above, self.last = bounds[0], above, len(bounds)

    def __call__(self, cells):
        inside = self.up_to[np.clip(cells, 0, self.last)]
        return inside + np.minimum(cells, 0) * self.below + np.maximum(cells - self.last, 0) * self.above


def replies(steps, middle, cell, strategy):
    """A's replies to a strategy, the bids that it names, and the cells to which they lead."""
    numbers = np.unique(np.concatenate([[0], *(np.arange(first, end) for first, end in strategy[:2].T)]))
    left = math.exp((cell - middle) / steps) - (1 - np.exp(-numbers / steps)) + 1e-12
    numbers, left = numbers[left > 0], left[left > 0]
    kept = np.floor(np.log(left) * steps + 1e-7).astype(np.int64) + 1 + middle
    # The least bid leaves A's ratio as it is.
    kept[0] = cell
    return numbers, kept


def check(steps, middle, turns, strategies):
    """After every turn: its number, and the bounds by ball and cell that the strategies prove, from A's best payoff on."""
    prepared = {place: (strategy, *replies(steps, middle, place[1], strategy)) for place, strategy in strategies.items()}
    bounds = {ball: np.full(2 * middle + 1, BEST, dtype=np.int64) for ball in BALLS}
    for turn in range(1, turns + 1):
        sums = {ball: Sums(row, BEST) for ball, row in bounds.items()}
        sums[-3], sums[3] = Sums(np.array([WORST]), WORST), Sums(np.array([BEST]), BEST)
        better = {}
        for (ball, cell), ((first, end, weight), numbers, kept) in prepared.items():
            hit, missed = sums[max(ball + 1, 1)], sums[min(ball - 1, -1)]
            cut = np.clip(numbers[:, None] + 1, first, end)
            kept = kept[:, None]
            worth = hit(kept + cut) - hit(kept + first) + missed(kept + end) - missed(kept + cut)
            most = int((worth * weight).sum(axis=1).max())
            better[ball, cell] = -(-most // int((weight * (end - first)).sum()))
        for (ball, cell), bound in better.items():
            bounds[ball][cell] = min(int(bounds[ball][cell]), bound)
        yield turn, bounds


def compare(rows, steps, middle, bounds, turns):
    """Compares bounds after these turns with the values of a solved game; the number of states that the theorem covers."""
    compared = 0
    for row in rows:
        a, b, ball = int(row["a"]), int(row["b"]), int(row["ball"])
        if a == 0 or b <= turns:
            continue
        cell = middle + math.ceil(math.log(a / (b - turns)) * steps + 1e-9)
        if cell <= 2 * middle:
            compared += 1
            # A value is right to within 1e-15.
            if float(row["value"]) > bounds[ball][max(cell, 0)] / UNIT + 1e-15:
                raise ValueError(f"{a}:{b}@{ball} is worth {row['value']}, above {bounds[ball][max(cell, 0)] / UNIT}")
    return compared


def main():
    steps, middle, turns, strategies = read(sys.argv[1])
    solved = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", newline="") as file:
            solved += csv.DictReader(file)
    compared = 0
    for turn, bounds in check(steps, middle, turns, strategies):
        if turn in (10, 20, 40, turns):
            compared += compare(solved, steps, middle, bounds, turn)
    least = math.ceil(-turns / math.expm1(-1 / steps))
    print(f"{steps} steps, {turns} turns; for every N >= {least} the value lies between")
    for ball in BALLS:
        lower, upper = (math.ceil(bounds[side][middle + 1] / UNIT * 1e4) / 1e4 for side in (-ball, ball))
        print(f"  at N:N@{ball:<3} {-lower:8.4f} and {upper:8.4f}")
    print(f"{compared} values compared")


if __name__ == "__main__":
    main()
