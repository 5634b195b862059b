"""Compare three checkers on certificates of games of any rules and on damaged copies of them.

    python3 coq/extracted/compare_games.py PROGRAM [DAMAGED]

PROGRAM is pencil-tennis, which solves some games here, some with uncertain probabilities, and writes their certificates; DAMAGED is
the number of damaged copies, 3000 in full, and that of copies with a damaged second part. The seeds of the fuzzer and the forged
certificates of tests/games are looked at, too, and the certificates of the games with verdicts, true or false. `verify` and
check_game_proof.py have to agree on each file. The extracted checker has to refuse what they refuse, and to accept what they accept
if it is of the form in which the program writes certificates; where it is not, a copy that is rewritten in that form has to be
accepted. The tables of bounds have to be the same, byte for byte, and so have the values of starts that are approached and not
attained. Files that it refuses for their form are compared once more in the written form, so that it has to find what is wrong.
Refusals in the words of check_game_proof.py are counted.
"""

import contextlib
import importlib.util
import io
import json
import pathlib
import random
import re
import sys
import tempfile
from fractions import Fraction

from compare import ROOT, run, with_bytes

PYTHON_CHECKER = ROOT / "docs/check_game_proof.py"
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
TOTALS = "total", "target"
BEGINS = b'{"format":"stochastic-game-proof"'


def module(name):
    """A module of tests/games."""
    specification = importlib.util.spec_from_file_location(name, ROOT / f"tests/games/{name}.py")
    found = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(found)
    return found


def dumped(fields):
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False) + "\n"


# Games


def written(rules):
    """The game of rules in code, written down."""
    names, lines, waiting = {}, [], []

    def enter(state):
        if state not in names:
            names[state] = f"{len(names)}: {state}"
            waiting.append(state)
        return names[state]

    kind = getattr(rules, "kind", "acyclic")
    head = {"format": "stochastic-game", "version": 1, "kind": kind}
    if kind == "discounted":
        head["discount"] = str(rules.discount)
    head["start"] = [enter(state) for state in rules.starts()]

    def cell(state, a, b):
        after = rules.after(state, a, b)
        pairs = after if isinstance(after, list) else [(after, 1)]
        reward = {"reward": str(rules.reward(state, a, b))} if hasattr(rules, "reward") else {}
        return {**reward, "to": [[str(share), enter(following)] for following, share in pairs]}

    for state in waiting:  # grows while it is gone through
        turn = rules.turn(state)
        if not isinstance(turn, tuple):
            lines.append({"id": names[state], "value": str(turn)})
            continue
        a, b = (list(actions) for actions in turn)
        cells = [[cell(state, own, other) for other in b] for own in a]
        lines.append({"id": names[state], "a": [str(action) for action in a], "b": [str(action) for action in b], "cells": cells})
    return "".join(map(dumped, [head, *lines]))


def matching_pennies():
    win, lose = {"reward": "1", "to": [["1", "end"]]}, {"reward": "-1", "to": [["1", "end"]]}
    sides = ["heads", "tails"]
    return "".join(map(dumped, [
        {"format": "stochastic-game", "version": 1, "kind": "acyclic", "start": ["pennies"]},
        {"id": "end", "value": "0"},
        {"id": "pennies", "a": sides, "b": sides, "cells": [[win, lose], [lose, win]]}]))


