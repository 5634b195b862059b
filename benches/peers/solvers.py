"""What is compared: pencil-tennis by each of its methods, and what one would take instead of it."""

import json
import re
import subprocess
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np

from games import OSHI_ZUMO, TENNIS, Game, Matrix, StageValue, State, saddle_points_first, sweep

Bounds: TypeAlias = dict[State, tuple[float, float]]
"""For each state an interval that the value is said to be in; a point where a solver gives no bounds."""


@dataclass(frozen=True)
class Timing:
    """How long one solution of all states took, in seconds."""

    solving: float
    """What the solving alone took: neither starting a program, importing modules, nor printing."""
    process: float | None = None
    """From the start of the process to its end, where the solver is a program of its own."""


class Solver(Protocol):
    """One that solves a whole game."""

    @property
    def version(self) -> str:
        """What it is, with the versions of what does the work in it."""

    @property
    def proved(self) -> bool:
        """Whether its bounds are proved, so that they must hold without any tolerance."""

    def bounds(self, game: Game, points: int) -> Bounds:
        """The values of the states with up to `points` each."""

    def timing(self, game: Game, points: int) -> Timing:
        """Solve the game once more and take the time."""


@dataclass(frozen=True)
class PencilTennis:
    """The program, on one thread as the others."""

    program: Path
    method: str
    proved: bool = True

    @property
    def version(self) -> str:
        own = self._run("--version").strip()
        return f"{own} ({_good_lp()})" if self.method == "lp" else own

    def bounds(self, game: Game, points: int) -> Bounds:
        rows = json.loads(self._run("export", "values", *self._arguments(game, points)))
        return {(row["a"], row["b"], row["ball"]): (row["lower"], row["upper"]) for row in rows}

    def timing(self, game: Game, points: int) -> Timing:
        start = time.perf_counter()
        report = self._run("solve", *self._arguments(game, points))
        process = time.perf_counter() - start
        return Timing(json.loads(report)["seconds"]["total"], process)

    def _arguments(self, game: Game, points: int) -> list[str]:
        return [str(points), *game.flags(), "--method", self.method, "--threads", "1", "--format", "json"]

    def _run(self, *arguments: str) -> str:
        return subprocess.run([self.program, *arguments], check=True, capture_output=True, text=True).stdout


def _good_lp() -> str:
    """The versions of the linear-programming crates that the program is built with."""
    lock = tomllib.loads((Path(__file__).parents[2] / "Cargo.lock").read_text(encoding="utf-8"))
    versions = {package["name"]: package["version"] for package in lock["package"]}
    return ", ".join(f"{name} {versions[name]}" for name in ("good_lp", "microlp"))


@dataclass(frozen=True)
class Sweep:
    """A solver of matrix games, put into our backward sweep."""

    version: str
    stage_value: StageValue
    proved: bool = False

    def bounds(self, game: Game, points: int) -> Bounds:
        return {state: (value, value) for state, value in sweep(game, points, self.stage_value).items()}

    def timing(self, game: Game, points: int) -> Timing:
        start = time.perf_counter()
        sweep(game, points, self.stage_value)
        return Timing(time.perf_counter() - start)


@dataclass(frozen=True)
class ValueIteration:
    """OpenSpiel's own way: its game, its value iteration. It knows the states that occur in a game only."""

    version: str
    proved: bool = False

    def bounds(self, game: Game, points: int) -> Bounds:
        bounds: Bounds = {}
        for text, value in self._values(game, points).items():
            match = re.fullmatch(r"Coins: (\d+) (\d+), Field: ([#.W]+)\s*", text)
            if match is None:
                raise ValueError(f"OpenSpiel writes a state in a way that is not known here: {text!r}")
            coins_a, coins_b, field = match.groups()
            # The first place of the field as it is printed is beyond B's end, the middle one is 0.
            ball = field.index("W") - (game.field + 1)
            if abs(ball) <= game.field:
                bounds[int(coins_a), int(coins_b), ball] = (value, value)
        return bounds

    def timing(self, game: Game, points: int) -> Timing:
        start = time.perf_counter()
        self._values(game, points)
        return Timing(time.perf_counter() - start)

    @staticmethod
    def _values(game: Game, points: int) -> dict[str, float]:
        import pyspiel
        from open_spiel.python.algorithms import value_iteration

        if game != OSHI_ZUMO:
            raise ValueError(f"OpenSpiel does not have the game {game.name}")
        # Every turn costs the larger account a point at least: the game is over before the horizon cuts it short.
        parameters = {"coins": points, "size": game.field, "min_bid": 1, "horizon": points + 1, "alesia": False}
        same_game = pyspiel.load_game("oshi_zumo", parameters)
        # `cyclic_game` only says that a state met before is not expanded again: without it, time grows with the
        # number of histories. The threshold is that of the linear programmes; a smaller one costs more sweeps.
        values: dict[str, float] = value_iteration.value_iteration(same_game, depth_limit=-1, threshold=1e-7, cyclic_game=True)
        return values


