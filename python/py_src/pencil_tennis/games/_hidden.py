"""Games with hidden information: trees, their solutions, and policies that are judged by best responses."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, overload

import numpy as np

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure, between, distance
from pencil_tennis._game import as_player, seconds, whole
from pencil_tennis._html import rows_of
from pencil_tennis._judged import BothJudged, StateRegret, regret_rows
from pencil_tennis._native import Error, PolicyError
from pencil_tennis._progress import Progress, counting, listening
from pencil_tennis._proof import read_certificate
from pencil_tennis._shares import Number, distribution, fraction
from pencil_tennis._tables import table_of
from pencil_tennis._unchanging import Unchanging
from pencil_tennis.games._arrays import compressed, uncompressed
from pencil_tennis.games._judging import asked_in_batches, choice, divided_by_sum, of_player
from pencil_tennis.games._rules import MEMORY_LIMIT

Side: TypeAlias = Literal["A", "B"]

MOST_NODES = 50_000_000
"""The nodes that a tree may have unless another limit is given."""

HiddenPolicyLike: TypeAlias = (
    "HiddenSolution | Mapping[Any, Any] | Callable[..., Any] | Sequence[Any] | str | os.PathLike[str]"
)
"""A policy, see `HiddenGame.judge`: solutions, mappings, functions, tables and their paths, and pairs of them for both players."""

_COLUMNS = ("player", "set", "action", "probability")

_Fractions: TypeAlias = list[list[Fraction]]
"""Probabilities of actions by the numbers of information sets, or coefficients by those of sequences."""


class HiddenRules(Protocol):
    """A game in Python in which players do not see everything: `Rules` with a method ``observe``.

    A player's information set is what the player observed and did, in order: perfect recall by construction. It is named by these
    words, joined by spaces, such as ``"K pass bet"``; ``"(start)"`` before anything. A player who has one action does not choose,
    and it is not recorded.

    All methods are pure: equal arguments give equal results. They are asked everything twice.
    """

    def starts(self) -> Iterable[Hashable] | Mapping[Any, Number]:
        """The state where play starts, in a list; or a dict of states with probabilities."""
        ...

    def turn(self, state: Any) -> tuple[Sequence[Any], Sequence[Any]] | Number:
        """The lists of A's and of B's actions, or at an end the payoff to A. Who does not move has a single action."""
        ...

    def after(self, state: Any, a: Any, b: Any) -> Hashable | Mapping[Any, Number]:
        """The state that follows; or a dict of states with probabilities, whose rule is that of `Rules.after`."""
        ...

    def observe(self, state: Any, player: Side) -> Any:
        """What a player observes when play comes to a state: a word without spaces, several in a tuple, or None for nothing."""
        ...


class HiddenGame:
    """A game with hidden information: a tree of two players with perfect recall, whose payoffs are A's.

    Made by `unfold` of rules, `from_efg` of a file, `from_open_spiel` of a game of imperfect information, and `verify`.
    An information set holds the nodes that look alike to the player who moves there; it is known by its name.
    """

    def __init__(
        self,
        native: _native.GameTree,
        actions: dict[Side, dict[str, list[Any]]] | None = None,
        assumptions: Sequence[str] = (),
    ) -> None:
        self.native = native
        """The tree itself."""
        self.assumptions = [*assumptions]
        """Assumptions in reading probabilities, a sentence each."""
        self._sets: dict[Side, dict[str, list[Any]]] = {}
        self._names: dict[Side, list[list[str]]] = {}
        self._nodes: dict[Side, dict[str, int]] = {}
        for player in _BOTH:
            sets = native.sets(player)
            known = {} if actions is None else actions[player]
            self._sets[player] = {name: known.get(name, words) for name, words, _ in sets}
            self._names[player] = [words for _, words, _ in sets]
            self._nodes[player] = {name: nodes for name, _, nodes in sets}

    def __len__(self) -> int:
        """The number of nodes, with chance and ends."""
        return len(self.native)

    @property
    def title(self) -> str | None:
        """The game's name, if its file has one."""
        return self.native.title

    def information_sets(self, player: Side) -> dict[str, list[Any]]:
        """The names of a player's information sets, with the actions there."""
        return {name: [*actions] for name, actions in self._sets[as_player(player)].items()}

    def nodes(self, player: Side, information_set: str) -> int:
        """The number of nodes in an information set."""
        _found(self._sets[as_player(player)], player, information_set)
        return self._nodes[player][information_set]

    def solve(
        self,
        *,
        gap: float | None = None,
        method: Literal["lp", "ipm", "cfr"] | None = None,
        refinement: Literal["quasi-perfect"] | None = None,
        time_limit: float | None = None,
        threads: int | None = None,
        memory_limit: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float = 60.0,
        resume: str | os.PathLike[str] | None = None,
        progress: Progress = None,
    ) -> HiddenSolution:
        """Solves the game, as `solve` does.

        Parameters
        ----------
        gap
            The width of the bounds, as a share of the span of payoffs, at which the search ends; 1e-9 unless given.
        method
            "lp" for linear programmes, "ipm" for the interior-point method, "cfr" for regret minimisation; unless given, the first for
            small games, and for others the second or the third, whichever is likely to be faster.
        refinement
            "quasi-perfect" for optimal strategies that are best replies at every information set to an opponent who makes every
            mistake with a very small probability. `HiddenSolution.refinement` says whether they were found and proved; games of up
            to 2,500 sequences.
        time_limit
            The seconds after which it ends with the bounds reached.
        threads
            The number of threads; by default one per processor. It does not affect the result.
        memory_limit
            The bytes that the tree and the search may take; 8 GiB unless given.
        checkpoint
            A file in which regret minimisation keeps its state, so that it can be gone on from, also when it is interrupted. Games
            that linear programmes solve have none. It is a new or empty file, or that of ``resume``: no other file is overwritten.
        checkpoint_every
            The seconds between two checkpoints, at least.
        resume
            A checkpoint of the same game to go on from, to the strategies of an uninterrupted solve.
        progress
            As in `solve`.

        Raises
        ------
        Error
            For a checkpoint of another game.
        OSError
            For a checkpoint that cannot be read, or written; at once, where its folder does not exist.
        FileExistsError
            For a checkpoint that would replace another file; at once.
        """
        limit = None if time_limit is None else seconds(time_limit, "time_limit")
        asked = None if threads is None else whole(threads, "the number of threads", 1)
        most = MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit")
        place = None if checkpoint is None else (os.fspath(checkpoint), seconds(checkpoint_every, "checkpoint_every"))
        resumed = None if resume is None else os.fspath(resume)
        width = None if gap is None else float(gap)
        with listening(progress, "solving") as callback:
            native = self.native.solve(method, refinement, width, limit, asked, most, place, resumed, callback)
        return HiddenSolution(native, self)

    @overload
    def judge(self, player: Side, policy: HiddenPolicyLike, *, batched: bool = ..., normalise: bool = ...) -> HiddenJudgement: ...
    @overload
    def judge(self, player: HiddenPolicyLike, *, batched: bool = ..., normalise: bool = ...) -> HiddenJointJudgement: ...
    def judge(
        self, player: Any, policy: Any = None, *, batched: bool = False, normalise: bool = False
    ) -> HiddenJudgement | HiddenJointJudgement:
        """Judges a policy by exact best responses, without solving the game: a player's, or both players'.

        ``judge("A", policy)`` judges A's; ``judge(policy)`` both players', with NashConv and the exploitability.

        Parameters
        ----------
        player
            "A" or "B"; or, alone, a policy of both: a pair of policies, a `HiddenSolution`, the path of a csv file, a table, or a
            function of an information set's name and a player.
        policy
            A mapping of names of information sets, or a function of a name, that gives a dict of actions with their
            probabilities, or these in the order of the actions; "uniform"; a table with the columns ``player``, ``set``,
            ``action`` and ``probability``, as `HiddenSolution.strategy_frame` gives it: a dict, a DataFrame, or the path of a csv file, as
            ``pencil-tennis export strategies`` writes it. A set with a single action may be omitted.
        batched
            Whether functions are called with many information sets at once, a network for example: with a list of their names and
            a bool array of the legal actions, of the shape ``(sets, most actions)``. They give an array of that shape.
        normalise
            Whether probabilities are divided by their sum.

        Notes
        -----
        Probabilities are judged exactly; those of a set are divided by their sum, which is 1 to within a millionth. Where the
        fractions become longer than 4,096 bits, the result has proved bounds a few 1e-19 of the largest payoff apart.

        Raises
        ------
        PolicyError
            For numbers that are no policy, with the player and the information set.
        TypeError
            For an object that is no policy.
        """
        if isinstance(player, str) and player in _BOTH:
            if policy is None:
                raise TypeError(f"there is no policy of {player}; expected judge({player!r}, policy)")
            return self._judged(player, policy, batched=batched, normalise=normalise)
        if policy is not None:
            raise Error(f"there is no player {player!r:.80}; expected A or B")
        a, b = self._parts(player, batched)
        of_a = self._judged("A", a, batched=batched, normalise=normalise)
        return HiddenJointJudgement(of_a, self._judged("B", b, batched=batched, normalise=normalise))

    def _parts(self, policy: Any, batched: bool) -> tuple[Any, Any]:
        """Both players' parts of a policy."""
        if isinstance(policy, (tuple, list)) and len(policy) == 2:
            return policy[0], policy[1]
        if isinstance(policy, (HiddenSolution, str, os.PathLike)) or table_of(policy, _COLUMNS) is not None:
            return policy, policy
        if isinstance(policy, Mapping) and set(policy) == set(_BOTH):
            return policy["A"], policy["B"]
        if callable(policy):
            return of_player(policy, "A", batched), of_player(policy, "B", batched)
        expected = "expected a pair of them, a solution, a table, or a function of an information set and a player"
        raise TypeError(f"{policy!r:.80} is no policy of both players; {expected}")

    def _judged(self, player: Side, policy: Any, *, batched: bool, normalise: bool) -> HiddenJudgement:
        if isinstance(policy, HiddenSolution):
            if not self.native.is_same_game(policy.game.native):
                raise PolicyError("the solution is of another game")
            return self._proved(player, policy._native.fractions(player))
        if isinstance(policy, str) and policy == "uniform":
            shares = [[Fraction(1, len(names))] * len(names) for names in self._names[player]]
            return self._proved(player, shares)
        if isinstance(policy, (str, os.PathLike)):
            return self._of_file(player, policy)
        table = table_of(policy, _COLUMNS)
        ask = self._rows(player, table).get if table is not None else policy.get if isinstance(policy, Mapping) else policy
        if not callable(ask):
            expected = "expected a mapping of information sets, a function of one, a table or its path, or uniform"
            raise TypeError(f"{policy!r:.80} is no policy; {expected}")
        if isinstance(policy, Mapping) and table is None:
            for name in policy:
                _found(self._sets[player], player, name)
        if batched and ask is policy:
            sizes = np.array([*map(len, self._names[player])], np.int64)
            table = asked_in_batches(ask, player, [*self._sets[player]], sizes, "information sets").tolist()
            ask = dict(zip(self._sets[player], (row[:size] for row, size in zip(table, sizes, strict=True)), strict=True)).get
        shares = [self._choice_at(player, number, name, ask(name), normalise) for number, name in enumerate(self._sets[player])]
        return self._proved(player, shares)

    def _choice_at(self, player: Side, number: int, name: str, given: Any, normalise: bool) -> list[Fraction]:
        """The probabilities of the actions at an information set, in their order."""
        words = self._names[player][number]
        if given is None:
            if len(words) > 1:
                raise PolicyError(f"{player}'s policy says nothing about the information set {name!r:.200}")
            return [Fraction(1)]
        chosen = choice(given, self._sets[player][name], f"{name!r:.200}", player, words)
        shares = [Fraction(0)] * len(words)
        for action, share in divided_by_sum(chosen) if normalise else chosen:
            shares[action] += share
        return shares

    def _proved(self, player: Side, shares: _Fractions) -> HiddenJudgement:
        """Judges the probabilities of the actions, by the numbers of the information sets."""
        return HiddenJudgement(self.native.judge(player, shares), self)

    def _of_file(self, player: Side, path: str | os.PathLike[str]) -> HiddenJudgement:
        for judgement in self.native.judge_table(os.fspath(path)):
            if judgement.player == player:
                return HiddenJudgement(judgement, self)
        raise PolicyError(f"{os.fspath(path)} does not say how {player} plays")

    def _rows(self, player: Side, table: dict[str, Sequence[Any]]) -> dict[str, dict[Any, Any]]:
        """The rows of a player in a table, by information sets."""
        found: dict[str, dict[Any, Any]] = {}
        for who, name, action, share in zip(*(table[column] for column in _COLUMNS), strict=True):
            if as_player(who) != player:
                continue
            _found(self._sets[player], player, name)
            row = found.setdefault(name, {})
            if action in row:
                raise PolicyError(f"{player}'s action {action!r:.80} at {name!r:.80} stands there twice")
            row[action] = share
        if not found:
            raise PolicyError(f"the table does not say how {player} plays")
        return found

    def __getstate__(self) -> dict[str, Any]:
        nodes, title = self.native.parts()
        return {**self.__dict__, "native": (compressed(nodes), title)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        nodes, title = state["native"]
        self.__dict__.update(state, native=_native.restored_game_tree(uncompressed(nodes), title))

    def __repr__(self) -> str:
        a, b = (len(self._sets[player]) for player in _BOTH)
        return f"<a game tree of {len(self)} nodes with {a} and {b} information sets>"


class HiddenSolution(Unchanging):
    """A solved game with hidden information: bounds of its value, and the strategies that prove them. Made by `solve`.

    A pickle has the game and the strategies, whose bounds and refinement are proved again when it is read.
    """

    def __init__(self, native: _native.HiddenSolution, game: HiddenGame) -> None:
        self._native = native
        self.game = game
        """The game."""

    @property
    def value(self) -> Enclosure:
        """The value to A: at least what A's strategy secures, at most what B's concedes; proved."""
        return self._native.value()

    @property
    def refinement(self) -> str | None:
        """"quasi-perfect" if this is proved of both strategies, None otherwise."""
        return self._native.refinement

    def trembling(self, player: Side, epsilon: Number) -> dict[str, dict[Any, Fraction]]:
        """A player's fully mixed strategy that proves the refinement, for a size of the trembles.

        For every small enough epsilon, the other player's strategy is at every information set a best reply to it; as epsilon goes
        to 0, it goes to the player's own strategy.

        Raises
        ------
        Error
            For strategies that are not refined, and an epsilon that is too large.
        """
        shares = self._native.trembling(as_player(player), fraction(epsilon, "epsilon"))
        sets = self.game._sets[player].items()
        return {name: dict(zip(actions, row, strict=True)) for (name, actions), row in zip(sets, shares, strict=True)}

    @property
    def iterations(self) -> int:
        """The iterations of regret minimisation; 0 if linear programmes sufficed."""
        return self._native.iterations

    @property
    def seconds(self) -> float:
        """The time that it took."""
        return self._native.seconds

    def strategy(self, information_set: str, player: Side = "A") -> dict[Any, float]:
        """A player's actions of positive probability at an information set, by its name."""
        _found(self.game._sets[as_player(player)], player, information_set)
        return dict(self._strategies[player][information_set])

    def policy(self) -> dict[Side, dict[str, dict[Any, float]]]:
        """Both players' actions of positive probability at all information sets, by their names."""
        found = self._strategies.items()
        return {player: {name: dict(strategy) for name, strategy in strategies.items()} for player, strategies in found}

    @cached_property
    def _strategies(self) -> dict[Side, dict[str, dict[Any, float]]]:
        return {
            player: {
                name: _positive(actions, shares)
                for (name, actions), shares in zip(self.game._sets[player].items(), self._native.strategy(player), strict=True)
            }
            for player in _BOTH
        }

    @overload
    def judge(self, player: Side, policy: HiddenPolicyLike, *, batched: bool = ..., normalise: bool = ...) -> HiddenJudgement: ...
    @overload
    def judge(self, player: HiddenPolicyLike, *, batched: bool = ..., normalise: bool = ...) -> HiddenJointJudgement: ...
    def judge(
        self, player: Any, policy: Any = None, *, batched: bool = False, normalise: bool = False
    ) -> HiddenJudgement | HiddenJointJudgement:
        """Judges a policy by exact best responses, as `HiddenGame.judge`; the judgement has its loss and regrets, too."""
        judged: HiddenJudgement | HiddenJointJudgement = self.game.judge(player, policy, batched=batched, normalise=normalise)
        for judgement in (judged.a, judged.b) if isinstance(judged, HiddenJointJudgement) else (judged,):
            judgement._solution = self
        return judged

    def strategy_frame(self) -> dict[str, Any]:
        """Both strategies as columns ``player, set, action, probability``: a dict, which pandas and polars take as it is."""
        rows: list[tuple[Any, ...]] = []
        for player in _BOTH:
            for (name, actions), shares in zip(self.game._sets[player].items(), self._native.strategy(player), strict=True):
                rows += [(player, name, action, share) for action, share in zip(actions, shares, strict=True)]
        columns = [*zip(*rows, strict=True)] if rows else [()] * len(_COLUMNS)
        return {column: [*numbers] for column, numbers in zip(_COLUMNS, columns, strict=True)}

    def write_strategies(self, path: str | os.PathLike[str]) -> None:
        """Writes both strategies as csv, which `judge` reads; written beside and renamed."""
        self._native.write(os.fspath(path))

    def certificate(self) -> bytes:
        """The certificate, with the tree and both strategies; `verify` and docs/check_hidden_proof.py check it.

        It is read back and checked before it is returned.
        """
        return self._native.certificate()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        native = self._native
        a, b = native.coefficients("A"), native.coefficients("B")
        coefficients = None if a is None or b is None else (a, b)
        strategies = native.fractions("A"), native.fractions("B")
        return _unpickled, (self.game, strategies, coefficients, native.iterations, native.seconds)

    def __repr__(self) -> str:
        return f"<a solved game with hidden information, worth {self.value!r} to A>"

    def _repr_html_(self) -> str:
        sets = (len(self.game._sets[player]) for player in _BOTH)
        known = [("value", repr(self.value)), ("nodes", str(len(self.game))), ("information sets", " and ".join(map(str, sets)))]
        return rows_of("a solved game with hidden information", known)


def _unpickled(
    game: HiddenGame,
    strategies: tuple[_Fractions, _Fractions],
    coefficients: tuple[_Fractions, _Fractions] | None,
    iterations: int,
    seconds: float,
) -> HiddenSolution:
    native = _native.restored_hidden_solution(game.native, strategies, coefficients, iterations, seconds)
    return HiddenSolution(native, game)


def _unpickled_judgement(
    game: HiddenGame, solution: HiddenSolution | None, player: Side, probabilities: _Fractions
) -> HiddenJudgement:
    judgement = game._proved(player, probabilities)
    judgement._solution = solution
    return judgement


class HiddenJudgement(Unchanging):
    """The worth of one player's policy against a best response.

    A pickle has the game and the policy, and the solution that judged it, if one did; they are proved again when it is read.
    """

    def __init__(self, native: _native.HiddenJudgement, game: HiddenGame) -> None:
        self._native = native
        self._game = game
        self._solution: HiddenSolution | None = None
        self.value = native.payoff()
        """A's payoff against a best response, with proved bounds, mostly exact."""

    @property
    def player(self) -> str:
        """The player whose policy it is."""
        return self._native.player

    @property
    def loss(self) -> Enclosure:
        """The distance of that from the value of the game; known where a solution judged the policy.

        Raises
        ------
        Error
            Where a game judged it, whose value is not known.
        """
        if self._solution is None:
            raise Error("the value of the game is not known; expected a policy that was judged by a solution")
        value = self._solution.value
        return distance(self.value, value) if self.player == "A" else distance(value, self.value)

    @property
    def regret(self) -> Mapping[str, Enclosure]:
        """The regret of each information set to which chance and the other player's strategy in the solution lead: what the choice
        there loses against that strategy, once play has come there, if it goes on with best replies; with proved bounds.

        A choice among actions that are equally good against that strategy loses nothing to it, though a best response may profit:
        `loss` counts that.

        Raises
        ------
        Error
            Where a game judged the policy.
        """
        return {name: regret for name, (_, regret) in self._regrets.items()}

    @cached_property
    def _regrets(self) -> dict[str, tuple[float, Enclosure]]:
        """How likely the others lead to each information set, and the regret there."""
        if self._solution is None:
            raise Error("nobody plays optimally; expected a policy that was judged by a solution")
        sets = self._game._sets[as_player(self.player)]
        found = zip(sets, self._solution._native.regrets(self._native), strict=True)
        return {name: (regret[0], between(*regret[1:])) for name, regret in found if regret is not None}

    def worst(self, count: int = 10) -> list[StateRegret[str]]:
        """The information sets with the largest regret, that with the largest first."""
        ranked = sorted(self.regret.items(), key=lambda entry: -entry[1])[:count]
        return [StateRegret(name, as_player(self.player), regret) for name, regret in ranked]

    def frame(self) -> dict[str, Any]:
        """The information sets as columns ``player, set, reach, regret``: how likely chance and the other player's strategy lead there
        if the player does, and the regret: a dict, which pandas and polars take as it is.
        """
        reach, regret = zip(*self._regrets.values(), strict=True) if self._regrets else ((), ())
        columns = {"reach": np.array(reach, float), "regret": np.array(regret, float)}
        return {"player": [self.player] * len(reach), "set": [*self._regrets]} | columns

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _unpickled_judgement, (self._game, self._solution, self.player, self._native.fractions())

    def __repr__(self) -> str:
        return f"<a policy of {self.player}, worth {self.value!r} to A>"

    def _repr_html_(self) -> str:
        known = [] if self._solution is None else [("loss", repr(self.loss)), *regret_rows(self.worst(5))]
        return rows_of(f"a judged policy of {self.player}", [("worth to A", repr(self.value)), *known])


class HiddenJointJudgement(BothJudged[HiddenJudgement]):
    """The worth of both players' policies, each against a best response."""

    __slots__ = ()

    @property
    def nash_conv(self) -> Enclosure:
        """The total gain of both best responses."""
        if self.a.value.is_exact and self.b.value.is_exact:
            exact = self.b.value.lower - self.a.value.lower
            return Enclosure(float(exact), exact, exact)
        return _native.hidden_nash_conv(self.a._native, self.b._native)

    def worst(self, count: int = 10) -> list[StateRegret[str]]:
        """The information sets of both players with the largest regret, that with the largest first; see `HiddenJudgement.regret`."""
        found = [*self.a.worst(count), *self.b.worst(count)]
        return sorted(found, key=lambda entry: -entry.regret)[:count]

    def frame(self) -> dict[str, Any]:
        """The information sets of both players, as `HiddenJudgement.frame`."""
        a, b = self.a.frame(), self.b.frame()
        return {name: np.concatenate([a[name], b[name]]) if name in ("reach", "regret") else a[name] + b[name] for name in a}

    def _repr_html_(self) -> str:
        known = [("exploitability", repr(self.exploitability)), ("NashConv", repr(self.nash_conv))]
        known += [] if self.a._solution is None else regret_rows(self.worst(5))
        return rows_of("judged policies of both players", known)


class HiddenProof:
    """The bounds that a certificate proves. Made by `verify`."""

    def __init__(self, game: HiddenGame, value: Enclosure) -> None:
        self.game = game
        """The game of the certificate."""
        self.value = value
        """The value to A, within proved bounds."""

    def __repr__(self) -> str:
        return f"<a proof that {len(self.game)} nodes are worth {self.value!r} to A>"

    def _repr_html_(self) -> str:
        return rows_of("a proof", [("value", repr(self.value)), ("nodes", str(len(self.game)))])


def verify_hidden(
    certificate: bytes | str | os.PathLike[str], game: HiddenGame | None = None, *, memory_limit: int | None = None
) -> HiddenProof:
    """Checks a certificate of a game with hidden information, without solving anything and without trusting the solver.

    Parameters
    ----------
    certificate
        The bytes of a certificate, or the path of a file that holds them.
    game
        The game that it has to be of; unless given, the certificate's own is taken.
    memory_limit
        The bytes of the largest file that is read; 8 GiB unless given.

    Raises
    ------
    CertificateError
        When it proves nothing, with the line, or not of this game.
    OSError
        For a file that cannot be read.
    """
    limit = MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit")
    written = certificate if isinstance(certificate, bytes) else read_certificate(certificate, b"{", limit)
    tree, value = _native.verify_hidden_game(written)
    if game is not None and not game.native.is_same_game(tree):
        raise _native.CertificateError("the certificate is of another game")
    return HiddenProof(HiddenGame(tree) if game is None else game, value)


def from_efg(path: str | os.PathLike[str], *, probabilities: Literal["exact", "nearest", "normalised"] = "exact") -> HiddenGame:
    """Reads a game tree of Gambit (``.efg``) of two players with payoffs of a constant sum and perfect recall. A is its first player.

    Parameters
    ----------
    path
        The file.
    probabilities
        "exact" reads probabilities as decimals; "nearest" as the simplest fractions that round to them, and divides those that
        still do not sum to 1 by their sum; "normalised" divides the decimals: `HiddenGame.assumptions` says how many.

    Raises
    ------
    Error
        With the file and line of what is wrong.
    OSError
        For a file that cannot be read.
    """
    native, assumptions = _native.read_game_tree(os.fspath(path), probabilities)
    return HiddenGame(native, None, assumptions)


def unfold(rules: HiddenRules, *, most_nodes: int = MOST_NODES, progress: Progress = None) -> HiddenGame:
    """The tree of rules with a method ``observe``, as `HiddenRules` describes them.

    Parameters
    ----------
    rules
        The object.
    most_nodes
        A larger tree is rejected as soon as this is known.
    progress
        As in `solve`: how many nodes are known so far.

    Raises
    ------
    Error
        With the node, for rules that contradict themselves or are malformed, and for a tree that is too large.
    """
    if isinstance(rules, type):
        raise TypeError(f"{rules.__name__} is a class; expected an object of it, such as {rules.__name__}()")
    missing = [method for method in ("starts", "turn", "after", "observe") if not hasattr(rules, method)]
    if missing:
        raise TypeError(f"{rules!r:.80} is no game with hidden information; {', '.join(missing)} is missing")
    unfolding = _RulesUnfolding(rules)
    native = unfolded(unfolding.visit, unfolding.root(), most_nodes, progress)
    return HiddenGame(native, unfolding.actions, divided(unfolding.normalised))


def divided(nodes: int) -> list[str]:
    """The assumption that was made of floats."""
    return [f"the probabilities of {nodes} nodes of chance are divided by their sum"] if nodes else []


def unfolded(visit: Callable[[Any], Any], root: Any, most_nodes: int, progress: Progress) -> _native.GameTree:
    """The tree of the nodes that a function describes."""
    most = whole(most_nodes, "most_nodes", 1)
    with counting(progress, "unfolding", " nodes") as tell:
        return _native.unfold_game(visit, root, most, tell)


class _RulesUnfolding:
    """Describes the nodes of rules. A place is a function that describes its node."""

    def __init__(self, rules: HiddenRules) -> None:
        self.rules = rules
        self.actions: dict[Side, dict[str, list[Any]]] = {"A": {}, "B": {}}
        self.normalised = 0
        """The nodes of chance whose floats were divided by their sum."""

    def root(self) -> Callable[[], Any]:
        starts = _pure(self._starts, "the starts")
        return self._outcome(starts, "the probabilities of the starts", ("", ""))

    def _starts(self) -> Mapping[Any, Number]:
        starts = self.rules.starts()
        if isinstance(starts, Mapping):
            return starts
        found = [*starts]
        if len(found) != 1:
            raise Error(f"there are {len(found)} starts; expected one, or a dict of them with probabilities")
        return {found[0]: 1}

    def _turn(self, state: Any) -> tuple[list[Any], list[Any]] | Fraction:
        """The actions of both players in a state, or the payoff."""
        turn = self.rules.turn(state)
        if not isinstance(turn, (tuple, list)):
            return fraction(turn, f"the payoff at {state!r:.80}")
        if len(turn) != 2 or any(isinstance(actions, (str, bytes)) for actions in turn):
            raise Error(f"the turn at {state!r:.80} is {turn!r:.80}; expected A's actions and B's actions, or a payoff")
        actions_a, actions_b = ([*actions] for actions in turn)
        if not actions_a or not actions_b:
            raise Error(f"{'B' if actions_a else 'A'} has no action at {state!r:.80}; expected one at least")
        return actions_a, actions_b

    def visit(self, place: Callable[[], Any]) -> Any:
        """The parts of a node."""
        return place()

    def _outcome(self, after: Any, what: str, known: tuple[str, str]) -> Callable[[], Any]:
        """The place of a state, or of chance among states."""
        if not isinstance(after, Mapping):
            return lambda: self._state(after, known)
        states = [*after]
        if len(states) == 1:
            distribution(after, what, exact=True)
            return lambda: self._state(states[0], known)
        shares, is_normalised = distribution(after, what, exact=False)
        self.normalised += is_normalised
        return lambda: (shares, [lambda state=state: self._state(state, known) for state in states])

    def _state(self, state: Any, known: tuple[str, str]) -> Any:
        """The node of a state that play has come to."""
        a, b = (self._observed(state, player, known_before) for player, known_before in zip(_BOTH, known, strict=True))
        turn = _pure(lambda: self._turn(state), f"the turn at {state!r:.80}")
        if isinstance(turn, Fraction):
            return (turn,)
        actions_a, actions_b = turn
        if len(actions_a) == 1:
            return self._second(state, actions_a[0], actions_b, (a, b))
        return self._choice(
            "A", state, actions_a, a, lambda action, after: lambda: self._second(state, action, actions_b, (after, b))
        )

    def _second(self, state: Any, action: Any, other: list[Any], known: tuple[str, str]) -> Any:
        """The node at which B moves, who does not see A's action; if B does not choose, the one that follows."""
        a, b = known

        def follow(reply: Any, after: str) -> Callable[[], Any]:
            found = _pure(lambda: self.rules.after(state, action, reply), f"the successor of {state!r:.80}")
            return self._outcome(found, f"the probabilities after {action!r:.80} and {reply!r:.80} at {state!r:.80}", (a, after))

        if len(other) == 1:
            return follow(other[0], b)()
        return self._choice("B", state, other, b, follow)

    def _choice(
        self, player: Side, state: Any, actions: list[Any], known: str, follow: Callable[[Any, str], Callable[[], Any]]
    ) -> Any:
        names = [_word(action, f"an action of {player} at {state!r:.80}") for action in actions]
        name = known or _START
        self.actions[player].setdefault(name, actions)
        places = [follow(action, f"{known} {word}".strip()) for action, word in zip(actions, names, strict=True)]
        return player, name, names, places

    def _observed(self, state: Any, player: Side, known: str) -> str:
        """What a player knows after an observation."""
        seen = _pure(lambda: self.rules.observe(state, player), f"what {player} observes at {state!r:.80}")
        if seen is None:
            return known
        words = seen if isinstance(seen, (tuple, list)) else (seen,)
        what = f"an observation of {player} at {state!r:.80}"
        return " ".join(([known] if known else []) + [_word(word, what) for word in words])


_BOTH: tuple[Side, Side] = ("A", "B")

_START = "(start)"


def _pure(ask: Callable[[], Any], what: str) -> Any:
    """The answer to a question that is asked twice."""
    answer = ask()
    if answer != ask():
        raise Error(f"{what}: asked again, the rules answer otherwise; expected equal answers to equal questions")
    return answer


def _word(thing: object, what: str) -> str:
    word = str(thing)
    if not word or word == _START or any(letter.isspace() for letter in word):
        raise Error(f"{what} is {thing!r:.80}; expected a word without spaces, or several in a tuple")
    return word


def _found(sets: dict[str, list[Any]], player: str, name: Any) -> list[Any]:
    if name not in sets:
        some = ", ".join(f"{known!r:.80}" for known, _ in zip(sets, range(3)))
        raise PolicyError(f"{player} has no information set {name!r:.200}; expected one such as {some}")
    return sets[name]


def _positive(actions: Sequence[Any], shares: Sequence[float]) -> dict[Any, float]:
    return {action: share for action, share in zip(actions, shares, strict=True) if share > 0}