def random_game(kind, count, actions, rng):
    """States in a row; where play can return, to some before, and with a chance to an end if it has to stop. In a game of total
    reward a turn pays only where it may end play."""
    ends, sign = 3, rng.choice([1, -1])
    names = [f"{rng.choice(['hill', 'lake', 'Wald ä', 'tower, old'])} {number}" for number in range(count)]

    def to(place):
        first, last = (0, place) if kind == "acyclic" else (max(0, place - 4), min(count, place + 4))
        places = rng.sample(range(first, last), min(rng.randint(1, 3), last - first))
        if kind in ("stopping", *TOTALS) and rng.random() < 0.9:
            places[0] = rng.randrange(ends)
        places = list(dict.fromkeys(places))
        parts = [rng.randint(1, 5) for _ in places]
        return [[str(Fraction(part, sum(parts))), names[following]] for part, following in zip(parts, places)]

    def cell(place):
        paid, outs = kind != "recursive" and rng.random() < 0.5, to(place)
        reward = Fraction(rng.randint(-9, 9), rng.randint(1, 4))
        if kind in TOTALS:
            reward = sign * abs(reward)
            paid = paid and outs[0][1] in names[:ends]
        return {**({"reward": str(reward)} if paid else {}), "to": outs}

    lines = [{"id": name, "value": str(Fraction(rng.randint(-20, 20), rng.randint(1, 7)))} for name in names[:ends]]
    for place in range(ends, count):
        a, b = ([f"{letter}{number}" for number in range(rng.randint(1, actions))] for letter in "ab")
        endless = {"endless": "1/3"} if kind in ("recursive", "total") else {}
        lines.append({"id": names[place], "a": a, "b": b, **endless, "cells": [[cell(place) for _ in b] for _ in a]})
    discount = {"discount": str(Fraction(rng.randint(1, 9), 10))} if kind == "discounted" else {}
    head = {"format": "stochastic-game", "version": 1, "kind": kind, **discount, "start": [names[-1]]}
    return "".join(map(dumped, [head, *lines]))


def made_uncertain(game, nature, rng):
    """A game in which nature chooses most probabilities that are no certainties, within limits around them."""
    head, *states = map(json.loads, game.splitlines())

    def share(old):
        if old == "1" or rng.random() < 0.2:
            return old
        least = Fraction(old) * Fraction(rng.randint(1, 4), 4)
        most = Fraction(old) + (1 - Fraction(old)) * Fraction(rng.randint(0, 3), 4)
        return f"[{least},{most}]"

    for state in states:
        for row in state.get("cells", []):
            for cell in row:
                cell["to"] = [[share(old), name] for old, name in cell["to"]]
    return "".join(map(dumped, [{**head, "nature": nature}, *states]))


def robot(nature):
    """The example of game-format.md."""
    outcomes = [["[0.7,0.9]", "there"], ["[0.05,0.25]", "s"], ["1/20", "lost"]]
    return "".join(map(dumped, [
        {"format": "stochastic-game", "version": 1, "kind": "stopping", "nature": nature, "start": ["s"]},
        {"id": "s", "a": ["go"], "b": ["-"], "cells": [[{"to": outcomes}]]},
        {"id": "there", "value": "1"},
        {"id": "lost", "value": "0"}]))


