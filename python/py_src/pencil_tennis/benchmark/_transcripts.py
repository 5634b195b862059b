"""Played games, judged: each player's losses, with proof."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pencil_tennis._enclosure import Enclosure
from pencil_tennis._game import whole
from pencil_tennis._lines import lines, parsed
from pencil_tennis._state import State
from pencil_tennis.benchmark._evaluation import _known
from pencil_tennis.benchmark._tasks import TASKS, Task

if TYPE_CHECKING:
    from pencil_tennis._solution import Solution


@dataclass(frozen=True)
class JudgedTurn:
    """A turn of a played game."""

    state: State
    """The state before it."""
    bid_a: int
    """A's bid."""
    bid_b: int
    """B's bid."""
    loss_a: Enclosure
    """The loss of A's bid: the value, less what the bid wins on average against B's optimal strategy."""
    loss_b: Enclosure
    """The loss of B's bid: A's mean payoff by A's optimal strategy against it, less the value."""


@dataclass(frozen=True)
class JudgedGame:
    """A played game against the truth."""

    task: str
    """The name of the task."""
    players: tuple[str, str]
    """The players A and B."""
    turns: list[JudgedTurn]
    """The turns."""
    final: State
    """The state that it came to."""
    value: Enclosure
    """The value of the game to A."""
    result: Enclosure
    """A's payoff; the value of the last state if the game goes on."""

    @property
    def loss_a(self) -> Enclosure:
        """The total loss of A's bids."""
        return _sum([turn.loss_a for turn in self.turns])

    @property
    def loss_b(self) -> Enclosure:
        """The total loss of B's bids."""
        return _sum([turn.loss_b for turn in self.turns])

    @property
    def luck_a(self) -> float:
        """The rest: A's payoff minus the value of the game, minus B's losses, plus A's losses.

        Its mean over many games of two players is not 0 if they err simultaneously, since the cost of an error is measured
        against an optimal opponent.
        """
        return float(self.result) - float(self.value) + float(self.loss_a) - float(self.loss_b)

    def to_dict(self) -> dict[str, Any]:
        """The game for JSON; losses as pairs of bounds, rounded to doubles outward."""
        return {
            "task": self.task,
            "players": list(self.players),
            "turns": [
                {
                    "state": str(turn.state), "a": turn.bid_a, "b": turn.bid_b,
                    "loss_a": _outward(turn.loss_a), "loss_b": _outward(turn.loss_b),
                }
                for turn in self.turns
            ],
            "state": str(self.final),
            "value": _outward(self.value),
            "result": _outward(self.result),
            "loss_a": _outward(self.loss_a),
            "loss_b": _outward(self.loss_b),
            "luck_a": self.luck_a,
        }  # fmt: skip


def judge_transcript(game: Mapping[str, Any], task: str | Task | None = None) -> JudgedGame:
    """Judges a played game bid by bid.

    Parameters
    ----------
    game
        The game: ``"a"`` and ``"b"`` are the bids of A and of B, turn by turn; ``"task"`` is the name of the task, unless it is
        given besides; ``"players"`` may name both players. Other entries are passed over.
    task
        The task that was played.

    Returns
    -------
    JudgedGame
        With proved bounds of the loss of every bid against the opponent's optimal strategy, the strategy, in fractions,
        that proves the value of the state.

    Raises
    ------
    ValueError
        For a transcript that is no game of the task; the message names the mistake.

    Examples
    --------
    >>> from pencil_tennis import benchmark
    >>> game = benchmark.judge_transcript({"task": "tennis-8", "a": [8, 0, 0], "b": [1, 1, 1]})
    >>> round(game.loss_a, 3), float(game.loss_b) == 0.0
    (2.0, True)
    """
    if not isinstance(game, Mapping):
        message = f"{game!r:.80} is no game; expected an object with the bids of both, such as {{'a': [2, 1], 'b': [1, 3]}}"
        raise ValueError(message)
    if task is None and not isinstance(game.get("task"), str):
        message = "which task was played is not known; say it as \"task\", or beside the game"
        raise ValueError(message)
    known = _known(game["task"] if task is None else task)
    if not isinstance(known, Task):
        message = f"games of {known.name} are not judged bid by bid; expected one of {', '.join(TASKS)}"
        raise ValueError(message)
    solution = known.solution
    bids = [_bids(game, player) for player in ("a", "b")]
    if len(bids[0]) != len(bids[1]):
        message = f"A has made {len(bids[0])} bids and B {len(bids[1])}; expected one of either in every turn"
        raise ValueError(message)
    names = game.get("players", ("A", "B"))
    if not (isinstance(names, Sequence) and len(names) == 2 and all(isinstance(name, str) for name in names)):
        message = f"{names!r:.80} are not the names of two players"
        raise ValueError(message)
    state, turns = solution.start, []
    for number, (a, b) in enumerate(zip(*bids, strict=True), start=1):
        try:
            following = known.rules.play(state, a, b)
        except ValueError as error:
            message = f"turn {number}: {error}"
            raise ValueError(message) from None
        loss_a, loss_b = _losses(solution, state, a, b)
        turns.append(JudgedTurn(state, a, b, loss_a, loss_b))
        state = following
    value = solution.value
    return JudgedGame(known.name, (names[0], names[1]), turns, state, value, _value(solution, state))


