"""Games with hidden information: rules, files and games of OpenSpiel as trees, solved, and policies judged by best responses."""

from __future__ import annotations

import copy
import json
import pickle
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis
import pytest
from pencil_tennis import games


class Kuhn:
    """Kuhn poker: each player has one of three cards; one may bet 1, the other call or give up."""

    def starts(self) -> dict[Any, Any]:
        return {(a + b, ""): Fraction(1, 6) for a in "JQK" for b in "JQK" if a != b}

    def turn(self, state: Any) -> Any:
        cards, bets = state
        better = 1 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else -1
        payoffs = {"pp": better, "bb": 2 * better, "pbb": 2 * better, "bp": 1, "pbp": -1}
        if bets in payoffs:
            return payoffs[bets]
        return (("p", "b"), ("-",)) if len(bets) != 1 else (("-",), ("p", "b"))

    def after(self, state: Any, a: str, b: str) -> Any:
        cards, bets = state
        return cards, bets + (b if len(bets) == 1 else a)

    def observe(self, state: Any, player: str) -> Any:
        cards, bets = state
        if not bets:
            return cards["AB".index(player)]
        mover = "A" if len(bets) != 2 else "B"
        return None if player == mover else bets[-1]


class Coin:
    """A tosses a coin in secret, B guesses; a game of one choice whose parts a test may replace."""

    def starts(self) -> Any:
        return ["begin"]

    def turn(self, state: Any) -> Any:
        return ((0, 1), ("heads", "tails")) if state == "begin" else state

    def after(self, state: Any, a: Any, b: Any) -> Any:
        return 2 if (a, b) == (0, "heads") else 1 if (a, b) == (1, "tails") else -1

    def observe(self, state: Any, player: str) -> Any:
        return None


def test_rules_are_solved_exactly() -> None:
    solution = games.solve(Kuhn())
    assert solution.value.is_exact and solution.value.lower == Fraction(-1, 18)
    # B's strategy is the only optimal one.
    assert solution.strategy("J p", "B") == pytest.approx({"p": 2 / 3, "b": 1 / 3})
    assert solution.strategy("K b", "B") == {"b": 1.0}
    assert [*solution.game.information_sets("A")][:2] == ["J", "J p b"]
    assert solution.game.nodes("A", "J p b") == 2 and len(solution.game) == 55


def test_simultaneous_moves_are_hidden() -> None:
    # [[2, -1], [-1, 1]] is worth 1/5, at 2/5 to 3/5.
    solution = games.solve(Coin())
    assert solution.value.lower == solution.value.upper == Fraction(1, 5)
    assert solution.strategy("(start)", "A") == pytest.approx({0: 0.4, 1: 0.6})
    assert solution.policy()["B"] == {"(start)": pytest.approx({"heads": 0.4, "tails": 0.6})}


def test_policies_in_every_form_are_judged_alike(tmp_path: Path) -> None:
    game = games.unfold(Coin())
    forms: list[Any] = [
        {"(start)": {0: 0.25, 1: 0.75}},
        {"(start)": {"0": "1/4", "1": "3/4"}},
        {"(start)": [0.25, 0.75]},
        {"(start)": np.array([0.25, 0.75])},
        lambda name: {0: Fraction(1, 4), 1: Fraction(3, 4)},
        {"player": ["A", "A"], "set": ["(start)"] * 2, "action": [0, 1], "probability": [0.25, 0.75]},
    ]
    table = tmp_path / "a.csv"
    table.write_text("player,set,action,probability\nA,(start),0,1/4\nA,(start),1,3/4\n")
    for policy in [*forms, table, str(table)]:
        # B guesses heads: 2/4 − 3/4.
        judged = game.judge("A", policy)
        assert judged.value.is_exact and judged.value.lower == Fraction(-1, 4), policy
    both = game.judge((forms[0], {"(start)": {"heads": 1}}))
    assert both.nash_conv.lower == both.nash_conv.upper == 2 + Fraction(1, 4)
    assert games.nash_conv(game, lambda name, player: [0.5, 0.5]).lower == Fraction(1, 2)
    solution = game.solve()
    assert solution.judge("A", forms[0]).loss.lower == Fraction(1, 5) + Fraction(1, 4)
    assert solution.judge(solution).nash_conv == 0 and solution.judge(solution).a.loss == 0
    with pytest.raises(pencil_tennis.Error, match="the value of the game is not known"):
        judged.loss  # noqa: B018


