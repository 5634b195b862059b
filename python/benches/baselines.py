"""The baselines of the benchmark's simulator: every run, the records, the tables and the picture of the curves.

    baselines.py run FOLDER [AGENT...]    makes the runs that are not in FOLDER yet, of all agents or of some
    baselines.py write FOLDER             writes baselines.{jsonl,csv,md} and ../../docs/benchmark_learning.svg

after `pip install './python[plot]'`. Several agents can run at a time. Every point of a curve is a run with a budget of its own,
since schedules depend on the budget. The same seed gives the same policy on the same machine; elsewhere, sums of networks may be
rounded otherwise.
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
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

MOST = 2
"""The top of the picture: worse means are cut off."""

# Distinct for colour-blind readers, too (Okabe and Ito); learners of tables are solid lines, deep ones dashed.
_ORANGE, _SKY, _GREEN, _BLUE, _RED, _PURPLE = "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7"
STYLES: dict[str, dict[str, object]] = {
    **{
        name: {"color": colour, "linewidth": 1.3}
        for name, colour in {
            "independent-q": _ORANGE,
            "minimax-q": _SKY,
            "regret-matching": _PURPLE,
            "cfr-plus": _BLUE,
            "mmd": _GREEN,
            "policy-gradient": _RED,
            "psro": "black",
        }.items()
    },
    **{
        name: {"color": colour, "linewidth": 1.3, "linestyle": (0, (3, 1.5))}
        for name, colour in {"dqn": _ORANGE, "nfsp": _BLUE, "ppo": _RED, "r-nad": _GREEN}.items()
    },
}

AGENTS = list(benchmark.LEARNERS)
SIZES = [[name for name in benchmark.GAMES if name.endswith(f"-{size}")] for size in (1, 2, 3)]

INTRODUCTION = f"""Exploitability relative to uniform play after {TURNS:,} turns: the mean of seeds 1 to 5, and half of its 95 % interval.
A dash is a run that was not made. Everything here comes from

    python python/benches/baselines.py run FOLDER && python python/benches/baselines.py write FOLDER

