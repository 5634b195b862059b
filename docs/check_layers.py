#!/usr/bin/env python3
"""Checks the layers of Goofspiel for points in a folder, with nothing but Python, in fractions.

    check_layers.py FOLDER CARDS [STATES] [SEED]

Each layer's checksum, the digest of all layers and their largest width are computed anew. Of every layer STATES random states, or
all, are solved by the rules: the exact value of the matrix games over the lower bounds of the layer before has to be at least the
state's lower bound, and that over the upper bounds at most its upper bound. Since a game's value never falls when a payoff rises,
bounds that pass in every state enclose the values. Nothing is shared with the program but the format and the order of states,
below. Without SEED every run draws other states, and prints the seed.

THE FILE OF A LAYER. Integers are little-endian. A file has a header, both bounds of each state (8 bytes each), and a CRC-32 of all
bytes before it (4 bytes).

    bytes    header
    8, 4     GAMLAYER, the version 2
    8        a digest of the game
    4        e: bounds are in units of 2^-e
    4        the layer
    8, 8     states of the layer, states in the file
    8        the largest width of all layers before, in units
    32       SHA-256 of all layers before: the hash of the one in the file before (32 zeros in the first one) and of that file's bounds

Layers of version 1, whose digest of the game did not depend on payoffs and successors, have to be solved again.

THE ORDER OF STATES. In Goofspiel for points a state's rank is the rank of its pair of hands, times the number of piles, plus the
rank of the pile (the prizes left). Piles and hands are ordered as binary numbers with a bit for each card, pairs of different hands
by A's hand, then B's. A's hand is the smaller binary number, and both hands together have the cards 1, 2, 3, ... without a gap. The
pair of equal hands comes last. With `win`, leads follow, up to those sure to win.
"""

import hashlib
import random
import struct
import sys
import zlib
from fractions import Fraction
from itertools import combinations
from pathlib import Path

HEADER = struct.Struct("<8sIQIIQQq32s")


def sets(cards, size):
    """The sets of this size as bits, rising."""
    return sorted(sum(1 << card for card in chosen) for chosen in combinations(range(cards), size))


def listed(bits):
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def ordered(a, b):
    """The hands after cards that neither holds are left out."""
    place = {card: place for place, card in enumerate(sorted({*a, *b}))}
    return [sum(1 << place[card] for card in hand) for hand in (a, b)]


def value(matrix):
    """The exact value of a matrix game of integers, by the simplex method in fractions (Dantzig 1951)."""
    least = min(map(min, matrix)) - 1
    rows, columns = len(matrix), len(matrix[0])
    table = [[Fraction(entry - least) for entry in row] + [Fraction(1)] for row in matrix]
    table.append([Fraction(-1)] * columns + [Fraction(0)])
    basic, nonbasic = list(range(columns, columns + rows)), list(range(columns))
    while True:
        # Bland's rule, which cannot cycle.
        entering = min((j for j in range(columns) if table[-1][j] < 0), key=lambda j: nonbasic[j], default=None)
        if entering is None:
            return least + 1 / table[-1][columns]
        candidates = [i for i in range(rows) if table[i][entering] > 0]
        leaving = min(candidates, key=lambda i: (table[i][columns] / table[i][entering], basic[i]))
        pivot = table[leaving][entering]
        own = [entry / pivot for entry in table[leaving]]
        own[entering] = 1 / pivot
        for i, row in enumerate(table):
            if i != leaving and row[entering]:
                factor = row[entering]
                row[entering] = Fraction(0)
                table[i] = [entry - factor * mine for entry, mine in zip(row, own)]
        table[leaving] = own
        basic[leaving], nonbasic[entering] = nonbasic[entering], basic[leaving]


