"""Learners of the library, and the curves along which learners are judged."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypedDict

from pencil_tennis import _native
from pencil_tennis._game import as_points, as_rules, whole
from pencil_tennis._policy import as_policy
from pencil_tennis._progress import Progress, listening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from pencil_tennis._native import Policy, Rules
    from pencil_tennis._policy import PolicyLike
    from pencil_tennis._solution import Solution

LearnerName: TypeAlias = Literal[
    "simple", "extended", "rm", "rm-plus", "cfr-plus", "fictitious", "exponential", "outcome"
]
"""The name of a learner; see `LEARNERS`."""


class LearnerKind(NamedTuple):
    """A learner of the library, in words."""

    name: str
    """The name that `Training` takes."""
    description: str
    """How it learns."""
    guarantee: str
    """Its proved guarantee."""
    options: tuple[str, ...]
    """The options that it has."""


LEARNERS: dict[str, LearnerKind] = {
    name: LearnerKind(name, description, guarantee, tuple(options))
    for name, description, guarantee, options in _native.learners()
}
"""The learners of the library, by name."""

# Games are played in pieces of about this many seconds, so that progress is reported and Ctrl-C works.
_PIECE = 0.05


class Training:
    """A learner of the library at work.

    Equal settings and seeds give equal policies, byte for byte, also if the training was saved in between (`to_bytes`,
    or pickled). Other Python threads run while it plays.

    Parameters
    ----------
    learner
        The name of the learner; `LEARNERS` describes them, and says which of the options below each has.
    points
        The points both players start with, 200 at most.
    rules
        The rules; Tennis unless given. The scoring must be symmetric.
    seed
        The seed of the learner's random numbers.
    reward
        Whether a won game counts 1 (``"win"``) or the points that were won (``"points"``).
    loss
        The amount that a lost game subtracts from the weights of the loser's bids.
    rare
        The most by which a won bid counts more because it is rarely made.
    every
        The number of games between two changes of the weights.
    middle
        The share of games that start in the middle of the game.
    close
        Whether games that start in the middle start at close scores more often.
    forget
        The number of games after which all weights are halved; 0 for never.
    schedule
        Whether learners that work at every state visit all of them in turn (``"sweeps"``, each state a game), or those of games
        that they play (``"games"``).
    explore
        The share of bids that are drawn evenly from all legal ones.

    Raises
    ------
    AgentError
        For a learner that there is not, an option that it does not have or that is out of range, or a scoring that is not
        symmetric.

    Examples
    --------
    >>> from pencil_tennis import Training, exploitability
    >>> training = Training("cfr-plus", points=8)
    >>> training.play(100_000)
    >>> float(exploitability(training.policy())) < 0.01
    True
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        learner: LearnerName,
        points: int = 50,
        rules: Rules | None = None,
        *,
        seed: int = 1,
        reward: Literal["win", "points"] = "win",
        loss: int = 0,
        rare: int = 1,
        every: int = 1,
        middle: float = 0.0,
        close: bool = False,
        forget: int = 0,
        schedule: Literal["sweeps", "games"] = "sweeps",
        explore: float = 0.05,
    ) -> None:
        self._native = _native.Training(
            learner,
            as_rules(rules),
            as_points((points, points))[0],
            whole(seed, "the seed"),
            reward,
            whole(loss, "loss", most=2**32 - 1),
            whole(rare, "rare", most=2**32 - 1),
            whole(every, "every"),
            middle,
            close,
            whole(forget, "forget"),
            schedule,
            explore,
        )

    @classmethod
    def from_bytes(cls, written: bytes) -> Training:
        """The training that `to_bytes` wrote down.

        Raises
        ------
        AgentError
            For bytes that are no training.
        """
        training = cls.__new__(cls)
        training._native = _native.Training.from_bytes(written)
        return training

    def to_bytes(self) -> bytes:
        """All that is needed to continue, as the command line's ``train`` saves it, too."""
        return self._native.to_bytes()

    def __reduce__(self) -> tuple[Callable[[bytes], Training], tuple[bytes]]:
        return Training.from_bytes, (self.to_bytes(),)

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return self._native.learner

    @property
    def rules(self) -> Rules:
        """The rules of the game that is learned."""
        return self._native.rules

    @property
    def points(self) -> int:
        """The points both players start with."""
        return self._native.points

    @property
    def seed(self) -> int:
        """The seed of the learner's random numbers."""
        return self._native.seed

    @property
    def games(self) -> int:
        """The games played so far."""
        return self._native.games

    @property
    def entries_read(self) -> int | None:
        """The numbers read so far from weights, regrets and payoffs: the work done; None of a learner that does not count."""
        return self._native.entries_read

    def play(self, games: int, *, progress: Progress = None) -> None:
        """Plays ``games`` more games and learns from them.

        Learners that work in larger pieces, sweeps for example, play the fewest pieces that hold as many. What was learned before
        an interrupt stays.

        Raises
        ------
        AgentError
            For more games than the learner's numbers can hold.
        """
        games = whole(games, "the number of games")
        first, last, piece = self.games, min(self.games + games, 2**64 - 1), 1
        with listening(progress, self.learner) as callback:
            while self.games < last:
                clock = time.perf_counter()
                self._native.play(min(piece, last - self.games))
                taken = time.perf_counter() - clock
                piece = 2 * piece if taken < _PIECE else max(1, piece // 2) if taken > 2 * _PIECE else piece
                if callback is not None:
                    callback(min(1.0, (self.games - first) / games))

    def policy(self) -> Policy:
        """The learner's present policy."""
        return self._native.policy()

    def __repr__(self) -> str:
        return f"<Training of {self.learner} with {self.points} points each by {self.rules}, {self.games} games played>"


class CurvePoint(NamedTuple):
    """The worth of a learner after a number of games; everything but the learner's games is computed, not sampled."""

    games: int
    """The games played."""
    seconds: float
    """The seconds spent on playing and learning, without judging."""
    entries_read: int | None
    """The numbers read in that time, if the learner counts them."""
    exploitability: float
    """The gain of a best response, averaged over both players."""
    against_optimum: float
    """The mean payoff against optimal play, averaged over both roles."""
    against_uniform: float
    """The mean payoff against uniform bids, averaged over both roles."""


class CurveColumns(TypedDict):
    """The numbers of all points of a curve, an array for each field of `CurvePoint`."""

    games: NDArray[np.int64]
    seconds: NDArray[np.float64]
    entries_read: NDArray[np.int64]
    exploitability: NDArray[np.float64]
    against_optimum: NDArray[np.float64]
    against_uniform: NDArray[np.float64]


class LearningCurve:
    """A learning curve: policies judged exactly, again and again while someone learns.

    Parameters
    ----------
    solution
        The solved game that is learned.

    Examples
    --------
    >>> from pencil_tennis import LearningCurve, Training, solve
    >>> curve = LearningCurve(solve(8))
    >>> curve.train(Training("simple", points=8), 1_000)
    >>> curve.games.tolist()
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
    >>> bool(curve.exploitability[-1] < curve.exploitability[0])
    True
    """

    __slots__ = ("_native", "_solution")

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._native = _native.LearningCurve(solution._native)  # pyright: ignore[reportPrivateUsage]

    @staticmethod
    def ladder(games: int) -> list[int]:
        """Numbers of games 1, 2, 5, 10, 20, 50, … below ``games``, and ``games`` itself."""
        return _native.LearningCurve.ladder(whole(games, "the number of games"))

    def train(
        self,
        training: Training,
        games: int | Iterable[int],
        *,
        callback: Callable[[CurvePoint], object] | None = None,
        progress: Progress = None,
    ) -> None:
        """Lets a learner play, and judges it again and again.

        Parameters
        ----------
        training
            The learner, of the game that was solved.
        games
            The numbers of games in all, rising, at which it is judged; a single number stands for the `ladder` up to it. Those
            that it has played already, or plays in the piece before, are passed over.
        callback
            Is called with every new point of the curve. An exception that it raises ends the training and reaches the caller;
            the learner and the curve keep their state.
        progress
            A function of the share done, or True for a progress bar.

        Raises
        ------
        PolicyError
            For a learner of another game.
        """
        if training.rules != self._solution.rules:
            raise _native.PolicyError(f"the learner plays {training.rules}, the solution is of {self._solution.rules}")
        rungs = self.ladder(games) if isinstance(games, int) else list(games)
        with listening(progress, training.learner) as listener:
            for rung in rungs:
                if rung <= training.games:
                    continue
                share = None if listener is None else (lambda done, rung=rung: listener(done * rung / rungs[-1]))
                self._native.train(training._native, rung, share)  # pyright: ignore[reportPrivateUsage]
                if callback is not None:
                    callback(self[-1])

    def note(self, policy: PolicyLike, games: int) -> CurvePoint:
        """Judges a policy that a learner of your own has learned in ``games`` games, and gives the new point of the curve.

        Anything that `as_policy` takes is a policy.
        """
        checked = as_policy(policy, self._solution.points, self._solution.rules)
        self._native.note(checked, whole(games, "the number of games"))
        return self[-1]

    def __reduce__(self) -> tuple[object, tuple[Solution, list[CurvePoint]]]:
        return _curve_again, (self._solution, list(self))

    def __len__(self) -> int:
        """The number of points."""
        return len(self._native)

    def __getitem__(self, index: int) -> CurvePoint:
        """The point with this index."""
        columns = self._native.columns()
        read = int(columns["entries_read"][index])
        return CurvePoint(
            int(columns["games"][index]),
            float(columns["seconds"][index]),
            None if read < 0 else read,
            float(columns["exploitability"][index]),
            float(columns["against_optimum"][index]),
            float(columns["against_uniform"][index]),
        )

    def __iter__(self) -> Iterator[CurvePoint]:
        """The points, by their games."""
        return (self[index] for index in range(len(self)))

    def frame(self) -> dict[str, NDArray[np.int64] | NDArray[np.float64]]:
        """The numbers of all points: an array for each field of `CurvePoint`, in their order.

        ``pandas.DataFrame(curve.frame())`` is the curve as a frame. In ``entries_read`` -1 says that they are not counted.
        """
        columns = self._native.columns()
        return {field: columns[field] for field in CurvePoint._fields}  # type: ignore[literal-required]

    @property
    def games(self) -> NDArray[np.int64]:
        """The games played, for every point."""
        return self._native.columns()["games"]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """The seconds of playing and learning, for every point; `note` counts none."""
        return self._native.columns()["seconds"]

    @property
    def exploitability(self) -> NDArray[np.float64]:
        """The exploitability, for every point."""
        return self._native.columns()["exploitability"]

    @property
    def against_optimum(self) -> NDArray[np.float64]:
        """The mean payoff against optimal play, for every point."""
        return self._native.columns()["against_optimum"]

    @property
    def against_uniform(self) -> NDArray[np.float64]:
        """The mean payoff against uniform bids, for every point."""
        return self._native.columns()["against_uniform"]

    def __repr__(self) -> str:
        return f"<LearningCurve with {len(self)} points>"


def _curve_again(solution: Solution, points: list[CurvePoint]) -> LearningCurve:
    curve = LearningCurve(solution)
    curve._native.restore(points)  # pyright: ignore[reportPrivateUsage]
    return curve