`baselines.jsonl` has the records of size 1 with their policies, which `python -m pencil_tennis.benchmark table --relative
python/benches/baselines.jsonl` judges again. `baselines.csv` has every run, also with smaller budgets (the curves of
[the page](../../docs/benchmark.md)), each with the first digits of its policy's SHA-256. The policies of larger games are left
out: they would take another 18 megabytes.
"""


def run(folder: Path, agents: Iterable[str]) -> None:
    """Makes the runs that are missing: the smallest games and their curves first, the largest games last."""
    folder.mkdir(parents=True, exist_ok=True)
    for tasks, budgets in zip(SIZES, (CURVE[::-1], [TURNS], [TURNS]), strict=True):
        for turns, agent, task in itertools.product(budgets, agents, tasks):
            path = folder / f"{agent}.{task}.{turns}.jsonl"
            if path.exists() or (agent == "uniform" and turns < TURNS):
                continue
            seeds = [1] if agent == "uniform" else benchmark.SEEDS
            learner, note = benchmark.LEARNERS[agent], f"{turns:,} turns"
            record = benchmark.evaluate(learner, [task], name=agent, note=note, seeds=seeds, track="simulator", turns=turns)
            part = path.with_suffix(".part")
            part.write_text(record.to_json() + "\n", encoding="utf-8")
            part.replace(path)
            print(f"{agent}, {task}, {turns} turns: {_cell([result.relative for result in record.results])}", flush=True)


def write(folder: Path) -> None:
    """Writes the records of size 1, all numbers, the tables and the picture."""
    runs: dict[tuple[str, str, int], benchmark.Record] = {}
    for agent, task, turns in itertools.product(AGENTS, benchmark.GAMES, CURVE):
        path = folder / f"{agent}.{task}.{turns}.jsonl"
        if path.exists():
            (runs[agent, task, turns],) = benchmark.read_records(path)
    records = []
    for agent in AGENTS:
        parts = [runs[agent, task, TURNS] for task in SIZES[0] if (agent, task, TURNS) in runs]
        if parts:
            records.append(dataclasses.replace(parts[0], results=[result for part in parts for result in part.results]))
    (HERE / "baselines.jsonl").write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")
    with (HERE / "baselines.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["agent", "task", "turns", "seed", "relative", "policy"])
        for (agent, task, turns), record in runs.items():
            rows.writerows([agent, task, turns, one.seed, f"{one.relative:.6g}", one.digest[:12]] for one in record.results)
    numbers = read()
    larger = _table(numbers, [task for tasks in SIZES[1:] for task in tasks])
    first = benchmark.table(records, relative=True)
    text = f"{INTRODUCTION}\n## Size 1\n\n{first}\n\n## Sizes 2 and 3\n\n{larger}\n\n{_solved(numbers)}\n"
    (HERE / "baselines.md").write_text(text, encoding="utf-8")
    draw(numbers, PICTURE)


def read() -> dict[tuple[str, str, int], list[float]]:
    """The relative exploitabilities of `baselines.csv` by agent, task and turns: one for each seed."""
    found: dict[tuple[str, str, int], list[float]] = {}
    with (HERE / "baselines.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["agent"], row["task"], int(row["turns"])), []).append(float(row["relative"]))
    return found


def solved(numbers: dict[tuple[str, str, int], list[float]]) -> list[str]:
    """The tasks that a baseline solves, with the baseline."""
    return [f"{task} by {agent}" for (agent, task, _), found in numbers.items() if benchmark.interval(found)[0] < SOLVED]


def _solved(numbers: dict[tuple[str, str, int], list[float]]) -> str:
    leave = solved(numbers)
    return f"Tasks that a baseline solves (a mean below {SOLVED:g}), and that have to leave: {', '.join(leave) or 'none'}."


def _cell(found: list[float]) -> str:
    mean, half = benchmark.interval(found)
    return f"{mean:.4g}" + (f" ± {half:.4g}" if half else "")


def _table(numbers: dict[tuple[str, str, int], list[float]], tasks: list[str]) -> str:
    lines = [f"| task | {' | '.join(AGENTS)} |", f"| --- |{' ---: |' * len(AGENTS)}"]
    for task in tasks:
        cells = [_cell(numbers[agent, task, TURNS]) if (agent, task, TURNS) in numbers else "–" for agent in AGENTS]
        lines.append(f"| {task} | {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(numbers: dict[tuple[str, str, int], list[float]], path: Path) -> None:
    """Exploitability by turns: a panel for each family, a line for each baseline."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "benchmark", "svg.fonttype": "none", "font.size": 8})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(3, 4, figsize=(9.5, 7.2), sharex=True, sharey=True, layout="constrained")
    panels = axes.flat
    for panel, task in zip(panels, SIZES[0], strict=False):
        panel.axhline(1, color="#999999", linewidth=0.8)
        for agent, style in STYLES.items():
            known = [turns for turns in CURVE if (agent, task, turns) in numbers]
            panel.plot(known, [benchmark.interval(numbers[agent, task, turns])[0] for turns in known], **style, label=agent)
        panel.set(title=task, xscale="log", ylim=(0, MOST))
        panel.set_xticks([50, 500, 5000], ["50", "500", "5,000"])
        panel.set_yticks([0, 0.5, 1, 1.5, 2])
        panel.minorticks_off()
        # Below the last panel of each column there is nothing.
        panel.tick_params(labelbottom=task in SIZES[0][-4:])
        panel.grid(axis="y", linewidth=0.3)
    for panel in axes.flat[len(SIZES[0]) :]:
        panel.axis("off")
    title = "Means of five seeds; dashed: neural networks"
    key = axes.flat[-2].legend(*axes.flat[0].get_legend_handles_labels(), loc="upper left", ncols=2, frameon=False, title=title)
    # It spans two free panels, which the layout must not know.
    key.set_in_layout(False)
    figure.supxlabel("turns")
    figure.supylabel("exploitability (uniform play = 1)")
    figure.savefig(path, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder, *agents]:
            run(Path(folder), agents or AGENTS)
        case ["write", folder]:
            write(Path(folder))
        case _:
            sys.exit(__doc__)
