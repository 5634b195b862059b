"""The rules of the game, written again from the README and independently of the package, for comparison."""

from __future__ import annotations

from fractions import Fraction

TWO_ONE = (2, 1, 0, -1, -2)


def turn(state: tuple[int, int, int], bid_a: int, bid_b: int, motion: str = "net") -> tuple[int, int, int]:
    """The state after a turn."""
    a, b, ball = state
    if bid_a > bid_b:
        ball = 1 if motion == "net" and ball < 0 else ball + 1
    elif bid_b > bid_a:
        ball = -1 if motion == "net" and ball > 0 else ball - 1
    return a - bid_a, b - bid_b, ball


def won(state: tuple[int, int, int], field: int = 2, payoffs: tuple[float | Fraction, ...] = TWO_ONE) -> float | None:
    """A's payoff, or None while the game goes on."""
    a, b, ball = state
    out_a, side_b, draw, side_a, out_b = payoffs
    if ball == field + 1:
        return float(out_a)
    if ball == -field - 1:
        return float(out_b)
    if a or b:
        return None
    return float(side_b if ball > 0 else side_a if ball < 0 else draw)


def bids(points: int) -> range:
    """The bids that an account allows."""
    return range(1, points + 1) if points else range(1)
