"""The game as an environment of Gymnasium, for one learner against a fixed policy.

Needs Gymnasium: ``pip install "pencil-tennis[env]"``. Importing this module registers ``pencil_tennis/Tennis-v0``, so that
``gymnasium.make("pencil_tennis.gym:pencil_tennis/Tennis-v0", points=20)`` gives a `TennisEnv`, and ``gymnasium.make_vec`` a
`TennisVectorEnv`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    message = "pencil_tennis.gym needs the package gymnasium: pip install 'pencil-tennis[env]'"
    raise ImportError(message) from error

from pencil_tennis import _native
from pencil_tennis._game import Points
from pencil_tennis._games import Games, integers, random_bits
from pencil_tennis._native import Rules
from pencil_tennis._policy import PolicyLike, as_policy
from pencil_tennis._spaces import action_space, observation_space
from pencil_tennis._state import State
from pencil_tennis._turns import PLAYERS, Illegal, Observation, Turns, TurnsShown, known_mode, known_options, picture

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pencil_tennis._games import Player
    from pencil_tennis._state import StateLike

__all__ = ["Mixture", "TennisEnv", "TennisVectorEnv"]



@dataclass(frozen=True)
class Mixture:
    """Several opponents, drawn at random for every game: earlier versions of a learner, for example.

    Parameters
    ----------
    opponents
        The opponents: any policies that `as_policy` takes.
    weights
        How often each is drawn, in proportion; all are equally likely unless given.

    Raises
    ------
    ValueError
        For no opponents, and for weights that are negative, not finite, all 0, or not as many as opponents.

    Examples
    --------
    >>> from pencil_tennis.gym import Mixture, TennisEnv
    >>> env = TennisEnv(points=12, opponent=Mixture(["uniform", "optimal"], [1, 3]))
    >>> observation, info = env.reset(seed=1)
    """

    opponents: Sequence[PolicyLike]
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        weights = np.ones(len(self.opponents)) if self.weights is None else np.asarray(self.weights, np.float64)
        possible = len(weights) == len(self.opponents) > 0 and bool(np.isfinite(weights).all()) and bool((weights >= 0).all())
        if not possible or weights.sum() == 0:
            message = f"{len(self.opponents)} opponents cannot be drawn with the weights {self.weights!r:.80}"
            raise ValueError(message)


Opponent: TypeAlias = PolicyLike | Mixture
"""The opponent: any policy that `as_policy` takes, ``"optimal"`` and ``"uniform"`` among them, or a `Mixture`."""


class Opponents:
    """The checked policies of one player, drawn at random for every game."""

    def __init__(self, opponent: Opponent, player: Player, points: tuple[int, int], rules: Rules) -> None:
        mixture = opponent if isinstance(opponent, Mixture) else Mixture([opponent])
        self.player: Player = player
        self.policies = [as_policy(each, points, rules).only(player) for each in mixture.opponents]
        weights = np.ones(len(self.policies)) if mixture.weights is None else np.asarray(mixture.weights, np.float64)
        self.shares = weights / weights.sum()

    def drawn(self, random: np.random.Generator, games: int) -> NDArray[np.intp]:
        """The indices of the opponents' policies, one for each game."""
        if len(self.policies) == 1:
            return np.zeros(games, np.intp)
        return random.choice(len(self.policies), size=games, p=self.shares)

    def bids(self, games: Games, places: NDArray[np.intp], random: np.random.Generator) -> NDArray[np.int64]:
        """A bid for every game, from the policy that it is played against."""
        if len(self.policies) == 1:
            return games.draw(self.policies[0], self.player, random)
        return np.choose(places, [games.draw(policy, self.player, random) for policy in self.policies])


