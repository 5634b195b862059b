"""A smallest bid of 0: rules, judged policies and OpenSpiel's own Oshi-Zumo, against recursions that are written here."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest

ZERO = pt.Rules(min_bid=0)
OSHI_ZUMO = pt.Rules.oshi_zumo(1, min_bid=0)


def test_rules_keep_their_smallest_bid() -> None:
    assert ZERO != pt.Rules() and ZERO.min_bid == 0 and pt.Rules().min_bid == 1
    assert repr(OSHI_ZUMO) == "Rules(field=1, motion='step', scoring='win-loss', min_bid=0)"
    assert repr(pt.Rules()) == "Rules(field=2, motion='net', scoring='two-one')"
    for rules in (ZERO, OSHI_ZUMO, pt.Rules()):
        assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == eval(repr(rules), {"Rules": pt.Rules}) == rules
    assert list(ZERO.legal_bids(2)) == [0, 1, 2] and list(pt.Rules().legal_bids(2)) == [1, 2]
    assert ZERO.play("2:1@1", 0, 0) == pt.State(2, 1, 1)
    with pytest.raises(pt.GameError, match="a smallest bid of 2 is not possible; expected 0 or 1"):
        pt.Rules(min_bid=2)


def test_a_solution_has_its_rules_and_values() -> None:
    solution = pt.solve((5, 4), OSHI_ZUMO)
    assert solution.rules == OSHI_ZUMO and pickle.loads(pickle.dumps(solution)).rules == OSHI_ZUMO
    bounds = solution["5:4@0"]
    assert bounds.lower**2 <= Fraction(3, 5) <= bounds.upper**2
    assert pt.exploitability(solution.policy()).upper < 1e-16
    exact = pt.solve((5, 4), OSHI_ZUMO, exact=True)
    assert exact.exact_value("5:4@0") is None and exact.exact_value("1:1@1") == 1


def matrix_game(rows: list[list[Fraction]]) -> tuple[Fraction, Fraction]:
    """The value of a matrix game in fractions, and how often both strategies lead to its first entry: smallest index first."""
    shift = 1 - min(map(min, rows))
    height, width = len(rows), len(rows[0])
    unit = [[Fraction(int(row == column)) for column in range(height)] for row in range(height)]
    # Maximise the sum of y with M y ≤ 1: its optimum is one over the value.
    table = [[entry + shift for entry in row] + unit[place] + [Fraction(1)] for place, row in enumerate(rows)]
    cost = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    while any(number < 0 for number in cost[:-1]):
        column = next(place for place, number in enumerate(cost) if number < 0)
        leaving = min((row[-1] / row[column], basis[place], place) for place, row in enumerate(table) if row[column] > 0)[2]
        basis[leaving] = column
        table[leaving] = [number / table[leaving][column] for number in table[leaving]]
        for line in (*(row for place, row in enumerate(table) if place != leaving), cost):
            line[:] = [number - line[column] * other for number, other in zip(line, table[leaving], strict=True)]
    total = cost[-1]
    first = table[basis.index(0)][-1] if 0 in basis else Fraction(0)
    return 1 / total - shift, first * cost[width] / total**2


def fixed_points(rules: pt.Rules) -> Callable[[int, int, int], Fraction]:
    """The values of a game to some 70 decimals: Newton's method on fractions, starting from the payoff of infinite plays."""

    def rounded(number: Fraction) -> Fraction:
        return Fraction(round(number * 10**80), 10**80)

    @cache
    def value(a: int, b: int, ball: int) -> Fraction:
        sign, out = (ball > 0) - (ball < 0), abs(ball) > rules.field
        if out or a + b == 0:
            return Fraction(sign * (2 if out and rules == ZERO else 1))
        worth = value(0, 0, ball)

        def after(bid: int, other: int) -> Fraction:
            way = (bid > other) - (bid < other)
            return value(a - bid, b - other, way if rules.motion == "net" and way * ball < 0 else ball + way)

        rows = [[after(bid, other) if bid + other else worth for other in range(b + 1)] for bid in range(a + 1)]
        for _ in range(100):
            rows[0][0] = worth
            found, repeats = matrix_game(rows)
            if abs(found - worth) < Fraction(1, 10**75):
                return worth
            worth = rounded(worth + (found - worth) / (1 - repeats))
        raise AssertionError(f"no fixed point of {a}:{b}@{ball}")

    return value


