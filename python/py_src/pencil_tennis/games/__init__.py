"""Any two-player zero-sum game with simultaneous moves, solved with proved bounds; games of OpenSpiel among them.

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

A chooses rows and maximises, B chooses columns and minimises; payoffs are what A wins. docs/games.md of the project says what
kinds of games there are, and what is proved.
"""

from pencil_tennis.games._open_spiel import OpenSpielGame, from_open_spiel
from pencil_tennis.games._rules import Kind, Rules
from pencil_tennis.games._solution import Judgement, Proof, Solution, nash_conv, solve, verify

__all__ = [
    "Judgement",
    "Kind",
    "OpenSpielGame",
    "Proof",
    "Rules",
    "Solution",
    "from_open_spiel",
    "nash_conv",
    "solve",
    "verify",
]
