"""What environments of PettingZoo share: two agents that choose at the same time."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

try:
    from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    message = "pencil_tennis.env needs the packages pettingzoo and gymnasium: pip install 'pencil-tennis[env]'"
    raise ImportError(message) from error

if TYPE_CHECKING:
    from gymnasium import spaces

AGENTS = ("player_0", "player_1")
"""The names of the agents, as PettingZoo likes them: A, then B."""

Stepped: TypeAlias = tuple[
    dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]
"""What a step returns: observations, rewards, terminations, truncations, and infos by agent."""


class Turn(NamedTuple):
    """What a turn led to."""

    reward: float
    """A's reward."""
    over: bool
    """Whether the game is over."""
    truncated: bool
    """Whether it is broken off."""
    info: dict[str, Any]
    """What either agent is told."""


class TwoAgents(ParallelEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # PettingZoo has no types
    """A game between ``"player_0"`` (A) and ``"player_1"`` (B), which choose simultaneously."""

    render_mode: str | None = None

    def __init__(self, known: list[tuple[spaces.Space[Any], spaces.Space[Any]]]) -> None:
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        seen, done = zip(*known, strict=True)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict(zip(AGENTS, seen, strict=True))
        self.action_spaces: dict[str, spaces.Space[Any]] = dict(zip(AGENTS, done, strict=True))

    @abstractmethod
    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> dict[str, Any]:
        """Starts a game, and returns what either agent is told."""

    @abstractmethod
    def _turn(self, a: int, b: int) -> Turn:
        """Plays a turn."""

    @abstractmethod
    def _observations(self) -> dict[str, Any]:
        """What the agents observe."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begins a game; ``options["state"]`` names another start. The seed is that of chance, which Tennis has none of."""
        # PettingZoo's own test asks with this one whether there are options at all.
        info = self._begin(seed, None if options == {"options": 1} else options)
        self.agents = list(AGENTS)
        return self._observations(), {agent: dict(info) for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> Stepped:
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
        turn = self._turn(actions[agent_a], actions[agent_b])
        if turn.over or turn.truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(),
            {agent_a: turn.reward, agent_b: 0.0 - turn.reward},
            dict.fromkeys(AGENTS, turn.over),
            dict.fromkeys(AGENTS, turn.truncated),
            {agent: dict(turn.info) for agent in AGENTS},
        )

    def close(self) -> None:
        """Nothing to be closed."""
