"""The examples in docstrings run, and every main thing has one."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil

import pencil_tennis as pt
import pytest

NEEDS = {
    "_game_type": "pyspiel", "_parallel": "pettingzoo", "_spaces": "gymnasium", "env": "pettingzoo", "games._spaces": "gymnasium",
    "games.env": "pettingzoo", "games.gym": "gymnasium", "games.spiel": "pyspiel", "gym": "gymnasium", "openspiel": "pyspiel", "sb3": "stable_baselines3",
}  # fmt: skip
MODULES = [
    module.name.removeprefix("pencil_tennis.")
    for module in pkgutil.walk_packages(pt.__path__, "pencil_tennis.", onerror=lambda name: None)
    if module.name not in ("pencil_tennis._native", "pencil_tennis.benchmark.__main__")
]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_they_run(name: str) -> None:
    for needing in (name, name.split(".")[0]):
        if needing in NEEDS:
            pytest.importorskip(NEEDS[needing])
    module = importlib.import_module(f"pencil_tennis.{name}" if name else "pencil_tennis")
    # Those of the native module stand in the docstrings of its classes.
    also = {"_native": {item: getattr(pt, item) for item in ("Policy", "Rules")}} if not name else {}
    finder = doctest.DocTestFinder()
    tests = finder.find(module)
    for item in also.get("_native", {}).values():
        tests += finder.find(item, item.__name__, module)
    runner = doctest.DocTestRunner()
    for test in tests:
        runner.run(test)
    assert runner.failures == 0


# Too small for examples of their own: round trips of numbers, names of types, errors.
WITHOUT = {
    "BestResponse", "BlindPolicy", "BlindSolution", "CurvePoint", "Digits", "Duel", "Enclosure", "Endgame", "Equilibrium",
    "ExactEquilibrium", "InformationSet", "Judgement", "LearnerKind", "Match", "Meeting", "Player", "PolicyLike", "Proof",
    "Score", "StateArrays", "StateLike", "StateLoss", "StateRegret",
}  # fmt: skip


@pytest.mark.parametrize("name", pt.__all__)
def test_every_main_docstring_has_one(name: str) -> None:
    thing = getattr(pt, name)
    if callable(thing) and name not in WITHOUT and not (isinstance(thing, type) and issubclass(thing, Exception)):
        assert ">>> " in (thing.__doc__ or ""), name
