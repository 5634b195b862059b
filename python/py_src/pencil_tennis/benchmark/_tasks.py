"""The tasks of the benchmark: games with proved values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from pencil_tennis._blind import BlindPolicy, as_blind_policy, solve_blind
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._match import Match, Score, solve_match
from pencil_tennis._native import Policy, Rules
from pencil_tennis._policy import as_policy
from pencil_tennis._solution import Solution, solve
from pencil_tennis.benchmark._record import Result

VERSION = 2
"""The version of the benchmark: tasks and measures of a version never change."""

Kind: TypeAlias = Literal["open", "blind", "match"]
"""Open: the players see everything except the current bid. Blind: only the ball. Match: open games until a player has enough
points."""

# Exploitabilities need no closer bounds of the values of blind games.
_BLIND_GAP = 2.5e-7


@dataclass(frozen=True)
class Task:
    """A game of the benchmark."""

    name: str
    """Its name."""
    description: str
    """The game in words."""
    points: tuple[int, int]
    """The points that A and B start with, the ball on the net."""
    rules: Rules
    """The rules."""
    kind: Kind = "open"
    """Whether the players see everything, or the ball alone; or a match of open games."""
    to: int = 0
    """The winning points that take a match."""

    @property
    def value(self) -> Enclosure:
        """The value to A, with proved bounds; of a match A's chance to win it."""
        return _value(self)

    @property
    def opening(self) -> dict[int, float]:
        """How an optimal A bids at the start; where several ways are optimal, one of them."""
        if self.kind == "blind":
            return solve_blind(self.points, self.rules, gap=_BLIND_GAP).opening("A")
        if self.kind == "match":
            return self.match.opening()[0]
        solution = self.solution
        return solution.strategy(solution.start)

    @property
    def solution(self) -> Solution:
        """The solved game.

        Raises
        ------
        ValueError
            For a blind game or a match, whose solutions are no tables of states: see `pencil_tennis.solve_blind`, `match`.
        """
        if self.kind != "open":
            message = f"{self.name} is {'blind; see pencil_tennis.solve_blind' if self.kind == 'blind' else 'a match; see match'}"
            raise ValueError(message)
        return _solved(self)

    @property
    def match(self) -> Match:
        """The solved match.

        Raises
        ------
        ValueError
            For a single game.
        """
        if self.kind != "match":
            message = f"{self.name} is a single game"
            raise ValueError(message)
        return _solved_match(self)

    def policy(self, policy: Any) -> Policy | BlindPolicy | dict[Score, Policy]:
        """The checked policy of this game, from an argument of `as_policy`, `as_blind_policy` or `Match.policies`.

        Raises
        ------
        PolicyError
            As for these functions, and for a policy of one player in an asymmetric game.
        """
        if self.kind == "blind":
            return as_blind_policy(policy, self.points, self.rules)
        if self.kind == "match":
            return self.match.policies(policy)
        return as_policy(policy, self.points, self.rules)

    def judge(self, policy: Any) -> Result:
        """Judges a policy of both players: see `Result`.

        Raises
        ------
        PolicyError
            As for `policy`.
        """
        found = _found(self, policy)
        exploitability = found.pop("exploitability")
        return Result(
            task=self.name,
            exploitability=float(exploitability),
            lower=exploitability.lower,
            upper=exploitability.upper,
            relative=float(exploitability) / _uniform(self),
            value=float(self.value),
            **found,
        )


@cache
def _solved(task: Task) -> Solution:
    return solve(task.points, task.rules)


@cache
def _solved_match(task: Task) -> Match:
    return solve_match(task.to, task.points, task.rules)


@cache
def _value(task: Task) -> Enclosure:
    if task.kind == "blind":
        return solve_blind(task.points, task.rules, gap=_BLIND_GAP).value
    if task.kind == "match":
        return task.match.chance()
    solution = _solved(task)
    return solution.value


@cache
def _uniform(task: Task) -> float:
    """The exploitability of uniform bidding, the unit of relative scores."""
    return float(_found(task, "uniform")["exploitability"])


