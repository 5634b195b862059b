"""Exact solutions of the pencil game Tennis and of its family, for Python.

>>> import pencil_tennis
>>> solution = pencil_tennis.solve(50)
>>> solution.value("50:50@-1")
-0.757168758003445
>>> solution.values.shape  # indexed by A's points, B's points, ball + field
(51, 51, 5)

Conventions: A maximises and picks the row, B minimises and picks the column; a payoff or value is what A wins. A positive ball
lies on B's side and is good for A. With points left a bid is at least 1, with none it is 0. A state is written
``"POINTS_A:POINTS_B@BALL"``, or as a tuple ``(points_a, points_b, ball)``.
"""

from pencil_tennis._games import Games, Player
from pencil_tennis._native import (
    AgentError,
    CertificateError,
    Error,
    GameError,
    MatrixError,
    PolicyError,
    Rules,
    TableFileError,
    __version__,
)
from pencil_tennis._solution import Solution, solve
from pencil_tennis._state import State, StateLike

__all__ = [
    "AgentError",
    "CertificateError",
    "Error",
    "GameError",
    "Games",
    "MatrixError",
    "Player",
    "PolicyError",
    "Rules",
    "Solution",
    "State",
    "StateLike",
    "TableFileError",
    "__version__",
    "solve",
]
