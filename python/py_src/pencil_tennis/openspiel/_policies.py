"""Policies of the open game, to OpenSpiel and back."""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pyspiel
from open_spiel.python.policy import Policy as SpielPolicy
from open_spiel.python.policy import TabularPolicy

from pencil_tennis._policy import as_policy
from pencil_tennis._state import State
from pencil_tennis._turns import PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pencil_tennis._games import Player
    from pencil_tennis._native import Policy
    from pencil_tennis._policy import PolicyLike
    from pencil_tennis.openspiel._game import TennisGame


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
        A policy of the game, or of ``pyspiel.convert_to_turn_based(game)``, tabular or not: the average policies of OpenSpiel's
        CFR and MCCFR, for example. In states that a table does not have, because they are unreachable, bids are uniform.
    game
        The game, as `load_game` gives it.

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
        for state, place in reached(getattr(table, "game", None) or pyspiel.convert_to_turn_based(game)):
            player, (a, b, ball) = _decision(state.information_state_string(place))
            bids = arrays[player][a, b, ball + game.rules.field]
            bids[:] = 0.0
            for bid, probability in asked(table, state, place).items():
                bids[bid] = probability
    return as_policy((arrays["A"], arrays["B"]), game.points, game.rules)


def asked(policy: Any, state: Any, player: int) -> dict[int, float]:
    """The distribution of a policy, written in Python or in C++."""
    asked = policy.action_probabilities(state, player) if isinstance(policy, SpielPolicy) else policy.action_probabilities(state)
    return dict(asked)


def reached(game: Any) -> Iterator[tuple[Any, int]]:
    """A state for each decision of a player that games come to."""
    seen: set[tuple[str, ...]] = set()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        together = state.is_simultaneous_node()
        players = range(2) if together else [state.current_player()]
        key = tuple(state.information_state_string(player) for player in range(2))
        # In turns B's decision is reached once for every bid of A, and leads to other states each time.
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
