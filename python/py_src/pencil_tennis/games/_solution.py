"""Solved games of any rules, and proofs of their values."""

from __future__ import annotations

import json
import math
import os
import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypedDict, overload

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native, matrix_game
from pencil_tennis._bounded import StateArrays
from pencil_tennis._enclosure import Enclosure, between
from pencil_tennis._equilibrium import Equilibrium
from pencil_tennis._game import as_player, seconds, whole
from pencil_tennis._native import CertificateError, Error, PolicyError
from pencil_tennis._progress import Progress, listening
from pencil_tennis._proof import read_certificate
from pencil_tennis.figures import Figure
from pencil_tennis._shares import fraction
from pencil_tennis._unchanging import Unchanging
from pencil_tennis._html import rows_of
from pencil_tennis.games._arrays import ArrayGame, ManyRules, compressed, uncompressed
from pencil_tennis.games._arrays import explored as explored_many
from pencil_tennis.games._hidden import (
    HiddenGame,
    HiddenJointJudgement,
    HiddenPolicyLike,
    HiddenProof,
    HiddenRules,
    HiddenSolution,
    unfold,
    verify_hidden,
)
from pencil_tennis._judged import JointJudgement, Judgement
from pencil_tennis.games._judging import PolicyLike, PolicyReader, judgement_of
from pencil_tennis.games._open_spiel import from_open_spiel
from pencil_tennis.games._prism import PrismGame
from pencil_tennis.games._rules import MEMORY_LIMIT, MOST_STATES, Action, Explored, Rules, State

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Written: TypeAlias = PrismGame | str | os.PathLike[str]
"""A game whose states and actions have names."""

GameLike: TypeAlias = Rules[Any, Any] | ManyRules | ArrayGame | _Written
"""A game, see `solve`: an object with rules, arrays, a model, or the path of a file."""

_Certificate: TypeAlias = bytes | str | os.PathLike[str]

_Asked: TypeAlias = tuple[float, int | None, tuple[str, float] | None, _native.StochasticCheckpoint | None]
"""The width of bounds, the threads, the file of checkpoints with the seconds between two, and the one to go on from."""

EXACT_BITS = 4096
"""The bits that denominators of exact values have at most, unless more are asked for."""

CHECKED_STATES = 100
"""The states at which `solve` checks that exchanged players are no mistake."""

CHECKED_CELLS = 10_000
"""The pairs of actions that these states have together, so that the check takes about half a second at most."""

_WRITTEN = (str, os.PathLike, PrismGame)


def _exchanged(value: Enclosure) -> Enclosure:
    """The value as it is with the players exchanged."""
    return Enclosure(0.0 - value, -value.upper, -value.lower)


class Bounded(Mapping[State, Enclosure]):
    """States with proved bounds of their values."""

    def __init__(self, states: Sequence[State], starts: list[State], explored: Explored | ArrayGame | None) -> None:
        self._states = states
        self._explored = explored
        self._places = {} if explored else {name: (place, False) for place, name in enumerate(states)}
        self.starts = starts
        """The states where play starts."""

    @abstractmethod
    def _value(self, place: int) -> Enclosure: ...

    def __getitem__(self, state: State) -> Enclosure:
        place, exchanged = self._place(state)
        value = self._value(place)
        return _exchanged(value) if exchanged else value

    def __iter__(self) -> Iterator[State]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def value(self) -> Enclosure:
        """The value to A of the first start, or the mean of all if they have probabilities; a float with proved bounds."""
        return self._mean(self.__getitem__)

    @property
    def widest(self) -> Fraction:
        """The largest distance of the bounds of any value."""
        return max(value.width for value in self.values())

    def _mean(self, value_of: Callable[[State], Enclosure]) -> Enclosure:
        """The value of the first start, or the mean over starts with probabilities."""
        if self._explored is None:
            return value_of(self.starts[0])
        chances: list[tuple[Any, Fraction]] = [*self._explored.chances]
        known = [(share, value_of(start)) for start, share in chances]
        lower = sum((share * value.lower for share, value in known), Fraction(0))
        upper = sum((share * value.upper for share, value in known), Fraction(0))
        return between(lower, upper)

    def _place(self, state: State) -> tuple[int, bool]:
        try:
            return self._places[state] if self._explored is None else self._explored.find(state)
        except (KeyError, TypeError, ValueError):
            raise KeyError(f"the starts do not reach a state {state!r}") from None


class Proof(Bounded[State]):
    """The bounds that a certificate proves: a mapping of states to their values, also of those that are approached and not attained.
    Made by `verify`.
    """

    def __init__(
        self, values: list[Enclosure], states: Sequence[State], starts: list[State], explored: Explored | ArrayGame | None
    ) -> None:
        super().__init__(states, starts, explored)
        self._values = values

    def _value(self, place: int) -> Enclosure:
        return self._values[place]

    def __repr__(self) -> str:
        return f"<a proof of the bounds of {len(self)} states>"

    def _repr_html_(self) -> str:
        return rows_of(repr(self)[1:-1], [("at the start", f"{self.value!r}"), ("widest bounds", f"{float(self.widest):.3g}")])


