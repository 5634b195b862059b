"""Policies for OpenSpiel's own Oshi-Zumo."""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pencil_tennis import _native
from pencil_tennis._policy import as_policy
from pencil_tennis._state import State
from pencil_tennis._turns import PLAYERS
from pencil_tennis.openspiel._policies import asked

if TYPE_CHECKING:
    from pencil_tennis._native import Policy


def from_oshi_zumo(policy: Any, game: Any) -> Policy:
    """A policy for OpenSpiel's own game ``oshi_zumo`` as a policy of `Rules.oshi_zumo`, so that it is judged exactly.

    Parameters
    ----------
    policy
        A policy of OpenSpiel for the game. In unreachable states bids are uniform. With a smallest bid of 0 it
        is asked once for every position, as early in the game as it can occur: only the position counts, not the turn.
    game
        The game, with a smallest bid of 0 or 1 and a horizon that no game of bids above 0 reaches; for example
        ``pyspiel.load_game("oshi_zumo(coins=10,size=3,min_bid=1)")``.

    Raises
    ------
    ValueError
        For another game, a smallest bid above 1, ``alesia``, or a horizon that ends games.
    PolicyError
        For probabilities that are none.

    Examples
    --------
    >>> import pyspiel
    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> from pencil_tennis import exploitability, openspiel
    >>> game = pyspiel.load_game("oshi_zumo(coins=6,size=2,min_bid=1)")
    >>> policy = openspiel.from_oshi_zumo(UniformRandomPolicy(game), game)
    >>> round(float(exploitability(policy)), 6) == round(float(exploitability("uniform", 6, policy.rules)), 6)
    True
    """
    settings = game.get_parameters()
    if game.get_type().short_name != "oshi_zumo":
        message = f"{game} is not the game oshi_zumo of OpenSpiel"
        raise ValueError(message)
    coins, size = settings["coins"], settings["size"]
    if settings["min_bid"] not in (0, 1) or settings["alesia"] or settings["horizon"] < 2 * coins:
        message = f"{game} is another game; expected min_bid=0 or 1, alesia=false and a horizon of at least {2 * coins}"
        raise ValueError(message)
    rules = _native.Rules.oshi_zumo(size, settings["min_bid"])
    uniform = as_policy("uniform", coins, rules)
    arrays = {player: uniform.array(player) for player in PLAYERS}
    # A state of the one game is a state of the other: both are walked side by side.
    seen: set[State] = set()
    waiting = [(game.new_initial_state(), State(coins, coins, 0))]
    while waiting:
        state, place = waiting.pop()
        if place in seen or state.is_terminal():
            continue
        seen.add(place)
        for player, name in enumerate(PLAYERS):
            row = arrays[name][place.a, place.b, place.ball + size]
            row[:] = 0.0
            for bid, probability in asked(policy, state, player).items():
                row[bid] = probability
        for bids in itertools.product(*(state.legal_actions(player) for player in range(2))):
            child = state.clone()
            child.apply_actions(list(bids))
            waiting.append((child, rules.play(place, *bids)))
    return as_policy((arrays["A"], arrays["B"]), coins, rules)