def test_regrets_of_information_sets_are_those_by_hand() -> None:
    """Against B's only optimal strategy: with J to pass loses 1, and so does to give up then; and so on."""
    solution = games.solve(Kuhn())
    judged = solution.judge("A", "uniform")
    by_hand = {"J": 0, "J p b": Fraction(1, 2), "Q": Fraction(1, 12), "Q p b": 0, "K": 0, "K p b": Fraction(3, 2)}
    reached = {"J": Fraction(1, 3), "J p b": Fraction(1, 6), "Q": Fraction(1, 3), "Q p b": Fraction(2, 9), "K": Fraction(1, 3), "K p b": Fraction(1, 18)}
    assert {name: regret.lower for name, regret in judged.regret.items()} == by_hand
    assert all(regret.is_exact for regret in judged.regret.values())
    assert [(entry.state, entry.player, entry.regret) for entry in judged.worst(2)] == [("K p b", "A", 1.5), ("J p b", "A", 0.5)]
    frame = judged.frame()
    assert frame["player"] == ["A"] * 6 and frame["regret"][frame["set"].index("Q")] == pytest.approx(1 / 12)
    assert dict(zip(frame["set"], frame["reach"], strict=True)) == pytest.approx(reached)
    # Together, each as often as play comes there, they are what the policy loses to a best reply: -1/18 instead of this.
    own = {name: Fraction(1, 2 if " " in name else 1) for name in by_hand}
    payoff = average_payoff(Kuhn(), lambda name: {"p": Fraction(1, 2), "b": Fraction(1, 2)}, solution.policy()["B"])
    lost = sum(own[name] * reached[name] * by_hand[name] for name in by_hand)
    assert lost == Fraction(1, 9) and payoff == pytest.approx(float(Fraction(-1, 18) - lost))
    both = solution.judge("uniform")
    assert both.worst(1)[0].player == "A" and len(both.worst(3)) == 3 and both.a.worst(1) == both.worst(1)
    assert len(both.frame()["set"]) == len(both.frame()["regret"]) == 12
    assert "regret of A at K p b" in judged._repr_html_() and "regret of A at K p b" in both._repr_html_()
    assert pickle.loads(pickle.dumps(judged)).regret == judged.regret


def average_payoff(rules: Kuhn, a: Any, b: Any) -> float:
    """The mean payoff of two strategies, from the rules alone."""

    def follow(state: Any, known: tuple[str, str]) -> Any:
        turn = rules.turn(state)
        if not isinstance(turn, tuple):
            return turn
        seen = [" ".join(filter(None, (own, rules.observe(state, player)))) for own, player in zip(known, "AB", strict=True)]
        mover = 0 if len(turn[0]) > 1 else 1
        total = 0.0
        for action in turn[mover]:
            share = (a(seen[0]) if mover == 0 else b[seen[1]]).get(action, 0)
            after = [*seen]
            after[mover] += " " + action
            total += float(share) * follow(rules.after(state, action, action), (after[0], after[1]))
        return total

    return sum(float(share) * follow(start, ("", "")) for start, share in rules.starts().items())


def test_an_optimal_strategy_has_no_regret() -> None:
    for rules in (Kuhn(), Coin()):
        solution = games.solve(rules)
        for player in ("A", "B"):
            for name, regret in solution.judge(player, solution).regret.items():
                # What follows A's pass may be played anyhow where A never passes.
                follows_a_pass = player == "A" and " p " in name
                if not follows_a_pass or "p" in solution.strategy(name.split()[0], "A"):
                    assert regret == 0 and regret.is_exact, (player, name)
    with pytest.raises(pencil_tennis.Error, match="judged by a solution"):
        games.unfold(Kuhn()).judge("A", "uniform").worst()


