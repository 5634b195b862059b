"""A game of any rules in OpenSpiel, for its algorithms: value iteration, CFR, exploitability.

Needs OpenSpiel: ``pip install "pencil-tennis[openspiel]"``.
"""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    message = "pencil_tennis.games.spiel needs the package open_spiel: pip install 'pencil-tennis[openspiel]'"
    raise ImportError(message) from error

from pencil_tennis._game_type import game_type
from pencil_tennis._native import Error
from pencil_tennis.games._solution import GameLike, Solution
from pencil_tennis.games.plays import Plays

__all__ = ["OwnGame", "OwnState", "to_open_spiel"]


def to_open_spiel(game: Solution[Any, Any] | GameLike, *, horizon: int | None = None) -> OwnGame:
    """A game of any rules as a game of OpenSpiel with simultaneous moves.

    Player 0 is A, an action is its number in the list that the rules give, chance is played after both have chosen. States with
    the same text are the same state of the rules, also where they were reached differently; with a horizon the number of turns is
    part of the text.

    Parameters
    ----------
    game
        A `games.Solution`, or whatever `games.solve` takes, which is solved first.
    horizon
        The turns after which play that can last is broken off and pays no more. Needed where play can return.

    Raises
    ------
    Error
        For a discounted game, and for one in which play can return without a horizon.

    Examples
    --------
    >>> from open_spiel.python import policy
    >>> from open_spiel.python.algorithms import exploitability
    >>> from pencil_tennis import games
    >>> from pencil_tennis.games.spiel import to_open_spiel
    >>> rock = games.from_arrays([[2, 2], [0, 0], [0, 0]], [0, 1, -1], ([[1], [2], [1], [1]], [[1]] * 4))
    >>> game = to_open_spiel(rock)
    >>> float(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)))
    1.0
    """
    number = next(_NUMBERS)
    _GRAPHS[number] = graph = _Graph(game, horizon)
    loaded: OwnGame = pyspiel.load_game(_KINDS[graph.widest > 1].short_name, {"number": number})
    return loaded


_NUMBERS = itertools.count(1)

_GRAPHS: dict[int, _Graph] = {}
"""The games by their numbers: OpenSpiel's algorithms load them again by name and number."""


class _Graph:
    """The game as states ask about it."""

    def __init__(self, game: Solution[Any, Any] | GameLike, horizon: int | None) -> None:
        plays = Plays(game, horizon=horizon)
        self.solution, self.features, self.horizon = plays.solution, plays.features, horizon
        kind = self.solution.kind
        if kind == "discounted":
            raise Error("OpenSpiel has no discounted games; expected another kind")
        if horizon is None and kind != "acyclic":
            raise Error(f"play can return in a game of kind {kind!r}; expected a horizon")
        native = self.solution._whole
        self.sizes = native.sizes()
        self.payoffs = [native.payoff(place) for place in range(len(self.sizes))]
        chances = [1.0] if plays._chances is None else plays._chances.tolist()
        self.opening = list(zip(plays._starts.tolist(), chances, strict=True))
        self.actions = max(plays.actions)
        self.widest, rewards = len(self.opening), [0.0]
        follow: list[set[int]] = [set() for _ in self.payoffs]
        for place, (a, b) in enumerate(self.sizes.tolist()):
            for row, column in itertools.product(range(a), range(b)):
                reward, successors = native.turn(place, row, column)
                rewards.append(abs(float(reward)))
                self.widest = max(self.widest, len(successors))
                follow[place] |= {state for _, state in successors}
        self.longest = max(horizon or _longest(follow), 1)
        ends = max((abs(float(payoff)) for payoff in self.payoffs if payoff is not None), default=0.0)
        self.most = max(rewards) * self.longest + ends


class OwnGame(pyspiel.Game):  # type: ignore[misc]
    """The game, from which states are made. Made by `to_open_spiel`."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        number = (params or {}).get("number", 0)
        if number not in _GRAPHS:
            raise Error(f"there is no game of the number {number}; expected one that to_open_spiel made")
        self.graph = graph = _GRAPHS[number]
        self.solution = graph.solution
        """The solved game."""
        info = pyspiel.GameInfo(
            num_distinct_actions=graph.actions,
            max_chance_outcomes=graph.widest if graph.widest > 1 else 0,
            num_players=2,
            min_utility=-graph.most,
            max_utility=graph.most,
            utility_sum=0.0,
            max_game_length=graph.longest,
        )
        super().__init__(_KINDS[graph.widest > 1], info, {"number": number})

    def new_initial_state(self) -> OwnState:
        """The start, or chance that picks it."""
        return OwnState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of states."""
        if params:
            raise ValueError(f"observation parameters are not supported, but {params} were given")
        return _Observer(self.graph)


