"""The tasks of the second edition: games of any rules, judged by their policies as arrays; and the simulator."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pencil_tennis import _native, games
from pencil_tennis._arrays import array_of
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._native import PolicyError
from pencil_tennis.benchmark._families import FAMILIES
from pencil_tennis.benchmark._record import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class GameTask:
    """A game of the second edition."""

    name: str
    """Its name: the family and the size, 1 to 3."""
    family: str
    """The family."""
    arguments: tuple[int, ...]
    """Those of the rules' class."""
    kind: str = "game"
    """Told apart from the games of the first edition."""

    @property
    def description(self) -> str:
        """The rules in a sentence."""
        return str(FAMILIES[self.family][0].__doc__).strip()

    @property
    def rules(self) -> Any:
        """The rules, as `pencil_tennis.games.solve` takes them."""
        return _rules(self)

    @property
    def solution(self) -> games.Solution[Any, Any]:
        """The solved game, whose certificate proves the value."""
        return _solved(self)

    @property
    def value(self) -> Enclosure:
        """The value to A, with proved bounds."""
        return self.solution.value

    @property
    def opening(self) -> dict[Any, float]:
        """How an optimal A begins; where several ways are optimal, one of them."""
        return self.solution.strategies(self.solution.starts[0])[0]

    def policy(self, policy: Any) -> Arrays:
        """The checked policy of both players, as `games.Policy.array` has either.

        Takes such a pair of arrays; a `games.Policy`; ``"uniform"``; or a function of a state and a player, "A" or "B", or a mapping
        from pairs of them, that gives probabilities by the numbers of actions as a sequence or a dict. What is None or missing is
        uniform. Probabilities below 2^-60, which proofs cannot tell from 0, count as 0.
        """
        tables = self._tables(policy)
        return tuple(np.where(table < 2.0**-60, np.minimum(table, 0), table) for table in tables)  # type: ignore[return-value]

    def _tables(self, policy: Any) -> Arrays:
        optimal = self.solution.policy()
        shapes = optimal.array("A"), optimal.array("B")
        if isinstance(policy, games.Policy):
            return policy.array("A"), policy.array("B")
        if isinstance(policy, tuple) and len(policy) == 2 and all(isinstance(part, np.ndarray) for part in policy):
            arrays = tuple(np.ascontiguousarray(array_of(part, "a policy", PolicyError), np.float64) for part in policy)
            for array, shape, player in zip(arrays, shapes, "AB", strict=True):
                if array.shape != shape.shape:
                    raise PolicyError(f"{player}'s policy has the shape {array.shape}; expected {shape.shape}")
            return arrays  # type: ignore[return-value]
        if policy == "uniform":
            policy = {}
        if not (callable(policy) or isinstance(policy, Mapping)):
            raise TypeError(f"{policy!r:.80} is no policy; expected arrays, a function of a state and a player, or a mapping")
        tables = tuple(np.zeros(shape.shape) for shape in shapes)
        for place, state in enumerate(self.solution):
            for which, size in enumerate(_sizes(self)[place]):
                if size:
                    given = policy(state, "AB"[which]) if callable(policy) else policy.get((state, "AB"[which]))
                    tables[which][place, :size] = _row(given, size, state)
        return tables  # type: ignore[return-value]

    def judge(self, policy: Any) -> Result:
        """Judges a policy of both players: see `Result`."""
        arrays = self.policy(policy)
        least, most, exploitability = _exploited(self, arrays)
        place = [*self.solution].index(self.solution.starts[0])
        openings: list[dict[Any, float]] = [{action: share for action, share in enumerate(array[place].tolist()) if share} for array in arrays]
        return Result(
            task=self.name,
            exploitability=float(exploitability),
            lower=exploitability.lower,
            upper=exploitability.upper,
            relative=float(exploitability) / _uniform(self),
            value=float(self.value),
            best_response_a=float(most),
            best_response_b=float(least),
            loss_a=None,
            loss_b=None,
            opening_a=openings[0],
            opening_b=openings[1],
            # By the worth, not by the probabilities: others can be moved, or be those of another optimal policy.
            solver=exploitability.upper < OPTIMAL * _uniform(self),
        )


def _row(given: Any, size: int, state: Any) -> Any:
    if given is None:
        return 1 / size
    if isinstance(given, Mapping):
        if not all(isinstance(action, (int, np.integer)) and 0 <= action < size for action in given):
            raise PolicyError(f"state {state!r}: there are the actions 0 to {size - 1}, not {list(given)!r:.80}")
        given = [given.get(action, 0.0) for action in range(size)]
    row = array_of(given, f"the probabilities at {state!r}", PolicyError).astype(np.float64)
    if row.shape != (size,):
        raise PolicyError(f"state {state!r}: {row.shape} probabilities; expected {size}")
    return row


def _exploited(task: GameTask, arrays: Arrays) -> tuple[Enclosure, Enclosure, Enclosure]:
    """What A's part secures, what B's part concedes, and the exploitability."""
    judged = task.solution.judge(arrays)
    return judged.a.value, judged.b.value, judged.exploitability


@cache
def _rules(task: GameTask) -> Any:
    return FAMILIES[task.family][0](*task.arguments)


@cache
def _solved(task: GameTask) -> games.Solution[Any, Any]:
    solution: games.Solution[Any, Any] = games.solve(task.rules)
    return solution


@cache
def _sizes(task: GameTask) -> list[tuple[int, int]]:
    turns = [task.rules.turn(state) for state in task.solution]
    return [(len(turn[0]), len(turn[1])) if isinstance(turn, tuple) else (0, 0) for turn in turns]


@cache
def _uniform(task: GameTask) -> float:
    return float(_exploited(task, task.policy("uniform"))[2])


OPTIMAL = 1e-6
"""The relative exploitability below which a policy has a star: nothing tells it from one that the solver made."""

GAMES: dict[str, GameTask] = {
    f"{family}-{size}": GameTask(f"{family}-{size}", family, arguments)
    for family, (_, sizes) in FAMILIES.items()
    for size, arguments in enumerate(sizes, start=1)
}
"""The tasks of the second edition, by name."""


class Turn(NamedTuple):
    """What a simulator tells."""

    state: Any
    """The state that play came to."""
    actions: tuple[int, int]
    """The numbers of A's and of B's actions there; 0 and 0 at an end."""
    reward: float
    """A's reward of the turn; at an end with the payoff."""


class TurnsSpent(RuntimeError):
    """All turns of a simulator are played."""


class Simulator:
    """A game that can only be played: `reset` and `step` tell the states that play comes to, and every step costs a turn.

    Agents of the track "simulator" get this instead of the task. Playing on at an end, or with an action that there is not, is a
    ValueError; a step without a turn left raises `TurnsSpent`.
    """

    def __init__(self, task: GameTask, seed: int, turns: int) -> None:
        self.name = task.name
        """The name of the task."""
        self.discount = float(getattr(task.rules, "discount", 1))
        """By which later rewards count less with every turn."""
        self._turns = turns
        session = _native.PlaySession(task.rules, random.Random(seed), self.discount, turns, Turn, TurnsSpent)
        self.reset, self.step, self.spent = session.reset, session.step, session.spent

    @property
    def left(self) -> int:
        """The turns that are left. The evaluation counts by itself."""
        return self._turns - self.spent()
