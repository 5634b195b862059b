"""The environment for one learner passes Gymnasium's checks, and pays the value of the opponent's policy."""

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
    # The opponent bids one for certain, so that the learner's side is visible.
    env = TennisEnv(points=(9, 8), opponent=(lambda state: {1: 1.0},) * 2, player=player, illegal="error")
    random = np.random.default_rng(1)
    for _ in range(30):
        observation, info = env.reset(seed=1)
        expected, end = (9, 8, 0), None
        while end is None:
            a, b, ball = expected
            own, other, toward = (a, b, ball) if player == "A" else (b, a, -ball)
            assert observation["observation"].tolist() == [own, other, toward]
            assert np.flatnonzero(observation["action_mask"]).tolist() == list(bids(own))
            assert np.array_equal(env.action_masks(), observation["action_mask"] == 1)
            bid, reply = int(random.choice(bids(own))), min(1, other)
            pair = (bid, reply) if player == "A" else (reply, bid)
            observation, reward, terminated, truncated, info = env.step(bid)
            expected = turn(expected, *pair)
            end = won(expected)
            assert env.game_state == expected and info == {"bids": pair}
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
        # Finished games have started again, have paid nothing, and cannot be over at once.
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
    with pytest.raises(ValueError, match=r"the shape \(3,\); expected \(2,\)"):
        strict.step([1, 1, 1])
    with pytest.raises(ValueError, match="masked"):
        strict.step(np.ma.masked_array([1, 2], mask=[0, 1]))
    for wanted in (TennisEnv, TennisVectorEnv):
        with pytest.raises(ValueError, match="'humann' is no render mode"):
            wanted(render_mode="humann")


def test_many_games_are_as_many_environments():
    # Equal seeds give equal replies only one game at a time.
    for player, illegal in (("A", "nearest"), ("B", "error")):
        parameters = {"points": (9, 8), "opponent": "optimal", "player": player, "start": "7:8@1", "illegal": illegal}
        one, many = TennisEnv(**parameters, render_mode="ansi"), TennisVectorEnv(1, **parameters, render_mode="ansi")
        random = np.random.default_rng(3)
        for game in range(20):
            state = [None, "5:4@-1"][game % 2]
            options = None if state is None else {"state": state}
            seen, info = one.reset(seed=game, options=options)
            seen_many, infos = many.reset(seed=game, options=options)
            assert info == infos == {}
            over = False
            while not over:
                assert {name: array.tolist() for name, array in seen_many.items()} == {
                    name: [array.tolist()] for name, array in seen.items()
                }
                assert many.render() == (one.render(),)
                bid = int(random.choice(np.flatnonzero(seen["action_mask"])))
                if illegal == "nearest" and random.random() < 0.3:
                    bid = 1_000
                seen, reward, over, _, info = one.step(bid)
                seen_many, rewards, overs, _, infos = many.step(np.array([bid]))
                assert (rewards.tolist(), overs.tolist()) == ([reward], [over])
                assert infos["bids"].tolist() == [list(info["bids"])] and infos["_bids"].tolist() == [True]
        # A game that is over starts again, and no turn is played in it.
        seen_many, rewards, overs, _, infos = many.step(np.array([1]))
        assert seen_many["observation"].tolist() == [[7, 8, 1] if player == "A" else [8, 7, -1]]
        assert infos["bids"].tolist() == [[0, 0]] and infos["_bids"].tolist() == [False] and rewards[0] == 0


def test_bids_of_any_integers_count():
    envs = TennisVectorEnv(2, points=9)
    for dtype in (np.uint8, np.int16, np.uint64, np.int64):
        envs.reset(seed=1)
        *_, infos = envs.step(np.array([3, np.iinfo(dtype).max], dtype))
        assert infos["bids"][:, 0].tolist() == [3, 9]
    with pytest.raises(ValueError, match="has more than 63 bits"):
        TennisVectorEnv(1, points=9, illegal="error").step(np.array([2**64 - 1], np.uint64))


@pytest.mark.parametrize("environment", [TennisEnv(points=9), TennisVectorEnv(2, points=9)])
def test_options_that_there_are_not_are_refused(environment):
    with pytest.raises(ValueError, match=r"options\['sate'\] is not an option; expected 'state'"):
        environment.reset(options={"sate": "5:5@0"})
    with pytest.raises(pencil_tennis.GameError):
        environment.reset(options={"state": "50:5@0"})


def test_another_opponent_plays_from_the_next_turn_on():
    envs = TennisVectorEnv(3, points=9, opponent="uniform")
    one = TennisEnv(points=9)
    for environment in (envs, one):
        environment.set_opponent(lambda state: {min(state.a, 4): 1.0})
        environment.reset(seed=1)
    assert envs.step(np.array([1, 1, 1]))[-1]["bids"][:, 1].tolist() == [4, 4, 4]
    assert one.step(1)[-1]["bids"] == (1, 4)
    with pytest.raises(pencil_tennis.PolicyError, match="the policy is for"):
        envs.set_opponent(pencil_tennis.solve(9, Rules.footsteps()).policy())