def _longest(follow: list[set[int]]) -> int:
    """The steps of the longest way, without recursion."""
    known: dict[int, int] = {}
    for start in range(len(follow)):
        stack = [start]
        while stack:
            place = stack[-1]
            missing = [later for later in follow[place] if later not in known]
            if missing:
                stack += missing
            else:
                known[stack.pop()] = 1 + max((known[later] for later in follow[place]), default=-1)
    return max(known.values(), default=0)


class OwnState(pyspiel.State):  # type: ignore[misc]
    """A state of the game; ``place`` is its number in the order of the solution."""

    def __init__(self, game: OwnGame) -> None:
        super().__init__(game)
        self.game, self.graph = game, game.graph
        self.turns = 0
        self.total = self.last = 0.0
        self.place = -1
        self.outcomes: list[tuple[int, float]] = []
        """What chance picks from, if it is its turn."""
        self._arrive(self.graph.opening)

    def __deepcopy__(self, memo: dict[int, Any]) -> OwnState:
        twin = OwnState(self.game)
        for name in ("turns", "total", "last", "place", "outcomes"):
            setattr(twin, name, getattr(self, name))
        return twin

    def _arrive(self, outcomes: list[tuple[int, float]]) -> None:
        if len(outcomes) > 1:
            self.outcomes = outcomes
            return
        self.outcomes = []
        self.place = outcomes[0][0]
        payoff = self.graph.payoffs[self.place]
        self.last += float(payoff or 0)
        self.total += float(payoff or 0)

    def current_player(self) -> int:
        """Chance, or both players, until the game is over."""
        if self.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        player: int = pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.SIMULTANEOUS
        return player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.outcomes and (self.turns == self.graph.horizon or self.graph.payoffs[self.place] is not None)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance by their order, with their probabilities."""
        return [(number, share) for number, (_, share) in enumerate(self.outcomes)]

    def returns(self) -> list[float]:
        """What A and B have won so far."""
        return [self.total, 0.0 - self.total]

    def rewards(self) -> list[float]:
        """What A and B have won since they chose last, as OpenSpiel counts it: chance in between adds nothing of its own."""
        return [self.last, 0.0 - self.last]

    def _legal_actions(self, player: int) -> list[int]:
        if self.outcomes:
            return list(range(len(self.outcomes)))
        return list(range(int(self.graph.sizes[self.place][player])))

    def _apply_action(self, action: int) -> None:
        self._arrive([(self.outcomes[action][0], 1.0)])

    def _apply_actions(self, actions: list[int]) -> None:
        reward, outcomes = self.graph.solution._whole.turn(self.place, *actions)
        self.last = float(reward)
        self.total += self.last
        self.turns += 1
        self._arrive([(state, float(share)) for share, state in outcomes])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance: {self.graph.solution._states[self.outcomes[action][0]]}"
        names = self.graph.solution._actions(self.place)
        return f"{'AB'[player]}: {names[player][action] if names else action}"

    def __str__(self) -> str:
        if self.outcomes:
            return f"chance of {[self.graph.solution._states[place] for place, _ in self.outcomes]} after {self.turns}"
        name = str(self.graph.solution._states[self.place])
        return name if self.graph.horizon is None else f"{name} after {self.turns}"


class _Observer:
    """The state's numbers, and the turns where there is a horizon."""

    def __init__(self, game: _Graph) -> None:
        self.features = game.features
        self.tensor = np.zeros(game.features.shape[1] + (game.horizon is not None), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OwnState, player: int) -> None:
        """Fills the tensor."""
        seen = self.features[max(state.place, 0)].tolist()
        self.tensor[:] = [*seen, state.turns][: len(self.tensor)]

    def string_from(self, state: OwnState, player: int) -> str:
        """The text of the state for a player."""
        return f"{'AB'[player]} {state}"


def _kind(name: str, chance: Any) -> Any:
    return game_type(
        name,
        "A game of one's own",
        chance_mode=chance,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        reward_model=pyspiel.GameType.RewardModel.REWARDS,
        parameter_specification={"number": 0},
        default_loadable=False,
    )


_KINDS = (
    _kind("python_own_game", pyspiel.GameType.ChanceMode.DETERMINISTIC),
    _kind("python_own_game_of_chance", pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC),
)
"""Without chance, and with it."""

# A class, which outlives OpenSpiel's register: a function that dies after the interpreter would take the process along.
for _registered in _KINDS:
    pyspiel.register_game(_registered, OwnGame)
