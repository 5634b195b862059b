"""Policies and judgements."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pencil_tennis as pt
import pytest
import truth
from numpy.typing import NDArray
from pencil_tennis import Policy, Rules, Solution, State


@pytest.fixture(scope="module")
def solution() -> Solution:
    return pt.solve(10)


def uniform(points: int = 10) -> NDArray[np.float64]:
    """A's uniform policy, made here."""
    a, _, _, bid = np.indices((points + 1, points + 1, 5, points + 1))
    legal = np.where(a > 0, (bid >= 1) & (bid <= a), bid == 0)
    return legal / legal.sum(axis=3, keepdims=True)


def near(found: pt.Enclosure, known: Fraction) -> bool:
    """Compares the value of a policy with that of the policy rounded to multiples of 2**-62.

    In each of up to ten turns up to ten probabilities are off by 2**-62, and payoffs differ by 4 at most: together 1e-16.
    """
    return found.lower - Fraction(1, 10**16) <= known <= found.upper + Fraction(1, 10**16)


def test_every_form_of_a_policy_is_the_same_policy() -> None:
    points = 6
    array = uniform(points)
    known = pt.as_policy("uniform", points)
    by_bid: Callable[[State], list[float]] = lambda state: [0.0] + [1 / state.a] * state.a
    by_dict: Callable[[State], dict[int, float]] = lambda state: dict.fromkeys(range(1, state.a + 1), 1 / state.a)
    states = [State(a, b, ball) for a in range(points + 1) for b in range(points + 1) for ball in range(-2, 3)]
    mapping = {state: by_bid(state) for state in states if state.a}
    texts = {str(state): by_dict(state) for state in states if state.a}
    array_b = array.transpose(1, 0, 2, 3)
    for policy in (array, array.astype(np.float32), by_bid, by_dict, mapping, texts, (array, array_b), {"policy_a": array}):
        checked = pt.as_policy(policy, points)
        assert checked.covers("A") and checked.covers("B")
        # In single precision 1/3 is off by 1e-8.
        assert np.abs(checked.array("A") - known.array("A")).max() < 1e-7
        assert np.abs(checked.array("B") - known.array("B")).max() < 1e-7
    assert pt.as_policy(7 * array, normalise=True) == known
    assert pt.as_policy(known) is known


def test_arrays_in_npz_files(solution: Solution, tmp_path: Path) -> None:
    policy = solution.policy()
    np.savez(tmp_path / "policy.npz", policy_a=policy.array("A"), policy_b=policy.array("B"))
    with np.load(tmp_path / "policy.npz") as arrays:
        assert pt.exploitability(arrays) < 1e-15


def test_a_function_sees_every_state_with_a_choice_once() -> None:
    seen: list[State] = []

    def certain(state: State) -> dict[int, float]:
        seen.append(state)
        return {1: 1.0}

    reported: list[float] = []
    policy = pt.as_policy(certain, (3, 2), progress=reported.append)
    assert len(seen) == len(set(seen)) == 3 * 3 * 5 and all(state.a > 0 for state in seen)
    assert not policy.covers("B"), "with different points there is no mirror image"
    assert reported == sorted(reported) and reported[-1] == 1
    assert policy.strategy("3:2@0") == {1: 1.0} and policy.strategy("0:2@0") == {0: 1.0}


def test_policies_are_exact_and_can_be_kept(solution: Solution) -> None:
    policy = solution.policy()
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert pickle.loads(pickle.dumps(policy.only("B"))) == policy.only("B") != policy
    assert policy.only("A").joined(policy.only("B")) == policy == policy.mirrored()
    assert policy.only("A").completed_by_mirror() == policy
    assert policy.points == (10, 10) and policy.field == 2
    assert repr(policy) == "<Policy of A and B for 10:10 points, field 2 motion net scoring two-one>"
    assert repr(policy.with_rules(None)) == "<Policy of A and B for 10:10 points, field 2>"
    # Refined strategies are optimal, too.
    assert pt.exploitability(solution.policy(refined=True)) < 1e-15


