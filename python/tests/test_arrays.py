"""Games as arrays and as rules for many states, kept solutions, and what is wrong with either."""

from __future__ import annotations

import copy
import json
import pickle
import struct
import time
import zlib
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import _native, games
from pencil_tennis.games._arrays import compressed, uncompressed

HALF = Fraction(1, 2)


class Walk:
    """Rounds of a 3×3 game over two random successors, with rewards."""

    def __init__(self, rounds: int = 4, states: int = 23) -> None:
        self.rounds, self.wide = rounds, states

    def starts(self) -> Any:
        return [(self.rounds, 0)]

    def turn(self, state: Any) -> Any:
        return ((0, 1, 2), (0, 1, 2)) if state[0] else state[1] % 7

    def after(self, state: Any, a: int, b: int) -> Any:
        rounds, x = state
        first, second = (3 * x + a + 2 * b) % self.wide, (5 * x + 7 * a * b + 1) % self.wide
        return {(rounds - 1, first): Fraction(1, 4), (rounds - 1, self.wide + second): Fraction(3, 4)}

    def reward(self, state: Any, a: int, b: int) -> Fraction:
        return Fraction((a - b) * state[1], 3)


class ManyWalk(Walk):
    """The same, for many states at once."""

    def starts(self) -> Any:
        return [[self.rounds, 0]]

    def turn_many(self, states: Any) -> Any:
        going = states[:, :1] > 0
        return np.where(going, 3, 0) * np.ones(2, np.int64), states[:, 1] % 7

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        rounds, x = states.T
        first, second = (3 * x + a + 2 * b) % self.wide, (5 * x + 7 * a * b + 1) % self.wide
        rows = np.stack([np.stack([rounds - 1, first]), np.stack([rounds - 1, self.wide + second])])
        rewards = np.array([Fraction(int(r), 3) for r in (a - b) * x], object)
        return rows.transpose(2, 0, 1), np.full((len(a), 2), [1, 3]), rewards


def written(rules: Any, path: Path) -> Path:
    """The game as a file, by code that shares nothing with the package."""
    lines = [{"format": "stochastic-game", "version": 1, "kind": "acyclic", "start": [str(rules.starts()[0])]}]
    known = rules.starts()
    for state in known:
        turn = rules.turn(state)
        if not isinstance(turn, tuple):
            lines.append({"id": str(state), "value": str(turn)})
            continue
        cells: list[Any] = []
        for a in turn[0]:
            cells.append([])
            for b in turn[1]:
                after = rules.after(state, a, b)
                known += [following for following in after if following not in known]
                to = [[str(share), str(following)] for following, share in after.items()]
                cells[-1].append({"reward": str(rules.reward(state, a, b)), "to": to})
        lines.append({"id": str(state), "a": [*map(str, turn[0])], "b": [*map(str, turn[1])], "cells": cells})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def bounds(solution: Any) -> list[tuple[Fraction, Fraction]]:
    return [(value.lower, value.upper) for value in solution.values()]


def as_arrays(rules: Any, solution: Any) -> dict[str, Any]:
    """The arrays of rules, by the states that a solution lists."""
    number = {state: place for place, state in enumerate(solution)}
    sizes, values, pointers, targets, weights, rewards = [], [], [0], [], [], []
    for state in solution:
        turn = rules.turn(state)
        sizes.append([len(turn[0]), len(turn[1])] if isinstance(turn, tuple) else [0, 0])
        values.append(0 if isinstance(turn, tuple) else turn)
        for a in turn[0] if isinstance(turn, tuple) else ():
            for b in turn[1]:
                for following, share in rules.after(state, a, b).items():
                    targets.append(number[following])
                    weights.append(share)
                pointers.append(len(targets))
                rewards.append(rules.reward(state, a, b))
    return {"actions": sizes, "values": values, "transitions": (pointers, targets, weights), "rewards": rewards}


