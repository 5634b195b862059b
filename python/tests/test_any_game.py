"""Games of any rules."""

from __future__ import annotations

import io
import pickle
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pencil_tennis as pt
import pytest
from pencil_tennis import _progress, games, matrix_game

SNOWBALL = """{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"hit","value":"0"}
{"id":"s","a":["hide","run"],"b":["wait","throw"],"endless":"0","cells":\
[[{"to":[["1","s"]]},{"to":[["1","win"]]}],[{"to":[["1","win"]]},{"to":[["7/8","hit"],["1/8","s"]]}]]}
"""


def test_a_width_is_enough(tmp_path: Any) -> None:
    path = tmp_path / "snowball.jsonl"
    path.write_text(SNOWBALL)
    narrow, wide = games.solve(str(path)).secured("s"), games.solve(str(path), width=1e-3).secured("s")
    # The value is 1, which no strategy secures.
    assert 1 in wide and wide.lower <= narrow.lower <= 1
    assert wide.width <= Fraction(1, 1000) and narrow.width < wide.width / 1000
    assert pickle.loads(pickle.dumps(games.solve(str(path), width=1e-3))).secured("s").lower == wide.lower
    with pytest.raises(pt.Error, match=r"a width of -1 is not possible; expected a number that is not below 0"):
        games.solve(str(path), width=-1)


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
    exact = solution.exact_values()
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


@pytest.mark.parametrize(("actions", "words"), [([1, True], "are equal"), ([[1], [2]], "can be hashed")])
def test_actions_that_a_dict_does_not_tell_apart_are_refused(actions: list[Any], words: str) -> None:
    class Game(Goofspiel):
        def turn(self, state: Any) -> Any:
            return actions, actions

    with pytest.raises(pt.Error, match=words):
        games.solve(Game(2))


def test_policies_are_judged() -> None:
    solution = games.solve(Goofspiel(3))

    def uniform(state: Any, player: str = "A") -> dict[int, Fraction]:
        hand = state["AB".index(player)]
        return {card: Fraction(1, len(hand)) for card in hand}

    judgement = solution.judge("A", uniform)
    # Thirds are not, halves are.
    assert judgement.rounded and not games.solve(Goofspiel(2)).judge("A", uniform).rounded
    # By the definition: B's best reply from every state, in fractions.
    known: dict[Any, Fraction] = {}

    def policy_value(state: Any) -> Fraction:
        if not state[3]:
            return Fraction(0)
        if state not in known:
            replies = []
            for b in state[1]:
                total = Fraction(0)
                for a, share in uniform(state).items():
                    after = Goofspiel(1).after(state, a, b)
                    follow = after if isinstance(after, dict) else {after: Fraction(1)}
                    later = sum(part * policy_value(following) for following, part in follow.items())
                    total += share * (Goofspiel(1).reward(state, a, b) + later)
                replies.append(total)
            known[state] = min(replies)
        return known[state]

    for state in solution:
        assert policy_value(state) in judgement.worth[state]
    assert judgement.value < 0
    gained = games.nash_conv(solution, uniform)
    # The game is symmetric.
    assert -2 * policy_value(solution.starts[0]) in gained
    assert games.nash_conv(solution, lambda state, player: solution.strategies(state)["AB".index(player)]) < 1e-12
    with pytest.raises(pt.Error, match="no action 9"):
        solution.judge("A", lambda state: {9: 1})
    with pytest.raises(pt.Error, match="there is no player 'C'"):
        solution.judge("C", uniform)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="do not reach a state 5"):
        solution.judge("A", {5: {1: 1}})
    with pytest.raises(pt.Error, match="the number of bits is -1"):
        solution.exact_values(-1)
    with pytest.raises(pt.Error, match="sum to"):
        solution.judge("B", lambda state: {1: 0.5} if 1 in state[1] else {})


