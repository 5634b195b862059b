"""Games of OpenSpiel as rules, and those of imperfect information as trees."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any, Literal

from pencil_tennis._game import seconds as as_seconds
from pencil_tennis._native import Error
from pencil_tennis._progress import Progress
from pencil_tennis._shares import Number, distribution
from pencil_tennis.games._hidden import MOST_NODES, HiddenGame, HiddenSolution, Side, divided, unfolded
from pencil_tennis.games._rules import Kind


class OpenSpielGame:
    """A game of OpenSpiel as `Rules`. Made by `from_open_spiel`; states are identified by ``key``."""

    def __init__(
        self,
        game: Any,
        key: Callable[[Any], Hashable] | None,
        kind: Kind,
        discount: Number,
        endless: Any,
        seconds: float | None,
    ) -> None:
        self.game, self.kind, self._seconds = game, kind, seconds
        self.normalised = 0
        """The nodes of chance whose probabilities stand for no simple fractions, and were divided by their sum."""
        self._begun = 0.0
        self._asked = set[Hashable]()
        self._horizon = int(game.get_parameters().get("horizon", 0))
        # With a horizon, a state is another one a turn later; where play can return, there is no horizon.
        self.key = key or (_with_turn if self._horizon and kind == "acyclic" else str)
        if kind == "discounted":
            self.discount = discount
        if kind == "recursive":
            self.endless = (lambda key: endless(self.states[key])) if callable(endless) else (lambda key: endless)
        information = game.get_type()
        self._on_the_way = str(information.reward_model).rpartition(".")[2] == "REWARDS"
        self.states: dict[Hashable, Any] = {}
        """OpenSpiel's states by their keys, the first that was found of each; no ends."""
        self._turns: dict[Hashable, Any] = {}
        self._cells: dict[Any, tuple[dict[Hashable, Fraction], Fraction]] = {}
        first = game.new_initial_state()
        self._begin = self._outcomes(first, first)[0]

    def starts(self) -> dict[Hashable, Fraction]:
        """The first states with their probabilities: more than one where chance moves first."""
        self._begun = time.monotonic()
        return self._begin

    def turn(self, state: Hashable) -> Any:
        """The actions by OpenSpiel's numbers, or the payoff of the first player."""
        if state not in self._asked:
            if self._seconds is not None and time.monotonic() - self._begun > self._seconds:
                known = f"after {self._seconds:g} seconds {len(self.states)} states are known, {len(self._asked)} of which were asked about"
                expected = "expected smaller parameters of the game, a `key` that merges more states, or larger `seconds`"
                texts = {key[0] for key in self.states if isinstance(key, tuple)}
                if self.key is _with_turn and len(texts) < len(self.states):
                    merged = f"only {len(texts)} differ but for the number of moves"
                    expected = f"{merged}, and kind=\"recursive\" takes those for one where play can return; else {expected}"
                raise Error(f"{self.game} is large: {known}; {expected}")
            self._asked.add(state)
        return self._turns[state]

    def after(self, state: Hashable, a: int, b: int) -> dict[Hashable, Fraction]:
        """The states that follow; chance is played out, so that no state is one of chance."""
        return self._cell(state, a, b)[0]

    def reward(self, state: Hashable, a: int, b: int) -> Fraction:
        """The first player's mean reward on the way, in games that have rewards."""
        return self._cell(state, a, b)[1]

    def policy(self, policy: Any) -> Callable[[Hashable, Literal["A", "B"]], dict[int, float]]:
        """A policy of OpenSpiel for this game, as `nash_conv` takes it, after the game was solved.

        `Solution.judge` takes one player's part of it, ``lambda state: policy(state, "A")``. OpenSpiel is asked about the first
        state that was found with this key.
        """

        def part(state: Hashable, player: Literal["A", "B"]) -> dict[int, float]:
            probabilities: dict[int, float] = policy.action_probabilities(self.states[state], "AB".index(player))
            return probabilities

        return part

    def check_key(self, states: int = 100) -> int:
        """Looks for mistakes of ``key`` once the game was solved, and returns how many states were looked at.

        Compares the successors of states reached by random play with those of the first state with an equal key.

        Raises
        ------
        Error
            With a key of two states that are unlike.
        """
        drawn, seen = random.Random(1), set[str]()
        state = self.game.new_initial_state()
        for _ in range(16 * states):
            if len(seen) == states:
                break
            if state.is_terminal():
                state = self.game.new_initial_state()
            elif state.is_chance_node():
                state.apply_action(drawn.choice([action for action, _ in state.chance_outcomes()]))
            else:
                key = self.key(state)
                if (history := str(state.history())) not in seen:
                    seen.add(history)
                    self._compare(key, state)
                state = _played(state, *(drawn.choice(actions) for actions in self._turns[key]))
        return len(seen)

    def _compare(self, key: Hashable, state: Any) -> None:
        for a, b in product(*self._turns.get(key, ((0,), (0,)))):
            if key not in self.states or self._outcomes(state, _played(state, a, b)) != self._cell(key, a, b):
                expected = "expected one that tells more"
                raise Error(f"`key` takes two states for one after which play differs, {key!r:.200}; {expected}")

    def _cell(self, state: Hashable, a: int, b: int) -> tuple[dict[Hashable, Fraction], Fraction]:
        if (state, a, b) not in self._cells:
            self._cells.clear()
            self._cells[state, a, b] = self._outcomes(self.states[state], _played(self.states[state], a, b))
        return self._cells[state, a, b]

    def _outcomes(self, before: Any, state: Any) -> tuple[dict[Hashable, Fraction], Fraction]:
        """The states that follow without a choice, by their keys, and the mean reward from a state before until then.

        It is the difference of the returns: `laser_tag` repeats its `rewards` at the states of chance that follow.
        """
        reward = Fraction(0)
        if not state.is_chance_node():
            if self._on_the_way:
                reward = Fraction(state.returns()[0]) - Fraction(before.returns()[0])
            return {self._enter(state): Fraction(1)}, reward
        shares, is_normalised = _shares(state.chance_outcomes())
        self.normalised += is_normalised
        follow: dict[Hashable, Fraction] = {}
        for action, share in shares:
            child = state.clone()
            child.apply_action(action)
            keys, later = self._outcomes(before, child)
            reward += share * later
            for key, part in keys.items():
                follow[key] = follow.get(key, Fraction(0)) + share * part
        return follow, reward

    def _enter(self, state: Any) -> Hashable:
        if state.is_terminal():
            if self.kind != "acyclic" and 0 < self._horizon <= state.move_number():
                raise Error(f"play comes to the horizon of {self._horizon} turns; expected a larger one where play can return")
            value = Fraction(0) if self._on_the_way else Fraction(state.returns()[0])
            self._turns["over", value] = value
            return "over", value
        if state.is_simultaneous_node():
            turn = tuple(state.legal_actions(0)), tuple(state.legal_actions(1))
        else:
            actions = tuple(state.legal_actions())
            turn = (actions, (0,)) if state.current_player() == 0 else ((0,), actions)
        key = self.key(state)
        if self._turns.setdefault(key, turn) != turn:
            raise Error(f"`key` takes two states for one whose legal actions differ, {key!r:.200}; expected one that tells more")
        if key not in self.states:
            self.states[key] = state.clone()
        return key


