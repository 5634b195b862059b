"""Policies of any game in every form that people have them: one worth for all, by fractions that are computed here."""

from __future__ import annotations

import csv
import pickle
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games

ROUNDS = 3


class Walk:
    """Rounds in which a lead changes; A has two or three actions, B two; some states have a single one."""

    def starts(self) -> Any:
        return [(ROUNDS, 0)]

    def turn(self, state: Any) -> Any:
        left, lead = state
        if not left:
            return (lead > 0) - (lead < 0)
        return list(range(2 + (lead % 2))) if left > 1 else [0], [0, 1]

    def after(self, state: Any, a: int, b: int) -> Any:
        left, lead = state
        return {(left - 1, lead + 2 * a - b): Fraction(1, 4), (left - 1, lead - 3 - a * b): Fraction(3, 4)}

    def reward(self, state: Any, a: int, b: int) -> Fraction:
        return Fraction((a - b) * (1 + state[1] % 3), 7)


class ManyWalk(Walk):
    """The same, as rows."""

    def turn_many(self, states: Any) -> Any:
        left, lead = states.T
        sizes = np.stack([np.where(left > 1, 2 + lead % 2, 1), np.full(len(left), 2)], 1)
        return np.where(left[:, None] > 0, sizes, 0), np.sign(lead)

    def after_many(self, states: Any, a: Any, b: Any) -> Any:
        left, lead = states.T
        rows = np.stack([np.stack([left - 1, lead + 2 * a - b]), np.stack([left - 1, lead - 3 - a * b])])
        rewards = np.array([Fraction(int(r), 7) for r in (a - b) * (1 + lead % 3)], object)
        return rows.transpose(2, 0, 1), np.full((len(left), 2), [1, 3]), rewards


def shares(state: Any, player: str) -> dict[int, Fraction]:
    """A policy that is not optimal: action i with i + 1 + |lead| parts, in eighths or so that doubles hold."""
    actions = Walk().turn(state)["AB".index(player)]
    parts = [Fraction(action + 1 + abs(state[1]) % 3) for action in actions]
    units = 64
    rounded = [Fraction(round(part / sum(parts) * units), units) for part in parts]
    rounded[0] += 1 - sum(rounded)
    return dict(zip(actions, rounded, strict=True))


def response_value(state: Any, player: str) -> Fraction:
    """A's payoff when a player plays so and the other one replies best, by recursion."""
    turn = Walk().turn(state)
    if not isinstance(turn, tuple):
        return Fraction(turn)

    def cell(a: int, b: int) -> Fraction:
        later = sum((part * response_value(following, player) for following, part in Walk().after(state, a, b).items()), Fraction(0))
        return Walk().reward(state, a, b) + later

    strategy = shares(state, player)
    if player == "A":
        return min(sum((share * cell(a, b) for a, share in strategy.items()), Fraction(0)) for b in turn[1])
    return max(sum((share * cell(a, b) for b, share in strategy.items()), Fraction(0)) for a in turn[0])


def tables(solution: Any) -> tuple[Any, Any]:
    """The policy as arrays, with ones where there is nothing to choose."""
    sizes = (3, 2)
    found = tuple(np.ones((len(solution), size)) for size in sizes)
    for place, state in enumerate(solution):
        if isinstance(Walk().turn(state), tuple):
            for player, table in zip("AB", found, strict=True):
                strategy = shares(state, player)
                table[place, : len(strategy)] = [float(share) for share in strategy.values()]
    return found  # type: ignore[return-value]


