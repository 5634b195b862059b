"""One vocabulary: Tennis, and the same game written as rules of any game, answer the same questions with the same names."""

from __future__ import annotations

import inspect
import logging
import pickle
from typing import Any

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
        one, other = tennis[state], written[state]
        assert one.lower <= other.upper and other.lower <= one.upper
        if 0 in state[:2]:
            continue
        compared += 1
        for solution in (tennis, written):
            assert sum(solution.strategy(state, "B").values()) == pytest.approx(1, abs=1e-12)
            assert (solution.strategy(state), solution.strategy(state, "B")) == solution.strategies(state)
    assert compared > 10
    proof = games.verify(written.certificate(), WrittenTennis())
    assert proof[POINTS, POINTS, 0].lower == tennis[POINTS, POINTS, 0].lower == 0


def test_judgements_have_the_same_names_and_numbers(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    one = tennis.judge((lambda state: evenly(state, "A"), lambda state: evenly(state, "B")))
    other = written.judge(evenly)
    assert float(one.exploitability) == pytest.approx(float(other.exploitability), abs=1e-12)
    assert float(one.nash_conv) == pytest.approx(float(other.nash_conv), abs=1e-12)
    assert one.nash_conv.lower == 2 * one.exploitability.lower and one.nash_conv.upper == 2 * one.exploitability.upper
    frames = one.frame(), other.frame()
    assert list(frames[0]) == list(frames[1]) == ["state", *(f"{name}_{side}" for side in "ab" for name in ("worth", "loss", "regret"))]
    row, place = (frame["state"].index((POINTS, POINTS, 0)) for frame in frames)
    for name in [*frames[0]][1:]:
        assert frames[0][name][row] == pytest.approx(frames[1][name][place], abs=1e-12)
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
    messages = [record.getMessage() for record in caplog.records]
    assert any(line.startswith("solving: done after") for line in messages)
    assert any(line.startswith("solving: ended by an exception after") for line in messages)


def test_values_have_the_same_names(tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]) -> None:
    start = (POINTS, POINTS, 0)
    exact = pt.solve(POINTS, exact=True)
    proofs = pt.verify(tennis.certificate()), games.verify(written.certificate(), WrittenTennis())
    for known in (tennis, written, *proofs):
        # The same expressions for every world.
        assert known.value.lower == known.value.upper == known[start] == 0
        # A has the last point, and hits the ball to B's side.
        assert known[1, 0, -1] == 1
        assert known[start].lower == known.value.lower
        copy = pickle.loads(pickle.dumps(known.value))
        assert type(copy) is pt.Enclosure and copy == known.value and copy.lower == 0
    places = {state: place for place, state in enumerate(tennis)}
    order = [places[pt.State(*state)] for state in written if abs(state[2]) < 3]
    inside = [place for place, state in enumerate(written) if abs(state[2]) < 3]
    for one, other in zip(tennis.arrays(), written.arrays(), strict=True):
        assert np.allclose(one.ravel()[order], other[inside], rtol=0, atol=1e-15)
    for state in written:
        if abs(state[2]) < 3:
            assert exact.exact_value(state) == written.exact_value(state) is not None
    with pytest.raises(KeyError):
        written.exact_value((9, 9, 9))


