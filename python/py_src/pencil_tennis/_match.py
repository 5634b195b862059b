"""Matches: games are played until a player has a number of winning points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure
from pencil_tennis._game import Points, as_points, as_rules, whole
from pencil_tennis._native import Policy, PolicyError, Rules
from pencil_tennis._policy import PolicyLike, as_policy
from pencil_tennis._progress import Progress, listening


class Score(NamedTuple):
    """The score of a match before a game."""

    a: int
    """A's winning points."""
    b: int
    """B's winning points."""
    exchanged: bool = False
    """Whether the accounts of an uneven start are exchanged in the next game, as in every other one."""


MatchPolicy: TypeAlias = PolicyLike | Mapping[Score, PolicyLike] | Mapping[tuple[int, int], PolicyLike]
"""How a match is played: a policy of the game for every score, or one for all of them."""


class MatchJudgement(NamedTuple):
    """The worth of a policy of a match, in A's chances to win it.

    Examples
    --------
    >>> import pencil_tennis
    >>> judgement = pencil_tennis.solve_match(1, points=3).judge("uniform")
    >>> judgement.best_response_a > 0.6, judgement.best_response_b < 0.4
    (True, True)
    """

    exploitability: Enclosure
    """The gain of a best response, on average over the two players: 0 is optimal."""
    best_response_a: Enclosure
    """A's chance when A responds best to the policy's B."""
    best_response_b: Enclosure
    """A's chance when B responds best to the policy's A."""


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

    def policy(self, score: Score | tuple[int, int] = Score(0, 0)) -> Policy:
        """A policy of the next game at a score that is optimal up to 1e-12. Solves the game.

        The leader must not let the match go on for ever, which counts as half a win; some optimal bids of the next game would
        allow it.

        Raises
        ------
        Error
            When a player has won already.
        """
        return self._native.policy(*_checked(score))

    def policies(self, policy: MatchPolicy) -> dict[Score, Policy]:
        """The checked policies of all scores that ``policy`` stands for.

        Parameters
        ----------
        policy
            A form that `as_policy` takes, for all scores; or a mapping to such forms from every score (`Score`, or a pair of
            winning points). Where the accounts are uneven, a policy of a score with exchanged accounts is one for those.

        Raises
        ------
        PolicyError
            As for `as_policy`, and for a score that is missing.
        """
        given = _by_score(policy)
        known: dict[tuple[int, tuple[int, int]], Policy] = {}
        policies = {}
        for score in self.scores():
            if given is not None and score not in given:
                raise PolicyError(f"the policy of the match says nothing about {_named(score)}")
            a, b = self.points
            points = (b, a) if score.exchanged else (a, b)
            score_policy = policy if given is None else given[score]
            # One for several scores is asked once.
            if (id(score_policy), points) not in known:
                known[id(score_policy), points] = as_policy(score_policy, points, self.rules)
            policies[score] = known[id(score_policy), points]
        return policies

    def judge(self, policy: MatchPolicy, *, progress: Progress = None) -> MatchJudgement:
        """The worth of both players' policy against best responses in the whole match, with proved bounds.

        Parameters
        ----------
        policy
            The policy, as for `policies`.
        progress
            A function of the share that is done, or True for a bar.

        Raises
        ------
        PolicyError
            As for `policies`, and for a policy of one player.

        Examples
        --------
        >>> import pencil_tennis
        >>> match = pencil_tennis.solve_match(3, points=12)
        >>> of_one_game = pencil_tennis.solve(12).policy()
        >>> round(float(match.judge(of_one_game).exploitability), 4)
        0.1798
        >>> float(match.judge({score: match.policy(score) for score in match.scores()}).exploitability) < 1e-9
        True
        """
        policies = self.policies(policy)
        with listening(progress, "match") as callback:
            return MatchJudgement(*self._native.judge([policies[score] for score in self.scores()], callback))

    def __reduce__(self) -> tuple[object, tuple[int, tuple[int, int], Rules]]:
        # Solving again gives an equal solution.
        return solve_match, (self.to, self.points, self.rules)

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
        The game, as for `solve`. An end pays winning points, a whole number.
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


def _by_score(policy: Any) -> dict[Score, Any] | None:
    """The policy of every score, unless one policy, whose keys are no scores, stands for all of them."""
    if not isinstance(policy, Mapping) or not policy:
        return None
    scores: dict[Score, Any] = {}
    for key, score_policy in policy.items():
        if isinstance(key, Score):
            scores[key] = score_policy
        elif isinstance(key, tuple) and len(key) == 2:
            scores[Score(key[0], key[1])] = score_policy
        else:
            return None
    return scores


def _named(score: Score) -> str:
    return f"{score.a}-{score.b}{' with exchanged accounts' if score.exchanged else ''}"