def test_all_doors_lead_to_the_same_bounds(tmp_path: Path) -> None:
    rules = Walk()
    solution = games.solve(rules)
    # By text, whose states are found in the same order.
    assert bounds(games.solve(written(rules, tmp_path / "walk.jsonl"))) == bounds(solution)
    arrays = as_arrays(rules, solution)
    game = games.from_arrays(**arrays)
    assert bounds(games.solve(game)) == bounds(solution) == bounds(games.solve(game, threads=2))
    many = games.solve(ManyWalk())
    assert bounds(many) == bounds(solution) and list(many) == list(solution) and many[3, 2] == solution[3, 2]
    pointers, targets, weights = arrays["transitions"]
    dense = np.reshape(targets, (-1, 2)), np.reshape([4 * weight for weight in weights], (-1, 2)).astype(int)
    own, cells = (arrays["actions"], arrays["values"]), len(pointers) - 1
    doubles = games.from_arrays(*own, (pointers, targets, np.array(weights, float)), [0.5] * cells)
    assert bounds(games.solve(doubles)) == bounds(games.solve(games.from_arrays(*own, dense, [HALF] * cells)))
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix((np.array(weights, float), targets, pointers))
    assert bounds(games.solve(games.from_arrays(arrays["actions"], arrays["values"], matrix, arrays["rewards"]))) == bounds(solution)
    certificate = games.solve(game).certificate()
    assert bounds(games.verify(certificate, game)) == bounds(solution)
    with pytest.raises(pt.CertificateError, match="another game"):
        games.verify(certificate, games.from_arrays(**arrays | {"values": [1] * len(solution)}))


def test_doubles_are_rounded_as_it_says() -> None:
    once = {"actions": [[1, 1], [0, 0], [0, 0]], "values": [0.0, 0.1, -0.3]}
    third = games.solve(games.from_arrays(transitions=([0, 2], [1, 2], [1 / 3, 2 / 3]), **once)).value
    first, second = Fraction(1 / 3), Fraction(2 / 3)
    weight = Fraction(round(first / (first + second) * 2**60), 2**60)
    assert weight * Fraction(0.1) + (1 - weight) * Fraction(-0.3) in third
    exact = games.from_arrays([[1, 1], [0, 0], [0, 0]], [0, 1, -1], ([0, 2], [1, 2], [1, 2]), [Fraction(1, 7)])
    assert Fraction(1, 7) - Fraction(1, 3) in games.solve(exact).value
    tiny = games.solve(games.from_arrays(transitions=([0, 2], [1, 2], [1e-6, 1 - 1e-6]), **once, rewards=[1e-5])).value
    assert abs(tiny - (1e-5 + 1e-7 - 0.3 * (1 - 1e-6))) < 1e-15
    discounted = games.from_arrays([[1, 1]], [0], ([0, 1], [0], [1.0]), [0.5], kind="discounted", discount="9/10")
    assert 5 in games.solve(discounted).value
    recursive = games.from_arrays([[1, 1]], [3], ([0, 1], [0], [1]), kind="recursive")
    assert 3 in games.solve(recursive).value


