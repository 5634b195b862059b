"""The games that are compared, and the backward sweep that a peer's matrix-game solver is put into."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64]
State: TypeAlias = tuple[int, int, int]
"""Points of A, points of B, position of the ball (positive: on B's side)."""
StageValue: TypeAlias = Callable[[Matrix], float]
"""The value of a zero-sum matrix game to the row player, A."""


@dataclass(frozen=True)
class Game:
    """A game of the family, as both sides of the comparison are told about it."""

    name: str
    field: int
    motion: Literal["net", "step"]
    scoring: tuple[int, int, int, int, int]
    """What A wins: A hits out, the ball lies with B, draw, the ball lies with A, B hits out. Antisymmetric."""

    def flags(self) -> list[str]:
        """The game on the command line of pencil-tennis."""
        scoring = ",".join(map(str, self.scoring))
        return ["--field", str(self.field), "--motion", self.motion, "--scoring", scoring]

    def balls(self) -> range:
        """All positions of the ball on the field."""
        return range(-self.field, self.field + 1)

    def hit(self, ball: int, direction: Literal[1, -1]) -> int:
        """Where the ball goes when A (1) or B (-1) bids more; one beyond the field is out."""
        over_the_net = self.motion == "net" and ball * direction <= 0
        return direction if over_the_net else ball + direction

    def states(self, points: int) -> Iterator[State]:
        """All states with points left, each after all that can follow it or that are a mirror image of these."""
        for a in range(1, points + 1):
            for b in range(a + 1):
                for ball in self.balls():
                    yield a, b, ball


TENNIS = Game("Tennis", 2, "net", (2, 1, 0, -1, -2))
OSHI_ZUMO = Game("Oshi-Zumo", 3, "step", (1, 1, 0, -1, -1))


def sweep(game: Game, points: int, stage_value: StageValue) -> dict[State, float]:
    """Solve every state up to `points` each, by backward induction; return the values to A.

    A peer is given what a careful user would give it: the mirror image of a solved state is not solved again, and
    stage games are put together by slices of the tables, not entry by entry.
    """
    out_a, stay_a, draw, stay_b, out_b = (float(payoff) for payoff in game.scoring)
    tables = {ball: np.zeros((points + 1, points + 1)) for ball in game.balls()}
    for ball in game.balls():
        tables[ball][0, 0] = stay_a if ball > 0 else stay_b if ball < 0 else draw
    tables[game.field + 1] = np.full((points + 1, points + 1), out_a)
    tables[-game.field - 1] = np.full((points + 1, points + 1), out_b)
    for a, b, ball in game.states(points):
        if a == b and ball > 0:
            continue  # the mirror image of one with ball < 0
        value = stage_value(_stage_game(game, tables, (a, b, ball)))
        tables[-ball][b, a] = -value
        tables[ball][a, b] = value
    return {
        (a, b, ball): float(tables[ball][a, b]) for a in range(points + 1) for b in range(points + 1) for ball in game.balls()
    }


def _stage_game(game: Game, tables: dict[int, Matrix], state: State) -> Matrix:
    """The matrix game of a state: rows are A's bids rising, columns B's, entries what A wins."""
    a, b, ball = state
    # With points left a bid is at least 1, with none it is 0. Rows and columns of a table are points that remain.
    rows, columns = slice(0, max(a, 1)), slice(0, max(b, 1))

    def after(new_ball: int) -> Matrix:
        return tables[new_ball][rows, columns][::-1, ::-1]

    bids_a = np.arange(min(a, 1), a + 1)[:, np.newaxis]
    bids_b = np.arange(min(b, 1), b + 1)[np.newaxis, :]
    unequal = np.where(bids_a > bids_b, after(game.hit(ball, 1)), after(game.hit(ball, -1)))
    return np.where(bids_a == bids_b, after(ball), unequal)


def saddle_points_first(stage_value: StageValue) -> StageValue:
    """The same solver, asked only where no pure bids are best: seven states out of ten of Tennis have a saddle point."""

    def value(matrix: Matrix) -> float:
        lower, upper = matrix.min(axis=1).max(), matrix.max(axis=0).min()
        return float(lower) if lower == upper else stage_value(matrix)

    return value