def test_a_file_is_solved(tmp_path: Path) -> None:
    (tmp_path / "snowball.jsonl").write_text(SNOWBALL)
    solution = games.solve(tmp_path / "snowball.jsonl")
    assert list(solution) == ["win", "hit", "s"] and solution.starts == ["s"] and solution.kind == "recursive"
    assert solution["s"].lower == solution["s"].upper == 1 and 1 - 1e-6 < solution.secured("s").lower < 1
    assert solution.best_payoff("s") == games.BestPayoff("A", Fraction(1), attained=False)
    assert solution.best_payoff("hit") == ("A", 0, True)
    assert solution.strategies("s")[1] and solution.strategies("win") == ({}, {})
    assert solution.certificate().startswith(b'{"format":"stochastic-game-proof"')
    assert solution.exact_values() == {"win": 1, "hit": 0, "s": 1}
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


def test_bars_say_how_many_states_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    games.solve(Goofspiel(3), progress=True)
    printed = capsys.readouterr().err
    assert "asking: 85 of 85 so far" in printed and "at least" in printed and "solving: 100%" in printed


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_bars_appear_where_somebody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    for stream, patience, progress, appears in [
        (Terminal(), 0.0, None, True),
        # Not at once, nor where it is unwanted, nor in a file.
        (Terminal(), 60.0, None, False),
        (Terminal(), 0.0, False, False),
        (io.StringIO(), 0.0, None, False),
    ]:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(_progress, "PATIENCE", patience)
        solution = games.solve(Goofspiel(3), progress=progress)
        assert ("asking" in stream.getvalue() and "solving" in stream.getvalue()) == appears
        assert (stream.getvalue() == "") == (not appears) and len(solution) == 85
        monkeypatch.undo()


def test_results_are_tables_in_notebooks() -> None:
    class Tagged:
        def starts(self) -> Any:
            return ["<b>&"]

        def turn(self, state: str) -> Any:
            return (["<i>", "x"], ["y", "z"]) if state == "<b>&" else len(state)

        def after(self, state: str, a: str, b: str) -> str:
            return a + b * (a == "x") * (b == "y")

    solution = games.solve(Tagged())
    judged = solution.judge("A", lambda state: {"<i>": 1})
    exact = matrix_game.solve([[3, -1], [-2, 1]])
    results = [
        (solution, "at the start"), (solution.policy(), "A plays there"), (judged, "worth to A"), (games.verify(solution.certificate()), "widest bounds"),
        (solution.judge(solution.policy()), "exploitability"), (exact, "1/7"), (matrix_game.solve([[3.0, 0.5], [0.0, 1.0]]), "rows"),
    ]  # fmt: skip
    for result, text in results:
        html = result._repr_html_()
        assert text in html and "<b>" not in html and "<i>" not in html
        ElementTree.fromstring(html)


class Pennies:
    """Matching pennies for some rounds, in which tails count twice; the leader at the end wins."""

    def __init__(self, rounds: int, starts: Any = None) -> None:
        self.begin = starts or [(rounds, 0)]

    def starts(self) -> Any:
        return self.begin

    def turn(self, state: Any) -> Any:
        rounds, lead = state
        return ([1, 2], [1, 2]) if rounds else (lead > 0) - (lead < 0)

    def after(self, state: Any, a: int, b: int) -> Any:
        rounds, lead = state
        return (rounds - 1, lead + (a if a == b else -1))


