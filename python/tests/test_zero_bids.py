"""A smallest bid of 0: rules, judged policies and OpenSpiel's own Oshi-Zumo, against recursions that are written here."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

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
    bounds = solution.enclosure("5:4@0")
    assert bounds.lower**2 <= Fraction(3, 5) <= bounds.upper**2
    assert pt.exploitability(solution.policy()).upper < 1e-16
    exact = pt.solve((5, 4), OSHI_ZUMO, exact=True)
    assert exact.exact_value("5:4@0") is None and exact.exact_value("1:1@1") == 1


@cache
def best(a: int, b: int, ball: int) -> Fraction:
    """What A wins in Oshi-Zumo with field 1 by the best reply to a B who bids uniformly."""
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
                assert best(a, b, ball) in response.value((a, b, ball))
    uniform = pt.as_policy("uniform", 1, ZERO)
    assert pickle.loads(pickle.dumps(uniform)) == uniform == pickle.loads(pickle.dumps(uniform.with_rules(None)))
    with pytest.raises(pt.PolicyError, match="smallest bid of the game is 1"):
        uniform.with_rules(pt.Rules())
    met = pt.meeting(uniform, uniform, 1, ZERO)
    assert met.endless == 0 and met.standstills == pytest.approx(1, abs=1e-15)
    optimal = pt.solve(4, ZERO).policy()
    duel = pt.duel(optimal, optimal, 4000, 4, ZERO)
    assert duel.meeting.endless > 0 and abs(duel.endless / 4000 - duel.meeting.endless) < 0.04
    assert sum(met.outcomes.values()) == pytest.approx(1)


def test_what_plays_turn_by_turn_refuses() -> None:
    refusal = "cannot be had yet where the smallest bid is 0"
    with pytest.raises(pt.GameError, match=refusal):
        pt.Games(3, 5, ZERO)
    with pytest.raises(pt.Error, match=refusal):
        pt.Training("simple", 5, ZERO)
    with pytest.raises(pt.Error, match=refusal):
        pt.solve(5, ZERO, method="lp")


class TestOpenSpiel:
    pyspiel: Any = None

    @pytest.fixture(autouse=True)
    def _load(self) -> None:
        self.pyspiel = pytest.importorskip("pyspiel")

    def best(self, state: Any, known: dict[tuple[str, int], float]) -> float:
        """What A wins by the best reply to a B who bids uniformly, over OpenSpiel's own states and turns."""
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

    def test_games_of_ours_refuse(self) -> None:
        from pencil_tennis import openspiel

        with pytest.raises(pt.GameError, match="cannot be had yet where the smallest bid is 0"):
            openspiel.load_game(3, ZERO)