class Layer:
    """A layer's file, which is whole and goes on from the layer before, and the states that its ranks are."""

    def __init__(self, folder, cards, size, before):
        path = folder / f"layer-{size:03}"
        if not path.is_file():
            sys.exit(f"{path} is missing")
        self.file = path.open("rb")
        header = self.file.read(HEADER.size)
        if len(header) < HEADER.size or header[:12] != b"GAMLAYER" + struct.pack("<I", 2):
            sys.exit(f"{path} is no layer of version 2 of the format")
        _, _, self.game, self.exponent, layer, count, solved, widest, chain = HEADER.unpack(header)
        self.piles = sets(cards, size)
        self.places = {pile: place for place, pile in enumerate(self.piles)}
        # Pairs of unlike hands that together hold the lowest cards, A's the lesser one; then equal hands.
        whole = {(1 << length) - 1 for length in range(cards + 1)}
        self.pairs = [(a, b) for a in self.piles for b in self.piles if a < b and a | b in whole]
        self.pairs.append(((1 << size) - 1,) * 2)
        self.numbers = {pair: number for number, pair in enumerate(self.pairs)}
        self.count = len(self.pairs) * len(self.piles)
        if (layer, count, solved) != (size, self.count, self.count):
            sys.exit(f"{path} is not the whole layer {size} of {cards} cards")
        if (chain, widest) != ((before.digest, before.widest) if before else (bytes(32), 0)):
            sys.exit(f"{path} does not go on from the layers before it")
        if before and (self.game, self.exponent) != (before.game, before.exponent):
            sys.exit(f"{path} is of another game than the layers before it")
        self.widest = widest
        self.digest, checksum = self.read_bounds(path, hashlib.sha256(chain), zlib.crc32(header))
        if self.file.read() != struct.pack("<I", checksum):
            sys.exit(f"{path} has a wrong checksum")

    def read_bounds(self, path, digester, checksum):
        """Reads all bounds, and finds the largest width; returns the digest and the checksum."""
        left = 16 * self.count
        while left:
            block = self.file.read(min(left, 1 << 20))
            if not block or len(block) % 16:
                sys.exit(f"{path} ends too early")
            left -= len(block)
            checksum = zlib.crc32(block, checksum)
            digester.update(block)
            self.widest = max(self.widest, max(high - low for low, high in struct.iter_unpack("<qq", block)))
        return digester.digest(), checksum

    def bounds(self, rank):
        self.file.seek(HEADER.size + 16 * rank)
        return struct.unpack("<qq", self.file.read(16))

    def seen(self, a, b, pile):
        """The bounds of a position; with equal hands it is worth 0, since the players can be exchanged."""
        a, b = ordered(a, b)
        if a == b:
            return 0, 0
        low, high = self.bounds(self.numbers[min(a, b), max(a, b)] * len(self.piles) + self.places[pile])
        return (low, high) if a < b else (-high, -low)


def check(layer, before, rank):
    """How far a state's bounds lie outside the exact ones."""
    (a, b), pile = layer.pairs[rank // len(layer.piles)], layer.piles[rank % len(layer.piles)]
    a, b, lower, upper = listed(a), listed(b), 0, 0
    for prize in listed(pile):
        sides = [], []
        for own in a:
            cells = []
            for other in b:
                low, high = before.seen(set(a) - {own}, set(b) - {other}, pile & ~(1 << prize))
                paid = ((own > other) - (own < other)) * (prize + 1) << layer.exponent
                cells.append((low + paid, high + paid))
            for side, matrix in enumerate(sides):
                matrix.append([cell[side] for cell in cells])
        lower, upper = lower + value(sides[0]), upper + value(sides[1])
    count = max(len(a), 1)
    low, high = layer.bounds(rank)
    if not low <= lower / count or not upper / count <= high:
        exact = f"{lower / count} to {upper / count}"
        sys.exit(f"rank {rank} of layer {len(a)} is worth {exact}, but has the bounds {low} and {high}")
    return max(lower / count - low, high - upper / count)


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    folder, cards = Path(sys.argv[1]), int(sys.argv[2])
    states = int(sys.argv[3]) if len(sys.argv) > 3 else None
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().getrandbits(32)
    draw = random.Random(seed)
    before, checked, loose = None, 0, 0
    for size in range(cards + 1):
        layer = Layer(folder, cards, size, before)
        chosen = range(layer.count) if states is None or states >= layer.count else draw.sample(range(layer.count), states)
        for rank in chosen:
            loose = max(loose, check(layer, before, rank))
        checked += len(chosen)
        print(f"layer {size}: {len(chosen)} of {layer.count} states proved", flush=True)
        before = layer
    print(f"{checked} states proved, seed {seed}, bounds at most {float(loose):.2f} units from the exact ones")
    print(f"widest bounds {before.widest} units, SHA-256 of all bounds {before.digest.hex()}")


if __name__ == "__main__":
    main()
