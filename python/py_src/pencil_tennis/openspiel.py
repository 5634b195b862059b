"""The game in OpenSpiel, and policies there and back.

Importing this module registers the game ``python_pencil_tennis`` with OpenSpiel: two players who bid at the same time, player 0
is A, an action is a bid. Needs OpenSpiel: ``pip install "pencil-tennis[openspiel]"``.

The information state of a player is the state of the game, ``"A 4:3@-2"`` for example, not the history that led there: nothing of
the past matters, so that tabular policies and ours are the same tables.
"""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import pyspiel
    from open_spiel.python.policy import Policy as SpielPolicy
    from open_spiel.python.policy import TabularPolicy
except ImportError as error:
    message = "pencil_tennis.openspiel needs the package open_spiel: pip install 'pencil-tennis[openspiel]'"
    raise ImportError(message) from error

from pencil_tennis import _native
from pencil_tennis._game import Points, as_points, as_rules
from pencil_tennis._policy import as_policy
from pencil_tennis._state import State, StateLike
from pencil_tennis._turns import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pencil_tennis._games import Player
    from pencil_tennis._native import Policy, Rules
    from pencil_tennis._policy import PolicyLike

__all__ = ["NAME", "TennisGame", "TennisState", "from_tabular", "load_game", "to_tabular"]

NAME = "python_pencil_tennis"
"""The name under which OpenSpiel knows the game."""

# OpenSpiel separates parameters by commas, so the five payoffs of a scoring are separated by semicolons there.
_DEFAULTS: dict[str, Any] = {"points_a": 50, "points_b": 50, "field": 2, "motion": "net", "scoring": "two-one"}

_GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Tennis with pencil and paper",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
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
    a, b = as_points(points)
    rules = as_rules(rules)
    scoring = ";".join(map(str, rules.scoring))
    parameters = {"points_a": a, "points_b": b, "field": rules.field, "motion": rules.motion, "scoring": scoring}
    game: TennisGame = pyspiel.load_game(NAME, parameters)
    return game


