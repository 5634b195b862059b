"""The library's figures: SVG documents that need nothing to be shown, as notebooks and browsers do.

Every function returns a `Figure`, which is a string of SVG that notebooks show as a picture.

>>> import pencil_tennis
>>> from pencil_tennis import figures
>>> figure = figures.values(pencil_tennis.solve(8))
>>> figure[:4]
'<svg'
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pencil_tennis import _native

if TYPE_CHECKING:
    from pencil_tennis._forced import ForcedPlay
    from pencil_tennis._games import Player
    from pencil_tennis._judging import Judgement
    from pencil_tennis._solution import Solution

__all__ = ["Figure", "forced", "opening", "outcomes", "regret", "strategy", "supports", "values"]


class Figure(str):
    """An SVG document; notebooks show it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file."""
        Path(path).write_text(self, encoding="utf-8")


def values(solution: Solution) -> Figure:
    """The value of every state: a map for every position of the ball."""
    return Figure(_native.draw_solution(solution._native, "values"))


def opening(solution: Solution) -> Figure:
    """How both bid at the start, for every number of points that both may have."""
    return Figure(_native.draw_solution(solution._native, "opening"))


def supports(solution: Solution) -> Figure:
    """How many bids an optimal strategy mixes, at every state."""
    return Figure(_native.draw_solution(solution._native, "supports"))


def outcomes(solution: Solution) -> Figure:
    """How games between optimal players end, for every number of points that both may have."""
    return Figure(_native.draw_solution(solution._native, "outcomes"))


def strategy(solution: Solution, player: Player = "A", ball: int = 0, against: int | None = None) -> Figure:
    """How a player bids along a line of states with the ball on one position.

    Parameters
    ----------
    solution
        The solved game.
    player
        The player.
    ball
        The position of the ball.
    against
        The opponent's points; those of the player unless given.

    Raises
    ------
    Error
        For a ball or points that the game does not have.
    """
    return Figure(_native.draw_strategy(solution._native, player, ball, against))


def forced(play: ForcedPlay) -> Figure:
    """States that pure play decides, and for which player: a map for every position of the ball."""
    return Figure(_native.draw_forced(play._native))


def regret(judgement: Judgement, player: Player = "A", name: str = "a policy") -> Figure:
    """A player's regret at every state: a map for every position of the ball."""
    return Figure(_native.draw_regret(judgement._solution._native, judgement._native, player, name))