def test_networks_are_asked_about_many_information_sets_at_once() -> None:
    solution, asked = games.solve(Kuhn()), []

    def network(names: list[str], legal: Any) -> Any:
        asked.append(names)
        assert legal.shape == (len(names), 2) and legal.all()
        legal[:] = False
        return np.array([[1, 3] if name.startswith("K") else [3, 1] for name in names], np.float32)

    weights = {name: [1, 3] if name.startswith("K") else [3, 1] for name in solution.game.information_sets("A")}
    judged = solution.judge("A", network, batched=True, normalise=True)
    assert asked == [[*weights]]
    assert judged.value == solution.judge("A", {name: [n / 4 for n in own] for name, own in weights.items()}).value
    assert judged.value == solution.judge("A", weights, normalise=True).value
    both = solution.judge(lambda names, legal, player: np.full(legal.shape, 0.5), batched=True)
    assert both.nash_conv == solution.judge("uniform").nash_conv == games.nash_conv(solution, lambda names, legal, player: legal / 2, batched=True)
    with pytest.raises(pencil_tennis.PolicyError, match=r"gives the shape \(6, 1\) for 6 information sets"):
        solution.judge("A", lambda names, legal: np.ones((len(names), 1)), batched=True)
    with pytest.raises(pencil_tennis.PolicyError, match="sum"):
        solution.judge("A", weights)


def test_strategies_are_read_back(tmp_path: Path) -> None:
    solution = games.solve(Kuhn())
    path = tmp_path / "kuhn.csv"
    solution.write_strategies(path)
    for policy in (path, solution.strategy_frame(), solution):
        assert float(solution.judge(policy).nash_conv) < 1e-15
    other = games.solve(Coin())
    with pytest.raises(pencil_tennis.PolicyError, match="of another game"):
        solution.judge(other)


def test_certificates_are_checked() -> None:
    solution = games.solve(Kuhn())
    certificate = solution.certificate()
    proof = games.verify(certificate, solution.game)
    assert proof.value.lower <= Fraction(-1, 18) <= proof.value.upper and float(proof.value.width) < 1e-17
    with pytest.raises(pencil_tennis.CertificateError, match="of another game"):
        games.verify(certificate, games.unfold(Coin()))
    first, rest = certificate.split(b"\n", 1)
    claim = json.loads(first) | {"lower": "0"}
    with pytest.raises(pencil_tennis.CertificateError, match="A's strategy secures less than the lower bound 0"):
        games.verify(json.dumps(claim).encode() + b"\n" + rest)
    # Without a game, that of the certificate.
    own = games.verify(certificate)
    assert isinstance(own, games.HiddenProof) and own.value == proof.value and len(own.game) == len(solution.game)