def test_one_player_is_judged_by_the_same_names(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    def of_a(state: tuple[int, int, int] | pt.State) -> dict[int, float]:
        return evenly(state, "A")

    def of_b(state: tuple[int, int, int] | pt.State) -> dict[int, float]:
        return evenly(state, "B")

    both = tennis.judge((of_a, of_b)), written.judge((of_a, of_b))
    alone = [(tennis.judge("A", of_a), written.judge("A", of_a)), (tennis.judge("B", of_b), written.judge("B", of_b))]
    for (one, other), whole in zip(alone, ("a", "b"), strict=True):
        assert one.value == getattr(both[0], whole).value and other.value == getattr(both[1], whole).value
        for state in written:
            if abs(state[2]) == 3:
                continue
            place = pt.State(*state)
            assert one.worth[place] == pytest.approx(other.worth[state], abs=1e-12)
            assert one.loss[place] == pytest.approx(other.loss[state], abs=1e-12) and one.loss[place].lower >= 0
            assert one.regret[place] == pytest.approx(other.regret[state], abs=1e-12)
        # Tennis also has states that the start does not reach.
        assert one.worst(1)[0].regret == max(one.frame()["regret"]) >= other.worst(1)[0].regret - 1e-12
        assert set(one.frame()) == set(other.frame()) == {"state", "worth", "loss", "regret"}
    # A policy of both has a part of either player.
    assert tennis.judge("B", "uniform").value == tennis.judge("uniform").b.value
    assert tennis.judge("B", tennis.policy()).loss[pt.State(POINTS, POINTS, 0)].upper < 1e-15
    with pytest.raises(pt.Error, match="no player 'C'; expected A or B"):
        tennis.judge("C", of_a)  # type: ignore[call-overload]


class Coin:
    """A sees a coin, B guesses it."""

    def starts(self) -> dict[tuple[str, str], int]:
        return {("heads", ""): 1, ("tails", ""): 1}

    def turn(self, state: tuple[str, str]) -> tuple[list[str], list[str]] | int:
        coin, guess = state
        return 1 - 2 * (coin == guess) if guess else (["wait"], ["heads", "tails"])

    def after(self, state: tuple[str, str], a: str, b: str) -> tuple[str, str]:
        return state[0], b

    def observe(self, state: tuple[str, str], player: str) -> str | None:
        return state[0] if player == "A" else "coin" if not state[1] else None


def test_certificates_of_hidden_games_are_verified_by_the_same_name() -> None:
    solution = games.solve(Coin())
    certificate = solution.certificate()
    for game in (Coin(), solution.game):
        assert games.verify(certificate, game).value == 0
    with pytest.raises(pt.CertificateError):
        games.verify(games.solve(WrittenTennis()).certificate(), Coin())


# Names that mean the same in two worlds and differ in form: the parameters that differ, each with the reason.
NAMED_DIFFERENCES = {
    # The exact values of Tennis are found while it is solved, those of any game when they are asked for.
    ("Solution", "exact_value"): "progress",
    ("Solution", "exact_values"): "bits, progress",
    # Tennis knows Dresher's refinement.
    ("Solution", "policy"): "progress, refined",
    # Rules of any game are asked again for a digest.
    ("Solution", "certificate"): "digest, progress",
    # Strategies of hidden information belong to information sets, which are one player's.
    ("HiddenSolution", "strategy"): "information_set, state",
    # A judgement of hidden information is a number at the start, since later states have no values of their own.
    ("HiddenJudgement", "loss"): "kind",
    # Best responses on a tree in memory are over before a bar shows anything.
    ("HiddenSolution", "judge"): "progress",
}


def form(owner: type, name: str) -> tuple[str, ...]:
    """Whether a name is called or read, and the names of its parameters in their order."""
    thing = inspect.getattr_static(owner, name)
    if not inspect.isfunction(thing):
        return ("read",)
    return "called", *[parameter for parameter in inspect.signature(thing).parameters if parameter != "self"]


def public(owner: type) -> set[str]:
    own = {name for name in dir(owner) if not name.startswith("_")}
    # Attributes that the constructor sets are public, too.
    return own | {name for name in vars(owner).get("__annotations__", {}) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (
            pt.Solution,
            games.Solution,
            {"arrays", "certificate", "equilibrium", "exact_value", "exact_values", "frame", "get", "items", "judge", "keys", "policy"}
            | {"save", "strategies", "strategy", "strategy_frame", "value", "values", "widest"},
        ),
        (pt.Solution, games.HiddenSolution, {"certificate", "judge", "policy", "strategy", "strategy_frame", "value"}),
        (games.Solution, games.HiddenSolution, {"certificate", "judge", "policy", "strategy", "strategy_frame", "value"}),
        (type(pt.verify(pt.solve(2).certificate())), games.Proof, {"get", "items", "keys", "value", "values", "widest"}),
        (pt.Judgement, games.JointJudgement, {"a", "b", "exploitability", "frame", "nash_conv", "rounded", "worst"}),
        (pt.Judgement, games.HiddenJointJudgement, {"a", "b", "exploitability", "frame", "nash_conv", "worst"}),
        (games.Judgement, games.HiddenJudgement, {"frame", "worst"}),
        (pt.Policy, games.Policy, {"array", "strategy"}),
    ],
)
def test_a_name_of_two_worlds_has_one_form(one: type, other: type, shared: set[str]) -> None:
    both = public(one) & public(other)
    assert shared <= both, f"no longer in both: {shared - both}"
    for name in both:
        forms = form(one, name), form(other, name)
        if forms[0] == forms[1] or (inspect.isbuiltin(getattr(one, name)) or one is pt.Policy):
            continue
        named = next((NAMED_DIFFERENCES[owner.__name__, name] for owner in (other, one) if (owner.__name__, name) in NAMED_DIFFERENCES), "")
        # Only the parameters that the reason is about differ.
        differing = ", ".join(sorted({*forms[0]} ^ {*forms[1]}))
        assert forms[0][0] == forms[1][0] and differing == named, f"{one.__name__}.{name}: {forms[0]}, {other.__name__}: {forms[1]}"


