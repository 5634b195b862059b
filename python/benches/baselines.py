"""The baselines of the benchmark's simulator: every run, the records, the tables and the picture of the curves.

    baselines.py run FOLDER [AGENT...]    makes the runs that are not in FOLDER yet, of all agents or of some
    baselines.py write FOLDER             writes baselines.jsonl, baselines.csv, baselines.md and ../../docs/benchmark_learning.svg

after `pip install './python[plot]'`. One core needs some forty minutes; several agents can run at a time. Every point of a curve is
a run with a budget of its own, so that schedules which depend on the budget are treated fairly. The same seed gives the same policy
on the same machine; networks' sums may be rounded otherwise elsewhere.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterable
from pathlib import Path

# Matrices are small: more threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from pencil_tennis import benchmark  # noqa: E402

HERE = Path(__file__).parent
PICTURE = HERE.parent.parent / "docs" / "benchmark_learning.svg"
TURNS = 5_000
CURVE = [TURNS // 2**halvings for halvings in range(7, -1, -1)]
SOLVED = 1e-3
"""A baseline whose exploitability is on average a smaller share of uniform play's solves a task, which then has to leave."""

FIRST = [name for name in benchmark.GAMES if name.endswith("-1")]
LARGER = [name for name in benchmark.GAMES if not name.endswith("-1")]


def run(folder: Path, agents: Iterable[str]) -> None:
    """Makes the runs that are missing: the smallest games first, last the largest."""
    folder.mkdir(parents=True, exist_ok=True)
    for tasks, budgets in ((FIRST, CURVE[::-1]), ([n for n in LARGER if n.endswith("-2")], [TURNS]), ([n for n in LARGER if n.endswith("-3")], [TURNS])):
        for agent in agents:
            for turns in budgets:
                for task in tasks:
                    path = folder / f"{agent}.{task}.{turns}.jsonl"
                    if path.exists() or (agent == "uniform" and turns < TURNS):
                        continue
                    record = benchmark.evaluate(
                        benchmark.LEARNERS[agent],
                        [task],
                        name=agent,
                        note=f"{turns:,} turns",
                        seeds=[1] if agent == "uniform" else benchmark.SEEDS,
                        track="simulator",
                        turns=turns,
                    )
                    part = path.with_suffix(".part")
                    part.write_text(record.to_json() + "\n", encoding="utf-8")
                    part.replace(path)
                    mean, half = benchmark.interval([result.relative for result in record.results])
                    print(f"{agent}, {task}, {turns} turns: {mean:.3g} ± {half:.2g}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder, *agents]:
            run(Path(folder), agents or benchmark.LEARNERS)