def linprog_value(matrix: Matrix) -> float:
    """The value of a matrix game by SciPy: maximise v, where A's strategy x earns v at least against each column.

    B's strategy comes with it, as the dual solution, so that one programme a state is enough.
    """
    from scipy.optimize import linprog

    rows, columns = matrix.shape
    result = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[np.newaxis, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    if result.status != 0:
        raise RuntimeError(result.message)
    return float(-result.fun)


def _scipy() -> Sweep:
    from scipy.optimize._highspy import _core  # nothing public says which HiGHS it is

    numbers = (_core.HIGHS_VERSION_MAJOR, _core.HIGHS_VERSION_MINOR, _core.HIGHS_VERSION_PATCH)
    return Sweep(f"scipy {version('scipy')} (HiGHS {'.'.join(map(str, numbers))})", linprog_value)


def _scipy_saddle() -> Sweep:
    plain = _scipy()
    return Sweep(plain.version, saddle_points_first(plain.stage_value))


def _nashpy() -> Sweep:
    import nashpy

    def stage_value(matrix: Matrix) -> float:
        # The one of its methods that is for zero-sum games: a programme for each player. The others enumerate, but for
        # Lemke-Howson, which was tried: it did not end on the matrix [[1]], and overflowed with 12 points or fewer.
        strategy_a, strategy_b = nashpy.Game(matrix).linear_program()
        return float(strategy_a @ matrix @ strategy_b)

    return Sweep(f"nashpy {version('nashpy')} (scipy {version('scipy')})", stage_value)


def _open_spiel_version() -> str:
    return f"open_spiel {version('open_spiel')} (cvxpy {version('cvxpy')}, ecos {version('ecos')})"


def _open_spiel_lp() -> Sweep:
    import pyspiel
    from open_spiel.python.algorithms import lp_solver

    def stage_value(matrix: Matrix) -> float:
        stage_game = pyspiel.create_matrix_game(matrix.tolist(), (-matrix).tolist())
        return float(lp_solver.solve_zero_sum_matrix_game(stage_game)[2])

    return Sweep(_open_spiel_version(), stage_value)


def _open_spiel() -> ValueIteration:
    import ecos  # noqa: F401  (what OpenSpiel solves with, missed only when it is asked to solve)
    from open_spiel.python.algorithms import value_iteration  # noqa: F401

    return ValueIteration(_open_spiel_version())


@dataclass(frozen=True)
class Peer:
    """Somebody to compare with: the game it plays, and up to how many points it is quick enough."""

    description: str
    game: Game
    points: int
    load: Callable[[Path], Solver]
    """Given where pencil-tennis is. Raises `ImportError` where a package is missing."""


PEERS: dict[str, Peer] = {
    "tableau": Peer("pencil-tennis --method tableau", TENNIS, 50, lambda program: PencilTennis(program, "tableau")),
    "lp": Peer("pencil-tennis --method lp", TENNIS, 50, lambda program: PencilTennis(program, "lp")),
    "scipy-saddle": Peer("SciPy linprog, saddle points first", TENNIS, 50, lambda _: _scipy_saddle()),
    "scipy": Peer("SciPy linprog, every state", TENNIS, 50, lambda _: _scipy()),
    "nashpy": Peer("nashpy linear_program", TENNIS, 50, lambda _: _nashpy()),
    "open-spiel-lp": Peer("OpenSpiel lp_solver", TENNIS, 13, lambda _: _open_spiel_lp()),
    "open-spiel": Peer("OpenSpiel value_iteration", OSHI_ZUMO, 10, lambda _: _open_spiel()),
}