def test_an_interrupted_solve_goes_on(tmp_path: Path) -> None:
    def bounds(solution: games.Solution) -> list[Any]:
        return [[state, value.lower, value.upper, solution.strategies(state)] for state, value in solution.items()]

    class Enough(Exception):
        pass

    shares: list[float] = []

    def stop(share: float) -> None:
        if share:  # 0 while states are explored
            shares.append(share)
        if share > 0.5:
            raise Enough

    part = tmp_path / "part"
    whole = bounds(games.solve(Pennies(100)))
    with pytest.raises(Enough):
        games.solve(Pennies(100), threads=1, checkpoint=part, checkpoint_every=0, progress=stop)
    assert shares[0] < 0.5
    begun = part.read_bytes()
    resumed: list[float] = []
    assert bounds(games.solve(Pennies(100), threads=1, resume=part, checkpoint=part, progress=resumed.append)) == whole
    # Solved states are not solved again.
    assert next(share for share in resumed if share) >= 0.5
    assert len(part.read_bytes()) > len(begun)
    assert bounds(games.solve(Pennies(100), resume=part)) == whole
    with pytest.raises(pt.Error, match="the checkpoint is of another game"):
        games.solve(Pennies(99), resume=part)
    part.write_bytes(part.read_bytes()[:-1])
    unasked = Simple(turn=raising)
    with pytest.raises(pt.Error, match="the checkpoint ends too early"):
        games.solve(unasked, resume=part)
    with pytest.raises(FileNotFoundError):
        games.solve(unasked, resume=tmp_path / "nothing")
    with pytest.raises(OSError, match="nowhere"):
        games.solve(unasked, checkpoint=tmp_path / "nowhere" / "part")


def test_memory_is_limited_while_states_are_asked_about(tmp_path: Path) -> None:
    asked: list[Any] = []

    class Large(Goofspiel):
        def turn(self, state: Any) -> Any:
            asked.append(state)
            return super().turn(state)

    with pytest.raises(pt.Error, match=r"the first \d+ states of the game alone would take .* of memory, above the limit of 1.0 MiB"):
        games.solve(Large(9), memory_limit=1 << 20)
    assert len(asked) < 1000
    (tmp_path / "snowball.jsonl").write_text(SNOWBALL)
    with pytest.raises(pt.Error, match="above the limit of 1.0 KiB"):
        games.solve(tmp_path / "snowball.jsonl", memory_limit=1024)
    with pytest.raises(pt.Error, match=r"memory_limit is -1; expected 0 to "):
        games.solve(Goofspiel(1), memory_limit=-1)
    with pytest.raises(pt.Error, match=r"the number of threads is 0; expected 1 to "):
        games.solve(Simple(turn=raising), threads=0)


