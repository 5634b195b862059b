#!/usr/bin/env python3
"""Write the seeds of the corpus of games of any rules and their certificates: small ones, and with one thing broken.

    cargo build --release && python3 fuzz/game_seeds.py target/release/pencil-tennis

Seeds whose names begin with "refused" break one rule of docs/game-format.md each; tests/library/fuzzing expects them to be refused and
all others to be accepted. A test of the command line gives the certificates to docs/check_game_proof.py, too.
"""

import json
import subprocess
import sys
from pathlib import Path

OUT = Path(__file__).parent.parent / "tests" / "corpus" / "games"


def head(kind, **more):
    """The first line of a game that starts in s."""
    return {"format": "stochastic-game", "version": 1, "kind": kind, **more, "start": ["s"]}


def cell(*to, **more):
    """A cell: pairs of a probability and a state."""
    return {**more, "to": [list(pair) for pair in to]}


def table(name, cells, **more):
    """A state with as many actions as there are rows and columns."""
    return {"id": name, "a": [f"a{row}" for row in range(len(cells))], "b": [f"b{column}" for column in range(len(cells[0]))],
            **more, "cells": cells}


END, LOST = {"id": "end", "value": "0"}, {"id": "lost", "value": "-1/3"}
SURE = ("1", "end")

GAMES = {
    "matrix": [head("acyclic"), END, table("s", [
        [cell(SURE, reward="3"), cell(SURE, reward="-1")], [cell(SURE, reward="-2"), cell(SURE, reward="1")]])],
    "chance": [head("acyclic"), table("s", [[cell(("1/2", "t"), ("0.5", "lost"))], [cell(("1", "t"), reward="1e-3")]]),
               table("t", [[cell(SURE), cell(("1/7", "end"), ("6/7", "lost"), reward="1/9")]]), END, LOST],
    "discounted": [head("discounted", discount="9/10"), END, table("s", [
        [cell(("1", "s"), reward="1"), cell(("1", "t"))], [cell(("1/2", "s"), ("1/2", "end")), cell(SURE, reward="2")]]),
        table("t", [[cell(("1", "s"), reward="-1"), cell(("1", "t"))]])],
    "stopping": [head("stopping"), END, LOST, table("s", [
        [cell(("1/2", "s"), ("1/2", "lost"), reward="1/5"), cell(("1", "t"))]]),
        table("t", [[cell(("1/3", "s"), ("2/3", "end")), cell(SURE, reward="1")], [cell(SURE), cell(("1", "lost"))]])],
    "snowball": [head("recursive"), {"id": "win", "value": "1"}, {"id": "hit", "value": "0"}, table("s", [
        [cell(("1", "s")), cell(("1", "win"))], [cell(("1", "win")), cell(("7/8", "hit"), ("1/8", "s"))]], endless="0")],
    "endless": [head("recursive"), END, LOST, table("s", [[cell(("1", "t")), cell(SURE)]], endless="1/2"),
                table("t", [[cell(("1", "s"))], [cell(("1", "lost"))]], endless="1/2")],
    # Names may have spaces of their own, and characters that some call the end of a line.
    "odd-names": [head("acyclic"), {"id": " \u2028\u0085", "value": "0"}, {"id": "\r", "value": "1"},
                  {"id": "s", "a": ["x", "x "], "b": [" "], "cells": [[cell(("1", " \u2028\u0085"))], [cell(("1", "\r"))]]}],
}


def changed(lines, line, *path, to):
    """The lines with another entry at a place of one."""
    lines = json.loads(json.dumps(lines))
    place = lines[line]
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return lines


