"""Any two-player zero-sum game with simultaneous moves, solved with proved bounds; games of OpenSpiel and
models of PRISM-games among them.

>>> from pencil_tennis import games
>>> class Pennies:
...     '''Matching pennies for some rounds: A wins if both showed the same side more often than not.'''
...     def starts(self):
...         return [(3, 0)]
...     def turn(self, state):
...         rounds, lead = state
...         return (("heads", "tails"), ("heads", "tails")) if rounds else (lead > 0) - (lead < 0)
...     def after(self, state, a, b):
...         rounds, lead = state
...         return (rounds - 1, lead + (1 if a == b else -1))
>>> solution = games.solve(Pennies())
>>> solution[3, 0], solution[2, 1]
(0.0 (exactly 0), 0.5 (exactly 1/2))
>>> solution.strategies((2, 1))[0]
{'heads': 0.5, 'tails': 0.5}

A chooses rows and maximises, B chooses columns and minimises; payoffs are those of A. The project's docs/games.md is the guide,
docs/game-format.md lists the kinds of games.
"""

from pencil_tennis.games._arrays import ArrayGame, ManyRules, from_arrays
from pencil_tennis.games._judging import JointJudgement, Judgement, PolicyLike
from pencil_tennis.games._open_spiel import OpenSpielGame, from_open_spiel
from pencil_tennis.games._prism import PrismGame, from_prism
from pencil_tennis.games._rules import Kind, Rules
from pencil_tennis.games._solution import GameLike, Policy, Proof, Solution, load, nash_conv, solve, verify

__all__ = [
    "ArrayGame",
    "GameLike",
    "JointJudgement",
    "Judgement",
    "Kind",
    "ManyRules",
    "OpenSpielGame",
    "Policy",
    "PolicyLike",
    "PrismGame",
    "Proof",
    "Rules",
    "Solution",
    "from_arrays",
    "from_open_spiel",
    "from_prism",
    "load",
    "nash_conv",
    "solve",
    "verify",
]
