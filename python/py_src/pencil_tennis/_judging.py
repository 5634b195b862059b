"""How well policies bid, judged exactly: best responses, regrets, meetings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure, distance
from pencil_tennis._game import Points, as_rules, whole
from pencil_tennis._games import Player
from pencil_tennis._html import rows_of
from pencil_tennis._judged import ByState, JointJudgement, Ranked, StateRegret
from pencil_tennis._judged import Judgement as PlayerJudgement
from pencil_tennis._native import Policy, PolicyError, Rules
from pencil_tennis._policy import PolicyLike, as_policy
from pencil_tennis._progress import Progress, listening
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis._judged import Columns
    from pencil_tennis._solution import Solution

Outcome: TypeAlias = Literal[
    "A hits the ball out", "the ball lies on B's side", "draw", "the ball lies on A's side", "B hits the ball out"
]
"""The five ends of a game."""


@dataclass(frozen=True)
class StateLoss(StateRegret[State]):
    """The share of one state in the loss of one player's policy of Tennis."""

    value: float
    """The value of the state to A."""
    conceded: float
    """A's expected payoff from here on against a best response to the policy."""
    reached: float
    """The probability that the state is reached when the best response meets the policy."""
    contribution: float
    """The state's contribution to the loss of the policy; all contributions sum to the loss."""


def exploitability(
    policy: PolicyLike, points: Points | None = None, rules: Rules | None = None, *, progress: Progress = None
) -> Enclosure:
    """The exploitability of a policy of both players: the gain of a best response, on average over the two.

    It is 0 if and only if the policy is optimal; ``nash_conv`` of OpenSpiel is twice as much. No solution is needed.

    Parameters
    ----------
    policy, points, rules
        The policy and the game, as for `as_policy`. A policy that knows its rules needs none besides.
    progress
        A function of the share that is done, or True for a bar.

    Returns
    -------
    Enclosure
        A float with proved bounds.

    Raises
    ------
    PolicyError
        As for `as_policy`, and for a policy of one player.

    Examples
    --------
    >>> import pencil_tennis
    >>> round(float(pencil_tennis.exploitability("uniform", 8)), 6)
    1.94442
    >>> timid = lambda state: {1: 1.0}
    >>> float(pencil_tennis.exploitability(timid, 8))
    2.0
    """
    checked = as_policy(policy, points, rules)
    rules = as_rules(checked.rules if rules is None else rules)
    with listening(progress, "exploitability") as callback:
        return _native.exploitability(rules, checked, callback)[0]


class BestResponse:
    """The best response to a policy: its value and its bids. Made by `best_response`."""

    __slots__ = ("_native", "_rules", "_to", "policy", "responder")

    policy: Policy
    """The best response as a policy of the responder, with certain bids."""
    responder: Player
    """The responding player."""

    def __init__(self, native: _native.BestResponse, responder: Player, to: Policy, rules: Rules) -> None:
        self._native = native
        self._to = to
        self._rules = rules
        self.policy = native.policy()
        self.responder = responder

    def __reduce__(self) -> tuple[object, tuple[Policy, Player, Rules]]:
        return _respond_again, (self._to, self.responder, self._rules)

    @property
    def value(self) -> Enclosure:
        """A's expected payoff from the start on, with proved bounds."""
        return self[State(*self.policy.points, 0)]

    def __getitem__(self, state: StateLike) -> Enclosure:
        """A's expected payoff from ``state`` on, with proved bounds."""
        return self._native.value(state)

    def bid(self, state: StateLike) -> int:
        """The best bid at ``state``, the lowest if several are equally good; 0 where the game is over."""
        return self._native.bid(state)

    def array(self) -> NDArray[np.float64]:
        """A's expected payoff from every state on, a new array ``[a, b, ball + field]``."""
        return self._native.values()

    def __repr__(self) -> str:
        a, b = self.policy.points
        return f"<BestResponse of {self.responder}: A wins {float(self.value)!r} on average from {a}:{b}@0 on>"