def test_exploitability_of_uniform_bids() -> None:
    for points in (1, 3, 5, 8):
        known = truth.against_uniform((points, points, 0))
        found = pt.exploitability("uniform", points)
        assert near(found, known) and float(found) == pytest.approx(float(known), abs=1e-15)
    # Worked out elsewhere.
    assert near(pt.exploitability(uniform(10)), Fraction(1420361, 725760))
    # OpenSpiel's nash_conv is twice as much.
    assert 2 * pt.exploitability("uniform", 3) == pytest.approx(1.6667, abs=1e-4)
    assert 2 * pt.exploitability("uniform", 5) == pytest.approx(3.2167, abs=1e-4)


def test_optimal_bids_cannot_be_exploited(solution: Solution) -> None:
    found = pt.exploitability(solution.policy())
    assert 0 <= found.lower and found.upper < Fraction(1, 10**16)


def test_best_responses_are_policies(solution: Solution) -> None:
    response = pt.best_response("uniform", "A", 6)
    for state in pt.solve(6):
        assert near(response[state], truth.against_uniform(tuple(state))), state
    assert response.array()[6, 6, 2] == response["6:6@0"]
    assert response.policy.covers("A") and not response.policy.covers("B")
    matchup = pt.meeting(response.policy, "uniform", 6)
    assert float(matchup.value) == pytest.approx(float(truth.against_uniform((6, 6, 0))), abs=1e-15)
    for state in ("6:6@0", "3:5@-2"):
        assert response.policy.strategy(state) == {response.bid(state): 1.0}
    # Seen from the other side.
    assert pt.best_response("uniform", "B", 6)["6:6@0"] == -response["6:6@0"]


def test_judgements_add_up(solution: Solution) -> None:
    judgement = solution.judge("uniform")
    known = Fraction(1420361, 725760)
    assert near(judgement.exploitability, known)
    best = judgement.best_response_value("A")
    assert best is not None and near(best, known)
    for player in ("A", "B"):
        regret, contribution = judgement.regret(player), judgement.contribution(player)
        assert regret.shape == (11, 11, 5)
        over = np.isnan(regret)
        assert over[0, 0].all() and over.sum() == 5
        assert np.nanmin(regret) == 0
        # The contributions of all states sum to the loss of the policy.
        assert np.nansum(contribution) == pytest.approx(float(known), abs=1e-12)
        reached = judgement.reached(player)
        assert reached[10, 10, 2] == 1
    worst = judgement.costliest(3)
    assert [entry.contribution for entry in worst] == sorted((entry.contribution for entry in worst), reverse=True)
    top = worst[0]
    assert judgement.contribution(top.player)[top.state.a, top.state.b, top.state.ball + 2] == top.contribution
    assert judgement.regret(top.player)[top.state.a, top.state.b, top.state.ball + 2] == top.regret
    assert len(judgement.costliest(10_000)) < 10_000
    against = judgement.value_against_optimum("A")
    assert against is not None and -float(known) <= against <= 0


def test_regret_is_what_the_bids_lose_by_the_definition(solution: Solution) -> None:
    regret = solution.judge("uniform").regret("A")
    for state in solution:
        if truth.payoff(tuple(state)) is not None or state.a > 5 or state.b > 5:
            continue
        rows = truth.bids(state.a)
        replies = (
            sum((truth.value(truth.turn(tuple(state), i, j)) for i in rows), Fraction(0)) / len(rows) for j in truth.bids(state.b)
        )
        lost = truth.value(tuple(state)) - min(replies)
        assert regret[state.a, state.b, state.ball + 2] == pytest.approx(float(lost), abs=1e-15)


def test_a_policy_of_one_player_is_judged_as_far_as_it_goes() -> None:
    solution = pt.solve((6, 4))
    policy = pt.as_policy(lambda state: {1: 1.0}, (6, 4))
    judgement = solution.judge(policy)
    with pytest.raises(pt.PolicyError, match="both players"):
        judgement.exploitability
    assert judgement.best_response_value("A") is None and judgement.best_response_value("B") is not None
    assert np.isnan(judgement.regret("B")).all()
    with pytest.raises(pt.PolicyError, match="the policy does not say how B bids"):
        pt.exploitability(policy)


