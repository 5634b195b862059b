#!/usr/bin/env python3
"""Check a tennis certificate: compute proved bounds of the value of every state from the file alone.

    python3 docs/check_certificate.py FILE [BOUNDS.csv]

The format and the proof are described in certificate.md, and this program follows that page and nothing else.
It shares no code with the solver that wrote the file. It believes nothing in the file: of a strategy it
computes what that strategy guarantees, so that a poor one makes the bounds wide, not false. All computing is
done with Python's integers and fractions, which are exact; floats occur only in the text that is printed.

Exit status: 0 the bounds are proved, 1 the file is refused (or cannot be read or written), 2 wrong usage.
"""

import io
import math
import struct
import sys
import zlib
from fractions import Fraction

ONE = 2**62  # the weights of a strategy sum to this
HEADER = "<8sIIBBII10q"
HEADER_SIZE = struct.calcsize(HEADER)


class Refused(Exception):
    """The file is not as the specification describes it."""


def require(condition, complaint):
    """Refuse the file with this complaint unless the condition holds."""
    if not condition:
        raise Refused(complaint)


class Game:
    """The rules, the points and the bounds of the ends, from the header of the file."""

    def __init__(self, data):
        """Read and check the header and the checksum."""
        require(len(data) >= HEADER_SIZE + 4, "the file is too short for a certificate")
        letters, version, self.field, self.motion, self.mirror, self.most_a, self.most_b, *numbers = \
            struct.unpack(HEADER, data[:HEADER_SIZE])
        require(letters == b"TENNISPF", "the file does not begin with the letters TENNISPF")
        require(version in (1, 2, 3), f"version {version} of the format is not known")
        require(zlib.crc32(data[:-4]) == int.from_bytes(data[-4:], "little"), "the checksum does not fit")
        require(1 <= self.field <= 99, "the half-width of the field is not from 1 to 99")
        # Version 2: the smallest bid is 0, the motion 2 or 3. Version 3: 4 or 5 favours A, 8 or 9 favours B.
        require(self.motion in {1: (0, 1), 2: (2, 3), 3: (4, 5, 8, 9)}[version], "the motion is none of this version")
        self.favoured = {2: "A", 4: "B"}.get(self.motion // 2)
        smallest = 0 if version == 2 else 1
        self.min_bid_a, self.min_bid_b = (0 if self.favoured == player else smallest for player in "AB")
        self.motion %= 2
        require(self.mirror in (0, 1), "the mirror flag is neither 0 nor 1")
        require(1 <= self.most_a <= 65535 and 1 <= self.most_b <= 65535, "the points are not from 1 to 65535")
        require(all(denominator > 0 for denominator in numbers[1::2]), "a denominator is not positive")
        # The payoffs are out_a, stay_a, draw, stay_b, out_b; a Fraction is always in lowest terms.
        self.payoffs = [Fraction(*pair) for pair in zip(numbers[0::2], numbers[1::2])]
        require(numbers == [n for p in self.payoffs for n in (p.numerator, p.denominator)],
                "a payoff is not in lowest terms")
        require(all(abs(n) <= 2**60 for n in numbers), "a payoff has a number above 2^60")
        require(self.mirror == 0 or self.favoured is None, "the mirror flag is set, but the rules favour a player")
        require(self.mirror == 0 or self.payoffs == [-p for p in reversed(self.payoffs)],
                "the mirror flag is set, but the scoring is not antisymmetric")
        # At least half of the states occur in the file, and each that occurs takes at least 8 bytes.
        states = ((self.most_a + 1) * (self.most_b + 1) - 1) * (2 * self.field + 1)
        require(len(data) >= 8 * (states // 2), "the file is too short for its number of points")
        # All bounds are integers in units of 2^-exponent.
        largest = max(abs(p) for p in self.payoffs)
        self.exponent = 0 if largest > 0 else 61
        while 0 < largest * 2**(self.exponent + 1) <= 2**61:
            self.exponent += 1
        units = [p * 2**self.exponent for p in self.payoffs]
        self.ends = [(math.floor(p), math.ceil(p)) for p in units]

    def balls(self):
        """All positions of the ball on the field."""
        return range(-self.field, self.field + 1)

    def states(self):
        """All states with points left, in the order of the file."""
        for total in range(1, self.most_a + self.most_b + 1):
            for a in range(max(0, total - self.most_b), min(total, self.most_a) + 1):
                for ball in self.balls():
                    yield a, total - a, ball

    def move(self, ball, bid_a, bid_b):
        """Where the ball goes after these bids."""
        if bid_a > bid_b or bid_a == bid_b and self.favoured == "A":
            return 1 if self.motion == 0 and ball <= 0 else ball + 1
        if bid_a < bid_b or self.favoured == "B":
            return -1 if self.motion == 0 and ball >= 0 else ball - 1
        return ball

    def end(self, a, b, ball):
        """The bounds of the end that this is, or None where the game goes on."""
        if abs(ball) > self.field:
            return self.ends[0 if ball > 0 else 4]
        if a == b == 0:
            return self.ends[lies(ball)]
        if self.favoured == "A" and b == 0 or self.favoured == "B" and a == 0:
            return self.ends[0 if self.favoured == "A" else 4]  # bids of 0 hit the ball out
        return None


def legal_bids(points, min_bid):
    """All bids of a player with that many points."""
    return range(min(min_bid, points), points + 1)


def read_number(stream, layout):
    """Read the next number of the strategies."""
    data = stream.read(struct.calcsize(layout))
    require(len(data) == struct.calcsize(layout), "the file ends before its last strategy")
    return struct.unpack(layout, data)[0]


def read_strategy(stream, points, min_bid):
    """Read one mixed strategy: a list of (bid, weight) with positive weights that sum to ONE."""
    strategy, last_bid, rest = [], -1, ONE
    count = read_number(stream, "<H")
    require(count >= 1, "a strategy has no bids")
    for index in range(count):
        bid = read_number(stream, "<H")
        require(bid in legal_bids(points, min_bid), "a strategy has an illegal bid")
        require(bid > last_bid, "the bids of a strategy do not rise")
        weight = read_number(stream, "<Q") if index < count - 1 else rest
        require(weight > 0, "a strategy has a weight that is not positive")
        strategy.append((bid, weight))
        last_bid, rest = bid, rest - weight
    return strategy


def prove_state(game, bounds, state, strategy_a, strategy_b):
    """The bounds of a state: what the strategy of each player guarantees against every bid of the other."""
    a, b, ball = state

    def after(bid_a, bid_b):
        """The bounds (lower, upper) of what follows these bids."""
        new = a - bid_a, b - bid_b, game.move(ball, bid_a, bid_b)
        return game.end(*new) or bounds[new]

    endless = game.ends[lies(ball)]
    # Two bids of 0 repeat the state if the smallest bid is 0 for both. (If a player is favoured, they hit the ball.)
    still = game.favoured is None
    lower = min(average([(weight, after(i, j)[0]) for i, weight in strategy_a if i + j > 0 or not still], endless[0])
                for j in legal_bids(b, game.min_bid_b))
    upper = max(-average([(weight, -after(i, j)[1]) for j, weight in strategy_b if i + j > 0 or not still], -endless[1])
                for i in legal_bids(a, game.min_bid_a))
    return lower, upper


def average(weighted, endless):
    """The average of weighted bounds, rounded down; the worth of endless play if every bid repeats the state."""
    total = sum(weight for weight, _ in weighted)
    return sum(weight * bound for weight, bound in weighted) // total if total > 0 else endless


def lies(ball):
    """The place among the ends of a ball that lies here when everything is spent, or nothing is any more."""
    return 1 if ball > 0 else 2 if ball == 0 else 3


def prove(data):
    """Check a whole certificate; return the game and the bounds of all states by (a, b, ball)."""
    game = Game(data)
    stream = io.BytesIO(data[HEADER_SIZE:-4])
    bounds = {(0, 0, ball): game.ends[lies(ball)] for ball in game.balls()}
    for a, b, ball in game.states():
        mirrored = game.mirror == 1 and b <= game.most_a and a <= game.most_b
        if mirrored and (a < b or a == b and ball > 0):
            continue  # not in the file: it gets its bounds from its mirror image
        strategy_a, strategy_b = read_strategy(stream, a, game.min_bid_a), read_strategy(stream, b, game.min_bid_b)
        lower, upper = prove_state(game, bounds, (a, b, ball), strategy_a, strategy_b)
        if mirrored:
            bounds[b, a, -ball] = -upper, -lower
        bounds[a, b, ball] = lower, upper  # comes last for the sake of a state that is its own mirror image
    require(not stream.read(1), "the file has additional bytes after the last strategy")
    return game, bounds


def write_table(path, game, bounds):
    """Write the bounds of all states as a table: integers in units of 2^-exponent."""
    with open(path, "w", encoding="ascii", newline="\n") as table:
        table.write("a,b,ball,lower,upper,exponent\n")
        for (a, b, ball), (lower, upper) in sorted(bounds.items()):
            table.write(f"{a},{b},{ball},{lower},{upper},{game.exponent}\n")


def report(game, bounds):
    """Print what is proved."""
    a, b, unit = game.most_a, game.most_b, Fraction(1, 2**game.exponent)
    lower, upper = bounds[a, b, 0]
    widest = max(upper - lower for lower, upper in bounds.values())
    print(f"rules: field {-game.field} to {game.field}, motion {('net', 'step')[game.motion]}"
          + ("," if game.favoured is None else f", {game.favoured} may bid 0 and hits on ties,")
          + ("" if game.min_bid_a + game.min_bid_b > 0 else " smallest bid 0,"),
          "payoffs out_a {}, stay_a {}, draw {}, stay_b {}, out_b {}".format(*game.payoffs))
    print(f"points: {a} of A, {b} of B; proved are bounds of the values of all {len(bounds)} states")
    print(f"start: {lower * unit} <= value <= {upper * unit}")
    print(f"       (as rounded decimals {float(lower * unit)!r} and {float(upper * unit)!r})")
    print(f"widest enclosure: {widest * unit} (as a rounded decimal {float(widest * unit)!r})")


def main(arguments):
    """Check the certificate that the command line names; return the exit status."""
    if len(arguments) not in (1, 2) or any(argument.startswith("-") for argument in arguments):
        print("usage: check_certificate.py FILE [BOUNDS.csv]", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            data = file.read()
        game, bounds = prove(data)
        if len(arguments) == 2:
            write_table(arguments[1], game, bounds)
    except Refused as complaint:
        print(f"refused: {complaint}", file=sys.stderr)
        return 1
    except (OSError, MemoryError) as error:
        print(f"error: {str(error) or 'not enough memory'}", file=sys.stderr)
        return 1
    report(game, bounds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
