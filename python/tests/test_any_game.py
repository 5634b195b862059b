"""Games of any rules."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pencil_tennis as pt
import pytest
from pencil_tennis import games, matrix_game

SNOWBALL = """{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"hit","value":"0"}
{"id":"s","a":["hide","run"],"b":["wait","throw"],"endless":"0","cells":\
[[{"to":[["1","s"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","s"]]}]]}
"""


class Goofspiel:
    """Goofspiel by sets of cards, in points; a prize is drawn after every bid."""

    def __init__(self, cards: int) -> None:
        self.all = frozenset(range(1, cards + 1))

    def starts(self) -> list[Any]:
        return [(self.all, self.all, self.all - {prize}, prize) for prize in sorted(self.all)]

    def turn(self, state: Any) -> Any:
        return (sorted(state[0]), sorted(state[1])) if state[3] else 0

    def after(self, state: Any, a: int, b: int) -> Any:
        hand_a, hand_b, pile, _ = state
        left = hand_a - {a}, hand_b - {b}
        return {(*left, pile - {prize}, prize): Fraction(1, len(pile)) for prize in pile} or (*left, pile, 0)

    def reward(self, state: Any, a: int, b: int) -> int:
        return state[3] * ((a > b) - (a < b))


def by_definition(state: Any, known: dict[Any, Fraction]) -> Fraction:
    """The value in fractions, by matrix games that are solved one by one."""
    hand_a, hand_b, pile, prize = state
    if not prize:
        return Fraction(0)
    if state not in known:
        rules = Goofspiel(1)
        rows = []
        for a in sorted(hand_a):
            row = []
            for b in sorted(hand_b):
                after = rules.after(state, a, b)
                follow = after.items() if isinstance(after, dict) else [(after, Fraction(1))]
                later = sum(share * by_definition(following, known) for following, share in follow)
                row.append(rules.reward(state, a, b) + later)
            rows.append(row)
        known[state] = matrix_game.solve(rows, exact=True).value
    return known[state]


def test_an_object_is_solved_with_bounds_that_hold() -> None:
    rules = Goofspiel(4)
    heard: list[float] = []
    solution = games.solve(rules, threads=1, progress=heard.append)
    known: dict[Any, Fraction] = {}
    exact = solution.exact()
    for state in solution:
        value = by_definition(state, known)
        assert value in solution[state] and exact[state] == value
    assert solution.kind == "acyclic" and len(solution.starts) == 4 and heard[-1] == 1
    assert solution.widest < Fraction(1, 10**15)
    values, lower, upper = solution.arrays()
    assert (lower <= values).all() and (values <= upper).all() and len(values) == len(solution)
    a, b = solution.strategies(solution.starts[3])
    assert a == b == {4: 1.0}
    with pytest.raises(KeyError, match="do not reach"):
        solution["nowhere"]
    with pytest.raises(RuntimeError, match="enough"):
        games.solve(rules, progress=raising)


def raising(_: float) -> None:
    raise RuntimeError("enough")


def test_policies_are_judged() -> None:
    solution = games.solve(Goofspiel(3))

    def uniform(state: Any, player: str = "A") -> dict[int, Fraction]:
        hand = state["AB".index(player)]
        return {card: Fraction(1, len(hand)) for card in hand}

    judgement = solution.judge("A", uniform)
    # By the definition: B's best reply from every state, in fractions.
    known: dict[Any, Fraction] = {}

    def worth(state: Any) -> Fraction:
        if not state[3]:
            return Fraction(0)
        if state not in known:
            replies = []
            for b in state[1]:
                total = Fraction(0)
                for a, share in uniform(state).items():
                    after = Goofspiel(1).after(state, a, b)
                    follow = after if isinstance(after, dict) else {after: Fraction(1)}
                    later = sum(part * worth(following) for following, part in follow.items())
                    total += share * (Goofspiel(1).reward(state, a, b) + later)
                replies.append(total)
            known[state] = min(replies)
        return known[state]

    for state in solution:
        assert worth(state) in judgement.worth[state]
    assert judgement.value < 0
    gained = games.nash_conv(solution, uniform)
    # The game is symmetric.
    assert -2 * worth(solution.starts[0]) in gained
    assert games.nash_conv(solution, lambda state, player: solution.strategies(state)["AB".index(player)]) < 1e-12
    with pytest.raises(pt.Error, match="no action 9"):
        solution.judge("A", lambda state: {9: 1})
    with pytest.raises(pt.Error, match="sum to"):
        solution.judge("B", lambda state: {1: 0.5} if 1 in state[1] else {})


def test_a_file_is_solved(tmp_path: Path) -> None:
    (tmp_path / "snowball.jsonl").write_text(SNOWBALL)
    solution = games.solve(tmp_path / "snowball.jsonl")
    assert list(solution) == ["win", "hit", "s"] and solution.starts == ["s"] and solution.kind == "recursive"
    assert 1 in solution["s"] and solution["s"].lower > 1 - 1e-6
    assert solution.strategies("s")[1] and solution.strategies("win") == ({}, {})
    assert solution.certificate().startswith(b'{"format":"stochastic-game-proof"')
    assert "s" not in solution.exact() and solution.exact()["win"] == 1
    with pytest.raises(FileNotFoundError):
        games.solve(tmp_path / "nothing")
    (tmp_path / "wrong").write_text("{}")
    with pytest.raises(pt.Error, match="line 1"):
        games.solve(tmp_path / "wrong")


class Simple:
    """A game that tests make wrong."""

    def __init__(self, **wrong: Any) -> None:
        self.__dict__.update(wrong)

    def starts(self) -> list[str]:
        return ["s"]

    def turn(self, state: str) -> Any:
        return (["x"], ["y"]) if state == "s" else 1

    def after(self, state: str, a: str, b: str) -> Any:
        return {"s": Fraction(1, 2), "t": Fraction(1, 2)}


def test_what_is_wrong_is_said_with_the_state() -> None:
    for wrong, message in [
        (Simple(), "state 's': play can return"),
        (Simple(after=lambda state, a, b: {"t": 0.25}), "state 's'.*sum to 1/4"),
        (Simple(turn=lambda state: float("nan")), "the value of 's' is nan"),
        (Simple(turn=lambda state: ([], [1])), "state 's': A has no action"),
        (Simple(turn=lambda state: ([1, 1], [1])), "state 's'.*two actions"),
        (Simple(starts=list), "no start"),
        (Simple(kind="endless"), "no kind of game"),
        (Simple(kind="discounted", discount=2), "discount of 2 is out of range"),
    ]:
        with pytest.raises(pt.Error, match=message):
            games.solve(wrong)
    with pytest.raises(pt.Error, match="more than 3 states"):
        games.solve(Goofspiel(3), most_states=3)
    assert 1 in games.solve(Simple(kind="stopping")).value
    assert 1 in games.solve(Simple(kind="discounted", discount="9/10", reward=lambda *_: Fraction(1, 10))).value
    assert 3 in games.solve(Simple(kind="recursive", endless=lambda state: 3, after=lambda state, a, b: state)).value


class TestOpenSpiel:
    """Games of OpenSpiel, where it is installed."""

    def load(self, text: str) -> Any:
        return pytest.importorskip("pyspiel").load_game(text)

    def test_goofspiel_pays_half_the_difference(self) -> None:
        parameters = "num_cards=4,imp_info=False,points_order=random,returns_type=point_difference"
        solution = games.solve(games.from_open_spiel(self.load(f"goofspiel({parameters})")))
        known: dict[Any, Fraction] = {}
        rules = Goofspiel(4)
        expected = sorted(by_definition(state, known) / 2 for state in rules.starts())
        assert len(solution.starts) == 4
        for value, start in zip(expected, sorted(solution.starts, key=lambda state: solution[state]), strict=True):
            assert value in solution[start]

    def test_matrix_games(self) -> None:
        solution = games.solve(games.from_open_spiel(self.load("matrix_rps")))
        assert 0 in solution.value and solution.strategies(solution.starts[0])[0] == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})

    def test_oshi_zumo_is_even(self) -> None:
        game = self.load("oshi_zumo(coins=3,size=1,horizon=8,min_bid=1)")
        solution = games.solve(games.from_open_spiel(game))
        assert 0 in solution.value

    def test_a_horizon_that_is_not_part_of_the_key_is_noticed(self) -> None:
        game = self.load("oshi_zumo(coins=3,size=1,horizon=8,min_bid=0)")
        with pytest.raises(pt.Error, match="play can return"):
            games.solve(games.from_open_spiel(game))
        recursive = games.solve(games.from_open_spiel(game, kind="recursive"))
        assert 0 in recursive.value

    def test_chance_is_played_out(self) -> None:
        game = self.load("markov_soccer(horizon=1000)")
        rules = games.from_open_spiel(game, kind="discounted", discount="9/10")
        solution = games.solve(rules)
        # Their 1,444 positions of decision, and two ends; who begins with the ball is drawn.
        assert len(solution) == 1446 and solution.widest < Fraction(1, 10**15)
        first, second = (solution[start] for start in solution.starts)
        # As linear programmes of SciPy have it: a fixed point of theirs within 1e-15.
        assert float(first) == -float(second) == pytest.approx(-0.196635996397577, abs=1e-14)

    def test_their_nash_conv_agrees(self) -> None:
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        policies = pytest.importorskip("open_spiel.python.policy")
        game = self.load("goofspiel(num_cards=3,imp_info=False,points_order=descending,returns_type=point_difference)")
        rules = games.from_open_spiel(game)
        solution = games.solve(rules)
        turns = pytest.importorskip("pyspiel").convert_to_turn_based(game)
        theirs = exploitability.nash_conv(turns, policies.UniformRandomPolicy(turns))
        uniform = rules.policy(policies.UniformRandomPolicy(game))
        assert theirs > 1 and float(games.nash_conv(solution, uniform)) == pytest.approx(theirs, abs=1e-9)
        assert float(solution.judge("A", lambda state: uniform(state, "A")).value) == pytest.approx(-theirs / 2, abs=1e-9)

    def test_other_games_are_refused(self) -> None:
        with pytest.raises(pt.Error, match="no zero-sum game"):
            games.from_open_spiel(self.load("matrix_pd"))
