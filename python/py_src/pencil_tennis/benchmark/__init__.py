"""A benchmark of games with simultaneous moves whose solutions are known exactly.

Every task is a game with a proved value. An agent hands in a policy, and what a player who knows it gains is computed, not
sampled: the *exploitability*, with proved bounds. The protocol is in ``docs/benchmark.md``.

>>> from pencil_tennis import benchmark
>>> record = benchmark.evaluate("uniform", tasks=["tennis-8"], name="uniform")
>>> record.results[0].task, round(record.results[0].exploitability, 4), record.results[0].relative
('tennis-8', 1.9444, 1.0)

An agent that learns is a function of the task, which trains and returns a policy:

>>> from pencil_tennis import Training
>>> def agent(task):
...     training = Training("cfr-plus", task.points[0], task.rules)
...     training.play(50_000)
...     return benchmark.Learned(training.policy(), games=training.games)
>>> record = benchmark.evaluate(agent, tasks=["tennis-8"], name="CFR+", note="50,000 games")
>>> record.results[0].exploitability < 0.1
True

``python -m pencil_tennis.benchmark run`` makes the baselines again, and ``table`` prints records beside each other.
"""

from pencil_tennis.benchmark._baselines import BASELINES, Baseline
from pencil_tennis.benchmark._evaluation import Agent, Learned, evaluate
from pencil_tennis.benchmark._record import Record, Result, read_records, table
from pencil_tennis.benchmark._tasks import TASKS, VERSION, Task
from pencil_tennis.benchmark._transcripts import JudgedGame, JudgedTurn, judge_transcript, read_transcripts

__all__ = [
    "BASELINES",
    "TASKS",
    "VERSION",
    "Agent",
    "Baseline",
    "JudgedGame",
    "JudgedTurn",
    "Learned",
    "Record",
    "Result",
    "Task",
    "evaluate",
    "judge_transcript",
    "read_records",
    "read_transcripts",
    "table",
]
