"""The benchmark: true values from elsewhere, round trips of records, agents and transcripts that are rejected or judged."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import subprocess
import sys
import zipfile
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


def test_the_tasks_of_the_first_edition_do_not_change() -> None:
    tennis, footsteps, oshi_zumo = pt.Rules.tennis(), pt.Rules.footsteps(), pt.Rules.oshi_zumo(3)
    assert benchmark.VERSION == 2
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
    policy = pt.as_policy(weights, normalise=True)
    likely = policy.array("B")

    @cache
    def best(state: tuple[int, int, int]) -> float:
        """A's payoff by the best reply to the policy's B."""
        won = payoff(state)
        if won is not None:
            return float(won)
        replies = bids(state[1])
        shares = [likely[state[0], state[1], state[2] + 2, j] for j in replies]
        return max(sum(p * best(turn(state, i, j)) for p, j in zip(shares, replies)) for i in bids(state[0]))

    found = task.judge(policy)
    # Policy and rules are symmetric, so B's best reply wins as much as A's.
    assert found.exploitability == pytest.approx(best((8, 8, 0)), abs=1e-12)
    assert found.lower <= found.upper and float(found.upper - found.lower) < 1e-15


def test_a_record_comes_back_from_its_line() -> None:
    record = benchmark.evaluate("lookahead:1:uniform", ["tennis-8", "footsteps-20"], name="búsqueda", note="one turn")
    again = benchmark.Record.from_json(record.to_json())
    assert again.to_json() == record.to_json()
    assert again["tennis-8"].exploitability == record["tennis-8"].exploitability
    written = json.loads(record.to_json())["results"][0]
    # Printed bounds are true as printed.
    assert Fraction(written["lower"]) <= record["tennis-8"].lower <= record["tennis-8"].upper <= Fraction(written["upper"])
    assert record.versions["pencil_tennis"] == pt.__version__ and record["tennis-8"].seed is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not a record"),
        ("[]", "expected an object with the format"),
        ('{"format": "other"}', "expected an object with the format"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1}', "results"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1, "results": [{}]}', "not a result"),
        ('{"format": "pencil-tennis benchmark record", "name": "x", "benchmark": 1, "results": [], "more": 1}', "more"),
        ('{"format": "pencil-tennis benchmark record", "name": 5, "benchmark": 2, "results": []}', "no text"),
    ],
)
def test_what_is_no_record_is_refused(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        benchmark.Record.from_json(line)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lower": "0.3", "upper": "0.2"}, "the bounds of 'blotto-1' are none"),
        ({"exploitability": math.nan}, "not all numbers of 'blotto-1' are finite ones"),
        ({"exploitability": "0.25"}, "not all numbers of 'blotto-1' are finite ones"),
        ({"relative": math.inf}, "not all numbers of 'blotto-1' are finite ones"),
        ({"value": None}, "not all numbers of 'blotto-1' are finite ones"),
        ({"best_response_a": [0.25]}, "not all numbers of 'blotto-1' are finite ones"),
        ({"loss_b": math.nan}, "not all numbers of 'blotto-1' are finite ones"),
        ({"task": 5}, "the bounds of 5 are none"),
        ({"lower": "nan"}, "not a result"),
        ({"upper": "inf"}, "not a result"),
        ({"upper": None}, "not a result"),
        ({"opening_a": {"half": 0.5}}, "not a result"),
        ({"opening_b": {"1": "much"}}, "not a result"),
        ({"opening_b": [0.5, 0.5]}, "not a result"),
        ({"worth": 0}, "not a result"),
    ],
)
def test_forged_results_are_none(change: dict[str, Any], reason: str) -> None:
    sound = {
        "task": "blotto-1",
        "exploitability": 0.25,
        "lower": "0.2",
        "upper": "0.3",
        "relative": 0.5,
        "value": 0.0,
        "best_response_a": 0.25,
        "best_response_b": -0.25,
        "loss_a": 0.1,
        "loss_b": None,
        "opening_a": {"1": 1.0},
        "opening_b": {"2": 1.0},
    }
    assert benchmark.Result.from_dict(sound).lower == Fraction(1, 5)
    with pytest.raises(ValueError, match=reason):
        benchmark.Result.from_dict({**sound, **change})


def test_agents_are_functions_mappings_and_names() -> None:
    asked = []

    def agent(task: benchmark.Task, seed: int) -> Any:
        asked.append((task.name, seed))
        return None if task.kind == "blind" else benchmark.Learned("uniform", games=7, seconds=1.5)

    record = benchmark.evaluate(agent, ["blind-6", "tennis-8"], name="agent")
    assert asked == [("blind-6", 1), *(("tennis-8", seed) for seed in range(1, 6))]
    assert [(result.task, result.seed) for result in record.results] == asked[1:]
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
        # Exploitabilities of optimal policies are rounding, and may differ.
        if name not in ("simple", "outcome", "optimal"):
            reached = benchmark.BASELINES[name].agent(benchmark.TASKS[task], 1_000_000, 1)
            shown = "–" if reached is None else benchmark.TASKS[task].judge(reached.policy).exploitability
            assert shown == "–" == cell.strip() or shown == pytest.approx(float(cell), rel=0.5 if shown < 1e-3 else 1e-3), name


def test_records_of_different_versions_are_not_compared() -> None:
    one, other = (benchmark.Record("x", [], version) for version in (1, 2))
    with pytest.raises(ValueError, match=r"several versions, \[1, 2\]"):
        benchmark.table([one, other])


def test_losses_are_those_of_the_matrix_game() -> None:
    """The loss of a bid, from the table's own numbers: a row of the matrix game against B's optimal strategy."""
    solution = pt.solve(8)
    equilibrium = solution.equilibrium("7:6@1")
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
            made = [int(random.integers(min(points, 1), points + 1)) for points in state[:2]]
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
    asked = ["run", "uniform", "simple", "--tasks", "tennis-8", "--games", "1000", "--seeds", "2", "-o", str(records)]
    assert main(asked) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("| task | uniform | simple |\n") and "tennis-8: exploitability 1.944" in shown.err
    assert main(["table", "--relative", str(records)]) == 0
    assert "| tennis-8 | 1 | " in capsys.readouterr().out
    assert [record.name for record in benchmark.read_records(records)] == ["uniform", "simple"]
    assert main(["rejudge", str(records)]) == 0
    assert "simple: 2 results are those of their policies" in capsys.readouterr().out
    asked = ["run", "uniform", "mmd", "--track", "simulator", "--turns", "100", "--tasks", "random-1", "--seeds", "2"]
    assert main(asked) == 0
    assert "| random-1 | 4.046 | " in capsys.readouterr().out
    # An agent of one's own, from the working folder.
    (tmp_path / "own.py").write_text("def agent(task, seed):\n    return lambda state: {1: 1.0}\n")
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


def test_thirty_games_of_ten_families_are_proved(tmp_path: Path) -> None:
    checker = Path(__file__).parents[2] / "docs" / "check_game_proof.py"
    assert len(benchmark.GAMES) == 30 and len({task.family for task in benchmark.GAMES.values()}) == 10
    for task in benchmark.GAMES.values():
        # Snowball's A has no optimal strategy, and the nearly optimal ones run less often than numbers of this size can tell.
        if task.family != "snowball":
            optimal = task.judge(task.solution.policy())
            assert optimal.upper < 1e-8 and optimal.solver
        assert task.value.width < (1e-8 if task.family == "snowball" else 1e-14)
        uniform = task.judge("uniform")
        assert uniform.relative == 1 and not uniform.solver and uniform.exploitability > 0.1
        if task.name.endswith("-1") and checker.exists():
            # Another program, which shares nothing with the solver, checks what the truth rests on.
            (tmp_path / "proof").write_bytes(task.solution.certificate())
            done = subprocess.run([sys.executable, str(checker), str(tmp_path / "proof")], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


def test_the_strategies_of_a_small_snowball_game_are_nearly_optimal() -> None:
    task = benchmark.GAMES["snowball-1"]
    assert task.judge(task.solution.policy()).upper < 1e-8


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Littman's table is of a larger field; these are published: Dresher's recursion, and snowball's limit.
        ("snowball-1", Fraction(1)),
        ("goofspiel-1", Fraction(0)),
        ("goofspiel-2", Fraction(0)),
        ("goofspiel-3", Fraction(0)),
    ],
)
def test_values_that_theory_gives(name: str, value: Fraction) -> None:
    assert value in benchmark.GAMES[name].value


def test_inspections_by_their_recursion() -> None:
    @cache
    def value_of(days: int, inspections: int, violations: int) -> Fraction:
        """The two by two games solved by hand: a saddle point, or the formula of mixed strategies."""
        if not days or not violations:
            return Fraction(0)
        wait = value_of(days - 1, inspections, violations), value_of(days - 1, inspections, violations - 1) - 1
        if not inspections:
            return min(wait)
        inspect = value_of(days - 1, inspections - 1, violations), Fraction(2)
        low, high = max(min(wait), min(inspect)), min(max(wait[0], inspect[0]), max(wait[1], inspect[1]))
        if low == high:
            return low
        return (wait[0] * inspect[1] - wait[1] * inspect[0]) / (wait[0] + inspect[1] - wait[1] - inspect[0])

    for name in ("inspections-1", "inspections-2", "inspections-3"):
        task = benchmark.GAMES[name]
        assert value_of(*task.rules.start) in task.value


def recorded() -> benchmark.Record:
    def agent(task: Any, seed: int) -> Any:
        random = np.random.default_rng(seed)
        return tuple(_drawn(random, table) for table in map(task.solution.policy().array, ("A", "B")))

    return benchmark.evaluate(agent, ["random-1", "blotto-1"], name="drawn", seeds=[3, 4])


def _drawn(random: np.random.Generator, table: Any) -> Any:
    going = table.sum(axis=1, keepdims=True) > 0
    weights = random.random(table.shape) * going
    # Blotto's states have fewer actions than columns: the first one alone is always there.
    return np.concatenate([np.ones((len(table), 1)) * going, np.zeros((len(table), table.shape[1] - 1))], axis=1) if table.shape[1] > 3 else (
        weights / np.where(going, weights.sum(axis=1, keepdims=True), 1)
    )


def test_a_record_is_judged_again_from_its_policies() -> None:
    record = recorded()
    again = benchmark.Record.from_json(record.to_json())
    assert [result.seed for result in again.results] == [3, 4, 3, 4]
    assert benchmark.rejudge(again).to_json() == record.to_json()
    for one in ("tennis-8", "blind-6", "match-20"):
        first = benchmark.evaluate("uniform", [one], name="uniform")
        assert benchmark.rejudge(benchmark.Record.from_json(first.to_json())).to_json() == first.to_json()
    mean, half = benchmark.interval([result.exploitability for result in record.results[:2]])
    assert f"{mean:.4g} ± {half:.4g}" in benchmark.table([record])
    solved = benchmark.evaluate(lambda task, seed: task.solution.policy(), ["blotto-1"], name="solved", seeds=[1])
    assert "*" in benchmark.table([solved]) and solved.results[0].solver


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("lower", Fraction(0), "lower is Fraction"),
        ("upper", Fraction(10**6), "upper is Fraction"),
        ("exploitability", 0.001, "exploitability is 0.001"),
        ("relative", 0.001, "relative is 0.001"),
        ("value", 0.5, "value is 0.5"),
        ("best_response_a", 0.5, "best_response_a"),
        ("best_response_b", 0.5, "best_response_b"),
        ("loss_a", 0.5, "loss_a"),
        ("loss_b", 0.5, "loss_b"),
        ("opening_a", {0: 1.0}, "opening_a"),
        ("opening_b", {0: 1.0}, "opening_b"),
        ("solver", True, "solver is True"),
        ("task", "random-2", "there are two results|cannot be read|shape"),
        ("task", "blotto-1", "shape"),
        ("task", "tennis-8", "cannot be read|KeyError"),
        ("task", "nothing", "is not a task"),
        ("policy", "", "the policy is missing"),
        ("policy", "!!", "the policy is missing"),
        ("digest", "0" * 64, "not that of the digest"),
        ("seed", 4, "there are two results"),
    ],
)
def test_forged_records_are_refused(field: str, value: Any, message: str) -> None:
    record = recorded()
    if field == "task":
        record = dataclasses.replace(record, results=record.results[:1])
    forged = [dataclasses.replace(record.results[0], **{field: value}), *record.results[1:]]
    for again in (benchmark.rejudge, lambda record: benchmark.table([record])):
        with pytest.raises(ValueError, match=message):
            again(dataclasses.replace(record, results=forged))  # type: ignore[no-untyped-call]
    with pytest.raises(ValueError, match="of version 1"):
        benchmark.rejudge(dataclasses.replace(record, benchmark=1))
    with pytest.raises(ValueError, match="several tracks"):
        benchmark.table([record, dataclasses.replace(record, track="simulator")])


def test_a_forged_policy_is_no_way_in() -> None:
    import base64
    import hashlib
    import io
    import pickle

    record = recorded()
    bomb = io.BytesIO()
    np.savez_compressed(bomb, A=np.zeros(1 << 26), B=np.zeros(1))
    objects = io.BytesIO()
    np.savez_compressed(objects, A=np.array([{}], object), B=np.zeros(1))
    sound = base64.b64decode(record.results[0].policy)
    longer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sound)) as archive, zipfile.ZipFile(longer, "w") as copy:
        for name in archive.namelist():
            copy.writestr(name, archive.read(name) + b"\0")
    behind = (sound + b"\0", b"\0" + sound, sound + sound[-22:], longer.getvalue())
    for packed in (bomb.getvalue(), objects.getvalue(), pickle.dumps({}), b"PK", b"x" * 100, *behind):
        forged = dataclasses.replace(
            record.results[0], policy=base64.b64encode(packed).decode(), digest=hashlib.sha256(packed).hexdigest()
        )
        with pytest.raises(ValueError, match="cannot be read"):
            benchmark.rejudge(dataclasses.replace(record, results=[forged]))


def test_a_simulator_counts_turns_and_gives_no_more() -> None:
    seen: list[Any] = []

    def agent(simulator: benchmark.Simulator, seed: int) -> Any:
        seen.append((seed, [name for name in dir(simulator) if not name.startswith("_")]))
        turn = simulator.reset()
        assert turn.state == (3, 0) and turn.actions == (3, 3)
        for wrong in ((3, 0), (0, -1)):
            with pytest.raises(ValueError, match="there are no actions"):
                simulator.step(*wrong)
        rewards = 0.0
        while simulator.left:
            turn = simulator.step(0, 0) if turn.actions[0] else simulator.reset()
            rewards += turn.reward
        with pytest.raises(benchmark.TurnsSpent):
            simulator.step(0, 0)
        simulator.spent = lambda: 3
        with pytest.raises(AttributeError):
            simulator.left = 10**9  # type: ignore[misc]
        with pytest.raises(benchmark.TurnsSpent):
            simulator.step(0, 0)
        return None if rewards else None

    def learner(simulator: benchmark.Simulator, seed: int) -> Any:
        agent(simulator, seed)
        return "uniform"

    record = benchmark.evaluate(learner, ["random-1"], name="x", track="simulator", turns=30, seeds=[7, 8])
    assert [result.turns for result in record.results] == [30, 30]
    assert seen == [(seed, ["discount", "left", "name", "reset", "spent", "step"]) for seed in (7, 8)]
    with pytest.raises(ValueError, match="has no simulator"):
        benchmark.evaluate(learner, ["tennis-8"], name="x", track="simulator")
    with pytest.raises(TypeError, match="is a function of a simulator"):
        benchmark.evaluate("uniform", ["random-1"], name="x", track="simulator")
    fresh = benchmark.Simulator(benchmark.GAMES["random-1"], 1, 5)
    with pytest.raises(ValueError, match="not begun"):
        fresh.step(0, 0)


def test_a_simulator_plays_by_the_rules() -> None:
    task = benchmark.GAMES["soccer-1"]
    simulator, random = benchmark.Simulator(task, 1, 2000), np.random.default_rng(1)
    turn, total = simulator.reset(), 0
    assert turn.state in task.solution.starts
    while simulator.left:
        if not turn.actions[0]:
            turn = simulator.reset()
        before = turn.state
        a, b = (int(random.integers(size)) for size in turn.actions)
        turn = simulator.step(a, b)
        names = task.rules.turn(before)
        assert turn.state in task.rules.after(before, names[0][a], names[1][b])
        assert turn.reward == (float(task.rules.turn(turn.state)) * 0.9 if not turn.actions[0] else 0)
        total += 1
    assert total == 2000


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"seeds": []}, ValueError, "the seeds are"),
        ({"seeds": [1, 1]}, ValueError, "the seeds are"),
        ({"seeds": [-1]}, pt.Error, "a seed is -1"),
        ({"seeds": [1.5]}, TypeError, "a seed is 1.5"),
        ({"turns": 0}, pt.Error, "the number of turns is 0"),
        ({"track": "none"}, ValueError, "no track 'none'"),
        ({"name": None}, TypeError, "the name is None"),
        ({"note": 5}, TypeError, "the note is 5"),
    ],
)
def test_what_is_asked_for_is_checked(wrong: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        benchmark.evaluate("uniform", ["random-1"], **{"name": "x"} | wrong)
    for option in ("--games", "--turns", "--seeds"):
        with pytest.raises(SystemExit):
            main(["run", "uniform", option, "0"])


def test_learners_of_tables_learn() -> None:
    """With enough turns the sound ones come near the truth of a small game, and the same seed gives the same policy."""
    for name in ("minimax-q", "regret-matching", "cfr-plus"):
        runs = [
            benchmark.evaluate(benchmark.LEARNERS[name], ["random-1"], name=name, seeds=[1], track="simulator", turns=8000)
            for _ in range(2)
        ]
        assert runs[0].results[0].digest == runs[1].results[0].digest and runs[0].results[0].relative < 0.15, name


def test_policies_of_games_are_checked() -> None:
    task = benchmark.GAMES["random-1"]
    shape = task.solution.policy().array("A").shape
    for policy, message in [
        ((np.ones(3), np.ones(3)), "shape"),
        (lambda state, player: [0.5, 0.5], "probabilities; expected 3"),
        (lambda state, player: {7: 1.0}, "actions 0 to 2"),
        (lambda state, player: {0: -1.0, 1: 2.0}, "negative"),
        ((np.full(shape, np.nan),) * 2, "NaN"),
        (lambda state, player: [0.2, 0.2, 0.2], "sum to"),
    ]:
        with pytest.raises(pt.Error, match=message):
            task.judge(policy)
    with pytest.raises(TypeError, match="is no policy"):
        task.judge(5)
