"""The stochastic games of PRISM's benchmark suite: the values and times of PRISM-games, and what is proved here.

usage: prism_smgs.py FOLDER LAUNCHER OUT.csv [PATTERN]

FOLDER is a checkout of

    git clone https://github.com/prismmodelchecker/prism-benchmarks

LAUNCHER is PRISM-games' command; only models whose path and constants have the pattern are asked. The suite publishes the number of
states of each model, and no values. Every property is answered by PRISM-games, with its explicit engine, and by `check`, one after
the other; seconds are those of the whole commands, with building the model.
"""

import csv
import json
import os
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

PROGRAM = os.environ.get("PENCIL_TENNIS", "target/release/pencil-tennis")
SECONDS = float(os.environ.get("SECONDS_A_MODEL", "600"))
FIELDS = ["model", "constants", "property", "states_published", "states", "printed", "lower", "upper", "verdict", "answer"]
FIELDS += ["seconds_prism_games", "seconds"]
# PRISM stops when two iterates differ by less than this, relatively.
TOLERANCE = Fraction(1, 100_000)


def run(command: list[str]) -> tuple[str, float]:
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        output = done.stdout or done.stderr
    except subprocess.TimeoutExpired:
        output = f"Error: not finished within {SECONDS:.0f} s"
    return output, time.perf_counter() - begin


def judged(printed: str, answer: dict) -> str:
    """Whether a proved answer agrees with what PRISM-games prints."""
    if "error" in answer:
        return "refused"
    if "verdict" in answer:
        return "equal" if answer["verdict"] == printed else "differs"
    try:
        value = Fraction(printed)
    except ValueError:
        return "not compared"
    away = max(Fraction(answer["lower"]) - value, value - Fraction(answer["upper"]), Fraction(0))
    # A double has 53 bits.
    if away <= Fraction(1, 2**52):
        return "equal"
    return "near" if away <= TOLERANCE else "differs"


def main(folder: Path, launcher: str, out: Path, pattern: str = "") -> None:
    with out.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS)
        table.writeheader()
        for sizes in sorted((folder / "models/smgs").glob("*/models.csv")):
            for size in csv.DictReader(sizes.open()):
                model, constants = sizes.parent / size["model_file"], size["model_consts"]
                if not model.exists() or not re.search(pattern, f"{model} {constants}"):
                    continue
                for properties in sorted(sizes.parent.glob("*.props")):
                    given = ["-const", constants] if constants else []
                    given_here = ["--const", constants] if constants else []
                    told, seconds_prism = run([launcher, str(model), str(properties), "-ex", "-javamaxmem", "4g", *given])
                    solved, seconds = run([PROGRAM, "check", str(model), str(properties), "--format", "json", *given_here])
                    printed = re.findall(r"^(?:Result: *(\S+)|(Error: .*))", told, re.M)
                    row = {"model": size["model_file"], "constants": constants, "states_published": size["states"]}
                    row |= {"seconds_prism_games": f"{seconds_prism:.2f}", "seconds": f"{seconds:.2f}"}
                    try:
                        document = json.loads(solved)
                    except ValueError:
                        table.writerow(row | {"printed": printed, "answer": "refused", "verdict": solved.strip()})
                        continue
                    for number, answer in enumerate(document["properties"]):
                        result = "".join(printed[number]) if number < len(printed) else ""
                        own = {key: answer.get(key, "") for key in ("property", "lower", "upper", "verdict")}
                        row |= own | {"states": document["states"], "printed": result, "answer": judged(result, answer)}
                        table.writerow(row)
                        print(row)
                    file.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])
