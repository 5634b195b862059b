"""The rules of some examples once more, for `docs/check_game_proof.py`: nothing in common with them but the order of what follows."""

from fractions import Fraction


def size(cards):
    """The number of cards of a set of bits."""
    return bin(cards).count("1")


class Blotto:
    """`examples/blotto.rs` with six soldiers and three hills."""

    def starts(self):
        return [(a, b, 3, 0) for a in range(7) for b in range(7)]

    def turn(self, state):
        a, b, hills, lead = state
        return (lead > 0) - (lead < 0) if hills == 0 or abs(lead) > hills else (range(a + 1), range(b + 1))

    def after(self, state, a, b):
        own, other, hills, lead = state
        return own - a, other - b, hills - 1, lead + (a > b) - (a < b)

    def canonical(self, state):
        a, b, hills, lead = state
        return ((b, a, hills, -lead), True) if a < b or (a == b and lead < 0) else (state, False)


class Soccer:
    """`examples/markov_soccer.rs` at a discount of 9/10. A state has both squares and the ball: a player's number, or a square."""

    kind, discount = "discounted", Fraction(9, 10)
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))

    def starts(self):
        return [((2, 1), (1, 3), (1, 2)), ((2, 1), (1, 3), (2, 2))]

    def turn(self, state):
        return {"A has scored": 1, "B has scored": -1}[state] if isinstance(state, str) else (range(5), range(5))

    def after(self, state, a, b):
        first = self.step(self.step(state, 0, a), 1, b)
        second = self.step(self.step(state, 1, b), 0, a)
        return [(first, Fraction(1, 2)), (second, Fraction(1, 2))]

    def step(self, state, player, action):
        if isinstance(state, str):
            return state
        squares, ball = list(state[:2]), state[2]
        row, column = (old + step for old, step in zip(squares[player], self.steps[action]))
        if ball == player and row in (1, 2) and column == (5, -1)[player]:
            return f"{'AB'[player]} has scored"
        if (row, column) == squares[1 - player]:
            return (*squares, 1 - player if ball == player else ball)
        if row in range(4) and column in range(5):
            squares[player] = row, column
        return (*squares, player if ball == squares[player] else ball)


class Goofspiel:
    """`examples/goofspiel.rs` with four cards in points; hands and piles are bits."""

    cards = 4

    def ordered(self, a, b):
        """Of the hands only the order counts."""
        held = [card for card in range(self.cards) if (a | b) >> card & 1]
        return tuple(sum((hand >> card & 1) << place for place, card in enumerate(held)) for hand in (a, b))

    def starts(self):
        every = 2**self.cards - 1
        return [(every, every, every, 0)]

    def turn(self, state):
        hand, _, _, prize = state
        bids = range(size(hand) if prize else 1)
        return (bids, bids) if hand else 0

    def bids(self, state, a, b):
        return [[card for card in range(self.cards) if hand >> card & 1][bid] for hand, bid in zip(state, (a, b))]

    def after(self, state, a, b):
        own, other, pile, prize = state
        if not prize:
            drawn = [card for card in range(self.cards) if pile >> card & 1]
            return [((own, other, pile - 2**card, card + 1), Fraction(1, len(drawn))) for card in drawn]
        one, two = self.bids(state, a, b)
        return own - 2**one, other - 2**two, pile, 0

    def reward(self, state, a, b):
        one, two = self.bids(state, a, b)
        return state[3] * ((one > two) - (one < two))

    def canonical(self, state):
        a, b = self.ordered(*state[:2])
        return (min(a, b), max(a, b), *state[2:]), a > b
