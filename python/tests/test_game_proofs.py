"""Certificates of games of any rules: made here, checked by the library and by a program that shares nothing with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pencil_tennis as pt
import pytest
from pencil_tennis import games
from proved_games import Discounted, Duel, Goofspiel, Numbered, Snowball

CHECKER = Path(__file__).parents[2] / "docs" / "check_game_proof.py"


GAMES: dict[str, Callable[[], Any]] = {
    "Goofspiel": Goofspiel,
    "Numbered": Numbered,
    "Snowball": Snowball,
    "Duel": Duel,
}


def checked(folder: Path, certificate: bytes, *more: str) -> subprocess.CompletedProcess[str]:
    if not CHECKER.exists():
        pytest.skip("the sources of the project are not here")
    (folder / "game.proof").write_bytes(certificate)
    command = [sys.executable, str(CHECKER), "game.proof", *more]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", GAMES)
def test_two_programs_accept_what_is_proved(name: str, tmp_path: Path) -> None:
    game = GAMES[name]()
    solution = games.solve(game)
    by_digest, whole = solution.certificate(digest=True), solution.certificate()
    assert "digest" in json.loads(by_digest.splitlines()[0]) and "digest" not in json.loads(whole.splitlines()[0])
    (tmp_path / "file").write_bytes(by_digest)
    for proof in (games.verify(by_digest, game), games.verify(tmp_path / "file", game), games.verify(whole, game)):
        assert proof.starts == game.starts() and proof.widest < 1e-4
        for state, value in solution.items():
            # Both have the true value in them.
            assert proof[state].lower <= value.upper and value.lower <= proof[state].upper
    assert [*games.verify(whole)] == [str(place) for place in range(len(solution.unmerged()))]
    for output in (checked(tmp_path, whole, "bounds.csv"), checked(tmp_path, by_digest, "--rules", f"proved_games:{name}")):
        assert output.returncode == 0 and output.stdout.startswith("valid: "), output.stderr


@pytest.mark.parametrize("name", GAMES)
def test_two_programs_refuse_what_is_not(name: str, tmp_path: Path) -> None:
    game = GAMES[name]()
    certificate = games.solve(game).certificate(digest=True)
    head, *lines = certificate.decode().splitlines()
    proofs = [json.loads(line) for line in lines]
    refused = 0

    def refuse(place: int, reason: str, **wrong: Any) -> None:
        changed = [*lines[:place], json.dumps({**proofs[place], **wrong}), *lines[place + 1 :]]
        forged = "\n".join([head, *changed, ""]).encode()
        with pytest.raises(pt.CertificateError, match=reason):
            games.verify(forged, game)
        output = checked(tmp_path, forged, "--rules", f"proved_games:{name}")
        assert output.returncode == 1 and output.stderr.startswith("not valid: "), output.stderr

    chosen = [place for place, proof in enumerate(proofs) if "a" in proof]
    for place in chosen[:: max(1, len(chosen) // 4)]:
        proof = proofs[place]
        # By much more than rounding; where bounds are wide, beyond the true value.
        far = 2 * (int(proof["upper"]) - int(proof["lower"])) + 2**20
        refuse(place, "do not secure the lower bound", lower=str(int(proof["lower"]) + far))
        refuse(place, "do not secure the upper bound", upper=str(int(proof["upper"]) - far))
        action, weight = proof["a"][0]
        refuse(place, "weights are not as described", a=[[action, str(int(weight) - 1)], *proof["a"][1:]])
        refuse(place, "weights are not as described", b=[[9, str(2**62)]])
        refused += 4
    assert refused >= 4
    for other in GAMES:
        if other != name:
            with pytest.raises(pt.CertificateError, match="of another game, or of other rules"):
                games.verify(certificate, GAMES[other]())
            assert checked(tmp_path, certificate, "--rules", f"proved_games:{other}").returncode == 1
    with pytest.raises(pt.CertificateError, match="expected an object with the rules"):
        games.verify(certificate)
    assert "expected --rules" in checked(tmp_path, certificate).stderr


def test_a_certificate_that_has_its_game_is_of_that_game_alone(tmp_path: Path) -> None:
    whole = games.solve(Goofspiel(3)).certificate()
    for other in (Goofspiel(2), Snowball()):
        with pytest.raises(pt.CertificateError, match="of another game, or of other rules"):
            games.verify(whole, other)
    head, *lines = whole.splitlines()
    states = json.loads(head)["states"]
    (tmp_path / "game.jsonl").write_bytes(b"\n".join(lines[: states + 1]))
    proof = games.verify(whole, tmp_path / "game.jsonl")
    assert proof.starts == ["0"] and len(proof) == states and proof.value == 0
    with pytest.raises(pt.CertificateError):
        games.verify(whole[:-100])
    with pytest.raises(pt.Error, match="has no rules in code"):
        games.solve(tmp_path / "game.jsonl").certificate(digest=True)


def test_states_that_are_the_same_are_solved_once() -> None:
    """The values are those of the game without `canonical`, state by state."""

    methods = {name: getattr(Goofspiel, name) for name in ("starts", "turn", "after", "reward")}
    plain = type("Plain", (), {**methods, "all": (1, 2, 3, 4)})()
    every, solution = games.solve(plain), games.solve(Goofspiel(4))
    assert len(solution) < len(every) / 2
    for state, value in every.items():
        same = solution[state]
        assert same.lower <= value.upper and value.lower <= same.upper
    assert solution.check_symmetry(200) == 200
    a, b = solution.strategies(solution.starts[0])
    assert a == b == {"draw": 1.0}


def test_a_discount_that_nothing_asks_for_is_refused(tmp_path: Path) -> None:
    certificate = games.solve(Goofspiel(2)).certificate(digest=True)
    for call in (games.solve, lambda rules: games.verify(certificate, rules)):
        with pytest.raises(pt.Error, match="discount"):
            call(Discounted(2))
    output = checked(tmp_path, certificate, "--rules", "proved_games:Discounted")
    assert output.returncode == 1 and "a discount is there" in output.stderr


def test_what_never_follows_is_not_asked_about() -> None:
    class Certain:
        def starts(self) -> list[str]:
            return ["start"]

        def turn(self, state: str) -> Any:
            return {"start": (["x"], ["y"]), "end": 1}[state]

        def after(self, state: str, a: str, b: str) -> Any:
            return {"end": 1, "nowhere": 0}

    solution = games.solve(Certain())
    assert [*solution] == ["start", "end"]
    assert games.verify(solution.certificate(digest=True), Certain()).value == 1


def test_a_wrong_symmetry_is_found() -> None:
    class Wrong(Goofspiel):
        def canonical(self, state: Any) -> Any:
            same, _ = super().canonical(state)
            return same, False

    with pytest.raises(pt.Error, match="but what `canonical` makes of it"):
        games.solve(Wrong(3)).check_symmetry()

    class Chips:
        """Two rounds of bids from unlike purses; the winner of more of them wins. Exchanged players keep the lead by mistake."""

        def starts(self) -> list[Any]:
            return [(2, 3, 2, 0)]

        def turn(self, state: Any) -> Any:
            rounds, own, other, lead = state
            return (range(own + 1), range(other + 1)) if rounds else (lead > 0) - (lead < 0)

        def after(self, state: Any, a: int, b: int) -> Any:
            rounds, own, other, lead = state
            return rounds - 1, own - a, other - b, lead + (a > b) - (a < b)

        def canonical(self, state: Any) -> Any:
            rounds, own, other, lead = state
            return ((rounds, other, own, lead), True) if own > other else (state, False)

    class Turned(Chips):
        def canonical(self, state: Any) -> Any:
            rounds, own, other, lead = state
            image = (rounds, other, own, -lead)
            return (image, True) if image < state else (state, False)

    with pytest.raises(pt.Error, match="of `canonical` for it|what `canonical` makes of it"):
        games.solve(Chips())
    right = games.solve(Turned())
    assert abs(right.value - 0.5) < 1e-15 and right.check_symmetry() == len(right.unmerged())
    assert abs(games.verify(right.certificate(digest=True), Turned()).value - 0.5) < 1e-15
