#!/usr/bin/env python3
"""Compare pencil-tennis with what one would take instead: first the values of all states, only then the time.

    cargo build --release
    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r benches/peers/requirements.txt
    /tmp/peers/bin/python benches/peers/compare.py

Everything runs on one thread. Seconds are those of solving, the best of all repetitions; ratios are to pencil-tennis
with the same game and points in the same repetitions, which take turns. See README.md beside this file.

Exit status: 0 all that are installed agree, 1 some disagree or fail (then nothing is timed), 2 wrong usage.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

# Before numpy is loaded: a thread for everybody, since the ratios are meant to be of one core to one core.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from games import Game, State  # noqa: E402
from solvers import PEERS, Bounds, PencilTennis, Solver, Timing  # noqa: E402

LP_TOLERANCE = 1e-7
"""HiGHS (primal and dual feasibility) and ECOS (absolute and relative, as OpenSpiel sets it) stop at this."""


def tolerance(game: Game, points: int) -> float:
    """How far from the proved bounds a value may be that was found by linear programmes.

    A programme may miss a constraint by `LP_TOLERANCE`, and probabilities may sum to 1 but for that much, which is
    worth that share of the largest payoff; value iteration ends when no value moves by more. Changing all entries of
    a matrix game by so much changes its value no more, so that errors add once a turn, and every turn costs the
    larger account a point.
    """
    return points * LP_TOLERANCE * (2 + max(map(abs, game.scoring)))


@dataclass
class Row:
    """A line of the table: one solver of one game."""

    game: str
    points: int
    solver: str
    version: str | None = None
    states: int | None = None
    """How many states were compared."""
    difference: float | None = None
    """The largest distance of any value from the bounds that pencil-tennis proves by default; 0 inside them."""
    tolerance: float | None = None
    seconds: float | None = None
    process_seconds: float | None = None
    ratio: float | None = None
    """Seconds over those of pencil-tennis."""
    complaint: str | None = None


@dataclass
class Entrant:
    """A row while it is filled in."""

    row: Row
    solver: Solver
    timings: list[Timing] = field(default_factory=list)


@dataclass
class Contest:
    """Solvers of the same game with the same points; the first is pencil-tennis as it is by default."""

    game: Game
    points: int
    entrants: list[Entrant]

    def check(self) -> bool:
        """Compare all values with those of pencil-tennis; whether everybody agrees."""
        reference: Bounds = {}
        for entrant in self.entrants:
            row = entrant.row
            progress(f"values: {row.solver}, {row.game} with {row.points} points")
            try:
                bounds = entrant.solver.bounds(self.game, self.points)
            except subprocess.CalledProcessError as error:
                row.complaint = f"failed: {error.stderr.strip()}"
            except Exception as error:  # whatever a peer may raise: the others go on, the exit status tells
                row.complaint = f"failed: {error!r}"
            else:
                row.states = len(bounds)
                if entrant is self.entrants[0]:
                    reference = bounds
                    continue
                row.tolerance = 0.0 if entrant.solver.proved else tolerance(self.game, self.points)
                row.difference, row.complaint = disagreement(bounds, reference, (self.points, self.points, 0), row.tolerance)
        return all(entrant.row.complaint is None for entrant in self.entrants)

    def time(self, repetitions: int) -> None:
        """Let all solve in turn, and keep the best time of each."""
        for repetition in range(1, repetitions + 1):
            for entrant in self.entrants:
                progress(f"time {repetition} of {repetitions}: {entrant.row.solver}, {self.game.name} with {self.points}")
                entrant.timings.append(entrant.solver.timing(self.game, self.points))
        ours = min(timing.solving for timing in self.entrants[0].timings)
        for entrant in self.entrants:
            row = entrant.row
            row.seconds = min(timing.solving for timing in entrant.timings)
            row.process_seconds = min((t.process for t in entrant.timings if t.process is not None), default=None)
            row.ratio = row.seconds / ours


def disagreement(bounds: Bounds, reference: Bounds, start: State, tolerated: float) -> tuple[float | None, str | None]:
    """The largest distance of any value from the bounds of pencil-tennis, and what is wrong with the values if anything."""
    if not reference:
        return None, "not compared: pencil-tennis failed"
    if start not in bounds:
        return None, "disagrees: the start is missing"
    if unknown := bounds.keys() - reference.keys():
        return None, f"disagrees: {min(unknown)} is no state of the game"
    distances = {
        state: max(lower - reference[state][1], reference[state][0] - upper, 0.0) for state, (lower, upper) in bounds.items()
    }
    # A value that is not a number must not pass as one that is near.
    (a, b, ball), worst = max(distances.items(), key=lambda item: (not item[1] <= tolerated, item[1]))
    return worst, None if worst <= tolerated else f"disagrees: {worst:.1e} at {a}:{b}@{ball}"


def contests(program: Path, names: list[str], points: dict[str, int]) -> tuple[list[Contest], list[Row]]:
    """Who meets whom; and a row for each that is not installed."""
    meetings: dict[tuple[Game, int], Contest] = {}
    missing = []
    for name in names:
        peer = PEERS[name]
        size = points.get(name, peer.points)
        row = Row(peer.game.name, size, peer.description)
        try:
            solver = peer.load(program)
        except ImportError as error:
            row.complaint = f"not installed: {error}"
            missing.append(row)
            continue
        row.version = solver.version
        if (peer.game, size) not in meetings:
            ours = PencilTennis(program, "simplex")
            own_row = Row(peer.game.name, size, "pencil-tennis", ours.version)
            meetings[peer.game, size] = Contest(peer.game, size, [Entrant(own_row, ours)])
        meetings[peer.game, size].entrants.append(Entrant(row, solver))
    return list(meetings.values()), missing


def progress(text: str) -> None:
    """Say what is being done, apart from the result."""
    print(text, file=sys.stderr, flush=True)


def text_table(rows: list[Row]) -> str:
    """The table for people."""

    def cell(number: float | None, layout: str) -> str:
        return "" if number is None else format(number, layout)

    header = ["game", "n", "solver", "seconds", "ratio", "process", "states", "difference", "tolerance", "version"]
    lines = [header]
    for row in rows:
        numbers = [
            cell(row.seconds, ".3g"),
            cell(row.ratio, ",.0f" if row.ratio is not None and row.ratio >= 100 else ".3g"),
            cell(row.process_seconds, ".3g"),
            cell(row.states, ",d"),
            cell(row.difference, ".1e"),
            cell(row.tolerance, ".1e"),
        ]
        remark = "; ".join(filter(None, [row.version, row.complaint]))
        lines.append([row.game, str(row.points), row.solver, *numbers, remark])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    left = {"game", "solver", "version"}
    return "\n".join(
        "  ".join(
            text.ljust(width) if name in left else text.rjust(width)
            for name, text, width in zip(header, line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


def at_least_one(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, not {text!r}")
    return int(text)


def solver_points(text: str) -> tuple[str, int]:
    """SOLVER=N."""
    name, _, number = text.partition("=")
    if name not in PEERS:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(PEERS)}")
    return name, at_least_one(number)


def built_program() -> Path:
    """Where `cargo build --release` puts the program."""
    target = os.environ.get("CARGO_TARGET_DIR", Path(__file__).parents[2] / "target")
    return Path(target) / "release" / "pencil-tennis"


def main() -> int:
    """Compare as the command line says; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Compare pencil-tennis with its peers: values first, then time.",
        epilog="Solvers and their points: " + ", ".join(f"{name}={peer.points}" for name, peer in PEERS.items()),
    )
    parser.add_argument("--program", type=Path, default=built_program(), help="pencil-tennis [default: the release build]")
    parser.add_argument("--repetitions", type=at_least_one, default=3, metavar="K", help="of which the best counts [3]")
    parser.add_argument("--only", action="append", choices=PEERS, metavar="SOLVER", help="compare with this one (repeatable)")
    parser.add_argument(
        "--points", action="append", type=solver_points, default=[], metavar="SOLVER=N", help="points for a solver (repeatable)"
    )
    parser.add_argument("--format", choices=["text", "json"], default="text")
    arguments = parser.parse_args()
    if not arguments.program.is_file():
        parser.error(f"there is no program {arguments.program}: build it with `cargo build --release`, or name it with --program")

    names = [name for name in PEERS if arguments.only is None or name in arguments.only]
    try:
        meetings, missing = contests(arguments.program, names, dict(arguments.points))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"error: {arguments.program} does not run: {error}", file=sys.stderr)
        return 1
    # All are checked, also after a disagreement; a time of something wrong is worth nothing.
    agreed = all([contest.check() for contest in meetings])
    if agreed:
        for contest in meetings:
            contest.time(arguments.repetitions)

    rows = [entrant.row for contest in meetings for entrant in contest.entrants] + missing
    if arguments.format == "json":
        machine = {"system": platform.platform(), "processors": os.cpu_count(), "python": platform.python_version()}
        report = {"agreed": agreed, "repetitions": arguments.repetitions, "machine": machine, "rows": [asdict(r) for r in rows]}
        print(json.dumps(report))
    else:
        print(text_table(rows))
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
