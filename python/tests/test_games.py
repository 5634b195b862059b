"""Many games at once play by independently written rules."""

from fractions import Fraction

import numpy as np
import pytest
from retelling import bids, turn, won

import pencil_tennis
from pencil_tennis import Games, Rules

FAMILY = [
    (Rules(), (9, 9), (2, 1, 0, -1, -2)),
    (Rules.footsteps(), (12, 7), (1, 0, 0, 0, -1)),
    (Rules.oshi_zumo(3), (8, 8), (1, 1, 0, -1, -1)),
    (Rules(1, "net", "1,1/2,1/3,0,-2"), (5, 11), (1, Fraction(1, 2), Fraction(1, 3), 0, -2)),
]


def random_bids(games: Games, random: np.random.Generator) -> list[np.ndarray]:
    """A legal bid of A and of B in every game."""
    accounts = games.states()[:, :2].T.astype(np.int64)
    return [random.integers(np.minimum(account, 1), account + 1) for account in accounts]


@pytest.mark.parametrize(("rules", "points", "payoffs"), FAMILY)
def test_games_are_played_by_the_rules(rules, points, payoffs):
    random, games = np.random.default_rng(1), Games(300, points, rules)
    expected = [(*points, 0)] * len(games)
    turns = 0
    while games.running:
        bids_a, bids_b = random_bids(games, random)
        running = games.step(bids_a, bids_b)
        for game, state in enumerate(expected):
            if won(state, rules.field, payoffs) is None:
                expected[game] = turn(state, int(bids_a[game]), int(bids_b[game]), rules.motion)
                turns += 1
        ends = [won(state, rules.field, payoffs) for state in expected]
        assert games.states().tolist() == [list(state) for state in expected]
        assert games.over().tolist() == [end is not None for end in ends]
        assert games.payoffs().tolist() == [end or 0.0 for end in ends]
        assert running == games.running == ends.count(None)
    assert turns > 300


def test_the_other_player_sees_the_mirror_image():
    games = Games(2, points=(5, 4))
    games.step([3, 1], [1, 2])
    assert games.observe("A").tolist() == [[2, 3, 1], [4, 2, -1]]
    assert games.observe("B").tolist() == [[3, 2, -1], [2, 4, 1]]
    assert np.array_equal(games.states(), games.observe("A"))


@pytest.mark.parametrize("player", ["A", "B"])
def test_masks_allow_the_bids_of_the_account(player):
    random, games = np.random.default_rng(2), Games(50, points=(6, 9))
    while games.running:
        games.step(*random_bids(games, random))
        accounts = games.observe(player)[:, 0]
        expected = [[bid in bids(account) for bid in range((6 if player == "A" else 9) + 1)] for account in accounts]
        assert games.mask(player).tolist() == expected


def test_arrays_are_filled_in_place():
    games = Games(3, points=4)
    seen, mask = np.empty((3, 3), np.int32), np.empty((3, 5), np.bool_)
    over, payoffs = np.empty(3, np.bool_), np.empty(3)
    assert games.observe("B", out=seen) is seen and games.mask("A", out=mask) is mask
    assert games.over(out=over) is over and games.payoffs(out=payoffs) is payoffs
    assert seen.tolist() == [[4, 4, 0]] * 3 and mask.tolist() == [[False, True, True, True, True]] * 3
    with pytest.raises(ValueError, match=r"out has the shape \[3, 4\]; expected \[3, 5\]"):
        games.mask("A", out=np.empty((3, 4), np.bool_))


def test_a_refused_turn_changes_nothing():
    games = Games(3, points=4)
    for bids_a, bids_b, sentence in [
        ([1, 1, 1], [1, 5, 1], r"game 1: B cannot bid 5: with 4 points left bids are 1 to 4"),
        ([1, 1, 0], [1, 1, 1], r"game 2: A cannot bid 0: with 4 points left bids are 1 to 4"),
        ([-1, 1, 1], [1, 1, 1], r"game 0: A cannot bid -1"),
        ([1, 1, 2**40], [1, 1, 1], r"game 2: A cannot bid 1099511627776"),
    ]:
        with pytest.raises(pencil_tennis.GameError, match=sentence):
            games.step(bids_a, bids_b)
        assert games.states().tolist() == [[4, 4, 0]] * 3
    with pytest.raises(ValueError, match=r"bids_b has the shape \[2\]; expected \[3\]"):
        games.step([1, 1, 1], [1, 1])
    with pytest.raises(TypeError, match="same_kind"):
        games.step([1.5, 1, 1], [1, 1, 1])


def test_bids_come_in_any_integers():
    for kind in (np.int8, np.uint16, np.int32, np.uint64):
        games = Games(2, points=4)
        games.step(np.array([2, 3], kind), np.array([[1, 0], [1, 0]], kind)[:, 0])
        assert games.states().tolist() == [[2, 3, 1], [1, 3, 1]]


def test_games_start_anywhere_and_again():
    games = Games(3, points=(6, 5))
    games.reset([[4, 3, -2], [0, 0, 1], [6, 5, 0]])
    assert games.running == 2 and games.payoffs().tolist() == [0, 1, 0]
    games.step([1, 99, 2], [2, 99, 1])
    assert games.states().tolist() == [[3, 1, -3], [0, 0, 1], [4, 4, 1]] and games.payoffs().tolist() == [-2, 1, 0]
    assert games.restart() == 2 and games.running == 3
    assert games.states().tolist() == [[6, 5, 0], [6, 5, 0], [4, 4, 1]] and not games.over().any()
    for states, sentence in [
        ([[7, 5, 0]] * 3, "game 0: 7:5 points are not possible; expected 0 to 6 of A and 0 to 5 of B"),
        ([[6, -1, 0]] * 3, "6:-1 points"),
        ([[6, 5, 0], [6, 5, 3], [6, 5, 0]], r"game 1: ball 3 is outside the field -2 to 2"),
    ]:
        with pytest.raises(pencil_tennis.GameError, match=sentence):
            games.reset(states)
    with pytest.raises(ValueError, match=r"states has the shape \[2, 3\]; expected \[3, 3\]"):
        games.reset([[6, 5, 0]] * 2)
    games.reset()
    assert games.states().tolist() == [[6, 5, 0]] * 3


def test_impossible_games_are_refused():
    for points in (0, (5, 0), -3, 70_000):
        with pytest.raises(pencil_tennis.Error, match="points are not possible"):
            Games(1, points)
    with pytest.raises(pencil_tennis.GameError, match="`C` is not a player"):
        Games(1).observe("C")
    assert repr(Games(7, 5)) == "<7 games of 5:5 points by Rules(field=2, motion='net', scoring='two-one'), 7 not over>"


def test_random_games_lose_as_much_as_they_should():
    # A's mean payoff from 4:3@-2 when both bid at random, summed over all games by the independent rules.
    def value(state: tuple[int, int, int]) -> Fraction:
        end = won(state)
        if end is not None:
            return Fraction(end)
        choices = [(x, y) for x in bids(state[0]) for y in bids(state[1])]
        return sum((value(turn(state, *pair)) for pair in choices), Fraction(0)) / len(choices)

    exact = value((4, 3, -2))
    count = 40_000
    random, games = np.random.default_rng(3), Games(count, points=4)
    games.reset([[4, 3, -2]] * count)
    while games.running:
        games.step(*random_bids(games, random))
    payoffs = games.payoffs()
    # Four standard errors: one run in sixteen thousand would fail by chance, and the seed is fixed.
    assert abs(payoffs.mean() - float(exact)) < 4 * payoffs.std() / count**0.5