def test_meetings_are_computed_and_duels_agree() -> None:
    matchup = pt.meeting("uniform", "uniform", 5)
    assert near(matchup.value, truth.uniform_meets_uniform((5, 5, 0)))
    assert sum(matchup.outcomes.values()) == pytest.approx(1, abs=1e-12)
    assert sum(matchup.turns) == pytest.approx(1, abs=1e-12) and 1 < matchup.mean_turns < 5
    assert len(matchup.points_left_a) == len(matchup.points_left_b) == 6
    assert pt.outcomes("uniform", "uniform", 5) == matchup.outcomes
    biased = pt.as_policy(lambda state: {state.a: 1.0}, 5)
    expected = pt.meeting(biased, "uniform", start="5:4@1")
    counted = pt.duel(biased, "uniform", 40_000, start=(5, 4, 1), seed=3)
    assert counted.games == sum(counted.counts.values()) == 40_000 and counted.meeting.outcomes == expected.outcomes
    # Four standard errors: missed once in sixteen thousand seeds, and the seed is fixed.
    assert abs(counted.mean - expected.value) < 4 * counted.standard_error
    again = pt.duel(biased, "uniform", 40_000, start=(5, 4, 1), seed=3)
    assert again.counts == counted.counts != pt.duel(biased, "uniform", 40_000, start=(5, 4, 1), seed=4).counts
    assert counted.intervals["draw"][0] <= expected.outcomes["draw"] <= counted.intervals["draw"][1]


def test_scoring_that_is_not_symmetric() -> None:
    rules = Rules(scoring=[2, 1, 0, 0, 0])
    solution = pt.solve(5, rules)
    optimal = solution.policy()
    assert pt.exploitability(optimal, rules=rules) < 1e-15
    only_a = pt.as_policy(lambda state: {1: 1.0}, 5, rules)
    assert not only_a.covers("B")


def test_progress_of_judging(solution: Solution) -> None:
    for work in (
        lambda tell: pt.exploitability("uniform", 12, progress=tell),
        lambda tell: pt.best_response("uniform", "B", 12, progress=tell),
        lambda tell: solution.judge("uniform", progress=tell),
        lambda tell: pt.duel("uniform", "uniform", 100_000, 3, progress=tell),
        lambda tell: solution.policy(refined=True, progress=tell),
    ):
        reported: list[float] = []
        work(reported.append)
        assert reported == sorted(reported) and reported[-1] == pytest.approx(1)

        def stop(share: float) -> None:
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            work(stop)


def changed(place: tuple[int, ...], number: float) -> NDArray[np.float64]:
    array = uniform(4)
    array[place] = number
    return array


@pytest.mark.parametrize(
    ("sentence", "policy"),
    [
        (r"A's policy at 3:2@0: bid 1 has the number NaN", changed((3, 2, 2, 1), np.nan)),
        (r"A's policy at 3:2@-1: bid 1 has the number inf", changed((3, 2, 1, 1), np.inf)),
        (r"A's policy at 3:2@0: bid 2 has the number -0.25", changed((3, 2, 2, 2), -0.25)),
        (r"A's policy at 4:2@2: the probabilities sum to 1.25", changed((4, 2, 4, 2), 0.5)),
        (r"A's policy at 3:2@0: bid 4 has the number 0.5, but A cannot bid 4", changed((3, 2, 2, 4), 0.5)),
        (r"A's policy at 3:2@0: bid 0 has the number 0.1, but A cannot bid 0", changed((3, 2, 2, 0), 0.1)),
        (r"A's policy has the shape \(5, 5, 5\); expected \(5, 5, 5, 5\)", uniform(4)[..., 0]),
        (r"A's policy has the shape \(5, 5, 3, 5\); expected \(5, 5, 5, 5\)", uniform(4)[:, :, 1:4]),
        (r"A's policy has the shape \(5, 4, 5, 5\); expected \(5, 5, 5, 5\)", uniform(4)[:, :4]),
        (r"B's policy at 1:2@0: the probabilities sum to", (uniform(4), changed((2, 1, 2, 1), 0.9).transpose(1, 0, 2, 3))),
        (r"an array of numbers, a mapping or a function", np.array(["x"])),
        (r"A's policy at 2:0@-2: probabilities of shape \(2,\); expected 3 or more", lambda state: [0, 1]),
        (r"A's policy at 1:0@-2: 'one' is not a bid", lambda state: {"one": 1}),
        (r"A's policy at 1:0@-2: bid 1 has the number 'much'", lambda state: {1: "much"}),
        (r"A's policy at 1:0@-2: .* is no distribution", lambda state: object()),
        (r"A's policy at 1:0@-2: the probabilities sum to 0", lambda state: {}),
        (r"A's policy at 1:0@-2: bids above 1 have probabilities", lambda state: [0, 0.5, 0, 0, 0, 0.5]),
        (r"A's policy says nothing about 1:0@-2", {"4:4@0": {1: 1.0}}),
        (r"5:4@0 is outside the game, which has 0 to 4 points", {"5:4@0": {1: 1.0}}),
        (r"ball 3 is outside the field", {"4:4@3": {1: 1.0}}),
        (r"`best` is not a policy", "best"),
        (r"this has 3 parts", (uniform(4), uniform(4), uniform(4))),
    ],
)
def test_wrong_policies_are_told(sentence: str, policy: object) -> None:
    with pytest.raises(pt.PolicyError, match=sentence):
        pt.exploitability(policy, 4)


