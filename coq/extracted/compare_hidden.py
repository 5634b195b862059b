"""Compare three checkers on certificates of games with hidden information, on forged ones and on damaged copies.

    python3 coq/extracted/compare_hidden.py PROGRAM [DAMAGED]

PROGRAM is pencil-tennis, which writes certificates of games of its gallery here; DAMAGED is the number of damaged copies, 60 unless
it is given. `verify`, check_hidden_proof.py and the extracted checker have to accept the program's certificates and to refuse the
forged ones; on damaged copies in the written form they have to agree. All three compare exact fractions: probabilities in these
files are far shorter than the 4,096 bits above which `verify` rounds.
"""

import contextlib
import copy
import io
import json
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

from compare import ROOT, python_checker, run

GAMES = "@kuhn", "@secret-inspection", "@leduc", "@liars-dice"
PYTHON_CHECKER = python_checker("check_hidden_proof")
EXTRACTED = ROOT / "coq/extracted/check"


def written(lines):
    """Lines as the program writes them; a line that is a text is written as it is."""
    texts = []
    for line in lines:
        if isinstance(line, dict):
            line = dict(sorted(line.items()))
        texts.append(line if isinstance(line, str) else json.dumps(line, separators=(",", ":"), ensure_ascii=False))
    return "".join(text + "\n" for text in texts)


def unit(head):
    """The unit of the bounds, as far as their denominators show it."""
    return Fraction(1, max(Fraction(head[bound]).denominator for bound in ("lower", "upper")))


def weights_of(lines):
    return [place for place, line in enumerate(lines) if isinstance(line, list) and line[0] == "weights"]


def forged(lines):
    """Forgeries of a certificate, each with the one thing that is wrong."""
    head, places = lines[0], weights_of(lines)

    def changed(place, line):
        return [*lines[:place], *([] if line is None else [line]), *lines[place + 1 :]]

    yield "the lower bound is a unit higher", changed(0, {**head, "lower": str(Fraction(head["lower"]) + unit(head))})
    yield "the upper bound is a unit lower", changed(0, {**head, "upper": str(Fraction(head["upper"]) - unit(head))})
    yield "an information set has no weights", changed(places[-1], None)
    yield "the first information set has no weights", changed(places[0], None)
    exchanged = list(lines)
    for place in places:
        exchanged[place] = [*lines[place][:3], lines[place][3][::-1]]
    yield "all weights are exchanged", exchanged
    # Two information sets of A with the same actions, one below the other, become one: A forgets a move.
    sets = {line[1]: line[2] for line in lines if isinstance(line, list) and line[0] == "A" and len(line) == 3}
    for first in sets:
        for other in sets:
            if other != first and other.startswith(first + " ") and sets[other] == sets[first]:
                yield "A forgets a move", merged(lines, first, other)
                return


def merged(lines, first, other):
    """The information set `other` of A becomes a part of `first`."""
    result = []
    for line in lines:
        if isinstance(line, list) and line[:2] == ["A", other]:
            result.append(["A", first])
        elif not (isinstance(line, list) and line[:3] == ["weights", "A", other]):
            result.append(line)
    # The largest range, so that only the missing recall is wrong.
    return [{**result[0], "lower": str(-(2**61)), "upper": str(2**61)}, *result[1:]]


def damaged(lines, rng):
    """One change by chance, of a number, a name or a line."""
    lines = copy.deepcopy(lines)
    place = rng.randrange(len(lines))
    line = lines[place]
    match rng.randrange(4):
        case 0:
            head = lines[0]
            bound = rng.choice(["lower", "upper"])
            head[bound] = str(Fraction(head[bound]) + rng.choice([-3, -1, 1, 2]) * unit(head))
        case 1:
            place = rng.choice(weights_of(lines))
            weights = lines[place][3]
            weights[rng.randrange(len(weights))] = str(rng.choice([0, 1, 2, 3, 2**62]))
        case 2 if isinstance(line, list) and line[0] == "end":
            line[1] = str(Fraction(line[1]) + rng.choice([-1, 1, Fraction(1, 3), 2**61]))
        case 2 if isinstance(line, list):
            line[1] = lines[rng.randrange(1, len(lines))][1]
        case _:
            other = rng.randrange(1, len(lines))
            lines[place], lines[other] = lines[other], lines[place]
    return lines


def accepted_in_python(file):
    """Whether check_hidden_proof.py accepts a file; it ends with a sentence or an exception if it does not."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            PYTHON_CHECKER.main(file)
        except (SystemExit, Exception):
            return False
    return True


class Comparison:
    def __init__(self, program, folder):
        self.program, self.file = program, folder / "hidden.proof"
        self.counts = {"accepted": 0, "refused": 0}

    def verdicts(self, text):
        self.file.write_text(text, encoding="utf-8")
        accepted, proved = (run(command)[0] == 0 for command in ([self.program, "verify", self.file], [EXTRACTED, self.file]))
        return [accepted, accepted_in_python(self.file), proved]

    def compare(self, name, text, expected=None):
        """Ends the program if the checkers differ, or say otherwise than is expected."""
        verdicts = self.verdicts(text)
        if len(set(verdicts)) > 1 or expected not in (None, verdicts[0]):
            kept = pathlib.Path(tempfile.gettempdir(), "compared_hidden.proof")
            kept.write_text(text, encoding="utf-8")
            sys.exit(f"{name}: verify, Python, Coq say {verdicts}, expected {expected}; kept as {kept}")
        self.counts["accepted" if verdicts[0] else "refused"] += 1


def main(program, copies=60):
    rng = random.Random(58)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        comparison = Comparison(program, folder)
        certificates = []
        for game in GAMES:
            proof = folder / "game.proof"
            if run([program, "prove", game, "-o", proof])[0] != 0:
                sys.exit(f"{program} does not prove {game}")
            text = proof.read_text(encoding="utf-8")
            lines = [json.loads(line) for line in text.splitlines()]
            if written(lines) != text:
                sys.exit(f"{game} is not in the written form")
            comparison.compare(game, text, expected=True)
            # The Python checker takes seconds for each copy of the largest game.
            if len(lines) < 10_000:
                certificates.append((game, lines))
        for game, lines in certificates:
            for fault, forgery in forged(lines):
                comparison.compare(f"{game}, {fault}", written(forgery), expected=False)
        print(f"hidden information: {comparison.counts['refused']} forgeries of {len(certificates)} games refused by all checkers")
        forgeries = json.loads((ROOT / "tests/games/hidden_forged.json").read_text(encoding="utf-8"))
        sound = forgeries["sound"]
        comparison.compare("the sound certificate", written(sound), expected=True)
        for change in forgeries["changes"]:
            lines = [line for place, old in enumerate(sound, 1) for line in change["lines"].get(str(place), [old])]
            comparison.compare(change["fault"], written(lines), expected=False)
        small = [(game, lines) for game, lines in certificates if len(lines) < 1000]
        for number in range(int(copies)):
            game, lines = rng.choice(small)
            comparison.compare(f"{game}, damaged copy {number}", written(damaged(lines, rng)))
    print("hidden information: no difference between the three checkers; "
          + ", ".join(f"{count} {fate}" for fate, count in comparison.counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