class TennisGame(pyspiel.Game):  # type: ignore[misc]
    """The game, from which states are made."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        self.points: tuple[int, int] = (given["points_a"], given["points_b"])
        self.rules = _native.Rules(given["field"], given["motion"], given["scoring"].replace(";", ","))
        _native.Games(0, self.rules, self.points, None)  # Checks the points.
        payoffs = [float(payoff) for payoff in self.rules.scoring]
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=max(self.points) + 1,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=min(*payoffs, *(-payoff for payoff in payoffs)),
                max_utility=max(*payoffs, *(-payoff for payoff in payoffs)),
                utility_sum=0.0,
                # Every turn spends a point of everyone who has one.
                max_game_length=max(self.points),
            ),
            params or {},
        )

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

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
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


def to_tabular(policy: PolicyLike, game: TennisGame, *, turn_based: bool = False) -> TabularPolicy:
    """A policy of both players as a tabular policy of OpenSpiel.

    Parameters
    ----------
    policy
        Any policy that `pencil_tennis.as_policy` takes.
    game
        The game, as `load_game` gives it.
    turn_based
        Whether the table is for ``pyspiel.convert_to_turn_based(game)``, whose states are then walked; otherwise it is for the
        game itself, and has all states, whether or not a game comes to them.

    Raises
    ------
    PolicyError
        For a policy that is none, or that of one player where the game is not symmetric.

    Examples
    --------
    >>> import pencil_tennis
    >>> from open_spiel.python.algorithms import exploitability
    >>> from pencil_tennis import openspiel
    >>> game = openspiel.load_game(points=4)
    >>> table = openspiel.to_tabular(pencil_tennis.solve(4).policy(), game)
    >>> bool(abs(exploitability.nash_conv(game, table)) < 1e-12)
    True
    """
    checked = as_policy(policy, game.points, game.rules)
    arrays = {player: checked.array(player) for player in PLAYERS}
    if turn_based:
        table = TabularPolicy(pyspiel.convert_to_turn_based(game), to_string=str)
    else:
        table = TabularPolicy(game, states={str(state): game.state_at(state) for state in game.decisions()})
    for key, row in table.state_lookup.items():
        player, (a, b, ball) = _decision(key)
        bids = arrays[player][a, b, ball + game.rules.field]
        table.action_probability_array[row, : len(bids)] = bids
    return table


def from_tabular(table: Any, game: TennisGame) -> Policy:
    """A policy of OpenSpiel as a policy of both players.

    Parameters
    ----------
    table
        A policy of the game, or of ``pyspiel.convert_to_turn_based(game)``, tabular or not: the average policies of OpenSpiel's CFR
        and MCCFR, for example. In states that a table does not have, because no game comes to them, bids are uniformly random.
    game
        The game, as `load_game` gives it.

    Raises
    ------
    PolicyError
        For probabilities that are none.
    TypeError
        For what is no policy of OpenSpiel.

    Examples
    --------
    >>> import pyspiel
    >>> from open_spiel.python.algorithms import cfr
    >>> from pencil_tennis import exploitability, openspiel
    >>> game = openspiel.load_game(points=4)
    >>> solver = cfr.CFRPlusSolver(pyspiel.convert_to_turn_based(game))
    >>> for _ in range(50):
    ...     solver.evaluate_and_update_policy()
    >>> float(exploitability(openspiel.from_tabular(solver.average_policy(), game))) < 0.05
    True
    """
    if not hasattr(table, "action_probabilities"):
        message = f"{table!r:.80} is no policy of OpenSpiel; expected a TabularPolicy, or what has action_probabilities"
        raise TypeError(message)
    uniform = as_policy("uniform", game.points, game.rules)
    arrays = {player: uniform.array(player) for player in PLAYERS}
    if isinstance(table, TabularPolicy):
        for key, row in table.state_lookup.items():
            player, (a, b, ball) = _decision(key)
            bids = arrays[player][a, b, ball + game.rules.field]
            bids[:] = table.action_probability_array[row, : len(bids)]
    else:
        # A policy is asked about states of the game that it is for; those in C++ are for games taken in turns.
        for state, place in _reached(getattr(table, "game", None) or pyspiel.convert_to_turn_based(game)):
            player, (a, b, ball) = _decision(state.information_state_string(place))
            bids = arrays[player][a, b, ball + game.rules.field]
            bids[:] = 0.0
            for bid, probability in _asked(table, state, place).items():
                bids[bid] = probability
    return as_policy((arrays["A"], arrays["B"]), game.points, game.rules)


def _asked(policy: Any, state: Any, player: int) -> dict[int, float]:
    """The distribution of a policy, written in Python or in C++."""
    asked = policy.action_probabilities(state, player) if isinstance(policy, SpielPolicy) else policy.action_probabilities(state)
    return dict(asked)


def _reached(game: Any) -> Iterator[tuple[Any, int]]:
    """A state for each decision of a player that games come to."""
    seen: set[str] = set()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        together = state.is_simultaneous_node()
        players = range(2) if together else [state.current_player()]
        key = state.information_state_string(players[0])
        # In turns B's decision is met once for every bid of A, and leads to other states each time.
        if key in seen and (together or players[0] == 0):
            continue
        for player in players if key not in seen else []:
            yield state, player
        seen.add(key)
        legal = [state.legal_actions(player) for player in players]
        for actions in itertools.product(*legal):
            child = state.clone()
            if together:
                child.apply_actions(list(actions))
            else:
                child.apply_action(actions[0])
            waiting.append(child)


def _decision(key: str) -> tuple[Player, State]:
    """The player and the state of an information state; in the game taken in turns, a line about whose turn it is comes first."""
    player, state = key.splitlines()[-1].split()
    return ("A" if player == "A" else "B"), State.parse(state)


pyspiel.register_game(_GAME_TYPE, TennisGame)


