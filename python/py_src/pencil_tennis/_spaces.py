"""The spaces of Gymnasium that actions and observations lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from pencil_tennis._turns import PLAYERS, Turns

if TYPE_CHECKING:
    from pencil_tennis._games import Player


def observation_space(turns: Turns, player: Player) -> spaces.Space[Any]:
    """The space of a player's observations."""
    low, high = turns.bounds(player)
    mask = spaces.Box(0, 1, (turns.points[PLAYERS.index(player)] + 1,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": mask})


def action_space(turns: Turns, player: Player) -> spaces.Space[Any]:
    """The space of a player's bids."""
    return spaces.Discrete(turns.points[PLAYERS.index(player)] + 1)
