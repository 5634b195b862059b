"""Mistakes that are easily made, and the sentences that tell what to do instead; all of them at once."""

from __future__ import annotations

import base64
import hashlib
import io
import itertools
import json
import random
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import benchmark, games, matrix_game
from single_turn import Once


class Endless(Mapping[Any, Any]):
    """A mapping whose items never end."""

    def __init__(self, keys: Any) -> None:
        self.keys_of = keys

    def __getitem__(self, key: Any) -> Any:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys_of())

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Once(turn=lambda state: None), "`turn` gives None at 0; .*is a `return` missing"),
        (Once(after=lambda s, a, b: None), "`after` gives None at 0, 0 against 0; .*is a `return` missing"),
        (Once(turn=lambda state: [[0, 1], [0, 1]]), r"`turn` gives the list \[\[0, 1\], \[0, 1\]\] at 0; expected a tuple"),
        (Once(after=lambda s, a, b: Endless(itertools.count)), "state 0: there are more than 4194304 states that follow"),
        (Once(turn=lambda state: (itertools.count(), [0])), "state 0: there are more than 4194304 actions"),
        (Once(starts=lambda: Endless(itertools.count)), "there are more than 10000000 starts"),
    ],
)
def test_rules_that_are_wrong_are_named(game: Any, message: str) -> None:
    with pytest.raises(pt.Error, match=message):
        games.solve(game)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (5, "5 is no game; expected a path, or an object with the methods starts, turn and after"),
        ([[1, 2], [3, 4]], "expected pencil_tennis.matrix_game.solve for a matrix"),
        (np.eye(2), "expected pencil_tennis.matrix_game.solve for a matrix"),
        (type("Half", (), {"starts": 1, "turn": 2})(), "the methods starts, turn and after; after is missing"),
        (type("Spiel", (), {"new_initial_state": None})(), r"expected games.from_open_spiel\(game\) for a game of OpenSpiel"),
    ],
)
def test_other_things_are_shown_their_door(game: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        games.solve(game)


def test_games_of_open_spiel_are_named() -> None:
    with pytest.raises(TypeError, match="5 is no game of OpenSpiel; expected its name"):
        games.from_open_spiel(5)
    pyspiel = pytest.importorskip("pyspiel")
    rock = games.solve(games.from_open_spiel("matrix_rps"))
    assert rock.value == 0 and [round(share, 9) for share in rock.strategies(rock.starts[0])[0].values()] == [round(1 / 3, 9)] * 3
    with pytest.raises(pt.Error, match="OpenSpiel does not load 'nothing_like_it'"):
        games.from_open_spiel("nothing_like_it")
    assert games.solve(pyspiel.load_game("matrix_rps")).value == 0
    soccer = pyspiel.load_game("markov_soccer")
    with pytest.raises(pt.Error, match=r"only \d+ differ but for the number of moves, and kind=\"recursive\""):
        games.solve(games.from_open_spiel(soccer, seconds=3.0))


@pytest.mark.parametrize("source", [5, np.random.RandomState(1), random.Random(1), None])
def test_draws_name_the_generator(source: Any) -> None:
    with pytest.raises(TypeError, match=r"the source of randomness is .*such as numpy.random.default_rng\(5\)"):
        pt.Games(3, 5).draw(pt.solve(5).policy(), "A", source)


@pytest.mark.parametrize(
    "payoffs",
    [
        itertools.repeat([1, 2]),
        [itertools.count()],
        [[1, 2], itertools.count()],
        ["12", "34"],
        [{1, 2}, {3, 4}],
        [{1: 0, 2: 0}, {3: 0, 4: 0}],
        {(1, 2), (3, 4)},
        {0: [1, 2]},
        Endless(itertools.count),
    ],
)
def test_matrices_that_are_none_are_refused_at_once(payoffs: Any) -> None:
    begin = time.perf_counter()
    with pytest.raises(pt.MatrixError, match="is no matrix|or no end"):
        matrix_game.solve(payoffs)
    # An iterator without an end took minutes, or all memory.
    assert time.perf_counter() - begin < 10


def forged(**parts: bytes) -> Any:
    """A record whose policy is an archive with these members."""
    honest = benchmark.evaluate(lambda task, seed: "uniform", ["goofspiel-1"], name="x", seeds=[1])
    written = json.loads(honest.to_json())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(f"{name}.npy", content)
    packed = stream.getvalue()
    written["results"][0].update(policy=base64.b64encode(packed).decode(), digest=hashlib.sha256(packed).hexdigest())
    return benchmark.Record.from_json(json.dumps(written))


def header(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("member", "message"),
    [
        (header("(1000000000000,)"), "the header of an array promises 8000000000000 bytes, but 0 follow"),
        (header("(1, 2)") + b"\0" * 24, "promises 16 bytes, but 24 follow"),
        (header("(1,)", "|O") + b"\0" * 8, "promises 8 bytes"),
        (b"\x93NUMPY\x02\x00" + b"\0" * 100, "another version of the format"),
        (b"\0" * (1 << 29), "it is too large"),
    ],
)
def test_archives_that_promise_much_are_refused(member: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"the policy of goofspiel-1 cannot be read: {message}|cannot be read.*{message}"):
        benchmark.table([forged(A=member, B=member)])


def test_files_that_are_no_records_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    for content, message in [
        (b"[" * 100_000, "line 1: not a record of the benchmark"),
        (b'{"a":' * 100_000, "line 1: not a record of the benchmark: it is nested too deeply"),
        (b"\n{\xff}\n", "line 2: it is no text in UTF-8"),
        (b"\0" * (1 << 20), "line 1: not a record of the benchmark"),
    ]:
        file.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            benchmark.read_records(file)
    with pytest.raises(ValueError, match="line 1: "):
        benchmark.read_transcripts(file, "tennis-8")
    if Path("/dev/zero").exists():
        with pytest.raises(ValueError, match="/dev/zero, line 1: not a record"):
            benchmark.read_records("/dev/zero")
    with pytest.raises(ValueError, match="nested too deeply"):
        benchmark.Record.from_json("[" * 200_000)
    file.write_text("\n" + benchmark.evaluate("uniform", ["tennis-8"], name="x").to_json() + "\n\n")
    assert [record.name for record in benchmark.read_records(file)] == ["x"]


def test_errors_have_codes_that_stay() -> None:
    """What the library refuses has a code; what the Python code refuses has none."""
    solution = pt.solve(3)
    with pytest.raises(pt.GameError) as refused:
        solution["9:9@0"]
    assert refused.value.code == "game.outside"
    with pytest.raises(pt.Error) as too_large:
        pt.solve(2000, memory_limit=1 << 20)
    assert too_large.value.code == "work.memory"
    assert pt.Error("own").code is None
