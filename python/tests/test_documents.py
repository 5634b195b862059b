"""The programs in Python that the documents print run, and what they print is true."""

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy
import pytest

import pencil_tennis as pt

DOCUMENTS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCUMENTS.exists(), reason="the documents are not here")


def program(document: str, language: str = "python") -> str:
    """The one program of a document."""
    text = (DOCUMENTS / document).read_text(encoding="utf-8")
    (found,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return str(found)


def test_every_document_with_programs_is_tested() -> None:
    tested = {"bots.md", "games.md", "hidden.md", "json.md", "benchmark.md"}
    # All of its blocks are run and compared by page.py.
    tutorial = {"python.md"}
    documents = {path.name for path in DOCUMENTS.glob("*.md") if "```python" in path.read_text(encoding="utf-8")}
    assert documents == tested | tutorial


def test_a_bot_bids_within_its_points() -> None:
    asked = "new 5\nbid A 5:3@0\nbid B 5:0@1\n"
    bot = subprocess.run([sys.executable, "-c", program("bots.md")], input=asked, capture_output=True, text=True, check=True)
    first, second = map(int, bot.stdout.split())
    assert 1 <= first <= 5 and second == 0


def test_a_game_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCUMENTS / "game-format.md").read_text(encoding="utf-8")
    (tmp_path / "snowball.jsonl").write_text(text.split("```\n")[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    own, _, of_open_spiel = program("games.md").partition("import pyspiel\n")
    names: dict[str, object] = {}
    exec(own, names)
    worth = eval('solution.judge("A", {"s": {"hide": "1/2", "run": "1/2"}}).value', names)
    assert "best response: 8/15" in own
    assert worth == pytest.approx(8 / 15, abs=1e-12)
    pytest.importorskip("pyspiel")
    exec("import pyspiel\n" + of_open_spiel, names)


def test_a_game_with_hidden_information(capsys: pytest.CaptureFixture[str]) -> None:
    own, _, of_open_spiel = program("hidden.md").partition("leduc =")
    names: dict[str, object] = {}
    exec(own, names)
    value, loss, proved = capsys.readouterr().out.splitlines()
    # By hand: A raises with heads and a third of tails, B calls two thirds of the raises, and A gets 1/2 * 5/3 - 1/2. If A
    # always raises, B always calls, and A gets nothing.
    assert float(Fraction(value.split()[0])) == pytest.approx(1 / 3, abs=1e-12)
    assert float(Fraction(proved)) == pytest.approx(1 / 3, abs=1e-12)
    assert float(Fraction(loss)) == pytest.approx(1 / 3, abs=1e-12)
    pytest.importorskip("pyspiel")
    exec("leduc =" + of_open_spiel, names)
    conv, is_back = capsys.readouterr().out.splitlines()
    assert Fraction(conv) == Fraction(1709, 360)
    assert is_back == "True"


def test_perfect_play_from_an_array(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    policy = pt.solve(50).policy()
    numpy.savez("policy.npz", policy_a=policy.array("A"), policy_b=policy.array("B"))
    exec(program("json.md"), {})
    assert re.search(r"A bids \d+, B bids \d+: \d+:\d+@-?\d+$", capsys.readouterr().out.splitlines()[-1])


def test_an_agent_of_the_benchmark() -> None:
    from pencil_tennis import benchmark

    names: dict[str, Any] = {}
    exec(program("benchmark.md"), names)
    record = benchmark.evaluate(names["agent"], ["blotto-1"], name="x", track="simulator", seeds=[1])
    assert record["blotto-1"].relative == pytest.approx(1.0)