GOOD: dict[str, Any] = {"actions": [[2, 1], [0, 0]], "values": [0, 1], "transitions": ([0, 1, 2], [1, 1], [1, 1]), "rewards": [0, 0]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"values": [0]}, "1 values of 2 states"),
        ({"values": [0, float("nan")]}, "state 1: NaN is no finite number"),
        ({"values": [0, "x"]}, "a value .number 0|a value .number 1. is 'x'"),
        ({"values": [0, 2**70]}, "more than 63 bits"),
        ({"values": [0, 2**62 + 2**61]}, "state `1`"),
        ({"actions": [[2, 0], [0, 0]]}, "state 0: 2 and 0 actions are not possible"),
        ({"actions": [[-1, -1], [0, 0]]}, "state 0: -1 and -1 actions"),
        ({"actions": [[2**40, 2**40], [0, 0]]}, "3 row pointers of 1208925819614629174706176 cells"),
        ({"actions": [[2, 1, 3]]}, "3 columns"),
        ({"actions": [2, 1]}, "expected integers in 2 dimensions"),
        ({"actions": [[2.5, 1], [0, 0]]}, "expected integers in 2 dimensions, but found float64"),
        ({"actions": [], "values": [], "transitions": ([0], [], []), "rewards": []}, "expected integers in 2 dimensions"),
        ({"actions": np.zeros((0, 2)), "values": [], "transitions": ([0], [], []), "rewards": []}, "the start 0 is no state"),
        ({"transitions": ([0, 1], [1], [1])}, "2 row pointers of 2 cells; expected 3"),
        ({"transitions": ([], [], [])}, "0 row pointers"),
        ({"transitions": ([0, 2, 1], [1, 1], [1, 1])}, "do not rise from 0 to 2"),
        ({"transitions": ([1, 1, 2], [1, 1], [1, 1])}, "do not rise from 0 to 2"),
        ({"transitions": ([0, 0, 2], [1, 1], [1, 1])}, "state 0: 0 against 0: there is no successor"),
        ({"transitions": ([0, 1, 2], [1, -1], [1, 1])}, "state 0: 1 against 0: the successor -1 is no state; expected 0 to 1"),
        ({"transitions": ([0, 1, 2], [1, 2], [1, 1])}, "the successor 2 is no state"),
        ({"transitions": ([0, 1, 2], [1, 1], [1])}, "1 probabilities of 2 successors"),
        ({"transitions": ([0, 1, 2], [1, 1], [1, -1])}, "state 0: 1 against 0: the weight -1 is negative"),
        ({"transitions": ([0, 1, 2], [1, 1], [0, 1])}, "state 0: 0 against 0: the weights sum to 0"),
        ({"transitions": ([0, 1, 2], [1, 1], [1.0, float("nan")])}, "1 against 0: NaN is no probability"),
        ({"transitions": ([0, 1, 2], [1, 1], [1.0, 0.9])}, "1 against 0: the probabilities sum to 0.9; expected exactly 1 .*, or integer weights"),
        ({"transitions": ([0, 1, 3], [1, 0, 1], [1.0, 1e-30, 1.0])}, "1 against 0: the probability 0.0*1 is below"),
        ({"transitions": ([0, 1, 3], [1, 1, 1], [1, 2**62, 2**62])}, "more than 63 bits"),
        ({"transitions": ([0, 1, 2], [1, 0], [1, 1])}, "state `0`: play can return"),
        ({"transitions": "nothing"}, "no sparse matrix"),
        ({"transitions": ([[1], [1]], [[1]])}, "the weights have the shape"),
        ({"rewards": [0]}, "1 rewards of 2 cells"),
        ({"rewards": [0, float("inf")]}, "state 0: 1 against 0: the reward inf is no finite number"),
        ({"starts": [5]}, "the start 5 is no state; expected 0 to 1"),
        ({"starts": []}, "no start"),
        ({"starts": 5}, "the starts are 5; expected a list"),
        ({"starts": count()}, "more than 2 starts"),
        ({"starts": {0: 0.5}}, "the probabilities of the starts sum to 0.5; expected exactly 1"),
        ({"kind": None}, "there is no kind of game like that"),
        ({"kind": "discounted"}, "has a discount"),
        ({"discount": "1/2"}, "expected kind `discounted`"),
        ({"memory_limit": 100}, "above the limit of"),
    ],
)  # fmt: skip
def test_arrays_that_are_no_game_are_refused(wrong: dict[str, Any], message: str) -> None:
    games.from_arrays(**GOOD)
    with pytest.raises(pt.Error, match=message):
        games.from_arrays(**GOOD | wrong)


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("turn_many", lambda states: states, "`turn_many` gives no pair"),
        ("turn_many", lambda states: (states[:1, :1], states[:, 0]), "`turn_many` gives the shape"),
        ("after_many", lambda states, a, b: states[:1], "`after_many` gives rows of the shape"),
        ("after_many", lambda states, a, b: states + 0.5, "a state that follows: expected integers"),
        ("after_many", lambda states, a, b: states, "play can return"),
        ("starts", lambda: np.zeros((0, 2), int), "the starts have the shape .0, 2."),
        ("starts", lambda: [[]], "the starts have the shape .1, 0."),
        ("turn_many", lambda states: (states * 0 + 2**62, states[:, 0]), "cells of 1 states would take .* above the limit"),
        ("turn_many", lambda states: (states * 0 + 1, None), "values of the shape"),
    ],
)
def test_rules_for_many_states_that_are_wrong_are_refused(method: str, answer: Any, message: str) -> None:
    rules = ManyWalk()
    setattr(rules, method, answer)
    with pytest.raises(pt.Error, match=message):
        games.solve(rules)
    with pytest.raises(pt.Error, match="more than 5 states"):
        games.solve(ManyWalk(), most_states=5)
    endless = ManyWalk()
    endless.turn_many = lambda states: (states * 0 + 1, states[:, 0])  # type: ignore[method-assign]
    endless.after_many = lambda states, a, b: states + 1  # type: ignore[method-assign]
    with pytest.raises(pt.Error, match="would take .* bytes of memory, above the limit of 100000"):
        games.solve(endless, memory_limit=100_000)


