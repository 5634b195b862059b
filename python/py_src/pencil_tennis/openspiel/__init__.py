"""The game in OpenSpiel, open and blind, and policies there and back.

Importing this module registers the games ``python_pencil_tennis`` and ``python_pencil_tennis_blind`` with OpenSpiel: two players
who bid at the same time, player 0 is A, an action is a bid. Needs OpenSpiel: ``pip install "pencil-tennis[openspiel]"``.

The information state of a player of the open game is the state of the game, ``"A 4:3@-2"`` for example, not the history that led
there: nothing of the past matters, so that tabular policies and ours are the same tables. In blind Tennis it is what the player
has bid and where the ball has been.
"""

try:
    import pyspiel as _needed  # noqa: F401
except ImportError as error:
    message = "pencil_tennis.openspiel needs the package open_spiel: pip install 'pencil-tennis[openspiel]'"
    raise ImportError(message) from error

from pencil_tennis.openspiel._blind import (
    BLIND_NAME,
    BlindGame,
    BlindState,
    blind_from_tabular,
    blind_to_tabular,
    load_blind_game,
)
from pencil_tennis.openspiel._game import NAME, TennisGame, TennisState, load_game
from pencil_tennis.openspiel._oshi_zumo import from_oshi_zumo
from pencil_tennis.openspiel._policies import from_tabular, to_tabular

__all__ = [
    "BLIND_NAME",
    "NAME",
    "BlindGame",
    "BlindState",
    "TennisGame",
    "TennisState",
    "blind_from_tabular",
    "blind_to_tabular",
    "from_oshi_zumo",
    "from_tabular",
    "load_blind_game",
    "load_game",
    "to_tabular",
]