def test_trees_of_gambit(tmp_path: Path) -> None:
    text = 'EFG 2 R "a card" { "A" "B" }\nc "" 1 "" { "red" 0.333333 "black" 0.666667 } 0\n'
    for node, sign in ((1, 1), (2, -1)):
        text += f'p "" 1 {node} "" {{ "bid" "fold" }} 0\np "" 2 1 "" {{ "call" "fold" }} 0\n'
        text += f't "" {3 * node} "" {{ {2 * sign} {-2 * sign} }}\nt "" {3 * node + 1} "" {{ 1 -1 }}\nt "" {3 * node + 2} "" {{ -1 1 }}\n'
    path = tmp_path / "card.efg"
    path.write_text(text)
    exact, nearest = games.from_efg(path), games.from_efg(path, probabilities="nearest")
    assert exact.title == "a card" and exact.assumptions == [] and len(nearest.assumptions) == 1
    # With red in 1/3 of the games, A bids with black in a share q of them: −2q/3 if B calls, 4q/3 − 1/3 if not, so that q = 1/6.
    assert nearest.solve().value.lower == nearest.solve().value.upper == Fraction(-1, 9)
    assert nearest.solve().strategy("2", "A")["bid"] == pytest.approx(1 / 6)
    assert Fraction(-1, 9) not in exact.solve().value
    with pytest.raises(pencil_tennis.Error, match=r"card.efg is a game tree; expected games.from_efg\("):
        games.solve(str(path))
    path.write_text(text[:-20])
    with pytest.raises(pencil_tennis.Error, match="card.efg, line"):
        games.from_efg(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": lambda self: []}, "there are 0 starts; expected one"),
        ({"starts": lambda self: {"begin": 0.3, 1: 0.3}}, "the probabilities of the starts sum to 0.6"),
        ({"turn": lambda self, state: ((0, 0), (1,)) if state == "begin" else state}, "node 1: two actions have the name `0`"),
        ({"turn": lambda self, state: ((), (1,)) if state == "begin" else state}, "A has no action at 'begin'"),
        ({"turn": lambda self, state: "much"}, "the payoff at 'begin' is 'much'; expected a finite number"),
        ({"turn": lambda self, state: (("go on", "stop"), (1,))}, "an action of A at 'begin' is 'go on'; expected a word"),
        ({"observe": lambda self, state, player: ""}, "an observation of A at 'begin' is ''; expected a word"),
        ({"after": lambda self, state, a, b: np.random.default_rng().random()}, "asked again, the rules answer otherwise"),
        ({"after": lambda self, state, a, b: "begin"}, "the tree has more than 50 nodes"),
        ({"after": lambda self, state, a, b: 10**30}, "a payoff of 1000000000000000000000000000000 is too large"),
    ],
)
def test_malformed_rules_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(pencil_tennis.Error, match=message):
        games.unfold(type("Changed", (Coin,), change)(), most_nodes=50)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({}, r"A's policy says nothing about the information set 'J'"),
        ({"9": {"p": 1}}, r"A has no information set '9'; expected one such as 'J', 'J p b'"),
        (lambda name: {"x": 1}, r"A has no action 'x' at 'J'; expected \['p', 'b'\]"),
        (lambda name: [1], r"gives the shape \(1,\) at 'J'; expected \(2,\)"),
        (lambda name: {"p": 0.5}, r"A's strategy at information set `J`: the probabilities sum to 0.5; expected 1"),
        (lambda name: [1.5, -0.5], r"A's strategy at information set `J`: the probability -1/2 is negative"),
        (lambda name: {"p": float("nan")}, r"a probability of A at 'J' is nan"),
    ],
)
def test_wrong_policies_are_refused(policy: Any, message: str) -> None:
    with pytest.raises(pencil_tennis.Error, match=message):
        games.unfold(Kuhn()).judge("A", policy)


def test_refined_strategies_are_best_replies_to_mistakes() -> None:
    solution = games.solve(Kuhn(), refinement="quasi-perfect")
    assert solution.refinement == "quasi-perfect" and solution.value.lower == solution.value.upper == Fraction(-1, 18)
    assert solution.strategy("K p b", "A") == {"b": 1.0} and solution.strategy("J b", "B") == {"p": 1.0}
    trembling = solution.trembling("B", Fraction(1, 10**9))
    assert all(share > 0 for own in trembling.values() for share in own.values())
    assert trembling["J b"]["p"] > 1 - Fraction(1, 10**8)
    assert games.solve(Kuhn()).refinement is None
    with pytest.raises(pencil_tennis.Error, match="the strategies are not refined"):
        games.solve(Kuhn()).trembling("A", 0.5)
    with pytest.raises(pencil_tennis.Error, match="epsilon is too large, or not positive"):
        solution.trembling("B", 0)
    with pytest.raises(pencil_tennis.Error, match="there is no refinement `best`; expected quasi-perfect"):
        games.solve(Kuhn(), refinement="best")  # type: ignore[call-overload]


