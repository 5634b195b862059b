"""A game of any rules as an environment of PettingZoo, for two learners that choose simultaneously.

Needs PettingZoo: ``pip install "pencil-tennis[env]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    message = "pencil_tennis.games.env needs the packages pettingzoo and gymnasium: pip install 'pencil-tennis[env]'"
    raise ImportError(message) from error

from pencil_tennis._turns import known_options
from pencil_tennis.games._solution import GameLike, Solution
from pencil_tennis.games._spaces import spaces_of
from pencil_tennis.games.plays import Illegal, Plays

if TYPE_CHECKING:
    from gymnasium import spaces
    from numpy.typing import NDArray

__all__ = ["AGENTS", "GameParallelEnv"]

AGENTS = ("player_0", "player_1")
"""The names of the agents, as PettingZoo likes them: A, then B."""


class GameParallelEnv(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # PettingZoo has no types
    """A game between the agents ``"player_0"`` (A) and ``"player_1"`` (B), which choose simultaneously.

    An action is its number in the list that the rules give. An observation is a dictionary: ``"observation"`` has the state's
    numbers if all states are rows of as many integers, otherwise the number of the state (int64); ``"action_mask"`` which actions
    there are (int8). Rewards are A's, and their negatives are B's; an end's payoff comes with the last turn.
    ``infos[agent]["state"]`` is the state as the rules have it.

    Parameters
    ----------
    game
        A `games.Solution`, or whatever `games.solve` takes, which is solved first.
    horizon, illegal
        As for `games.plays.Plays`.

    Examples
    --------
    >>> from pencil_tennis import games
    >>> from pencil_tennis.games.env import GameParallelEnv
    >>> rock = games.from_arrays([[2, 2], [0, 0], [0, 0]], [0, 1, -1], ([[1], [2], [2], [1]], [[1]] * 4))
    >>> env = GameParallelEnv(rock)
    >>> observations, infos = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = env.step({"player_0": 0, "player_1": 1})
    >>> rewards, terminations["player_0"]
    ({'player_0': -1.0, 'player_1': 1.0}, True)
    """

    metadata = {"name": "pencil_tennis_game_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(self, game: Solution[Any, Any] | GameLike, *, horizon: int | None = None, illegal: Illegal = "nearest") -> None:
        self.plays = Plays(game, horizon=horizon, illegal=illegal)
        self.render_mode = None
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        known = [spaces_of(self.plays, player) for player in ("A", "B")]
        self.observation_spaces = dict(zip(AGENTS, (seen for seen, _ in known), strict=True))
        self.action_spaces = dict(zip(AGENTS, (done for _, done in known), strict=True))
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, NDArray[Any]]], dict[str, dict[str, Any]]]:
        """Begins a game; ``options["state"]`` names another start. The seed is that of chance."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        # PettingZoo's own test asks with this one whether there are options at all.
        known = known_options(None if options == {"options": 1} else options, "state")
        self.plays.reset(self._random, states=[known["state"]] if "state" in known else None)
        self.agents = list(AGENTS)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, dict[str, NDArray[Any]]], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays a turn with the actions of both agents.

        Raises
        ------
        GameError
            For an action that there is not, with ``illegal="error"``.
        ValueError
            When an agent's action is missing, or that of another is there.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        if set(actions) != set(AGENTS):
            given = ", ".join(map(str, actions)) or "nobody"
            raise ValueError(f"there are actions of {given}; expected one of each of {', '.join(AGENTS)}")
        agent_a, agent_b = AGENTS
        reward = float(self.plays.step([actions[agent_a]], [actions[agent_b]], self._random)[0])
        over, truncated = bool(self.plays.over[0]), bool(self.plays.truncated[0])
        if over or truncated:
            self.agents = []
        rewards = {agent_a: reward, agent_b: 0.0 - reward}
        return self._observations(), rewards, dict.fromkeys(AGENTS, over), dict.fromkeys(AGENTS, truncated), self._infos()

    def state(self) -> NDArray[np.int64]:
        """What both agents observe of the state."""
        seen: NDArray[np.int64] = self.plays.observe()[0]
        return seen

    def close(self) -> None:
        """Nothing to be closed."""

    def _observations(self) -> dict[str, dict[str, NDArray[Any]]]:
        seen = self.plays.observe()[0]
        masks = [self.plays.mask(player)[0].astype(np.int8) for player in ("A", "B")]
        return {agent: {"observation": seen.copy(), "action_mask": mask} for agent, mask in zip(AGENTS, masks, strict=True)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        state = self.plays.states[0]
        return {agent: {"state": state} for agent in AGENTS}
