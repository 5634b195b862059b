"""Blind Tennis in OpenSpiel: a game of imperfect information."""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.policy import TabularPolicy

from pencil_tennis._blind import BlindPolicy, BlindPolicyLike, InformationSet, as_blind_policy
from pencil_tennis._game import Points, as_points, as_rules
from pencil_tennis._native import Rules
from pencil_tennis._turns import PLAYERS
from pencil_tennis.openspiel._game import TennisGame, TennisState, game_info, parameters_of, read_parameters, typed
from pencil_tennis.openspiel._policies import asked, reached

BLIND_NAME = "python_pencil_tennis_blind"
"""The name under which OpenSpiel knows blind Tennis."""

_GAME_TYPE = typed(BLIND_NAME, "Blind tennis with pencil and paper", pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def load_blind_game(points: Points = 6, rules: Rules | None = None) -> BlindGame:
    """Blind Tennis with these points and rules, as OpenSpiel loads it.

    Equals ``pyspiel.load_game("python_pencil_tennis_blind(points_a=5,points_b=5)")``.

    Examples
    --------
    >>> from open_spiel.python import policy
    >>> from open_spiel.python.algorithms import exploitability
    >>> import pencil_tennis
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_blind_game(points=(4, 3))
    >>> print(round(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)), 6))
    1.75
    >>> print(round(2 * pencil_tennis.as_blind_policy("uniform", (4, 3)).exploitability, 6))
    1.75
    """
    game: BlindGame = pyspiel.load_game(BLIND_NAME, parameters_of(as_points(points), as_rules(rules)))
    return game


class BlindGame(TennisGame):
    """Blind Tennis, from which states are made."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.points, self.rules, self.horizon = read_parameters(params)
        pyspiel.Game.__init__(self, _GAME_TYPE, game_info(self.points, self.rules, self.horizon), params or {})

    def new_initial_state(self) -> BlindState:
        """The start: all points, and the ball on the net."""
        return BlindState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of states."""
        if params:
            message = f"observation parameters are not supported, but {params} were given"
            raise ValueError(message)
        return _BlindObserver(self, iig_obs_type)


class BlindState(TennisState):
    """A state of blind Tennis: the state, the bids that led there, and the balls that were seen."""

    def __init__(self, game: BlindGame) -> None:
        super().__init__(game)
        self.bids: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self.balls: tuple[int, ...] = (self.place.ball,)

    def known(self, player: int) -> InformationSet:
        """The knowledge of a player."""
        return InformationSet(PLAYERS[player], self.bids[player], self.balls, self.place[player])

    def _apply_actions(self, actions: list[int]) -> None:
        super()._apply_actions(actions)
        self.bids = ((*self.bids[0], actions[0]), (*self.bids[1], actions[1]))
        self.balls = (*self.balls, self.place.ball)

    def __str__(self) -> str:
        return f"{self.place} after {_numbers(self.bids[0])} and {_numbers(self.bids[1])}"


class _BlindObserver:
    """A player's knowledge: with perfect recall the own bids and all balls, else the own points and the ball."""

    def __init__(self, game: BlindGame, iig_obs_type: Any) -> None:
        self.recalls = iig_obs_type is None or iig_obs_type.perfect_recall
        self.turns = max(game.points)
        self.tensor = np.zeros(2 + 2 * self.turns + 2, np.float32) if self.recalls else np.zeros(3, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BlindState, player: int) -> None:
        """Fills the tensor: player, own points, ball; with perfect recall the bids and the balls of all turns."""
        known = state.known(player)
        self.tensor.fill(0)
        if not self.recalls:
            self.tensor[:] = player, known.points, known.balls[-1]
            return
        self.tensor[:2] = player, known.points
        self.tensor[2 : 2 + len(known.bids)] = known.bids
        # Balls count from 1, so that an unseen ball differs from the net.
        shifted = np.array(known.balls) + state.rules.field + 2
        self.tensor[2 + self.turns : 2 + self.turns + len(shifted)] = shifted

    def string_from(self, state: BlindState, player: int) -> str:
        """The text of a player's knowledge."""
        known = state.known(player)
        if self.recalls:
            return f"{known.player} bids {_numbers(known.bids)} balls {_numbers(known.balls)}"
        return f"{known.player} {known.points} {known.balls[-1]}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers)) or "-"


def blind_to_tabular(policy: BlindPolicyLike, game: BlindGame) -> TabularPolicy:
    """A policy of blind Tennis as a tabular policy of OpenSpiel.

    The table is for the game taken in turns, ``pyspiel.convert_to_turn_based(game)``, as CFR needs it.

    Raises
    ------
    PolicyError
        For a policy that is none.

    Examples
    --------
    >>> import pencil_tennis, pyspiel
    >>> from open_spiel.python.algorithms import exploitability
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_blind_game(points=4)
    >>> table = openspiel.blind_to_tabular(pencil_tennis.solve_blind(4, gap=1e-9).policy(), game)
    >>> bool(exploitability.nash_conv(pyspiel.convert_to_turn_based(game), table) < 1e-8)
    True
    """
    strategies = as_blind_policy(policy, game.points, game.rules).strategies()
    table = TabularPolicy(pyspiel.convert_to_turn_based(game))
    for key, row in table.state_lookup.items():
        table.action_probability_array[row] = 0.0
        for bid, probability in strategies[_known(key, game)].items():
            table.action_probability_array[row, bid] = probability
    return table


def blind_from_tabular(table: Any, game: BlindGame) -> BlindPolicy:
    """A policy of OpenSpiel for blind Tennis, or for that taken in turns, as a policy that is judged exactly.

    It may be tabular or not; one that is not is asked about every information set.

    Raises
    ------
    PolicyError
        For probabilities that are none.
    TypeError
        For an object that is no policy of OpenSpiel.

    Examples
    --------
    >>> import pyspiel
    >>> from open_spiel.python.algorithms import cfr
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_blind_game(points=(4, 3))
    >>> solver = cfr.CFRPlusSolver(pyspiel.convert_to_turn_based(game))
    >>> for _ in range(20):
    ...     solver.evaluate_and_update_policy()
    >>> openspiel.blind_from_tabular(solver.average_policy(), game).exploitability < 0.05
    True
    """
    if not hasattr(table, "action_probabilities"):
        message = f"{table!r:.80} is no policy of OpenSpiel; expected a TabularPolicy, or what has action_probabilities"
        raise TypeError(message)
    if isinstance(table, TabularPolicy):
        found = {_known(key, game): table.action_probability_array[row] for key, row in table.state_lookup.items()}
    else:
        states = reached(getattr(table, "game", None) or pyspiel.convert_to_turn_based(game))
        found = {_known(state.information_state_string(place), game): asked(table, state, place) for state, place in states}
    return as_blind_policy(found, game.points, game.rules)


def _known(key: str, game: BlindGame) -> InformationSet:
    """The information set of a text; in the game taken in turns, a line about whose turn it is comes first."""
    name, _, bids, _, balls = key.splitlines()[-1].split()
    made = () if bids == "-" else tuple(map(int, bids.split(",")))
    player = PLAYERS[name == "B"]
    points = game.points[name == "B"] - sum(made)
    return InformationSet(player, made, tuple(map(int, balls.split(","))), points)


pyspiel.register_game(_GAME_TYPE, BlindGame)