def games(rng):
    again = module("rules_again")
    goofspiel = type("Goofspiel", (again.Goofspiel,), {"cards": 5})()
    yield "matching pennies", matching_pennies()
    yield "hide or run, with a snowball", (ROOT / "tests/corpus/games/snowball.jsonl").read_text()
    yield "Littman's soccer", written(again.Soccer())
    yield "Goofspiel with five cards", written(goofspiel)
    for number in range(48):
        kind = ("acyclic", "discounted", "stopping", "recursive", *TOTALS)[number % 6]
        yield f"random game {number}, {kind}", random_game(kind, rng.randint(5, 12), 3, rng)
    for nature in "AB":
        yield f"a robot, nature for {nature}", robot(nature)
    for number in range(24):
        kind, nature = ("acyclic", "discounted", "stopping", "recursive", *TOTALS)[number % 6], "AB"[number // 6 % 2]
        certain = random_game(kind, rng.randint(5, 10), 3, rng)
        yield f"random game {number} with nature for {nature}, {kind}", made_uncertain(certain, nature, rng)


def prove(program, game, folder):
    """The certificate of a game; None of one that is not of its kind."""
    source, proof = folder / "game.jsonl", folder / "game.proof"
    source.write_text(game, encoding="utf-8")
    solved = run([program, "prove", source, "-o", proof])[0] == 0
    return proof.read_bytes() if solved else None


def one_turn(value, cell, exponent=0, lower="0", upper="1", action=0, **bounds):
    """The certificate of a game with an end and one turn, in which neither player has a choice."""
    certain = [[action, str(2**62)]]
    return "".join(map(dumped, [
        {"format": "stochastic-game-proof", "version": 1, "exponent": exponent, "states": 2},
        {"format": "stochastic-game", "version": 1, "kind": "acyclic", "start": ["s"]},
        {"id": "end", "value": value},
        {"id": "s", "a": ["go"], "b": ["go"], "cells": [[cell]]},
        {"lower": lower, "upper": upper},
        {"lower": lower, "upper": upper, **bounds, "a": certain, "b": certain}])).encode()


def at_limits():
    """Numbers that are as large, small, long or strange as they may be, or a little more."""
    sure = {"to": [["1", "end"]]}
    for digits in (100, 4290, 4310, 4997, 4998, 9996, 9997, 9998, 9999, 20000):
        yield f"a value with {digits} digits below", one_turn("1/1" + "0" * digits, sure)
        yield f"a value with {digits} digits, not in lowest terms", one_turn("1" * digits + "/" + "1" * digits, sure)
        yield f"a value with {digits} zeros before it", one_turn("0" * digits + "1", sure)
    for text in ("1e-1000", "1e-1001", "1e-2000", "0e1000", "0e1001", "0e00001", "0e-00", "1e+-3", "-0", "+0", "0/7", "0/0", "1/1", "1/-1",
                 ".5", "5.", ".", "", "0x1", "\x1c1", "1\x1f", "\u00a01", " 1\t", "\u06601", "1_0", "--0", "+-0", "Infinity", "nan"):
        yield f"the value {text!r}", one_turn(text, sure)
        yield f"the probability {text!r}", one_turn("1", {"to": [[text, "end"], ["1", "end"]]})
        yield f"the reward {text!r}", one_turn("0", {"reward": text, **sure})
    for size in (2**61, 2**61 + 1):
        for sign in (1, -1):
            bounds = {"lower": str(min(0, sign * size)), "upper": str(max(0, sign * size))}
            yield f"the value {sign * size}", one_turn(str(sign * size), sure, **bounds)
            yield f"the reward {sign * size}", one_turn("0", {"reward": str(sign * size), **sure}, **bounds)
    for whole in (2**62 - 1, 2**62, 2**62 + 1, 3 * 2**61):
        yield f"parts of {whole}", one_turn("0", {"to": [[f"1/{whole}", "end"], [f"{whole - 1}/{whole}", "end"]]})
        yield f"a reward in parts of {whole}", one_turn("0", {"reward": f"1/{whole}", **sure})
        half = {"to": [["1/2", "end"], ["1/2", "end"]]}
        yield f"a reward in parts of {whole}, and a half", one_turn("0", {"reward": f"1/{whole}", **half})
    for paid in (1, 2, 3):
        for exponent in (60, 61, 62, 63, 64, 126, 127):
            for sign in (1, -1):
                bounds = {"lower": str(-(2**62)), "upper": str(2**62)}
                yield f"{sign * paid} in units of 2^-{exponent}", one_turn("0", {"reward": str(sign * paid), **sure}, exponent, **bounds)
    sound = one_turn("1", sure, lower="0", upper="1")
    for old, new in ((b'"exponent":0', b'"exponent":-0'), (b'"exponent":0', b'"exponent":0.0'), (b'"exponent":0', b'"exponent":00'),
                     (b"[[0,", b"[[-0,"), (b"[[0,", b"[[0.0,"), (b"[[0,", b"[[4294967296,"), (b"[[0,", b"[[false,"),
                     (b'"states":2', b'"states":2e0'), (b'"version":1', b'"version":1.0'), (b'"lower":"0"', b'"lower":"-0"'),
                     (b'"lower":"0"', b'"lower":"+0"'), (b'"lower":"0"', b'"lower":"' + b"0" * 5000 + b'"'),
                     (b'"lower":"0"', b'"lower":" 0"'), (b'"46', b'"+46'), (b'"46', b'"-46'), (b'"46', b'"046'),
                     (b'"go"', b'"g\\u006f"'), (b'"go"', b'"\\ud800"'), (b'"go"', b'"\\u0000"'), (b'"go"', b'"\\u001F"'),
                     (b'"go"', b'"\x00"'), (b'"go"', b'"\xff"'), (b'"go"', b'"\xc0\x80"'), (b'"go"', b'"\xed\xa0\x80"'),
                     (b'"go"', b'"\xf0\x9f\x8e\xbe"'), (b'"go"', b'"\xf4\x90\x80\x80"'), (b'"go"', b'"\x7f/\\/"'), (b'"go"', b'""'),
                     (b'"s"', b'"\\"s,\\n\\\\"'), (b'"s"', b'""'), (b'"end"', b'"\\t\\b\\f\\r"'),
                     (b"\n", b"\r\n"), (b"\n", b"\n\n"), (b"\n", b" \n")):
        yield f"{new[:40]!r} in place of {old!r}", sound.replace(old, new)
        yield f"{new[:40]!r} once in place of {old!r}", sound.replace(old, new, 1)
    yield "no line feed at the end", sound[:-1]
    yield "nothing", b""
    yield "a mark of the byte order", b"\xef\xbb\xbf" + sound


def made_up(rng):
    """A certificate of a small game in which play may be infinite, with bounds and weights by chance: now and then they prove."""
    kind, sign, whole = rng.choice(["recursive", *TOTALS]), rng.choice(["", "-"]), 2**62
    turns = ["s", "t", "u"][: rng.randint(1, 3)]
    value, endless = rng.choice(["0", "0", "1", "-1"]), rng.choice(["0", "0", "1", "-1"]) if kind != "target" else "0"

    def cell():
        paid = kind != "recursive" and rng.random() < 0.3
        to = rng.choice([["end"], *([turn] for turn in turns), rng.sample(["end", *turns], 2)])
        return {**({"reward": sign + "1"} if paid else {}), "to": [[str(Fraction(1, len(to))), following] for following in to]}

    def weights(actions):
        return rng.choice([[[0, str(whole)]], [[actions - 1, str(whole)]], [[action, str(whole // actions)] for action in range(actions)]])

    states, lines = [{"id": "end", "value": value}], [{"lower": value, "upper": value}]
    for turn in turns:
        a, b = (["l", "r"][: rng.randint(1, 2)] for _ in "ab")
        shown = {"endless": endless} if kind == "recursive" or endless != "0" else {}
        states.append({"id": turn, "a": a, "b": b, **shown, "cells": [[cell() for _ in b] for _ in a]})
        lower, upper = rng.choice([-whole, -2, -1, 0, 0, 1, 2]), rng.choice([-1, 0, 0, 1, 2, 3, whole])
        lines.append({"lower": str(lower), "upper": str(upper), "a": weights(len(a)), "b": weights(len(b))})
    return "".join(map(dumped, [
        {"format": "stochastic-game-proof", "version": 1, "exponent": 0, "states": len(states)},
        {"format": "stochastic-game", "version": 1, "kind": kind, "start": [turns[0]]}, *states, *lines])).encode()


# Damage

SECOND_PART = b'{"format":"stochastic-game-best-payoffs",'
NUMBER = re.compile(rb'"-?[0-9]+(/[0-9]+)?"')
LIMIT = re.compile(rb'(?<="\[)[0-9/]+|[0-9/]+(?=\]")')
INTEGER = re.compile(rb"(?<=[:\[])[0-9]+(?=[,}])")
WEIGHTS = re.compile(rb'\[([0-9]+),"([0-9]+)"\],\[([0-9]+),"([0-9]+)"\]')
BOUNDS = re.compile(rb'"lower":"(-?[0-9]+)","upper":"(-?[0-9]+)"')
TEXT = re.compile(rb'"[^"\\]*"')
KINDS = [b"acyclic", b"discounted", b"stopping", b"recursive", b"total", b"target"]


def put(data, found, new):
    return data[: found.start()] + new + data[found.end() :]


def some(pattern, data, rng):
    return rng.choice(list(pattern.finditer(data)) or [None])


def with_number(data, rng):
    found = some(NUMBER, data, rng)
    old = Fraction(found[0][1:-1].decode())
    new = rng.choice([old + 1, old - 1, -old, Fraction(0), 2 * old, old / 2, 1 / old if old else old, old * 10**rng.randint(1, 30)])
    form = rng.choice([str(new), str(new), str(new), f"{2 * new.numerator}/{2 * new.denominator}", f"+{abs(new)}", f"0{abs(new)}", f"{new}e0"])
    return put(data, found, f'"{form}"'.encode())


def with_limit(data, rng):
    """A certificate with another limit of a probability, or another nature."""
    found = some(LIMIT, data, rng)
    if not found:
        return with_number(data, rng)
    if rng.random() < 0.2:
        return re.sub(rb'(?<="nature":")[AB]', lambda player: b"B" if player[0] == b"A" else b"A", data)
    old = Fraction(found[0].decode())
    return put(data, found, str(rng.choice([old / 2, old * 2, old + Fraction(1, 7), Fraction(0), Fraction(1), 1 - old])).encode())


def with_integer(data, rng):
    found = some(INTEGER, data, rng)
    return put(data, found, str(int(found[0]) + rng.choice([-1, 1, 1, 2, 60, 2**32])).encode())


def with_other_text(data, rng):
    return put(data, some(TEXT, data, rng), some(TEXT, data, rng)[0])


def with_lines(data, rng):
    lines = data.split(b"\n")[:-1]
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(one, lines[other])
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines) + b"\n"


def with_kind(data, rng):
    return re.sub(rb'(?<="kind":")[a-z]+', rng.choice(KINDS), data, count=1)


def with_weights(data, rng):
    """Weights that still have the right sum."""
    found = some(WEIGHTS, data, rng)
    if not found:
        return with_bounds(data, rng)
    i, v, j, w = (int(group) for group in found.groups())
    more = rng.choice([1, 5, -3, w - 1, w, rng.randrange(max(1, w))])
    return put(data, found, f'[{i},"{v + more}"],[{j},"{w - more}"]'.encode())


def with_bounds(data, rng):
    """Bounds that are a little wider, which mostly proves, or closer, which mostly does not."""
    found = some(BOUNDS, data, rng)
    if not found:
        return with_bytes(data, rng)
    lower, upper = (int(group) for group in found.groups())
    match rng.randrange(5):
        case 0 | 1:
            lower, upper = lower - rng.randrange(9), upper + rng.randrange(3)
        case 2:
            lower += rng.randint(1, 20)
        case 3:
            upper -= rng.randint(1, 20)
        case 4:
            lower, upper = rng.choice([(-(2**62), 2**62), (-(2**62) - 1, 2**62), (-(2**62), 2**62 + 1), (upper, lower)])
    return put(data, found, f'"lower":"{lower}","upper":"{upper}"'.encode())


def with_fields(data, rng):
    """An object with a field less, or with another order of fields, or a space."""
    lines = data.split(b"\n")[:-1]
    place = rng.randrange(len(lines))
    fields = json.loads(lines[place])
    names = list(fields)
    match rng.randrange(3):
        case 0:
            del fields[rng.choice(names)]
        case 1:
            rng.shuffle(names)
            fields = {name: fields[name] for name in names}
        case 2:
            return data.replace(b":", b": ", rng.randint(1, 3))
    lines[place] = dumped(fields).strip().encode()
    return b"\n".join(lines) + b"\n"


def with_verdict(data, rng):
    """A certificate with a verdict on a number at or next to a bound of the values at the starts, be it true or not."""
    lines = data.decode().split("\n")[:-1]
    head, game = json.loads(lines[0]), json.loads(lines[1])
    names = [json.loads(line)["id"] for line in lines[2 : 2 + head["states"]]]
    bounds = json.loads(lines[2 + head["states"] + names.index(rng.choice(game["start"]))])
    number = Fraction(int(bounds[rng.choice(["lower", "upper"])]) + rng.randint(-1, 1), 2 ** head["exponent"])
    verdict = {"bound": rng.choice([">=", ">", "<=", "<"]) + str(number), "holds": rng.random() < 0.5}
    return "\n".join([dumped({**head, **verdict}).strip(), *lines[1:], ""]).encode()


CLAIM_NUMBER = re.compile(rb'(?<="height":)[0-9]+|(?<="rank":)[0-9]+|(?<="layer":)[0-9]+|(?<="reply":)[0-9]+|(?<=,)[0-9]+(?=\])')


def with_claim(data, rng):
    """A second part with another number, payoff or player, or without a field of a claim."""
    start = data.find(SECOND_PART)
    if start < 0:
        return with_bytes(data, rng)
    before, part = data[:start], data[start:]
    match rng.randrange(8):
        case 0:
            part = with_number(part, rng)
        case 1:
            part = re.sub(rb'(?<="players":")[AB]+', rng.choice([b"A", b"B", b"AB", b"BA"]), part)
        case 2:
            lines = part.split(b"\n")[:-1]
            place = rng.randrange(1, len(lines))
            fields = json.loads(lines[place])
            del fields[rng.choice(list(fields))]
            part = b"\n".join([*lines[:place], dumped(fields).strip().encode(), *lines[place + 1 :], b""])
        case 3:
            part = with_lines(part, rng)
        case _:
            found = some(CLAIM_NUMBER, part, rng)
            part = put(part, found, str(max(0, int(found[0]) + rng.choice([-1, -1, 1, 1, 2, 2**32]))).encode())
    return before + part


DAMAGES = [with_bytes, with_number, with_number, with_limit, with_integer, with_other_text, with_lines, with_kind, with_weights, with_weights,
           with_bounds, with_bounds, with_fields, with_verdict]


# Comparison


CODE = compile(PYTHON_CHECKER.read_text(encoding="utf-8"), str(PYTHON_CHECKER), "exec")


def check_in_python(file, table):
    """The output of check_game_proof.py, run in this process to save the start of another."""
    sys.argv = [str(PYTHON_CHECKER), str(file), str(table)]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(CODE, {"__name__": "__main__", "__doc__": ""})  # noqa: S102
        except SystemExit as end:
            return 1, str(end.code)
    return 0, printed.getvalue()


APPROACHED = re.compile("the value is (.*), approached and not attained")


def approached_in_json(text):
    """The approached values of the starts, as `verify --json` has them."""
    payoffs = [start.get("best_payoff") for start in json.loads(text)["start"]]
    return {payoff["payoff"] for payoff in payoffs if payoff and not payoff["attained"]}


def in_written_form(data):
    """A certificate that is accepted, in the form in which the program writes it."""
    lines = [json.loads(line) for line in data.decode().split("\n") if line.strip()]
    head, game = lines[0], lines[1]
    count, kind = head["states"], game["kind"]

    def plain(number):
        return str(Fraction(number.strip()))

    def share(old):
        ends = re.fullmatch(r"\s*\[(.*),(.*)\]\s*", old)
        if not ends:
            return plain(old)
        least, most = plain(ends[1]), plain(ends[2])
        return least if least == most else f"[{least},{most}]"

    def cell(old):
        reward = plain(old.get("reward", "0"))
        to = [[share(one), name] for one, name in old["to"] if share(one) != "0"]
        return {**({"reward": reward} if reward != "0" else {}), "to": to}

    def state(old):
        if "value" in old:
            return {"id": old["id"], "value": plain(old["value"])}
        endless = plain(old.get("endless", "0"))
        shown = {"endless": endless} if kind == "recursive" or endless != "0" else {}
        return {"id": old["id"], "a": old["a"], "b": old["b"], **shown, "cells": [[cell(one) for one in row] for row in old["cells"]]}

    def bounds(old):
        weights = {player: [[action, str(int(weight))] for action, weight in old[player]] for player in "ab" if old.get(player)}
        return {"lower": str(int(old["lower"])), "upper": str(int(old["upper"])), **weights}

    discount = {"discount": plain(game["discount"])} if kind == "discounted" else {}
    nature = {"nature": game["nature"]} if "nature" in game else {}
    longer = {"weight_exponent": head["weight_exponent"]} if head["version"] == 2 else {}
    verdict = {}
    if "bound" in head:
        sign, number = re.fullmatch("(<=|>=|<|>)(.*)", head["bound"], re.DOTALL).groups()
        verdict = {"bound": sign + plain(number), "holds": head["holds"]}
    exponents = {"exponent": head["exponent"], **longer}
    first = {"format": "stochastic-game-proof", "version": head["version"], **exponents, "states": count, **verdict}
    second = {"format": "stochastic-game", "version": 1, "kind": kind, **discount, **nature, "start": list(dict.fromkeys(game["start"]))}
    def claim(old):
        found = {"payoff": plain(old["payoff"]), **{name: old[name] for name in ("height", "rank") if name in old}}
        stages = {"stages": old["stages"]} if old.get("stages") else {}
        return {**found, **stages, **{name: old[name] for name in ("layer", "reply") if name in old}}

    second_part = lines[2 + 2 * count :]
    if second_part:
        heading = {name: second_part[0][name] for name in ("format", "version", "players")}
        second_part = [heading, *map(claim, second_part[1:])]
    rest = [*map(state, lines[2 : 2 + count]), *map(bounds, lines[2 + count : 2 + 2 * count]), *second_part]
    return "".join(map(dumped, [first, second, *rest])).encode()


ACCEPTED, REWRITTEN, REFUSED = "accepted", "accepted once rewritten", "refused"
SOLVED, SEEDS, FORGED = "certificates of games solved here", "seeds of the fuzzer", "forged certificates"
VERDICTS = "verdicts, true or false"
LIMITS, MADE_UP, DAMAGED = "numbers and texts at their limits", "small certificates by chance", "damaged copies"
CLAIMED = "damaged copies of second parts"
REFORMED = "of the refused, rewritten in the form that the proved checker reads"
FORM = "is not of the form that the program writes"


class Comparison:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.counts = {}
        self.same_words = self.refusals = 0

    def answers(self, data):
        """The result of the three: the table, and the values of starts that are approached; or None."""
        file, table = self.folder / "file", self.folder / "table.csv"
        file.write_bytes(data)
        status, document, words = run([self.program, "verify", file, "--bounds", table, "--format", "json"])
        rust = (table.read_bytes(), approached_in_json(document)) if status == 0 else None
        python_status, said = check_in_python(file, table)
        python = (table.read_bytes(), set(APPROACHED.findall(said))) if python_status == 0 else None
        coq_status, rows, refusal = run([ROOT / "coq/extracted/check", file])
        coq = (rows, set(APPROACHED.findall(refusal.decode()))) if coq_status == 0 else None
        words = {"verify": words.decode(errors="replace"), "check_game_proof.py": said, "extracted": refusal.decode(errors="replace")}
        if status not in (0, 1) or coq_status not in (0, 1):
            self.differ(data, words)
        return rust, python, coq, words

    def differ(self, data, words):
        kept = pathlib.Path(tempfile.gettempdir(), "compared.proof")
        kept.write_bytes(data)
        sys.exit("\n".join([f"the checkers differ on {self.name}, kept as {kept}", *(f"{who}: {said[:300]}" for who, said in words.items())]))

    def compare(self, group, name, data):
        """Counts a file; ends the program where the checkers differ, or where one of the solver's own certificates is refused."""
        self.name = name
        counts = self.counts.setdefault(group, {ACCEPTED: 0, REWRITTEN: 0, REFUSED: 0})
        rust, python, coq, words = self.answers(data)
        if not data.startswith(BEGINS) and rust is None:
            # By its first bytes `verify` takes it for a file of another kind.
            python = None
        if rust != python or coq not in (rust, None):
            self.differ(data, words)
        if group == SOLVED and coq is None:
            self.differ(data, words)
        if rust is None:
            counts[REFUSED] += 1
            extracted, said = words["extracted"].strip(), words["check_game_proof.py"]
            if FORM not in extracted:
                self.refusals += 1
                self.same_words += extracted == said
            elif group != REFORMED:
                # A file that cannot be rewritten, or is in the written form already, has been compared.
                with contextlib.suppress(ArithmeticError, AttributeError, KeyError, IndexError, TypeError, ValueError):
                    again = in_written_form(data)
                    if again != data:
                        self.compare(REFORMED, f"{name}, rewritten", again)
        elif coq is not None:
            counts[ACCEPTED] += 1
        else:
            again = in_written_form(data)
            if again == data:
                self.differ(data, words)
            rust_again, python_again, coq_again, words = self.answers(again)
            if not rust == rust_again == python_again == coq_again:
                self.differ(again, words)
            counts[REWRITTEN] += 1


def main(program, damaged=3000):
    rng = random.Random(34)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        comparison = Comparison(program, folder)
        sound = []
        for name, text in games(rng):
            proof = prove(program, text, folder)
            if proof is not None:
                sound.append((SOLVED, name, proof))
        for path in sorted((ROOT / "tests/corpus/games").glob("*.proof")):
            sound.append((SEEDS, path.name, path.read_bytes()))
        for name, text, rules, _, _ in module("forged").all_certificates():
            if rules is None:
                sound.append((FORGED, name, text.encode()))
        by_chance = [(MADE_UP, f"small certificate {number}", made_up(rng)) for number in range(100 + int(damaged) // 6)]
        solved = [(name, data) for group, name, data in sound if group == SOLVED]
        verdicts = [(VERDICTS, name, with_verdict(data, rng)) for name, data in solved for _ in range(1 + int(damaged) // 1000)]
        for group, name, data in [*sound, *verdicts, *((LIMITS, *limit) for limit in at_limits()), *by_chance]:
            comparison.compare(group, name, data)
        small = [(name, data) for _, name, data in sound if 0 < len(data) < 20000]
        for number in range(int(damaged)):
            name, data = rng.choice(small)
            damage = rng.choice(DAMAGES)
            try:
                data = damage(data, rng)
            except (ValueError, LookupError, AttributeError, TypeError):
                # There is nothing of the kind in this file.
                data = with_bytes(data, rng)
            comparison.compare(DAMAGED, f"{name}, damaged copy {number} ({damage.__name__})", data)
        # Damage shows where there was none before, not even of the form.
        with_claims = [(group, name, data) for group, name, data in sound if SECOND_PART in data]
        claimed = [(name, in_written_form(data)) for group, name, data in with_claims if group == SOLVED or ": sound" in name]
        for number in range(int(damaged)):
            name, data = rng.choice(claimed)
            comparison.compare(CLAIMED, f"{name}, damaged second part {number}", with_claim(data, rng))
    print("no difference between the three checkers; of "
          f"{comparison.refusals} refusals for other reasons than the form, {comparison.same_words} in the words of check_game_proof.py")
    for group, counts in comparison.counts.items():
        print(f"  {sum(counts.values()):5} {group}: " + ", ".join(f"{count} {fate}" for fate, count in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
