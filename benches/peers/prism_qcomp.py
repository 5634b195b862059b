"""The stochastic games of QComp 2023: the answers of every tool as published, against what is proved here.

usage: prism_qcomp.py FOLDER OUT.csv [PATTERN]

FOLDER is a checkout of

    git clone https://github.com/incaseoftrouble/qcomp-2023-stochastic-games-models

whose `data.json` has the output of the tools (PET, PRISM-games with several algorithms, Tempest). Only instances whose name has the
pattern are asked, small ones first. A row of OUT.csv is one instance: its published answers, the proved bounds, which tools lie
outside of them, and the seconds of the whole command. The table of the documents is printed in Markdown.
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
MEMORY = os.environ.get("MEMORY_A_MODEL", "8GiB")
# The decimals of some models sum to 1 but for 4e-17. A width such as 1e-6, the precision of the published answers, ends sooner.
OPTIONS = ["--probabilities", "normalised", *os.environ.get("OPTIONS", "").split()]
FIELDS = ["instance", "states_published", "states", "published", "lower", "upper", "verdict", "refused", "outside", "seconds"]


def states_of(tools: dict) -> int:
    """The number of states that the tools print; 0 if none prints one."""
    for run in tools.values():
        if match := re.search(r"States: *\t?(\d+)", run["result"].get("stdout", "")):
            return int(match[1])
    return 0


def published_of(tools: dict) -> dict[str, str]:
    """The answers of the tools that gave one."""
    answers = {tool: run["result"].get("outcome", {}).get("result") for tool, run in tools.items()}
    return {tool: answer for tool, answer in answers.items() if answer is not None}


def answer_of(folder: Path, instance: dict) -> tuple[dict, float]:
    """The program's answer to the only property of an instance, or the sentence that refuses it, and the seconds."""
    constants = ",".join(f"{name}={value}" for name, value in (instance.get("constants") or {}).items())
    command = [PROGRAM, "check", str(folder / instance["model"]), str(folder / instance["prop"])]
    command += ["--format", "json", "--memory", MEMORY, "--quiet", *OPTIONS]
    command += ["--const", constants] if constants else []
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"error": f"not finished within {SECONDS:.0f} s"}, time.perf_counter() - begin
    seconds = time.perf_counter() - begin
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr.strip()}, seconds
    return document["properties"][0] | {"states": document["states"]}, seconds


def distance(printed: str, answer: dict) -> Fraction:
    """How far a number, or the farther of several, lies outside of the proved bounds."""
    numbers = [Fraction(number) for number in re.findall(r"[\d.]+(?:[eE]-?\d+)?", printed)]
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    return max(max(lower - number, number - upper, Fraction(0)) for number in numbers)


def outside(published: dict[str, str], answer: dict) -> dict[str, str]:
    """The tools whose answers are not the proved one, and by how much a number misses it."""
    if "error" in answer:
        return {}
    if "verdict" in answer:
        return {tool: printed for tool, printed in published.items() if printed.lower() != answer["verdict"]}
    away = {tool: distance(printed, answer) for tool, printed in published.items()}
    # A double has 53 bits.
    return {tool: f"{float(gap):.2g}" for tool, gap in away.items() if gap > Fraction(1, 2**52)}


def shown(answer: dict) -> str:
    """The proved answer as the table has it."""
    if "error" in answer:
        return answer["error"]
    return answer.get("verdict") or f"[{answer['lower']}, {answer['upper']}]"


def main(folder: Path, out: Path, pattern: str = "") -> None:
    instances = {instance["key"]: instance for instance in json.loads((folder / "instances.json").read_text())}
    runs = {entry["key"]: entry["tools"] for entry in json.loads((folder / "data.json").read_text())}
    chosen = [key for key in instances if key in runs and re.search(pattern, key)]
    lines = ["| instance | states | published, of n tools | proved here | outside, by at most | seconds |"]
    lines.append("| --- | ---: | --- | --- | --- | ---: |")
    with out.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS)
        table.writeheader()
        for key in sorted(chosen, key=lambda key: states_of(runs[key])):
            published = published_of(runs[key])
            answer, seconds = answer_of(folder, instances[key])
            wrong = outside(published, answer)
            row = {name: answer.get(name, "") for name in ("lower", "upper", "verdict", "states")}
            row |= {"instance": key, "states_published": states_of(runs[key]), "refused": answer.get("error", "")}
            row |= {"published": json.dumps(published), "outside": json.dumps(wrong), "seconds": f"{seconds:.2f}"}
            table.writerow(row)
            file.flush()
            least, most = min(published.values(), default=""), max(published.values(), default="")
            span = least if least == most else f"{least} to {most}"
            gaps = [gap for gap in wrong.values() if re.fullmatch(r"[\d.e-]+", gap)]
            farthest = max(gaps, key=float, default=", ".join(sorted(set(wrong.values()))))
            gap = f"{len(wrong)}: {farthest}" if wrong else "none" if "error" not in answer else ""
            lines.append(f"| {key} | {states_of(runs[key])} | {span}, {len(published)} | {shown(answer)} | {gap} | {seconds:.2f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
