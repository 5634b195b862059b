"""Exact solutions of the pencil game Tennis and of its family, for Python.

>>> import pencil_tennis
>>> solution = pencil_tennis.solve(50)
>>> float(solution["50:50@-1"])
-0.757168758003445
>>> solution.arrays().values.shape  # indexed by A's points, B's points, ball + field
(51, 51, 5)

Conventions: A maximises and picks the row, B minimises and picks the column; a payoff or value is what A wins. A positive ball
lies on B's side and is good for A. With points left a bid is at least 1, with none it is 0. A state is written
``"POINTS_A:POINTS_B@BALL"``, or as a tuple ``(points_a, points_b, ball)``.
"""

from pencil_tennis import matrix_game
from pencil_tennis._blind import (
    BlindPolicy,
    BlindPolicyLike,
    BlindSolution,
    InformationSet,
    as_blind_policy,
    solve_blind,
)
from pencil_tennis._bounded import StateArrays
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._equilibrium import Digits, Equilibrium, ExactEquilibrium
from pencil_tennis._forced import Endgame, ForcedPlay
from pencil_tennis._games import Games, Player
from pencil_tennis._judged import StateRegret
from pencil_tennis._judging import (
    BestResponse,
    Duel,
    Judgement,
    Meeting,
    StateLoss,
    best_response,
    duel,
    exploitability,
    meeting,
    outcomes,
)
from pencil_tennis._learning import LEARNERS, CurvePoint, LearnerKind, LearningCurve, Training
from pencil_tennis._match import Match, MatchJudgement, MatchPolicy, Score, solve_match
from pencil_tennis._native import (
    AgentError,
    CertificateError,
    DefectError,
    Error,
    GameError,
    MatrixError,
    Policy,
    PolicyError,
    Rules,
    TableFileError,
    __version__,
)
from pencil_tennis._policy import PolicyLike, as_policy
from pencil_tennis._proof import Proof, verify
from pencil_tennis._solution import Solution, load, solve
from pencil_tennis._state import State, StateLike

__all__ = [
    "LEARNERS",
    "AgentError",
    "BestResponse",
    "BlindPolicy",
    "BlindPolicyLike",
    "BlindSolution",
    "CertificateError",
    "CurvePoint",
    "DefectError",
    "Digits",
    "Duel",
    "Enclosure",
    "Endgame",
    "Equilibrium",
    "Error",
    "ExactEquilibrium",
    "ForcedPlay",
    "GameError",
    "Games",
    "InformationSet",
    "Judgement",
    "LearnerKind",
    "LearningCurve",
    "Match",
    "MatchJudgement",
    "MatchPolicy",
    "MatrixError",
    "Meeting",
    "Player",
    "Policy",
    "PolicyError",
    "PolicyLike",
    "Proof",
    "Rules",
    "Score",
    "Solution",
    "State",
    "StateLike",
    "StateArrays",
    "StateLoss",
    "StateRegret",
    "TableFileError",
    "Training",
    "__version__",
    "as_blind_policy",
    "as_policy",
    "best_response",
    "duel",
    "exploitability",
    "load",
    "matrix_game",
    "meeting",
    "outcomes",
    "solve",
    "solve_blind",
    "solve_match",
    "verify",
]
