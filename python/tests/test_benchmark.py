"""The benchmark: true values from elsewhere, records that come back, agents and transcripts that are refused or judged."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import benchmark
from pencil_tennis.benchmark.__main__ import main
from retelling import bids, turn
from retelling import won as payoff


def test_the_tasks_of_version_1_do_not_change() -> None:
    tennis, footsteps, oshi_zumo = pt.Rules.tennis(), pt.Rules.footsteps(), pt.Rules.oshi_zumo(3)
    assert benchmark.VERSION == 1
    assert {name: (task.points, task.rules, task.kind, *([task.to] if task.to else [])) for name, task in benchmark.TASKS.items()} == {
        "tennis-8": ((8, 8), tennis, "open"),
        "tennis-20": ((20, 20), tennis, "open"),
        "tennis-50": ((50, 50), tennis, "open"),
        "tennis-20-16": ((20, 16), tennis, "open"),
        "footsteps-20": ((20, 20), footsteps, "open"),
        "footsteps-50": ((50, 50), footsteps, "open"),
        "oshi-zumo-50": ((50, 50), oshi_zumo, "open"),
        "oshi-zumo-arena": ((50, 50), pt.Rules.oshi_zumo(3, min_bid=0), "open"),
        "match-20": ((20, 20), tennis, "match", 3),
        "blind-6": ((6, 6), tennis, "blind"),
        "blind-8": ((8, 8), tennis, "blind"),
        "blind-9-7": ((9, 7), tennis, "blind"),
    }


@pytest.mark.parametrize("name", benchmark.TASKS)
def test_an_even_task_is_worth_nothing(name: str) -> None:
    task = benchmark.TASKS[name]
    if task.points[0] == task.points[1]:
        assert (0.5 if task.kind == "match" else 0) in task.value and task.value.width < 2e-6
    else:
        assert task.value.lower > 0


@pytest.mark.parametrize("name", benchmark.TASKS)
def test_optimal_play_is_not_exploitable(name: str) -> None:
    task = benchmark.TASKS[name]
    optimal = benchmark.BASELINES["optimal"].agent(task, 0, 1)
    assert optimal is not None
    found = task.judge(optimal.policy)
    assert 0 <= found.lower <= found.upper < 1e-6 and found.relative < 1e-6


def test_exploitability_is_that_of_a_best_reply_written_separately() -> None:
    task = benchmark.TASKS["tennis-8"]
    random = np.random.default_rng(3)
    weights = task.policy("uniform").array("A") * random.random((9, 9, 5, 9))  # type: ignore[union-attr]
    policy = pt.as_policy(weights, weights=True)
    likely = policy.array("B")

    @cache
    def best(state: tuple[int, int, int]) -> float:
        """What A wins by the best reply to the policy's B."""
        won = payoff(state)
        if won is not None:
            return float(won)
        replies = bids(state[1])
        shares = [likely[state[0], state[1], state[2] + 2, j] for j in replies]
        return max(sum(p * best(turn(state, i, j)) for p, j in zip(shares, replies)) for i in bids(state[0]))

    found = task.judge(policy)
    # The policy and the rules look the same from either side, so that what B's best reply wins is what A's does.
    assert found.exploitability == pytest.approx(best((8, 8, 0)), abs=1e-12)
    assert found.lower <= found.upper and float(found.upper - found.lower) < 1e-15


