"""Agents to compare with, which anyone can make again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pencil_tennis._blind import solve_blind
from pencil_tennis._learning import Training
from pencil_tennis._policy import as_policy
from pencil_tennis._solution import solve
from pencil_tennis.benchmark._evaluation import Learned
from pencil_tennis.benchmark._psro import psro
from pencil_tennis.benchmark._self_play import DEEP
from pencil_tennis.benchmark._tabular import RULES, learned

if TYPE_CHECKING:
    from pencil_tennis._learning import LearnerName
    from pencil_tennis.benchmark._game_tasks import Simulator
    from pencil_tennis.benchmark._tasks import Task


@dataclass(frozen=True)
class Baseline:
    """An agent that the package brings along."""

    name: str
    """Its name."""
    description: str
    """How it comes to its policy."""
    agent: Callable[[Task, int, int], Learned | None]
    """The agent, given the task, a number of games and a seed."""
    learns: bool = False
    """Whether it learns from a given number of games, with a seed."""


def _learner(name: LearnerName) -> Callable[[Task, int, int], Learned | None]:
    def agent(task: Task, games: int, seed: int) -> Learned | None:
        # Learners play no games that may stand still. In a match they play every game for itself.
        if task.kind == "blind" or task.rules.min_bid == 0:
            return None
        a, b = task.points
        # Learners play games with equal points; a game with fewer points of one player is a part of such a game.
        training = Training(name, max(a, b), task.rules, seed=seed)
        training.play(games)
        policy = training.policy()
        if a != b:
            parts = [policy.array(player)[: a + 1, : b + 1] for player in ("A", "B")]
            policy = as_policy((parts[0][..., : a + 1], parts[1][..., : b + 1]), task.points, task.rules)
        return Learned(policy, games=training.games)

    return agent


def _named(name: str) -> Callable[[Task, int, int], Learned | None]:
    return lambda task, games, seed: None if task.kind == "blind" else Learned(as_policy(name, task.points, task.rules))


def _uniform(task: Task, games: int, seed: int) -> Learned | None:
    return Learned(task.policy("uniform"))


def _optimal(task: Task, games: int, seed: int) -> Learned | None:
    if task.kind == "blind":
        return Learned(solve_blind(task.points, task.rules, gap=2.5e-7).policy())
    if task.kind == "match":
        return Learned({score: task.match.policy(score) for score in task.match.scores()})
    return Learned(task.solution.policy())


def _cfr_plus(task: Task, games: int, seed: int) -> Learned | None:
    if task.kind == "blind":
        # Iterations are not games; it ends when the bounds are as close as this.
        return Learned(solve_blind(task.points, task.rules, gap=0.005).policy())
    return _learner("cfr-plus")(task, games, seed)


def _guessing(task: Task, games: int, seed: int) -> Learned | None:
    if task.kind != "blind":
        return None
    return Learned(solve_blind(task.points, task.rules).guessing(solve(task.points, task.rules)))


def _listed(*baselines: Baseline) -> dict[str, Baseline]:
    return {baseline.name: baseline for baseline in baselines}


BASELINES: dict[str, Baseline] = _listed(
    Baseline("uniform", "every legal bid is equally likely", _uniform),
    Baseline("simple", "the article's learner: winners' bids become likelier", _learner("simple"), learns=True),
    Baseline("rm", "regret matching at every state", _learner("rm"), learns=True),
    Baseline("cfr-plus", "CFR+ at every state; in blind tasks until the bounds are 0.02 apart", _cfr_plus, learns=True),
    Baseline("outcome", "outcome-sampling regret minimisation, from played games alone", _learner("outcome"), learns=True),
    Baseline("lookahead-1", "one turn ahead, what follows bid uniformly", _named("lookahead:1:uniform")),
    Baseline("lookahead-3", "three turns ahead, what follows bid uniformly", _named("lookahead:3:uniform")),
    Baseline("guessing", "in blind tasks: bids as in the open game, guessing that the other has the most possible", _guessing),
    Baseline("optimal", "the solver's strategies", _optimal),
)
"""The baselines, by name."""


def tabular(name: str) -> Callable[[Simulator, int], Learned]:
    """An agent of the track "simulator": `uniform`, or a learner of tables by its name in `RULES`."""

    def agent(simulator: Simulator, seed: int) -> Learned:
        return Learned("uniform" if name == "uniform" else learned(RULES[name], simulator, seed))

    return agent


LEARNERS: dict[str, Callable[[Simulator, int], Any]] = {
    **{name: tabular(name) for name in ("uniform", *RULES)},
    "psro": psro,
    **DEEP,
}
"""The baselines of the track "simulator", by name."""