def test_what_is_wrong_is_said_with_the_state() -> None:
    for wrong, message in [
        (Simple(), "state 's': play can return"),
        (Simple(after=lambda state, a, b: {"t": 0.25}), "state 's'.*sum to 0.25"),
        (Simple(turn=lambda state: float("nan")), "the value of 's' is nan"),
        (Simple(turn=lambda state: ([], [1])), "state 's': A has no action"),
        (Simple(turn=lambda state: ([1, 1], [1])), "state 's'.*two actions"),
        (Simple(starts=list), "no start"),
        (Simple(starts=lambda: {"s": 0.5, "t": 0.25}), "expected exactly 1"),
        (Simple(turn=lambda state: ([1], [1], [1])), "expected a pair of lists of actions"),
        (Simple(kind="endless"), "no kind of game"),
        (Simple(kind="discounted", discount=2), "discount of 2 is out of range"),
    ]:
        with pytest.raises(pt.Error, match=message):
            games.solve(wrong)
    for wrong, message in [
        (Simple(starts=lambda: [["s"]]), r"\['s'\] is no state"),
        (None, "None is no game; expected a path, or an object"),
    ]:
        with pytest.raises(TypeError, match=message):
            games.solve(wrong)
    with pytest.raises(pt.Error, match="more than 3 states"):
        games.solve(Goofspiel(3), most_states=3)
    assert 1 in games.solve(Simple(kind="stopping")).value
    drawn = games.solve(Pennies(3, {(3, 1): "1/4", (3, -1): "3/4"}))
    # Up to the rounding of three doubles.
    assert abs(drawn.value - (drawn[3, 1] / 4 + drawn[3, -1] * 3 / 4)) < 1e-16
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

    def test_small_fields_finish_and_large_ones_say_why_not(self) -> None:
        # The game is even. From three turns on its `rewards` are not what its returns are made of.
        tag = games.solve(games.from_open_spiel(self.load("laser_tag(grid=S.\n.S,horizon=3,zero_sum=True)")))
        assert 0 in tag.value and tag.widest < 1e-14
        flag = self.load("capture_the_flag(grid=a..b,horizon=100)")
        merged = games.from_open_spiel(flag, lambda state: str(state).split("Moves")[0], kind="discounted")
        assert 0 in games.solve(merged).value
        for text in ("laser_tag(zero_sum=True)", "capture_the_flag"):
            with pytest.raises(pt.Error, match=r"after 0.5 seconds \d+ states are known, \d+ of which .*larger `seconds`"):
                games.solve(games.from_open_spiel(self.load(text), seconds=0.5))
        with pytest.raises(pt.Error, match="seconds is nan"):
            games.from_open_spiel(flag, seconds=float("nan"))

    def test_oshi_zumo_is_even(self) -> None:
        game = self.load("oshi_zumo(coins=3,size=1,horizon=8,min_bid=1)")
        solution = games.solve(games.from_open_spiel(game))
        assert 0 in solution.value

    def test_a_horizon_is_part_of_the_key(self) -> None:
        game = self.load("oshi_zumo(coins=5,size=1,min_bid=1,horizon=3)")
        rules = games.from_open_spiel(game)
        solution = games.solve(rules)
        for state, there in rules.states.items():
            assert played_out(there, {})[0] in solution[state]
        # Without, states that are unlike are taken for one, and a game with a horizon of eight turns has no end.
        assert len(games.solve(games.from_open_spiel(game, key=str))) < len(solution)
        game = self.load("oshi_zumo(coins=3,size=1,horizon=8,min_bid=0)")
        with pytest.raises(pt.Error, match="^state .*: play can return"):
            games.solve(games.from_open_spiel(game, key=str))
        assert 0 in games.solve(games.from_open_spiel(game)).value
        with pytest.raises(pt.Error, match="play comes to the horizon of 3 turns"):
            games.solve(games.from_open_spiel(self.load("oshi_zumo(coins=3,size=1,horizon=3,min_bid=0)"), kind="recursive"))
        game = self.load("oshi_zumo(coins=3,size=1,horizon=50,min_bid=0)")
        assert 0 in games.solve(games.from_open_spiel(game, kind="recursive")).value

    def test_a_key_merges_states(self) -> None:
        parameters = "num_cards=4,imp_info=False,points_order=random,returns_type=point_difference"
        game = self.load(f"goofspiel({parameters})")

        def left(state: Any) -> Any:
            """The cards, the prizes so far and the current one, and the points of both."""
            own, other, prizes, points = str(state).split("\n")[:4]
            *gone, prize = prizes.split(": ")[1].split()
            return own, other, frozenset(gone), prize, points

        plain, merged = games.from_open_spiel(game), games.from_open_spiel(game, left)
        every, solution = games.solve(plain), games.solve(merged)
        assert len(solution) < len(every)
        for key, state in plain.states.items():
            assert every[key].lower <= solution[left(state)].upper and solution[left(state)].lower <= every[key].upper
        assert merged.check_key(50) == 50
        wrong = games.from_open_spiel(game, lambda state: left(state)[:-1])
        games.solve(wrong)
        with pytest.raises(pt.Error, match="after which play differs"):
            wrong.check_key(50)

    def test_endless_play_pays_by_the_state(self) -> None:
        """Two bids of nothing repeat a state; as the horizon decides, where the wrestler stands."""
        game = self.load("oshi_zumo(coins=5,size=1,min_bid=0,horizon=1000)")

        def stands(state: Any) -> int:
            field = str(state).split("Field: ")[1].strip()
            return (field.index("W") > 2) - (field.index("W") < 2)

        rules = games.from_open_spiel(game, kind="recursive", endless=stands)
        solution = games.solve(rules)
        ours = pt.solve(5, pt.Rules.oshi_zumo(1, min_bid=0))
        for key, state in rules.states.items():
            a, b = (int(coins) for coins in str(state).split("Coins: ")[1].split(",")[0].split())
            expected = ours[a, b, str(state).split("Field: ")[1].strip().index("W") - 2]
            assert solution[key].lower <= expected.upper and expected.lower <= solution[key].upper
            if (a, b, stands(state)) == (5, 4, 0):
                # The root of 3/5.
                assert solution[key].lower**2 <= Fraction(3, 5) <= solution[key].upper ** 2

    def test_chance_is_played_out(self) -> None:
        game = self.load("markov_soccer(horizon=1000)")
        rules = games.from_open_spiel(game, kind="discounted", discount="9/10")
        solution = games.solve(rules)
        # Their 1,444 positions of decision, and two ends; the player who begins with the ball is drawn.
        assert len(solution) == 1446 and solution.widest < Fraction(1, 10**15)
        first, second = (solution[start] for start in solution.starts)
        # As linear programmes of SciPy have it: a fixed point of theirs within 1e-15.
        assert float(first) == -float(second) == pytest.approx(-0.196635996397577, abs=1e-14)

    @pytest.mark.parametrize(
        "text",
        [
            "goofspiel(num_cards=3,imp_info=False,points_order=descending,returns_type=point_difference)",
            "goofspiel(num_cards=3,imp_info=False,points_order=random)",
            "oshi_zumo(coins=4,size=2,min_bid=1)",
            "blotto(coins=4,fields=3)",
            "matrix_mp",
            "matrix_rpsw",
            "matrix_brps",
        ],
    )
    def test_their_nash_conv_agrees(self, text: str) -> None:
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        policies = pytest.importorskip("open_spiel.python.policy")
        game = self.load(text)
        rules = games.from_open_spiel(game)
        solution = games.solve(rules)
        turns = pytest.importorskip("pyspiel").convert_to_turn_based(game)

        class Rising(policies.Policy):  # type: ignore[misc, name-defined]
            """The k-th action is k times as likely as the first; the first alone where the first prize is 1."""

            def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
                legal = state.legal_actions(state.current_player() if player_id is None else player_id)
                if "Point card sequence: 1" in str(state):
                    return {action: float(action == legal[0]) for action in legal}
                return {action: 2 * (rank + 1) / (len(legal) * (len(legal) + 1)) for rank, action in enumerate(legal)}

        for policy in (policies.UniformRandomPolicy, lambda game: Rising(game, [0, 1])):
            theirs = exploitability.nash_conv(turns, policy(turns))
            ours = games.nash_conv(solution, rules.policy(policy(game)))
            assert float(ours) == pytest.approx(theirs, abs=1e-9)
            assert ours.width < 1e-12
        optimal = games.nash_conv(solution, lambda state, player: solution.strategies(state)["AB".index(player)])
        assert optimal < 1e-12

    @pytest.mark.parametrize(
        "text",
        [
            "capture_the_flag(grid=a..b\n....,horizon=3)",
            "laser_tag(grid=S.S,horizon=2,zero_sum=true)",
            "markov_soccer(grid=.OB\n.A.,horizon=6)",
            "oshi_zumo(coins=3,size=1,horizon=3,min_bid=0)",
        ],
    )
    def test_their_states_played_out_agree(self, text: str) -> None:
        """Where their algorithms lack texts of information: values, and best replies, by all that can happen."""
        game = self.load(text)
        rules = games.from_open_spiel(game)
        solution = games.solve(rules)
        uniform = rules.policy(pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy(game))
        judged = solution.judge("A", lambda state: uniform(state, "A"))
        known: dict[Any, tuple[Fraction, Fraction]] = {}
        value, replied = played_out(game.new_initial_state(), known)
        # Doubles, such as five of 0.2, are taken as parts of their sum.
        assert value in solution.value and float(judged.value) == pytest.approx(float(replied), abs=1e-12)
        for state, there in rules.states.items():
            value, replied = played_out(there, known)
            assert value in solution[state] and float(judged.worth[state]) == pytest.approx(float(replied), abs=1e-12)

    def test_tennis_as_theirs(self) -> None:
        pytest.importorskip("pyspiel")
        from pencil_tennis import openspiel

        solution = games.solve(games.from_open_spiel(openspiel.load_game(points=(5, 4))))
        expected = pt.solve((5, 4)).value
        assert solution.value.lower <= expected.upper and expected.lower <= solution.value.upper

    def test_other_games_are_refused(self) -> None:
        with pytest.raises(pt.Error, match="no zero-sum game"):
            games.from_open_spiel(self.load("matrix_pd"))
        with pytest.raises(pt.Error, match="no zero-sum game of two players; expected the parameter zero_sum=True"):
            games.from_open_spiel(self.load("laser_tag"))