def test_solutions_are_kept(tmp_path: Path) -> None:
    rules = Walk()
    for game in (rules, ManyWalk(), games.from_arrays(**GOOD), written(rules, tmp_path / "walk.jsonl")):
        solution = games.solve(game)
        path = tmp_path / "solution"
        solution.save(path)
        kept = [games.load(path, game), copy.deepcopy(solution)]
        if not isinstance(game, games.ArrayGame):
            kept.append(pickle.loads(pickle.dumps(solution)))
        for again in kept:
            assert bounds(again) == bounds(solution) and list(again) == list(solution) and again.value == solution.value
            state = next(iter(solution))
            assert again.strategies(state) == solution.strategies(state)
    solution.save(path)
    with pytest.raises(pt.Error, match="another game"):
        games.load(path, Walk(5))
    path.write_bytes(path.read_bytes()[:-3] + b"abc")
    with pytest.raises(pt.Error, match="checkpoint"):
        games.load(path, rules)
    with pytest.raises(OSError, match="nowhere"):
        solution.save(tmp_path / "nowhere" / "solution")
    arrays = pickle.loads(pickle.dumps(games.solve(games.from_arrays(**GOOD))))
    assert 1 in arrays[0] and arrays.strategies(0)[1] == {0: 1.0}


def test_policies_are_arrays_both_ways() -> None:
    solution = games.solve(Walk())
    policy = solution.policy()
    a, b = policy.array("A"), policy.array("B")
    assert a.shape == (len(solution), 3) and set(a.sum(axis=1).round(12)) == {0.0, 1.0}
    for place, state in enumerate(solution):
        for table, strategy in zip((a, b), solution.strategies(state), strict=True):
            assert {action: share for action, share in enumerate(table[place].tolist()) if share} == strategy
    for player, table in (("A", a), ("B", b)):
        by_array = solution.judge(player, table)  # type: ignore[arg-type]
        by_name = solution.judge(player, lambda state, player=player: policy(state, player))  # type: ignore[arg-type]
        assert by_array.worth == by_name.worth == solution.judge(player, policy).worth  # type: ignore[arg-type]
    assert games.nash_conv(solution, policy) < 1e-12
    uniform = np.where(a.sum(axis=1, keepdims=True) > 0, 1 / 3, 0) * np.ones(3)
    assert solution.judge("A", uniform).value <= solution.value
    for wrong, message in [
        (a.astype(complex), "complex128"),
        (a.astype(str), "expected numbers"),
        (a[:-1], "rows; expected one for each"),
        (a[0], "of the shape .states, actions."),
        (np.ones((len(a), 4)) / 4, "state .*: A's policy: the probabilities sum to 0.75; expected 1"),
        (a * np.nan, "NaN"),
        (-a, "negative"),
    ]:
        with pytest.raises(pt.Error, match=message):
            solution.judge("A", wrong)
    frame = solution.strategy_frame()
    assert len(frame["state"]) == len(frame["probability"]) and set(frame["player"]) == {"A", "B"}
    assert list(solution.frame()) == ["state", "value", "lower", "upper"]


class Simple:
    """A game that tests make wrong."""

    def __init__(self, **wrong: Any) -> None:
        self.__dict__.update(wrong)

    def starts(self) -> Any:
        return ["s"]

    def turn(self, state: str) -> Any:
        return (["x"], ["y"]) if state == "s" else 1

    def after(self, state: str, a: str, b: str) -> Any:
        return "t"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": None}, "the kind is None, but there is no kind"),
        ({"kind": 3}, "the kind is 3"),
        ({"starts": lambda: count()}, "there are more than 100 starts"),
        ({"starts": lambda: 5}, "the starts are 5; expected a list"),
        ({"starts": lambda: "start"}, "the starts are 'start'; expected a list"),
        ({"starts": lambda: {"s": "1e999999999"}}, "the probability of 's'"),
        ({"turn": lambda state: (count(), [1])}, "state 's': there are more than"),
        ({"turn": lambda state: (range(4000), range(4000))}, "state 's': 4000 times 4000 cells would take"),
        ({"turn": lambda state: (5, [1])}, "state 's': 5 are no actions"),
        ({"turn": lambda state: ["x", "y"]}, "`turn` gives the list .* at 's'; expected a tuple"),
        ({"turn": lambda state: (["\ud800"], ["y"])}, "state 's': the name of the action .* is no text in Unicode"),
        ({"after": lambda *_: [("t",)]}, r"`after` gives \[\('t',\)\] at 's', 'x' against 'y'; expected pairs"),
        ({"after": lambda *_: ["tt"]}, r"`after` gives \['tt'\] at 's', 'x' against 'y'; expected pairs"),
        ({"after": lambda *_: [("t", 1, 2)]}, "expected pairs"),
        ({"after": lambda *_: []}, "state 's': .*sum to 0"),
        ({"after": lambda *_: {"t": None}}, "a probability at 's' is None"),
        ({"after": lambda *_: {"t": 1.5, "u": -0.5}}, "state 's'.*negative"),
        ({"reward": lambda *_: "much"}, "the reward at 's' is 'much'"),
        ({"reward": lambda *_: 10**400}, "state 's'.*reward"),
        ({"canonical": lambda state: state}, "`canonical` gives 's' at 's'; expected a pair"),
        ({"kind": "recursive", "endless": lambda state: None}, "what endless play pays at 's' is None"),
        ({"after": lambda s, a, b: f"{s}s"}, "more than 100 states"),
    ],
)
def test_the_state_is_named(wrong: dict[str, Any], message: str) -> None:
    if message == "more than 100 states":
        wrong = wrong | {"turn": lambda state: (["x"], ["y"])}
    with pytest.raises(pt.Error, match=message):
        games.solve(Simple(**wrong), most_states=100, memory_limit=1 << 30)