def _check_zero_sum(game: Any) -> None:
    if game.num_players() != 2 or str(game.get_type().utility).rpartition(".")[2] != "ZERO_SUM":
        hint = "; expected the parameter zero_sum=True" if game.get_parameters().get("zero_sum") is False else ""
        raise Error(f"{game} is no zero-sum game of two players{hint}")


def _is_hidden(game: Any) -> bool:
    return str(game.get_type().information).rpartition(".")[2] == "IMPERFECT_INFORMATION"


class OpenSpielTree(HiddenGame):
    """A game of OpenSpiel of imperfect information, as a tree. Made by `from_open_spiel`.

    Information sets are named by OpenSpiel's information-state strings; actions are known by OpenSpiel's numbers, or by their names
    there.
    """

    def __init__(self, game: Any, most_nodes: int, seconds: float | None, progress: Progress) -> None:
        self.game = game
        """OpenSpiel's game."""
        self.states: dict[tuple[str, str], Any] = {}
        """OpenSpiel's states by player and information-state string, the first that was found of each."""
        self._normalised = 0
        self._seconds, self._begun = seconds, time.monotonic()
        self._visited = 0
        self._found: dict[Side, dict[str, list[int]]] = {"A": {}, "B": {}}
        native = unfolded(self._visit, (game.new_initial_state(), None), most_nodes, progress)
        super().__init__(native, self._found, divided(self._normalised))

    def policy(self, policy: Any) -> Callable[[str, Side], dict[int, float]]:
        """A policy of OpenSpiel for this game, as `judge` takes it."""

        def part(information_set: str, player: Side) -> dict[int, float]:
            state = self.states[player, information_set]
            probabilities: dict[int, float] = policy.action_probabilities(state, _SIDES.index(player))
            return probabilities

        return part

    def tabular(self, solution: HiddenSolution) -> Any:
        """The strategies of a solution as OpenSpiel's ``TabularPolicy``."""
        table = import_module("open_spiel.python.policy").TabularPolicy(self.game)
        for strategies in solution.policy().values():
            for name, strategy in strategies.items():
                row = table.policy_for_key(name)
                row[:] = 0.0
                for action, share in strategy.items():
                    row[action] = share
        return table

    def _visit(self, place: tuple[Any, int | None]) -> Any:
        """The parts of the node of a state; or of B's part of a simultaneous move, of which A's action is given."""
        self._visited += 1
        if self._seconds is not None and self._visited % 1024 == 0 and time.monotonic() - self._begun > self._seconds:
            known = f"after {self._seconds:g} seconds {self._visited} nodes are known"
            raise Error(f"{self.game} is large: {known}; expected smaller parameters of the game, or larger `seconds`")
        state, first = place
        if first is not None:
            actions = state.legal_actions(1)
            return self._decision(state, 1, actions, [(_played(state, first, action), None) for action in actions])
        if state.is_terminal():
            return (Fraction(state.returns()[0]),)
        if state.is_chance_node():
            shares, is_normalised = _shares(state.chance_outcomes())
            self._normalised += is_normalised
            return [share for _, share in shares], [(state.child(action), None) for action, _ in shares]
        if state.is_simultaneous_node():
            actions = state.legal_actions(0)
            return self._decision(state, 0, actions, [(state, action) for action in actions])
        actions = state.legal_actions()
        return self._decision(state, state.current_player(), actions, [(state.child(action), None) for action in actions])

    def _decision(self, state: Any, player: int, actions: list[int], successors: list[Any]) -> Any:
        side = _SIDES[player]
        name = state.information_state_string(player)
        self._found[side].setdefault(name, actions)
        self.states.setdefault((side, name), state)
        return side, name, [state.action_to_string(player, action) for action in actions], successors


