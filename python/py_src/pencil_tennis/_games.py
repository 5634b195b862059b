"""Many games at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._game import OfGame, Points, as_points, as_rules, whole
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from pencil_tennis._native import Policy, Rules

Player: TypeAlias = Literal["A", "B"]
"""One of the two players."""

HORIZON = 1000
"""The turns after which games with a smallest bid of 0 end by default, as in OpenSpiel's ``oshi_zumo``."""


def as_horizon(horizon: int | None, rules: Rules) -> int | None:
    """The number of turns after which games end: `HORIZON` where they could go on for ever, unless another is given."""
    if horizon is None:
        return HORIZON if rules.min_bid == 0 else None
    turns = whole(horizon, "the horizon")
    if not 0 < turns < 2**31:
        message = f"a horizon of {turns} turns is not possible; expected 1 to 2147483647"
        raise ValueError(message)
    return turns


class Games(OfGame["_native.Games"]):
    """Many games of the same rules and points that are played at the same time, for learners that need millions of turns.

    A turn of all games is played by one call, in Rust and without the interpreter's lock. Games that are over wait until they
    are restarted. Methods that give an array make a new one, or fill the array ``out`` of equal shape and type.

    Parameters
    ----------
    count
        The number of games.
    points
        The points both players start with, or those of A and those of B.
    rules
        The rules; Tennis unless given.
    start
        The state from which games start: all points and the ball on the net unless given.
    horizon
        The turns after which a game is decided where the ball lies, as if everything were spent: 1000 unless given where the
        smallest bid is 0, and none where every turn spends something.

    Raises
    ------
    Error
        For a number of games, points or a start that are not possible.
    MemoryError
        For more games than there is memory for.

    Examples
    --------
    >>> import numpy as np
    >>> from pencil_tennis import Games
    >>> random, games = np.random.default_rng(2012), Games(1_000, points=20)
    >>> while games.running:
    ...     a, b = games.observe("A")[:, 0], games.observe("B")[:, 0]
    ...     running = games.step(random.integers(np.minimum(a, 1), a + 1), random.integers(np.minimum(b, 1), b + 1))
    >>> bool(games.over().all()), sorted(set(games.payoffs().tolist()))
    (True, [-2.0, -1.0, 0.0, 1.0, 2.0])
    """

    __slots__ = ("_running",)

    def __init__(
        self,
        count: int,
        points: Points = 50,
        rules: Rules | None = None,
        *,
        start: StateLike | None = None,
        horizon: int | None = None,
    ) -> None:
        rules = as_rules(rules)
        horizon = as_horizon(horizon, rules)
        super().__init__(_native.Games(whole(count, "the number of games"), rules, as_points(points), start, horizon))
        self._running = len(self)

    def __len__(self) -> int:
        """The number of games."""
        return len(self._native)

    @property
    def running(self) -> int:
        """The number of games that are not over."""
        return self._running

    def step(self, bids_a: ArrayLike, bids_b: ArrayLike) -> int:
        """Plays a turn of every game that is not over, and gives the number of those that are not over after it.

        Parameters
        ----------
        bids_a, bids_b
            A's and B's bid in every game, integers of the shape ``(count,)``; bids in games that are over do not
            matter. Arrays of int64 are read where they lie, others are copied.

        Raises
        ------
        GameError
            For a bid that is not legal, with the game and the legal ones; then no game is changed.
        ValueError, TypeError
            For arrays of another shape, or not of integers.
        """
        self._running = self._native.step(integers(bids_a), integers(bids_b))
        return self._running

    def reset(self, states: ArrayLike | None = None) -> None:
        """Sets all games to the start, or to states of their own.

        Parameters
        ----------
        states
            A's points, B's points and the ball of every game, integers of the shape ``(count, 3)``.

        Raises
        ------
        GameError
            For a state with more points than at the start, or with the ball outside the field.
        """
        self._native.reset(None if states is None else integers(states), None)
        self._running = len(self) if states is None else len(self) - int(self.over().sum())

    def restart(self, which: NDArray[np.bool_] | None = None) -> int:
        """Sets the games that are over to the start, of those that ``which`` says (all unless given), and gives their number."""
        restarted = self._native.restart(which)
        self._running += restarted
        return restarted

    def states(self, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """A's points, B's points and the ball of every game: shape ``(count, 3)``, int32.

        The ball is one beyond the field where it was hit out.
        """
        return self.observe("A", out)

    def observe(self, player: Player, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """Every game as a player sees it: shape ``(count, 3)``, int32.

        The columns are the own points, the opponent's points, and the ball, positive on the opponent's side, so that A and B can
        learn from the same table.
        """
        out = np.empty((len(self), 3), np.int32) if out is None else out
        self._native.observe(player, out)
        return out

    def draw(
        self, policy: Policy, player: Player, random: np.random.Generator, out: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """A bid of a player for every game, drawn from a policy: shape ``(count,)``, int64; 0 for games that are over.

        Parameters
        ----------
        policy
            A policy for these points and this field, or for more points, that covers the player; `as_policy` makes one.
        player
            The bidding player.
        random
            The source of 64 random bits for every game, with which every bid comes with exactly its probability.

        Raises
        ------
        PolicyError
            For a policy that does not cover the player or a state.
        """
        out = np.empty(len(self), np.int64) if out is None else out
        self._native.draw(policy, player, random_bits(random, len(self)), out)
        return out

    def mask(self, player: Player, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which bids a player's account allows in every game: shape ``(count, points + 1)``, bool.

        Column ``k`` is the bid ``k``. Every row allows a bid, of games that are over, too.
        """
        if out is None:
            out = np.empty((len(self), self.points[player != "A"] + 1), np.bool_)
        self._native.mask(player, out)
        return out

    def turns(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The turns played in every game: shape ``(count,)``, int64."""
        out = np.empty(len(self), np.int64) if out is None else out
        self._native.turns(out)
        return out

    @property
    def horizon(self) -> int | None:
        """The turns after which a game is decided where the ball lies; None if there is no such number."""
        return self._native.horizon

    def over(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Which games are over: shape ``(count,)``, bool."""
        out = np.empty(len(self), np.bool_) if out is None else out
        self._native.over(out)
        return out

    def payoffs(self, out: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """A's payoff in the games that are over, 0 in the others: shape ``(count,)``, float64."""
        out = np.empty(len(self), np.float64) if out is None else out
        self._native.payoffs(out)
        return out

    def __reduce__(self) -> tuple[object, tuple[Any, ...]]:
        return _unpickled, (len(self), self.points, self.rules, self.start, self.states(), self.turns(), self.horizon)

    @property
    def start(self) -> State:
        """The state from which games start."""
        return State(*self._native.start)

    def __repr__(self) -> str:
        a, b = self.points
        return f"<{len(self)} games of {a}:{b} points by {self.rules}, {self.running} not over>"


def _unpickled(
    count: int,
    points: tuple[int, int],
    rules: Rules,
    start: State,
    states: NDArray[np.int32],
    turns: NDArray[np.int64],
    horizon: int | None,
) -> Games:
    games = Games(count, points, rules, start=start, horizon=horizon)
    games._native.reset(states.astype(np.int64), turns)
    games._running = count - int(games.over().sum())
    return games


def random_bits(random: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """That many random numbers of 64 bits."""
    if not isinstance(random, np.random.Generator):
        expected = "expected a generator that is kept between draws, such as numpy.random.default_rng(5)"
        raise TypeError(f"the source of randomness is {random!r:.80}; {expected}")
    return random.integers(2**64 - 1, size=count, dtype=np.uint64, endpoint=True)


def integers(numbers: ArrayLike) -> NDArray[np.int64]:
    """The numbers as an array in C order; rejects fractions and numbers beyond 64 bits."""
    numbers = np.asarray(numbers)
    if numbers.dtype.kind == "u" and numbers.size and numbers.max() > np.iinfo(np.int64).max:
        message = f"{numbers.max()} has more than 63 bits"
        raise ValueError(message)
    return np.ascontiguousarray(np.asarray(numbers).astype(np.int64, casting="same_kind", copy=False))