@pytest.mark.parametrize(("rules", "points"), [(OSHI_ZUMO, (5, 4)), (ZERO, (3, 3)), (pt.Rules.oshi_zumo(2, min_bid=0), (3, 4))])
def test_digits_are_those_of_a_recursion(rules: pt.Rules, points: tuple[int, int]) -> None:
    solution, value = pt.solve(points, rules), fixed_points(rules)
    root = value(*points, 0)
    if rules == OSHI_ZUMO:
        assert abs(root**2 - Fraction(3, 5)) < Fraction(1, 10**70)
    for a in range(points[0] + 1):
        for b in range(points[1] + 1):
            for ball in range(-rules.field, rules.field + 1):
                digits = solution.digits((a, b, ball), 60)
                # Rounding leaves the recursion some units of the 70th decimal.
                near = Fraction(1, 10**65)
                assert Fraction(digits.lower) - near <= value(a, b, ball) <= Fraction(digits.upper) + near
                assert digits.upper - digits.lower <= 2 * Decimal(10) ** -60


def test_what_is_no_fraction_is_proved_to_be_none() -> None:
    solution = pt.solve((5, 4), OSHI_ZUMO, exact=True)
    assert solution.is_irrational("5:4@0") and solution.exact_value("5:4@0") is None
    assert not solution.is_irrational("5:3@0") and solution.exact_value("5:3@0") is not None
    assert not pt.solve((5, 4), OSHI_ZUMO).is_irrational("5:4@0"), "nobody asked"
    usual = pt.solve(5, exact=True)
    assert not any(usual.is_irrational(state) for state in ("5:4@0", "5:5@1"))


@cache
def best(a: int, b: int, ball: int) -> Fraction:
    """A's payoff in Oshi-Zumo with field 1 by the best reply to a uniform B."""
    if abs(ball) > 1 or a + b == 0:
        return Fraction((ball > 0) - (ball < 0))
    found = []
    for bid in range(a + 1):
        after = [best(a - bid, b - other, ball + (bid > other) - (bid < other)) for other in range(b + 1) if bid + other > 0]
        # v = p v + rest where p is the probability that nothing is bid.
        found.append(Fraction(sum(after), len(after)) if after else Fraction((ball > 0) - (ball < 0)))
    return max(found)


def test_best_responses_and_meetings() -> None:
    response = pt.best_response("uniform", "A", (4, 3), OSHI_ZUMO)
    for a in range(5):
        for b in range(4):
            for ball in (-1, 0, 1):
                assert best(a, b, ball) in response[a, b, ball]
    uniform = pt.as_policy("uniform", 1, ZERO)
    assert pickle.loads(pickle.dumps(uniform)) == uniform == pickle.loads(pickle.dumps(uniform.with_rules(None)))
    with pytest.raises(pt.PolicyError, match="smallest bid of the game is 1"):
        uniform.with_rules(pt.Rules())
    matchup = pt.meeting(uniform, uniform, 1, ZERO)
    assert matchup.endless == 0 and matchup.standstills == pytest.approx(1, abs=1e-15)
    optimal = pt.solve(4, ZERO).policy()
    duel = pt.duel(optimal, optimal, 4000, 4, ZERO)
    assert duel.meeting.endless > 0 and abs(duel.endless / 4000 - duel.meeting.endless) < 0.04
    assert sum(matchup.outcomes.values()) == pytest.approx(1)


