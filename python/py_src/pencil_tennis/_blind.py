"""Blind Tennis: bids stay hidden, and only the ball is announced."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._game import Points, as_points, as_rules, seconds
from pencil_tennis._games import Player
from pencil_tennis._native import PolicyError, Rules
from pencil_tennis._policy import Distribution
from pencil_tennis._progress import Progress, listening
from pencil_tennis._solution import Solution
from pencil_tennis._state import State


class InformationSet(NamedTuple):
    """The knowledge of a player of blind Tennis: the own bids, and the balls seen."""

    player: Player
    """The player."""
    bids: tuple[int, ...]
    """The player's earlier bids."""
    balls: tuple[int, ...]
    """The balls seen, the one at the start first: one more than bids."""
    points: int
    """The points that the player has left."""


BlindPolicyLike: TypeAlias = (
    "BlindPolicy | Mapping[InformationSet, Distribution] | Callable[[InformationSet], Distribution] | Literal['uniform']"
)
"""A policy of blind Tennis in any accepted form; see `as_blind_policy`."""


class BlindPolicy:
    """How both players bid in blind Tennis, at every information set. Made by `as_blind_policy` and `BlindSolution.policy`.

    Objects are immutable, can be compared and pickled.
    """

    __slots__ = ("_enclosure", "_native")

    def __init__(self, native: _native.BlindPolicy) -> None:
        self._native = native
        self._enclosure: Enclosure | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._native.rules

    @property
    def start(self) -> State:
        """The state that the game starts from."""
        return self._native.start

    @property
    def secured(self) -> Enclosure:
        """The security levels: of A's half as the lower bound, of B's half as the upper one.

        Both are best responses over the whole game, in integers, so that the value of the game lies between them.
        """
        if self._enclosure is None:
            self._enclosure = self._native.enclosure()
        return self._enclosure

    @property
    def exploitability(self) -> float:
        """The gain of a best response, on average over the two players: half the width of `secured`, rounded to nearest."""
        return float(self.secured.width / 2)

    def strategy(self, player: Player, bids: Sequence[int] = (), balls: Sequence[int] | None = None) -> dict[int, float]:
        """The bids of a player with positive probability, after the player's bids and the balls seen (the first at the start).

        Raises
        ------
        Error
            Where the balls cannot follow from the bids, or the game is over.
        """
        seen = [self.start.ball] if balls is None else list(balls)
        return {bid: probability for bid, probability in self._native.bids(player, list(bids), seen) if probability > 0.0}

    def information_sets(self) -> list[InformationSet]:
        """All information sets, A's first."""
        return list(self.strategies())

    def strategies(self) -> dict[InformationSet, dict[int, float]]:
        """The probabilities of all legal bids at every information set, A's first."""
        found: dict[InformationSet, dict[int, float]] = {}
        for player, bids, balls, bid, probability in self._native.rows():
            points = self.start["AB".index(player)] - sum(bids)
            found.setdefault(InformationSet(player, tuple(bids), tuple(balls), points), {})[bid] = probability
        return found

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, BlindPolicy) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, tuple[Rules, State, list[_native._BlindRow]]]:
        return _blind_policy_again, (self.rules, self.start, self._native.rows())

    def __repr__(self) -> str:
        return f"<BlindPolicy from {self.start} on, {self.rules!r}>"


def _blind_policy_again(rules: Rules, start: State, rows: list[_native._BlindRow]) -> BlindPolicy:
    return BlindPolicy(_native.BlindPolicy.from_rows(rules, start, rows))


def as_blind_policy(policy: BlindPolicyLike, points: Points | None = None, rules: Rules | None = None) -> BlindPolicy:
    """Checks a policy of blind Tennis and packs it.

    Parameters
    ----------
    policy
        A function that is called with every `InformationSet` of either player and returns a distribution over the bids, as for
        `as_policy`; a mapping from information sets to distributions; ``"uniform"``; or a `BlindPolicy`.
    points
        The points both players start with, or those of A and those of B.
    rules
        The rules; Tennis unless given.

    Raises
    ------
    PolicyError
        For an invalid distribution, for missing information sets, and for a `BlindPolicy` of another game.
    Error
        For a game that is too large to keep: there are some three times as many information sets with every point.

    Examples
    --------
    >>> import pencil_tennis
    >>> timid = pencil_tennis.as_blind_policy(lambda known: {1: 1.0} if known.points else {0: 1.0}, points=6)
    >>> timid.exploitability
    2.0
    """
    given, rules = rules, as_rules(rules)
    if isinstance(policy, BlindPolicy):
        if points is not None and policy.start != State(*as_points(points), 0):
            raise PolicyError(f"the policy is for {policy.start}, the game starts at {State(*as_points(points), 0)}")
        if given is not None and policy.rules != given:
            raise PolicyError(f"the policy is for {policy.rules}, the game has {given}")
        return policy
    if points is None:
        raise PolicyError("how many points the policy is for is not known; say it, for example points=6")
    start = State(*as_points(points), 0)
    uniform = BlindPolicy(_native.BlindPolicy.uniform(rules, start))
    if isinstance(policy, str):
        if policy != "uniform":
            raise PolicyError(f"`{policy}` is not a policy of blind Tennis; expected uniform, a mapping or a function")
        return uniform
    if not (callable(policy) or isinstance(policy, Mapping)):
        raise TypeError(f"{policy!r:.80} is no policy of blind Tennis; expected uniform, a mapping or a function")
    rows: list[_native._BlindRow] = []
    for known, legal in uniform.strategies().items():
        player, bids, balls, _ = known
        for bid, probability in _asked(policy, known, legal):
            rows.append((player, list(bids), list(balls), bid, probability))
    return BlindPolicy(_native.BlindPolicy.from_rows(rules, start, rows))