def test_names_with_bars_lines_and_quotes_are_names() -> None:
    names = ["a|b", "a\nb", "`", '"', "\x00", "state `0`", "é"]
    solution = games.solve(Simple(turn=lambda state: (names, names) if state == "s" else 1))
    assert solution.strategies("s")[0] and 1 in solution.value
    assert games.verify(solution.certificate())["0"] == 1
    with pytest.raises(pt.Error, match=r"state 's\|\\n'"):
        games.solve(Simple(starts=lambda: ["s|\n"], turn=lambda state: (["x"], ["y"]), after=lambda s, a, b: s))


@pytest.mark.parametrize("wrong", [{"most_states": 0}, {"most_states": -1}, {"memory_limit": -1}, {"threads": 0}])
def test_limits_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(pt.Error, match=next(iter(wrong)) if "threads" not in wrong else "the number of threads"):
        games.solve(Simple(), **wrong)


def test_a_path_is_read_within_the_limit(tmp_path: Path) -> None:
    if Path("/dev/zero").exists():
        with pytest.raises(pt.Error, match="the line has more than 1048576 bytes"):
            games.solve("/dev/zero", memory_limit=1 << 20)
        for verify in (games.verify, pt.verify):
            with pytest.raises(pt.CertificateError, match="/dev/zero does not begin as a certificate does"):
                verify("/dev/zero")
    certificate = tmp_path / "large.proof"
    certificate.write_bytes(b"{" + b" " * (3 << 20))
    with pytest.raises(pt.Error, match="large.proof has more than 1048576 bytes"):
        games.verify(certificate, memory_limit=1 << 20)
    long = tmp_path / "long"
    long.write_text("{" + " " * (1 << 21))
    with pytest.raises(pt.Error, match="line 1: the line has more than 1048576 bytes"):
        games.solve(long, memory_limit=1 << 20)


def test_the_native_part_refuses_indices(tmp_path: Path) -> None:
    native = games.solve(Walk(1))._native
    for call in (native.value, native.actions, native.strategies):
        for index in (10**6, 2**63):
            with pytest.raises((pt.Error, OverflowError)):
                call(index)
        with pytest.raises((pt.Error, OverflowError)):
            call(-1)
    with pytest.raises(pt.Error, match="player"):
        native.policy("C")
    for probabilities in ([[(9, Fraction(1))]], [[(0, Fraction(1))]] * 99, [[(2**40, Fraction(1))]]):
        with pytest.raises(pt.Error):
            native.judge("A", probabilities, None)
    for columns in (0, 2**63 - 1):
        with pytest.raises(pt.Error, match="expected 1 to "):
            _native.RowNumbers(columns)
    rows = _native.RowNumbers(2)
    assert rows.find([1, 2]) is None and rows.rows(5).shape == (0, 2)
    with pytest.raises(pt.Error, match="3 numbers; expected 2"):
        rows.number(np.zeros((1, 3), np.int64))
    with pytest.raises(pt.Error, match="no state `99`"):
        _native.Explorer(Simple(), 10, "merged").table("acyclic", Fraction(1), [(99, False)], 1 << 30, None)
    explorer = _native.Explorer(Simple(), 10, "apart")
    with pytest.raises(pt.Error, match="unknown|99"):
        explorer.game("acyclic", None, [99], 1 << 30, None)


