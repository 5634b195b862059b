"""Blind Tennis, matches, forced play and figures: against independent code, and with wrong inputs."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import figures
from retelling import bids, turn
from retelling import won as payoff

State = tuple[int, int, int]


def best_against_uniform(known: list[tuple[State, Fraction]]) -> Fraction:
    """The best payoff of a blind A against a uniform B: A knows the ball, the own points, and all probabilities."""
    over = [(state, share) for state, share in known if payoff(state) is not None]
    assert len(over) in (0, len(known))  # That a game has ended is seen.
    if over:
        return sum((share * Fraction(payoff(state)) for state, share in over), Fraction(0))  # type: ignore[arg-type]
    found = []
    for bid in bids(known[0][0][0]):
        after: dict[tuple[int, bool], dict[State, Fraction]] = {}
        for state, share in known:
            for reply in bids(state[1]):
                following = turn(state, bid, reply)
                seen = after.setdefault((following[2], payoff(following) is not None), {})
                seen[following] = seen.get(following, Fraction(0)) + share / len(bids(state[1]))
        found.append(sum((best_against_uniform(list(states.items())) for states in after.values()), Fraction(0)))
    return max(found)


@pytest.mark.parametrize("points", [(4, 3), (5, 5), (6, 4)])
def test_a_blind_best_reply_is_that_of_one_who_counts(points: tuple[int, int]) -> None:
    uniform = pt.as_blind_policy("uniform", points)
    # A's best reply to B's half.
    assert uniform.secured.upper == pytest.approx(float(best_against_uniform([((*points, 0), Fraction(1))])), abs=1e-15)


def test_blind_values_are_those_of_linear_programmes() -> None:
    for points in [(4, 3), (5, 5), (7, 4)]:
        learned, programmed = pt.solve_blind(points), pt.solve_blind(points, method="lp")
        assert programmed.value.lower <= learned.value.upper and learned.value.lower <= programmed.value.upper
        assert programmed.iterations == 0
    assert 0 in pt.solve_blind(7).value
    # 9/8: docs/blind.md.
    assert Fraction(9, 8) in pt.solve_blind((9, 7)).value


def test_blind_policies_are_taken_pickled_and_compared() -> None:
    optimal = pt.solve_blind((5, 4)).policy()
    assert pickle.loads(pickle.dumps(optimal)) == optimal
    again = pt.as_blind_policy(optimal.strategies(), (5, 4))
    assert again.exploitability == pytest.approx(optimal.exploitability, abs=1e-12)
    assert optimal.strategy("A") == pytest.approx(pt.solve_blind((5, 4)).opening("A"))
    sets = optimal.information_sets()
    assert len(sets) == len(set(sets)) and {known.player for known in sets} == {"A", "B"}
    assert all(known.points == (5, 4)["AB".index(known.player)] - sum(known.bids) for known in sets)
    assert pt.as_blind_policy(optimal) is optimal


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ("best", "`best` is not a policy of blind Tennis"),
        (lambda known: {9: 1.0}, r"A's policy after the bids \[\] and the balls \[0\]: bid 9 is not legal with 3 points"),
        (lambda known: {1: 0.5} if known.points else {0: 1.0}, "0.5"),
        (lambda known: {min(known.points, 1): float("nan")}, "NaN"),
        (lambda known: 7, "is no distribution"),
        ({}, "nothing is said"),
    ],
)
def test_blind_policies_that_are_none_are_refused(policy: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        pt.as_blind_policy(policy, 3)


def test_blind_games_that_are_none_are_refused() -> None:
    for wrong in (lambda: pt.solve_blind(0), lambda: pt.solve_blind(70), lambda: pt.solve_blind(60, memory_limit=2**20),
                  lambda: pt.solve_blind(4, method="best"), lambda: pt.solve_blind(4, gap=-1.0),
                  lambda: pt.solve_blind(4).strategy("A", [1], [0]), lambda: pt.solve_blind(4).opening("C"),
                  lambda: pt.as_blind_policy("uniform"), lambda: pt.as_blind_policy(pt.solve_blind(3).policy(), 4)):  # fmt: skip
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        pt.as_blind_policy(7, 3)  # type: ignore[arg-type]


def test_guessing_the_most_is_nearly_right() -> None:
    blind, solution = pt.solve_blind((9, 7)), pt.solve((9, 7))
    # docs/blind.md: A secures 25/23, B concedes 32/23; the fewest loses everything.
    assert blind.guessing(solution).secured.lower == pytest.approx(25 / 23, abs=1e-9)
    assert blind.guessing(solution, "most").secured.upper == pytest.approx(32 / 23, abs=1e-9)
    assert blind.guessing(solution, "fewest").exploitability == 2.0
    with pytest.raises(ValueError):
        blind.guessing(solution, "half")  # type: ignore[arg-type]


def test_a_match_is_consistent_with_its_games() -> None:
    """A chance is the value of a game that pays the chances which follow, a draw the chance itself."""
    match = pt.solve_match(3, 12)
    for a, b in [(2, 1), (2, 2), (1, 0), (0, 0)]:
        def after(won: int, lost: int, a: int = a, b: int = b) -> Fraction:
            if a + won >= 3:
                return Fraction(1)
            return Fraction(0) if b + lost >= 3 else Fraction(float(match.chance((a + won, b + lost)))).limit_denominator(10**9)

        own = Fraction(float(match.chance((a, b)))).limit_denominator(10**9)
        game = pt.Rules(scoring=[after(2, 0), after(1, 0), own, after(0, 1), after(0, 2)])
        assert pt.solve(12, game)["12:12@0"] == pytest.approx(float(own), abs=1e-8)
        # A's chance is B's at the exchanged score.
        assert match.chance((a, b)) + match.chance((b, a)) == pytest.approx(1.0, abs=1e-12)
    assert match.scores()[0] == (0, 0, False) and len(match.scores()) == 9
    uneven = pt.solve_match(2, (12, 10))
    assert uneven.chance(pt.Score(1, 1)) > 0.5 > uneven.chance(pt.Score(1, 1, exchanged=True))
    for wrong in (lambda: match.chance((3, 0)), lambda: pt.solve_match(0), lambda: pt.solve_match(201, 3)):
        with pytest.raises(ValueError):
            wrong()


def test_policies_of_a_match_are_judged_as_by_a_search() -> None:
    """To one winning point a draw repeats the game: the chance is the value of the game in which a draw is worth it."""
    def best(state: State, draw: Fraction) -> Fraction:
        won = payoff(state)
        if won is not None:
            return draw if won == 0 else Fraction(won > 0)
        replies = bids(state[1])
        return max(sum(best(turn(state, i, j), draw) for j in replies) / len(replies) for i in bids(state[0]))

    match, chance = pt.solve_match(1, 3), Fraction(1, 2)
    for _ in range(40):
        chance = Fraction(best((3, 3, 0), chance)).limit_denominator(10**12)
    found = match.judge("uniform")
    assert chance > 0.6 and found.best_response_a == pytest.approx(float(chance), abs=1e-11)
    assert found.best_response_b == pytest.approx(1 - float(chance), abs=1e-11)
    assert found.exploitability == pytest.approx(float(chance) - 0.5, abs=1e-11)


def test_a_policy_of_a_match_is_one_for_every_score() -> None:
    match = pt.solve_match(2, (6, 5))
    optimal = {score: match.policy(score) for score in match.scores()}
    assert optimal[pt.Score(0, 1, exchanged=True)].points == (5, 6)
    judged = match.judge(optimal)
    assert judged.exploitability.upper < 1e-9
    assert judged.best_response_a.upper >= match.chance().lower and judged.best_response_b.lower <= match.chance().upper
    reported: list[float] = []
    assert match.judge("uniform", progress=reported.append).exploitability > judged.exploitability and reported == sorted(reported)
    with pytest.raises(pt.PolicyError, match="nothing about 1-1 with exchanged accounts"):
        match.judge({score: "uniform" for score in match.scores() if score != (1, 1, True)})
    with pytest.raises(pt.PolicyError, match="the policy is for 5:5 points"):
        match.judge(pt.as_policy("uniform", 5))
    with pytest.raises(ValueError):
        match.policy((2, 0))


def test_forced_play_is_that_of_a_search() -> None:
    @cache
    def forced(state: State) -> tuple[Fraction, Fraction]:
        won = payoff(state)
        if won is not None:
            return Fraction(won), Fraction(won)
        lower = max(min(forced(turn(state, i, j))[0] for j in bids(state[1])) for i in bids(state[0]))
        upper = min(max(forced(turn(state, i, j))[1] for i in bids(state[0])) for j in bids(state[1]))
        return lower, upper

    play = pt.ForcedPlay((6, 5))
    for a, b, ball in np.ndindex(7, 6, 5):
        state = (a, b, ball - 2)
        assert play.bounds(state) == forced(state)
        assert (play.lower[a, b, ball], play.upper[a, b, ball]) == forced(state)
        value = play.value(state)
        assert value is None or pt.solve((6, 5))[state] == pytest.approx(float(value), abs=1e-12)
    assert pickle.loads(pickle.dumps(play)).bounds("4:3@-2") == play.bounds("4:3@-2")
    assert play.attains("A", pt.solve((6, 5)), "4:3@-2") is False
    for wrong in (lambda: play.bounds("7:1@0"), lambda: play.endgame(3), lambda: pt.ForcedPlay(-1)):
        with pytest.raises(ValueError):
            wrong()


def test_figures_are_documents(tmp_path: Any) -> None:
    solution = pt.solve(8)
    judgement = solution.judge("uniform")
    drawn = [
        figures.values(solution), figures.opening(solution), figures.supports(solution), figures.outcomes(solution),
        figures.strategy(solution, "B", 1), figures.strategy(solution, against=3), figures.forced(pt.ForcedPlay(8)),
        figures.regret(judgement, "A", "uniform & <bold>"),
    ]  # fmt: skip
    assert len(set(drawn)) == len(drawn)
    for figure in drawn:
        assert ElementTree.fromstring(figure).tag.endswith("svg") and figure._repr_svg_() == figure
    drawn[0].save(tmp_path / "values.svg")
    assert (tmp_path / "values.svg").read_text(encoding="utf-8") == drawn[0]
    for wrong in (lambda: figures.strategy(solution, "A", 3), lambda: figures.strategy(solution, against=9)):
        with pytest.raises(ValueError):
            wrong()


@pytest.mark.parametrize("name", ["optimal", "lookahead:2:nothing", "simple:1000", "quantal:5"])
def test_players_with_names_are_policies(name: str) -> None:
    policy = pt.as_policy(name, (6, 5))
    assert policy.rules == pt.Rules.tennis() and policy.covers("A") and policy.covers("B")
    if name == "optimal":
        assert pt.exploitability(policy) < 1e-15
    with pytest.raises(pt.PolicyError, match="is not a policy"):
        pt.as_policy(name + ":x", 6)
