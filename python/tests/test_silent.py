"""Arrays that are reused, written into, masked or raced for, and answers that could mean two things: the right value, or an error."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games, matrix_game
from single_turn import Once

ROUNDS = 4


class Many:
    """Rounds of matching: a lead grows by 2 or falls by 1, and its sign is paid."""

    def starts(self) -> Any:
        return [[ROUNDS, 0]]

    def turn_many(self, states: Any) -> Any:
        return np.repeat(np.where(states[:, :1] > 0, 2, 0), 2, 1), np.sign(states[:, 1])

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        left, lead = states.T
        return np.stack([left - 1, lead + np.where(a == b, 2, -1)], 1)


class Paid(Many):
    """The same, with the rounds that are left as the reward of a match."""

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        return super().after_many(states, a, b)[:, None], np.ones((len(states), 1), int), states[:, 0] * (a == b)


def value(left: int, lead: int, paid: bool) -> Fraction:
    """The value of these rounds: a diagonal d and an off-diagonal e are worth their mean, as long as neither is a saddle point."""
    if left == 0:
        return Fraction((lead > 0) - (lead < 0))
    return (value(left - 1, lead + 2, paid) + left * paid + value(left - 1, lead - 1, paid)) / 2


def test_rules_for_many_states_may_reuse_and_overwrite_arrays() -> None:
    buffers = {kind: np.zeros(1000, np.int64) for kind in ("values", "rewards", "weights")}
    sizes, rows = np.zeros((1000, 2), np.int64), np.zeros((1000, 2), np.int64)

    class Reuses(Many):
        def turn_many(self, states: Any) -> Any:
            numbers, paid = super().turn_many(states)
            sizes[: len(numbers)], buffers["values"][: len(paid)] = numbers, paid
            return sizes[: len(numbers)], buffers["values"][: len(paid)]

        def after_many(self, states: Any, a: Any, b: Any) -> Any:
            rows[: len(states)] = super().after_many(states, a, b)
            return rows[: len(states)]

    class ReusesRewards(Paid):
        def after_many(self, states: Any, a: Any, b: Any) -> Any:
            following, weights, rewards = super().after_many(states, a, b)
            buffers["rewards"][: len(rewards)] = rewards
            buffers["weights"][: len(rewards)] = 1
            return following, buffers["weights"][: len(rewards), None], buffers["rewards"][: len(rewards)]

    class Overwrites(Many):
        def turn_many(self, states: Any) -> Any:
            answer = super().turn_many(states)
            states[:, 0] -= 1
            states[:, 1] += 5
            return answer

        def after_many(self, states: Any, a: Any, b: Any) -> Any:
            answer = super().after_many(states, a, b)
            for given in (states, a, b):
                given[:] = 7
            return answer

    assert value(ROUNDS, 0, False) == Fraction(3, 8) and value(ROUNDS, 0, True) == Fraction(43, 8)
    for rules, paid in ((Reuses(), False), (Overwrites(), False), (ReusesRewards(), True)):
        assert value(ROUNDS, 0, paid) in games.solve(rules).value


def test_arrays_may_be_written_into_afterwards() -> None:
    actions, values = np.array([[2, 2], [0, 0], [0, 0], [0, 0]]), np.array([0, 1, 3, -1])
    following, weights, rewards = np.array([[1], [3], [3], [2]]), np.ones((4, 1), int), np.zeros(4, int)
    game = games.from_arrays(actions, values, (following, weights), rewards)
    solution = games.solve(game)
    for array in (actions, values, following, weights, rewards):
        array[:] = 7
    for again in (solution, games.solve(game)):
        # Two matches pay 1 and 3, the others -1: (1 * 3 - 1) / (1 + 3 + 2).
        assert Fraction(1, 3) in again.value and again.strategies(0)[0].keys() == {0, 1}
        assert game.actions[0] == ([0, 1], [0, 1])
    with pytest.raises(ValueError, match="read-only"):
        game.sizes[:] = 0
    payoffs = np.array([[3.0, -1.0], [-2.0, 1.0]])
    rough = matrix_game.solve(payoffs)
    payoffs[:] = 0
    assert rough.exact.value == Fraction(1, 7)
    tennis = pt.solve(3)
    with pytest.raises(ValueError, match="read-only"):
        tennis.arrays().values[:] = 9


@pytest.mark.parametrize("which", ["actions", "values", "following", "weights", "rewards"])
def test_masked_entries_are_refused(which: str) -> None:
    arrays: dict[str, Any] = {
        "actions": np.array([[2, 1], [0, 0]]), "values": np.array([0, 1]), "following": np.array([[1], [1]]),
        "weights": np.array([[1], [1]]), "rewards": np.array([0, 0]),
    }  # fmt: skip
    wrong = arrays | {which: np.ma.masked_array(arrays[which], mask=arrays[which] == arrays[which])}
    for masked in (wrong, arrays | {which: [*wrong[which]]}):
        if which in ("values", "rewards") and masked is not wrong:
            continue
        with pytest.raises(pt.Error, match="is masked"):
            games.from_arrays(masked["actions"], masked["values"], (masked["following"], masked["weights"]), masked["rewards"])
    # A mask that hides nothing is none.
    whole = arrays | {which: np.ma.masked_array(arrays[which])}
    games.from_arrays(whole["actions"], whole["values"], (whole["following"], whole["weights"]), whole["rewards"])


def test_masked_answers_and_policies_are_refused() -> None:
    class Masks(Paid):
        def after_many(self, states: Any, a: Any, b: Any) -> Any:
            following, weights, rewards = super().after_many(states, a, b)
            return following, weights, np.ma.masked_array(rewards, mask=rewards > 0)

    with pytest.raises(pt.Error, match="the entry .* of the rewards of `after_many` is masked"):
        games.solve(Masks())
    solution = games.solve(Many())
    a = solution.policy().array("A")
    with pytest.raises(pt.Error, match="the entry .* of A's policy is masked"):
        solution.judge("A", np.ma.masked_array(a, mask=a > 0))
    with pytest.raises(pt.MatrixError, match="entry masked in row 0, column 1"):
        matrix_game.solve([np.ma.masked_array([1.0, 2.0], mask=[0, 1]), np.array([3.0, 4.0])])  # type: ignore[arg-type]


def with_method(name: str, method: Any) -> Any:
    return type("Named", (Once,), {name: method})()


def test_hooks_that_would_be_passed_over_are_refused() -> None:
    for name, meant in (("rewards", "reward"), ("cannonical", "canonical"), ("endles", "endless"), ("discounts", "discount")):
        with pytest.raises(pt.Error, match=f"has a method `{name}`, which means nothing here; expected `{meant}`"):
            games.solve(with_method(name, lambda self, *_: 5))
    many = type("Named", (Many,), {"endless_may": lambda self, states: 0})()
    with pytest.raises(pt.Error, match="expected `endless_many`"):
        games.solve(many)
    with pytest.raises(pt.Error, match=r"has the reward 5; expected a method reward\(state, a, b\)"):
        games.solve(with_method("reward", 5))
    # Where the hook is there, other names are the game's own; and so are numbers, and names that are not like one.
    both = type("Both", (Once,), {"reward": lambda self, s, a, b: 1, "rewards": lambda self: (), "turns": 5})()
    assert games.solve(both).value == 1
    assert games.solve(with_method("rewards", 5)).value == 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (((1, Fraction(1, 2)), (-1, Fraction(1, 2))), r"a list of such pairs, or a dict; a state of pairs is \[\(state, 1\)\]"),
        (((1, 0.5), (-1, 0.5)), "a list of such pairs"),
        (((1, 0.1),) * 10, "a list of such pairs"),
        (None, "expected the state that follows: is a `return` missing"),
        (zip([1, -1], [0.5, 0.5], strict=True), "expected the state that follows, or a list of pairs"),
        ([1, -1], "expected pairs of a state and its probability; a single state is a tuple"),
    ],
)
def test_answers_that_could_be_two_things_are_refused(answer: Any, message: str) -> None:
    with pytest.raises(pt.Error, match=f"`after` gives .* at 0, 0 against 0; .*{message}"):
        games.solve(Once(after=lambda state, a, b: answer))


def test_states_of_pairs_are_states() -> None:
    halves = ((1, Fraction(1, 2)), (-1, Fraction(1, 2)))
    for state, given in ((halves, [(halves, 1)]), (((0, 1), (1, 0)), ((0, 1), (1, 0))), (("x", Fraction(1, 2)), ("x", Fraction(1, 2)))):
        rules = Once(after=lambda s, a, b, given=given: given, turn=lambda s: ([0], [0]) if s == 0 else 3)
        assert list(games.solve(rules)) == [0, state] and games.solve(rules).value == 3


RACE = """
import sys, threading, numpy as np
from pencil_tennis import games
n = 50_000
act = np.ones((n + 1, 2), np.int64); act[-1] = 0
idx, w, ptr = np.full(n, n, np.int64), np.ones(n, np.int64), np.arange(n + 1, dtype=np.int64)
val = np.zeros(n + 1, np.int64)
wild = {"actions": (act, 2**40), "two": (act, 2), "following": (idx, 2**60), "pointers": (ptr, 2**50), "weights": (w, 5)}
array, number = wild[sys.argv[1]]
good, going = array.copy(), True
def write():
    while going:
        array[:] = number
        array[:] = good
thread = threading.Thread(target=write)
thread.start()
built = refused = 0
for _ in range(60):
    try:
        games.from_arrays(act, val, (ptr, idx, w))
        built += 1
    except games.solve.__globals__["Error"]:
        refused += 1
going = False
thread.join()
print(built + refused)
"""


@pytest.mark.parametrize("array", ["actions", "two", "following", "pointers", "weights"])
def test_another_thread_may_write_while_arrays_are_read(array: str) -> None:
    """What is read is a game or is refused: the interpreter lives, and every exception is the package's."""
    found = subprocess.run([sys.executable, "-c", RACE, array], capture_output=True, text=True, check=False, timeout=120)
    assert (found.returncode, found.stdout) == (0, "60\n"), found.stderr[-500:]


def test_a_defect_is_an_exception_of_the_package() -> None:
    assert issubclass(pt.DefectError, RuntimeError) and not issubclass(pt.DefectError, pt.Error)
