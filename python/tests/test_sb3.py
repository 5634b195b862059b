"""The adapter for stable-baselines3, where that is installed; it is large, and CI does without."""

import numpy as np
import pencil_tennis
import pytest

pytest.importorskip("stable_baselines3", exc_type=ImportError)

from pencil_tennis.gym import Mixture  # noqa: E402
from pencil_tennis.sb3 import TennisVecEnv, policy_of  # noqa: E402


@pytest.mark.filterwarnings("ignore")
def test_games_end_start_again_and_pay_what_they_should() -> None:
    env = TennisVecEnv(500, points=8, opponent=Mixture(["uniform", "optimal"]), player="B")
    env.seed(1)
    observation = env.reset()
    won, ended = 0.0, 0
    random = np.random.default_rng(2)
    for _ in range(40):
        masks = np.stack(env.env_method("action_masks"))
        assert (masks == observation["action_mask"].astype(bool)).all()
        bids = (random.random(masks.shape) * masks).argmax(axis=1)
        observation, rewards, done, infos = env.step(bids)
        assert (rewards[~done] == 0).all() and (observation["observation"][done] == [8, 8, 0]).all()
        for game in np.flatnonzero(done):
            assert infos[game]["terminal_observation"]["observation"].shape == (3,)
        won, ended = won + float(rewards.sum()), ended + int(done.sum())
    # A uniform player against uniform and optimal ones: the mean of the two, within five standard errors.
    expected = -float(pencil_tennis.meeting("optimal", "uniform", 8).value) / 2
    assert abs(won / ended - expected) < 5 * 2 / ended**0.5


@pytest.mark.filterwarnings("ignore")
def test_a_model_becomes_the_policy_that_it_plays() -> None:
    from stable_baselines3 import PPO

    env = TennisVecEnv(16, points=6)
    model = PPO("MultiInputPolicy", env, n_steps=16, batch_size=64, seed=1).learn(256)
    policy = policy_of(model, 6)
    observation = {"observation": np.array([[4, 3, -2]] * 4000, np.int32),
                   "action_mask": np.array([[0, 1, 1, 1, 1, 0, 0]] * 4000, np.int8)}  # fmt: skip
    drawn = np.clip(model.predict(observation)[0], 1, 4)
    counted = {bid: (drawn == bid).mean() for bid in range(1, 5)}
    for bid, probability in policy.strategy("4:3@-2", "A").items():
        assert abs(counted[bid] - probability) < 5 * 0.5 / 4000**0.5
