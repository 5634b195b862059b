"""Ways to make a table of the benchmark say what is not so: each is refused, has no effect, or is shown as claimed."""

from __future__ import annotations

import dataclasses
import gc
import json
import math
from typing import Any

import numpy as np
import pytest
from pencil_tennis import benchmark

TASK = "goofspiel-1"


def uniform(track: Any = "simulator", seeds: tuple[int, ...] = (1, 2)) -> benchmark.Record:
    return benchmark.evaluate(lambda given, seed: lambda state, player: None, [TASK], name="x", seeds=seeds, track=track, turns=100)


def forged(record: benchmark.Record, **changes: Any) -> Any:
    """The record as text with other claims, read again."""
    written = json.loads(record.to_json())
    for result in written["results"]:
        result.update(changes.get("results", {}))
    written.update({name: value for name, value in changes.items() if name != "results"})
    return benchmark.Record.from_json(json.dumps(written))


@pytest.mark.parametrize(
    "name",
    [
        "mine |\n| --- | ---: |\n| goofspiel-1 | 0.0001 |\n\n<!-- ",
        "me | 0.0 |\r\n| x",
        "a\u2028| goofspiel-1 | 0 |\u0085| x",
        "<script>alert(1)</script>",
        "[optimal](https://example.com) `code` **bold** \\",
        "x" * 10_000,
    ],
)
def test_a_name_is_a_cell(name: str) -> None:
    plain, named = benchmark.table([uniform()]), benchmark.table([forged(uniform(), name=name)])
    assert plain.split("\n")[1:] == named.split("\n")[1:] and len(named.splitlines()) == len(plain.splitlines())
    header = named.split("\n")[0]
    unescaped = header.replace("\\\\", "").replace("\\|", "")
    assert unescaped.count("|") == 3 and len(header) < 200
    for sign in "<>[`*":
        assert header.count(sign) == header.count("\\" + sign)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"turns": -5}, "turns of 'goofspiel-1' is -5; expected a whole number from 0 on"),
        ({"turns": "<script>"}, "turns of .* is '<script>'"),
        ({"turns": 1.5}, "turns of .* is 1.5"),
        ({"turns": None}, "has None turns in the track 'simulator'"),
        ({"games": -7}, "games of .* is -7"),
        ({"games": True}, "games of .* is True"),
        ({"seconds": "fast"}, "seconds of .* are 'fast'; expected a number from 0 on"),
        ({"seconds": -1.0}, "seconds of .* are -1.0"),
        ({"seconds": math.nan}, "seconds of .* are nan"),
        ({"seed": "zz"}, "seed of .* is 'zz'; expected a whole number"),
        ({"seed": 1.0}, "seed of .* is 1.0"),
        ({"seed": True}, "seed of .* is True"),
        ({"policy": 5}, "policy, digest or solver"),
        ({"solver": "no"}, "policy, digest or solver"),
    ],
)
def test_claims_that_cannot_be_are_refused(claim: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        forged(uniform(), results=claim)
    name, value = next(iter(claim.items()))
    if name not in ("policy", "solver") and value is not None:
        record = uniform()
        changed = [dataclasses.replace(result, **claim) for result in record.results[:1]]
        with pytest.raises(ValueError, match=message):
            benchmark.table([dataclasses.replace(record, results=changed)])


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"benchmark": 2.0}, "the version is 2.0; expected a whole number"),
        ({"benchmark": True}, "the version is True"),
        ({"track": "model"}, "has 0 turns in the track 'model'"),
        ({"track": "other"}, "the track is 'other'; expected 'model' or 'simulator'"),
    ],
)
def test_records_that_contradict_themselves_are_refused(claim: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        forged(uniform(), **claim)


@pytest.mark.parametrize("learned", [{"games": -7}, {"seconds": -1.0}, {"seconds": math.nan}, {"games": "many"}])
def test_an_agent_cannot_claim_them_either(learned: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="games of|seconds of"):
        benchmark.evaluate(lambda task, seed: benchmark.Learned("uniform", **learned), [TASK], name="x", seeds=[1])


def moved(task: Any, seed: int) -> Any:
    """The solver's policy, but for probabilities that are moved a little."""
    tables = []
    for table in map(task.solution.policy().array, ("A", "B")):
        for row in table:
            chosen = np.flatnonzero(row)
            if len(chosen) > 1:
                row[chosen[0]] += 3e-9
                row[chosen[1]] -= 3e-9
        tables.append(table)
    return tuple(tables)


@pytest.mark.parametrize("task", ["goofspiel-1", "random-1", "blotto-1"])
def test_a_policy_of_the_solver_keeps_its_star(task: str) -> None:
    for agent in (moved, lambda given, seed: given.solution.policy()):
        record = benchmark.evaluate(agent, [task], name="x", seeds=[1])
        # As if it had been learned by playing.
        relabelled = forged(record, track="simulator", results={"turns": 10})
        for shown in (record, relabelled):
            table = benchmark.table([shown])
            assert "*" in table.split("\n")[2] and f'Claimed: names, the track "{shown.track}", seeds.' in table
    plain = benchmark.evaluate("uniform", [task], name="x")
    assert "*" not in benchmark.table([plain])
    # A record of a version that compared probabilities has none, and gets it.
    starred = benchmark.evaluate(moved, [task], name="x", seeds=[1])
    assert "*" in benchmark.table([forged(starred, results={"solver": False})])
    with pytest.raises(ValueError, match="solver is True"):
        benchmark.table([forged(plain, results={"solver": True})])


def test_a_policy_counts_once() -> None:
    def agent(task: Any, seed: int) -> Any:
        return "uniform" if seed < 9 else lambda state, player: {0: 1.0}

    several = benchmark.evaluate(agent, [TASK], name="x", seeds=[1, 2, 3, 9])
    two = benchmark.evaluate(agent, [TASK], name="x", seeds=[1, 9])
    assert "±" in benchmark.table([two]) and benchmark.table([several]) == benchmark.table([two])
    assert "±" not in benchmark.table([uniform("model", (1, 2, 3))])


def test_turns_cannot_be_set_back() -> None:
    refused = 0

    def agent(simulator: Any, seed: int) -> Any:
        nonlocal refused
        simulator.spent = lambda: 0
        simulator._turns = 10**9
        session = simulator.step.__self__
        for name in ("spent", "turns", "state", "rules"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(session, name, 0)
        # Neither the rules nor the source of randomness can be read from it.
        assert not hasattr(session, "rules") and gc.get_referents(session) == [type(session)] and not hasattr(simulator.step, "__closure__")
        turn = simulator.reset()
        for _ in range(100):
            try:
                turn = simulator.step(0, 0) if turn.actions[0] else simulator.reset()
            except benchmark.TurnsSpent:
                refused += 1
                turn = simulator.reset()
        return "uniform"

    record = benchmark.evaluate(agent, [TASK], name="x", seeds=[1], track="simulator", turns=10)
    assert record.results[0].turns == 10 and refused > 0
