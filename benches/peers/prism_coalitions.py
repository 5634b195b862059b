"""Every property with a coalition in PRISM-games' examples and tests: whether it is answered, and what PRISM-games prints.

usage: prism_coalitions.py CHECKOUT OUT.csv [LAUNCHER]

CHECKOUT is a checkout of

    git clone https://github.com/prismmodelchecker/prism-games

LAUNCHER is its command; without it nothing is compared. A property is asked once, with the first model and constants that the `auto`
or `.args` file beside it names. The table has one row for a property; what is printed at the end is the table of the documents, in
Markdown: properties that ask for a number or whether a bound holds, and why others are refused.
"""

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

from prism_smgs import TOLERANCE
from prism_tests import constants_of, each_value, markdown, models, reason_of, without_comments

PROGRAM = os.environ.get("PENCIL_TENNIS", "target/release/pencil-tennis")
SECONDS = float(os.environ.get("SECONDS_A_PROPERTY", "60"))
FIELDS = ["properties", "number", "model", "constants", "asks", "property", "lower", "upper", "verdict", "printed", "answer", "reason"]


# Values of constants that the files name nowhere.
CONSTANTS = {"months": "2", "k": "5", "K": "5", "rounds": "5"}


class Property:
    """A property of a file: its number among all of the file, counted from 1, and its text."""

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text = number, text

    def asks(self) -> str:
        if re.search(r"<<[^>]*:[^>]*>>", self.text):
            return "equilibria"
        return "number" if "=?" in self.text else "bound"


def properties_of(text: str) -> list[Property]:
    """The properties of a file: each ends with a semicolon, or with a line outside of brackets."""
    found, own, depth = [], "", 0
    for character in without_comments(text) + "\n":
        depth += character in "([{"
        depth -= character in ")]}"
        is_end = character == ";" or (character == "\n" and depth <= 0 and not own.lstrip().startswith(("const", "label", "formula")))
        if not is_end:
            own += character
            continue
        own = " ".join(own.split())
        # A name stands before its property.
        if own and not own.endswith(":") and not own.startswith(("const ", "label ", "formula ")):
            found.append(Property(len(found) + 1, own))
            own, depth = "", 0
        elif not own.endswith(":"):
            own, depth = "", 0
    return found


def runs_of(properties: Path, known: list[Path]) -> list[tuple[Path, str]]:
    """The models and constants with which a file of properties is asked, as the files beside it say."""
    found = []
    auto = properties.parent / "auto"
    for line in auto.read_text().splitlines() if auto.exists() else []:
        words = line.split("#")[0].split()
        if properties.name in words:
            named = [properties.parent / word for word in words if (properties.parent / word) in known]
            constants = ",".join(re.findall(r"-const\s+(\S+)", line))
            found += [(model, each_value(constants)[0]) for model in named]
    for model in known:
        if model.parent == properties.parent and properties.name.startswith(model.name):
            texts = [path.read_text() for path in (model.with_name(model.name + ".args"), Path(f"{properties}.args")) if path.exists()]
            constants = ",".join(filter(None, (constants_of(text.splitlines()[0]) for text in texts if text.strip())))
            found.append((model, each_value(constants)[0]))
    if not found:
        stem = properties.name.split(".")[0]
        beside = [model for model in known if model.parent == properties.parent]
        alike = [model for model in beside if model.name.startswith(stem) or stem.startswith(model.name.split(".")[0])]
        found = [(model, "") for model in sorted(alike, key=lambda model: len(model.name))]
    return found


def completed(constants: str, model: Path, properties: Path) -> str:
    """The constants with those that have no value otherwise, as far as one is chosen for them above."""
    text = without_comments(model.read_text(errors="replace")) + without_comments(properties.read_text(errors="replace"))
    open_names = re.findall(r"\bconst\s+(?:int\s+|double\s+)?(\w+)\s*;", text)
    given = [part for part in constants.split(",") if part]
    named = {part.split("=")[0] for part in given}
    chosen = [f"{name}={CONSTANTS[name]}" for name in dict.fromkeys(open_names) if name in CONSTANTS and name not in named]
    return ",".join(given + chosen)


