"""The learners of the benchmark's simulator: their networks, what they reach on small games, and the tables of their runs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pencil_tennis import benchmark
from pencil_tennis.benchmark.__main__ import main
from pencil_tennis.benchmark._networks import ACTIONS, FEATURES, Networks, Seen, rounded, softmax

BENCHES = Path(__file__).parents[1] / "benches"
NEW = ("psro", "dqn", "nfsp", "ppo", "r-nad")


def small(family: str, *arguments: int) -> benchmark.GameTask:
    return benchmark.GameTask("small", family, arguments)


def test_the_gradient_of_networks_is_the_slope_of_the_loss() -> None:
    random = np.random.default_rng(1)
    networks = Networks(3, random, rate=1e-3)
    networks.weights[:] = random.normal(0, 0.2, len(networks.weights))
    inputs = (random.random((2, 5, FEATURES)) < 0.1).astype(np.float32)
    goal = random.normal(size=(2, 5, 3)).astype(np.float32)

    def loss(weights: Any) -> float:
        return 0.5 * float(((networks.outputs(inputs, weights).astype(float) - goal) ** 2).sum())

    before = networks.weights.copy()
    networks.learn(inputs, lambda outputs: outputs - goal)
    gradient = networks._gradient
    largest = np.argsort(-np.abs(gradient))[:200:10]
    for place in largest:
        slopes = []
        for sign in (1, -1):
            moved = before.copy()
            moved[place] += sign * 1e-2
            slopes.append(loss(moved))
        # Single precision, and corners of ReLU within the step.
        assert (slopes[0] - slopes[1]) / 2e-2 == pytest.approx(gradient[place], rel=0.02)
    assert loss(networks.weights) < loss(before)


def test_states_with_common_parts_are_alike() -> None:
    seen = Seen()
    states = [((0, 1), frozenset({"x", "y"})), ((0, 2), frozenset({"y"})), "..X", "..O"]
    numbers = [seen.number(state, (2, 3)) for state in states]
    one, other, first, second = (set(np.flatnonzero(seen.inputs[number]).tolist()) for number in numbers)
    assert numbers == [0, 1, 2, 3] and [seen.number(state, (2, 3)) for state in states] == numbers
    assert len(one & other) == 2 and len(first & second) == 2 and not one & first
    assert seen.legal[0].sum(axis=1).tolist() == [2, 3] and seen.find("...") is None
    with pytest.raises(ValueError, match="has 65 actions; the networks have 64 outputs"):
        seen.number("many", (1, ACTIONS + 1))
    for state in range(100):
        seen.number(state, (1, 1))
    assert seen.inputs[0].any() and len(seen.inputs) >= 104


def test_rounded_probabilities_sum_to_1_and_none_is_0() -> None:
    random = np.random.default_rng(2)
    for size in (1, 2, 45):
        found = rounded(softmax(random.normal(0, 20, size), np.ones(size, np.bool_)))
        assert found.sum() == 1 and found.min() >= 2.0**-24


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("task", ["snowball-1", "pursuit-1", "row-1"])
def test_a_learner_plays_all_turns_and_the_same_seed_gives_the_same_policy(name: str, task: str) -> None:
    runs = [
        benchmark.evaluate(benchmark.LEARNERS[name], [task], name=name, seeds=[seed], track="simulator", turns=300).results[0]
        for seed in (1, 1, 2)
    ]
    # Judging has checked that the policies are distributions.
    assert [run.turns for run in runs] == [300] * 3
    assert runs[0].digest == runs[1].digest
    # Greedy policies of two seeds may be the same.
    assert runs[0].digest != runs[2].digest or name in ("dqn", "psro")


@pytest.mark.parametrize(("name", "most"), [("psro", 0.01), ("dqn", 0.01), ("nfsp", 0.6), ("ppo", 0.1), ("r-nad", 0.7)])
def test_learners_learn_dominant_cards(name: str, most: float) -> None:
    """In Goofspiel with two cards the higher prize deserves the higher card, whatever the opponent does."""
    record = benchmark.evaluate(
        benchmark.LEARNERS[name], [small("goofspiel", 2, 2)], name=name, seeds=[1, 2], track="simulator", turns=2000
    )
    assert all(result.relative < most for result in record.results), [result.relative for result in record.results]


def test_psro_mixes_members() -> None:
    """A single matrix without a saddle point: no pure policy is near optimal, but the members' mixture is."""
    task = small("random", 1)
    record = benchmark.evaluate(benchmark.LEARNERS["psro"], [task], name="psro", seeds=[1, 2], track="simulator", turns=3000)
    assert max(result.relative for result in record.results) < 0.5
    assert all(len(result.opening_a) > 1 and len(result.opening_b) > 1 for result in record.results)


