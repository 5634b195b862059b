"""A game of any rules as an environment of PettingZoo, for two learners that choose simultaneously.

Needs PettingZoo: ``pip install "pencil-tennis[env]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pencil_tennis._parallel import AGENTS, Turn, TwoAgents
from pencil_tennis._turns import PLAYERS, known_options
from pencil_tennis.games._solution import GameLike, Solution
from pencil_tennis.games._spaces import spaces_of
from pencil_tennis.games.plays import Illegal, Plays

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AGENTS", "GameParallelEnv"]


class GameParallelEnv(TwoAgents):
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
        super().__init__([spaces_of(self.plays, player) for player in PLAYERS])
        self._random = np.random.default_rng()

    def state(self) -> NDArray[np.int64]:
        """What both agents observe of the state."""
        seen: NDArray[np.int64] = self.plays.observe()[0]
        return seen

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> dict[str, Any]:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        known = known_options(options, "state")
        self.plays.reset(self._random, states=[known["state"]] if "state" in known else None)
        return {"state": self.plays.states[0]}

    def _turn(self, a: int, b: int) -> Turn:
        reward = float(self.plays.step([a], [b], self._random)[0])
        return Turn(reward, bool(self.plays.over[0]), bool(self.plays.truncated[0]), {"state": self.plays.states[0]})

    def _observations(self) -> dict[str, dict[str, NDArray[Any]]]:
        seen = self.plays.observe()[0]
        masks = [self.plays.mask(player)[0].astype(np.int8) for player in PLAYERS]
        return {agent: {"observation": seen.copy(), "action_mask": mask} for agent, mask in zip(AGENTS, masks, strict=True)}