def read_transcripts(path: str | os.PathLike[str], task: str | Task | None = None) -> list[JudgedGame]:
    """Judges the games of a file of JSON lines, as `judge_transcript` takes them.

    Raises
    ------
    ValueError
        For a line that is no game; the message names it.
    OSError
        For a file that cannot be read.
    """
    games = []
    for number, line in lines(path):
        try:
            games.append(judge_transcript(parsed(line), task))
        except ValueError as error:
            message = f"{os.fspath(path)}, line {number}: {error}"
            raise ValueError(message) from None
    return games


def _bids(game: Mapping[str, Any], player: str) -> list[int]:
    bids = game.get(player)
    if not isinstance(bids, Sequence) or isinstance(bids, str):
        message = f"the bids of {player.upper()} are missing; expected {player!r} with a list of bids"
        raise ValueError(message)
    try:
        return [whole(bid, f"a bid of {player.upper()}", most=2**31) for bid in bids]
    except TypeError as error:
        raise ValueError(str(error)) from None


def _losses(solution: Solution, state: State, bid_a: int, bid_b: int) -> tuple[Enclosure, Enclosure]:
    """The losses of the bids of A and B at a state."""
    value = solution[state]
    optimal_a, optimal_b = solution._native.dyadic_strategies(state)
    won = _mean(solution, [(solution.rules.play(state, bid_a, b), share) for b, share in optimal_b.items()])
    let = _mean(solution, [(solution.rules.play(state, a, bid_b), share) for a, share in optimal_a.items()])
    return _difference(value, won), _difference(let, value)


def _value(solution: Solution, state: State) -> Enclosure:
    payoff = solution.rules.payoff(state)
    return solution[state] if payoff is None else Enclosure(float(payoff), payoff, payoff)


def _mean(solution: Solution, reached: list[tuple[State, Fraction]]) -> Enclosure:
    values = [(_value(solution, state), share) for state, share in reached]
    lower = sum((value.lower * share for value, share in values), Fraction(0))
    upper = sum((value.upper * share for value, share in values), Fraction(0))
    return _enclosure(lower, upper)


def _difference(more: Enclosure, less: Enclosure) -> Enclosure:
    """A loss; a negative difference within the bounds of equal numbers counts as 0."""
    lower, upper = more.lower - less.upper, more.upper - less.lower
    # Below the precision of the doubles it comes from.
    if lower <= 0:
        return Enclosure(0.0 if upper < Fraction(1, 2**40) else float(upper) / 2, min(lower, Fraction(0)), upper)
    return _enclosure(lower, upper)


def _sum(numbers: list[Enclosure]) -> Enclosure:
    lower = sum((number.lower for number in numbers), Fraction(0))
    upper = sum((number.upper for number in numbers), Fraction(0))
    return Enclosure(sum(float(number) for number in numbers), lower, upper)


def _enclosure(lower: Fraction, upper: Fraction) -> Enclosure:
    return Enclosure(float((lower + upper) / 2), lower, upper)


def _outward(number: Enclosure) -> list[float]:
    """Both bounds as the nearest doubles that are no tighter."""
    lower, upper = float(number.lower), float(number.upper)
    if Fraction(lower) > number.lower:
        lower = math.nextafter(lower, -math.inf)
    if Fraction(upper) < number.upper:
        upper = math.nextafter(upper, math.inf)
    return [lower, upper]
