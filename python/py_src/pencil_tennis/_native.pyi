"""The native part of the package, as it is called from above. Not public: import from `pencil_tennis`."""

import builtins
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, Literal, SupportsIndex, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from pencil_tennis._enclosure import Enclosure
from pencil_tennis._equilibrium import Uniqueness
from pencil_tennis._games import Player
from pencil_tennis._learning import CurveColumns, CurvePoint
from pencil_tennis._solution import Method
from pencil_tennis._state import State, StateLike

_Callback: TypeAlias = Callable[[float], object] | None
_Points: TypeAlias = tuple[int, int]
_Strategies: TypeAlias = list[dict[int, float]]
_BlindRow: TypeAlias = tuple[Player, list[int], list[int], int, float]

__all__ = [
    "AgentError",
    "BestResponse",
    "BlindBestResponse",
    "BlindPolicy",
    "BlindSolution",
    "CertificateError",
    "DefectError",
    "Error",
    "ExactMatrixGame",
    "Explorer",
    "ForcedPlay",
    "GameError",
    "Games",
    "Judgement",
    "LearningCurve",
    "MatrixError",
    "PlaySession",
    "PlayedGames",
    "Policy",
    "PolicyJudgement",
    "PolicyError",
    "Proof",
    "Rules",
    "RowNumbers",
    "RulesTable",
    "Series",
    "Solution",
    "StochasticCheckpoint",
    "StochasticGame",
    "StochasticSolution",
    "TableFileError",
    "Training",
    "__version__",
    "blind_size",
    "check_checkpoint",
    "draw_bid",
    "draw_forced",
    "draw_regret",
    "draw_solution",
    "draw_strategies",
    "draw_strategy",
    "duel",
    "exploitability",
    "game_from_arrays",
    "learners",
    "level_policy",
    "load_table",
    "meeting",
    "optimal_strategies",
    "parse_state",
    "policy_from_arrays",
    "policy_from_weights",
    "read_game",
    "read_prism_game",
    "shares",
    "solution_from_bytes",
    "solution_of",
    "solve",
    "solve_blind",
    "solve_doubles",
    "solve_series",
    "solve_stochastic_game",
    "undominated",
    "uniform_policy",
    "verify_stochastic_game",
]

__version__: str

class Error(ValueError):
    """The library rejects a request; the message names the fault."""

class GameError(Error):
    """A state, a bid or rules that the game does not have."""

class MatrixError(Error):
    """A matrix that is no matrix game."""

class PolicyError(Error):
    """The policy is invalid or does not cover the request."""

class CertificateError(Error):
    """The certificate is invalid."""

class TableFileError(Error):
    """The table file is invalid."""

class DefectError(RuntimeError):
    """A defect of this package, which its authors like to hear of."""

class AgentError(Error):
    """A learner or a search that is not possible."""