def run(command: list[str], seconds: float) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        return done.stdout or done.stderr
    except subprocess.TimeoutExpired:
        return f"Error: not finished within {seconds:.0f} s"


def answers(command: list[str], properties: list[Property]) -> dict[int, dict]:
    """The answers by number: of all properties at once or, if that takes too long, of one after the other."""

    def document(only: list[str]) -> dict | str:
        told = run([*command, *only], SECONDS)
        try:
            return json.loads(told)
        except ValueError:
            return told.strip().replace("\n", " ")

    every = document([])
    if isinstance(every, dict):
        return dict(enumerate(every["properties"], 1))
    if "not finished" not in every:
        return {one.number: {"error": every} for one in properties}
    found = {}
    for one in properties:
        told = document(["--only", str(one.number)])
        found[one.number] = told["properties"][0] if isinstance(told, dict) else {"error": told}
    return found


def judged(printed: str, answer: dict) -> str:
    """Whether a proved answer agrees with a printed one."""
    if "error" in answer:
        return "refused"
    if answer.get("verdict") == "undecided":
        return "undecided"
    if not printed or printed.startswith("Error"):
        return "answered here alone" if printed else "answered"
    if "verdict" in answer:
        return "equal" if answer["verdict"] == printed else "differs"
    if answer["lower"] == "Infinity":
        return "equal" if printed == "Infinity" else "differs"
    try:
        value = Fraction(printed)
    except ValueError:
        return "answered here alone"
    away = max(Fraction(answer["lower"]) - value, value - Fraction(answer["upper"]), Fraction(0))
    # A double has 53 bits.
    if away <= Fraction(1, 2**52) * max(abs(value), 1):
        return "equal"
    return "near" if away <= TOLERANCE * max(abs(value), 1) else "differs"


def main(checkout: Path, out: Path, launcher: str = "") -> None:
    known = models(checkout)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    with out.open("w", newline="") as file:
        rows = csv.DictWriter(file, FIELDS)
        rows.writeheader()
        for path in sorted(checkout.rglob("*.props")):
            every = properties_of(path.read_text(errors="replace"))
            own = [one for one in every if "<<" in one.text]
            if not own:
                continue
            runs = runs_of(path, known)
            head = {"properties": path.relative_to(checkout)}
            found, printed = {one.number: {"error": "no model of a supported kind is beside it"} for one in own}, {}
            if runs:
                model, constants = runs[0]
                constants = completed(constants, model, path)
                head |= {"model": model.name, "constants": constants}
                command = [PROGRAM, "check", str(model), str(path), "--format", "json", "--memory", "3GiB"]
                found = answers(command + (["--const", constants] if constants else []), own)
                answered = any("error" not in found.get(one.number, {"error": ""}) for one in own)
                if launcher and answered:
                    given = ["-const", constants] if constants else []
                    told = run([launcher, str(model), str(path), "-ex", "-javamaxmem", "3g", *given], SECONDS)
                    # Each result stands under the number of lines that PRISM-games prints for a property.
                    results = re.findall(r"^(?:Result: *(\S+)|(Error: .*))", told, re.M)
                    if len(results) == len(every):
                        printed = {number: "".join(result) for number, result in enumerate(results, 1)}
            for one in own:
                answer = found.get(one.number, {"error": "it is not among the properties that are read"})
                judgement = judged(printed.get(one.number, ""), answer)
                row = head | {"number": one.number, "asks": one.asks(), "property": one.text, "answer": judgement}
                row |= {key: answer.get(key, "") for key in ("lower", "upper", "verdict")}
                row |= {"printed": printed.get(one.number, ""), "reason": answer.get("error", "")}
                rows.writerow(row)
                counts[one.asks()][judgement] += 1
                if judgement == "refused":
                    reasons[reason_of(answer["error"])] += 1
            file.flush()
            print(path.relative_to(checkout), len(own), flush=True)
    columns = ["equal", "near", "differs", "answered here alone", "answered", "undecided", "refused"]
    print(markdown("asks for", counts, columns, reasons))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
