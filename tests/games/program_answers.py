"""Runs the program on a game and a policy, and reads its reports, tables and certificates."""

import contextlib
import csv
import importlib.util
import io
import json
import subprocess
import time
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from flint import fmpq

import game_families
from best_replies import fraction

CHECKER = Path(__file__).resolve().parents[2] / "docs" / "check_game_proof.py"
# The slowest games of the families take 10 s on an idle core.
LONGEST_SECONDS = 600


def python_checker():
    """The checker in Python, as a module: it takes longer to start than to check."""
    spec = importlib.util.spec_from_file_location("check_game_proof", CHECKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def exact(number):
    """A number of JSON or of a table as a fraction."""
    return fraction(repr(number) if isinstance(number, float) else str(number))


@dataclass
class Bounds:
    """A printed interval, and where it is printed."""

    place: str
    lower: fmpq
    upper: fmpq

    def faults(self, least, most):
        """What is wrong if the interval has to reach from `least` or below to `most` or above."""
        contained = at_most(self.lower, least) and at_most(most, self.upper)
        return [] if contained and self.lower <= self.upper else [self.sentence(least, most)]

    def misses(self, least, most):
        """What is wrong if the interval has to contain a number between `least` and `most`."""
        met = at_most(self.lower, most) and at_most(least, self.upper)
        return [] if met and self.lower <= self.upper else [self.sentence(least, most)]

    def sentence(self, least, most):
        printed = f"{shown(self.lower)} to {shown(self.upper)}"
        return f"{self.place}: {printed}, in truth {shown(least)} to {shown(most)}"


def at_most(one, other):
    """Whether a number, which may be infinite, is no larger than another."""
    if isinstance(one, float) and isinstance(other, float):
        return one <= other
    if isinstance(other, float):
        return other > 0
    return one < 0 if isinstance(one, float) else one <= other


def shown(number):
    if isinstance(number, float):
        return str(number)
    return f"{float(Fraction(int(number.p), int(number.q)))!r}"


def json_bounds(place, report):
    """Both forms of proved bounds in JSON."""
    decimal = report["decimal"]
    return [
        Bounds(f"{place} in JSON", exact(report["lower"]), exact(report["upper"])),
        Bounds(f"{place} in JSON, decimal", exact(decimal["lower"]), exact(decimal["upper"])),
    ]


@dataclass
class Answer:
    """What the program says of a game."""

    report: dict
    # Rows of the tables of values and of strategies.
    values: list
    strategies: list
    # By state.
    proof: dict
    seconds: float = 0.0

    def bounds(self):
        """Every printed interval of a value, by state."""
        found = defaultdict(list)
        for row in self.values:
            found[row["state"]].append(
                Bounds(f"value of {row['state']} in csv", exact(row["lower"]), exact(row["upper"]))
            )
        for name, proved in self.proof.items():
            found[name].append(proved.bounds)
        for node in self.report["start"]:
            found[node["state"]] += json_bounds(f"value of {node['state']}", node)
        return found

    def width(self):
        return relative_width(
            [Bounds("", exact(row["lower"]), exact(row["upper"])) for row in self.values],
        )


@dataclass
class Refusal:
    """The sentence in which the program refuses, and the files that it has written all the same.

    If only some states are refused, `partial` is the answer about the others: it has no proof.
    """

    sentence: str
    faults: list
    files: list
    partial: Answer | None = None


class Program:
    """The program under test, with a folder for its files."""

    def __init__(self, path, folder):
        self.path, self.folder = path, Path(folder)
        self.checker = python_checker()

    def file(self, name):
        return self.folder / name

    def run(self, *arguments):
        command = [self.path, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_SECONDS)

    def answer(self, lines, policy):
        """The program's answer to a game and a policy, and its refusal of the policy alone."""
        self.file("game.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.file("policy.csv").write_text(game_families.policy_csv(lines, policy))
        solved = self.solve()
        run = self.run(
            "exploit", self.file("policy.csv"), self.file("game.jsonl"), "--format", "json", "--threads", "1"
        )
        if run.returncode or not isinstance(solved, Answer):
            return solved, refusal(run, [])
        solved.report["policy"] = json.loads(run.stdout)
        return solved, None

    def solve(self):
        """Solves the game in the folder, once for the report and once for each file that the program writes."""
        outputs = {
            "values": self.file("values.csv"),
            "strategies": self.file("strategies.csv"),
            "prove": self.file("game.prove"),
        }
        game = (self.file("game.jsonl"), "--threads", "1")
        begin = time.monotonic()
        run = self.run("solve", *game, "--format", "json")
        seconds = time.monotonic() - begin
        for deed, output in outputs.items():
            output.unlink(missing_ok=True)
            command = ("prove",) if deed == "prove" else ("export", deed)
            self.run(*command, *game, "-o", output)
        if run.returncode:
            return self.refused(run, outputs)
        report, proof = json.loads(run.stdout), read_proof(outputs["prove"])
        return Answer(
            report, table(outputs["values"]), table(outputs["strategies"]), proof, seconds
        )

    def refused(self, run, outputs):
        """What the program refuses, and what it says of states that can be proved all the same."""
        written = {option for option, output in outputs.items() if output.exists()}
        if not run.stdout:
            return refusal(run, sorted(written))
        found = refusal(run, sorted(written - {"values", "strategies"}))
        values, strategies = table(outputs["values"]), table(outputs["strategies"])
        found.partial = Answer(json.loads(run.stdout), values, strategies, {})
        return found

    def keep(self, folder, name):
        """Copies the files of the last game."""
        for file in ("game.jsonl", "policy.csv"):
            if self.file(file).exists():
                (folder / f"{name}-{file}").write_text(self.file(file).read_text())

    def verified(self, is_sample):
        """Faults if a checker rejects the certificate."""
        proof = self.file("game.prove")
        run = self.run("verify", proof)
        faults = (
            [f"verify rejects the certificate: {run.stdout}{run.stderr}"] if run.returncode else []
        )
        if is_sample:
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    self.checker.main(proof)
            except SystemExit as stop:
                faults.append(f"check_game_proof.py rejects the certificate: {stop}")
        return faults


def table(path):
    """The rows of a csv table."""
    with path.open(newline="") as rows:
        return list(csv.DictReader(rows))


# What follows the first sentence of a refusal: the states that are refused for its reason, then
# the files and the judgement for which all states would be needed.
MORE_SENTENCES = (
    "state `",
    "and nothing is proved of ",
    "no certificate is written to ",
    "the policy is not judged: ",
)


def refusal(run, files):
    """A refusal, with its faults: sentences of other kinds, or a crash."""
    sentence, *more = run.stderr.strip().removeprefix("pencil-tennis: ").split("\n")
    faults = []
    if run.returncode != 1 or not sentence or "panicked" in sentence:
        faults.append(f"exit {run.returncode} with: {run.stderr}")
    if not all(line.startswith(MORE_SENTENCES) for line in more):
        faults.append(f"a refusal goes on with: {more}")
    return Refusal(sentence, faults, files)


def read_proof(path):
    """Bounds and both strategies of every state of a certificate."""
    header, _, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    count = header["states"]
    unit, whole = fmpq(2) ** header["exponent"], 2 ** header.get("weight_exponent", 62)
    proof = {}
    # A second part, about values that are approached and not attained, may follow.
    for line, found in zip(lines[:count], lines[count : 2 * count], strict=True):
        name = line["id"]
        bounds = Bounds(
            f"certificate at {name}", int(found["lower"]) / unit, int(found["upper"]) / unit
        )
        weights = {
            player: [(action, int(weight)) for action, weight in found.get(player.lower(), [])]
            for player in "AB"
        }
        proof[name] = Proved(bounds, weights, whole)
    return proof


@dataclass
class Proved:
    """A certificate's line: bounds, and weights of actions that sum to `whole`."""

    bounds: Bounds
    weights: dict
    whole: int

    def strategy(self, player):
        return [(action, fmpq(weight, self.whole)) for action, weight in self.weights[player]]

    def faults(self, line):
        """Weights that are no distribution over the state's actions."""
        faults = []
        for player in "AB":
            actions = [action for action, _ in self.weights[player]]
            legal = all(0 <= action < len(line[player.lower()]) for action in actions) and len(
                set(actions)
            ) == len(actions)
            weights = [weight for _, weight in self.weights[player]]
            if not legal or min(weights, default=0) <= 0 or sum(weights) != self.whole:
                faults.append(f"{self.bounds.place}: {player}'s weights are no strategy: {weights}")
        return faults


def relative_width(values):
    """The widest bounds, relative to the largest value if that exceeds 1."""
    largest = max([fmpq(1)] + [abs(bounds.lower) for bounds in values])
    widest = max(bounds.upper - bounds.lower for bounds in values) / largest
    return float(Fraction(int(widest.p), int(widest.q)))
