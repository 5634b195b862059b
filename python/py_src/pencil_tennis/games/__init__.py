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

Games with hidden information are trees: of rules with a method ``observe`` (`unfold`), of a file of Gambit (`from_efg`), or of
OpenSpiel's games of imperfect information (`from_open_spiel`). Their solutions have strategies by information sets.

>>> class Coin:
...     '''A alone sees a coin, and may raise; B, who does not see it, may give up.'''
...     def starts(self):
...         return {("heads", ""): 1, ("tails", ""): 1}
...     def turn(self, state):
...         coin, said = state
...         if said == "":
...             return ("raise", "fold"), ("wait",)
...         if said == "raise":
...             return ("wait",), ("call", "give")
...         return {"fold": -1, "give": 1, "call": 2 if coin == "heads" else -2}[said]
...     def after(self, state, a, b):
...         return state[0], a if state[1] == "" else b
...     def observe(self, state, player):
...         coin, said = state
...         return said or None if player == "B" else coin if said == "" else None
>>> coin = games.solve(Coin())
>>> coin, coin.strategy("heads", "A"), round(coin.strategy("raise", "B")["call"], 6)
(<a solved game with hidden information, worth 0.3333333333333333 (exactly 1/3) to A>, {'raise': 1.0}, 0.666667)
>>> coin.judge("A", lambda known: {"raise": 1}).loss
0.3333333333333333 (exactly 1/3)

A chooses rows and maximises, B chooses columns and minimises; payoffs are those of A. The project's docs/games.md is the guide,
docs/game-format.md lists the kinds of games.
"""

from pencil_tennis._judged import JointJudgement, Judgement
from pencil_tennis.games._arrays import ArrayGame, ManyRules, from_arrays
from pencil_tennis.games._hidden import (
    HiddenGame,
    HiddenJointJudgement,
    HiddenJudgement,
    HiddenPolicyLike,
    HiddenProof,
    HiddenRules,
    HiddenSolution,
    from_efg,
    unfold,
)
from pencil_tennis.games._judging import PolicyLike
from pencil_tennis.games._open_spiel import OpenSpielGame, OpenSpielTree, from_open_spiel
from pencil_tennis.games._prism import PrismGame, from_prism
from pencil_tennis.games._rules import Kind, Rules
from pencil_tennis.games._solution import BestPayoff, GameLike, Policy, Proof, Solution, load, nash_conv, solve, verify

__all__ = [
    "ArrayGame",
    "BestPayoff",
    "GameLike",
    "HiddenGame",
    "HiddenJointJudgement",
    "HiddenJudgement",
    "HiddenPolicyLike",
    "HiddenProof",
    "HiddenRules",
    "HiddenSolution",
    "JointJudgement",
    "Judgement",
    "Kind",
    "ManyRules",
    "OpenSpielGame",
    "OpenSpielTree",
    "Policy",
    "PolicyLike",
    "PrismGame",
    "Proof",
    "Rules",
    "Solution",
    "from_arrays",
    "from_efg",
    "from_open_spiel",
    "from_prism",
    "load",
    "nash_conv",
    "solve",
    "unfold",
    "verify",
]
