"""All public objects survive pickling."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import Rules, State, matrix_game

SOLUTION = pt.solve(6, exact=True)
ASYMMETRIC = Rules(2, "step", "3,1,0,-1,-2")


def curve() -> pt.LearningCurve:
    made = pt.LearningCurve(SOLUTION)
    made.train(pt.Training("simple", 6), 20)
    return made


def played() -> pt.Games:
    games = pt.Games(4, 6, ASYMMETRIC, start="6:5@0")
    games.reset([(6, 5, 0), (0, 0, 1), (3, 2, -2), (1, 1, 2)])
    # The last one is hit out.
    games.step([1, 0, 1, 1], [1, 0, 1, 1])
    games.reset([(6, 5, 0), (0, 0, 1), (3, 2, -2), (2, 1, 2)])
    games.step([1, 0, 1, 2], [1, 0, 1, 1])
    return games


def environments() -> list[Any]:
    pytest.importorskip("pettingzoo")
    from pencil_tennis import env, gym

    made = [gym.TennisEnv(6, start="5:4@1"), gym.TennisVectorEnv(3, 6, start="5:4@1"), env.parallel_env(6)]
    for environment in made:
        environment.reset(seed=1)
    return made


THINGS: list[Any] = [
    SOLUTION,
    SOLUTION["4:3@-2"],
    SOLUTION.exact_equilibrium("4:3@-2"),
    SOLUTION.digits("4:3@-2", 20),
    SOLUTION["4:3@-2"],
    State(1, 2, 0),
    ASYMMETRIC,
    pt.verify(SOLUTION.certificate()),
    SOLUTION.policy(),
    pt.as_policy("uniform", 6),
    pt.StateLoss(State(1, 1, 0), "A", 0.0, 0.0, 0.0, 0.0, 0.0),
    pt.LEARNERS["simple"],
    matrix_game.solve([[3, -1], [-2, 1]]),
    pt.CurvePoint(1, 2.0, 3, 4.0, 5.0, 6.0),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_what_can_be_compared(thing: Any, protocol: int) -> None:
    for again in (pickle.loads(pickle.dumps(thing, protocol)), copy.copy(thing), copy.deepcopy(thing)):
        assert type(again) is type(thing) and again == thing and repr(again) == repr(thing)


def test_what_is_compared_by_its_numbers() -> None:
    again = pickle.loads(pickle.dumps(curve()))
    assert list(again)[:3] == list(again)[:3] and len(again) == len(curve()) and again.games.tolist() == curve().games.tolist()
    again.train(pt.Training("simple", 6), 50)
    assert again.games[-1] == 50

    games = played()
    assert games.running == 2
    copied = pickle.loads(pickle.dumps(games))
    assert repr(copied) == repr(games) and np.array_equal(copied.states(), games.states()) and copied.start == games.start
    assert np.array_equal(copied.over(), games.over()) and np.array_equal(copied.payoffs(), games.payoffs())
    assert copied.restart() == 2 and copied.states()[1].tolist() == [6, 5, 0]

    response = pt.best_response("uniform", "B", 6, Rules(3, "step"))
    copied_response = pickle.loads(pickle.dumps(response))
    assert copied_response.policy == response.policy and np.array_equal(copied_response.array(), response.array())

    judgement = SOLUTION.judge("uniform")
    copied_judgement = pickle.loads(pickle.dumps(judgement))
    assert repr(copied_judgement) == repr(judgement) and copied_judgement.costliest(5) == judgement.costliest(5)

    duel = pt.duel("uniform", SOLUTION.policy(), 100, 6)
    copied_duel = pickle.loads(pickle.dumps(duel))
    assert copied_duel.counts == duel.counts and copied_duel.meeting.value == duel.meeting.value

    rough = matrix_game.solve([[0.5, 0.25], [0.0, 1.0]])
    assert pickle.loads(pickle.dumps(rough)).lower == rough.lower

    training = pt.Training("cfr-plus", 5)
    training.play(100)
    assert pickle.loads(pickle.dumps(training)).policy() == training.policy()


def test_environments_go_on_as_before() -> None:
    for environment in environments():
        again = pickle.loads(pickle.dumps(environment))
        games = getattr(again, "num_envs", 1)
        actions = {agent: 1 for agent in again.agents} if hasattr(again, "agents") else np.ones(games, int)
        if not hasattr(again, "agents") and not hasattr(again, "num_envs"):
            actions = 1
        one, other = environment.step(actions), again.step(actions)
        assert repr(one) == repr(other)


def test_policies_keep_their_rules() -> None:
    policy = pt.solve(4, Rules.footsteps()).policy()
    assert pickle.loads(pickle.dumps(policy)).rules == Rules.footsteps() == copy.deepcopy(policy).rules


def test_errors() -> None:
    with pytest.raises(pt.GameError) as caught:
        SOLUTION["9:9@9"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is pt.GameError and str(again) == str(caught.value)


def test_blind_solutions_and_matches_are_solved_again() -> None:
    for blind in (pt.solve_blind((5, 4)), pt.solve_blind((5, 4), method="lp"), pt.solve_blind(5, gap=0.1)):
        again = pickle.loads(pickle.dumps(blind))
        assert again.value == blind.value and again.value.width == blind.value.width and again.method == blind.method
        assert again.policy() == blind.policy()
    match = pt.solve_match(2, (8, 7))
    again = copy.deepcopy(match)
    assert [again.chance(score) for score in again.scores()] == [match.chance(score) for score in match.scores()]
    assert again.rules == match.rules and again.policy() == match.policy()
