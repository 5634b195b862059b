"""One vocabulary: Tennis, and the same game written as rules of any game, answer the same questions with the same names."""

from __future__ import annotations

import logging

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games

POINTS = 4


class WrittenTennis:
    """Tennis with 4 points each, as rules of any game: written from the article, without the package."""

    def starts(self) -> list[tuple[int, int, int]]:
        return [(POINTS, POINTS, 0)]

    def turn(self, state: tuple[int, int, int]) -> tuple[list[int], list[int]] | int:
        a, b, ball = state
        if abs(ball) == 3:
            return 2 if ball > 0 else -2
        if a == b == 0:
            return (ball > 0) - (ball < 0)
        return [*range(1, a + 1)] or [0], [*range(1, b + 1)] or [0]

    def after(self, state: tuple[int, int, int], a: int, b: int) -> tuple[int, int, int]:
        own, other, ball = state
        if a > b:
            # A hits a ball on A's side over the net, onto the first field there.
            ball = 1 if ball < 0 else ball + 1
        elif b > a:
            ball = -1 if ball > 0 else ball - 1
        return own - a, other - b, ball


def evenly(state: tuple[int, int, int] | pt.State, player: str) -> dict[int, float]:
    own = state[player == "B"]
    return {bid: 1 / own for bid in range(1, own + 1)}


@pytest.fixture(scope="module")
def tennis() -> pt.Solution:
    return pt.solve(POINTS)


@pytest.fixture(scope="module")
def written() -> games.Solution[tuple[int, int, int], int]:
    return games.solve(WrittenTennis())


def test_bounds_and_strategies_have_the_same_names(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    compared = 0
    for state in written:
        if abs(state[2]) == 3:
            continue
        one, other = tennis.enclosure(state), written.enclosure(state)
        assert one.lower <= other.upper and other.lower <= one.upper
        if 0 in state[:2]:
            continue
        compared += 1
        for solution in (tennis, written):
            assert sum(solution.strategy(state, "B").values()) == pytest.approx(1, abs=1e-12)
            assert (solution.strategy(state), solution.strategy(state, "B")) == solution.strategies(state)
    assert compared > 10
    proof = games.verify(written.certificate(), WrittenTennis())
    assert proof.enclosure((POINTS, POINTS, 0)).lower == tennis.enclosure((POINTS, POINTS, 0)).lower == 0


def test_judgements_have_the_same_names_and_numbers(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    one = tennis.judge((lambda state: evenly(state, "A"), lambda state: evenly(state, "B")))
    other = written.judge(evenly)
    assert float(one.exploitability) == pytest.approx(float(other.exploitability), abs=1e-12)
    assert float(one.nash_conv) == pytest.approx(float(other.nash_conv), abs=1e-12)
    assert one.nash_conv.lower == 2 * one.exploitability.lower and one.nash_conv.upper == 2 * one.exploitability.upper
    frames = one.frame(), other.frame()
    assert {"worth_a", "regret_a", "worth_b", "regret_b"} <= set(frames[0]) & set(frames[1])
    place = other.frame()["state"].index((POINTS, POINTS, 0))
    row = np.flatnonzero((frames[0]["a"] == POINTS) & (frames[0]["b"] == POINTS) & (frames[0]["ball"] == 0))
    for name in ("worth_a", "regret_a", "worth_b", "regret_b"):
        assert frames[0][name][row[0]] == pytest.approx(frames[1][name][place], abs=1e-12)
    assert "NashConv" in one._repr_html_() and "NashConv" in other._repr_html_()


def test_a_player_that_is_none_is_refused(written: games.Solution[tuple[int, int, int], int]) -> None:
    with pytest.raises(pt.Error, match="no player 'a'; expected A or B"):
        written.strategy((POINTS, POINTS, 0), "a")  # type: ignore[arg-type]


def test_proofs_show_themselves_in_notebooks(tennis: pt.Solution) -> None:
    assert "4:4@0" in pt.verify(tennis.certificate())._repr_html_()


def test_work_is_logged_with_its_seconds(caplog: pytest.LogCaptureFixture) -> None:
    def end(share: float) -> None:
        raise KeyboardInterrupt

    with caplog.at_level(logging.INFO, logger="pencil_tennis"):
        games.solve(WrittenTennis(), progress=False)
        with pytest.raises(KeyboardInterrupt):
            games.solve(WrittenTennis(), progress=end)
    told = [record.getMessage() for record in caplog.records]
    assert any(line.startswith("solving: done after") for line in told)
    assert any(line.startswith("solving: ended by an exception after") for line in told)