def test_games_end_at_the_horizon_where_the_ball_lies() -> None:
    games = pt.Games(3, 2, OSHI_ZUMO, horizon=3)
    games.reset([[2, 1, 1], [0, 2, -1], [2, 2, 0]])
    for running in (3, 3):
        assert games.step([0, 0, 0], [0, 0, 0]) == running
    assert games.turns().tolist() == [2, 2, 2] and games.states().tolist() == [[2, 1, 1], [0, 2, -1], [2, 2, 0]]
    written = pickle.loads(pickle.dumps(games))
    for each in (games, written):
        assert each.horizon == 3 and each.step([0, 0, 1], [0, 0, 0]) == 0
        # The third game comes to 1:2@1 in its last turn.
        assert each.payoffs().tolist() == [1, -1, 1] and each.over().all()
    assert pickle.loads(pickle.dumps(games)).over().all()
    assert games.restart() == 3 and games.turns().tolist() == [0, 0, 0]
    assert pt.Games(1, 2, OSHI_ZUMO).horizon == 1000 and pt.Games(1, 2).horizon is None
    usual = pt.Games(1, 4, horizon=1)
    assert usual.step([2], [1]) == 0 and usual.payoffs().tolist() == [1]
    for horizon in (0, 2**31):
        with pytest.raises(ValueError, match=f"a horizon of {horizon} turns is not possible"):
            pt.Games(1, 2, OSHI_ZUMO, horizon=horizon)


@cache
def uniform_play(a: int, b: int, ball: int, turns: int) -> Fraction:
    """A's payoff in Oshi-Zumo with field 1 if both bid uniformly for the remaining turns."""
    if abs(ball) > 1 or a + b == 0 or turns == 0:
        return Fraction((ball > 0) - (ball < 0))
    bids = [(bid, other) for bid in range(a + 1) for other in range(b + 1)]
    after = (uniform_play(a - bid, b - other, ball + (bid > other) - (bid < other), turns - 1) for bid, other in bids)
    return sum(after, Fraction()) / len(bids)


@pytest.mark.parametrize("horizon", [2, 5])
def test_games_are_worth_what_a_recursion_says(horizon: int) -> None:
    count, random = 40_000, np.random.default_rng(1)
    games = pt.Games(count, (3, 2), OSHI_ZUMO, start="3:2@1", horizon=horizon)
    policy = pt.as_policy("uniform", (3, 2), OSHI_ZUMO)
    while games.running:
        games.step(games.draw(policy, "A", random), games.draw(policy, "B", random))
    assert games.turns().max() == horizon
    # Four standard errors: a payoff is at most 1.
    assert abs(games.payoffs().mean() - float(uniform_play(3, 2, 1, horizon))) < 4 / count**0.5


def test_environments_end_at_the_horizon() -> None:
    pytest.importorskip("pettingzoo")
    from pencil_tennis.env import parallel_env
    from pencil_tennis.gym import TennisEnv, TennisVectorEnv

    env = parallel_env(2, OSHI_ZUMO, start="2:1@1", horizon=2)
    env.reset()
    none = {"player_0": 0, "player_1": 0}
    assert env.step(none)[2] == {"player_0": False, "player_1": False}
    observations, rewards, terminations, truncations, _ = env.step(none)
    assert rewards == {"player_0": 1, "player_1": -1} and all(terminations.values()) and not any(truncations.values())
    assert observations["player_0"]["action_mask"].tolist() == [1, 1, 1] and env.agents == []
    single = TennisEnv(2, "uniform", OSHI_ZUMO, start="2:0@1", horizon=2)
    single.reset(seed=1)
    assert [single.step(0)[1:3] for _ in range(2)] == [(0, False), (1, True)]
    with pytest.raises(pt.GameError, match="the game is over at 2:0@1"):
        single.step(0)
    many = TennisVectorEnv(2, 2, "uniform", OSHI_ZUMO, start="2:0@1", horizon=2)
    many.reset(seed=1)
    zeros = np.zeros(2, np.int64)
    assert [many.step(zeros)[1].tolist() for _ in range(3)] == [[0, 0], [1, 1], [0, 0]]
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import parallel_api_test

    check_env(TennisEnv(5, "optimal", OSHI_ZUMO), skip_render_check=True)
    parallel_api_test(parallel_env(5, ZERO, horizon=20), num_cycles=200)


def test_what_cannot_be_had_says_so() -> None:
    refusal = "cannot be had where the smallest bid is 0 and a game may go on for ever"
    with pytest.raises(pt.Error, match=f"a learner {refusal}"):
        pt.Training("simple", 5, ZERO)
    with pytest.raises(pt.Error, match=f"a learner {refusal}"):
        pt.as_policy("simple:1000", 5, ZERO)
    with pytest.raises(pt.Error, match=f"blind Tennis {refusal}"):
        pt.solve_blind(3, ZERO)


