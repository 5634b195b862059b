"""The tables and the figure of benchmark.md, from records:

    python -m pencil_tennis.benchmark run -o baselines.jsonl
    python docs/benchmark_tables.py baselines.jsonl [docs/benchmark.svg]

The figure needs matplotlib.
"""

import sys

from pencil_tennis import benchmark

LEAST = 1e-3  # What is better is drawn here.


def draw(records, path):
    """Exploitabilities relative to uniform bidding: a row for each task, a mark for each agent."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "benchmark", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    tasks = list(benchmark.TASKS)[::-1]
    figure, axes = pyplot.subplots(figsize=(8, 4.6), layout="constrained")
    marks = iter("osD^v<>P*X")
    for record in records:
        if record.name in ("uniform", "optimal"):
            continue
        points = [(max(result.relative, LEAST), tasks.index(result.task)) for result in record.results]
        axes.plot(*zip(*points), next(marks), label=record.name, linestyle="none", alpha=0.8)
    axes.axvline(1.0, color="grey", linewidth=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(tasks)), tasks)
    axes.set_xlabel(f"exploitability, relative to uniform bidding (left of {LEAST:g}: drawn there)")
    axes.grid(axis="y", linewidth=0.3)
    figure.legend(loc="outside right center", frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    records = benchmark.read_records(sys.argv[1])
    print(benchmark.table(records))
    if len(sys.argv) > 2:
        draw(records, sys.argv[2])


if __name__ == "__main__":
    main()