def all_fractions(solution: games.HiddenSolution) -> Any:
    return [solution._native.fractions(player) for player in ("A", "B")]


@pytest.mark.parametrize("refinement", [None, "quasi-perfect"])
def test_solutions_survive_pickling(refinement: Any) -> None:
    solution = games.solve(Kuhn(), refinement=refinement)
    again = pickle.loads(pickle.dumps(solution))
    assert again.value == solution.value and again.value.lower == Fraction(-1, 18)
    assert all_fractions(again) == all_fractions(solution)
    assert (again.refinement, again.iterations, again.seconds) == (refinement, solution.iterations, solution.seconds)
    assert again.policy()["A"] == solution.policy()["A"] and again.strategy_frame() == solution.strategy_frame()
    assert again.certificate() == solution.certificate()
    if refinement:
        assert again.trembling("A", 0.001) == solution.trembling("A", 0.001)
    assert copy.deepcopy(solution) is solution


def test_judgements_survive_pickling() -> None:
    solution = games.solve(Kuhn())
    # Thirds have no end in binary digits.
    policy = {name: {"p": Fraction(1, 3), "b": Fraction(2, 3)} for name in solution.game.information_sets("A")}
    for judge in (solution.judge, solution.game.judge):
        judgement = judge("A", policy)
        again = pickle.loads(pickle.dumps(judgement))
        assert again.value == judgement.value and again.player == "A" and again.value.is_exact
        if judge == solution.judge:
            assert again.loss == judgement.loss and again.loss.lower > 0
        else:
            with pytest.raises(pencil_tennis.Error, match="the value of the game is not known"):
                assert again.loss
    both = solution.judge((policy, "uniform"))
    again_both = pickle.loads(pickle.dumps(both))
    assert again_both.nash_conv == both.nash_conv and again_both.exploitability == both.exploitability
    assert again_both.b.loss == both.b.loss


def test_forged_judgements_are_judged_again() -> None:
    """What a policy is worth follows from the policy alone, and its loss from the solution's strategies."""
    solution = games.solve(Kuhn())
    judgement = solution.judge("A", "uniform")
    restore, (game, judge, player, shares) = judgement.__reduce__()
    best = restore(game, judge, player, solution._native.fractions("A"))
    assert best.value == solution.value and best.loss.upper == 0
    with pytest.raises(pencil_tennis.Error, match="expected a strategy|information sets of B"):
        restore(game, judge, "B", shares[1:])
    with pytest.raises(pencil_tennis.Error, match="the probabilities sum to 2; expected 1"):
        restore(game, judge, player, [[Fraction(1)] * 2] * len(shares))


def test_trees_survive_pickling(tmp_path: Path) -> None:
    text = '''EFG 2 R "Coin" { "A" "B" }
c "" 1 "" { "h" 1/3 "t" 2/3 } 0
t "" 1 "" { 1, -1 }
p "" 1 1 "" { "x" "y" } 0
t "" 2 "" { 0, 0 }
t "" 3 "" { 2, -2 }
'''
    path = tmp_path / "coin.efg"
    path.write_text(text)
    for tree in (games.from_efg(path), games.unfold(Kuhn())):
        again = pickle.loads(pickle.dumps(tree))
        assert again.title == tree.title and len(again) == len(tree)
        assert all(again.information_sets(player) == tree.information_sets(player) for player in ("A", "B"))
        assert again.native.is_same_game(tree.native)
        assert again.solve().value == tree.solve().value
    assert pickle.loads(pickle.dumps(games.from_efg(path))).title == "Coin"