def best_response(
    policy: PolicyLike,
    responder: Player = "A",
    points: Points | None = None,
    rules: Rules | None = None,
    *,
    progress: Progress = None,
) -> BestResponse:
    """The best response of ``responder`` to the opponent's part of ``policy``.

    Parameters
    ----------
    policy, points, rules
        The policy and the game, as for `as_policy`. Of a policy of both players the part of the responder's opponent counts.
    responder
        The responding player.
    progress
        A function of the share that is done, or True for a bar.

    Raises
    ------
    PolicyError
        As for `as_policy`, and for a policy that does not say how the opponent bids.

    Examples
    --------
    >>> import pencil_tennis
    >>> response = pencil_tennis.best_response("uniform", "A", points=10)
    >>> response["10:10@0"]
    1.9570670745149912 (proved to within 9.6e-18)
    >>> response.bid("10:10@0")
    1
    """
    checked = as_policy(policy, points, rules)
    rules = as_rules(checked.rules if rules is None else rules)
    with listening(progress, "best response") as callback:
        return BestResponse(_native.BestResponse(rules, checked, responder, callback), responder, checked, rules)


def _respond_again(policy: Policy, responder: Player, rules: Rules) -> BestResponse:
    return best_response(policy, responder, rules=rules)


class Judgement(JointJudgement[State]):
    """A policy of Tennis judged by its best responses and by the optimum. Made by `Solution.judge`.

    A pickle holds the policy and the solution, and judges once more when it is read; so does that of a `BestResponse`.
    """

    __slots__ = ("_native", "_parts", "_solution", "policy")

    policy: Policy
    """The policy that was judged."""

    def __init__(self, native: _native.Judgement, policy: Policy, solution: Solution) -> None:
        self._native = native
        self._solution = solution
        self._parts: dict[Player, PlayerJudgement[State]] = {}
        self.policy = policy

    @classmethod
    def of(cls, policy: Policy, solution: Solution, progress: Progress = None) -> Judgement:
        """Judges a policy that has been checked."""
        with listening(progress, "judge") as callback:
            return cls(_native.Judgement(solution._native, policy, callback), policy, solution)

    def __reduce__(self) -> tuple[object, tuple[Policy, Solution]]:
        return Judgement.of, (self.policy, self._solution)

    @property
    def exploitability(self) -> Enclosure:
        """The gain of a best response, on average over the two players.

        Raises
        ------
        PolicyError
            For a policy of one player.
        """
        found = self._native.exploitability
        if found is None:
            raise PolicyError("the policy does not say how both players bid; see best_response_value")
        return found

    @property
    def nash_conv(self) -> Enclosure:
        """The total gain of both best responses, twice `exploitability`."""
        return self.exploitability.times(2)

    @property
    def a(self) -> PlayerJudgement[State]:
        """That of A's part of `policy` alone: worths, losses and regrets by state, as in any game."""
        return self._part("A", "B")

    @property
    def b(self) -> PlayerJudgement[State]:
        """That of B's part of `policy`."""
        return self._part("B", "A")

    def _part(self, player: Player, responder: Player) -> PlayerJudgement[State]:
        if player not in self._parts:
            self._parts[player] = self._judged(player, responder)
        return self._parts[player]

    def _judged(self, player: Player, responder: Player) -> PlayerJudgement[State]:
        solution = self._solution
        response = _native.BestResponse(solution.rules, self.policy, responder, None)
        # Not a number where play is over.
        table = np.nan_to_num(self.regret(player), nan=0.0)

        def loss(state: State) -> Enclosure:
            payoff, value = response.value(state), solution[state]
            return distance(payoff, value) if player == "A" else distance(value, payoff)

        def regret(state: State) -> float:
            return float(table[state.a, state.b, state.ball + solution.rules.field])

        def arrays() -> Columns:
            payoffs, values = response.values(), solution.arrays().values
            lost = values - payoffs if player == "A" else payoffs - values
            return payoffs.ravel(), np.maximum(lost, 0.0).ravel(), table.ravel()

        # What is judged are the multiples of 2^-62 that `policy` has.
        return PlayerJudgement(
            player,
            ByState(solution, State.parse, response.value),
            ByState(solution, State.parse, loss),
            ByState(solution, State.parse, regret),
            response.value(solution.start),
            rounded=False,
            ranked=Ranked(solution._states, lambda: np.argsort(-table, axis=None, kind="stable")),
            arrays=arrays,
        )

    def best_response_value(self, responder: Player) -> Enclosure | None:
        """A's payoff from the start when ``responder`` responds best; None if the policy lacks the opponent's bids."""
        return self._native.best_response_value(responder)

    def value_against_optimum(self, player: Player) -> Enclosure | None:
        """A's payoff from the start when the policy plays ``player`` against the solver's optimal strategies."""
        return self._native.value_against_optimum(player)

    def costliest(self, count: int = 10) -> list[StateLoss]:
        """The states where the policy loses most, largest contribution first; none that loses nothing.

        Unlike in `worst`, it counts how likely the best response reaches a state.
        """
        found = self._native.worst(whole(count, "count"))
        return [
            StateLoss(state, player, regret, value, conceded, reached, contribution)
            for state, player, (value, conceded, regret, reached, contribution) in found
        ]

    def regret(self, player: Player = "A") -> NDArray[np.float64]:
        """The regret of ``player`` at every state: the loss if both bid optimally afterwards.

        A new array ``[a, b, ball + field]``, never below 0; NaN where the game is over, and everywhere for a player whom the
        policy lacks.
        """
        return self._native.table(player, "regret")

    def contribution(self, player: Player = "A") -> NDArray[np.float64]:
        """The share of every state in the policy's loss as ``player``: an array like `regret`."""
        return self._native.table(player, "contribution")

    def reached(self, player: Player = "A") -> NDArray[np.float64]:
        """How likely every state is reached when the policy plays ``player`` against its best response: like `regret`."""
        return self._native.table(player, "reached")

    def conceded(self, player: Player = "A") -> NDArray[np.float64]:
        """A's expected payoff from every state on when the policy plays ``player`` against its best response: like `regret`."""
        return self._native.table(player, "conceded")

    def _repr_html_(self) -> str:
        found = self._native.exploitability
        known = [] if found is None else [("exploitability", repr(found)), ("NashConv", repr(self.nash_conv))]
        worst = [(f"regret of {entry.player} at {entry.state}", f"{entry.regret:.6g}") for entry in self.costliest(5)]
        return rows_of("a judged policy", [*known, *worst])

    def __repr__(self) -> str:
        found = self._native.exploitability
        worst = "".join(f", loses most at {entry.state} as {entry.player}" for entry in self.costliest(1))
        return f"<Judgement of {self.policy!r}: exploitability {'unknown' if found is None else float(found)!r}{worst}>"