class BestPayoff(NamedTuple):
    """The best payoff that play can still reach from a state, where a player gets it whatever the opponent does."""

    player: Literal["A", "B"]
    """A, for whom it is the highest, or B, for whom it is the lowest."""
    payoff: Fraction
    """The payoff to A: the value of the state."""
    attained: bool
    """Whether a strategy gets it with probability 1; otherwise strategies come as near to that as one likes."""


class Solution(Unchanging, Bounded[State], Generic[State, Action]):
    """A solved game: a mapping of its states to their values, floats with proved bounds. Made by `solve`.

    Type checkers know the types of states and actions from the rules: ``Solution[State, Action]``.
    """

    def __init__(
        self,
        native: _native.StochasticSolution | _native.MergedSolution,
        explored: Explored | ArrayGame | None,
        memory_limit: int = MEMORY_LIMIT,
    ) -> None:
        if isinstance(native, _native.MergedSolution):
            assert isinstance(explored, Explored)
            states: Sequence[Any] = explored.states
            # As they are, since the players may be exchanged there.
            starts: list[Any] = explored.starts
        else:
            states = native.names() if explored is None else explored.states
            starts = [states[place] for place in native.starts()]
        super().__init__(states, starts, explored)
        self._native = native
        self._memory_limit = memory_limit
        self._unmerged: Solution[State, Action] | None = None
        self._exact: list[Fraction | None] | None = None

    def _value(self, place: int) -> Enclosure:
        return self._native.value(place)

    def __repr__(self) -> str:
        divided = f", floats of {self.normalised} cells divided by their sum" if self.normalised else ""
        return f"<a solved {self.kind} game of {len(self)} states{divided}>"

    def _repr_html_(self) -> str:
        starts = [("at the start" if len(self.starts) == 1 else "at the starts", f"{self.value!r}")]
        first = self.starts[0]
        a, b = self.strategies(first)
        played = [(f"{player} plays there", ", ".join(f"{action}: {share:.6g}" for action, share in strategy.items())) for player, strategy in (("A", a), ("B", b)) if strategy]
        return rows_of(repr(self)[1:-1], [*starts, *(played if len(self.starts) == 1 else [])])

    @property
    def normalised(self) -> int:
        """The pairs of actions, and lists of starts, whose probabilities were floats that did not sum to exactly 1.

        They were divided by their sum; the value is proved of the game that this makes. With ``exact=True`` `solve` refuses them.
        """
        return 0 if self._explored is None else self._explored.normalised

    @property
    def kind(self) -> str:
        """The kind of the game, verified."""
        return self._native.kind

    def unmerged(self, *, progress: Progress = None) -> Solution[State, Action]:
        """The solution in which a state and the one with exchanged players are two; this one, if it merges none.

        Where the rules' ``canonical`` exchanges the players of an acyclic game, `solve` lists and solves one of both. Policies, games
        that are written, certificates that have the game in them and environments need both, and take them from here. The first
        call asks the rules about all of them, and solves the game as it is then: which optimal strategies it finds may differ.
        """
        if isinstance(self._native, _native.StochasticSolution):
            return self
        if self._unmerged is None:
            assert isinstance(self._explored, Explored)
            again = self._explored
            # As many states, and their images.
            most_states = 2 * again.most_states
            self._unmerged = _solved_unmerged(again.game, most_states, again.exact, self._memory_limit, progress)
        return self._unmerged

    @property
    def _whole(self) -> _native.StochasticSolution:
        """The native part of `unmerged`."""
        native = self.unmerged()._native
        assert isinstance(native, _native.StochasticSolution)
        return native

    def arrays(self) -> StateArrays:
        """The values of all states and their bounds, in the order of iteration."""
        return StateArrays(*self._native.arrays())

    def equilibrium(self, state: State) -> Equilibrium[State, Action]:
        """The value and both strategies of a state."""
        return Equilibrium(state, self[state], *self.strategies(state))

    def strategies(self, state: State) -> tuple[dict[Action, float], dict[Action, float]]:
        """A's and B's strategy at a state: the actions that are chosen, with their probabilities. Empty at an end."""
        place, exchanged = self._place(state)
        names = self._actions(place)
        if names is None:
            return {}, {}
        found = zip(names, self._native.strategies(place), strict=True)
        a, b = ({actions[action]: share for action, share in strategy} for actions, strategy in found)
        return (b, a) if exchanged else (a, b)

    def strategy(self, state: State, player: Literal["A", "B"] = "A") -> dict[Action, float]:
        """One player's strategy at a state."""
        return self.strategies(state)[as_player(player) == "B"]

    def secured(self, state: State) -> Enclosure:
        """The bounds of a state's value that `strategies` secure, as a certificate has them.

        They are those of the value itself, unless it is approached and not attained.
        """
        place, exchanged = self._place(state)
        bounds = self._native.secured(place)
        return _exchanged(bounds) if exchanged else bounds

    def best_payoff(self, state: State) -> BestPayoff | None:
        """The best payoff that play can still reach from a state of a recursive game, if a player gets it.

        None where nobody does, in games of other kinds, and in the largest ones, where the search takes too long.
        """
        place, _ = self._place(state)
        if isinstance(self._native, _native.MergedSolution):
            return None
        found = self._native.best_payoff(place)
        return found and BestPayoff(*found)

    def policy(self) -> Policy[State, Action]:
        """The strategies of all states, those with exchanged players too: of `unmerged`."""
        return Policy(self.unmerged())

    def picture(self, state: State) -> Figure:
        """Both strategies at a state as bars, and its value with its bounds: SVG, which notebooks show, and ``save(path)`` writes.

        Of more than 24 actions the likeliest are drawn. ``pencil-tennis plot strategies`` draws the same.

        Raises
        ------
        Error
            At an end.
        """
        strategies = self.strategies(state)
        if not all(strategies):
            raise Error(f"play is over at {state!r}: there is nothing to choose")
        name = state if self._explored is None else repr(state)
        title = f"{name:.160} is worth {self[state]!r} to A".encode("utf-8", "replace").decode()
        a, b = ([(str(action), share) for action, share in strategy.items()] for strategy in strategies)
        return Figure(_native.draw_strategies(title, a, b))

    def frame(self) -> dict[str, Any]:
        """All states as columns ``state, value, lower, upper``: a dict, which pandas and polars take as it is."""
        values, lower, upper = self.arrays()
        return {"state": [*self._states], "value": values, "lower": lower, "upper": upper}

    def strategy_frame(self) -> dict[str, Any]:
        """All actions that are chosen as columns ``state, player, action, probability``: pandas and polars take the dict."""
        columns: dict[str, list[Any]] = {name: [] for name in ("state", "player", "action", "probability")}
        for state, pair in self.policy().items():
            for player, strategy in zip("AB", pair, strict=True):
                for action, probability in strategy.items():
                    for column, entry in zip(columns.values(), (state, player, action, probability), strict=True):
                        column.append(entry)
        return columns

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint that has all of the solution, from which `load` and ``solve(game, resume=path)`` make it again.

        Raises
        ------
        OSError
            When it cannot be written; the message names the file.
        """
        self._native.save(os.fspath(path))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the game as JSON Lines with the states' names, their `str`, which ``pencil-tennis`` explores, plays and draws.

        Policies go there as csv: ``solution.strategy_frame()``, with the states as `str`.

        Raises
        ------
        Error
            Where two states have the same `str`.
        OSError
            When it cannot be written; the message names the file.
        """
        native, states = self._whole, self.unmerged()._states
        names = dict(zip(native.names(), map(str, states), strict=True))
        if len(set(names.values())) < len(names):
            seen: dict[str, Any] = {}
            for state in states:
                if str(state) in seen:
                    raise Error(f"two states have the name {str(state)!r:.80}: {seen[str(state)]!r:.80} and {state!r:.80}")
                seen[str(state)] = state
        beside = f"{os.fspath(path)}.part"
        game = native.bytes()[0]
        try:
            with open(beside, "w", encoding="utf-8") as file:
                for line in game.splitlines():
                    file.write(json.dumps(_named(json.loads(line), names), ensure_ascii=False, separators=(",", ":")) + "\n")
            os.replace(beside, path)
        except BaseException:
            if os.path.exists(beside):
                os.remove(beside)
            raise

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if isinstance(self._native, _native.MergedSolution):
            return _unpickled_merged, (self._native.table, self._native.checkpoint(), self._explored, self._memory_limit)
        if isinstance(self._explored, ArrayGame):
            return _unpickled_arrays, (self._native.checkpoint(), self._explored)
        game, solution = self._native.bytes()
        return _unpickled, (compressed(game), compressed(solution), self._explored)

    def exact_values(self, bits: int = EXACT_BITS, *, progress: Progress = None) -> dict[State, Fraction]:
        """The values that are known as fractions, with denominators of up to ``bits`` bits: where play cannot return."""
        with listening(progress, "proving") as callback:
            values = self._native.exact(whole(bits, "the number of bits"), callback)
        return {state: value for state, value in zip(self._states, values, strict=True) if value is not None}

    def exact_value(self, state: State, *, progress: Progress = None) -> Fraction | None:
        """The exact value of a state where `exact_values` knows it with its usual ``bits``; found for all states when it is asked for first."""
        place, exchanged = self._place(state)
        if self._exact is None:
            with listening(progress, "proving") as callback:
                self._exact = self._native.exact(EXACT_BITS, callback)
        value = self._exact[place]
        return -value if value is not None and exchanged else value

    @overload
    def judge(
        self,
        player: Literal["A", "B"],
        policy: PolicyLike,
        *,
        batched: bool = ...,
        normalise: bool = ...,
        progress: Progress = ...,
    ) -> Judgement[State]: ...
    @overload
    def judge(
        self, player: PolicyLike, *, batched: bool = ..., normalise: bool = ..., progress: Progress = ...
    ) -> JointJudgement[State]: ...
    def judge(
        self,
        player: Any,
        policy: Any = None,
        *,
        batched: bool = False,
        normalise: bool = False,
        progress: Progress = None,
    ) -> Judgement[State] | JointJudgement[State]:
        """Judges a policy against the best response from every state, within proved bounds: a player's, or both players'.

        ``judge("A", policy)`` judges A's, ``judge(policy)`` both players', which also gives NashConv and the exploitability.

        Parameters
        ----------
        player
            "A" or "B"; or, alone, a policy of both: a pair of policies, a `Policy`, a table or the path of one, or a function of a
            state and a player.
        policy
            An array as `Policy.array` gives it, of numpy or anything with ``__array__`` or ``__dlpack__``, whose rows at ends
            and columns beyond a state's last action are ignored; a `Policy`; a table as `Solution.strategy_frame` gives it, as a dict, a
            DataFrame or the path of a csv file, as ``pencil-tennis export strategies`` writes it; or a function of a state, or a
            mapping of states, that gives a dict of actions with their probabilities, or these in the order of the actions. A
            state with a single action may be omitted.
        batched
            Whether functions are called with many states at once, a network for example, and with the legal actions: with an
            array of states (the rows or numbers of `ManyRules` and `from_arrays`, otherwise a list of states) and a bool array
            of the shape ``(states, most actions)``. They give an array of that shape.
        normalise
            Whether probabilities are divided by their sum, as those that were rounded to some decimals. Otherwise they sum to 1
            within 1e-6, by which they are divided.
        progress
            As in `solve`.

        Notes
        -----
        A policy is asked about the states that `unmerged` lists, each of which stands for its symmetry class. Probabilities are
        judged as multiples of 2^-62; `Judgement.rounded` says so. In a recursive game, a positive one that rounds to 0 is rejected.
        Uncertain probabilities are chosen against the policy, for whomever nature chooses in the game.

        Raises
        ------
        PolicyError, Error
            For numbers that are no policy, with the player and the state.
        TypeError
            For an object that is no policy.
        """
        whole = self.unmerged()
        reader = PolicyReader(whole, batched=batched, normalise=normalise)
        if isinstance(player, str) and player in ("A", "B"):
            if policy is None:
                raise TypeError(f"there is no policy of {player}; expected judge({player!r}, policy)")
            one: Literal["A", "B"] = "A" if player == "A" else "B"
            return whole._judged(one, reader.part(policy, one), normalise=normalise, progress=progress)
        if policy is not None:
            raise Error(f"there is no player {player!r:.80}; expected A or B")
        of_a, of_b = reader.both(player)
        a = whole._judged("A", of_a, normalise=normalise, progress=progress)
        return JointJudgement(a, whole._judged("B", of_b, normalise=normalise, progress=progress))

    def _judged(self, player: Literal["A", "B"], part: Any, *, normalise: bool, progress: Progress) -> Judgement[State]:
        with listening(progress, "judging") as callback:
            try:
                if isinstance(part, np.ndarray):
                    native = self._whole.judge_array(player, part, normalise, callback)
                else:
                    native = self._whole.judge(player, part, callback)
            except Error as error:
                # With the state as the rules have it.
                message = str(error) if self._explored is None else self._explored.named(str(error))
                advice = "" if normalise or "sum to" not in message else " within 1e-6; normalise=True divides by the sum"
                kind = PolicyError if f"{player}'s policy" in message else type(error)
                raise kind(message + advice) from None
        return judgement_of(player, self, native)

    def certificate(self, *, digest: bool = False, progress: Progress = None) -> bytes:
        """The certificate, which `verify` and docs/check_game_proof.py check.

        It has all of the game, with numbers in place of an object's states, and `pencil-tennis verify` checks it as well. It is
        read again and checked as by `verify` before it is returned.

        Parameters
        ----------
        digest
            Whether the certificate has a digest in place of the game, which only those can check who have the rules. The object
            is asked about every state once more, and solved anew, without exchanging players and with it where ``canonical``
            says so; an Error is raised where values differ then.
        progress
            As in `solve`.

        Raises
        ------
        CertificateError
            When the checker refuses it: a defect of this package.
        """
        if not digest:
            return self._whole.certificate()
        if not isinstance(self._explored, Explored):
            raise Error("a game from a file or from arrays has no rules in code; expected digest=False")
        with listening(progress, "proving") as callback:
            again = Explored(self._explored.game, self._explored.most_states, progress, self._explored.exact)
            try:
                table = again.table(self._memory_limit)
                certificate = table.certificate(callback)
            except Error as error:
                raise Error(again.named(str(error))) from None
        # There a state and its mirror image are one, as `canonical` says; here they are two.
        proof = Proof(table.verify(certificate), again.states, again.starts, again)
        for state, value in self.unmerged(progress=progress).items():
            # Not all are found when either image stands for both.
            same = proof.get(state, value)
            if same.lower > value.upper or same.upper < value.lower:
                raise Error(f"state {state!r} is worth {float(value)!r}, but what `canonical` makes of it {float(same)!r}")
        return certificate

    def check_symmetry(self, states: int = 100) -> int:
        """Looks for mistakes of the rules' ``canonical``, and returns how many states were looked at.

        Solves states reached by random play as matrix games over the values of their successors, and compares the results with
        the values of their canonical forms. A wrong form is found if its state is among them, unless both values are equal by
        accident. Exchanged players are checked at all states when a certificate with a digest is made.

        Raises
        ------
        Error
            With a state whose value differs from that of its canonical form.
        """
        return self._check_symmetry(states)

    def _check_symmetry(self, states: int, cells: float = math.inf) -> int:
        """As `check_symmetry`, at states that have no more pairs of actions than this together."""
        if not isinstance(self._explored, Explored):
            raise Error("a game from a file or from arrays has no rules in code")
        game, drawn, seen = self._explored.game, random.Random(1), set[Any]()
        starts = self._explored.starts
        state = starts[0]
        for _ in range(16 * states):
            turn = game.turn(state)
            if isinstance(turn, tuple):
                # Actions may come from an iterator.
                turn = tuple(map(list, turn))
            size = math.prod(map(len, turn)) if isinstance(turn, tuple) else 0
            if state not in seen and size <= cells:
                if len(seen) == states:
                    break
                seen.add(state)
                cells -= size
                self._compare(state, turn)
            if isinstance(turn, tuple):
                state = drawn.choice([following for _, following in self._explored.outcome(state, *map(drawn.choice, turn))[1]])
            else:
                state = drawn.choice(starts)
        return len(seen)

    def _compare(self, state: State, turn: Any) -> None:
        """Compares a state as it is with its canonical one."""
        explored = self._explored
        assert isinstance(explored, Explored)
        if not isinstance(turn, tuple):
            lower = upper = fraction(turn, f"the value of {state!r}")
        else:
            discount = fraction(explored.discount or 1, "the discount")

            def cell(a: Any, b: Any) -> tuple[Fraction, Fraction]:
                reward, follow = explored.outcome(state, a, b)
                try:
                    known = [(discount * share, self[following]) for share, following in follow]
                except KeyError:
                    states = ", ".join(repr(following) for _, following in follow)
                    fault = f"state {state!r} leads to {states:.200}, but the answer of `canonical` for it does not"
                    raise Error(f"{fault}; expected the same answer for a state and for its images") from None
                return reward + sum(s * value.lower for s, value in known), reward + sum(s * value.upper for s, value in known)

            bounds = [[cell(a, b) for b in turn[1]] for a in turn[0]]
            # The value of a matrix changes by no more than its entries do.
            entries = [bound for row in bounds for bound in row]
            change = max(max(abs(low - Fraction(float(low))), abs(high - Fraction(float(low)))) for low, high in entries)
            solved = matrix_game.solve([[float(low) for low, _ in row] for row in bounds])
            lower, upper = solved.lower - change, solved.upper + change
        canonical = self[state]
        if lower > canonical.upper or upper < canonical.lower:
            raise Error(f"state {state!r} is worth {float(lower)!r}, but what `canonical` makes of it {float(canonical)!r}")

    def _actions(self, place: int) -> tuple[list[Any], list[Any]] | None:
        return self._whole.actions(place) if self._explored is None else self._explored.actions[place]


