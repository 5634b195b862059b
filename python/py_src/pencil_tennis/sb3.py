"""Learners of stable-baselines3: many games at once as its ``VecEnv``, and its models as policies.

Needs stable-baselines3: ``pip install "pencil-tennis[sb3]"``. ``python/examples/ppo.py`` trains and judges with it.
"""

# pyright: basic, reportMissingTypeStubs=false
# Its types ask for torch, which is not always there.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import torch  # pyright: ignore[reportMissingImports]
    from stable_baselines3.common.vec_env import VecEnv  # pyright: ignore[reportMissingImports]
except ImportError as error:
    message = "pencil_tennis.sb3 needs the package stable-baselines3: pip install 'pencil-tennis[sb3]'"
    raise ImportError(message) from error

from pencil_tennis._game import as_rules
from pencil_tennis._games import Games
from pencil_tennis._policy import as_policy
from pencil_tennis._spaces import action_space, observation_space
from pencil_tennis._turns import Turns
from pencil_tennis.gym import Opponents, opponent_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pencil_tennis._game import Points
    from pencil_tennis._games import Player
    from pencil_tennis._native import Policy, Rules
    from pencil_tennis._state import StateLike
    from pencil_tennis.gym import Opponent

__all__ = ["TennisVecEnv", "policy_of"]


class TennisVecEnv(VecEnv):  # type: ignore[misc]
    """Many games of one player against fixed opponents, stepped at once in Rust, as stable-baselines3 wants them.

    Observations, actions and rewards are those of `pencil_tennis.gym.TennisVectorEnv`; a bid that is not legal counts as the
    nearest one that is. A game that ends starts again in the same step, and ``infos[game]["terminal_observation"]`` is how it
    ended. ``env_method("action_masks")`` gives the legal bids, as the maskable learners of sb3-contrib ask for them.

    Parameters
    ----------
    num_envs
        The number of games.
    points, opponent, rules, player, start, horizon
        As for `pencil_tennis.gym.TennisEnv`.
    """

    def __init__(
        self,
        num_envs: int = 64,
        points: Points = 50,
        opponent: Opponent = "uniform",
        rules: Rules | None = None,
        *,
        player: Player = "A",
        start: StateLike | None = None,
        horizon: int | None = None,
    ) -> None:
        turns = Turns(points, rules, start, "nearest", horizon)
        self.player: Player = player
        self._other: Player = opponent_of(player)
        self._turns = turns
        self.games = Games(num_envs, turns.points, turns.rules, start=turns.start, horizon=turns.horizon)
        self.set_opponent(opponent)
        self._random = np.random.default_rng()
        self._against = np.zeros(num_envs, np.intp)
        self._actions = np.zeros(num_envs, np.int64)
        self.render_mode = None
        super().__init__(num_envs, observation_space(turns, player), action_space(turns, player))

    def set_opponent(self, opponent: Opponent) -> None:
        """Lets another opponent play from the next turn on; of a mixture one is drawn for each game when it next starts."""
        self._opponents = Opponents(opponent, self._other, self._turns.points, self._turns.rules)
        self._against = np.zeros(len(self.games), np.intp)

    def reset(self) -> dict[str, NDArray[Any]]:
        """Starts all games."""
        if self._seeds and self._seeds[0] is not None:
            self._random = np.random.default_rng(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self.games.reset()
        self._against = self._opponents.drawn(self._random, self.num_envs)
        return self._observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keeps the bids for `step_wait`."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[dict[str, NDArray[Any]], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays a turn of every game, and starts those again that have ended."""
        account = self.games.observe(self.player)[:, 0]
        bids = np.clip(self._actions, np.minimum(account, self._turns.rules.min_bid), account).astype(np.int64)
        replies = self._opponents.bids(self.games, self._against, self._random)
        self.games.step(*((bids, replies) if self.player == "A" else (replies, bids)))
        ended = self.games.over()
        payoffs = self.games.payoffs()
        rewards = np.asarray(payoffs if self.player == "A" else -payoffs, np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if ended.any():
            last = self._observations()
            for game in np.flatnonzero(ended):
                infos[game] = {
                    "terminal_observation": {name: array[game] for name, array in last.items()},
                    "TimeLimit.truncated": False,
                }
            self.games.restart(ended)
            self._against[ended] = self._opponents.drawn(self._random, int(ended.sum()))
        return self._observations(), rewards, ended, infos

    def close(self) -> None:
        """Nothing is open."""

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal bids, a row for each game."""
        return self.games.mask(self.player)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, once for each of the games."""
        found = getattr(self, attr_name)
        return [found for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of all games."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The result of a method for each game; ``set_opponent`` is called once for all."""
        found = getattr(self, method_name)(*method_args, **method_kwargs)
        rows = self._get_indices(indices)
        return [found[row] if isinstance(found, np.ndarray) else found for row in rows]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def _observations(self) -> dict[str, NDArray[Any]]:
        return {"observation": self.games.observe(self.player), "action_mask": self.games.mask(self.player).view(np.int8)}


def policy_of(model: Any, points: Points, rules: Rules | None = None) -> Policy:
    """Converts a model of stable-baselines3 or sb3-contrib to a policy that can be judged exactly.

    Parameters
    ----------
    model
        A model that was trained in `TennisVecEnv`, `pencil_tennis.gym.TennisEnv` or a similar one: PPO, A2C and MaskablePPO bid
        by their distributions, DQN and similar models by the greatest value. The probability of illegal bids goes to the
        nearest legal bid, as in the environments.
    points, rules
        The game. In symmetric games both players bid alike, each seen from the own side.

    Raises
    ------
    PolicyError
        As for `pencil_tennis.as_policy`.
    """
    lowest = as_rules(rules).min_bid
    masked = "Maskable" in type(model).__name__

    def probabilities(states: NDArray[np.int32], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
        observation: dict[str, NDArray[Any]] = {"observation": states, "action_mask": legal.astype(np.int8)}
        given = _asked(model, observation, legal if masked else None)
        account = states[:, 0]
        # A bid above the account counts as the account, one below the smallest bid as that.
        bids = np.clip(np.arange(given.shape[1]), lowest, account[:, None])
        likely = np.zeros(legal.shape)
        np.add.at(likely, (np.arange(len(states))[:, None], bids), given)
        shares: NDArray[np.float64] = likely / likely.sum(axis=1, keepdims=True)
        return shares

    return as_policy(probabilities, points, rules, batched=True)


def _asked(model: Any, observation: dict[str, NDArray[Any]], legal: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """The probabilities of all bids, legal or not."""
    policy = model.policy
    policy.set_training_mode(False)
    with torch.no_grad():
        tensors, _ = policy.obs_to_tensor(observation)
        if hasattr(policy, "get_distribution"):
            arguments: Sequence[Any] = (tensors,) if legal is None else (tensors, legal)
            likely = policy.get_distribution(*arguments).distribution.probs
            return np.asarray(likely.cpu().numpy(), np.float64)
        chosen = policy.predict(observation, deterministic=True)[0]
        probabilities: NDArray[np.float64] = np.eye(model.action_space.n)[np.asarray(chosen, np.int64)]
        return probabilities