def test_things_that_are_no_game_or_policy_are_named() -> None:
    solution = games.solve(Simple())
    wrong: list[tuple[Any, str]] = [
        (lambda: games.solve(Simple), "Simple is a class; expected an object of it"),
        (lambda: solution.judge("A", 5), "5 is no policy"),
        (lambda: games.nash_conv(solution, 5), "5 is no policy"),
        (lambda: games.solve(Simple(), checkpoint="checkpoint", checkpoint_every="soon"), "checkpoint_every is 'soon'"),  # type: ignore[arg-type]
    ]
    for call, message in wrong:
        with pytest.raises(TypeError, match=message):
            call()
    two = games.solve(Simple(turn=lambda state: (["x", "y"], ["z"]) if state == "s" else 1))
    with pytest.raises(TypeError, match="A's policy gives 5 at 's'; expected a dict"):
        two.judge("A", lambda state: 5)


def test_a_state_is_drawn(tmp_path: Path) -> None:
    names = ["a<b", "x\x00&", "long" * 20]
    solution = games.solve(Simple(turn=lambda state: (names, names[::-1]) if state == "s" else 1, reward=lambda s, a, b: int(a == b)))
    drawn = solution.picture("s")
    text = [element.text.strip() for element in ElementTree.fromstring(drawn).iter() if element.text and element.text.strip()]
    how = "How often each action is chosen."
    # The title and its description, for readers of the screen and in the picture.
    assert text[:2] == text[2:4] == [f"'s' is worth {solution['s']!r} to A", how] and "proved to within" in text[0]
    shown = ["a<b", "x\ufffd&", "long" * 7 + "lo…"]
    assert text[4:] == ["A plays", *(part for name in shown for part in (name, "33.33 %"))] + [
        "B plays", *(part for name in shown[::-1] for part in (name, "33.33 %"))
    ]  # fmt: skip
    assert drawn._repr_svg_() == drawn
    drawn.save(tmp_path / "state.svg")
    assert (tmp_path / "state.svg").read_text(encoding="utf-8") == drawn
    with pytest.raises(pt.Error, match="play is over at 't'"):
        solution.picture("t")
    with pytest.raises(KeyError, match="nowhere"):
        solution.picture("nowhere")
    # By its name where the game is a file.
    named = games.solve(written(Walk(1, 3), tmp_path / "walk.jsonl"))
    assert "<title>(1, 0) is worth" in named.picture("(1, 0)") and "<title>(1, 0) is worth" in games.solve(Walk(1, 3)).picture((1, 0))
    many = games.solve(Simple(turn=lambda state: (range(40), range(40)) if state == "s" else 1, reward=lambda s, a, b: int(a == b)))
    assert many.picture("s").count(" %") == 48


def test_a_pickle_of_arrays_has_no_written_game_and_is_proved_anew() -> None:
    for game in (games.from_arrays(**GOOD), ManyWalk(2, 5)):
        solution = games.solve(game)
        packed = pickle.dumps(solution)
        # To write the game as text took thirty times as long as to solve it.
        assert b"stochastic-game" not in packed and zlib.compress(b"{")[:2] not in packed
        again = pickle.loads(packed)
        assert bounds(again) == bounds(solution) and list(again) == list(solution) and again.starts == solution.starts
        assert pickle.loads(pickle.dumps(again)).value == solution.value
        state = next(iter(solution))
        assert again.strategies(state) == solution.strategies(state) and again.judge(again.policy()).nash_conv < 1e-12
        remade, (_, arrays) = solution.__reduce__()
        with pytest.raises(pt.Error, match="another game"):
            remade(games.solve(ManyWalk(1, 5))._native.checkpoint(), arrays)


