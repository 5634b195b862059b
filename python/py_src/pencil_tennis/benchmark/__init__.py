"""A benchmark of games with simultaneous moves whose solutions are known exactly.

Every task is a game with a proved value. An agent hands in a policy, and the gain of a player who knows it is computed, not
sampled: the *exploitability*, with proved bounds. The protocol is in ``docs/benchmark.md``.

>>> from pencil_tennis import benchmark
>>> record = benchmark.evaluate("uniform", tasks=["tennis-8"], name="uniform")
>>> record.results[0].task, round(record.results[0].exploitability, 4), record.results[0].relative
('tennis-8', 1.9444, 1.0)

An agent that learns is a function of the task and a seed, which trains and returns a policy:

>>> from pencil_tennis import Training
>>> def agent(task, seed):
...     training = Training("cfr-plus", task.points[0], task.rules, seed=seed)
...     training.play(50_000)
...     return benchmark.Learned(training.policy(), games=training.games)
>>> record = benchmark.evaluate(agent, tasks=["tennis-8"], name="CFR+", note="50,000 games", seeds=[1])
>>> record.results[0].exploitability < 0.1
True

``python -m pencil_tennis.benchmark run`` makes the baselines again, and ``table`` prints records in columns.
"""

from pencil_tennis.benchmark._baselines import BASELINES, LEARNERS, Baseline
from pencil_tennis.benchmark._evaluation import SEEDS, TURNS, Agent, Learned, evaluate, rejudge
from pencil_tennis.benchmark._game_tasks import GAMES, GameTask, Simulator, Turn, TurnsSpent
from pencil_tennis.benchmark._record import Record, Result, interval, read_records, table
from pencil_tennis.benchmark._tasks import TASKS, VERSION, Task
from pencil_tennis.benchmark._transcripts import JudgedGame, JudgedTurn, judge_transcript, read_transcripts

__all__ = [
    "BASELINES",
    "GAMES",
    "LEARNERS",
    "SEEDS",
    "TASKS",
    "TURNS",
    "VERSION",
    "Agent",
    "Baseline",
    "GameTask",
    "JudgedGame",
    "JudgedTurn",
    "Learned",
    "Record",
    "Result",
    "Simulator",
    "Task",
    "Turn",
    "TurnsSpent",
    "evaluate",
    "interval",
    "judge_transcript",
    "read_records",
    "read_transcripts",
    "rejudge",
    "table",
]