def test_every_method_and_the_refinement_follow_the_rule() -> None:
    solution = pt.solve(4, ZERO)
    for method in ("tableau", "lp"):
        other = pt.solve(4, ZERO, method=method)
        assert other.method == method and np.abs(other.arrays().values - solution.arrays().values).max() < 1e-7
    refined = solution.policy(refined=True)
    assert pt.exploitability(refined).upper < 1e-15 and refined != solution.policy()
    found = {answer for state in solution for answer in solution.uniqueness(state)}
    assert {"unique", "several"} <= found


class TestOpenSpiel:
    pyspiel: Any = None

    @pytest.fixture(autouse=True)
    def _load(self) -> None:
        self.pyspiel = pytest.importorskip("pyspiel")

    def best(self, state: Any, known: dict[tuple[str, int], float]) -> float:
        """A's payoff by the best reply to a uniform B, over OpenSpiel's own states and turns."""
        if state.is_terminal():
            return float(state.returns()[0])
        key = (str(state), state.move_number())
        if key not in known:
            replies = state.legal_actions(1)
            won = []
            for bid in state.legal_actions(0):
                children = [state.clone() for _ in replies]
                for child, reply in zip(children, replies, strict=True):
                    child.apply_actions([bid, reply])
                won.append(sum(self.best(child, known) for child in children) / len(children))
            known[key] = max(won)
        return known[key]

    def test_its_game_with_a_horizon_is_the_same(self) -> None:
        from open_spiel.python.policy import UniformRandomPolicy
        from pencil_tennis import openspiel

        game = self.pyspiel.load_game("oshi_zumo(coins=3,size=1,horizon=60,min_bid=0)")
        expected = self.best(game.new_initial_state(), {})
        policy = openspiel.from_oshi_zumo(UniformRandomPolicy(game), game)
        assert policy.rules == OSHI_ZUMO
        assert float(pt.exploitability(policy)) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(("coins", "size", "horizon"), [(3, 1, 4), (2, 2, 6)])
    def test_our_game_is_its_game(self, coins: int, size: int, horizon: int) -> None:
        """Every line of play up to the horizon has equal bids, ends and returns."""
        from pencil_tennis import openspiel

        theirs = self.pyspiel.load_game(f"oshi_zumo(coins={coins},size={size},horizon={horizon},min_bid=0)")
        game = openspiel.load_game(coins, pt.Rules.oshi_zumo(size, min_bid=0), horizon=horizon)
        assert game.max_game_length() == theirs.max_game_length() == horizon
        waiting = [(game.new_initial_state(), theirs.new_initial_state())]
        ends = 0
        while waiting:
            ours, other = waiting.pop()
            assert ours.is_terminal() == other.is_terminal() and ours.returns() == other.returns()
            ends += ours.is_terminal()
            if ours.is_terminal():
                continue
            legal = [ours.legal_actions(player) for player in range(2)]
            assert legal == [other.legal_actions(player) for player in range(2)]
            for bids in itertools.product(*legal):
                children = ours.clone(), other.clone()
                for child in children:
                    child.apply_actions(list(bids))
                waiting.append(children)
        assert ends > 500

    def test_its_usual_horizon_is_ours(self) -> None:
        from pencil_tennis import openspiel

        usual = self.pyspiel.load_game("oshi_zumo").get_parameters()
        assert usual["horizon"] == openspiel.load_game(3, ZERO).max_game_length() and usual["min_bid"] == 0
        named = "python_pencil_tennis(points_a=3,points_b=3,min_bid=0,horizon=7)"
        game = self.pyspiel.load_game(named)
        assert (game.rules, game.horizon) == (ZERO, 7) == (openspiel.load_game(3, ZERO, horizon=7).rules, game.max_game_length())
        assert openspiel.load_game(3).get_parameters().get("min_bid", 1) == 1
        blind = openspiel.load_blind_game(2, ZERO).new_initial_state()
        blind.apply_actions([0, 0])
        assert blind.information_state_string(0) != "" and not blind.is_terminal()