def packed_game(**changed: Any) -> bytes:
    """A game in the packed form, put together by the description of `StochasticGame::packed`: A chooses between 3 and a coin for -1 or 5."""
    parts: dict[str, bytes | int] = {
        "magic": b"STOGAMES",
        "version": struct.pack("<I", 1),
        "kind": struct.pack("<I", 7) + b"acyclic",
        "discount": struct.pack("<QQ", 1, 1),
        "counts": struct.pack("<6Q", 1, 3, 2, 3, 2, 3),
        "starts": struct.pack("<I", 0),
        # 0, -1/2 and 5.
        "numbers": b"\1\0\0\0\0\1\0\0\0\1" + b"\1\0\0\0\xff\1\0\0\0\2" + b"\1\0\0\0\5\1\0\0\0\1",
        "payments": struct.pack("<qqQ", 0, 0, 1) + struct.pack("<qqQ", -1, -1, 2),
        "rows": b"\1\2\0\0",
        "columns": b"\1\1\0\0",
        "values": b"\1\0\1\2",
        "sizes": b"\1\1\2",
        "paid": b"\1\0\1",
        "weights": b"\1\1\1\1",
        "targets": b"\1\1\1\2",
        "zeros": bytes(8),
    }
    assert changed.keys() <= parts.keys() | {"more"}
    content = b"".join((parts | changed).values())  # type: ignore[arg-type]
    return content + struct.pack("<I", zlib.crc32(content))


def unpickled(packed: bytes) -> Any:
    """The game of arrays whose pickle has these bytes."""
    state = games.from_arrays([[0, 0]], [0], ([0], [], []), []).__getstate__()
    game = games.ArrayGame.__new__(games.ArrayGame)
    game.__setstate__(state | {"packed": packed})
    return game


def test_a_packed_game_is_what_its_description_says() -> None:
    # Certainly -1/2, or -1/2 and the mean of -1/2 and 5.
    game = games.from_arrays(
        [[2, 1], [0, 0], [0, 0]], [0, -HALF, 5], ([0, 1, 3], [1, 1, 2], [1, 1, 1]), [0, -HALF]
    )
    assert game.__getstate__()["packed"] == packed_game()
    wide = packed_game(targets=b"\x05" + b"".join(state.to_bytes(5, "little") for state in (1, 1, 2)))
    for packed in (packed_game(), wide):
        again = games.solve(unpickled(packed))
        assert [float(again[state]) for state in (0, 1, 2)] == [1.75, -0.5, 5.0] and again.strategies(0)[0] == {1: 1.0}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"magic": b"STOGAMET"}, "does not begin as one does"),
        ({"version": struct.pack("<I", 2)}, "another version of the format, 2; only version 1 is known"),
        ({"kind": struct.pack("<I", 7) + b"acyclig"}, "acyclig"),
        ({"kind": struct.pack("<I", 7) + b"acycli\xff"}, "a number that no game has"),
        ({"kind": struct.pack("<I", 2**32 - 1) + b"acyclic"}, "ends too early"),
        ({"discount": struct.pack("<QQ", 1, 0)}, "a number that no game has"),
        ({"discount": struct.pack("<QQ", 1, 2)}, "discount"),
        ({"kind": struct.pack("<I", 10) + b"discounted", "discount": struct.pack("<QQ", 1, 2)}, "successors or weights"),
        ({"kind": struct.pack("<I", 10) + b"discounted", "discount": struct.pack("<QQ", 2, 4)}, "a number that no game has"),
        *(({"counts": struct.pack("<6Q", *(10**12 if place == other else 3 for other in range(6)))}, "ends too early") for place in range(6)),
        *(({"counts": struct.pack("<6Q", *(2**32 - 2 if place == other else 3 for other in range(6)))}, "packed game") for place in range(6)),
        ({"counts": struct.pack("<6Q", 0, 3, 2, 3, 2, 3), "starts": b""}, "no start"),
        ({"starts": struct.pack("<I", 3)}, "a start that is no state"),
        ({"counts": struct.pack("<6Q", 2, 3, 2, 3, 2, 3), "starts": struct.pack("<II", 0, 0)}, "twice the same"),
        ({"numbers": b"\1\0\0\0\0\1\0\0\0\0" * 3}, "a number that no game has"),
        ({"numbers": b"\1\0\0\0\0\1\0\0\0\xff" * 3}, "a number that no game has"),
        ({"numbers": b"\x01\x01\0\0" + b"\0" * 257 + b"\1\0\0\0\1" + b"\1\0\0\0\0\1\0\0\0\1" * 2}, "a number that no game has"),
        ({"numbers": b"\x08\0\0\0" + b"\0" * 7 + b"\x40" + b"\1\0\0\0\1" + b"\1\0\0\0\0\1\0\0\0\1" * 2}, "4611686018427387904"),
        ({"payments": struct.pack("<qqQ", 1, 0, 1) * 2}, "a number that no game has"),
        ({"payments": struct.pack("<qqQ", 0, 0, 1) + struct.pack("<qqQ", 0, 0, 0)}, "a number that no game has"),
        ({"payments": struct.pack("<qqQ", 0, 0, 1) + struct.pack("<qqQ", 0, 0, 2**63)}, "a number that no game has"),
        ({"payments": struct.pack("<qqQ", 0, 0, 1) + struct.pack("<qqQ", 0, 1, 2)}, "a number that no game has"),
        ({"payments": struct.pack("<qqQ", 0, 0, 1) + struct.pack("<qqQ", -1, -1, 3)}, "successors or weights"),
        ({"values": b"\1\0\1\3"}, "a number that no game has"),
        ({"columns": b"\1\0\0\0"}, "numbers of actions"),
        ({"rows": b"\1\1\0\0"}, "numbers of actions"),
        ({"rows": b"\x08" + b"\xff" * 24}, "numbers of actions"),
        ({"rows": b"\0", "columns": b"\0"}, "a column of numbers without bytes"),
        ({"rows": b"\x09" + bytes(27)}, "a column of numbers without bytes, or of too many"),
        ({"paid": b"\1\0\2"}, "successors or weights"),
        ({"sizes": b"\1\0\3"}, "successors or weights"),
        ({"sizes": b"\1\1\1"}, "successors or weights"),
        ({"sizes": b"\x08" + struct.pack("<QQ", 1, 2**64 - 1)}, "successors or weights"),
        ({"weights": b"\1\1\2\0"}, "successors or weights"),
        ({"weights": b"\1\1\2\1"}, "successors or weights"),
        ({"weights": b"\1\2\1\1"}, "successors or weights"),
        ({"targets": b"\1\1\3\2"}, "successors or weights"),
        ({"targets": b"\1\1\0\2"}, "state `0`: play can return"),
        ({"zeros": bytes(7)}, "ends too early"),
        ({"zeros": bytes(7) + b"\1"}, "does not end as one does"),
        ({"more": b"\0"}, "does not end as one does"),
    ],
)  # fmt: skip
def test_a_packed_game_that_is_none_is_refused(changed: dict[str, bytes], message: str) -> None:
    with pytest.raises(pt.Error, match=message):
        unpickled(packed_game(**changed))


