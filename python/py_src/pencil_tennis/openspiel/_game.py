"""The game in OpenSpiel."""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from pencil_tennis import _native
from pencil_tennis._game import Points, as_points, as_rules
from pencil_tennis._state import State, StateLike
from pencil_tennis._turns import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pencil_tennis._native import Rules

NAME = "python_pencil_tennis"
"""The name under which OpenSpiel knows the game."""

# OpenSpiel separates parameters by commas, so the five payoffs of a scoring are separated by semicolons there.
_DEFAULTS: dict[str, Any] = {"points_a": 50, "points_b": 50, "field": 2, "motion": "net", "scoring": "two-one"}


def typed(name: str, long_name: str, information: Any) -> Any:
    """The type of a game of ours."""
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_DEFAULTS,
    )


def parameters_of(points: tuple[int, int], rules: Rules) -> dict[str, Any]:
    """Points and rules as parameters of OpenSpiel, for rules that its games follow."""
    _native.Games(0, rules, points, None)
    scoring = ";".join(map(str, rules.scoring))
    return {"points_a": points[0], "points_b": points[1], "field": rules.field, "motion": rules.motion, "scoring": scoring}


def read_parameters(params: dict[str, Any] | None) -> tuple[tuple[int, int], Rules]:
    """Points and rules, checked."""
    given = {**_DEFAULTS, **(params or {})}
    points = (given["points_a"], given["points_b"])
    rules = _native.Rules(given["field"], given["motion"], given["scoring"].replace(";", ","))
    _native.Games(0, rules, points, None)  # Checks the points.
    return points, rules


def game_info(points: tuple[int, int], rules: Rules) -> Any:
    """The size and the payoffs of a game."""
    payoffs = [float(payoff) for payoff in rules.scoring]
    return pyspiel.GameInfo(
        num_distinct_actions=max(points) + 1,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=min(*payoffs, *(-payoff for payoff in payoffs)),
        max_utility=max(*payoffs, *(-payoff for payoff in payoffs)),
        utility_sum=0.0,
        # Every turn spends a point of everyone who has one.
        max_game_length=max(points),
    )


_GAME_TYPE = typed(NAME, "Tennis with pencil and paper", pyspiel.GameType.Information.PERFECT_INFORMATION)


def load_game(points: Points = 50, rules: Rules | None = None) -> TennisGame:
    """The game with these points and rules, as OpenSpiel loads it.

    The same as ``pyspiel.load_game("python_pencil_tennis(points_a=5,points_b=5)")``; a scoring in such a text separates its
    payoffs by semicolons.

    Examples
    --------
    >>> from open_spiel.python import policy
    >>> from open_spiel.python.algorithms import exploitability
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_game(points=3)
    >>> print(round(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)), 4))
    1.6667
    """
    game: TennisGame = pyspiel.load_game(NAME, parameters_of(as_points(points), as_rules(rules)))
    return game


class TennisGame(pyspiel.Game):  # type: ignore[misc]
    """The game, from which states are made."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.points, self.rules = read_parameters(params)
        super().__init__(_GAME_TYPE, game_info(self.points, self.rules), params or {})

    def new_initial_state(self) -> TennisState:
        """The start: all points, and the ball on the net."""
        return TennisState(self)

    def state_at(self, state: StateLike) -> TennisState:
        """A state without a history, wherever the game may be; for tables over all states."""
        placed = TennisState(self)
        placed.place = State.parse(state)
        return placed

    def decisions(self) -> Iterator[State]:
        """The states in which the game goes on, by A's points, then B's, then the ball."""
        a, b = self.points
        field = self.rules.field
        for numbers in itertools.product(range(a + 1), range(b + 1), range(-field, field + 1)):
            state = State(*numbers)
            if self.rules.outcome(state) is None:
                yield state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of states."""
        if params:
            message = f"observation parameters are not supported, but {params} were given"
            raise ValueError(message)
        return _Observer(self)


class TennisState(pyspiel.State):  # type: ignore[misc]
    """A state of the game; ``place`` is its `State`."""

    def __init__(self, game: TennisGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.place = State(*game.points, 0)

    def current_player(self) -> int:
        """Both players, until the game is over."""
        player: int = pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.SIMULTANEOUS
        return player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.rules.outcome(self.place) is not None

    def returns(self) -> list[float]:
        """What A and B have won; 0 while the game goes on."""
        payoff = float(self.rules.payoff(self.place) or 0)
        return [payoff, 0.0 - payoff]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.rules.legal_bids(self.place[player]))

    def _apply_actions(self, actions: list[int]) -> None:
        self.place = self.rules.play(self.place, *actions)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{PLAYERS[player]} bids {action}"

    def __str__(self) -> str:
        return str(self.place)


class _Observer:
    """The state as a player sees it: own points, the opponent's, and the ball, positive on the opponent's side."""

    def __init__(self, game: TennisGame) -> None:
        self.tensor = np.zeros(3, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TennisState, player: int) -> None:
        """Fills the tensor."""
        self.tensor[:] = state.place if player == 0 else state.place.mirrored()

    def string_from(self, state: TennisState, player: int) -> str:
        """The text of the state for a player."""
        return f"{PLAYERS[player]} {state.place}"


pyspiel.register_game(_GAME_TYPE, TennisGame)


