"""Solutions: values, bounds, strategies, exact numbers, files."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pencil_tennis as pt
import pytest
import truth
from pencil_tennis import Rules, Solution, State

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fifty() -> Solution:
    return pt.solve(50)


@pytest.fixture(scope="module")
def ten() -> Solution:
    return pt.solve(10, exact=True)


def test_known_answers(fifty: Solution) -> None:
    assert len(fifty) == 13_005 == 51 * 51 * 5
    assert fifty["50:50@0"] == 0
    # As other programs found them, to the digits they have (floating-point linear programmes).
    assert fifty["50:50@-1"] == pytest.approx(-0.757168758003445, abs=1e-14)
    assert fifty[(50, 50, -2)] == pytest.approx(-1.866129081180224, abs=1e-14)
    assert list(fifty.strategy("50:50@0")) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert fifty.widest < 1e-17


def test_the_articles_table(ten: Solution) -> None:
    state = ten.equilibrium("4:3@-2")
    assert state.value == -0.2
    assert Fraction(-1, 5) in state.value
    assert state.b == pytest.approx({1: 0.6, 3: 0.4}, abs=1e-15)
    assert ten.stage_game("4:3@-2").tolist() == [[1, -2, -2], [1, 1, -2], [-1, 1, 1], [-1, -1, 1]]
    exact = ten.exact_equilibrium("4:3@-2")
    assert exact is not None and exact.value == Fraction(-1, 5)
    assert exact.b == {1: Fraction(3, 5), 3: Fraction(2, 5)}
    assert ten.uniqueness("4:3@-2") == ("several", "unique")
    assert ten.exact_value("7:6@1") == Fraction(46, 41)
    assert ten.exact_value("7:8@1") == Fraction(-47, 83)


def test_brute_force_in_fractions() -> None:
    solution = pt.solve(6, exact=True)
    for state in solution:
        known = truth.value(tuple(state))
        assert known in solution[state], state
        assert solution.exact_value(state) == known, state


def test_arrays_are_indexed_by_points_and_ball(ten: Solution) -> None:
    assert ten.arrays().values.shape == ten.arrays().lower.shape == ten.arrays().upper.shape == (11, 11, 5)
    assert ten.arrays().values.dtype == np.float64
    for state in ten:
        place = (state.a, state.b, state.ball + 2)
        enclosure = ten[state]
        assert ten.arrays().values[place] == ten[state] == enclosure
        # The doubles nearest to the bounds, outside.
        assert Fraction(ten.arrays().lower[place]) <= enclosure.lower < Fraction(np.nextafter(ten.arrays().lower[place], np.inf))
        assert Fraction(ten.arrays().upper[place]) >= enclosure.upper > Fraction(np.nextafter(ten.arrays().upper[place], -np.inf))
    # The mirror image of a state is worth the negative.
    assert np.array_equal(ten.arrays().values, -ten.arrays().values.transpose(1, 0, 2)[:, :, ::-1])


def test_arrays_are_read_only_and_the_same(ten: Solution) -> None:
    assert ten.arrays().values is ten.arrays().values
    with pytest.raises(ValueError, match="read-only"):
        ten.arrays().values[0, 0, 0] = 1
    changed = np.copy(ten.arrays().values)
    changed[0, 0, 0] = 7


def test_states_are_tuples_and_text(ten: Solution) -> None:
    state = State.parse("4:3@-2")
    assert state == (4, 3, -2) and str(state) == "4:3@-2" and State.parse("4:3@+2").ball == 2
    assert state.mirrored() == (3, 4, 2)
    assert ten[state] == ten["4:3@-2"] == ten[(4, 3, -2)] == ten[np.int64(4), np.uint8(3), np.int32(-2)]
    assert {state: 1}[(4, 3, -2)] == 1
    assert "4:3@-2" in ten and "11:3@-2" not in ten and "x" not in ten and 3 not in ten
    assert len(list(ten)) == len(ten) == len(set(ten))


def test_strategies_are_optimal(ten: Solution) -> None:
    """Their security levels in the stage game over the true values, by the definition."""
    for state in ten:
        if truth.payoff(tuple(state)) is not None or state.a > 6 or state.b > 6:
            continue
        a, b = (ten.dyadic_strategy(state, player) for player in ("A", "B"))
        assert sum(a.values()) == sum(b.values()) == 1
        after = {(i, j): truth.value(truth.turn(tuple(state), i, j)) for i in truth.bids(state.a) for j in truth.bids(state.b)}
        secured = min(sum(p * after[i, j] for i, p in a.items()) for j in truth.bids(state.b))
        conceded = max(sum(q * after[i, j] for j, q in b.items()) for i in truth.bids(state.a))
        # Weights are multiples of 2**-62; values differ by 4 at most, and up to 12 of them are rounded.
        assert truth.value(tuple(state)) - secured < Fraction(1, 10**16)
        assert conceded - truth.value(tuple(state)) < Fraction(1, 10**16)


def test_strategies_as_arrays_and_dicts(ten: Solution) -> None:
    equilibrium, policy = ten.equilibrium("7:6@1"), ten.policy()
    for player, points in (("A", 7), ("B", 6)):
        strategy, array = equilibrium.strategy(player), policy.array(player)[7, 6, 1 + 2]
        assert not array[points + 1 :].any()
        assert {bid: p for bid, p in enumerate(array) if p} == strategy == ten.strategy("7:6@1", player)
        assert array.sum() == pytest.approx(1, abs=1e-15)
    policy = ten.policy()
    array = policy.array("B")
    assert array.shape == (11, 11, 5, 11)
    assert np.array_equal(array[7, 6, 3, :7], ten.policy().array("B")[7, 6, 3, :7]) and not array[7, 6, 3, 7:].any()
    assert policy.strategy("7:6@1", "B") == equilibrium.b


def test_digits_are_decimals(ten: Solution) -> None:
    with_bounds_alone = pt.solve(7)
    for solution in (ten, with_bounds_alone):
        digits = solution.digits("7:6@1", 40)
        assert digits.value == Decimal("1.1219512195121951219512195121951219512195")
        assert Fraction(digits.lower) <= Fraction(46, 41) <= Fraction(digits.upper)
        assert digits.upper - digits.lower <= Decimal("1e-40")
    decimal = ten.decimal("7:6@1")
    assert Fraction(decimal.lower) <= Fraction(46, 41) <= Fraction(decimal.upper)


def test_other_games() -> None:
    footsteps = pt.solve(12, Rules.footsteps())
    assert footsteps.rules.scoring == (1, 0, 0, 0, -1) and footsteps.rules.motion == "step"
    skewed = Rules(field=1, motion="step", scoring=[1, Fraction(1, 3), Decimal("0.25"), 0, -0.5])
    assert skewed.scoring == (1, Fraction(1, 3), Fraction(1, 4), 0, Fraction(-1, 2)) and not skewed.is_symmetric
    solution = pt.solve((3, 4), skewed)
    assert solution.arrays().values.shape == (4, 5, 3)
    assert solution["0:0@1"] == pytest.approx(1 / 3, abs=1e-16)
    assert skewed.outcome("0:0@0") == "draw" and skewed.payoff("0:0@0") == Fraction(1, 4)
    assert skewed.outcome("1:0@0") is None and skewed.payoff("1:0@0") is None
    assert skewed.play("3:4@0", 2, 1) == State(1, 3, 1)
    assert Rules().legal_bids(3) == range(1, 4) and Rules().legal_bids(0) == range(1)
    assert pt.solve(9, symmetry=False, method="tableau", threads=1).arrays().values == pytest.approx(pt.solve(9).arrays().values, abs=1e-15)


def test_methods_agree() -> None:
    values = pt.solve(9).arrays().values
    assert pt.solve(9, method="lp").arrays().values == pytest.approx(values, abs=1e-9)
    assert np.array_equal(pt.solve(9, threads=1, keep_strategies=False).arrays().values, values)


def test_equality_copies_and_pickles(ten: Solution) -> None:
    for again in (pickle.loads(pickle.dumps(ten)), copy.copy(ten), copy.deepcopy(ten)):
        assert again == ten and again["4:3@-2"] == ten["4:3@-2"]
        assert again.exact_equilibrium("4:3@-2") == ten.exact_equilibrium("4:3@-2")
    assert ten != pt.solve(9) and ten != 10
    assert ten == pt.solve(10, threads=1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(ten)
    for thing in (ten["4:3@-2"], ten["7:6@1"], Rules.oshi_zumo(3), State(4, 3, -2), ten.exact_equilibrium("7:6@1"), ten.policy()):
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)
    restored = pickle.loads(pickle.dumps(ten["7:6@1"]))
    assert (restored.lower, restored.upper) == (ten["7:6@1"].lower, ten["7:6@1"].upper)
    assert len({Rules.tennis(), Rules(), Rules.footsteps()}) == 2


def test_tables_are_saved_and_loaded(ten: Solution, tmp_path: Path) -> None:
    ten.save(tmp_path / "ten.table")
    for loaded in (pt.load(tmp_path / "ten.table"), pt.load(str(tmp_path / "ten.table"), in_memory=True)):
        assert loaded == ten and loaded["7:6@1"] == ten["7:6@1"] and loaded.exact_value("7:6@1") is None
    # Bounds from a file are proved only where all of it is read.
    proved = [ten.is_proved, *(pt.load(tmp_path / "ten.table", in_memory=whole).is_proved for whole in (False, True))]
    assert proved == [True, False, True]
    assert pt.load(tmp_path / "ten.table", exact=True).exact_value("7:6@1") == Fraction(46, 41)
    with pytest.raises(FileNotFoundError):
        pt.load(tmp_path / "none")
    (tmp_path / "damaged").write_bytes((tmp_path / "ten.table").read_bytes()[:-9])
    with pytest.raises(pt.TableFileError, match="table file"):
        pt.load(tmp_path / "damaged", in_memory=True)
    with pytest.raises(OSError, match="there is no folder"):
        ten.save(tmp_path / "no" / "where")


def test_certificates_are_checked_by_two_programs(ten: Solution, tmp_path: Path) -> None:
    certificate = ten.certificate()
    (tmp_path / "proof").write_bytes(certificate)
    proof = pt.verify(certificate)
    assert proof == pt.verify(tmp_path / "proof") and len(proof) == len(ten) and proof.rules == ten.rules
    assert np.array_equal(proof.arrays().lower, ten.arrays().lower) and np.array_equal(proof.arrays().upper, ten.arrays().upper)
    checker = ROOT / "docs" / "check_certificate.py"
    subprocess.run([sys.executable, checker, tmp_path / "proof", tmp_path / "bounds.csv"], check=True, capture_output=True)
    rows = (tmp_path / "bounds.csv").read_text().splitlines()
    assert len(rows) >= len(ten)
    with pytest.raises(pt.CertificateError, match="not valid"):
        pt.verify(certificate[:-1])
    flipped = bytearray(certificate)
    flipped[len(flipped) // 2] ^= 1
    with pytest.raises(pt.CertificateError):
        pt.verify(bytes(flipped))


def test_frames_are_dicts_of_arrays(ten: Solution) -> None:
    frame = ten.frame()
    assert list(frame) == ["a", "b", "ball", "value", "lower", "upper"]
    row = int(np.flatnonzero((frame["a"] == 4) & (frame["b"] == 3) & (frame["ball"] == -2))[0])
    assert frame["value"][row] == -0.2 and {len(column) for column in frame.values()} == {605}
    strategies = ten.strategy_frame()
    assert list(strategies) == ["a", "b", "ball", "player", "bid", "probability"]
    here = (strategies["a"] == 4) & (strategies["b"] == 3) & (strategies["ball"] == -2)
    assert list(zip(strategies["player"][here], strategies["bid"][here])) == [("A", 2), ("A", 3), ("B", 1), ("B", 3)]
    assert not ((strategies["a"] == 0) & (strategies["b"] == 0)).any()


def test_frames_are_taken_by_pandas_and_polars(ten: Solution) -> None:
    pandas = pytest.importorskip("pandas")
    assert pandas.DataFrame(ten.frame()).set_index(["a", "b", "ball"]).loc[(4, 3, -2), "value"] == -0.2
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(ten.strategy_frame()).height == len(ten.strategy_frame()["bid"])


def test_progress_is_told_and_ends_at_the_whole() -> None:
    shares: list[float] = []
    pt.solve(20, progress=shares.append)
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] == pytest.approx(1)
    reported: list[float] = []
    pt.solve(8).digits("8:8@1", 30, progress=reported.append)
    assert reported


def test_progress_bars_of_tqdm(capfd: pytest.CaptureFixture[str]) -> None:
    tqdm = pytest.importorskip("tqdm").tqdm
    pt.solve(8, progress=True)
    assert "solve: 100%" in capfd.readouterr().err
    with tqdm(total=7, disable=False) as bar:
        pt.solve(8, progress=bar)
        assert bar.n == pytest.approx(7)
    with tqdm() as unknown:
        pt.solve(8, progress=unknown)
        assert unknown.n == pytest.approx(1) and unknown.total == 1


def test_an_exception_in_the_callback_ends_the_work_and_a_checkpoint_goes_on(tmp_path: Path) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt("half is enough")

    with pytest.raises(KeyboardInterrupt, match="half is enough"):
        pt.solve(30, progress=stop, checkpoint=tmp_path / "half")
    with pytest.raises(pt.TableFileError, match="checkpoint"):
        pt.load(tmp_path / "half")
    resumed = pt.solve(resume=tmp_path / "half")
    assert resumed.points == (30, 30) and resumed == pt.solve(30)
    with pytest.raises(OSError, match="no folder"):
        pt.solve(40, checkpoint=tmp_path / "no" / "where", checkpoint_every=0)


def test_other_threads_run_meanwhile() -> None:
    """The lock of the interpreter is released: a counter runs while a game is solved."""
    counted, done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    pt.solve(70, threads=1)
    before = counted
    done.set()
    thread.join()
    # With the lock held the counter would stand at most at one or two.
    assert before > 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other things there")
def test_ctrl_c_interrupts() -> None:
    program = (
        "import os, signal, threading, pencil_tennis\n"
        # Where tests run in the background of a shell, Ctrl-C is ignored at first.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    pencil_tennis.solve(400, threads=1)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted\n", done


def test_cards_and_reprs(ten: Solution) -> None:
    card = ten.equilibrium("4:3@-2")._repr_html_()
    assert card.count("<tr>") == 4 and "40.00 %" in card and "4:3@-2 is worth -0.2 to A" in card
    assert "10:10 points" in repr(ten) and "605 states" in repr(ten)
    assert repr(Rules.footsteps()) == "Rules(field=2, motion='step', scoring='1,0,0,0,-1')"
    assert eval(repr(Rules.footsteps()), {"Rules": Rules}) == Rules.footsteps()
    assert "-0.2" in repr(ten["4:3@-2"]) and "{2: 0.4000, 3: 0.6000}" in repr(ten.equilibrium("4:3@-2"))
    assert repr(ten["4:4@2"]) == "1.5 (exactly 3/2)"
    # A width is true as printed: rounded up.
    assert repr(pt.Enclosure(0.5, Fraction(0), Fraction(101, 10**20))) == "0.5 (proved to within 1.1e-18)"
    assert f"{ten['7:6@1']:.3f}" == "1.122" and ten["7:6@1"] + 1 == ten["7:6@1"] + 1


@pytest.mark.parametrize(
    ("error", "sentence", "wrong"),
    [
        (pt.Error, "11:3@0 is outside the game, which has 0 to 10 points", lambda s: s["11:3@0"]),
        (pt.GameError, "`x` is not a state; expected POINTS_A:POINTS_B@BALL", lambda s: s["x"]),
        (pt.GameError, "ball 3 is outside the field -2 to 2", lambda s: s["3:3@3"]),
        (TypeError, "7 is not a state", lambda s: s[7]),
        (TypeError, r"\(-1, 3, 0\) is not a state", lambda s: s[(-1, 3, 0)]),
        (pt.Error, "A starts with 0 points", lambda s: pt.solve(0)),
        (pt.Error, "-3 points are not possible", lambda s: pt.solve((5, -3))),
        (pt.Error, "points are too many|of memory, above the limit", lambda s: pt.solve(100_000)),
        (pt.Error, "above the limit of 1.0 KiB", lambda s: pt.solve(50, memory_limit=1024)),
        (TypeError, "'many' are no points", lambda s: pt.solve("many")),
        (pt.Error, "`guess` is not a method; expected simplex, tableau or lp", lambda s: pt.solve(5, method="guess")),
        (pt.Error, "0 threads are not possible", lambda s: pt.solve(5, threads=0)),
        (TypeError, "is no progress callback", lambda s: pt.solve(5, progress=3)),
        (pt.GameError, "a field of 0 positions", lambda s: Rules(field=0)),
        (pt.GameError, "`fly` is not a motion", lambda s: Rules(motion="fly")),
        (pt.GameError, "is not a scoring", lambda s: Rules(scoring="1,2")),
        (TypeError, "five finite numbers", lambda s: Rules(scoring=[1, 2, 3, 4, float("nan")])),
        (pt.GameError, "A cannot bid 4: with 3 points left bids are 1 to 3", lambda s: Rules().play("3:3@0", 4, 1)),
        (pt.GameError, "`C` is not a player; expected A or B", lambda s: s.policy().array("C")),
    ],
)
def test_wrong_requests_are_told(ten: Solution, error: type[Exception], sentence: str, wrong: object) -> None:
    with pytest.raises(error, match=sentence):
        wrong(ten)


def test_errors_are_value_errors() -> None:
    kinds = (pt.GameError, pt.MatrixError, pt.PolicyError, pt.CertificateError, pt.TableFileError, pt.AgentError)
    assert all(issubclass(kind, pt.Error) for kind in kinds) and issubclass(pt.Error, ValueError)


def test_a_checkpoint_without_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    # 1,000 points would take many minutes.
    with pytest.raises(OSError, match="there is no folder|missing"):
        pt.solve(1_000, keep_strategies=False, checkpoint=tmp_path / "missing" / "part")
    with pytest.raises(OSError, match="folder"):
        pt.solve(1_000, keep_strategies=False, checkpoint=tmp_path)


def test_a_checkpoint_replaces_no_file_but_the_resumed_one(tmp_path: Path) -> None:
    pennies = tmp_path / "pennies.jsonl"
    pennies.write_text(
        '{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}\n'
        '{"id":"won","value":"1"}\n{"id":"lost","value":"0"}\n'
        '{"id":"s","a":["h","t"],"b":["h","t"],"cells":[[{"to":[["1","won"]]},{"to":[["1","lost"]]}],'
        '[{"to":[["1","lost"]]},{"to":[["1","won"]]}]]}\n'
    )
    table, letter = tmp_path / "table", tmp_path / "letter"
    pt.solve(5).save(table)
    part = tmp_path / "part"
    pt.games.solve(pennies, checkpoint=part)
    letter.write_text("Dear all")
    others = {path: path.read_bytes() for path in (table, part, letter)}
    # A file that holds more, another game, or no game at all; the last two also beside one that is resumed.
    for path in (table, part, letter):
        refused: list[Callable[[], object]] = [
            lambda path=path: pt.solve(3, checkpoint=path),
            lambda path=path: pt.games.solve(pennies, checkpoint=path),
        ]
        if path != part:
            refused.append(lambda path=path: pt.games.load(part, pennies, checkpoint=path))
        if path != table:
            refused.append(lambda path=path: pt.solve(resume=table, checkpoint=path))
        for solve in refused:
            with pytest.raises(FileExistsError, match="is there already and would be overwritten; go on from it with resume"):
                solve()
            assert path.read_bytes() == others[path]
    # The resumed file itself, by another name of it, too; and an empty file.
    (tmp_path / "folder").mkdir()
    again = tmp_path / "folder" / ".." / "part"
    assert pt.games.solve(pennies, resume=part, checkpoint=again)["s"] == 0.5
    assert pt.solve(resume=table, checkpoint=table) == pt.solve(5)
    empty = tmp_path / "empty"
    empty.touch()
    pt.games.solve(pennies, checkpoint=empty)
    assert empty.read_bytes() == others[part]


def test_numbers_out_of_range_are_named() -> None:
    with pytest.raises(pt.Error, match="the number of decimals is 1000000000000; expected 1 to 100000"):
        pt.solve(3).digits("3:3@0", 10**12)
    with pytest.raises(pt.Error, match="the number of threads is -1"):
        pt.solve(3, threads=-1)
    with pytest.raises(pt.Error, match="exact is 0; expected 1"):
        pt.solve(3, exact=0)
    with pytest.raises(pt.Error, match="checkpoint_every is nan"):
        pt.solve(3, checkpoint="/tmp/part", checkpoint_every=float("nan"))
