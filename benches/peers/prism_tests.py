"""PRISM's and PRISM-games' own tests, with the results that they expect, against the proved answers of `pencil-tennis check`.

usage: prism_tests.py FOLDER OUT.csv [PATTERN]

FOLDER is a checkout, such as of

    git clone https://github.com/prismmodelchecker/prism-games

or a part of one; only files whose path has the pattern are read. Every file of properties that begins with the name of a model of a
supported kind (csg, smg, mdp, dtmc) is asked, with the constants of its `.args` file and of its RESULT comments. A row of the table
is one property: what was expected, what is proved, and whether the number expected lies within the bounds, to its own last digit.
At the end the tables of the documents are printed, in Markdown: the answers by kind of model, and why others are refused. Every
result that differs is printed with its bounds.
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

PROGRAM = os.environ.get("PENCIL_TENNIS", "target/release/pencil-tennis")
SECONDS = float(os.environ.get("SECONDS_A_FILE", "60"))
KINDS = r"^\s*(csg|smg|mdp|dtmc|nondeterministic|probabilistic)\b"
# The tolerance of the test suite itself, relative.
TOLERANCE = Fraction(1, 100_000)
FIELDS = ["model", "properties", "constants", "line", "property", "expected", "lower", "upper", "verdict", "answer", "difference"]


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def models(folder: Path) -> list[Path]:
    found = [path for ending in ("prism", "nm", "pm", "sm") for path in sorted(folder.rglob(f"*.{ending}"))]
    texts = {path: without_comments(path.read_text(errors="replace")) for path in found}
    return [path for path in found if re.search(KINDS, texts[path], re.M)]


def constants_of(args: str) -> str:
    return ",".join(re.findall(r"-const\s+(\S+)", args))


def each_value(constants: str) -> list[str]:
    """The constants with one value each, of those with ranges such as 0.1:0.2:0.5."""
    sets = [""]
    for part in filter(None, constants.split(",")):
        name, _, value = part.partition("=")
        ends = [Fraction(end) for end in value.split(":")] if ":" in value else []
        values = [value]
        if ends:
            first, step, last = ends if len(ends) == 3 else (ends[0], Fraction(1), ends[1])
            values = [str(first + number * step) for number in range(int((last - first) / step) + 1)]
        sets = [f"{before}{',' * bool(before)}{name}={value}" for before in sets for value in values]
    return sets


def definitions(text: str) -> dict[str, str]:
    """The constants with a value in a model or a file of properties."""
    return dict(re.findall(r"\bconst\s+(?:int\s+|double\s+)?(\w+)\s*=\s*([^;]+);", without_comments(text)))


def computed(text: str, known: dict[str, str]) -> str:
    """The number of a result that is a formula of constants; other results as they are."""
    for _ in range(10):
        text = re.sub(r"[A-Za-z_]\w*", lambda name: f"({known[name[0]]})" if name[0] in known else name[0], text)
    if number(text) is not None or not re.fullmatch(r"(?:[\d.\s()+*/,-]|\bmin\b|\bmax\b)+", text):
        return text
    text = re.sub(r"\d+\.?\d*|\.\d+", lambda digits: f"Fraction('{digits[0]}')", text)
    try:
        return str(Fraction(eval(text, {"Fraction": Fraction, "min": min, "max": max})))  # numbers and operators alone
    except (ArithmeticError, SyntaxError, TypeError, ValueError):
        return text


def runs(model: Path, properties: Path) -> list[str]:
    """The constants of each run that the files of arguments ask for."""
    shared = model.with_name(model.name + ".args")
    before = constants_of(shared.read_text()) if shared.exists() else ""
    own = properties.with_name(properties.name + ".args")
    lines = own.read_text().splitlines() if own.exists() else [""]
    # Fairness restricts the choices of a decision process, and is not supported.
    lines = [line for line in lines if "-fair" not in line.split()]
    constants = {",".join(filter(None, [before, constants_of(line)])) for line in lines if not line.strip().startswith("#")}
    return sorted(one for text in constants for one in each_value(text)) or ([""] if lines else [])


def results(text: str) -> list[tuple[int, dict[str, str], str]]:
    """The RESULT comments: line, constants, result."""
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        # A property that is commented out has a result, too.
        if re.match(r"\s*//.*\[", lines[number] if number < len(lines) else ""):
            continue
        if match := re.match(r"\s*//\s*RESULT\s*(?:\(([^)]*)\))?\s*:\s*(.*\S)", line):
            given = dict(part.strip().split("=") for part in match[1].split(",")) if match[1] else {}
            # An explanation may follow.
            found.append((number, given, re.split(r"\s*(?:;|//)", match[2])[0]))
    return found


def number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def half_digit(text: str) -> Fraction:
    """Half a unit of the last digit of a printed decimal; 0 for a fraction."""
    match = re.fullmatch(r"-?\d*\.?(\d*)(?:[eE]([+-]?\d+))?", text)
    if not match or "." not in text:
        return Fraction(0)
    return Fraction(10) ** (int(match[2] or 0) - len(match[1])) / 2


def judged(expected: str, answer: dict) -> tuple[str, object]:
    """Whether a proved answer agrees with an expected result, and by how much it does not."""
    if "error" in answer:
        return "refused", answer["error"]
    if "verdict" in answer:
        if expected.lower() not in ("true", "false"):
            return "not compared", ""
        if answer["verdict"] == "undecided":
            return "undecided", ""
        return ("equal" if answer["verdict"] == expected.lower() else "differs"), ""
    if expected in ("Infinity", "Inf"):
        return ("equal" if answer["lower"] == "Infinity" else "differs"), ""
    wanted = number(expected.lstrip("~"))
    if wanted is None:
        return "not compared", ""
    if answer["lower"] == "Infinity":
        return "differs", "Infinity"
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    away = max(lower - wanted, wanted - upper, Fraction(0))
    if away <= half_digit(expected.lstrip("~")):
        return "equal", ""
    return ("near" if away <= TOLERANCE * max(abs(wanted), 1) else "differs"), f"{float(away):.2g}"


def asked(model: Path, properties: Path, constants: str) -> dict:
    command = [PROGRAM, "check", str(model), str(properties), "--format", "json", "--memory", "2GiB"]
    if constants:
        command += ["--const", constants]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"refused": f"not finished within {SECONDS:.0f} s"}
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"refused": done.stderr.strip().replace("\n", " ")}


def rows_of(model: Path, properties: Path, constants: str, folder: Path, before: set[str]) -> list[dict]:
    """The rows of a run, but of sets of constants that were asked before."""
    text = properties.read_text(errors="replace")
    known = dict(part.split("=") for part in constants.split(",") if "=" in part)
    expected = results(text)
    # A result for certain constants asks for a run with them, if the run does not have them already.
    sets = {tuple(sorted((known | given).items())) for _, given, _ in expected} or {tuple(sorted(known.items()))}
    rows = []
    for chosen in sorted(sets):
        values = dict(chosen)
        written = ",".join(f"{name}={value}" for name, value in chosen)
        if written in before:
            continue
        before.add(written)
        document = asked(model, properties, written)
        head = {"model": model.relative_to(folder), "properties": properties.name, "constants": written}
        if "refused" in document:
            for line, given, result in expected:
                if given.items() <= values.items():
                    rows.append(head | {"line": line, "expected": result, "answer": "refused", "difference": document["refused"]})
            continue
        defined = definitions(model.read_text(errors="replace")) | definitions(text)
        line_before = 0
        for answer in document["properties"]:
            own = [(given, result) for line, given, result in expected if line_before < line <= answer["line"]]
            line_before = answer["line"]
            for given, result in own:
                if not given.items() <= values.items():
                    continue
                verdict, difference = judged(computed(result, defined | values), answer)
                row = head | {key: answer.get(key, "") for key in ("line", "property", "lower", "upper", "verdict")}
                rows.append(row | {"expected": result, "answer": verdict, "difference": difference})
    return rows


def kind_of(model: Path) -> str:
    """The kind of a model; those with intervals as probabilities apart."""
    text = without_comments(model.read_text(errors="replace"))
    has_intervals = re.search(r"(->|\+)\s*\[[^\]]*,[^\]]*\]\s*:", text)
    word = re.search(KINDS, text, re.M)[1]
    return "intervals" if has_intervals else {"nondeterministic": "mdp", "probabilistic": "dtmc"}.get(word, word)


# The kinds of refusals, by words in their sentences; the first one that is found counts.
REASONS = {
    "equilibria": "equilibria between coalitions",
    "LTL": "combined temporal operators (LTL)",
    "CTL": "CTL",
    "`A`": "CTL",
    "`E`": "CTL",
    "F0": "`F0`",
    "long-run": "long-run averages",
    "`S`": "long-run averages",
    "not finished": "not finished in time",
    "has no value": "constants without a value",
    "several objectives": "several objectives",
    "`multi`": "several objectives",
    "`(` stands where Pmax": "several objectives",
    "models of the kind": "models of other kinds",
    "no model of a supported kind": "models of other kinds",
    "from below alone": "bounds of steps from below alone",
    "without bounds": "variables without bounds",
    "process algebra": "process algebra",
    "filter": "other filters",
    "negative": "rewards below 0",
    "below 0": "rewards below 0",
    "is not supported for rewards": "other rewards",
    "infinite": "infinite values",
    "no least number of steps": "bounds of steps from below with W and R",
    "number of steps": "a bound of steps that is wrong",
    "bound of steps is empty": "a bound of steps that is wrong",
    "least common denominator": "probabilities with too many digits",
    "do not say whether": "max or min is missing",
    "several reward structures": "a reward structure is missing",
    "does not take": "values that are no fractions",
    "sum to": "probabilities that do not sum to 1",
    "needs one of F": "other syntax",
    "is expected": "other syntax",
}


def reason_of(error: str) -> str:
    """The kind of a refusal: without places, names and numbers."""
    for part, kind in REASONS.items():
        if part in error:
            return kind
    return re.sub(r"`[^`]*`|line \d+, column \d+: |\S*\.(?:prism|props)\S*|\d+", "…", error)[:100]


def markdown(name: str, counts: dict[str, Counter[str]], columns: list[str], reasons: Counter[str]) -> str:
    """A table of answers, and one of refusals."""
    used = [column for column in columns if any(row[column] for row in counts.values())]
    lines = [f"| {name} | asked | " + " | ".join(used) + " |", "| --- " + "| ---: " * (len(used) + 1) + "|"]
    every: Counter[str] = sum(counts.values(), Counter())
    for group, row in [*sorted(counts.items()), ("all", every)]:
        lines.append(f"| {group} | {sum(row.values())} | " + " | ".join(str(row[column]) for column in used) + " |")
    lines += ["", "| refused | number |", "| --- | ---: |"]
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def main(folder: Path, out: Path, pattern: str = "") -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    with out.open("w", newline="") as file:
        table = csv.DictWriter(file, FIELDS)
        table.writeheader()
        for model in models(folder):
            for properties in sorted(model.parent.glob(f"{model.name}*.props")):
                if not re.search(pattern, str(properties)):
                    continue
                before: set[str] = set()
                for constants in runs(model, properties):
                    for row in rows_of(model, properties, constants, folder, before):
                        counts[kind_of(model)][row["answer"]] += 1
                        if row["answer"] == "refused":
                            reasons[reason_of(row["difference"])] += 1
                        if row["answer"] == "differs":
                            print(row)
                        table.writerow(row)
                        file.flush()
    print(markdown("models", counts, ["equal", "near", "differs", "undecided", "not compared", "refused"], reasons))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
