"""The game as an environment of PettingZoo, for two learners that bid simultaneously.

Needs PettingZoo: ``pip install "pencil-tennis[env]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    message = "pencil_tennis.env needs the packages pettingzoo and gymnasium: pip install 'pencil-tennis[env]'"
    raise ImportError(message) from error

from pencil_tennis._game import Points
from pencil_tennis._spaces import action_space, observation_space
from pencil_tennis._turns import PLAYERS, Illegal, Observation, Turns, TurnsShown, known_mode

if TYPE_CHECKING:
    from gymnasium import spaces
    from numpy.typing import NDArray

    from pencil_tennis._native import Rules
    from pencil_tennis._state import StateLike

__all__ = ["AGENTS", "TennisParallelEnv", "parallel_env"]

AGENTS = ("player_0", "player_1")
"""The names of the agents, as PettingZoo likes them: A, then B."""


def parallel_env(
    points: Points = 50,
    rules: Rules | None = None,
    *,
    start: StateLike | None = None,
    horizon: int | None = None,
    illegal: Illegal = "nearest",
    render_mode: str | None = None,
) -> TennisParallelEnv:
    """The environment of a game; the parameters are those of `TennisParallelEnv`."""
    return TennisParallelEnv(points, rules, start=start, horizon=horizon, illegal=illegal, render_mode=render_mode)


class TennisParallelEnv(TurnsShown, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A game between the agents ``"player_0"`` (A) and ``"player_1"`` (B), which bid simultaneously.

    An action is a bid, from 0 to the agent's points at the start. An observation is a dictionary: ``"observation"`` holds the
    own points, the opponent's points and the ball, positive on the opponent's side (int32); ``"action_mask"`` which bids are
    legal (int8). Rewards are 0 until the game ends; then A gets what A has won, and B the negative. Nothing is random but what
    agents do. ``infos[agent]["bids"]`` are the bids of A and of B that counted.

    Parameters
    ----------
    points
        The points both players start with, or those of A and those of B.
    rules
        The rules; Tennis unless given.
    start
        The state that a game starts from: all points and the ball on the net unless given. ``reset(options={"state": "4:3@-2"})``
        starts one game from elsewhere.
    horizon
        The turns after which a game is decided where the ball lies: 1000 unless given where the smallest bid is 0 and a game
        could go on for ever, otherwise none.
    illegal
        The treatment of an illegal bid: the nearest legal bid counts instead (``"nearest"``), or it is
        refused with a `GameError` (``"error"``).
    render_mode
        ``"ansi"`` for a line of text from `render`, ``"human"`` to print it after every turn.

    Raises
    ------
    Error
        For points or a start that are not possible.

    Examples
    --------
    >>> from pencil_tennis.env import parallel_env
    >>> env = parallel_env(points=20)
    >>> observations, infos = env.reset()
    >>> observations, rewards, terminations, truncations, infos = env.step({"player_0": 3, "player_1": 2})
    >>> observations["player_1"]["observation"]
    array([18, 17, -1], dtype=int32)
    """

    metadata = {"name": "pencil_tennis_v0", "render_modes": ["ansi", "human"], "is_parallelizable": True}

    def __init__(
        self,
        points: Points = 50,
        rules: Rules | None = None,
        *,
        start: StateLike | None = None,
        horizon: int | None = None,
        illegal: Illegal = "nearest",
        render_mode: str | None = None,
    ) -> None:
        self._turns = Turns(points, rules, start, illegal, horizon)
        self.render_mode = known_mode(render_mode)
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        seen = [observation_space(self._turns, player) for player in PLAYERS]
        done = [action_space(self._turns, player) for player in PLAYERS]
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict(zip(AGENTS, seen, strict=True))
        self.action_spaces: dict[str, spaces.Space[Any]] = dict(zip(AGENTS, done, strict=True))

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's bids."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts a game; ``options["state"]`` names another start. The seed has no effect: nothing is random."""
        # PettingZoo's own test asks with this one whether there are options at all.
        self._turns.reset(None if options == {"options": 1} else options)
        self.agents = list(AGENTS)
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays a turn with the bids of both agents.

        Raises
        ------
        GameError
            For a bid that is not legal, with ``illegal="error"``.
        ValueError
            When an agent's action is missing, or that of another is there.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        if set(actions) != set(AGENTS):
            given = ", ".join(map(str, actions)) or "nobody"
            message = f"there are actions of {given}; expected one of each of {', '.join(AGENTS)}"
            raise ValueError(message)
        agent_a, agent_b = AGENTS
        bids = self._turns.bid("A", actions[agent_a]), self._turns.bid("B", actions[agent_b])
        payoff = self._turns.play(*bids)
        over = payoff is not None
        reward = payoff or 0.0
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(),
            {agent_a: reward, agent_b: 0.0 - reward},
            dict.fromkeys(AGENTS, over),
            dict.fromkeys(AGENTS, False),
            {agent: {"bids": bids} for agent in AGENTS},
        )

    def state(self) -> NDArray[np.int32]:
        """A's points, B's points and the ball, positive on B's side."""
        return np.array(self._turns.state, np.int32)

    def close(self) -> None:
        """Nothing to be closed."""

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._turns.observe(player) for agent, player in zip(AGENTS, PLAYERS, strict=True)}