def test_a_damaged_pickle_of_arrays_is_refused() -> None:
    packed = packed_game()
    for length in range(len(packed)):
        with pytest.raises(pt.Error, match="the packed game "):
            unpickled(packed[:length])
    for place in range(len(packed)):
        with pytest.raises(pt.Error, match="the packed game "):
            unpickled(packed[:place] + bytes([packed[place] ^ 64]) + packed[place + 1 :])
    game = games.ArrayGame.__new__(games.ArrayGame)
    state = unpickled(packed).__getstate__()
    for wrong in ({"starts": [3]}, {"starts": []}, {"starts": ["x"]}, {"rows": np.zeros((2, 1), np.int64)}):
        with pytest.raises(pt.Error, match="not those of its game of 3 states"):
            game.__setstate__(state | wrong)
    earlier = {"normalised": 0, "native": None, "sizes": None, "_rows": None, "_made": (), "states": None, "starts": [0], "chances": []}
    with pytest.raises(pt.Error, match="of an earlier version of pencil_tennis; expected one of this version"):
        game.__setstate__(earlier)
    # The solution beside the game.
    remade, (solution, arrays) = games.solve(unpickled(packed)).__reduce__()
    for damaged in (solution[:-1], solution[:40], b"", solution[:50] + bytes([solution[50] ^ 64]) + solution[51:]):
        with pytest.raises(pt.Error, match="the checkpoint "):
            remade(damaged, arrays)


def test_packed_bytes_that_grow_without_bound_are_refused() -> None:
    remade, (game, solution, explored) = games.solve(Walk(1)).__reduce__()
    begin = time.perf_counter()
    for bomb in (zlib.compress(b"\0" * (1 << 28), 9), zlib.compress(b"{" + b" " * (1 << 28), 9), game[:-9]):
        with pytest.raises(pt.Error, match="are cut off, or grow to more than"):
            remade(bomb, solution, explored)
        with pytest.raises(pt.Error, match="are cut off, or grow to more than"):
            remade(game, bomb, explored)
    assert time.perf_counter() - begin < 20
    for content in (b"", b"x", b"ab" * (1 << 21), bytes(range(256)) * 999):
        assert uncompressed(compressed(content)) == content