def broken_games():
    """Games that break one rule each."""
    matrix, snowball, discounted = GAMES["matrix"], GAMES["snowball"], GAMES["discounted"]
    yield "format", changed(matrix, 0, "format", to="game")
    yield "version", changed(matrix, 0, "version", to=2)
    yield "kind", changed(matrix, 0, "kind", to="cyclic")
    yield "discount-missing", changed(discounted, 0, "discount", to=None)
    yield "discount-1", changed(discounted, 0, "discount", to="1")
    yield "discount-0", changed(discounted, 0, "discount", to="0")
    yield "discount-superfluous", changed(matrix, 0, "discount", to="1/2")
    yield "start-unknown", changed(matrix, 0, "start", to=["z"])
    yield "start-none", changed(matrix, 0, "start", to=[])
    yield "field-unknown", changed(matrix, 2, "payoff", to="1")
    yield "name-twice", changed(matrix, 1, "id", to="s")
    yield "action-twice", changed(matrix, 2, "a", to=["up", "up"])
    yield "action-none", changed(matrix, 2, "a", to=[])
    yield "row-missing", changed(matrix, 2, "cells", 1, to=None)
    yield "cell-missing", changed(matrix, 2, "cells", 1, 1, to=None)
    yield "state-unknown", changed(matrix, 2, "cells", 0, 0, "to", 0, 1, to="elsewhere")
    yield "probabilities", changed(snowball, 3, "cells", 1, 1, "to", 0, 0, to="6/8")
    yield "negative", changed(snowball, 3, "cells", 1, 1, "to", to=[["9/8", "hit"], ["-1/8", "s"]])
    yield "number", changed(matrix, 2, "cells", 0, 0, "reward", to="three")
    yield "number-not-text", changed(matrix, 1, "value", to=0)
    yield "payoff-huge", changed(matrix, 1, "value", to="1e30")
    yield "denominator-huge", changed(matrix, 2, "cells", 0, 0, "reward", to="1/10000000000000000000000000000000000000001")
    yield "value-and-cells", changed(matrix, 2, "value", to="1")
    yield "cycle", changed(matrix, 2, "cells", 0, 0, "to", 0, 1, to="s")
    yield "need-not-stop", changed(GAMES["stopping"], 3, "cells", 0, 0, "to", to=[["1", "s"]])
    yield "recursive-reward", changed(snowball, 3, "cells", 0, 0, "reward", to="1")
    yield "endless-unlike", changed(GAMES["endless"], 3, "endless", to="1/3")