def same_kind(one: Any, other: Any) -> bool:
    return type(one) is type(other) or isinstance(one, (dict, tuple)) and isinstance(other, type(one))


def test_the_same_expression_gives_the_same_kind_of_thing(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    start = (POINTS, POINTS, 0)
    exact = pt.solve(POINTS, exact=True)
    for ask in (
        lambda world: world.value,
        lambda world: world[start],
        lambda world: world.widest,
        lambda world: world.arrays(),
        lambda world: world.arrays().values,
        lambda world: world.values(),
        lambda world: world.items(),
        lambda world: world.strategy(start, "B"),
        lambda world: world.strategies(start),
        lambda world: world.equilibrium(start),
        lambda world: world.equilibrium(start).value,
        lambda world: world.exact_values(),
        lambda world: world.exact_value(start),
        lambda world: world.frame(),
        lambda world: world.strategy_frame(),
        lambda world: world.policy().strategy(start, "B"),
        lambda world: world.judge("A", lambda state: evenly(state, "A")),
        lambda world: world.judge("A", lambda state: evenly(state, "A")).worst(3),
        lambda world: world.judge("A", lambda state: evenly(state, "A")).worst(1)[0],
        lambda world: world.judge("A", lambda state: evenly(state, "A")).value,
        lambda world: world.judge((lambda s: evenly(s, "A"), lambda s: evenly(s, "B"))).worst(1)[0],
    ):
        one, other = ask(exact), ask(written)
        assert same_kind(one, other), (type(one), type(other))
    assert exact.exact_values()[pt.State(*start)] == written.exact_values()[start] == 0
    assert [entry.player for entry in tennis.judge((evenly_a, evenly_b)).worst(4)].count("A") == 2
    # Values by state, as of any mapping.
    inside = {state: value for state, value in written.items() if abs(state[2]) < 3}
    assert all(tennis[state].lower <= value.upper and value.lower <= tennis[state].upper for state, value in inside.items())


def evenly_a(state: Any) -> dict[int, float]:
    return evenly(state, "A")


def evenly_b(state: Any) -> dict[int, float]:
    return evenly(state, "B")


def test_policies_are_divided_by_their_sum_by_the_same_option(
    tennis: pt.Solution, written: games.Solution[tuple[int, int, int], int]
) -> None:
    def weights(state: Any) -> dict[int, float]:
        return dict.fromkeys(evenly(state, "A"), 3.0)

    for world in (tennis, written):
        with pytest.raises(pt.PolicyError, match="normalise=True divides by the sum"):
            world.judge("A", weights)
        divided = world.judge("A", weights, normalise=True)
        assert divided.value == pytest.approx(float(world.judge("A", evenly_a).value), abs=1e-12)


def test_hidden_policies_are_judged_as_they_are_given() -> None:
    solution = games.solve(Coin())
    policy = solution.policy()
    assert policy["B"]["coin"] == solution.strategy("coin", "B")
    # B has seen nothing, whatever the guess.
    assert sum(policy["B"]["coin"].values()) == 1 and set(policy["B"]["coin"]) <= {"heads", "tails"}
    assert solution.judge(policy).nash_conv == solution.judge(solution).nash_conv == 0
    assert solution.judge("B", policy["B"]).value == solution.value == 0


def test_every_result_of_a_hidden_game_is_a_card() -> None:
    solution = games.solve(Coin())
    results = (solution, solution.judge("A", "uniform"), solution.judge("uniform"), games.verify(solution.certificate()))
    for result in results:
        card: str = result._repr_html_()  # type: ignore[attr-defined, union-attr]
        assert card.startswith("<table>") and "0.0 (exactly 0)" in card or "exploitability" in card
