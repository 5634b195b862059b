"""The command line of the benchmark: ``python -m pencil_tennis.benchmark``."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pencil_tennis.benchmark import (
    BASELINES,
    GAMES,
    LEARNERS,
    TASKS,
    TURNS,
    VERSION,
    GameTask,
    Record,
    Task,
    evaluate,
    read_records,
    read_transcripts,
    rejudge,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pencil_tennis.benchmark._record import Result

PLAYED = 1_000_000
"""The games that baselines learn from unless another number is given."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; the status with which the process ends."""
    parser = argparse.ArgumentParser(
        prog="python -m pencil_tennis.benchmark",
        description=f"Games with simultaneous moves whose solutions are known exactly, version {VERSION}.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("tasks", help="the tasks, their true values and optimal openings")
    run = commands.add_parser("run", help="evaluates baselines, or an agent of your own")
    known = f"one of {', '.join(BASELINES)} (track simulator: {', '.join(LEARNERS)}; default: all), or MODULE:FUNCTION"
    run.add_argument("agents", nargs="*", metavar="AGENT", help=known)
    run.add_argument("--tasks", nargs="+", metavar="TASK", choices=sorted([*TASKS, *GAMES]), help="the tasks (default: those of the second edition; of baselines those of the first)")
    run.add_argument("--track", choices=("model", "simulator"), default="model", help="what agents get (default: model)")
    run.add_argument("--turns", type=_positive, default=TURNS, help=f"the turns of a simulator (default: {TURNS:,})")
    run.add_argument(
        "--games", type=_positive, default=PLAYED, help=f"the games that baselines of the first edition learn from (default: {PLAYED:,})"
    )
    run.add_argument("--seeds", type=_positive, default=5, help="how many seeds agents are given, from 1 on (default: 5)")
    run.add_argument("-o", "--output", type=Path, metavar="FILE", help="writes the records, a line of JSON for each")
    shown = commands.add_parser("table", help="prints records beside each other, in Markdown")
    shown.add_argument("files", nargs="+", type=Path, metavar="FILE")
    shown.add_argument("--relative", action="store_true", help="as shares of what uniform bidding loses")
    again = commands.add_parser("rejudge", help="computes every number of records again, and refuses those that differ")
    again.add_argument("files", nargs="+", type=Path, metavar="FILE")
    judged = commands.add_parser("judge", help="judges played games: what each player gave away")
    judged.add_argument("file", type=Path, metavar="FILE", help="JSON lines with the bids of both")
    judged.add_argument("--task", choices=sorted(TASKS), help="the task, where the lines do not name it")
    judged.add_argument("--format", choices=("text", "json"), default="text", help="for people or for programs")
    given = parser.parse_args(arguments)
    work: dict[str, Callable[[argparse.Namespace], None]] = {
        "tasks": _tasks, "run": _run, "table": _table, "rejudge": _rejudge, "judge": _judge,
    }  # fmt: skip
    try:
        work[given.command](given)
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"pencil_tennis.benchmark: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("pencil_tennis.benchmark: interrupted", file=sys.stderr)
        return 130
    return 0


def _tasks(given: argparse.Namespace) -> None:
    print("| task | game | value to A | optimal opening of A, one of them |\n| --- | --- | ---: | --- |")
    tasks: list[GameTask | Task] = [*GAMES.values(), *TASKS.values()]
    for task in tasks:
        value = "0" if 0 in task.value else f"{float(task.value):.9g}"
        # Regret minimisation leaves traces of bids that are worse.
        likeliest = sorted(((bid, p) for bid, p in task.opening.items() if p >= 5e-4), key=lambda choice: -choice[1])
        shown = ", ".join(f"{bid}: {probability:.3f}" for bid, probability in likeliest[:4])
        more = f", {len(likeliest) - 4} more" if len(likeliest) > 4 else ""
        print(f"| {task.name} | {task.description} | {value} | {shown}{more} |")


def _run(given: argparse.Namespace) -> None:
    if given.output is not None and not given.output.parent.is_dir():
        raise ValueError(f"{given.output} cannot be written: there is no folder {given.output.parent}")
    records = []
    names = given.agents or [*(LEARNERS if given.track == "simulator" else BASELINES)]
    if not given.agents:
        print(f"runs all baselines of the track {given.track}: {', '.join(names)}", file=sys.stderr)
    for name in names:
        print(f"{name}:", file=sys.stderr)
        records.append(_evaluated(name, given))
        if given.output is not None:
            # Finished records are kept if a later agent fails.
            _write(given.output, records)
    print(table(records))


def _evaluated(name: str, given: argparse.Namespace) -> Record:
    baseline = BASELINES.get(name)

    def listener(result: Result) -> None:
        print(f"  {result.task}: exploitability {result.exploitability:.6g}, {result.seconds:.1f} s", file=sys.stderr)

    seeds = range(1, given.seeds + 1)
    if given.track == "simulator":
        learner = LEARNERS.get(name) or _imported(name, LEARNERS)
        note = f"{given.turns:,} turns"
        seeds = range(1, 2) if name == "uniform" else seeds
        return evaluate(
            learner, given.tasks, name=name, note=note, seeds=seeds, track="simulator", turns=given.turns, listener=listener
        )
    if baseline is None:
        return evaluate(_imported(name, BASELINES), given.tasks, name=name, seeds=seeds, listener=listener)

    def agent(task: Task, seed: int) -> Any:
        return baseline.agent(task, given.games, seed)

    note = f"{baseline.description}; {given.games:,} games" if baseline.learns else baseline.description
    tasks = given.tasks or TASKS
    return evaluate(agent, tasks, name=name, note=note, seeds=seeds if baseline.learns else seeds[:1], listener=listener)


def _imported(name: str, baselines: Iterable[str]) -> Any:
    """The agent that a module of the working folder defines."""
    module, separator, function = name.partition(":")
    if not separator:
        raise ValueError(f"`{name}` is not an agent; expected one of {', '.join(baselines)}, or MODULE:FUNCTION")
    sys.path.insert(0, os.getcwd())
    found = importlib.import_module(module)
    if not hasattr(found, function):
        raise ValueError(f"{module} has no {function}")
    return getattr(found, function)


def _write(path: Path, records: list[Record]) -> None:
    beside = path.with_name(path.name + ".part")
    beside.write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")
    beside.replace(path)


def _table(given: argparse.Namespace) -> None:
    records = [record for file in given.files for record in read_records(file)]
    print(table(records, relative=given.relative))


def _rejudge(given: argparse.Namespace) -> None:
    for file in given.files:
        for record in read_records(file):
            rejudge(record)
            print(f"{record.name}: {len(record.results)} results are those of their policies")


def _positive(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise ValueError
    return number


def _judge(given: argparse.Namespace) -> None:
    for game in read_transcripts(given.file, given.task):
        if given.format == "json":
            print(json.dumps(game.to_dict(), ensure_ascii=False))
            continue
        a, b = game.players
        print(
            f"{game.task}, {len(game.turns)} turns to {game.final}: {a} (A) gave away {float(game.loss_a):.4f}, "
            f"{b} (B) {float(game.loss_b):.4f}; A won {float(game.result):g}, luck {game.luck_a:+.4f}"
        )


if __name__ == "__main__":
    sys.exit(main())