_SIDES: tuple[Side, Side] = ("A", "B")


def _played(state: Any, a: int, b: int) -> Any:
    """The successors of a state or of a chance node."""
    child = state.clone()
    if child.is_simultaneous_node():
        child.apply_actions([a, b])
    else:
        child.apply_action(a if child.current_player() == 0 else b)
    return child


def _with_turn(state: Any) -> Hashable:
    return str(state), state.move_number()


def _shares(outcomes: list[tuple[int, float]]) -> tuple[list[tuple[int, Fraction]], bool]:
    """Probabilities as the simple fractions that the doubles stand for; where they stand for none, by the rule for floats."""
    shares = [(action, Fraction(share).limit_denominator(1_000_000)) for action, share in outcomes]
    missed = max(abs(simple - given) for (_, simple), (_, given) in zip(shares, outcomes, strict=True))
    if missed <= 1e-12 and sum(share for _, share in shares) == 1:
        return shares, False
    normalised = distribution(dict(outcomes), "the probabilities of a node of chance", exact=False)[0]
    units = 2**60
    parts = [round(share * units) for share in normalised]
    parts[parts.index(max(parts))] += units - sum(parts)
    return [(action, Fraction(part, units)) for (action, _), part in zip(outcomes, parts, strict=True)], True


def from_open_spiel(
    game: Any,
    key: Callable[[Any], Hashable] | None = None,
    *,
    kind: Kind = "acyclic",
    discount: Number = "9/10",
    endless: Number | Callable[[Any], Number] = 0,
    seconds: float | None = 30.0,
    most_nodes: int = MOST_NODES,
    progress: Progress = None,
) -> OpenSpielGame | OpenSpielTree:
    """A zero-sum game of two players of OpenSpiel, to be given to `solve`.

    Of a game of imperfect information it is the tree (`OpenSpielTree`); of others, also with simultaneous moves, the rules.

    Parameters
    ----------
    game
        The game as ``pyspiel.load_game`` gives it, or what that takes: ``"matrix_rps"``.
    key
        The identity of a state: states with equal keys are one. Unless given it is `str`, and in acyclic games with a horizon
        the text and the number of moves so far, since the text does not say how many are left. A key of one's own can do better:
        `str` where the horizon is never reached; or one that leaves out the order in which cards were played. Nothing is proved
        of a key that takes unlike states for one: those whose legal actions differ are refused, and `OpenSpielGame.check_key`
        looks for others. It is not asked about states of chance, whose texts leave out the actions that are pending: chance is
        played out at once.
    kind
        "acyclic"; "discounted", "stopping" or "recursive" where a key can recur. Then there is no horizon:
        a game is rejected if play can reach it within as many moves as the farthest state is away from the start.
    discount
        Of a discounted game.
    endless
        The first player's payoff of infinite plays in a recursive game: a number, or a function of the state, as OpenSpiel
        has it, that is repeated.
    seconds
        The seconds for which states may be asked about; then an Error says how many there are so far. None for no limit.
    most_nodes, progress
        Of a game of imperfect information, whose tree is made at once: the nodes that it may have, and as in `solve`. It has
        no `key`, `kind` and `discount`.

    Notes
    -----
    Payoffs are OpenSpiel's: with ``returns_type=point_difference``, Goofspiel pays half of the difference of the points.
    OpenSpiel answers some 90,000 joint actions a second, and fewer where chance follows. How many states there are turns out only
    while they are asked about: ``progress=True`` of `solve` shows how many are known so far, and how long those will take.
    Of a game that begins with chance, ``solution.value`` and `nash_conv` are means over the first states.
    """
    if isinstance(game, str):
        try:
            game = import_module("pyspiel").load_game(game)
        except ImportError as error:
            raise ImportError("games of OpenSpiel need the package open_spiel: pip install open_spiel") from error
        except Exception as error:
            raise Error(f"OpenSpiel does not load {game!r:.200}: {str(error).splitlines()[0]:.200}") from None
    if not hasattr(game, "new_initial_state"):
        raise TypeError(f"{game!r:.80} is no game of OpenSpiel; expected its name, or what pyspiel.load_game gives")
    _check_zero_sum(game)
    limit = None if seconds is None else as_seconds(seconds, "seconds")
    if not _is_hidden(game):
        return OpenSpielGame(game, key, kind, discount, endless, limit)
    if key is not None or kind != "acyclic":
        what = "key" if key is not None else f"kind={kind!r}"
        raise Error(f"{game} is of imperfect information, and is solved as a tree; expected no `{what}`")
    if not game.get_type().provides_information_state_string:
        raise Error(f"{game} has no information-state strings, which name information sets; expected a game that has them")
    return OpenSpielTree(game, most_nodes, limit, progress)
