"""The game as an environment of PettingZoo, for two learners that bid simultaneously.

Needs PettingZoo: ``pip install "pencil-tennis[env]"``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pencil_tennis._game import Points
from pencil_tennis._parallel import AGENTS, Turn, TwoAgents
from pencil_tennis._spaces import action_space, observation_space
from pencil_tennis._turns import PLAYERS, Illegal, Observation, Turns, TurnsShown, known_mode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis._native import Rules
    from pencil_tennis._state import StateLike

__all__ = ["AGENTS", "TennisParallelEnv", "parallel_env"]


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


class TennisParallelEnv(TurnsShown, TwoAgents):
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
        super().__init__([(observation_space(self._turns, player), action_space(self._turns, player)) for player in PLAYERS])
        self.render_mode = known_mode(render_mode)

    def state(self) -> NDArray[np.int32]:
        """A's points, B's points and the ball, positive on B's side."""
        return np.array(self._turns.state, np.int32)

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> dict[str, Any]:
        self._turns.reset(options)
        return {}

    def _turn(self, a: int, b: int) -> Turn:
        bids = self._turns.bid("A", a), self._turns.bid("B", b)
        payoff = self._turns.play(*bids)
        return Turn(payoff or 0.0, over=payoff is not None, truncated=False, info={"bids": bids})

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._turns.observe(player) for agent, player in zip(AGENTS, PLAYERS, strict=True)}