def test_policies_of_other_games_are_told(solution: Solution) -> None:
    with pytest.raises(pt.PolicyError, match="the policy is for 4:4 points and field 2, the game has 10:10 points"):
        solution.judge(pt.as_policy("uniform", 4))
    with pytest.raises(pt.PolicyError, match="say it, for example points=50"):
        pt.exploitability(lambda state: {1: 1.0})
    with pytest.raises(pt.PolicyError, match="field 2"):
        pt.exploitability(pt.as_policy("uniform", 4), rules=Rules.oshi_zumo(3))
    with pytest.raises(pt.GameError, match="is outside the game"):
        pt.meeting("uniform", "uniform", 4, start="5:5@0")
    assert isinstance(pt.as_policy("uniform", 4), Policy)


def test_a_policy_of_another_game_is_refused() -> None:
    tennis, footsteps = pt.solve(5), pt.solve(5, Rules.footsteps())
    policy = footsteps.policy()
    assert policy.rules == Rules.footsteps() == policy.only("A").rules == policy.mirrored().rules
    for judged in (
        lambda: tennis.judge(policy),
        lambda: pt.exploitability(policy, 5, Rules.tennis()),
        lambda: pt.best_response(policy, "A", 5, Rules.tennis()),
        lambda: pt.meeting(policy, "uniform", 5, Rules.tennis()),
        lambda: pt.meeting(policy, tennis.policy()),
        lambda: pt.duel(policy, "uniform", 10, 5, Rules.tennis()),
        lambda: pt.as_policy(policy, 5, Rules.tennis()),
        lambda: policy.joined(tennis.policy()),
        lambda: pt.LearningCurve(tennis).note(policy, 1),
        lambda: pt.Games(3, 5).draw(policy, "A", np.random.default_rng(1)),
    ):
        with pytest.raises(pt.PolicyError, match="the policy is for .* the game has .*with_rules"):
            judged()
    # Without rules of the call it is judged by its own; the bids themselves can be judged in any game of that field.
    assert 0 in pt.exploitability(policy) and 0 in pt.meeting(policy, policy).value
    for free in (policy.with_rules(None), policy.with_rules(Rules.tennis())):
        assert free == policy and tennis.judge(free).policy == policy
    with pytest.raises(pt.PolicyError, match="field 2, the rules have field 3"):
        policy.with_rules(Rules.oshi_zumo())
    # A policy without known rules fits any game.
    uniform = pt.as_policy("uniform", 5)
    assert uniform.rules is None and footsteps.judge(uniform).policy is uniform
    assert pt.as_policy("uniform", 5, Rules.footsteps()).rules == Rules.footsteps()
    oshi = pt.solve(5, Rules.oshi_zumo())
    assert pt.meeting(oshi.policy(), "uniform").value > 0
    # With an asymmetric scoring the mirror image is another game.
    assert pt.solve(3, Rules(2, "net", "3,1,0,-1,-2")).policy().mirrored().rules is None


def test_what_is_no_policy_is_refused_with_a_sentence(solution: Solution) -> None:
    with pytest.raises(TypeError, match="there is no policy of A; expected judge"):
        solution.judge("A")
    with pytest.raises(TypeError, match=r"is not a policy; its own is \.policy"):
        pt.exploitability(solution, 10)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="are no rules"):
        pt.exploitability("uniform", 10, "footsteps")  # type: ignore[arg-type]
    masked = np.ma.masked_array(uniform(3), mask=uniform(3) == 0)
    with pytest.raises(pt.PolicyError, match=r"the entry \(0, 0, 0, 1\) of a policy is masked"):
        pt.exploitability(masked, 3)
    assert pt.exploitability(np.ma.filled(masked, 0), 3) == pt.exploitability("uniform", 3)