class TennisEnv(TurnsShown, gymnasium.Env[Observation, int]):
    """One player's side of a game against a fixed policy.

    An action is a bid, from 0 to the player's points at the start. An observation is a dictionary: ``"observation"`` holds the
    own points, the opponent's points and the ball, positive on the opponent's side (int32); ``"action_mask"`` which bids are
    legal (int8). The reward is 0 until the game ends; then it is the player's payoff. ``info["bids"]`` are the bids of A and
    of B that counted.

    Parameters
    ----------
    points
        The points both players start with, or those of A and those of B.
    opponent
        The policy of the opponent: ``"uniform"`` for random bids, ``"optimal"`` for perfect play (the game is solved first), any
        other policy that `as_policy` takes (that of one player is A's there, and B's is its mirror image), or a `Mixture`, of
        which one is drawn for every game.
    rules
        The rules; Tennis unless given.
    player
        The learning player, ``"A"`` or ``"B"``.
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
        For points, a start or a policy that are not possible, and for a policy that was made for other rules.

    Examples
    --------
    >>> from pencil_tennis.gym import TennisEnv
    >>> env = TennisEnv(points=20, opponent="optimal")
    >>> observation, info = env.reset(seed=1)
    >>> observation["observation"]
    array([20, 20,  0], dtype=int32)
    >>> observation, reward, terminated, truncated, info = env.step(5)
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        points: Points = 50,
        opponent: Opponent = "uniform",
        rules: Rules | None = None,
        *,
        player: Player = "A",
        start: StateLike | None = None,
        horizon: int | None = None,
        illegal: Illegal = "nearest",
        render_mode: str | None = None,
    ) -> None:
        self._turns = Turns(points, rules, start, illegal, horizon)
        self.player: Player = player
        self._other: Player = opponent_of(player)
        self._opponents = Opponents(opponent, self._other, self._turns.points, self._turns.rules)
        self.opponent = self._opponents.policies[0]
        self.render_mode = known_mode(render_mode)
        self.observation_space = observation_space(self._turns, player)
        self.action_space = action_space(self._turns, player)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game; ``options["state"]`` names another start. The seed is that of the opponent's bids."""
        super().reset(seed=seed)
        self._turns.reset(options)
        self.opponent = self._opponents.policies[self._opponents.drawn(self.np_random, 1)[0]]
        return self._turns.observe(self.player), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a turn: the bid against one that is drawn from the opponent's policy.

        Raises
        ------
        GameError
            For a bid that is not legal, with ``illegal="error"``; for a turn after the end of the game.
        """
        bid = self._turns.bid(self.player, action)
        reply = _native.draw_bid(self.opponent, self._turns.state, self._other, int(random_bits(self.np_random, 1)[0]))
        bids = (bid, reply) if self.player == "A" else (reply, bid)
        payoff = self._turns.play(*bids)
        reward = 0.0 if payoff is None else payoff if self.player == "A" else 0.0 - payoff
        if self.render_mode == "human":
            self.render()
        return self._turns.observe(self.player), reward, payoff is not None, False, {"bids": bids}

    def set_opponent(self, opponent: Opponent) -> None:
        """Lets another opponent play from the next turn on: the learner itself, for example, as it bids by now.

        Of a `Mixture` one is drawn now, and another one when the next game starts.

        Parameters
        ----------
        opponent
            The opponent, as for `TennisEnv`.

        Examples
        --------
        >>> from pencil_tennis.gym import TennisEnv
        >>> env = TennisEnv(points=8)
        >>> env.set_opponent("optimal")
        >>> env.opponent.covers("B")
        True
        """
        self._opponents = Opponents(opponent, self._other, self._turns.points, self._turns.rules)
        self.opponent = self._opponents.policies[self._opponents.drawn(self.np_random, 1)[0]]

    def action_masks(self) -> NDArray[np.bool_]:
        """Which bids are legal now, as maskable learners ask for it."""
        return self._turns.observe(self.player)["action_mask"].astype(np.bool_)


class TennisVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games against a fixed policy, stepped at once in Rust.

    Like as many `TennisEnv`: observations are dictionaries of arrays with a row for each game. A game that has ended starts
    again at the next step, whose action does not count for it and whose reward is 0 (``AutoresetMode.NEXT_STEP``).
    ``infos["bids"]``, an array of shape ``(num_envs, 2)``, are the bids of A and of B that counted, and ``infos["_bids"]`` says
    in which games a turn was played.

    Parameters
    ----------
    num_envs
        The number of games.
    points, opponent, rules, player, start, horizon, illegal, render_mode
        As for `TennisEnv`.

    Examples
    --------
    >>> import numpy as np
    >>> from pencil_tennis.gym import TennisVectorEnv
    >>> envs = TennisVectorEnv(3, points=20, start="9:8@1")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["observation"].tolist()
    [[9, 8, 1], [9, 8, 1], [9, 8, 1]]
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.array([1, 2, 3]))
    >>> infos["bids"][:, 0].tolist()
    [1, 2, 3]
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        points: Points = 50,
        opponent: Opponent = "uniform",
        rules: Rules | None = None,
        *,
        player: Player = "A",
        start: StateLike | None = None,
        horizon: int | None = None,
        illegal: Illegal = "nearest",
        render_mode: str | None = None,
    ) -> None:
        turns = Turns(points, rules, start, illegal, horizon)
        self.player: Player = player
        self._other: Player = opponent_of(player)
        self._opponents = Opponents(opponent, self._other, turns.points, turns.rules)
        self.games = Games(num_envs, turns.points, turns.rules, start=turns.start, horizon=turns.horizon)
        self.num_envs = len(self.games)
        self.render_mode = known_mode(render_mode)
        self._turns = turns
        self._against = np.zeros(self.num_envs, np.intp)
        self.single_observation_space = observation_space(turns, player)
        self.single_action_space = action_space(turns, player)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Starts all games; ``options["state"]`` names another start for all of them, ``options["states"]`` one for each.

        Raises
        ------
        GameError
            For a start that is not possible.
        ValueError
            For other options.
        """
        super().reset(seed=seed)
        known = known_options(options, "state", "states")
        states = known.get("states")
        if known.get("state") is not None:
            states = np.tile(np.array(self._turns.checked(known["state"]), np.int64), (self.num_envs, 1))
        if states is None:
            states = np.tile(np.array(self._turns.start, np.int64), (self.num_envs, 1))
        self.games.reset(states)
        self._against = self._opponents.drawn(self.np_random, self.num_envs)
        return self._observations(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays a turn of every game, and starts those again that ended in the turn before.

        Raises
        ------
        GameError
            For a bid that is not legal, with ``illegal="error"``.
        """
        if np.ma.is_masked(actions):
            message = "an action is masked; every game needs one"
            raise ValueError(message)
        ended = self.games.over()
        bids = np.asarray(actions)
        if bids.shape != (self.num_envs,):
            message = f"the actions have the shape {bids.shape}; expected ({self.num_envs},)"
            raise ValueError(message)
        if self._turns.illegal == "nearest":
            account = self.games.observe(self.player)[:, 0]
            if bids.dtype.kind == "u":
                # Else numbers of 64 bits would become negative.
                bids = np.minimum(bids, account.astype(np.uint64))
            bids = np.clip(integers(bids), np.minimum(account, self._turns.rules.min_bid), account)
        bids = integers(bids)
        replies = self._opponents.bids(self.games, self._against, self.np_random)
        pair = (bids, replies) if self.player == "A" else (replies, bids)
        self.games.step(*pair)
        self.games.restart(ended)
        if ended.any():
            self._against[ended] = self._opponents.drawn(self.np_random, int(ended.sum()))
        payoffs = self.games.payoffs()
        rewards = payoffs if self.player == "A" else 0.0 - payoffs
        if self.render_mode == "human":
            self.render()
        infos = {"bids": np.where(ended, 0, pair).T, "_bids": ~ended}
        return self._observations(), rewards, self.games.over(), np.zeros(self.num_envs, np.bool_), infos

    def render(self) -> tuple[str, ...] | None:
        """The accounts and the court of every game in a line of text, as the render mode wants it."""
        lines = tuple(picture(State(*state), self._turns.rules.field) for state in self.games.states().tolist())
        if self.render_mode == "human":
            print("\n".join(lines))
            return None
        return lines

    def set_opponent(self, opponent: Opponent) -> None:
        """Lets another opponent play all games from the next turn on; see `TennisEnv.set_opponent`."""
        self._opponents = Opponents(opponent, self._other, self._turns.points, self._turns.rules)
        self._against = self._opponents.drawn(self.np_random, self.num_envs)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which bids are legal now, a row for each game, as maskable learners ask for it."""
        return self.games.mask(self.player)

    def _observations(self) -> dict[str, NDArray[Any]]:
        mask = self.games.mask(self.player).view(np.int8)
        return {"observation": self.games.observe(self.player), "action_mask": mask}


def opponent_of(player: Player) -> Player:
    """The other player."""
    if player not in PLAYERS:
        message = f"`{player}` is not a player; expected A or B"
        raise _native.GameError(message)
    return "B" if player == "A" else "A"


gymnasium.register(
    id="pencil_tennis/Tennis-v0",
    entry_point="pencil_tennis.gym:TennisEnv",
    vector_entry_point="pencil_tennis.gym:TennisVectorEnv",
)
