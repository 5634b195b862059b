"""Many plays of a game of any rules at once, in arrays: what environments are made of, and what loops of one's own can use.

>>> import numpy as np
>>> from pencil_tennis import games
>>> from pencil_tennis.games.plays import Plays
>>> class Pennies:
...     def starts(self):
...         return ["begin"]
...     def turn(self, state):
...         return (["heads", "tails"],) * 2 if state == "begin" else int(state == "equal")
...     def after(self, state, a, b):
...         return "equal" if a == b else "unlike"
>>> plays = Plays(Pennies(), 3)
>>> random = np.random.default_rng(1)
>>> plays.step([0, 0, 1], [0, 1, 0], random).tolist(), plays.over.tolist()
([1.0, 0.0, 0.0], [True, True, True])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._game import whole
from pencil_tennis._games import Player, integers, random_bits
from pencil_tennis._native import Error
from pencil_tennis.games._arrays import ArrayGame
from pencil_tennis.games._judging import PolicyLike, PolicyReader
from pencil_tennis.games._solution import GameLike, Solution, solve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Illegal", "Plays"]

Illegal: TypeAlias = Literal["nearest", "error"]
"""What an action that there is not stands for: the nearest one that there is, or an error."""

HORIZON = 1000
"""The turns after which play that can last is broken off, unless others are given."""


class Plays:
    """Plays of one game. Actions are their numbers in the lists that the rules give.

    Parameters
    ----------
    game
        A `Solution`, or whatever `solve` takes, which is solved first.
    count
        The number of plays.
    horizon
        The turns after which a play is truncated: none in acyclic games, 1000 in others unless given.
    illegal
        "nearest": an action beyond a state's last one stands for the last one. "error": it is refused, and nothing is played.
    """

    def __init__(self, game: Solution[Any, Any] | GameLike, count: int = 1, *, horizon: int | None = None, illegal: Illegal = "nearest") -> None:
        if illegal not in ("nearest", "error"):
            raise Error(f"illegal is {illegal!r:.80}; expected 'nearest' or 'error'")
        self.solution = (game if isinstance(game, Solution) else solve(game)).unmerged()
        """The solved game, with a state and the one with exchanged players as two."""
        self.horizon = HORIZON if horizon is None and self.solution.kind != "acyclic" else horizon
        """The turns after which a play is truncated, if there are any."""
        if self.horizon is not None:
            whole(self.horizon, "the horizon", 1)
        self.illegal = illegal
        native = self.solution._whole
        self._native = _native.PlayedGames(native, whole(count, "the number of plays", 1, 2**31))
        sizes = native.sizes()
        self.actions = int(sizes[:, 0].max(initial=1)), int(sizes[:, 1].max(initial=1))
        """The most actions that A and B have at a state."""
        self.features = _features(self.solution)
        """What is observed of each state: its numbers if all states are rows of as many integers, otherwise its own number."""
        self._starts, self._chances = _starts(self.solution)
        self.turns = np.zeros(len(self), np.int64)
        """The turns that were played."""

    def __len__(self) -> int:
        return len(self._native)

    @property
    def places(self) -> NDArray[np.int64]:
        """The numbers of the states, in the order of the solution."""
        return self._native.states()

    @property
    def states(self) -> list[Any]:
        """The states, as the rules have them."""
        return [self.solution._states[place] for place in self.places.tolist()]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which plays have come to an end."""
        return self._native.over()

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Which plays go on, but have had as many turns as the horizon says."""
        if self.horizon is None:
            return np.zeros(len(self), np.bool_)
        truncated: NDArray[np.bool_] = (self.turns >= self.horizon) & ~self.over
        return truncated

    def reset(self, random: np.random.Generator, which: ArrayLike | None = None, states: Iterable[Any] | None = None) -> None:
        """Begins plays anew: all, or those of a bool array; at starts that chance picks, or at states that are given."""
        chosen = np.arange(len(self)) if which is None else np.flatnonzero(np.asarray(which, np.bool_))
        if states is None:
            places = random.choice(self._starts, len(chosen), p=self._chances) if len(self._starts) > 1 else np.full(len(chosen), self._starts[0])
        else:
            places = np.array([self._place(state) for state in states], np.int64)
        self._native.put(chosen.astype(np.int64), places.astype(np.int64))
        self.turns[chosen] = 0

    def _place(self, state: Any) -> int:
        place, exchanged = self.solution._place(state)
        if exchanged:
            raise Error(f"the solution has {state!r:.80} with exchanged players alone")
        return place

    def observe(self) -> NDArray[np.int64]:
        """What is observed of the states, a row for each play."""
        seen: NDArray[np.int64] = self.features[self.places]
        return seen

    def mask(self, player: Player) -> NDArray[np.bool_]:
        """Which actions a player has: of the shape ``(plays, most actions)``; the first one where play is over."""
        return self._native.mask(player, self.actions[player == "B"])

    def step(self, a: ArrayLike, b: ArrayLike, random: np.random.Generator) -> NDArray[np.float64]:
        """Plays a turn of every game that is not over, and returns A's rewards, at an end with its payoff.

        Raises
        ------
        GameError
            For an action that there is not, with ``illegal="error"``.
        """
        if np.ma.is_masked(a) or np.ma.is_masked(b):
            raise Error("an action is masked; every play needs one")
        going = ~self.over
        bits = random_bits(random, len(self))
        rewards = self._native.step(integers(a), integers(b), bits, self.illegal == "nearest")
        self.turns[going] += 1
        return rewards

    def table(self, policy: PolicyLike, player: Player) -> NDArray[np.float64]:
        """A player's policy as cumulated probabilities by state, for `draw`. It is one of the player as `Solution.judge` takes it,
        or "uniform", or "optimal"."""
        width = self.actions[player == "B"]
        sizes = self.solution._whole.sizes()[:, int(player == "B")]
        if isinstance(policy, str) and policy == "uniform":
            shares = (np.arange(width) < sizes[:, None]).astype(np.float64)
        else:
            given = self.solution.policy() if isinstance(policy, str) and policy == "optimal" else policy
            part = PolicyReader(self.solution, batched=False, normalise=False).part(given, player)
            # Judged first: what is no policy is refused with the state.
            self.solution._judged(player, part, normalise=False, progress=None)
            shares = np.zeros((len(sizes), width))
            if isinstance(part, np.ndarray):
                shares[:, : part.shape[1]] = np.where(np.arange(part.shape[1]) < sizes[:, None], part, 0)[:, :width]
            else:
                for place, row in enumerate(part):
                    for action, share in row:
                        shares[place, action] = float(share)
        shares[shares.sum(axis=1) == 0, 0] = 1
        sums = shares.cumsum(axis=1)
        table: NDArray[np.float64] = sums / sums[:, -1:]
        return table

    def draw(self, table: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.int64]:
        """An action for every play, drawn from a policy that `table` has made."""
        drawn: NDArray[np.int64] = (random.random(len(self))[:, None] >= table[self.places]).sum(axis=1)
        return drawn


def _features(solution: Solution[Any, Any]) -> NDArray[np.int64]:
    game, states = solution._explored, solution._states
    if isinstance(game, ArrayGame):
        table = game.table()
        return table if table.ndim == 2 else table[:, None]
    width = len(states[0]) if isinstance(states[0], tuple) else 0
    if width and all(isinstance(state, tuple) and len(state) == width for state in states):
        if all(isinstance(number, (int, np.integer)) and -(2**62) < number < 2**62 for state in states for number in state):
            return np.array(states, np.int64)
    return np.arange(len(states))[:, None]


def _starts(solution: Solution[Any, Any]) -> tuple[NDArray[np.int64], NDArray[np.float64] | None]:
    if solution._explored is None:
        return np.array([solution._place(solution.starts[0])[0]]), None
    known = [(solution._place(start)[0], float(share)) for start, share in solution._explored.chances]
    shares = np.array([share for _, share in known])
    return np.array([place for place, _ in known]), shares / shares.sum()