@dataclass(frozen=True, eq=False)
class Meeting:
    """The expected course of games between two policies; computed, not sampled."""

    start: State
    """The state from which they start."""
    value: Enclosure
    """A's mean payoff, with proved bounds."""
    outcomes: dict[Outcome, float]
    """The probability of every end."""
    turns: NDArray[np.float64]
    """The probability of every number of turns that change something, from 0 on."""
    points_left_a: NDArray[np.float64]
    """The probability of every number of points that A has left at the end, from 0 on."""
    points_left_b: NDArray[np.float64]
    """As above for B."""
    endless: float
    """The probability that both bid 0 for ever in the end, which counts as an end where the ball lies."""
    standstills: float
    """The number of turns on average in which both bid 0 and something else later."""

    @property
    def mean_turns(self) -> float:
        """The number of turns that change something, on average."""
        return float(self.turns @ np.arange(len(self.turns)))


@dataclass(frozen=True, eq=False)
class Duel:
    """Sampled games between two policies, with the expectation."""

    games: int
    """The games played."""
    counts: dict[Outcome, int]
    """How many of them ended like this."""
    intervals: dict[Outcome, tuple[float, float]]
    """The interval of the probability of every end, with 95 % confidence, for all that the games say (Wilson)."""
    mean: float
    """A's mean payoff."""
    standard_error: float
    """The standard error of the mean; infinite for fewer than two games."""
    mean_turns: float
    """The number of turns that a game had on average, without those in which both bid 0."""
    endless: int
    """The games in which both bid 0 for ever in the end, which count as ending where the ball lies."""
    meeting: Meeting
    """The expected results, computed exactly."""


