"""Ctrl-C interrupts any work soon, and other Python threads run meanwhile."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games, matrix_game

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")

RANDOM = np.random.default_rng(2012)
LARGE = RANDOM.normal(size=(900, 900))
WHOLE = RANDOM.integers(-9, 10, size=(300, 300))

# Each takes many seconds.
LONG: dict[str, Callable[[], object]] = {
    "matrix in floating point": lambda: matrix_game.solve(LARGE),
    "matrix in fractions": lambda: matrix_game.solve(WHOLE),
    "uniform policy": lambda: pt.as_policy("uniform", 250),
    "exploitability": lambda: pt.exploitability(LARGER),
    "meeting": lambda: pt.meeting(UNIFORM, UNIFORM),
    "duel": lambda: pt.duel(UNIFORM, UNIFORM, 10**9),
    "optimal policy": lambda: UNKEPT.policy(),
    "judgement": lambda: UNKEPT.judge(UNIFORM.with_rules(None)),
    "certificate": lambda: UNKEPT.certificate(),
    "rules without an end": lambda: games.solve(Longer()),
    "a file without an end": lambda: games.solve("/dev/zero"),
    "arrays": lambda: games.from_arrays(**chain(500_000)),
    "a certificate of a game": lambda: games.verify(CHAIN.certificate()),
    # As the pickle of a game of rules has it; that of arrays is quick.
    "a written game": lambda: CHAIN._native.bytes(),
    "solve": lambda: pt.solve(400, keep_strategies=False),
}


class Longer:
    """A game in which every state is another one."""

    def starts(self) -> list[int]:
        return [0]

    def turn(self, state: int) -> tuple[list[int], list[int]]:
        return [0, 1], [0, 1]

    def after(self, state: int, a: int, b: int) -> int:
        return state + 1 + a + b


def chain(states: int) -> dict[str, Any]:
    """States with four pairs of actions, each with four successors further on, up to an end."""
    actions = np.full((states, 2), 2)
    actions[-1] = 0
    after = np.repeat(np.arange(states - 1), 4)[:, None] + np.array([1, 2, 4, 9])
    transitions = np.minimum(after, states - 1), np.full(after.shape, [1, 2, 3, 4])
    return {"actions": actions, "values": np.arange(states) % 7, "transitions": transitions, "rewards": np.arange(len(after)) % 5}


UNIFORM = pt.as_policy("uniform", 120)
CHAIN = games.solve(games.from_arrays(**chain(40_000)))
LARGER = pt.as_policy("uniform", 250)
UNKEPT = pt.solve(120, keep_strategies=False)


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard: a process that a shell started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c(name: str) -> None:
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        LONG[name]()
        timer.cancel()
        pytest.fail("it was over before Ctrl-C")
    # It is hundredths of a second; a busy machine may sleep in between.
    assert time.monotonic() - pressed[0] < 5


GRID = """mdp const int n;
module x x : [0..n]; [east] x<n -> 1/3 : (x'=x+1) + 2/3 : true; [west] x>0 -> (x'=x-1); endmodule
module y y : [0..n]; [north] y<n -> 1/5 : (y'=y+1) + 4/5 : true; [south] y>0 -> (y'=y-1); endmodule"""


@pytest.mark.usefixtures("heard")
def test_a_model_is_explored_from_a_checkpoint_on(tmp_path: Path) -> None:
    model, part = tmp_path / "grid.prism", tmp_path / "part"
    model.write_text(GRID)

    def game(n: int = 150, **options: Any) -> games.PrismGame:
        return games.from_prism(model, "Pmax=? [ F x=n & y=n ]", constants={"n": n}, **options)

    def press() -> None:
        while not part.exists():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press, daemon=True)
    with pytest.raises(KeyboardInterrupt):
        presser.start()
        game(checkpoint=part, checkpoint_every=0)
        pytest.fail("it was over before Ctrl-C")
    presser.join()
    begun = part.read_bytes()

    # The file is not overwritten but by who goes on from it, which completes it.
    with pytest.raises(FileExistsError, match="go on from it with resume"):
        game(checkpoint=part)
    whole, resumed = game(), game(resume=part, checkpoint=part)
    assert resumed.native.bytes() == whole.native.bytes()
    assert resumed.assumptions == whole.assumptions
    assert len(part.read_bytes()) > len(begun)
    assert game(resume=part).native.bytes() == whole.native.bytes()

    with pytest.raises(pt.Error, match="is of another model"):
        game(149, resume=part)
    for damaged in (begun[:-1], begun[: len(begun) // 2], begun.replace(b"1/3", b"1/4", 1), b""):
        part.write_bytes(damaged)
        with pytest.raises(pt.Error, match="checkpoint"):
            game(resume=part)
    with pytest.raises(OSError):
        game(resume=tmp_path / "absent")
    with pytest.raises(OSError):
        game(checkpoint=tmp_path / "nowhere" / "part")
    with pytest.raises(pt.Error, match="an export has its states"):
        games.from_prism(tmp_path / "absent.tra", "Pmax=? [ F true ]", resume=part)
