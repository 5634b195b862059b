"""Games whose states have mirror images: where `canonical` says so, one of both is solved, and answers for both."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import _native, games
from pencil_tennis.games._rules import Explored
from pencil_tennis.games.plays import Plays

Chips = tuple[int, int, int, int]


class Plain:
    """Rounds of bids from two purses; the winner of a round gets a third, and whoever won more rounds gets 1 in the end."""

    def __init__(self, start: Chips = (3, 5, 5, 0), unit: Any = Fraction(1, 3)) -> None:
        self.start, self.unit = start, unit
        self.asked = 0

    def starts(self) -> list[Chips]:
        return [self.start]

    def turn(self, state: Chips) -> Any:
        self.asked += 1
        rounds, own, other, lead = state
        return (range(own + 1), range(other + 1)) if rounds else (lead > 0) - (lead < 0)

    def after(self, state: Chips, a: int, b: int) -> Hashable:
        rounds, own, other, lead = state
        return rounds - 1, own - a, other - b, lead + (a > b) - (a < b)

    def reward(self, state: Chips, a: int, b: int) -> Any:
        return self.unit * ((a > b) - (a < b))


def mirrored(state: Chips) -> Chips:
    rounds, own, other, lead = state
    return rounds, other, own, -lead


class Symmetric(Plain):
    def canonical(self, state: Chips) -> tuple[Chips, bool]:
        image = mirrored(state)
        return (image, True) if image < state else (state, False)


class Numbered(Symmetric):
    """With numbers of its own."""

    def index(self, state: Chips) -> int:
        rounds, own, other, lead = state
        return ((rounds * 8 + own) * 8 + other) * 8 + lead + 3


def agree(one: Any, other: Any) -> bool:
    """Whether both bounds are narrow, and may hold one number."""
    width = Fraction(1, 10**15)
    return bool(one.width < width and other.width < width and one.lower <= other.upper and other.lower <= one.upper)


@pytest.mark.parametrize("kind", [Symmetric, Numbered])
@pytest.mark.parametrize("start", [(3, 5, 5, 0), (2, 5, 3, 1)])
def test_one_of_both_states_is_solved_and_answers_for_both(kind: type[Symmetric], start: Chips) -> None:
    plain, rules = games.solve(Plain(start)), kind(start)
    merged = games.solve(rules)
    assert {min(state, mirrored(state)) for state in plain} == set(merged)
    if start == (3, 5, 5, 0):
        # All but those that are their own images are halved.
        own = sum(state == mirrored(state) for state in plain)
        assert len(merged) == (len(plain) + own) / 2 and (len(plain), own) == (221, 19)
    assert merged.starts == [start] and agree(merged.value, plain.value)
    for state, value in plain.items():
        assert agree(merged[state], value) and agree(merged.secured(state), value)
        assert merged[state] == -merged[mirrored(state)] and merged[state].lower == -merged[mirrored(state)].upper
        if state != mirrored(state):
            assert merged.strategies(state) == merged.strategies(mirrored(state))[::-1]
        assert merged.best_payoff(state) is None
    # What they play is optimal in the game that knows no symmetry, for both players and at every state.
    judged = plain.judge(lambda state, player: merged.strategy(state, player))
    assert judged.exploitability.upper < 1e-15
    assert all(part.loss[state].upper < 1e-15 for part in (judged.a, judged.b) for state in plain)
    known = plain.exact_values()
    known |= {mirrored(state): -value for state, value in known.items()}
    assert merged.exact_values() == {state: known[state] for state in merged}
    values, lower, upper = merged.arrays()
    assert np.all(lower <= values) and np.all(values <= upper)
    assert np.allclose(values, [float(known[state]) for state in merged], rtol=0, atol=1e-15)
    with pytest.raises(KeyError):
        merged[9, 9, 9, 9]


def test_policies_are_judged_at_both_states() -> None:
    plain, merged = games.solve(Plain()), games.solve(Symmetric())

    def timid(state: Chips) -> dict[int, Fraction]:
        """Bids nothing, or what is left when it leads: another policy at the mirror image."""
        _, own, _, lead = state
        return {own if lead > 0 else 0: Fraction(1)}

    players: list[Literal["A", "B"]] = ["A", "B"]
    for player in players:
        one, other = merged.judge(player, timid), plain.judge(player, timid)
        assert agree(one.value, other.value)
        for state in plain:
            assert agree(one.worth[state], other.worth[state]) and agree(one.loss[state], other.loss[state])
            assert abs(one.regret[state] - other.regret[state]) < 1e-15
        assert len(one.frame()["state"]) == len(plain) and set(one.worth) == set(plain)
    both = merged.judge(lambda state, player: timid(state) if player == "A" else {0: 1})
    assert agree(both.nash_conv, plain.judge(lambda state, player: timid(state) if player == "A" else {0: 1}).nash_conv)
    assert games.nash_conv(merged, merged.policy()) < 1e-15
    # Arrays have a row for either state.
    a, b = (merged.policy().array(player) for player in ("A", "B"))
    assert len(a) == len(b) == len(merged.unmerged()) == len(plain) and set(merged.policy()) == set(plain)
    assert merged.judge((a, b)).exploitability.upper < 1e-15
    assert Plays(merged, 4).solution is merged.unmerged() and plain.unmerged() is plain


def test_rules_are_asked_about_half() -> None:
    every, half = Plain(), Symmetric()
    games.solve(every)
    merged = Explored(half, 10**6, None).merged(1 << 30)
    assert isinstance(merged, _native.RulesTable)
    # The start, and as much as half of the others and of those that are their own images.
    assert every.asked == 221 and half.asked == 121


def test_solutions_are_kept(tmp_path: Path) -> None:
    merged = games.solve(Symmetric(), checkpoint=tmp_path / "at work")
    merged.save(tmp_path / "saved")
    copies = [pickle.loads(pickle.dumps(merged)), games.load(tmp_path / "saved", Symmetric())]
    copies += [games.solve(Symmetric(), resume=tmp_path / "at work", threads=1)]
    for copy in copies:
        assert dict(copy) == dict(merged) and copy.starts == merged.starts
        for state in ((3, 5, 5, 0), (2, 3, 5, 1), (2, 5, 3, -1)):
            assert copy.strategies(state) == merged.strategies(state) and copy[state] == merged[state]
        assert len(copy.unmerged()) == 221
    # One that has both states is a checkpoint of the same rules.
    merged.unmerged().save(tmp_path / "both")
    both = games.load(tmp_path / "both", Symmetric())
    assert both.unmerged() is both and dict(both) == dict(merged.unmerged())
    games.solve(Plain((2, 5, 5, 0))).save(tmp_path / "other")
    with pytest.raises(pt.Error, match="checkpoint"):
        games.load(tmp_path / "other", Symmetric())
    assert isinstance(merged._native, _native.MergedSolution)
    table = merged._native.table
    kind, discount, starts, nodes, indices = table.__getnewargs__()
    forged = [([(len(nodes), False)], nodes), (starts, nodes[:-1]), (starts, [(2, 1, Fraction(0), []), *nodes[1:]])]
    for few_starts, few_nodes in forged:
        with pytest.raises(pt.Error, match="no table of a game"):
            _native.RulesTable(kind, discount, few_starts, few_nodes, indices)


def test_certificates_are_of_the_game_with_both_states_or_have_a_digest(tmp_path: Path) -> None:
    merged = games.solve(Symmetric())
    whole, digest = merged.certificate(), merged.certificate(digest=True)
    assert len(games.verify(whole)) == 221 and len(games.verify(digest, Symmetric())) == len(merged) == 120
    for proof in (games.verify(whole, Symmetric()), games.verify(digest, Symmetric())):
        for state in merged.unmerged():
            assert agree(proof[state], merged[state])
    merged.write(tmp_path / "game.jsonl")
    assert agree(games.solve(tmp_path / "game.jsonl")[str((2, 3, 5, 1))], merged[2, 3, 5, 1])


def test_a_wrong_exchange_is_refused() -> None:
    class Unfair(Symmetric):
        """Equal bids are A's: what is right with exchanged players is wrong here."""

        def after(self, state: Chips, a: int, b: int) -> Hashable:
            rounds, own, other, lead = state
            return rounds - 1, own - a, other - b, lead + (1 if a >= b else -1)

    with pytest.raises(pt.Error, match="`canonical` makes of it"):
        games.solve(Unfair())

    class Lost(Symmetric):
        """The lead keeps its sign."""

        def canonical(self, state: Chips) -> tuple[Chips, bool]:
            rounds, own, other, lead = state
            return ((rounds, other, own, lead), True) if own > other else (state, False)

    with pytest.raises(pt.Error, match="`canonical` makes of it"):
        games.solve(Lost())

    # The check passes over states that have too many pairs of actions; the start has 36.
    class Late(Lost):
        """Right at states before the last round."""

        def canonical(self, state: Chips) -> tuple[Chips, bool]:
            return super().canonical(state) if state[0] == 0 else Symmetric.canonical(self, state)

    merged = games.solve(Symmetric())
    assert merged._check_symmetry(100) == 100 and 0 < merged._check_symmetry(100, 35) < 100
    with pytest.raises(pt.Error, match="`canonical` makes of it"):
        games.solve(Late())


def test_actions_may_come_from_iterators() -> None:
    class Iterated(Symmetric):
        def turn(self, state: Chips) -> Any:
            turn = super().turn(state)
            return (iter(turn[0]), iter(turn[1])) if isinstance(turn, tuple) else turn

    assert dict(games.solve(Iterated())) == dict(games.solve(Symmetric()))


def test_limits_hold() -> None:
    with pytest.raises(pt.Error, match="above the limit of 20000"):
        games.solve(Symmetric(), memory_limit=20_000)
    with pytest.raises(pt.Error, match="more than 50 states"):
        games.solve(Symmetric(), most_states=50)
    assert len(games.solve(Symmetric(), most_states=120).unmerged()) == 221
    for rules in (Symmetric, Plain):
        with pytest.raises(pt.Error, match="62"):
            games.solve(rules(unit=1e-5))
