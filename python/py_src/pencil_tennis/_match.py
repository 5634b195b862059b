"""Matches: games are played until a player has a number of winning points."""

from __future__ import annotations

from typing import NamedTuple

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._game import Points, as_points, as_rules, whole
from pencil_tennis._native import Rules
from pencil_tennis._progress import Progress, listening


class Score(NamedTuple):
    """The score of a match before a game."""

    a: int
    """A's winning points."""
    b: int
    """B's winning points."""
    exchanged: bool = False
    """Whether the accounts of an uneven start are exchanged in the next game, as in every other one."""


class Match:
    """A solved match: A's chance of winning it at every score, with proved bounds. Made by `solve_match`."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Series) -> None:
        self._native = native

    @property
    def rules(self) -> Rules:
        """The rules of a game; their scoring says how many winning points each end gives."""
        return self._native.rules

    @property
    def points(self) -> tuple[int, int]:
        """The points that A and B have in the first game; exchanged in every other game where they differ."""
        return self._native.points

    @property
    def to(self) -> int:
        """The winning points that take the match."""
        return self._native.to

    def scores(self) -> list[Score]:
        """All scores at which a game is played."""
        return [Score(*score) for score in self._native.scores()]

    def chance(self, score: Score | tuple[int, int] = Score(0, 0)) -> Enclosure:
        """A's chance of winning the match at a score; half of a match that never ends counts as won.

        Raises
        ------
        Error
            When a player has won already.
        """
        return self._native.chance(*_checked(score))

    def opening(self, score: Score | tuple[int, int] = Score(0, 0)) -> tuple[dict[int, float], dict[int, float]]:
        """How A and B bid at the start of the next game: bids with positive probability.

        Raises
        ------
        Error
            When a player has won already.
        """
        a, b = self._native.opening(*_checked(score))
        return a, b

    def __repr__(self) -> str:
        a, b = self.points
        return f"<Match to {self.to} with {a}:{b} points, {self.rules!r}: A wins with {float(self.chance())!r}>"


def solve_match(
    to: int = 3,
    points: Points = 50,
    rules: Rules | None = None,
    *,
    threads: int | None = None,
    memory_limit: int | None = None,
    progress: Progress = None,
) -> Match:
    """Solves a match: both players maximise their chance of being the first with ``to`` winning points.

    Parameters
    ----------
    to
        The winning points that take the match, 200 at most; three games or a few more are solved for every score.
    points, rules
        The game, as for `solve`. What an end pays is the winning points that it gives, a whole number.
    threads, memory_limit
        As for `solve`.
    progress
        A function of the share that is done, or True for a bar.

    Raises
    ------
    Error
        For a length, rules or points that are not possible.

    Examples
    --------
    >>> import pencil_tennis
    >>> match = pencil_tennis.solve_match(3, points=12)
    >>> float(match.chance()), match.chance((2, 1)) > 0.5
    (0.5, True)
    """
    to = whole(to, "the winning points of a match", 1, 2**32 - 1)
    with listening(progress, "match") as callback:
        return Match(_native.solve_series(as_rules(rules), as_points(points), to, threads, memory_limit, callback))


def _checked(score: Score | tuple[int, int]) -> tuple[int, int, bool]:
    a, b, *exchanged = score
    most = 2**32 - 1
    return whole(a, "A's winning points", most=most), whole(b, "B's winning points", most=most), any(exchanged)