def test_forged_pickles_are_refused() -> None:
    """Each has one part that the game or the proof does not bear."""
    solution = games.solve(Kuhn(), refinement="quasi-perfect")
    restore, (game, strategies, coefficients, iterations, seconds) = solution.__reduce__()
    assert restore(game, strategies, coefficients, iterations, seconds).value == solution.value
    a, b = strategies
    # Bounds are what the strategies prove, and no more.
    uniform = [[Fraction(1, 2)] * 2] * len(a)
    poor = restore(game, (uniform, b), None, iterations, seconds)
    assert poor.value.lower < Fraction(-1, 4) and Fraction(-1, 18) <= poor.value.upper < Fraction(-1, 18) + Fraction(1, 10**15)
    with pytest.raises(pencil_tennis.Error, match="it goes to another strategy of A"):
        restore(game, (uniform, b), coefficients, iterations, seconds)
    with pytest.raises(pencil_tennis.Error, match="the probabilities sum to 2; expected 1"):
        restore(game, ([[Fraction(1)] * 2] * len(a), b), None, iterations, seconds)
    with pytest.raises(pencil_tennis.Error, match="expected a polynomial for every sequence"):
        restore(game, strategies, (coefficients[0][1:], coefficients[1]), iterations, seconds)
    with pytest.raises(pencil_tennis.Error, match="not a game tree: line 1: it is no JSON"):
        games.unfold(Kuhn()).__setstate__({"native": (zlib.compress(b"{"), None)})


def test_searches_are_resumed(tmp_path: Path) -> None:
    kuhn = games.unfold(Kuhn())
    place = tmp_path / "kuhn.part"
    whole = kuhn.solve(method="cfr", gap=1e-7)
    begun = kuhn.solve(method="cfr", gap=1e-7, time_limit=0.01, checkpoint=place, checkpoint_every=0)
    assert 0 < begun.iterations <= whole.iterations and place.stat().st_size > 0
    again = kuhn.solve(method="cfr", gap=1e-7, resume=place)
    assert all_fractions(again) == all_fractions(whole) and again.iterations == whole.iterations
    resumed = games.solve(kuhn, gap=1e-7, resume=place, checkpoint=place)
    assert Fraction(-1, 18) in resumed.value and resumed.value.width < 1e-6

    with pytest.raises(FileExistsError, match="go on from it with resume, or name another file"):
        kuhn.solve(checkpoint=place)
    with pytest.raises(OSError, match="nowhere"):
        kuhn.solve(checkpoint=tmp_path / "nowhere" / "kuhn.part")
    with pytest.raises(OSError, match="missing"):
        kuhn.solve(resume=tmp_path / "missing")
    with pytest.raises(pencil_tennis.Error, match="not a checkpoint of this game: it is of another game"):
        games.solve(Coin(), resume=place)
    broken = tmp_path / "broken"
    broken.write_bytes(place.read_bytes()[:-1])
    with pytest.raises(pencil_tennis.Error, match="not a checkpoint of this game"):
        kuhn.solve(resume=broken)


def test_an_interrupted_search_leaves_a_checkpoint(tmp_path: Path) -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    place = tmp_path / "kuhn.part"
    with pytest.raises(KeyboardInterrupt):
        games.unfold(Kuhn()).solve(method="cfr", checkpoint=place, progress=stop)
    assert games.unfold(Kuhn()).solve(method="cfr", resume=place).value.width < 1e-6


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(pencil_tennis.Error, match="takes no `width`; expected gap, refinement, time_limit, checkpoint, resume"):
        games.solve(Kuhn(), width=0.5)  # type: ignore[call-overload]
    with pytest.raises(pencil_tennis.Error, match="a game without hidden information takes no `gap`"):
        games.solve(type("Open", (), {"starts": None, "turn": None, "after": None})(), gap=1e-3)
    with pytest.raises(pencil_tennis.Error, match="a game of 55 nodes would take .* of memory, above the limit of"):
        games.solve(Kuhn(), memory_limit=1000)
    late = games.unfold(Kuhn()).solve(method="cfr", gap=0, time_limit=0)
    assert Fraction(-1, 18) in late.value and late.value.width > 0
    shares: list[float] = []
    games.unfold(Kuhn()).solve(method="cfr", threads=2, progress=shares.append)
    assert shares and all(0 <= share <= 1 for share in shares)
    with pytest.raises(pencil_tennis.Error, match="there is no method `best`; expected lp, ipm or cfr"):
        games.unfold(Kuhn()).solve(method="best")  # type: ignore[arg-type]
    with pytest.raises(pencil_tennis.Error, match="a gap of -1 is not possible"):
        games.solve(Kuhn(), gap=-1.0)
    with pytest.raises(TypeError, match="observe is missing"):
        games.unfold(type("Open", (), {"starts": None, "turn": None, "after": None})())


