"""Agents, and what they reach."""

from __future__ import annotations

import dataclasses
import platform
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from pencil_tennis._game import whole
from pencil_tennis._native import __version__
from pencil_tennis.benchmark._record import Record, Result
from pencil_tennis.benchmark._tasks import TASKS, VERSION, Task

Agent: TypeAlias = Callable[[Task], Any] | Mapping[str, Any] | str
"""Who takes part: a function of a `Task` that returns a policy, a `Learned` one, or None for a task that it leaves out; a
mapping from names of tasks to policies; or the name of a player that `pencil_tennis.as_policy` knows, such as
``"lookahead:3:uniform"``."""


@dataclass(frozen=True)
class Learned:
    """A policy, and what it took to learn it."""

    policy: Any
    """The policy, as `Task.policy` takes it."""
    games: int | None = None
    """The games that were played."""
    seconds: float | None = None
    """The seconds that it took; measured unless given."""


def evaluate(
    agent: Agent,
    tasks: Iterable[str | Task] | None = None,
    *,
    name: str,
    note: str = "",
    seed: int | None = None,
    listener: Callable[[Result], object] | None = None,
) -> Record:
    """Lets an agent play the tasks of the benchmark, and judges its policies exactly.

    Parameters
    ----------
    agent
        A function of a `Task` that returns a policy: whatever `pencil_tennis.as_policy` takes, `as_blind_policy` for a blind
        task, or `Match.policies` for a match. It may train as long as it likes; what it takes is measured, or it says so itself in a `Learned`. It returns None
        for a task that it leaves out. Or a mapping from names of tasks to policies, or the name of a player.
    tasks
        The tasks, or their names; all of `TASKS` unless given (of a mapping: those that it has).
    name, note, seed
        What the record says about the agent; see `Record`.
    listener
        A function that hears of every result as soon as it is there.

    Raises
    ------
    ValueError
        For a task that there is not.
    TypeError
        For what is no agent.
    PolicyError
        For what is no policy of its task.

    Examples
    --------
    >>> from pencil_tennis import benchmark
    >>> record = benchmark.evaluate({"blind-6": lambda known: {min(known.points, 1): 1.0}}, name="always 1")
    >>> record["blind-6"].exploitability
    2.0
    """
    if seed is not None:
        whole(seed, "the seed")
    if tasks is None:
        tasks = agent if isinstance(agent, Mapping) else TASKS
    results = []
    for task in [_known(task) for task in tasks]:
        begin = time.perf_counter()
        learned = _asked(agent, task)
        elapsed = time.perf_counter() - begin
        if learned is None:
            continue
        if not isinstance(learned, Learned):
            learned = Learned(learned)
        seconds = elapsed if learned.seconds is None else learned.seconds
        results.append(dataclasses.replace(task.judge(learned.policy), games=learned.games, seconds=seconds))
        if listener is not None:
            listener(results[-1])
    versions = {"pencil_tennis": __version__, "python": platform.python_version(), "numpy": np.__version__}
    return Record(name=name, results=results, benchmark=VERSION, note=note, seed=seed, versions=versions)


def _known(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        message = f"`{task}` is not a task; expected one of {', '.join(TASKS)}"
        raise ValueError(message)
    return TASKS[task]


def _asked(agent: Agent, task: Task) -> Any:
    """What an agent hands in."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Mapping):
        return agent.get(task.name)
    if callable(agent):
        return agent(task)
    message = f"{agent!r:.80} is no agent; expected a function of a task, a mapping from names of tasks to policies, or a name"
    raise TypeError(message)