def _found(task: Task, policy: Any) -> dict[str, Any]:
    """The measured worth of a policy, without derived numbers."""
    checked = task.policy(policy)
    if isinstance(checked, BlindPolicy):
        return _judged_blind(checked)
    if isinstance(checked, dict):
        return _judged_match(task, checked)
    return _judged(task, checked)


def _judged(task: Task, policy: Policy) -> dict[str, Any]:
    judgement = task.solution.judge(policy)
    start = task.solution.start
    against = [judgement.value_against_optimum("A"), judgement.value_against_optimum("B")]
    best = [judgement.best_response_value("A"), judgement.best_response_value("B")]
    assert None not in against + best  # Both players' bids are known, or the exploitability would be refused.
    value = float(task.value)
    return {
        "exploitability": judgement.exploitability,
        "best_response_a": float(best[0]),  # type: ignore[arg-type]
        "best_response_b": float(best[1]),  # type: ignore[arg-type]
        "loss_a": value - float(against[0]),  # type: ignore[arg-type]
        "loss_b": float(against[1]) - value,  # type: ignore[arg-type]
        "opening_a": policy.strategy(start, "A"),
        "opening_b": policy.strategy(start, "B"),
    }


def _judged_match(task: Task, policies: dict[Score, Policy]) -> dict[str, Any]:
    judgement = task.match.judge(policies)
    start = (*task.points, 0)
    return {
        "exploitability": judgement.exploitability,
        "best_response_a": float(judgement.best_response_a),
        "best_response_b": float(judgement.best_response_b),
        "loss_a": None,
        "loss_b": None,
        "opening_a": policies[Score(0, 0)].strategy(start, "A"),
        "opening_b": policies[Score(0, 0)].strategy(start, "B"),
    }


def _judged_blind(policy: BlindPolicy) -> dict[str, Any]:
    secured = policy.secured
    half = secured.width / 2
    return {
        "exploitability": Enclosure(float(half), half, half),
        # The value of A's best response is the most that B's half concedes.
        "best_response_a": float(secured.upper),
        "best_response_b": float(secured.lower),
        "loss_a": None,
        "loss_b": None,
        "opening_a": policy.strategy("A"),
        "opening_b": policy.strategy("B"),
    }


def _listed(*tasks: Task) -> dict[str, Task]:
    return {task.name: task for task in tasks}


_TENNIS, _FOOTSTEPS, _OSHI_ZUMO = Rules.tennis(), Rules.footsteps(), Rules.oshi_zumo(3)
_ARENA = Rules.oshi_zumo(3, min_bid=0)

TASKS: dict[str, Task] = _listed(
    Task("tennis-8", "Tennis with 8 points each", (8, 8), _TENNIS),
    Task("tennis-20", "Tennis with 20 points each", (20, 20), _TENNIS),
    Task("tennis-50", "Tennis with 50 points each, as people play it", (50, 50), _TENNIS),
    Task("tennis-20-16", "Tennis with 20 points against 16", (20, 16), _TENNIS),
    Task("footsteps-20", "Footsteps with 20 points each", (20, 20), _FOOTSTEPS),
    Task("footsteps-50", "Footsteps with 50 points each, as people play it", (50, 50), _FOOTSTEPS),
    Task("oshi-zumo-50", "Oshi-Zumo on field 3 with 50 coins each, smallest bid 1", (50, 50), _OSHI_ZUMO),
    Task("oshi-zumo-arena", "Oshi-Zumo on field 3 with 50 coins each, smallest bid 0, as arenas play it", (50, 50), _ARENA),
    Task("match-20", "a match of Tennis to 3 winning points, every game with 20 points each", (20, 20), _TENNIS, "match", 3),
    Task("blind-6", "blind Tennis with 6 points each", (6, 6), _TENNIS, "blind"),
    Task("blind-8", "blind Tennis with 8 points each", (8, 8), _TENNIS, "blind"),
    Task("blind-9-7", "blind Tennis with 9 points against 7", (9, 7), _TENNIS, "blind"),
)
"""The tasks of this version, by name."""