SPIEL = [
    "kuhn_poker",
    "leduc_poker",
    "leduc_poker(suit_isomorphism=True)",
    "misere(game=leduc_poker())",
    "liars_dice(numdice=1,dice_sides=3)",
    "dark_hex(board_size=2,gameversion=cdh)",
    "dark_hex(board_size=2,gameversion=adh)",
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,allow_repeated_shots=False)",
    "add_noise(epsilon=1.,seed=1,game=kuhn_poker())",
    "coordinated_mp",
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3,points_order=descending))",
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3,points_order=random,returns_type=point_difference))",
]


class TestOpenSpiel:
    """Against OpenSpiel's own exploitability."""

    @pytest.mark.parametrize("name", SPIEL)
    def test_nash_conv_is_that_of_open_spiel(self, name: str) -> None:
        game = pytest.importorskip("pyspiel").load_game(name)
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        policies = pytest.importorskip("open_spiel.python.policy")
        tree = games.from_open_spiel(game)
        assert isinstance(tree, games.OpenSpielTree)
        table = policies.TabularPolicy(game)
        drawn = np.random.default_rng(2012).random(table.action_probability_array.shape) * table.legal_actions_mask
        table.action_probability_array = drawn / drawn.sum(axis=1, keepdims=True)
        for policy in (table, policies.UniformRandomPolicy(game)):
            # OpenSpiel adds up doubles.
            assert games.nash_conv(tree, tree.policy(policy)) == pytest.approx(exploitability.nash_conv(game, policy), abs=1e-12)

    @pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.08560642407800)])
    def test_a_game_itself_is_solved(self, name: str, value: float) -> None:
        game = pytest.importorskip("pyspiel").load_game(name)
        exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
        solution = games.solve(game)
        assert solution.value == pytest.approx(value, abs=1e-13)
        assert exploitability.nash_conv(game, solution.game.tabular(solution)) < 1e-9

    def test_simultaneous_moves_are_hidden(self) -> None:
        """As a tree of simultaneous moves and as OpenSpiel's own turns, the game has equal values."""
        pyspiel = pytest.importorskip("pyspiel")
        text = "goofspiel(imp_info=True,num_cards=3,points_order=descending)"
        both = games.from_open_spiel(text), games.from_open_spiel(f"turn_based_simultaneous_game(game={text})")
        values = [games.solve(tree).value for tree in both]
        assert len(both[0]) == len(both[1]) and values == pytest.approx([0, 0], abs=1e-8)
        with pytest.raises(pencil_tennis.Error, match="expected no `key`"):
            games.from_open_spiel(pyspiel.load_game("kuhn_poker"), str)

    def test_what_does_not_fit_is_refused(self) -> None:
        pytest.importorskip("pyspiel")
        with pytest.raises(pencil_tennis.Error, match=r"expected perfect recall"):
            games.from_open_spiel("liars_dice_ir(numdice=1,dice_sides=3)")
        with pytest.raises(pencil_tennis.Error, match="tiny_hanabi.* is no zero-sum game of two players"):
            games.from_open_spiel("tiny_hanabi")
        with pytest.raises(pencil_tennis.Error, match="the tree has more than 100 nodes"):
            games.from_open_spiel("leduc_poker", most_nodes=100)
        with pytest.raises(pencil_tennis.Error, match="phantom_ttt.* is large: after 0.1 seconds"):
            games.from_open_spiel("phantom_ttt", seconds=0.1)