def test_a_record_comes_back_from_its_line() -> None:
    record = benchmark.evaluate("lookahead:1:uniform", ["tennis-8", "footsteps-20"], name="búsqueda", note="one turn", seed=5)
    again = benchmark.Record.from_json(record.to_json())
    assert again.to_json() == record.to_json()
    assert again["tennis-8"].exploitability == record["tennis-8"].exploitability
    written = json.loads(record.to_json())["results"][0]
    # What is written is true as written.
    assert Fraction(written["lower"]) <= record["tennis-8"].lower <= record["tennis-8"].upper <= Fraction(written["upper"])
    assert record.versions["pencil_tennis"] == pt.__version__ and record.seed == 5


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not a record"),
        ("[]", "expected an object with the format"),
        ('{"format": "other"}', "expected an object with the format"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1}', "results"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1, "results": [{}]}', "not a result"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1, "results": [], "more": 1}', "more"),
    ],
)
def test_what_is_no_record_is_refused(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        benchmark.Record.from_json(line)


def test_agents_are_functions_mappings_and_names() -> None:
    asked = []

    def agent(task: benchmark.Task) -> Any:
        asked.append(task.name)
        return None if task.kind == "blind" else benchmark.Learned("uniform", games=7, seconds=1.5)

    record = benchmark.evaluate(agent, ["blind-6", "tennis-8"], name="agent")
    assert asked == ["blind-6", "tennis-8"] and [result.task for result in record.results] == ["tennis-8"]
    assert (record["tennis-8"].games, record["tennis-8"].seconds, record["tennis-8"].relative) == (7, 1.5, 1.0)
    assert benchmark.evaluate({"blind-6": "uniform"}, name="one")["blind-6"].relative == 1.0
    with pytest.raises(ValueError, match="`tennis-9` is not a task; expected one of tennis-8"):
        benchmark.evaluate("uniform", ["tennis-9"], name="x")
    with pytest.raises(TypeError, match="is no agent"):
        benchmark.evaluate(7, ["tennis-8"], name="x")  # type: ignore[arg-type]
    with pytest.raises(pt.PolicyError, match="says nothing about"):
        benchmark.evaluate({"tennis-8": {"8:8@0": {1: 1.0}}}, name="x")


@pytest.mark.parametrize("task", ["tennis-8", "tennis-20-16", "match-20", "blind-6", "blind-9-7"])
def test_the_table_of_the_document_is_what_baselines_reach(task: str) -> None:
    document = Path(__file__).parents[2] / "docs" / "benchmark.md"
    if not document.exists():
        pytest.skip("the documents are not here")
    lines = document.read_text(encoding="utf-8").splitlines()
    head = next(line for line in lines if line.startswith("| task | uniform |"))
    names = [cell.strip() for cell in head.split("|")[2:-1]]
    assert names == list(benchmark.BASELINES)
    row = next(line for line in lines[lines.index(head) :] if line.startswith(f"| {task} |"))
    for name, cell in zip(names, row.split("|")[2:-1], strict=True):
        # What is left of an optimum is rounding, and may differ.
        if name not in ("simple", "outcome", "optimal"):
            reached = benchmark.BASELINES[name].agent(benchmark.TASKS[task], 1_000_000, 1)
            shown = "–" if reached is None else benchmark.TASKS[task].judge(reached.policy).exploitability
            assert shown == "–" == cell.strip() or shown == pytest.approx(float(cell), rel=0.5 if shown < 1e-3 else 1e-3), name


def test_records_of_different_versions_are_not_compared() -> None:
    one, other = (benchmark.Record("x", [], version) for version in (1, 2))
    with pytest.raises(ValueError, match=r"several versions, \[1, 2\]"):
        benchmark.table([one, other])


def test_losses_are_those_of_the_matrix_game() -> None:
    """What a bid gives away, from the table's own numbers: a row of the matrix game against B's optimal strategy."""
    solution = pt.solve(8)
    equilibrium = solution["7:6@1"]
    matrix = solution.stage_game("7:6@1")
    replies = np.array([equilibrium.b.get(bid, 0.0) for bid in range(1, 7)])
    task = benchmark.Task("7:6@1", "a state", (8, 8), pt.Rules.tennis())
    from pencil_tennis.benchmark._transcripts import _losses

    for a, b in itertools.product(range(1, 8), range(1, 7)):
        loss_a, _ = _losses(task.solution, pt.State(7, 6, 1), a, b)
        assert float(loss_a) == pytest.approx(equilibrium.value - matrix[a - 1] @ replies, abs=1e-12)
        assert loss_a.lower <= loss_a.upper and loss_a.upper >= 0


def test_what_was_given_away_and_luck_make_the_result() -> None:
    random = np.random.default_rng(8)
    for _ in range(20):
        state, bids = pt.State(20, 20, 0), ([], [])  # type: ignore[var-annotated]
        while pt.Rules.tennis().outcome(state) is None:
            made = [int(random.integers(min(own, 1), own + 1)) for own in state[:2]]
            for player in range(2):
                bids[player].append(made[player])
            state = pt.Rules.tennis().play(state, *made)
        game = benchmark.judge_transcript({"a": bids[0], "b": bids[1], "players": ["x", "y"]}, "tennis-20")
        assert game.final == state and game.players == ("x", "y")
        assert game.luck_a == pytest.approx(game.result - game.value + game.loss_a - game.loss_b, abs=1e-12)
        assert all(loss >= 0 for turn in game.turns for loss in (turn.loss_a, turn.loss_b))


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("x", "is no game"),
        ({"a": [1], "b": [1]}, "which task was played is not known"),
        ({"task": "tennis", "a": [1], "b": [1]}, "`tennis` is not a task"),
        ({"task": "blind-6", "a": [1], "b": [1]}, "blind-6 is blind"),
        ({"task": "tennis-8", "a": [1]}, "the bids of B are missing"),
        ({"task": "tennis-8", "a": [1], "b": [1, 2]}, "A has made 1 bids and B 2"),
        ({"task": "tennis-8", "a": [9], "b": [1]}, "turn 1: .*9"),
        ({"task": "tennis-8", "a": [1.5], "b": [1]}, "1.5"),
        ({"task": "tennis-8", "a": [-1], "b": [1]}, "-1"),
        ({"task": "tennis-8", "a": [8] + [0] * 9, "b": [1] * 10}, "turn 5: the game is over at 0:4@-3"),
        ({"task": "tennis-8", "a": [1], "b": [1], "players": ["x"]}, "names of two players"),
    ],
)
def test_games_that_are_none_are_refused(game: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        benchmark.judge_transcript(game)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    records = tmp_path / "records.jsonl"
    asked = ["run", "uniform", "simple", "--tasks", "tennis-8", "--games", "1000", "-o", str(records)]
    assert main(asked) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("| task | uniform | simple |\n") and "tennis-8: exploitability 1.944" in shown.err
    assert main(["table", "--relative", str(records)]) == 0
    assert "| tennis-8 | 1 | " in capsys.readouterr().out
    assert [record.name for record in benchmark.read_records(records)] == ["uniform", "simple"]
    # An agent of one's own, from the working folder.
    (tmp_path / "own.py").write_text("def agent(task):\n    return lambda state: {1: 1.0}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["run", "own:agent", "--tasks", "tennis-8"]) == 0
    assert "| tennis-8 | 2 |" in capsys.readouterr().out
    (tmp_path / "games.jsonl").write_text('{"task": "tennis-8", "a": [8, 0, 0], "b": [1, 1, 1]}\n')
    assert main(["judge", "games.jsonl"]) == 0
    assert "A (A) gave away 2.0000, B (B) 0.0000; A won -2" in capsys.readouterr().out
    assert main(["judge", "games.jsonl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["loss_a"] == [2.0, 2.0]
    (tmp_path / "games.jsonl").write_text("{}\n{\n")
    for wrong in (["judge", "games.jsonl"], ["judge", "none"], ["table", "games.jsonl"], ["run", "nobody"], ["run", "own:none"]):
        assert main(wrong) == 1
        said = capsys.readouterr()
        assert said.err.splitlines()[-1].startswith("pencil_tennis.benchmark: ") and "Traceback" not in said.err, wrong