def meeting(
    a: PolicyLike,
    b: PolicyLike,
    points: Points | None = None,
    rules: Rules | None = None,
    *,
    start: StateLike | None = None,
) -> Meeting:
    """Computes the expected course of games in which A bids as in ``a`` and B as in ``b``.

    Parameters
    ----------
    a, b, points, rules
        The policies and the game, as for `as_policy`. A policy given for A alone plays B from the other side.
    start
        The state from which they start; all points and the ball on the net unless given.

    Raises
    ------
    PolicyError
        As for `as_policy`, and for policies of different games.

    Examples
    --------
    >>> import pencil_tennis
    >>> optimal = pencil_tennis.solve(8).policy()
    >>> met = pencil_tennis.meeting(optimal, "uniform", 8)
    >>> round(float(met.value), 4), round(met.mean_turns, 2)
    (1.9394, 5.58)
    """
    rules, pair = _pair(a, b, points, rules)
    return Meeting(**_native.meeting(rules, _start(start, pair), *pair))


def outcomes(
    a: PolicyLike,
    b: PolicyLike,
    points: Points | None = None,
    rules: Rules | None = None,
    *,
    start: StateLike | None = None,
) -> dict[Outcome, float]:
    """How games end when A bids as in ``a`` and B as in ``b``: the probability of each of the five ends, see `meeting`.

    Examples
    --------
    >>> import pencil_tennis
    >>> pencil_tennis.outcomes(lambda state: {1: 1.0}, "uniform", 2)["draw"]
    0.5
    """
    return meeting(a, b, points, rules, start=start).outcomes


def duel(
    a: PolicyLike,
    b: PolicyLike,
    games: int = 100_000,
    points: Points | None = None,
    rules: Rules | None = None,
    *,
    start: StateLike | None = None,
    seed: int = 1,
    progress: Progress = None,
) -> Duel:
    """Plays games between two policies, drawn at random.

    Parameters
    ----------
    a, b, points, rules, start
        As for `meeting`.
    games
        The number of games.
    seed
        The seed of the random numbers. It determines the games, on any machine.
    progress
        A function of the share that is done, or True for a bar.

    Examples
    --------
    >>> import pencil_tennis
    >>> optimal = pencil_tennis.solve(8).policy()
    >>> duel = pencil_tennis.duel(optimal, "uniform", 10_000, 8, seed=1)
    >>> bool(abs(duel.mean - duel.meeting.value) < 5 * duel.standard_error)
    True
    """
    rules, pair = _pair(a, b, points, rules)
    games, seed = whole(games, "the number of games", 1), whole(seed, "the seed")
    with listening(progress, "duel") as callback:
        meeting, counted = _native.duel(rules, _start(start, pair), *pair, games, seed, callback)
    return Duel(meeting=Meeting(**meeting), **counted)


def _pair(
    a: PolicyLike, b: PolicyLike, points: Points | None, rules: Rules | None
) -> tuple[Rules, tuple[Policy, Policy]]:
    """The rules and both policies; the points and rules of one are those of the other where only one says them."""
    if rules is None:
        rules = next((policy.rules for policy in (a, b) if isinstance(policy, Policy) and policy.rules is not None), None)
    if points is None:
        points = next((policy.points for policy in (a, b) if isinstance(policy, Policy)), None)
    if points is None:
        array = next((policy for policy in (a, b) if isinstance(policy, np.ndarray) and policy.ndim == 4), None)
        points = None if array is None else (array.shape[0] - 1, array.shape[1] - 1)
    return as_rules(rules), (as_policy(a, points, rules), as_policy(b, points, rules))


def _start(start: StateLike | None, pair: tuple[Policy, Policy]) -> StateLike:
    return State(*pair[0].points, 0) if start is None else start