def test_tables_are_policies(solution: Solution, tmp_path: Path) -> None:
    policy, frame = solution.policy(), solution.strategy_frame()
    path = tmp_path / "policy.csv"
    rows = zip(*frame.values(), strict=True)
    path.write_text("\n".join([",".join(frame), *(",".join(str(number) for number in row) for row in rows)]))
    for table in (frame, path, str(path)):
        found = pt.as_policy(table, 10)
        assert np.abs(found.array("A") - policy.array("A")).max() < 1e-15
        assert np.abs(found.array("B") - policy.array("B")).max() < 1e-15
        assert solution.judge(table).exploitability < 1e-14
    for change, sentence in (
        ({"player": ["C"] * len(frame["a"])}, "there is no player 'C'"),
        ({"bid": frame["bid"] + 11}, "A's bid 1. at .* is outside the game"),
        ({"bid": ["much"] * len(frame["a"])}, "the table's numbers are none"),
        ({"probability": frame["probability"] / 2}, "the probabilities sum to 0.5"),
        ({name: np.concatenate([column, column]) for name, column in frame.items()}, "a bid of A at a state twice"),
    ):
        with pytest.raises(pt.PolicyError, match=sentence):
            solution.judge({**frame, **change})
    pandas = pytest.importorskip("pandas")
    assert solution.judge(pandas.DataFrame(frame)).exploitability < 1e-14


def test_states_are_three_numbers(solution: Solution) -> None:
    for state in ([5, 4, 1], np.array([5, 4, 1]), np.array([5, 4, 1], np.int8), (5, np.int64(4), 1), State(5, 4, 1)):
        assert solution[state] == solution["5:4@1"]
    for wrong in ([5, 4], [5, 4, 1, 1], [5, 4, 1.5], np.array([5.0, 4.0, 1.0]), None, 5, {"a": 5}, (-1, 2, 0)):
        with pytest.raises(TypeError, match="is not a state; expected a string"):
            solution[wrong]  # type: ignore[arg-type]


def test_functions_of_arrays_are_called_once_for_every_total() -> None:
    calls: list[int] = []

    def low(states: NDArray[np.int32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        assert states.dtype == np.int32 and masks.dtype == np.bool_ and (states[:, 0] > 0).all()
        assert len({int(total) for total in states[:, :2].sum(axis=1)}) == 1
        # By the definition of legal bids.
        for mask, own in zip(masks, states[:, 0], strict=True):
            assert np.flatnonzero(mask).tolist() == list(range(1, own + 1))
        calls.append(len(states))
        # The more the ball is toward the opponent's end, the lower the bids.
        weights = masks * np.exp(-np.arange(masks.shape[1]) * (1 + 0.1 * states[:, 2:]))
        return weights / weights.sum(axis=1, keepdims=True)

    def one(state: State) -> dict[int, float]:
        weights = {bid: np.exp(-bid * (1 + 0.1 * state.ball)) for bid in range(1, state.a + 1)}
        return {bid: weight / sum(weights.values()) for bid, weight in weights.items()}

    many, single = pt.as_policy(low, 9, batched=True), pt.as_policy(one, 9)
    assert np.abs(many.array("A") - single.array("A")).max() < 1e-15
    assert np.abs(many.array("B") - single.array("B")).max() < 1e-15
    assert len(calls) == 18 and sum(calls) == 9 * 10 * 5
    # For each player separately, both see the game from their own side.
    pair = pt.as_policy((low, low), (9, 7), batched=True)
    assert pair.covers("B") and np.abs(pair.array("B")[5, 4, 1] - pt.as_policy(one, 7).array("A")[4, 5, 3]).max() < 1e-15
    with pytest.raises(pt.PolicyError, match=r"gives the shape \(5, 9\) for 5 states; expected \(5, 10\)"):
        pt.as_policy(lambda states, masks: masks[:, 1:], 9, batched=True)
    with pytest.raises(pt.PolicyError, match="the probabilities sum to"):
        pt.as_policy(lambda states, masks: masks, 9, batched=True)
    assert pt.as_policy(lambda states, masks: masks, 9, batched=True, normalise=True) == pt.as_policy("uniform", 9)
    with pytest.raises(TypeError, match="batched=True is for functions of arrays"):
        pt.as_policy(uniform(5), batched=True)