def played_out(state: Any, known: dict[Any, tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """A's payoff from a state of OpenSpiel on, with optimal play, and with uniform A against a best response."""
    if state.is_terminal():
        return Fraction(0), Fraction(0)
    key = str(state), state.move_number(), str(state.history()) if state.is_chance_node() else ""
    if key in known:
        return known[key]

    def after(*actions: int) -> tuple[Fraction, Fraction]:
        child = state.clone()
        if len(actions) == 2:
            child.apply_actions(list(actions))
        else:
            child.apply_action(*actions)
        # The rewards on the way, or the payoff at the end.
        paid = Fraction(child.returns()[0]) - Fraction(state.returns()[0])
        value, replied = played_out(child, known)
        return paid + value, paid + replied

    if state.is_chance_node():
        drawn = [(Fraction(share).limit_denominator(1000), after(action)) for action, share in state.chance_outcomes()]
        value, replied = (sum((share * pair[side] for share, pair in drawn), Fraction(0)) for side in range(2))
    else:
        own, other = state.legal_actions(0), state.legal_actions(1)
        cells = [[after(a, b) for b in other] for a in own]
        value = matrix_game.solve([[cell[0] for cell in row] for row in cells], exact=True).value
        replied = min(sum((row[b][1] for row in cells), Fraction(0)) / len(own) for b in range(len(other)))
    known[key] = value, replied
    return known[key]


def test_a_model_of_prism_games_is_solved_and_proved(tmp_path: Path) -> None:
    # Both players show a side; equal ones lead to state 1. Unequal ones are thrown away with a probability printed as 0.333333.
    cells = ["0 0 1 1 [h1,h2]"]
    for choice, joint in ((1, "h1,t2"), (2, "t1,h2")):
        cells += [f"0 {choice} 0 0.333333 [{joint}]", f"0 {choice} 2 0.666667 [{joint}]"]
    cells += ["0 3 1 1 [t1,t2]", "1 0 1 1 [h1,h2]", "2 0 2 1 [h1,h2]"]
    model = tmp_path / "pennies.tra"
    model.write_text("\n".join(["# Transitions (CSG)", "3:2 6 8", *cells]))
    (tmp_path / "labels").write_text('0="init" 1="equal"\n0: 0\n1: 1\n')
    (tmp_path / "pennies.srew").write_text('# Reward structure "turns"\n3 1\n0 1\n')

    def game(property: str, **options: Any) -> games.PrismGame:
        return games.from_prism(model, property, labels=tmp_path / "labels", **options)

    nearest = game('<<1>>Pmax=? [ F "equal" ]', probabilities="nearest")
    assert len(nearest.assumptions) == 1 and "2 of 3" in nearest.assumptions[0]
    solution = games.solve(nearest)
    # v = (1 + v/3)/2
    assert Fraction(3, 5) in solution["0"] and solution.kind == "recursive"
    assert Fraction(3, 5) in games.verify(solution.certificate(), nearest)["0"]
    shorter = game('<<1>>Pmax=? [ F<=2 "equal" ]', probabilities="nearest")
    assert games.solve(shorter).exact_values()["0@2"] == Fraction(7, 12)
    # An export has no constants that could be given values.
    with pytest.raises(pt.Error, match="there is no constant `k`"):
        game('<<1>>Pmax=? [ F<=2 "equal" ]', constants={"k": 2})
    with pytest.raises(pt.CertificateError, match="another game"):
        games.verify(solution.certificate(), shorter)
    assert games.solve(game('<<2>>R{"turns"}min=? [ C<=1 ]')).value == 1
    for property, message in {
        '<<1>>Pmax=? [ F "odd" ]': "there is no label `odd`; expected one of equal, init",
        "<<3>>Pmax=? [ F true ]": "there is no player 3",
        "<<1:2>>max=? (P[F true]+P[F true])": "equilibria",
    }.items():
        with pytest.raises(pt.Error, match=message):
            game(property)
    with pytest.raises(pt.Error, match="cannot be read"):
        games.from_prism(tmp_path / "absent.tra", "<<1>>Pmax=? [ F true ]")
    with pytest.raises(pt.Error, match="above the limit"):
        game('<<1>>Pmax=? [ F<=1000 "equal" ]', memory_limit=1000)
    with pytest.raises(pt.Error, match="pennies.tra has .* bytes, above the limit of 100"):
        game("<<1>>Pmax=? [ F true ]", memory_limit=100)
    if Path("/dev/zero").exists():
        with pytest.raises(pt.Error, match="/dev/zero is a device"):
            games.from_prism("/dev/zero", "<<1>>Pmax=? [ F true ]")


def test_a_model_in_the_language_of_prism_is_solved(tmp_path: Path) -> None:
    model = tmp_path / "walk.prism"
    model.write_text(
        """mdp const double p; const bool may_wait;
        module walk s : [0..2];
            [go] s=0 -> [p, p + 0.1] : (s'=1) + [0.8 - p, 1 - p] : (s'=2);
            [wait] s=0 & may_wait -> true;
        endmodule"""
    )
    for p in (Fraction(1, 3), "1/3"):
        game = games.from_prism(model, "Pmaxmin=? [ F s=1 ]", constants={"p": p, "may_wait": True})
        solution = games.solve(game)
        assert Fraction(1, 3) in solution["0"] and game.assumptions == ["2 states without a choice got a loop"]
        assert Fraction(1, 3) in games.verify(solution.certificate(), game)["0"]
    # A float is the decimal that it prints.
    game = games.from_prism(model, "Pmaxmax=? [ F s=1 ]", constants={"p": 0.3, "may_wait": False})
    assert Fraction(2, 5) in games.solve(game)["0"]
    for constants, message in (
        ({"p": 0.3}, "the constant `may_wait` has no value"),
        ({"p": "x y", "may_wait": True}, "the constant `p`"),
        ({"p": 2, "may_wait": True}, "walk.prism, line 3: .* a probability is"),
    ):
        with pytest.raises(pt.Error, match=message):
            games.from_prism(model, "Pmaxmax=? [ F s=1 ]", constants=constants)
    # Decimals that nearly sum to 1 are divided by their sum, if that is asked for.
    rounded = tmp_path / "rounded.prism"
    rounded.write_text("dtmc module walk s : [0..2]; [] s=0 -> 0.333333 : (s'=1) + 0.666666 : (s'=2); endmodule")
    game = games.from_prism(rounded, "P=? [ F s=1 ]", probabilities="normalised")
    assert Fraction(1, 3) in games.solve(game)["0"]
    assert "they are divided by their sum" in game.assumptions[0]
    for reading, message in (("exact", "expected 1; if they are normalised"), ("nearest", "nearest probabilities are for an export")):
        with pytest.raises(pt.Error, match=message):
            games.from_prism(rounded, "P=? [ F s=1 ]", probabilities=reading)  # type: ignore[arg-type]
    # Options of exports are refused, not ignored.
    for option in ({"states": "s"}, {"labels": "l"}, {"rewards": ["r"]}):
        with pytest.raises(pt.Error, match="are for an export"):
            games.from_prism(model, "Pmaxmax=? [ F s=1 ]", constants={"p": 0.3, "may_wait": True}, **option)