def parse_state(state: StateLike) -> tuple[int, int, int]: ...
@final
class Rules:
    """The rules of a game of the family that Tennis, Footsteps and Oshi-Zumo belong to.

    Objects are immutable, can be compared, hashed, copied and pickled.

    Parameters
    ----------
    field : int
        Positions on either side of the net, 1 to 99; the ball is inside at ``-field..field``.
    motion : {"net", "step"}
        Whether the higher bid hits the ball over the net onto the opponent's first field (or one field further where it is on
        that side already), or moves it by one field.
    scoring : str or sequence of 5 numbers
        The payoffs to A when A hits out, the ball lies on B's side, on the net, on A's side, and when B hits out: ``"two-one"``
        for 2, 1, 0, -1, -2, ``"win-loss"`` for 1, 1, 0, -1, -1, any text such as ``"1,1/2,0,-1/2,-1"``, or five numbers (int,
        Fraction, Decimal, float), which are taken exactly.
    min_bid : {1, 0}
        The smallest bid of a player with points left. Two bids of 0 change nothing; play that never ends is decided where the
        ball lies, as if everything were spent.

    Raises
    ------
    GameError
        For a field, a motion, payoffs or a smallest bid that are not possible.

    Examples
    --------
    >>> from pencil_tennis import Rules
    >>> Rules(field=3, motion="step", scoring="win-loss")
    Rules(field=3, motion='step', scoring='win-loss')
    >>> Rules.tennis().play("4:3@-2", 2, 1)
    State(a=2, b=2, ball=1)
    """

    def __new__(
        cls,
        field: int = 2,
        motion: Literal["net", "step"] = "net",
        scoring: str | Sequence[int | float | Fraction | Decimal] = "two-one",
        min_bid: Literal[1, 0] = 1,
    ) -> Rules: ...
    @staticmethod
    def tennis() -> Rules:
        """Tennis: field 2, over the net, two points for hitting out and one for lying on the other side."""
    @staticmethod
    def footsteps() -> Rules:
        """Footsteps as commonly played: field 2, one step at a time, only reaching an end wins."""
    @staticmethod
    def oshi_zumo(field: int = 3, min_bid: Literal[1, 0] = 1) -> Rules:
        """Oshi-Zumo: one step at a time; with empty accounts the side on which the wrestler stands loses."""
    @property
    def field(self) -> int:
        """The half-width of the field."""
    @property
    def motion(self) -> Literal["net", "step"]:
        """The motion of a ball that is hit: ``"net"`` or ``"step"``."""
    @property
    def min_bid(self) -> Literal[1, 0]:
        """The smallest bid of a player with points left: 1 or 0."""
    @property
    def scoring(self) -> tuple[Fraction, Fraction, Fraction, Fraction, Fraction]:
        """The payoff to A of each of the five ends, as exact fractions.

        A hits out, the ball lies on B's side, draw, the ball lies on A's side, B hits out.
        """
    @property
    def is_symmetric(self) -> bool:
        """Whether the scoring is antisymmetric: B wins at an end as much as A at its mirror image."""
    def legal_bids(self, points: int) -> range:
        """The bids that an account allows: from the smallest one to ``points``, or 0 alone when it is empty."""
    def play(self, state: StateLike, bid_a: int, bid_b: int) -> State:
        """The state after a turn; its ball is one beyond the field when it was hit out.

        Raises
        ------
        GameError
            When the game is over at ``state``, the ball outside the field, or a bid not legal.
        """
    def outcome(self, state: StateLike) -> str | None:
        """The end of the game at ``state``, for example ``"A hits the ball out"``; None while it continues."""
    def payoff(self, state: StateLike) -> Fraction | None:
        """The payoff to A at ``state`` as a ``Fraction``; None while the game continues."""
    def __getnewargs__(self) -> tuple[int, str, str, int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Policy:
    """For every state of a game a distribution over the legal bids, for one player or for both: a policy that has been checked.

    Probabilities are kept as integer multiples of 2**-62 that sum to 1 exactly, so that the value of a policy can be proved.
    Objects are immutable, can be compared (two are equal that bid alike), copied and pickled. Made by `as_policy`,
    `Solution.policy`, `best_response`.

    Examples
    --------
    >>> import pencil_tennis
    >>> policy = pencil_tennis.solve(4).policy()
    >>> policy.strategy("4:3@-2", "B")
    {1: 0.6, 3: 0.4}
    >>> policy.rules == pencil_tennis.Rules.tennis()
    True
    """

    @property
    def points(self) -> _Points:
        """The points A and B have at most."""
    @property
    def field(self) -> int:
        """The half-width of the field."""
    @property
    def min_bid(self) -> int:
        """The smallest bid of players with points left: 1 or 0."""
    @property
    def rules(self) -> Rules | None:
        """The rules that the policy was made for, if known; the policy is rejected for other rules."""
    def with_rules(self, rules: Rules | None) -> Policy:
        """These bids for a game with other rules on an equal field; None for any such game.

        Raises
        ------
        PolicyError
            When the field has another size, or the smallest bid is another.
        """
    def covers(self, player: Player) -> bool:
        """Whether the policy says how ``player``, ``"A"`` or ``"B"``, bids."""
    def strategy(self, state: StateLike, player: Player = "A") -> dict[int, float]:
        """The bids that ``player`` makes at ``state``, rising, with their probabilities."""
    def array(self, player: Player = "A") -> NDArray[np.float64]:
        """The bids of ``player`` as a new array ``[a, b, ball + field, bid]`` of probabilities.

        It is 0 for bids that are never made or not legal. The last axis begins with bid 0.
        """
    def mirrored(self) -> Policy:
        """The policy with the players' roles exchanged: A's bids at a state become B's at its mirror image, and vice versa."""
    def only(self, player: Player) -> Policy:
        """The policy of one player alone.

        Raises
        ------
        PolicyError
            When it does not say how ``player`` bids.
        """
    def joined(self, b: Policy) -> Policy:
        """The policy in which this one's A meets the other's B.

        Raises
        ------
        PolicyError
            When one of them does not say how its player bids, or they are for different games.
        """
    def completed_by_mirror(self) -> Policy:
        """The policy of both players that the policy of one stands for, if the other bids alike, seen from the other side.

        Raises
        ------
        PolicyError
            When A and B have different points.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

def policy_from_arrays(
    points: _Points,
    rules: Rules,
    a: NDArray[np.float64] | None,
    b: NDArray[np.float64] | None,
    weights: bool,
) -> Policy: ...
def policy_from_weights(
    points: _Points,
    field: int,
    players: dict[Player, tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint64]]],
    rules: Rules | None = None,
    min_bid: int = 1,
) -> Policy: ...
def level_policy(rules: Rules, points: _Points, name: str, progress: _Callback) -> Policy: ...
def uniform_policy(points: _Points, rules: Rules) -> Policy: ...
def solve(
    rules: Rules,
    points: _Points,
    method: str,
    threads: int | None,
    exact_bits: int | None,
    symmetry: bool,
    keep_strategies: bool,
    memory_limit: int | None,
    checkpoint: tuple[str, float] | None,
    resume: str | None,
    progress: _Callback,
) -> Solution: ...
def load_table(path: str, in_memory: bool, exact_bits: int | None, progress: _Callback) -> Solution: ...
@final
class Solution:
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> _Points: ...
    @property
    def method(self) -> Method: ...
    @property
    def seconds(self) -> tuple[float, float, float]: ...
    @property
    def exact_bits(self) -> int | None: ...
    @property
    def exact_states(self) -> int: ...
    @property
    def is_proved(self) -> bool: ...
    @property
    def randomised_states(self) -> int: ...
    @property
    def widest(self) -> float: ...
    def __len__(self) -> int: ...
    def value(self, state: StateLike) -> float: ...
    def enclosure(self, state: StateLike) -> Enclosure: ...
    def decimal(self, state: StateLike) -> tuple[str, str | None, str]: ...
    def table(self, which: Literal["value", "lower", "upper"]) -> NDArray[np.float64]: ...
    def strategies(self, state: StateLike) -> _Strategies: ...
    def dyadic_strategies(self, state: StateLike) -> list[dict[int, Fraction]]: ...
    def stage_game(self, state: StateLike) -> NDArray[np.float64]: ...
    def exact_value(self, state: StateLike) -> Fraction | None: ...
    def is_irrational(self, state: StateLike) -> bool: ...
    def exact(self, state: StateLike) -> tuple[Fraction, dict[int, Fraction], dict[int, Fraction]] | None: ...
    def digits(self, state: StateLike, digits: int, progress: _Callback) -> tuple[str, str | None, str]: ...
    def uniqueness(self, state: StateLike) -> tuple[Uniqueness, Uniqueness]: ...
    def policy(self, refined: bool, progress: _Callback) -> Policy: ...
    def save(self, path: str) -> None: ...
    def table_bytes(self) -> bytes: ...
    def certificate(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class Proof:
    def __new__(cls, certificate: bytes) -> Proof: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> _Points: ...
    @property
    def widest(self) -> float: ...
    def __len__(self) -> int: ...
    def enclosure(self, state: StateLike) -> Enclosure: ...
    def table(self, which: Literal["lower", "upper"]) -> NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

def exploitability(rules: Rules, policy: Policy, progress: _Callback) -> tuple[Enclosure, Enclosure, Enclosure]: ...
@final
class BestResponse:
    def __new__(cls, rules: Rules, policy: Policy, responder: Player, progress: _Callback) -> BestResponse: ...
    def value(self, state: StateLike) -> Enclosure: ...
    def bid(self, state: StateLike) -> int: ...
    def policy(self) -> Policy: ...
    def values(self) -> NDArray[np.float64]: ...

@final
class Judgement:
    def __new__(cls, solution: Solution, policy: Policy, progress: _Callback) -> Judgement: ...
    @property
    def exploitability(self) -> Enclosure | None: ...
    def best_response_value(self, responder: Player) -> Enclosure | None: ...
    def value_against_optimum(self, player: Player) -> Enclosure | None: ...
    def worst(self, count: int) -> list[tuple[State, Player, list[float]]]: ...
    def table(
        self, player: Player, which: Literal["regret", "conceded", "reached", "contribution"]
    ) -> NDArray[np.float64]: ...

def meeting(rules: Rules, start: StateLike, a: Policy, b: Policy) -> dict[str, Any]: ...
def duel(
    rules: Rules, start: StateLike, a: Policy, b: Policy, games: int, seed: int, progress: _Callback
) -> tuple[dict[str, Any], dict[str, Any]]: ...
def solve_doubles(payoffs: NDArray[np.float64]) -> tuple[Enclosure, NDArray[np.float64], NDArray[np.float64]]: ...
@final
class ExactMatrixGame:
    def __new__(cls, rows: list[list[Fraction]]) -> ExactMatrixGame: ...
    @property
    def value(self) -> Fraction: ...
    @property
    def row_strategy(self) -> list[Fraction]: ...
    @property
    def column_strategy(self) -> list[Fraction]: ...
    def uniqueness(self) -> tuple[Uniqueness, Uniqueness]: ...

@final
class Games:
    def __new__(
        cls, count: int, rules: Rules, points: tuple[int, int], start: StateLike | None, horizon: int | None
    ) -> Games: ...
    def __len__(self) -> int: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> tuple[int, int]: ...
    @property
    def start(self) -> tuple[int, int, int]: ...
    def reset(self, states: NDArray[np.int64] | None, written: NDArray[np.int64] | None) -> None: ...
    def restart(self, which: NDArray[np.bool_] | None) -> int: ...
    def step(self, bids_a: NDArray[np.int64], bids_b: NDArray[np.int64]) -> int: ...
    def observe(self, player: str, out: NDArray[np.int32]) -> None: ...
    def draw(self, policy: Policy, player: str, bits: NDArray[np.uint64], out: NDArray[np.int64]) -> None: ...
    def mask(self, player: str, out: NDArray[np.bool_]) -> None: ...
    def turns(self, out: NDArray[np.int64]) -> None: ...
    @property
    def horizon(self) -> int | None: ...
    def over(self, out: NDArray[np.bool_]) -> None: ...
    def payoffs(self, out: NDArray[np.float64]) -> None: ...

def draw_bid(policy: Policy, state: StateLike, player: str, bits: int) -> int: ...
def learners() -> list[tuple[str, str, str, list[str]]]: ...
@final
class Training:
    def __new__(
        cls,
        learner: str,
        rules: Rules,
        points: int,
        seed: int,
        reward: str,
        loss: int,
        rare: int,
        every: int,
        middle: float,
        close: bool,
        forget: int,
        schedule: str,
        explore: float,
    ) -> Training: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Training: ...
    def to_bytes(self) -> bytes: ...
    def play(self, games: int) -> None: ...
    def policy(self) -> Policy: ...
    @property
    def learner(self) -> str: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def games(self) -> int: ...
    @property
    def entries_read(self) -> int | None: ...

@final
class LearningCurve:
    def __new__(cls, solution: Solution) -> LearningCurve: ...
    @staticmethod
    def ladder(games: int) -> list[int]: ...
    def __len__(self) -> int: ...
    def train(self, training: Training, games: int, progress: Callable[[float], object] | None) -> None: ...
    def note(self, policy: Policy, games: int) -> None: ...
    def restore(self, points: list[CurvePoint]) -> None: ...
    def columns(self) -> CurveColumns: ...

@final
class BlindPolicy:
    @staticmethod
    def uniform(rules: Rules, start: StateLike) -> BlindPolicy: ...
    @staticmethod
    def from_rows(rules: Rules, start: StateLike, rows: list[_BlindRow]) -> BlindPolicy: ...
    @staticmethod
    def guessing(blind: BlindSolution, open: Solution, guess: str) -> BlindPolicy: ...
    def __eq__(self, other: object, /) -> bool: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def start(self) -> State: ...
    def rows(self) -> list[_BlindRow]: ...
    def enclosure(self) -> Enclosure: ...
    def bids(self, player: str, bids: list[int], balls: list[int]) -> list[tuple[int, float]]: ...
    def draw(self, player: str, bids: list[int], balls: list[int], bits: int) -> int: ...

@final
class BlindBestResponse:
    def __new__(cls, policy: BlindPolicy, player: str) -> BlindBestResponse: ...
    def value(self) -> float: ...
    def losses(self, bids: list[int], balls: list[int]) -> list[tuple[int, float]] | None: ...

@final
class BlindSolution:
    @property
    def rules(self) -> Rules: ...
    @property
    def start(self) -> State: ...
    @property
    def enclosure(self) -> Enclosure: ...
    @property
    def method(self) -> str: ...
    @property
    def iterations(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    def opening(self, player: str) -> list[tuple[int, float]]: ...
    def strategy(self, player: str, bids: list[int], balls: list[int]) -> list[tuple[int, float]]: ...
    def policy(self) -> BlindPolicy: ...

def solve_blind(
    rules: Rules,
    start: StateLike,
    method: str,
    gap: float,
    time_limit: float | None,
    threads: int | None,
    memory_limit: int | None,
    progress: _Callback,
) -> BlindSolution: ...
def blind_size(rules: Rules, start: StateLike) -> tuple[int, int, int, int]: ...
@final
class Series:
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> _Points: ...
    @property
    def to(self) -> int: ...
    def scores(self) -> list[tuple[int, int, bool]]: ...
    def chance(self, a: int, b: int, exchanged: bool) -> Enclosure: ...
    def opening(self, a: int, b: int, exchanged: bool) -> _Strategies: ...
    def policy(self, a: int, b: int, exchanged: bool) -> Policy: ...
    def judge(self, policies: list[Policy], progress: _Callback) -> tuple[Enclosure, Enclosure, Enclosure]: ...

def solve_series(
    rules: Rules, points: _Points, to: int, threads: int | None, memory_limit: int | None, progress: _Callback
) -> Series: ...
@final
class ForcedPlay:
    def __new__(cls, rules: Rules, points: _Points) -> ForcedPlay: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def points(self) -> _Points: ...
    def bounds(self, state: StateLike) -> tuple[Fraction, Fraction]: ...
    def forcing_bids(self, player: str, state: StateLike) -> list[int]: ...
    def attains(self, player: str, solution: Solution, state: StateLike) -> bool | None: ...
    def table(self, which: int) -> NDArray[np.float64]: ...
    def endgame(self, ball: int) -> dict[str, Any]: ...

def draw_solution(solution: Solution, which: str) -> str: ...
def draw_strategy(solution: Solution, player: str, ball: int, against: int | None) -> str: ...
def draw_forced(forced: ForcedPlay) -> str: ...
def draw_regret(solution: Solution, judgement: Judgement, player: str, name: str) -> str: ...
def draw_strategies(title: str, a: list[tuple[str, float]], b: list[tuple[str, float]]) -> str: ...

@final
class StochasticGame:
    def bytes(self) -> builtins.bytes: ...

@final
class StochasticCheckpoint:
    def __new__(cls, path: str) -> StochasticCheckpoint: ...

@final
class StochasticSolution:
    @property
    def kind(self) -> str: ...
    def names(self) -> list[str]: ...
    def starts(self) -> list[int]: ...
    def arrays(self) -> list[NDArray[np.float64]]: ...
    def value(self, state: int) -> Enclosure: ...
    def actions(self, state: int) -> tuple[list[str], list[str]] | None: ...
    def strategies(self, state: int) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]: ...
    def policy(self, player: str) -> NDArray[np.float64]: ...
    def exact(self, bits: int, progress: _Callback) -> list[Fraction | None]: ...
    def turn(self, state: int, a: int, b: int) -> tuple[Fraction, list[tuple[Fraction, int]]]: ...
    def payoff(self, state: int) -> Fraction | None: ...
    def sizes(self) -> NDArray[np.int64]: ...
    def judge(
        self, player: str, probabilities: list[list[tuple[int, Fraction]]], progress: _Callback
    ) -> PolicyJudgement: ...
    def judge_array(
        self, player: str, table: NDArray[np.float64], weights: bool, progress: _Callback
    ) -> PolicyJudgement: ...
    def certificate(self) -> bytes: ...
    def bytes(self) -> tuple[builtins.bytes, builtins.bytes]: ...
    def checkpoint(self) -> builtins.bytes: ...
    def save(self, path: str) -> None: ...

@final
class PlayedGames:
    def __new__(cls, solution: StochasticSolution, count: int) -> PlayedGames: ...
    def __len__(self) -> int: ...
    def states(self) -> NDArray[np.int64]: ...
    def put(self, plays: NDArray[np.int64], states: NDArray[np.int64]) -> None: ...
    def step(
        self, a: NDArray[np.int64], b: NDArray[np.int64], bits: NDArray[np.uint64], nearest: bool
    ) -> NDArray[np.float64]: ...
    def over(self) -> NDArray[np.bool_]: ...
    def mask(self, player: str, width: int) -> NDArray[np.bool_]: ...

@final
class PolicyJudgement:
    @property
    def rounded(self) -> bool: ...
    def worth(self, state: int) -> Enclosure: ...
    def loss(self, state: int) -> Enclosure: ...
    def regret(self, state: int) -> float: ...
    def arrays(self) -> list[NDArray[np.float64]]: ...
    def worst(self) -> NDArray[np.int64]: ...

@final
class RulesTable:
    def certificate(self, progress: _Callback) -> bytes: ...
    def verify(self, certificate: bytes) -> list[Enclosure]: ...

@final
class Explorer:
    @property
    def states(self) -> list[Any]: ...
    @property
    def actions(self) -> list[tuple[list[Any], list[Any]] | None]: ...
    @property
    def places(self) -> tuple[dict[Any, int], dict[Any, int]]: ...
    @property
    def normalised(self) -> int: ...
    def __new__(
        cls,
        game: Any,
        most_states: int,
        is_table: bool,
        is_acyclic: bool,
        discount: Fraction | None = None,
        exact: bool = False,
    ) -> Explorer: ...
    def canonical(self, state: Any) -> tuple[Any, bool]: ...
    def enter(self, state: Any) -> tuple[int, bool]: ...
    def told(self, state: Any, a: Any, b: Any) -> tuple[Fraction, list[tuple[Fraction, Any]]]: ...
    def game(
        self,
        kind: str,
        discount: Fraction | None,
        starts: list[int],
        memory_limit: int,
        tell: Callable[[int, int], object] | None,
    ) -> StochasticGame: ...
    def table(
        self, kind: str, discount: Fraction, starts: list[tuple[int, bool]], tell: Callable[[int, int], object] | None
    ) -> RulesTable: ...

@final
class PlaySession:
    def __new__(
        cls, rules: Any, drawn: Random, discount: float, turns: int, turn: type[Any], exhausted: type[Exception]
    ) -> PlaySession: ...
    def spent(self) -> int: ...
    def reset(self) -> Any: ...
    def step(self, a: SupportsIndex, b: SupportsIndex) -> Any: ...

@final
class RowNumbers:
    def __new__(cls, columns: int) -> RowNumbers: ...
    def __len__(self) -> int: ...
    def number(self, rows: NDArray[np.int64]) -> NDArray[np.int64]: ...
    def find(self, row: Sequence[int]) -> int | None: ...
    def rows(self, first: int) -> NDArray[np.int64]: ...

_Numbers: TypeAlias = NDArray[np.int64] | NDArray[np.float64] | tuple[NDArray[np.int64], NDArray[np.int64]]

def game_from_arrays(
    kind: str,
    discount: Fraction | None,
    starts: list[int],
    sizes: NDArray[np.int64],
    values: _Numbers,
    ranges: NDArray[np.int64],
    successors: NDArray[np.int64],
    weights: NDArray[np.int64] | NDArray[np.float64],
    rewards: _Numbers | None,
    memory_limit: int,
    exact: bool,
) -> tuple[StochasticGame, int]: ...
def shares(
    numbers: Sequence[Fraction], floats: bool, whole: bool, exact: bool, what: str
) -> tuple[list[Fraction], bool]: ...
def optimal_strategies(
    rows: Sequence[Sequence[Fraction]], most: int
) -> tuple[list[list[Fraction]], list[list[Fraction]]]: ...
def undominated(
    rows: Sequence[Sequence[Fraction]], dominance: str
) -> tuple[list[int], list[int], list[tuple[int, bool, int, list[tuple[int, Fraction]]]]]: ...
def read_game(file: Any, memory_limit: int) -> StochasticGame: ...
def read_prism_game(
    transitions: str,
    property: str,
    others: tuple[str | None, str | None, list[str]],
    probabilities: str,
    memory_limit: int,
) -> tuple[StochasticGame, list[str]]: ...
def check_checkpoint(path: str, resume: str | None) -> None: ...
def solution_from_bytes(game: bytes, solution: bytes) -> StochasticSolution: ...
def solution_of(game: StochasticGame, solution: bytes) -> StochasticSolution: ...
def verify_stochastic_game(
    certificate: bytes, expected: StochasticGame | None
) -> tuple[list[str], list[int], list[Enclosure]]: ...
def solve_stochastic_game(
    game: StochasticGame,
    keep: bool,
    threads: int | None,
    checkpoint: tuple[str, float] | None,
    resume: StochasticCheckpoint | None,
    progress: _Callback,
) -> StochasticSolution: ...
