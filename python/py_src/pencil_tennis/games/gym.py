"""A game of any rules as environments of Gymnasium: one player's side against a fixed policy.

Needs Gymnasium: ``pip install "pencil-tennis[env]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    message = "pencil_tennis.games.gym needs the package gymnasium: pip install 'pencil-tennis[env]'"
    raise ImportError(message) from error

from pencil_tennis._games import Player, integers
from pencil_tennis._turns import known_options
from pencil_tennis.games._judging import PolicyLike
from pencil_tennis.games._solution import GameLike, Solution
from pencil_tennis.games._spaces import spaces_of
from pencil_tennis.games.plays import Illegal, Plays
from pencil_tennis.gym import opponent_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["GameEnv", "GameVectorEnv"]


class _Side:
    """One player's side of some plays."""

    def __init__(self, plays: Plays, player: Player, opponent: PolicyLike) -> None:
        self.plays = plays
        self.player: Player = player
        self.other: Player = opponent_of(player)
        self.set_opponent(opponent)

    def set_opponent(self, opponent: PolicyLike) -> None:
        self._table = self.plays.table(opponent, self.other)

    def observe(self) -> dict[str, NDArray[Any]]:
        return {"observation": self.plays.observe(), "action_mask": self.plays.mask(self.player).astype(np.int8)}

    def step(self, actions: ArrayLike, random: np.random.Generator) -> NDArray[np.float64]:
        """The player's rewards of a turn."""
        actions_of_player, replies = integers(actions), self.plays.draw(self._table, random)
        if self.player == "A":
            return self.plays.step(actions_of_player, replies, random)
        rewards: NDArray[np.float64] = 0.0 - self.plays.step(replies, actions_of_player, random)
        return rewards


class GameEnv(gymnasium.Env[Any, Any]):
    """One player's side of a game against a fixed policy. Observations and actions are as for `games.env.GameParallelEnv`.

    Parameters
    ----------
    game
        A `games.Solution`, or whatever `games.solve` takes, which is solved first.
    opponent
        "uniform", "optimal", or a policy of the opponent as `games.Solution.judge` takes it.
    player
        The learning player, ``"A"`` or ``"B"``.
    horizon, illegal
        As for `games.plays.Plays`.

    Examples
    --------
    >>> from pencil_tennis import games
    >>> from pencil_tennis.games.gym import GameEnv
    >>> rock = games.from_arrays([[2, 2], [0, 0], [0, 0]], [0, 1, -1], ([[1], [2], [2], [1]], [[1]] * 4))
    >>> env = GameEnv(rock, "uniform")
    >>> observation, info = env.reset(seed=1)
    >>> observation["action_mask"]
    array([1, 1], dtype=int8)
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        game: Solution[Any, Any] | GameLike,
        opponent: PolicyLike = "uniform",
        *,
        player: Player = "A",
        horizon: int | None = None,
        illegal: Illegal = "nearest",
    ) -> None:
        self.plays = Plays(game, horizon=horizon, illegal=illegal)
        self._side = _Side(self.plays, player, opponent)
        self.observation_space, self.action_space = spaces_of(self.plays, player)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a game; ``options["state"]`` names another start. The seed is that of chance and the opponent."""
        super().reset(seed=seed)
        known = known_options(options, "state")
        self.plays.reset(self.np_random, states=[known["state"]] if "state" in known else None)
        return self._observation(), {"state": self.plays.states[0]}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays a turn against an action that is drawn from the opponent's policy."""
        reward = float(self._side.step([action], self.np_random)[0])
        return self._observation(), reward, bool(self.plays.over[0]), bool(self.plays.truncated[0]), {"state": self.plays.states[0]}

    def set_opponent(self, opponent: PolicyLike) -> None:
        """Lets another opponent play from the next turn on."""
        self._side.set_opponent(opponent)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are now, as maskable learners ask for it."""
        mask: NDArray[np.bool_] = self.plays.mask(self._side.player)[0]
        return mask

    def _observation(self) -> dict[str, Any]:
        return {name: rows[0] for name, rows in self._side.observe().items()}


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games against a fixed policy, stepped at once in Rust: like as many `GameEnv`.

    A game that has ended starts again at the next step, whose action does not count for it and whose reward is 0
    (``AutoresetMode.NEXT_STEP``).

    Parameters
    ----------
    num_envs
        The number of games.
    game, opponent, player, horizon, illegal
        As for `GameEnv`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        game: Solution[Any, Any] | GameLike,
        opponent: PolicyLike = "uniform",
        *,
        player: Player = "A",
        horizon: int | None = None,
        illegal: Illegal = "nearest",
    ) -> None:
        self.plays = Plays(game, num_envs, horizon=horizon, illegal=illegal)
        self._side = _Side(self.plays, player, opponent)
        self.num_envs = len(self.plays)
        self.single_observation_space, self.single_action_space = spaces_of(self.plays, player)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._ended = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins all games; ``options["states"]`` names a start for each."""
        super().reset(seed=seed)
        known = known_options(options, "states")
        self.plays.reset(self.np_random, states=known.get("states"))
        self._ended[:] = False
        return self._side.observe(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays a turn of every game, and starts those again that ended in the turn before."""
        ended = self._ended
        rewards = self._side.step(actions, self.np_random)
        if ended.any():
            # A truncated play has had a turn that does not count.
            rewards[ended] = 0.0
            self.plays.reset(self.np_random, ended)
        over, truncated = self.plays.over, self.plays.truncated
        self._ended = over | truncated
        return self._side.observe(), rewards, over, truncated, {}

    def set_opponent(self, opponent: PolicyLike) -> None:
        """Lets another opponent play all games from the next turn on."""
        self._side.set_opponent(opponent)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions there are now, a row for each game, as maskable learners ask for it."""
        return self.plays.mask(self._side.player)