def bench() -> Any:
    path = BENCHES / "baselines.py"
    if not path.exists():
        pytest.skip("the records are not here")
    specification = importlib.util.spec_from_file_location("baselines", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_no_baseline_solves_a_task() -> None:
    script = bench()
    numbers = script.read()
    assert script.solved(numbers) == []
    assert script.solved({("x", "random-1", 5000): [0.0, 0.001]}) == ["random-1 by x"]
    first = {(agent, task) for agent, task, turns in numbers if turns == script.TURNS and task.endswith("-1")}
    assert first == {(agent, task) for agent in benchmark.LEARNERS for task in script.SIZES[0]}


def test_the_tables_are_those_of_the_runs() -> None:
    script = bench()
    text = (BENCHES / "baselines.md").read_text(encoding="utf-8")
    numbers, records = script.read(), benchmark.read_records(BENCHES / "baselines.jsonl")
    assert [record.name for record in records] == list(benchmark.LEARNERS)
    for record in records:
        for task in script.SIZES[0]:
            found = [result.relative for result in record.results if result.task == task]
            assert found == pytest.approx(numbers[record.name, task, script.TURNS], rel=1e-5)
    # All records are judged again for a release; here those of two agents, whose columns are compared.
    chosen = [record for record in records if record.name in ("cfr-plus", "r-nad")]
    first = text.split("## Size 1")[1].split("## Sizes")[0]
    rows = [line.strip("| ").split(" | ") for line in first.split("\n") if line.startswith("|")]
    places = [0, *(rows[0].index(record.name) for record in chosen)]
    again = [line.strip("| ").split(" | ") for line in benchmark.table(chosen, relative=True).split("\n\n")[0].split("\n")]
    assert [[row[place] for place in places] for row in rows[2:]] == again[2:]
    assert script._table(numbers, [task for tasks in script.SIZES[1:] for task in tasks]) in text


@pytest.mark.parametrize(("agent", "task"), [("psro", "inspections-1"), ("mmd", "random-1")])
def test_runs_can_be_made_again(agent: str, task: str) -> None:
    """Learners of tables give the same policy everywhere; sums of networks are rounded by the machine's library of matrices."""
    script = bench()
    record = benchmark.evaluate(benchmark.LEARNERS[agent], [task], name=agent, seeds=[1], track="simulator", turns=script.TURNS)
    assert record.results[0].relative == pytest.approx(script.read()[agent, task, script.TURNS][0], rel=1e-5)


def test_a_run_without_names_says_what_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--track", "simulator", "--turns", "20", "--tasks", "random-1", "--seeds", "1"]) == 0
    shown = capsys.readouterr()
    assert f"runs all baselines of the track simulator: {', '.join(benchmark.LEARNERS)}\n" in shown.err
    assert shown.out.startswith(f"| task | {' | '.join(benchmark.LEARNERS)} |\n")
    assert main(["run", "none", "--track", "simulator"]) == 1
    assert "expected one of uniform, independent-q, " in capsys.readouterr().err