def _named(line: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A line of a written game with other names of states."""
    if "id" in line:
        line["id"] = names[line["id"]]
    if "start" in line:
        line["start"] = [names[state] for state in line["start"]]
    for row in line.get("cells", ()):
        for cell in row:
            for outcome in cell["to"]:
                outcome[1] = names[outcome[1]]
    return line


def _unpickled(game: bytes, solution: bytes, explored: Explored | ArrayGame | None) -> Solution[Any, Any]:
    return Solution(_native.solution_from_bytes(uncompressed(game), uncompressed(solution)), explored)


def _unpickled_merged(
    table: _native.RulesTable, solution: bytes, explored: Explored, memory_limit: int
) -> Solution[Any, Any]:
    return Solution(_native.solution_of_rules_table(table, solution), explored, memory_limit)


def _unpickled_arrays(solution: bytes, game: ArrayGame) -> Solution[Any, int]:
    return Solution(_native.solution_of(game.native, solution), game)


class Policy(Mapping[State, tuple[dict[Action, float], dict[Action, float]]]):
    """The strategies of a solved game: a mapping of its states to A's and B's, dicts of actions with their probabilities.

    It is also a function of a state and a player, as `nash_conv` takes it.
    """

    def __init__(self, solution: Solution[State, Action]) -> None:
        self._solution = solution

    def __getitem__(self, state: State) -> tuple[dict[Action, float], dict[Action, float]]:
        return self._solution.strategies(state)

    def __call__(self, state: State, player: Literal["A", "B"]) -> dict[Action, float]:
        return self._solution.strategy(state, player)

    def __iter__(self) -> Iterator[State]:
        return iter(self._solution)

    def __len__(self) -> int:
        return len(self._solution)

    def strategy(self, state: State, player: Literal["A", "B"] = "A") -> dict[Action, float]:
        """One player's strategy at a state."""
        return self._solution.strategy(state, player)

    def array(self, player: Literal["A", "B"] = "A") -> NDArray[np.float64]:
        """A player's probabilities: an array by the number of the state, in the order of iteration, and that of the action.

        Rows are as long as the most actions; what is beyond the last action is 0, and so are the rows of ends. `Solution.judge`
        takes such an array, and a pair of them.
        """
        return self._solution._whole.policy(as_player(player))

    def __repr__(self) -> str:
        return f"<the strategies of {self._solution!r}>"

    def _repr_html_(self) -> str:
        return self._solution._repr_html_()


@overload
def nash_conv(
    solution: HiddenSolution | HiddenGame, policy: HiddenPolicyLike, *, batched: bool = ..., normalise: bool = ...
) -> Enclosure: ...
@overload
def nash_conv(solution: Solution[Any, Any], policy: PolicyLike, *, batched: bool = ..., normalise: bool = ...) -> Enclosure: ...
def nash_conv(solution: Any, policy: Any, *, batched: bool = False, normalise: bool = False) -> Enclosure:
    """The total gain of both best responses when both players play a policy; OpenSpiel's NashConv.

    The policy is one of both players, as `Solution.judge` takes it: a function of a state and a player, for example. A game with
    hidden information need not be solved for it.
    """
    if isinstance(solution, (HiddenSolution, HiddenGame)):
        both: HiddenJointJudgement = solution.judge(policy, batched=batched, normalise=normalise)
        return both.nash_conv
    judged: JointJudgement[Any] = solution.judge(policy, batched=batched, normalise=normalise)
    return judged.nash_conv


class _Options(TypedDict, total=False):
    """The options of `solve` for every game."""

    threads: int | None
    most_states: int
    memory_limit: int | None
    checkpoint: str | os.PathLike[str] | None
    checkpoint_every: float
    progress: Progress


class _LoadOptions(_Options, total=False):
    """Those for games without hidden information."""

    exact: bool
    width: float | None


class _SolveOptions(_LoadOptions, total=False):
    """Those for games without hidden information, and a checkpoint to go on from."""

    resume: str | os.PathLike[str] | None


class _HiddenOptions(_Options, total=False):
    """Those for games with hidden information."""

    resume: str | os.PathLike[str] | None
    gap: float | None
    refinement: Literal["quasi-perfect"] | None
    time_limit: float | None


class _VerifyOptions(TypedDict, total=False):
    """The options of `verify`."""

    most_states: int
    memory_limit: int | None
    progress: Progress


@overload
def solve(game: HiddenGame | HiddenRules, **options: Unpack[_HiddenOptions]) -> HiddenSolution: ...
@overload
def solve(game: _Written, **options: Unpack[_SolveOptions]) -> Solution[str, str]: ...
@overload
def solve(game: ManyRules | ArrayGame, **options: Unpack[_SolveOptions]) -> Solution[Any, int]: ...
@overload
def solve(game: Rules[State, Action], **options: Unpack[_SolveOptions]) -> Solution[State, Action]: ...
def solve(
    game: Any,
    *,
    threads: int | None = None,
    most_states: int = MOST_STATES,
    memory_limit: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    resume: str | os.PathLike[str] | None = None,
    exact: bool = False,
    width: float | None = None,
    gap: float | None = None,
    refinement: Literal["quasi-perfect"] | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
) -> Solution[Any, Any] | HiddenSolution:
    """Solves a game: an object as `Rules` or `ManyRules` describes it, arrays (`from_arrays`), a model (`from_prism`), or a file.

    A game with hidden information is an object as `HiddenRules` describes it, with a method ``observe``, or a `HiddenGame`, that
    `from_efg` and `from_open_spiel` make; its solution is a `HiddenSolution`. A game of OpenSpiel itself is taken as
    `from_open_spiel` takes it.

    An object is asked about every pair of actions of every state once: some 800,000 a second if its methods are quick. Rules
    for many states are twice as fast, arrays four times.

    Parameters
    ----------
    game
        The object, the game of arrays or of a model, or the path of a file of JSON Lines.
    threads
        The number of threads; by default one per processor. It does not affect the result.
    most_states
        A game with more states is rejected as soon as their number is known.
    memory_limit
        The bytes that the game may take while it is solved, besides the states and actions that Python keeps; 8 GiB unless
        given. A game that takes more is rejected while its states are explored, or its file is read.
    checkpoint
        A file in which unfinished work is kept, so that it can be gone on from, also when it is interrupted; in the end it has
        all of the solution. It is a new or empty file, or that of ``resume``: no other file is overwritten.
    checkpoint_every
        The seconds between two checkpoints, at least.
    resume
        A checkpoint of the same game to go on from. An object is asked about again. What the file has is proved anew, and the
        result is identical, byte for byte, to that of an uninterrupted solve.
    exact
        Whether probabilities in floats that do not sum to exactly 1 are refused; otherwise those that do within 1e-9 are divided
        by their sum, and `Solution.normalised` counts them. `from_arrays` has its own.
    width
        The width of bounds, in payoffs, beyond which states to which play can return need not be narrowed; by default they are as
        narrow as numbers allow.
    gap, refinement, time_limit
        Of a game with hidden information alone: see `HiddenGame.solve`. Of the others it takes `threads`, `memory_limit`,
        `checkpoint`, `checkpoint_every`, `resume`, `most_states`, the nodes of the tree, and `progress`.
    progress
        True for bars: of the states that are known so far how many were asked about, and of the work; or a function that is
        called with the share of the work that is done, and with 0 while states are asked about.

    Raises
    ------
    Error
        With the state, for contradictory rules and rejected games, and for a state of which nothing is proved; for a checkpoint
        of another game.
    OSError
        For a checkpoint that cannot be read, or written; at once, where its folder does not exist.
    FileExistsError
        For a checkpoint that would replace another file; at once.
    """
    if callable(getattr(game, "new_initial_state", None)):
        game = from_open_spiel(game, progress=progress)
    if isinstance(game, HiddenGame) or hasattr(game, "observe") and hasattr(game, "turn"):
        others = {"exact": exact or None, "width": width}
        expected = "gap, refinement, time_limit, checkpoint, resume, threads, memory_limit, most_states or progress"
        _check_options(others, "a game with hidden information", expected)
        tree = game if isinstance(game, HiddenGame) else unfold(game, most_nodes=most_states, progress=progress)
        return tree.solve(
            gap=gap,
            refinement=refinement,
            time_limit=time_limit,
            threads=threads,
            memory_limit=memory_limit,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            resume=resume,
            progress=progress,
        )
    _check_options({"gap": gap, "refinement": refinement, "time_limit": time_limit}, "a game without hidden information", "the other options")
    limit = MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit")
    most_states = whole(most_states, "most_states", 1)
    asked: _Asked = (
        0.0 if width is None else float(width),
        None if threads is None else whole(threads, "the number of threads", 1),
        None if checkpoint is None else (os.fspath(checkpoint), seconds(checkpoint_every, "checkpoint_every")),
        # A file that is wrong is refused before states are asked about.
        None if resume is None else _native.StochasticCheckpoint(os.fspath(resume)),
    )
    if checkpoint is not None:
        _native.check_checkpoint(os.fspath(checkpoint), None if resume is None else os.fspath(resume))
    if isinstance(game, _WRITTEN):
        read = _read(game, limit)
        with listening(progress, "solving") as callback:
            return Solution(_native.solve_stochastic_game(read, "copied" if isinstance(game, PrismGame) else "taken", *asked, callback), None)
    if hasattr(game, "after_many"):
        game = explored_many(game, most_states, limit, progress, exact)
    if isinstance(game, ArrayGame):
        if exact and game.normalised:
            raise Error(f"floats of {game.normalised} cells were divided by their sum; expected from_arrays(..., exact=True)")
        with listening(progress, "solving") as callback:
            return Solution(_native.solve_stochastic_game(game.native, "copied", *asked, callback), game)
    with listening(progress, "solving") as callback:
        explored = Explored(game, most_states, progress, exact)
        native: _native.StochasticSolution | _native.MergedSolution
        try:
            found = explored.merged(limit)
            if isinstance(found, _native.RulesTable):
                native = _native.solve_rules_table(found, *asked, limit, callback)
            else:
                native = _native.solve_stochastic_game(found, "taken", *asked, callback)
        except Error as error:
            if error.code == "stochastic_game.checkpoint" and explored.exchange == "merged":
                # It may be one of `unmerged`.
                return _solved_unmerged(game, most_states, exact, limit, progress, asked)
            raise Error(explored.named(str(error))) from None
    solution: Solution[Any, Any] = Solution(native, explored, limit)
    if isinstance(native, _native.MergedSolution):
        # A wrong form would give wrong values.
        solution._check_symmetry(CHECKED_STATES, CHECKED_CELLS)
    return solution


def _solved_unmerged(
    game: Any,
    most_states: int,
    exact: bool,
    memory_limit: int,
    progress: Progress,
    asked: _Asked = (0.0, None, None, None),
) -> Solution[Any, Any]:
    """The solution of rules in which a state and the one with exchanged players are two."""
    with listening(progress, "solving") as callback:
        explored = Explored(game, most_states, progress, exact)
        try:
            native = _native.solve_stochastic_game(explored.native(memory_limit), "taken", *asked, callback)
        except Error as error:
            raise Error(explored.named(str(error))) from None
    return Solution(native, explored, memory_limit)


def _check_options(options: dict[str, Any], game: str, expected: str) -> None:
    """Refuses options that mean nothing for a game."""
    for name, value in options.items():
        if value is not None:
            raise Error(f"{game} takes no `{name}`; expected {expected}")


@overload
def load(path: str | os.PathLike[str], game: _Written, **options: Unpack[_LoadOptions]) -> Solution[str, str]: ...
@overload
def load(path: str | os.PathLike[str], game: ManyRules | ArrayGame, **options: Unpack[_LoadOptions]) -> Solution[Any, int]: ...
@overload
def load(path: str | os.PathLike[str], game: Rules[State, Action], **options: Unpack[_LoadOptions]) -> Solution[State, Action]: ...
def load(path: str | os.PathLike[str], game: Any, **options: Unpack[_LoadOptions]) -> Solution[Any, Any]:
    """The solution that `Solution.save` wrote of a game, proved anew; as ``solve(game, resume=path, ...)``."""
    solution: Solution[Any, Any] = solve(game, resume=path, **options)
    return solution


def _read(game: str | os.PathLike[str] | PrismGame, limit: int) -> _native.StochasticGame:
    if isinstance(game, PrismGame):
        return game.native
    if os.fspath(game).endswith(".efg"):
        raise Error(f"{os.fspath(game)} is a game tree; expected games.from_efg({os.fspath(game)!r})")
    with open(game, "rb", buffering=0) as file:
        return _native.read_game(file, limit)


@overload
def verify(certificate: _Certificate, game: HiddenGame | HiddenRules, **options: Unpack[_VerifyOptions]) -> HiddenProof: ...
@overload
def verify(certificate: _Certificate, game: _Written, **options: Unpack[_VerifyOptions]) -> Proof[str]: ...
@overload
def verify(certificate: _Certificate, game: None = ..., **options: Unpack[_VerifyOptions]) -> Proof[str] | HiddenProof: ...
@overload
def verify(certificate: _Certificate, game: ManyRules | ArrayGame, **options: Unpack[_VerifyOptions]) -> Proof[Any]: ...
@overload
def verify(certificate: _Certificate, game: Rules[State, Any], **options: Unpack[_VerifyOptions]) -> Proof[State]: ...
def verify(
    certificate: _Certificate,
    game: Any = None,
    *,
    most_states: int = MOST_STATES,
    memory_limit: int | None = None,
    progress: Progress = None,
) -> Proof[Any] | HiddenProof:
    """Checks a certificate, without solving anything and without trusting the solver.

    Parameters
    ----------
    certificate
        The bytes of a certificate, or the path of a file that holds them.
    game
        The game that it has to be of: an object as `Rules` describes it, or whatever `solve` takes. A certificate with a digest in
        place of the game can be checked by an object alone; without a game, the certificate's own is taken, also of a game with
        hidden information.
    most_states
        A game with more states, or nodes, is rejected as soon as their number is known.
    memory_limit
        The bytes of the largest file that is read, and of the game; 8 GiB unless given.
    progress
        As in `solve`.

    Raises
    ------
    CertificateError
        When it proves nothing, or not of this game; the message names the state.
    Error
        For rules that are wrong, with the state.
    OSError
        For a file that cannot be read.

    Examples
    --------
    >>> from pencil_tennis import games
    >>> class Once:
    ...     def starts(self):
    ...         return ["start"]
    ...     def turn(self, state):
    ...         return (["heads", "tails"],) * 2 if state == "start" else int(state == "won")
    ...     def after(self, state, a, b):
    ...         return "won" if a == b else "lost"
    >>> certificate = games.solve(Once()).certificate(digest=True)
    >>> games.verify(certificate, Once())["start"]
    0.5 (exactly 1/2)
    """
    if isinstance(game, HiddenGame) or hasattr(game, "observe") and hasattr(game, "turn"):
        tree = game if isinstance(game, HiddenGame) else unfold(game, most_nodes=most_states, progress=progress)
        return verify_hidden(certificate, tree, memory_limit=memory_limit)
    limit = MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit")
    written = certificate if isinstance(certificate, bytes) else read_certificate(certificate, b"{", limit)
    if b'"hidden-game-proof"' in written.split(b"\n", 1)[0]:
        if game is None:
            return verify_hidden(written, memory_limit=memory_limit)
        raise CertificateError("the certificate is of a game with hidden information, the game has none")
    by_digest = b'"digest"' in written.split(b"\n", 1)[0]
    if game is None or isinstance(game, _WRITTEN):
        if by_digest:
            raise CertificateError("the certificate has a digest in place of the game; expected an object with the rules")
        return _verify_explicit(written, game, limit)
    if hasattr(game, "after_many"):
        game = explored_many(game, most_states, limit, progress)
    if isinstance(game, ArrayGame):
        _, starts, values = _native.verify_stochastic_game(written, game.native)
        return Proof(values, game.states, [game.states[place] for place in starts], game)
    explored = Explored(game, most_states, progress)
    try:
        if by_digest:
            values = explored.table(limit).verify(written)
        else:
            values = _native.verify_stochastic_game(written, explored.native(limit))[2]
    except CertificateError as error:
        raise CertificateError(explored.named(str(error))) from None
    return Proof(values, explored.states, explored.starts, explored)


def _verify_explicit(certificate: bytes, game: str | os.PathLike[str] | PrismGame | None, limit: int) -> Proof[str]:
    """Checks a certificate that has the game in it; states have their names there."""
    if game is None:
        names, starts, values = _native.verify_stochastic_game(certificate, None)
    else:
        names, starts, values = _native.verify_stochastic_game(certificate, _read(game, limit))
    return Proof(values, names, [names[place] for place in starts], None)