def broken_proofs(proofs):
    """Certificates that break one rule each; the header is line 0, the game follows, then the states."""
    # Up to the second part, there is a header, and a line for the game and for each state twice.
    matrix, snowball = proofs["matrix"], proofs["snowball"][: 2 + 2 * proofs["snowball"][0]["states"]]
    s, end = len(matrix) - 1, len(matrix) - 2
    whole = 1 << 62

    def moved(number, by):
        return str(int(number) + by)

    yield "format", changed(matrix, 0, "format", to="proof")
    yield "version", changed(matrix, 0, "version", to=2)
    yield "exponent", changed(matrix, 0, "exponent", to=127)
    yield "exponent-finer", changed(matrix, 0, "exponent", to=matrix[0]["exponent"] + 1)
    yield "states", changed(matrix, 0, "states", to=3)
    yield "line-missing", matrix[:-1]
    yield "line-more", [*matrix, matrix[-1]]
    yield "lower", changed(matrix, s, "lower", to=moved(matrix[s]["lower"], 100))
    yield "upper", changed(matrix, s, "upper", to=moved(matrix[s]["upper"], -100))
    yield "end-lower", changed(matrix, end, "lower", to="1")
    yield "end-upper", changed(matrix, end, "upper", to="-1")
    yield "end-weights", changed(matrix, end, "a", to=[[0, str(whole)]])
    yield "weights-none", changed(matrix, s, "a", to=[])
    yield "weights-sum", changed(matrix, s, "b", 0, 1, to=moved(matrix[s]["b"][0][1], 1))
    yield "weight-0", changed(matrix, s, "a", to=[[0, "0"], [1, str(whole)]])
    yield "weight-negative", changed(matrix, s, "a", to=[[0, "-1"], [1, str(whole + 1)]])
    yield "weight-action", changed(matrix, s, "a", to=[[2, str(whole)]])
    yield "weights-twice", changed(matrix, s, "a", to=[[0, str(whole // 2)], [0, str(whole // 2)]])
    yield "weights-other", changed(matrix, s, "a", to=[[0, str(whole)]])
    yield "weight-not-text", changed(matrix, s, "a", 0, 1, to=int(matrix[s]["a"][0][1]))
    yield "bound-not-plain", changed(matrix, end, "lower", to="0_0")
    yield "bound-huge", changed(matrix, s, "lower", to=str(-(1 << 62) - 1))
    yield "kept-lower", [*snowball[:-1], {**snowball[-1], "lower": snowball[-3]["lower"], "a": [[0, str(whole)]]}]
    yield "cycle", changed(proofs["stopping"], 1, "kind", to="acyclic")
    endless = proofs["endless"]
    better = str(int(endless[-1]["upper"]) // 2)
    # Half of three halves and a half of a unit is one unit; but a cell is rounded to whole units before it is weighed.
    unit, half = "1/1152921504606846976", [[0, str(whole // 2)], [1, str(whole // 2)]]
    chance = cell(("1/2", "one"), ("1/2", "end"))
    yield "rounded-cells", [{**matrix[0], "exponent": 60, "states": 3}, head("acyclic"), END, {"id": "one", "value": unit},
                            table("s", [[{**chance, "reward": unit}], [chance]]), {"lower": "0", "upper": "0"},
                            {"lower": "1", "upper": "1"}, {"lower": "1", "upper": "2", "a": half, "b": [[0, str(whole)]]}]
    # All would hold with the unit 2^-True, and of one state as of True states.
    nothing = {"lower": "0", "upper": "0"}
    yield "exponent-true", [{**matrix[0], "exponent": True}, head("acyclic"), END, table("s", [[cell(SURE)]]), nothing,
                            {**nothing, "a": [[0, str(whole)]], "b": [[0, str(whole)]]}]
    yield "states-true", [{**matrix[0], "states": True}, {**head("acyclic"), "start": ["end"]}, END, nothing]
    yield "kept-upper", [*endless[:-2], *({**line, "upper": better, "b": [[0, str(whole)]]} for line in endless[-2:])]


def write(name, lines):
    """Lines of JSON, as compact as the program writes them."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (OUT / name).write_text(text)


def main(program):
    """All seeds."""
    OUT.mkdir(exist_ok=True)
    proofs = {}
    for name, lines in GAMES.items():
        write(f"{name}.jsonl", lines)
        run = [program, "prove", OUT / f"{name}.jsonl", "-o", OUT / f"{name}.proof"]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        proofs[name] = [json.loads(line) for line in (OUT / f"{name}.proof").read_text().rstrip("\n").split("\n")]
    wide = proofs["matrix"]
    write("wide.proof", changed(changed(wide, -1, "lower", to=str(-(1 << 62))), -1, "upper", to=str(1 << 62)))
    for name, lines in broken_games():
        write(f"refused-{name}.jsonl", lines)
    for name, lines in broken_proofs(proofs):
        write(f"refused-{name}.proof", lines)
    matrix = "".join(json.dumps(line) + "\n" for line in GAMES["matrix"])
    (OUT / "refused-empty.jsonl").write_text("\n \n")
    (OUT / "refused-cut.jsonl").write_text(matrix[: len(matrix) // 2])
    (OUT / "refused-nested.jsonl").write_text(matrix.replace('"3"', 200 * "["))
    (OUT / "refused-long-name.jsonl").write_text(matrix.replace("a1", 500 * "up ").replace('"b0"', '"' + 500 * "up " + '","b0"'))
    (OUT / "refused-control-field.jsonl").write_text(matrix.replace('"reward": "3"', '"rew\x7f": "3"'))
    (OUT / "refused-long-field.jsonl").write_text(matrix.replace('"reward": "3"', '"' + 500 * "pay " + '": "3"'))
    (OUT / "refused-control-field.proof").write_text((OUT / "matrix.proof").read_text().replace('"lower"', '"low\x7f"', 1))
    twice = (OUT / "matrix.proof").read_text().replace('{"lower":', '{"lower":"0","lower":', 1)
    (OUT / "refused-field-twice.proof").write_text(twice)
    (OUT / "refused-list-for-object.jsonl").write_text(matrix.replace('{"id": "end", "value": "0"}', '["end", "0"]'))
    (OUT / "refused-null.jsonl").write_text(matrix.replace('"0"', "null", 1))
    proof = (OUT / "matrix.proof").read_text()
    for name, right, wrong in (("null", '"0"', "null"), ("version-true", '"version":1', '"version":true'), ("number", '"3"', '"1/0"'),
                               ("text-for-list", '["s"]', '"s"'), ("exponent-of-two-signs", '"3"', '"3e+-0"'),
                               ("list-for-object", '{"id":"end","value":"0"}', '["end","0"]'),
                               ("list-for-bounds", '{"lower":"0","upper":"0"}', '["0","0"]')):
        (OUT / f"refused-{name}.proof").write_text(proof.replace(right, wrong, 1))
    # The value of the snowball game is approached and not attained, as a second part of its certificate says.
    approached = (OUT / "snowball.proof").read_text()
    for name, right, wrong in (("stages", "[[0,1],[1,2]]", "[[0,1],[1,1]]"), ("reply", '"reply":0', '"reply":1')):
        (OUT / f"refused-approached-{name}.proof").write_text(approached.replace(right, wrong, 1))
    (OUT / "refused-control-characters.jsonl").write_text(matrix.replace('"3"', '"3\\u001b[31m"'))


if __name__ == "__main__":
    main(sys.argv[1])
