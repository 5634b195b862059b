"""The spaces of observations and actions in a game of any rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from pencil_tennis._games import Player
from pencil_tennis.games.plays import Plays


def spaces_of(plays: Plays, player: Player) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
    """The observations and the actions of a player."""
    least, most = plays.features.min(axis=0), plays.features.max(axis=0)
    actions = plays.actions[player == "B"]
    seen = spaces.Box(least, most, dtype=np.int64)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)}), spaces.Discrete(actions)