def _asked(policy: Any, known: InformationSet, legal: Mapping[int, float]) -> list[tuple[int, float]]:
    """The probabilities of the legal bids at an information set."""
    place = f"{known.player}'s policy after the bids {list(known.bids)} and the balls {list(known.balls)}"
    if isinstance(policy, Mapping):
        if known not in policy:
            raise PolicyError(f"{place}: nothing is said")
        said = policy[known]
    else:
        said = policy(known)
    try:
        given = {int(bid): float(number) for bid, number in (said.items() if isinstance(said, Mapping) else enumerate(said))}
    except (TypeError, ValueError) as error:
        raise PolicyError(f"{place}: {said!r:.80} is no distribution over bids: {error}") from None
    for bid, number in given.items():
        if bid not in legal and number != 0.0:
            raise PolicyError(f"{place}: bid {bid} is not legal with {known.points} points")
    return [(bid, given.get(bid, 0.0)) for bid in legal]


class BlindSolution:
    """Blind Tennis, solved: a value with proved bounds, and strategies that secure them. Made by `solve_blind`."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.BlindSolution) -> None:
        self._native = native

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._native.rules

    @property
    def start(self) -> State:
        """The state that the game starts from."""
        return self._native.start

    @property
    def value(self) -> Enclosure:
        """The value to A, between what A's strategy secures and B's concedes, proved in integers."""
        return self._native.enclosure

    @property
    def method(self) -> str:
        """The method that solved it."""
        return self._native.method

    @property
    def iterations(self) -> int:
        """The iterations of regret minimisation; 0 for linear programmes."""
        return self._native.iterations

    @property
    def seconds(self) -> float:
        """The time that it took."""
        return self._native.seconds

    def opening(self, player: Player) -> dict[int, float]:
        """How a player bids at the start: bids with positive probability."""
        return dict(self._native.opening(player))

    def strategy(self, player: Player, bids: Sequence[int], balls: Sequence[int]) -> dict[int, float]:
        """How a player bids after the own bids and the balls seen, the one at the start first.

        Raises
        ------
        Error
            Where the balls cannot follow from the bids, or the game is over.
        """
        return dict(self._native.strategy(player, list(bids), list(balls)))

    def policy(self) -> BlindPolicy:
        """Both strategies, for every information set."""
        return BlindPolicy(self._native.policy())

    def guessing(self, solution: Solution, guess: Literal["fewest", "middle", "most"] = "most") -> BlindPolicy:
        """The policy that bids as in the open game, guessing the opponent's points: the fewest possible, the middle or the most.

        Raises
        ------
        Error
            Where ``solution`` is of other rules, or does not cover the start.
        """
        return BlindPolicy(_native.BlindPolicy.guessing(self._native, solution._native, guess))

    def __reduce__(self) -> tuple[object, tuple[tuple[int, int], Rules, str, float]]:
        # Solving again until the bounds are as close gives an equal solution.
        (a, b, _), payoffs = self.start, self.rules.scoring
        width = float(self.value.width / ((max(payoffs) - min(payoffs)) or 1))
        return _solved_again, ((a, b), self.rules, self.method, math.nextafter(width, math.inf))

    def __repr__(self) -> str:
        return f"<BlindSolution from {self.start} on: A wins {self.value!r}>"


def _solved_again(points: tuple[int, int], rules: Rules, method: str, gap: float) -> BlindSolution:
    return solve_blind(points, rules, method=method, gap=gap)


def solve_blind(
    points: Points = 6,
    rules: Rules | None = None,
    *,
    method: str | None = None,
    gap: float = 2.5e-7,
    time_limit: float | None = None,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Progress = None,
) -> BlindSolution:
    """Solves blind Tennis, in which a player sees the own bids and the ball, but not the opponent's points.

    Time and memory grow about fourfold with every point: 8 points each take a moment, 12 some minutes.

    Parameters
    ----------
    points, rules
        The game, as for `solve`; a game starts with the ball on the net.
    method
        ``"cfr"`` for regret minimisation, ``"ipm"`` for an interior-point method, or ``"lp"`` for linear programmes; unless given,
        the first, and the second once that is likely to be faster.
    gap
        The width of the bounds at which the search ends, as a share of the span of payoffs: a millionth of a payoff
        unless given, in Tennis, whose payoffs span 4.
    time_limit
        The seconds after which it ends with the bounds that it has reached.
    threads
        The number of threads; by default all of the machine. It does not affect the result.
    memory_limit
        The bytes that it may take; 8 GiB unless given.
    progress
        A function of the share that is done, or True for a bar.

    Raises
    ------
    Error
        For rules, points, a method or a gap that are not possible, and for a game that takes too much memory.

    Examples
    --------
    >>> import pencil_tennis
    >>> blind = pencil_tennis.solve_blind((9, 7))
    >>> round(blind.value, 6), float(blind.value.width) <= 1e-6
    (1.125, True)
    >>> blind.policy().exploitability <= 1e-6
    True
    """
    start = State(*as_points(points), 0)
    limit = None if time_limit is None else seconds(time_limit, "time_limit")
    with listening(progress, "blind Tennis") as callback:
        native = _native.solve_blind(as_rules(rules), start, method, float(gap), limit, threads, memory_limit, callback)
    return BlindSolution(native)
