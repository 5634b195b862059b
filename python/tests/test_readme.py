"""The programs of the front page run."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
FRONT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_game_on_the_front_page_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = (text for text in re.findall(r"```python\n(.*?)```", FRONT, re.DOTALL) if "import games" in text)
    exec(program, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^print.*# (.*)$", program, re.MULTILINE)


def test_its_programs(capsys: pytest.CaptureFixture[str]) -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 3
    names: dict[str, object] = {}
    for program in programs:
        exec(program, names)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "-0.757168758003445" and lines[2] == "(51, 51, 5)"
