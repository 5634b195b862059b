"""The type of a game in OpenSpiel, for Tennis and for games of any rules."""

# pyright: basic, reportMissingTypeStubs=false
# OpenSpiel has no types.

from __future__ import annotations

from typing import Any

import pyspiel


def game_type(name: str, long_name: str, **fields: Any) -> Any:
    """The type of a game with simultaneous moves, of two players and constant sum 0; ``fields`` are those that differ."""
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        **fields,
    )
