"""The environment for one learner is one to Gymnasium, and pays what the opponent's policy is worth."""

import numpy as np
import pytest
from retelling import bids, turn, won

import pencil_tennis
from pencil_tennis import Rules

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from pencil_tennis.gym import TennisEnv, TennisVectorEnv  # noqa: E402

ENVIRONMENTS = [
    {"points": 50},
    {"points": 12, "opponent": "optimal", "player": "B"},
    {"points": (7, 5), "rules": Rules(3, "step", "3,1,0,-1,-2"), "opponent": "optimal", "start": "5:5@-2"},
]


@pytest.mark.parametrize("parameters", ENVIRONMENTS)
def test_gymnasium_takes_it_for_an_environment(parameters):
    env = gymnasium.make("pencil_tennis.gym:pencil_tennis/Tennis-v0", **parameters)
    check_env(env.unwrapped)
    assert isinstance(env.unwrapped, TennisEnv)


@pytest.mark.parametrize("player", ["A", "B"])
def test_games_are_played_by_the_rules(player):
    # The opponent bids one for certain, so that the learner's side can be told.
    env = TennisEnv(points=(9, 8), opponent=(lambda state: {1: 1.0},) * 2, player=player, illegal="error")
    random = np.random.default_rng(1)
    for _ in range(30):
        observation, info = env.reset(seed=1)
        told, end = (9, 8, 0), None
        while end is None:
            a, b, ball = told
            own, other, toward = (a, b, ball) if player == "A" else (b, a, -ball)
            assert observation["observation"].tolist() == [own, other, toward]
            assert np.flatnonzero(observation["action_mask"]).tolist() == list(bids(own))
            assert np.array_equal(env.action_masks(), observation["action_mask"] == 1)
            bid, reply = int(random.choice(bids(own))), min(1, other)
            pair = (bid, reply) if player == "A" else (reply, bid)
            observation, reward, terminated, truncated, info = env.step(bid)
            told = turn(told, *pair)
            end = won(told)
            assert env.game_state == told and info == {"bids": pair}
            assert reward == (0 if end is None else end if player == "A" else -end)
            assert terminated is (end is not None) and truncated is False
        with pytest.raises(pencil_tennis.GameError, match="the game is over|is outside the field"):
            env.step(0)


@pytest.mark.parametrize("player", ["A", "B"])
def test_many_games_pay_what_the_policies_are_worth(player):
    # Random bids against optimal ones, with the exact expectation from the exact judgement of both.
    points, count = 10, 20_000
    optimal = pencil_tennis.solve(points).policy()
    pair = ("uniform", optimal) if player == "A" else (optimal, "uniform")
    exact = float(pencil_tennis.meeting(*pair, points=points).value) * (1 if player == "A" else -1)
    envs = gymnasium.make_vec(
        "pencil_tennis.gym:pencil_tennis/Tennis-v0", num_envs=count, points=points, opponent="optimal", player=player
    )
    assert isinstance(envs.unwrapped, TennisVectorEnv) and envs.num_envs == count
    random = np.random.default_rng(1)
    observations, _ = envs.reset(seed=1)
    paid, before = np.full(count, np.nan), np.zeros(count, bool)
    # The first game of each place is a fair sample; later ones are not, since short games are over sooner.
    while np.isnan(paid).any():
        assert envs.observation_space.contains(observations)
        own = observations["observation"][:, 0].astype(np.int64)
        assert np.array_equal(observations["action_mask"].sum(axis=1), np.maximum(own, 1))
        observations, rewards, terminated, truncated, _ = envs.step(random.integers(np.minimum(own, 1), own + 1))
        # What was over has started again, has paid nothing, and cannot be over at once.
        assert (observations["observation"][before] == [points, points, 0]).all()
        assert not rewards[before].any() and not terminated[before].any() and not truncated.any()
        first = terminated & np.isnan(paid)
        paid[first] = rewards[first]
        before = terminated
    # Four standard errors: one run in sixteen thousand would fail by chance, and the seed is fixed.
    assert abs(paid.mean() - exact) < 4 * paid.std() / count**0.5


def test_one_and_many_games_are_the_same_game():
    one, many = TennisEnv(points=8), TennisVectorEnv(1, points=8)
    for seed in range(20):
        observation, _ = one.reset(seed=seed)
        observations, _ = many.reset(seed=seed)
        terminated, random = False, np.random.default_rng(seed)
        while not terminated:
            assert np.array_equal(observations["observation"][0], observation["observation"])
            assert np.array_equal(observations["action_mask"][0], observation["action_mask"])
            bid = int(random.integers(0, 9))
            observation, reward, terminated, _, _ = one.step(bid)
            observations, rewards, over, _, _ = many.step([bid])
            assert (reward, terminated) == (rewards[0], over[0])


def test_what_is_not_possible_is_refused():
    with pytest.raises(pencil_tennis.PolicyError, match="`best` is not a policy"):
        TennisEnv(opponent="best")
    with pytest.raises(pencil_tennis.GameError, match="`C` is not a player; expected A or B"):
        TennisEnv(player="C")
    with pytest.raises(pencil_tennis.PolicyError, match="9:9 points"):
        TennisEnv(points=8, opponent=pencil_tennis.solve(9).policy())
    strict = TennisVectorEnv(2, points=4, illegal="error")
    strict.reset()
    with pytest.raises(pencil_tennis.GameError, match="game 1: A cannot bid 0"):
        strict.step([1, 0])
    with pytest.raises(TypeError, match="float64"):
        strict.step([1.0, 1.5])
