"""Probabilities as people have them, through every door: what is taken, what it is worth, and what is refused."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games
from pencil_tennis.games._open_spiel import _shares

ENDS = 10


class Draw:
    """One action each, after which chance picks an end that pays its number."""

    def __init__(self, shares: list[Any], kind: str = "acyclic", discount: Any = None) -> None:
        self.shares, self.kind = shares, kind
        if discount is not None:
            self.discount = discount

    def starts(self) -> Any:
        return ["start"]

    def turn(self, state: Any) -> Any:
        return (["go"], ["go"]) if state == "start" else state

    def after(self, state: Any, a: str, b: str) -> Any:
        return dict(enumerate(self.shares))


class ManyDraw:
    """The same as rules for many states; the start is -1."""

    def __init__(self, shares: list[Any]) -> None:
        self.shares = shares

    def starts(self) -> Any:
        return [[-1]]

    def turn_many(self, states: Any) -> Any:
        return np.where(states < 0, 1, 0) * np.ones(2, int), np.maximum(states[:, 0], 0)

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        count = len(self.shares)
        return np.tile(np.arange(count)[:, None], (len(states), 1, 1)), np.tile(np.asarray(self.shares), (len(states), 1))


def arrays(shares: list[Any], **options: Any) -> games.ArrayGame:
    count = len(shares)
    sizes = [[1, 1]] + [[0, 0]] * count
    row = np.array([*shares], object if any(isinstance(share, Fraction) for share in shares) else None)
    return games.from_arrays(sizes, range(-1, count), ([0, count], range(1, count + 1), row), **options)


def softmax(count: int) -> list[Any]:
    powers = np.exp(np.linspace(0.3, 2.1, count))
    return [*(powers / powers.sum())]


FLOATS: list[list[Any]] = [
    [0.1, 0.9],
    [0.1] * 10,
    softmax(3),
    [*map(float, softmax(10))],
    [1 / 3, 2 / 3],
    [0.3, 0.7 - 1e-10],
    [1e-6, 1 - 1e-6],
]


@pytest.mark.parametrize("shares", FLOATS)
def test_floats_are_divided_by_their_sum(shares: list[Any]) -> None:
    total = sum(map(Fraction, shares))
    mean = sum(number * Fraction(share) for number, share in enumerate(shares)) / total
    assert total != 1 and abs(total - 1) < 1e-9
    solved = [games.solve(game) for game in (Draw(shares), ManyDraw(shares), arrays(shares))]
    bounds = {(solution.value.lower, solution.value.upper) for solution in solved}
    # Every door makes the same game, whose probabilities are multiples of 2^-60.
    assert len(bounds) == 1
    for solution in solved:
        assert solution.normalised == 1 and "floats of 1 cells divided by their sum" in repr(solution)
        assert abs(Fraction(solution.value.lower) - mean) < len(shares) ** 2 * Fraction(2, 2**60)
        again = pickle.loads(pickle.dumps(solution))
        assert again.normalised == 1 and again.value == solution.value
    certificate = solved[0].certificate()
    assert games.verify(certificate, Draw(shares)).value == solved[0].value


@pytest.mark.parametrize("shares", FLOATS)
def test_exact_refuses_floats_that_are_no_distribution(shares: list[Any]) -> None:
    for game in (Draw(shares), ManyDraw(shares)):
        with pytest.raises(pt.Error, match=r"exact=True does not divide floats by their sum; expected Fraction\(1, 3\), the text \"0.1\""):
            games.solve(game, exact=True)
    with pytest.raises(pt.Error, match="exact=True does not divide"):
        arrays(shares, exact=True)
    with pytest.raises(pt.Error, match=r"floats of 1 cells .*expected from_arrays\(..., exact=True\)"):
        games.solve(arrays(shares), exact=True)


@pytest.mark.parametrize(
    ("shares", "mean"),
    [
        ([0.5, 0.25, 0.25], Fraction(3, 4)),
        ([1, 2], Fraction(2, 3)),
        ([np.int64(1), 2, 4], Fraction(10, 7)),
        ([Fraction(1, 3), Fraction(2, 3)], Fraction(2, 3)),
    ],
)
def test_exact_numbers_and_integer_weights_are_exact(shares: list[Any], mean: Fraction) -> None:
    for game in (Draw(shares), arrays(shares, exact=True), *([] if isinstance(shares[0], Fraction) else [ManyDraw(shares)])):
        solution = games.solve(game, exact=True)
        assert solution.normalised == 0 and mean in solution.value and solution.value.width < 1e-17
    assert Fraction(9, 10) in games.solve(Draw(["0.1", "0.9"]), exact=True).value


@pytest.mark.parametrize("shares", [[0.1, 0.8], [0.3, 0.7 - 1e-8], [np.float32(0.3), np.float32(0.6)], [Fraction(1, 2), Fraction(1, 3)], ["0.1", "0.8"]])  # fmt: skip
def test_other_sums_are_refused_with_what_helps(shares: list[Any]) -> None:
    with pytest.raises(pt.Error, match=r"sum to .*; expected exactly 1 .* Fraction\(1, 3\) or \"0.1\", 1 within 1e-9 of floats"):
        games.solve(Draw(shares))
    if isinstance(shares[0], float):
        with pytest.raises(pt.Error, match="expected exactly 1"):
            arrays(shares)


def test_shares_that_would_vanish_are_refused() -> None:
    for game in (lambda: Draw([1.0, 1e-30]), lambda: ManyDraw([1.0, 1e-30]), lambda: arrays([1.0, 1e-30])):
        with pytest.raises(pt.Error, match="below 2.-60; expected integer weights"):
            games.solve(game())
    with pytest.raises(pt.Error, match="negative"):
        games.solve(Draw([1.5, -0.5]))


def test_starts_have_weights_too() -> None:
    class Starts(Draw):
        def starts(self) -> Any:
            return dict(enumerate(self.shares))

    for shares, normalised in (([0.1] * 10, 1), ([1, 2, 1], 0), ([0.25, 0.75], 0), ([Fraction(1, 3), Fraction(2, 3)], 0)):
        solution = games.solve(Starts(shares))
        total = sum(map(Fraction, shares))
        assert sum(number * Fraction(share) for number, share in enumerate(shares)) / total in solution.value
        assert solution.normalised == normalised
    with pytest.raises(pt.Error, match="the probabilities of the starts sum to 1 [+] .*exact=True"):
        games.solve(Starts([0.1] * 10), exact=True)
    for wrong in ([0.1] * 9, [1.5, -0.5], [0, 0], ["0.1", "0.8"]):
        with pytest.raises(pt.Error, match="the probabilities of the starts sum to"):
            games.solve(Starts(wrong))


def test_a_discount_takes_bits() -> None:
    shares = [0.1, 0.9]
    solution = games.solve(Draw(shares, "discounted", Fraction(9, 10)))
    weights = [*map(Fraction, shares)]
    assert solution.normalised == 1 and abs(Fraction(solution.value.lower) - Fraction(9, 10) * weights[1] / sum(weights)) < 1e-15


def test_chance_of_open_spiel_has_the_same_rule() -> None:
    assert _shares([(3, 1 / 3), (4, 2 / 3)]) == ([(3, Fraction(1, 3)), (4, Fraction(2, 3))], False)
    given = [*map(float, softmax(3))]
    shares, is_normalised = _shares([*enumerate(given)])
    assert is_normalised and sum(share for _, share in shares) == 1
    assert all(abs(share - Fraction(number) / sum(map(Fraction, given))) < Fraction(1, 2**59) for (_, share), number in zip(shares, given, strict=True))
    with pytest.raises(pt.Error, match="a node of chance sum to 0.9"):
        _shares([(0, 0.25), (1, 0.65)])
