"""Learners reproduce known results of the library's learners, and curves judge exactly."""

import pickle

import numpy as np
import pytest

import pencil_tennis
from pencil_tennis import LEARNERS, LearningCurve, PolicyError, Rules, Training, solve


def test_learners_are_described():
    names = ["simple", "extended", "rm", "rm-plus", "cfr-plus", "fictitious", "exponential", "outcome"]
    assert list(LEARNERS) == names and all(LEARNERS[name].name == name for name in names)
    assert "forget" in LEARNERS["extended"].options and LEARNERS["simple"].options == ("reward",)
    assert LEARNERS["simple"].guarantee == "none for this game"


def test_the_article_s_learner_is_exploited_by_what_the_documents_say():
    # docs/learning.md, 100,000 games with 50 points, seeds 1 to 5: 1.897 … 1.923, and against optimal play −1.457 … −1.349.
    curve = LearningCurve(pencil_tennis.solve(50))
    curve.train(Training("simple", seed=1), [100_000])
    assert 1.8965 < curve.exploitability[0] < 1.9235
    assert -1.4575 < curve.against_optimum[0] < -1.3485


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_learns_and_can_be_written_down(learner):
    training = Training(learner, points=5, seed=3)
    before = float(pencil_tennis.exploitability(training.policy()))
    training.play(2_000)
    resumed = pickle.loads(pickle.dumps(training))
    assert (resumed.learner, resumed.points, resumed.seed, resumed.games) == (learner, 5, 3, training.games)
    assert training.games >= 2_000 and resumed.rules == Rules()
    for copy in (training, resumed):
        copy.play(500)
    assert resumed.policy() == training.policy() and resumed.entries_read == training.entries_read
    assert float(pencil_tennis.exploitability(training.policy())) < before


def test_playing_in_pieces_changes_nothing():
    whole, reported = Training("extended", points=6, loss=1, every=100), []
    whole.play(60_000, progress=reported.append)
    parts = Training("extended", points=6, loss=1, every=100)
    for games in (1, 999, 59_000):
        parts.play(games)
    assert whole.policy() == parts.policy() and whole.games == parts.games == 60_000
    assert reported[-1] == 1.0 and reported == sorted(reported)


def test_curves_are_arrays_of_exact_judgements():
    solution = pencil_tennis.solve(6)
    curve, points = LearningCurve(solution), []
    training = Training("rm", points=6, schedule="games")
    curve.train(training, 300, callback=points.append)
    assert curve.games.tolist() == LearningCurve.ladder(300) == [1, 2, 5, 10, 20, 50, 100, 200, 300]
    assert [tuple(point) for point in points] == [tuple(curve[index]) for index in range(len(curve))]
    assert list(curve.frame()) == list(points[0]._fields)
    policy = training.policy()
    assert curve.exploitability[-1] == float(pencil_tennis.exploitability(policy))
    meetings = [pencil_tennis.meeting(policy, "uniform"), pencil_tennis.meeting("uniform", policy)]
    assert curve.against_uniform[-1] == pytest.approx((float(meetings[0].value) - float(meetings[1].value)) / 2, abs=1e-15)
    optimal = solution.policy()
    meetings = [pencil_tennis.meeting(policy, optimal), pencil_tennis.meeting(optimal, policy)]
    assert curve.against_optimum[-1] == pytest.approx((float(meetings[0].value) - float(meetings[1].value)) / 2, abs=1e-15)
    assert (np.diff(curve.seconds) >= 0).all() and (np.diff(curve.frame()["entries_read"]) > 0).all()


def test_a_piece_that_is_larger_than_a_rung_is_judged_once():
    # A sweep over 5:5 counts as 180 games.
    curve, training = LearningCurve(pencil_tennis.solve(5)), Training("cfr-plus", points=5)
    curve.train(training, 1_000)
    assert curve.games.tolist() == [180, 360, 540, 1_080]
    curve.train(training, 1_000)
    assert len(curve) == 4


def test_a_learner_of_one_s_own_stands_on_the_curve():
    solution = pencil_tennis.solve(5)
    curve = LearningCurve(solution)
    assert curve.note("uniform", 0).exploitability == pytest.approx(193 / 120, abs=1e-12)
    point = curve.note(solution.policy(), 7)
    assert point.games == 7 and point.seconds == 0 and point.entries_read is None
    assert abs(point.exploitability) < 1e-15 and abs(point.against_optimum) < 1e-15
    with pytest.raises(pencil_tennis.PolicyError, match="6:6 points"):
        curve.note(pencil_tennis.solve(6).policy(), 8)
    assert curve.games.tolist() == [0, 7] and repr(curve) == "<LearningCurve with 2 points>"


def test_a_callback_can_stop_the_training():
    def enough(point):
        if point.games >= 20:
            raise StopIteration

    training, curve = Training("simple", points=5), LearningCurve(pencil_tennis.solve(5))
    with pytest.raises(StopIteration):
        curve.train(training, 1_000_000, callback=enough)
    assert training.games == 20 and curve.games.tolist() == [1, 2, 5, 10, 20]

    def at_once(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        curve.train(training, [1_000_000], progress=at_once)
    assert 20 < training.games < 1_000_000 and len(curve) == 5
    with pytest.raises(KeyboardInterrupt):
        training.play(1_000_000, progress=at_once)


def test_what_is_not_possible_is_refused():
    for arguments, sentence in [
        ({"learner": "deep"}, "`deep` is not a learner; expected one of simple, extended, rm"),
        ({"learner": "simple", "loss": 1}, "the learner simple has no option loss; expected reward"),
        ({"learner": "extended", "middle": 1.5}, "the option middle cannot be 1.5; expected a share from 0 to 1"),
        ({"learner": "rm", "schedule": "turns"}, "the option schedule cannot be turns; expected sweeps or games"),
        ({"learner": "rm", "rules": Rules(scoring="1,0,0,0,-2")}, "learners need a scoring in which"),
    ]:
        with pytest.raises(pencil_tennis.AgentError, match=sentence):
            Training(**arguments)
    for points in (201, -1):
        with pytest.raises(pencil_tennis.Error, match=f"{points} points"):
            Training("simple", points=points)
    with pytest.raises(pencil_tennis.AgentError, match="not a saved training"):
        Training.from_bytes(b"tennis")
    with pytest.raises(pencil_tennis.PolicyError, match="5:5 points"):
        LearningCurve(pencil_tennis.solve(6)).train(Training("simple", points=5), 10)
    assert repr(Training("rm", 5)).startswith("<Training of rm with 5 points each by Rules(")


def test_a_learner_of_another_game_is_refused() -> None:
    curve = LearningCurve(solve(5))
    for training in (Training("simple", 5, Rules.footsteps()), Training("simple", 6)):
        with pytest.raises(PolicyError, match="the learner plays|the policy is for"):
            curve.train(training, 10)
    assert len(curve) == 0
