"""Every zero-sum property of the concurrent models of PRISM-games' repository: what it publishes and prints, and what is proved here.

usage: prism_games.py CHECKOUT LAUNCHER OUT.csv [PATTERN]

CHECKOUT is its repository, LAUNCHER its command; only models whose path and constants have the pattern are solved. Each model is exported, then
each property is checked by PRISM-games, with its explicit engine, and solved and proved by the command line, one after the other.
Seconds are of PRISM-games' own clock, without reading the model, and of the whole command here, with reading and proving.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

PROGRAM = os.environ.get("PENCIL_TENNIS", "target/release/pencil-tennis")
EXAMPLES, TESTS = "prism-examples/csgs/", "prism-tests/functionality/verify/csgs/zerosum/"
# Constants: those of the folders' `auto` and `args`, with some more sizes.
MODELS = [
    *((f"{TESTS}{name}.prism", f"{name}.prism.props", [constants]) for name, constants in {
        "aloha_backoff2": "bcmax=2,D=8,q=0.9", "jamming4": "slots=5", "robot_coordination2": "l=5,q=0.1,k=5", "rps2": "k=2",
    }.items()),
    (f"{EXAMPLES}aloha/aloha_backoff2.prism", "aloha_backoff2.props", ["bcmax=2,D=8,q=0.9"]),
    (f"{EXAMPLES}aloha/aloha_backoff3.prism", "aloha_backoff3.props", ["bcmax=2,D=8,q=0.9"]),
    *((f"{EXAMPLES}ids/ids_scenarios.prism", "ids.props", [f"scenario={scenario},rounds={rounds},K={rounds}" for rounds in (1, 10, 25)])
      for scenario in (1, 2)),
    (f"{EXAMPLES}ids/ids_simple.prism", "ids.props", [f"rounds={rounds},K={rounds}" for rounds in (1, 10, 25)]),
    (f"{EXAMPLES}investors/two_investors_csg.prism", "two_investors.props", ["months=2", "months=4"]),
    (f"{EXAMPLES}jamming/jamming4.prism", "jamming.props", [f"slots={slots}" for slots in (5, 10, 15, 20, 25)]),
    (f"{EXAMPLES}jamming/jamming6.prism", "jamming.props", ["slots=5", "slots=10", "slots=15"]),
    (f"{EXAMPLES}robot_coordination/robot_coordination2.prism", "robot_coordination2.props", ["l=5,q=0.1,k=10", "l=8,q=0.1,k=10"]),
    (f"{EXAMPLES}simple/rps2.prism", "rps2.props", ["k=10"]),
    (f"{EXAMPLES}simple/rps2_rounds.prism", "rps2_rounds.props", ["k=1", "k=10"]),
    (f"{EXAMPLES}simple/rps3.prism", "rps3.props", ["k=10"]),
    *((f"{EXAMPLES}user-centric/user-centric.prism", "user-centric.props", [f"td={td},K=2"]) for td in (0, 1, 2)),
]


def run(command: list[str], seconds: float = 600) -> tuple[str, float]:
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        output = f"Error: stopped after {seconds:.0f} s"
    return output, time.perf_counter() - begin


def properties(path: Path) -> list[tuple[str, str]]:
    """The zero-sum properties with the results published for them."""
    found, published = [], ""
    for line in path.read_text().splitlines():
        if result := re.match(r"//\s*RESULT[^:]*:\s*(\S+)", line):
            published = result[1]
        text = line.split("//")[0].strip().rstrip(";")
        if text.startswith("<<") and ":" not in text.split(">>")[0]:
            found.append((text, published))
        if text:
            published = ""
    return found


def written_out(text: str, players: list[str], constants: dict[str, str]) -> str:
    """The property with players by number and constants by value, as an export needs them."""
    coalition, rest = text[2:].split(">>", 1)
    numbers = ",".join(str(players.index(name.strip()) + 1) for name in coalition.split(","))
    parts = re.split(r'("[^"]*")', rest)
    rest = "".join(
        part if part.startswith('"') else re.sub(r"[A-Za-z_]\w*", lambda name: constants.get(name[0], name[0]), part) for part in parts
    )
    return f"<<{numbers}>>{rest}"


def main(checkout: Path, launcher: str, out: Path, pattern: str = "") -> None:
    fields = ["model", "constants", "property", "published", "printed", "lower", "upper", "inside", "states", "probabilities"]
    fields += ["seconds_prism_games", "seconds", "certificate_bytes"]
    with out.open("w", newline="") as file, tempfile.TemporaryDirectory() as folder:
        table = csv.DictWriter(file, fields)
        table.writeheader()
        for model, names, sizes in MODELS:
            for constants in (size for size in sizes if re.search(pattern, f"{model} {size}")):
                path, props = checkout / model, (checkout / model).with_name(names)
                export = Path(folder) / "model.all"
                for old in Path(folder).iterdir():
                    old.unlink()
                model_constants = ",".join(
                    part for part in constants.split(",") if re.search(rf"^\s*const[^=;]*\b{part.split('=')[0]}\s*;", path.read_text(), re.M)
                )
                told, _ = run([launcher, str(path), "-ex", "-exportmodel", str(export), "-const", model_constants])
                players = re.search(r"Players: *(.*)", told)[1].split()
                known = dict(part.split("=") for part in constants.split(","))
                for number, (text, published) in enumerate(properties(props)):
                    checked, _ = run([launcher, str(path), "-ex", "-pf", re.sub(r"\bk\b", known.get("k", "k"), text), "-const", model_constants])
                    printed = re.search(r"^Result: *(\S+)", checked, re.M)
                    printed = printed[1] if printed else re.search(r"Error: .*", checked)[0]
                    clock = re.search(r"Time for model checking: *(\S+)", checked)
                    command = [PROGRAM, "solve", str(export.with_suffix(".tra")), "--property", written_out(text, players, known)]
                    command += ["--format", "json", "--threads", "1"]
                    reading = "exact"
                    solved, seconds = run(command)
                    if "nearest" in solved:
                        reading = "nearest"
                        solved, seconds = run([*command, "--probabilities", "nearest"])
                    row = {"model": model.split("csgs/")[1], "constants": constants, "property": text, "published": published}
                    row |= {"printed": printed, "probabilities": reading, "seconds": f"{seconds:.3f}"}
                    row["seconds_prism_games"] = clock[1] if clock else ""
                    try:
                        start = json.loads(solved)["start"][0]
                    except (ValueError, KeyError):
                        row["lower"] = solved.strip()
                    else:
                        lower, upper = Fraction(start["lower"]), Fraction(start["upper"])
                        proof = [*command[:1], "prove", *command[2:], "--probabilities", reading, "-o", f"{folder}/proof"]
                        run(proof)
                        verified, _ = run([PROGRAM, "verify", f"{folder}/proof", "--format", "json"])
                        assert json.loads(verified)["valid"], (text, verified)
                        row |= {"lower": start["lower"], "upper": start["upper"], "states": json.loads(solved)["states"]}
                        row["certificate_bytes"] = os.path.getsize(f"{folder}/proof")
                        row["inside"] = lower <= Fraction(published or printed) <= upper if (published or printed)[0] in "-0123456789" else ""
                    table.writerow(row)
                    file.flush()
                    print(row["model"], constants, text, published, printed, row["lower"], row.get("upper", ""), clock and clock[1], f"{seconds:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *sys.argv[4:])
