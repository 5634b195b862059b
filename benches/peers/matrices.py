#!/usr/bin/env python3
"""Compare `pencil_tennis.matrix_game` with what else solves a single matrix game in Python: first the values, only then the time.

    python3 -m venv /tmp/matrices && /tmp/matrices/bin/pip install ./python -r benches/peers/requirements-matrices.txt
    /tmp/matrices/bin/python benches/peers/matrices.py

Two kinds of games of n rows and columns: doubles drawn from a normal distribution, solved in floating point, and integers from
-20 to 20, solved exactly. Everything runs on one thread; seconds are the best of all repetitions.

Exit status: 0 all that are installed agree, 1 some disagree (then nothing is timed).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
from pencil_tennis import matrix_game  # noqa: E402
from solvers import PEERS, Sweep  # noqa: E402

Solver = Callable[[Any], Any]

TOLERANCE = 1e-6
"""Linear programmes stop at 1e-7, and may miss a constraint by that share of the largest payoff, which is 5 or less."""


def ours(matrix: Any) -> Any:
    """The value, with its bounds proved."""
    solution = matrix_game.solve(matrix)
    if isinstance(solution, matrix_game.Solution):
        assert solution.lower <= solution.upper
    return solution.value


def highs() -> Solver:
    """HiGHS by its own interface: maximise v, where the row strategy x earns v at least against each column."""
    import highspy

    def solve(matrix: Any) -> float:
        rows, columns = matrix.shape
        programme = highspy.HighsLp()
        programme.num_col_, programme.num_row_ = rows + 1, columns + 1
        programme.sense_ = highspy.ObjSense.kMaximize
        programme.col_cost_ = np.append(np.zeros(rows), 1.0)
        programme.col_lower_ = np.append(np.zeros(rows), -highspy.kHighsInf)
        programme.col_upper_ = np.full(rows + 1, highspy.kHighsInf)
        programme.row_lower_ = np.append(np.zeros(columns), 1.0)
        programme.row_upper_ = np.append(np.full(columns, highspy.kHighsInf), 1.0)
        programme.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        # Probabilities are in every constraint, the value is not in their sum.
        programme.a_matrix_.start_ = np.append(np.arange(rows + 1) * (columns + 1), rows * (columns + 1) + columns)
        programme.a_matrix_.index_ = np.append(np.tile(np.arange(columns + 1), rows), np.arange(columns))
        programme.a_matrix_.value_ = np.append(np.hstack([matrix, np.ones((rows, 1))]).ravel(), np.full(columns, -1.0))
        solver = highspy.Highs()
        solver.silent()
        solver.setOptionValue("threads", 1)
        solver.passModel(programme)
        solver.run()
        return float(solver.getInfo().objective_function_value)

    return solve


def clarabel() -> Solver:
    """The same programme by an interior-point method."""
    import clarabel
    from scipy.sparse import csc_matrix

    def solve(matrix: Any) -> float:
        rows, columns = matrix.shape
        earned = np.hstack([-matrix.T, np.ones((columns, 1))])
        positive = np.hstack([-np.eye(rows), np.zeros((rows, 1))])
        whole = np.append(np.ones(rows), 0.0)[np.newaxis, :]
        constraints = csc_matrix(np.vstack([earned, positive, whole]))
        limits = np.append(np.zeros(columns + rows), 1.0)
        cones = [clarabel.NonnegativeConeT(columns + rows), clarabel.ZeroConeT(1)]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        objective = np.append(np.zeros(rows), -1.0)
        empty = csc_matrix((rows + 1, rows + 1))
        solver = clarabel.DefaultSolver(empty, objective, constraints, limits, cones, settings)
        return float(-solver.solve().obj_val)

    return solve


def as_in_sweeps(name: str) -> Callable[[], Solver]:
    """The solver of stage games of the same name in `compare.py`."""

    def load() -> Solver:
        sweep = PEERS[name].load(Path())
        assert isinstance(sweep, Sweep)
        return sweep.stage_value

    return load


def pygambit(rational: bool) -> Callable[[], Solver]:
    def load() -> Solver:
        import pygambit

        def solve(matrix: Any) -> Any:
            payoffs = matrix.astype(object)
            game = pygambit.StrategicGame.from_arrays(payoffs, -payoffs)
            value = pygambit.nash.lp_solve(game, rational=rational).equilibrium.payoffs["1"]
            return Fraction(value.numerator, value.denominator) if rational else float(value)

        return solve

    return load


MATRIX_PEERS: dict[str, list[tuple[str, str, int, Callable[[], Solver]]]] = {
    "doubles": [
        ("SciPy linprog", "scipy", 1500, as_in_sweeps("scipy")),
        ("HiGHS by highspy", "highspy", 1500, highs),
        ("Clarabel", "clarabel", 200, clarabel),
        ("OpenSpiel lp_solver", "open_spiel", 50, as_in_sweeps("open-spiel-lp")),
        ("nashpy linear_program", "nashpy", 200, as_in_sweeps("nashpy")),
        ("pygambit lp_solve(rational=False)", "pygambit", 30, pygambit(False)),
    ],
    "integers": [("pygambit lp_solve(rational=True)", "pygambit", 30, pygambit(True))],
}
"""By kind of game: description, package, the largest game that it is quick enough for, and the solver."""

SIZES = {"doubles": (5, 20, 50, 100, 200, 400, 800, 1500), "integers": (5, 10, 20, 30, 50)}


def drawn(kind: str, size: int) -> Any:
    random = np.random.default_rng(size)
    return random.normal(size=(size, size)) if kind == "doubles" else random.integers(-20, 20, (size, size), endpoint=True)


def agrees(kind: str, known: Any, found: Any) -> bool:
    return bool(found == known) if kind == "integers" else abs(float(found) - float(known)) <= TOLERANCE


def seconds(solve: Solver, matrix: Any) -> float:
    start = time.perf_counter()
    solve(matrix)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare solvers of single matrix games: values first, then time.")
    parser.add_argument("--repetitions", type=int, default=3, metavar="K", help="of which the best counts [3]")
    parser.add_argument("--largest", type=int, default=200, metavar="N", help="rows of the largest game; beyond it takes minutes [200]")
    given = parser.parse_args()
    repetitions = given.repetitions
    agreed, rows = True, []
    for kind, peers in MATRIX_PEERS.items():
        for size in (size for size in SIZES[kind] if size <= given.largest):
            matrix = drawn(kind, size)
            known = ours(matrix)
            solvers = [(f"pencil-tennis {version('pencil-tennis')}", ours)]
            for description, package, largest, load in peers:
                try:
                    solver = load()
                except ImportError:
                    rows.append((kind, size, description, None, "not installed"))
                    continue
                if size > largest:
                    continue
                found = solver(matrix)
                if agrees(kind, known, found):
                    solvers.append((f"{description} {version(package)}", solver))
                else:
                    agreed = False
                    rows.append((kind, size, description, None, f"disagrees: {found} instead of {known}"))
            best = {name: min(seconds(solver, matrix) for _ in range(repetitions)) for name, solver in solvers} if agreed else {}
            reference = min(best.values(), default=0.0) if not best else best[solvers[0][0]]
            rows += [(kind, size, name, taken, f"{taken / reference:,.1f}") for name, taken in best.items()]
    print(f"{'payoffs':9} {'n':>4}  {'seconds':>9}  {'ratio':>9}  solver")
    for kind, size, name, taken, remark in rows:
        print(f"{kind:9} {size:4}  {'' if taken is None else format(taken, '9.2e'):>9}  {remark:>9}  {name}")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
