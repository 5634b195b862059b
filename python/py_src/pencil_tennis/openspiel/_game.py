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
from pencil_tennis._game_type import game_type
from pencil_tennis._games import as_horizon
from pencil_tennis._state import State, StateLike
from pencil_tennis._turns import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pencil_tennis._native import Rules

NAME = "python_pencil_tennis"
"""The name under which OpenSpiel knows the game."""

# OpenSpiel separates parameters by commas, so the five payoffs of a scoring are separated by semicolons there.
# A horizon of 0 is the usual one.
_DEFAULTS: dict[str, Any] = {
    "points_a": 50,
    "points_b": 50,
    "field": 2,
    "motion": "net",
    "scoring": "two-one",
    "min_bid": 1,
    "horizon": 0,
}


def typed(name: str, long_name: str, information: Any) -> Any:
    """The type of a game of ours."""
    return game_type(
        name,
        long_name,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        parameter_specification=_DEFAULTS,
    )


def parameters_of(points: tuple[int, int], rules: Rules, horizon: int | None = None) -> dict[str, Any]:
    """Points, rules and horizon as parameters of OpenSpiel; defaults of the last two are left out."""
    _native.Games(0, rules, points, None, None)
    scoring = ";".join(map(str, rules.scoring))
    params = {"points_a": points[0], "points_b": points[1], "field": rules.field, "motion": rules.motion, "scoring": scoring}
    if rules.min_bid == 0:
        params["min_bid"] = 0
    if horizon is not None:
        params["horizon"] = horizon
    return params


def read_parameters(params: dict[str, Any] | None) -> tuple[tuple[int, int], Rules, int | None]:
    """Points, rules and the horizon, checked."""
    given = {**_DEFAULTS, **(params or {})}
    points = (given["points_a"], given["points_b"])
    rules = _native.Rules(given["field"], given["motion"], given["scoring"].replace(";", ","), given["min_bid"])
    _native.Games(0, rules, points, None, None)  # Checks the points.
    return points, rules, as_horizon(given["horizon"] or None, rules)


def game_info(points: tuple[int, int], rules: Rules, horizon: int | None) -> Any:
    """The size and the payoffs of a game."""
    payoffs = [float(payoff) for payoff in rules.scoring]
    return pyspiel.GameInfo(
        num_distinct_actions=max(points) + 1,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=min(*payoffs, *(-payoff for payoff in payoffs)),
        max_utility=max(*payoffs, *(-payoff for payoff in payoffs)),
        utility_sum=0.0,
        # If no bid is 0, every turn spends a point of each player with points.
        max_game_length=min(filter(None, (horizon, max(points) if rules.min_bid else None))),
    )


_GAME_TYPE = typed(NAME, "Tennis with pencil and paper", pyspiel.GameType.Information.PERFECT_INFORMATION)


def load_game(points: Points = 50, rules: Rules | None = None, *, horizon: int | None = None) -> TennisGame:
    """The game with these points and rules, as OpenSpiel loads it.

    Equals ``pyspiel.load_game("python_pencil_tennis(points_a=5,points_b=5)")``; a scoring in such a text separates its
    payoffs by semicolons. After as many turns as the horizon says a game is decided where the ball lies: 1000 unless given where
    the smallest bid is 0 (``min_bid=0,horizon=1000``), otherwise none. No turn is counted in the information states.

    Examples
    --------
    >>> from open_spiel.python import policy
    >>> from open_spiel.python.algorithms import exploitability
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_game(points=3)
    >>> print(round(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)), 4))
    1.6667
    """
    game: TennisGame = pyspiel.load_game(NAME, parameters_of(as_points(points), as_rules(rules), horizon))
    return game


class TennisGame(pyspiel.Game):  # type: ignore[misc]
    """The game, from which states are made."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.points, self.rules, self.horizon = read_parameters(params)
        super().__init__(_GAME_TYPE, game_info(self.points, self.rules, self.horizon), params or {})

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
        self.horizon = game.horizon
        self.turns = 0

    def current_player(self) -> int:
        """Both players, until the game is over."""
        player: int = pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.SIMULTANEOUS
        return player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.turns == self.horizon or self.rules.outcome(self.place) is not None

    def returns(self) -> list[float]:
        """The payoffs of A and B; 0 while the game goes on."""
        # At the horizon as if everything were spent.
        end = State(0, 0, self.place.ball) if self.turns == self.horizon else self.place
        payoff = float(self.rules.payoff(end) or 0)
        return [payoff, 0.0 - payoff]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.rules.legal_bids(self.place[player]))

    def _apply_actions(self, actions: list[int]) -> None:
        self.place = self.rules.play(self.place, *actions)
        self.turns += 1

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