class OfArray:
    """An array as tensors have it."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._array


class OfDlpack:
    def __init__(self, array: Any) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def frame(solution: Any, names: Any = lambda state: state) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in ("state", "player", "action", "probability")}
    for state in solution:
        for player in "AB":
            for action, share in shares(state, player).items() if isinstance(Walk().turn(state), tuple) else ():
                for column, entry in zip(columns.values(), (names(state), player, action, share), strict=True):
                    column.append(entry)
    return columns


def written(columns: dict[str, list[Any]], path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return path


@pytest.mark.parametrize("rules", [Walk(), ManyWalk()])
def test_every_form_is_the_same_policy(rules: Any, tmp_path: Path) -> None:
    solution = games.solve(rules)
    arrays = tables(solution)
    asked: list[int] = []

    def batched(states: Any, legal: Any, player: str) -> Any:
        asked.append(len(states))
        given = np.zeros(legal.shape)
        for place, state in enumerate(np.asarray(states).tolist()):
            given[place, legal[place]] = [float(share) for share in shares(tuple(state), player).values()]
        return given

    def by_order(state: Any, player: str) -> Any:
        return [float(share) for share in shares(state, player).values()]

    columns = frame(solution)
    path = written(columns, tmp_path / "policy.csv")
    both: list[Any] = [
        arrays, [*arrays], tuple(table.tolist() for table in arrays), tuple(map(OfArray, arrays)), tuple(map(OfDlpack, arrays)),
        shares, by_order, columns, path, str(path), written(frame(solution, repr), tmp_path / "named.csv"),
        ({state: shares(state, "A") for state in solution if state[0]}, lambda state: shares(state, "B")),
    ]  # fmt: skip
    if find_spec("pandas") is not None:
        pandas = import_module("pandas")
        both += [tuple(map(pandas.DataFrame, arrays)), pandas.DataFrame(columns | {"state": [*map(str, columns["state"])]})]
    if find_spec("polars") is not None:
        polars = import_module("polars")
        both += [tuple(map(polars.DataFrame, arrays))]
    judged = [solution.judge(policy) for policy in both] + [solution.judge(batched, batched=True)]
    assert sum(asked) == 2 * sum(state[0] > 0 for state in solution) and len(asked) == 2
    for joint in judged:
        for state in solution:
            assert response_value(state, "A") in joint.a.worth[state] and response_value(state, "B") in joint.b.worth[state]
            value = solution[state]
            for part, sign in ((joint.a, 1), (joint.b, -1)):
                payoff = response_value(state, "AB"[sign < 0])
                low, high = sorted((sign * (value.lower - payoff), sign * (value.upper - payoff)))
                assert part.loss[state].lower <= max(high, 0) and part.loss[state].upper >= low
        start = solution.starts[0]
        gap = response_value(start, "B") - response_value(start, "A")
        assert gap in joint.nash_conv and gap / 2 in joint.exploitability and not joint.rounded
        assert joint.a.worth == judged[0].a.worth and joint.b.worth == judged[0].b.worth
        assert games.nash_conv(solution, arrays) == joint.nash_conv
    # One player's.
    for player, array in zip("AB", arrays, strict=True):
        alone = solution.judge(player, array)  # type: ignore[call-overload]
        assert alone.worth == solution.judge(player, path).worth == solution.judge(player, OfArray(array)).worth  # type: ignore[call-overload]


def test_the_worst_states_come_first_and_results_are_tables() -> None:
    solution = games.solve(Walk())
    joint = solution.judge(shares)
    regrets = joint.a.regret
    assert [regrets[entry.state] for entry in joint.a.worst(5)] == sorted(regrets.values(), reverse=True)[:5]
    both = sorted([(joint.a.regret[s], s, "A") for s in solution] + [(joint.b.regret[s], s, "B") for s in solution], key=lambda k: -k[0])
    worst = joint.worst(3)
    assert [entry.regret for entry in worst] == [regret for regret, *_ in both[:3]]
    for entry in worst:
        assert (joint.a if entry.player == "A" else joint.b).regret[entry.state] == entry.regret
    columns = joint.frame()
    assert list(columns) == ["state", "worth_a", "loss_a", "regret_a", "worth_b", "loss_b", "regret_b"]
    assert columns["worth_a"].tolist() == [float(value) for value in joint.a.worth.values()]
    again = pickle.loads(pickle.dumps(joint))
    assert again.exploitability == joint.exploitability and again.a.worth == joint.a.worth and again.worst(3) == worst
    assert again.frame()["loss_b"].tolist() == columns["loss_b"].tolist()
    assert "exploitability" in repr(joint) and "worth" in repr(joint.a)
    with pytest.raises(KeyError, match="the starts do not reach"):
        joint.a.worth["nowhere"]


@pytest.mark.parametrize("decimals", [2, 3, 6])
def test_rounded_policies_are_divided_if_asked(decimals: int) -> None:
    solution = games.solve(Walk())
    third = round(1 / 3, decimals)

    def rounded(state: Any, player: str) -> Any:
        count = len(Walk().turn(state)["AB".index(player)])
        return [third] * 3 if count == 3 else [0.5] * count

    def thirds(state: Any, player: str) -> Any:
        names = Walk().turn(state)["AB".index(player)]
        return {name: Fraction(1, len(names)) for name in names}

    arrays = tuple(np.array([[*rounded(s, p), 9, 9, 9][:3] if s[0] else [0] * 3 for s in solution]) for p in "AB")
    exact = solution.judge(thirds)
    for policy in (rounded, (arrays[0], np.where(arrays[1] == 9, 0, arrays[1]))):
        joint = solution.judge(policy, normalise=True)
        assert joint.rounded and abs(joint.nash_conv - exact.nash_conv) < 1e-15
    if decimals < 6:
        with pytest.raises(pt.PolicyError, match=r"A's policy.*sum to 0.99.*normalise=True"):
            solution.judge(rounded)
        with pytest.raises(pt.PolicyError, match="sum to 0.99.*normalise=True"):
            solution.judge("A", arrays[0])


@pytest.mark.parametrize(
    ("policy", "error", "message"),
    [
        (5, TypeError, "5 is no policy of both players"),
        ({"state": ["x"], "player": ["A"], "action": [0], "probability": [1]}, pt.PolicyError, "do not reach a state 'x'"),
        ({"state": [(3, 0)], "player": ["C"], "action": [0], "probability": [1]}, pt.PolicyError, "no player 'C'"),
        ({"state": [(3, 0)], "player": ["A"], "action": [7], "probability": [1]}, pt.PolicyError, "A has no action 7"),
        ({"state": [(3, 0)] * 2, "player": ["A"] * 2, "action": [0, 0], "probability": [1, 1]}, pt.PolicyError, "is there twice"),
        ({"state": [(3, 0)], "player": ["B"], "action": [0], "probability": [1]}, pt.PolicyError, "the table has no row of A"),
        ({"state": [(3, 0)], "player": ["A"], "action": [0], "probability": ["x"]}, pt.Error, "a probability at .* is 'x'"),
        (lambda state, player: [0.5], pt.PolicyError, r"gives the shape \(1,\) at \(3, 0\); expected \(2,\)"),
        (lambda state, player: {"0": 1}, pt.PolicyError, "A has no action '0'"),
        (lambda state, player: "half", TypeError, "expected a dict of actions with their probabilities, or these in the order"),
        (lambda state, player: None, pt.PolicyError, "nothing is said of how to play"),
    ],
)
def test_what_is_no_policy_is_named(policy: Any, error: type[Exception], message: str) -> None:
    solution = games.solve(Walk())
    with pytest.raises(error, match=message):
        solution.judge(policy)


def test_calls_and_files_that_are_wrong_are_named(tmp_path: Path) -> None:
    solution = games.solve(Walk())
    with pytest.raises(TypeError, match=r"there is no policy of A; expected judge\('A', policy\)"):
        solution.judge("A")
    with pytest.raises(pt.Error, match="there is no player 'C'; expected A or B"):
        solution.judge("C", shares)  # type: ignore[call-overload]
    with pytest.raises(FileNotFoundError, match="nowhere.csv"):
        solution.judge(tmp_path / "nowhere.csv")
    with pytest.raises(pt.PolicyError, match="is no file"):
        solution.judge(tmp_path)
    if Path("/dev/zero").exists():
        with pytest.raises(pt.PolicyError, match="is no file"):
            solution.judge("/dev/zero")
    for content, message in [("a,b\n1,2\n", "has no column 'state'"), ("state,player,action,probability\nx,A\n", "line 2: there is no action")]:
        (tmp_path / "wrong.csv").write_text(content)
        with pytest.raises(pt.PolicyError, match=message):
            solution.judge(tmp_path / "wrong.csv")
    with pytest.raises(pt.PolicyError, match=r"gives the shape \(1, 1\) for \d+ states"):
        solution.judge("A", lambda states, legal: [[1.0]], batched=True)


def test_hidden_columns_and_other_kinds() -> None:
    """A stopping game whose policy leaves half the time; and padding of a network in a state with fewer actions."""

    class Leave:
        kind = "recursive"

        def starts(self) -> Any:
            return ["go"]

        def turn(self, state: Any) -> Any:
            return (["stay", "leave"], ["x"]) if state == "go" else state

        def after(self, state: Any, a: str, b: str) -> Any:
            return "go" if a == "stay" else 1

    solution = games.solve(Leave())
    # Ends pay their names; the rows of ends are padding of any kind.
    judged = solution.judge("A", np.array([[0.5, 0.5], [np.nan, -3.0]]))
    assert 1 in judged.value
    softmax = solution.judge("A", np.array([[0.25, 0.25, 0.5], [0, 0, 0]]), normalise=True)
    assert softmax.worth == judged.worth and softmax.rounded and not judged.rounded
