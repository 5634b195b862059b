"""The tables of docs/learning.md, from the runs they tell of.

    learning_tables.py run FOLDER PROGRAM...      makes all runs that are not in FOLDER yet: some twenty minutes of an idle core
    learning_tables.py write FOLDER PROGRAM...    writes the tables into docs/learning.md
    learning_tables.py check PROGRAM...           makes the cheap runs, up to a million games, and compares the cells that
                                                  follow from them

for example `learning_tables.py check target/release/pencil-tennis`. The same seed gives the same policy to the byte, so that
every cell but the seconds can be compared. Rows with a hundred million games and more are only written: the page says when they
were made.
"""

import csv
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_name("learning.md")

THREE, FIVE = (1, 2, 3), (1, 2, 3, 4, 5)
CHEAP = 1_000_000
LONG = 10_000_000

# Name, seeds, games, and what `train` is told. Sweeps draw no random numbers: one seed is all of them.
RUNS = {
    "simple": (FIVE, LONG, "simple"),
    "points": (THREE, LONG, "simple --reward points"),
    "win-loss": (THREE, LONG, "simple --scoring win-loss"),
    "loss": (THREE, LONG, "extended --loss 1"),
    "rare": (THREE, LONG, "extended --rare 100"),
    "every": (THREE, LONG, "extended --every 1000"),
    "middle": (THREE, LONG, "extended --middle 0.5"),
    "close": (THREE, LONG, "extended --middle 0.5 --close"),
    "forget": (THREE, LONG, "extended --forget 100000"),
    "forget-more": (THREE, LONG, "extended --forget 10000"),
    "together": (THREE, LONG, "extended --reward points --loss 1 --rare 100"),
    "outcome": (THREE, LONG, "outcome"),
    "rm": ((1,), LONG, "rm"),
    "rm-plus": ((1,), LONG, "rm-plus"),
    "cfr-plus": ((1,), LONG, "cfr-plus"),
    "fictitious": ((1,), LONG, "fictitious"),
    "exponential": ((1,), LONG, "exponential"),
    "cfr-plus-games": (THREE, CHEAP, "cfr-plus --schedule games"),
    "cfr-plus-games-more": (THREE, CHEAP, "cfr-plus --schedule games --explore 0.5"),
    "half-a-million": ((1,), 500_000, "simple"),
    "cfr-plus-long": ((1,), 10 * LONG, "cfr-plus"),
    # Smaller games, where the end can be seen: few states of 8 points require randomising, many of 12 do.
    "win-loss-of-8": (THREE, 10 * LONG, "simple --scoring win-loss --points 8"),
    "win-loss-of-12": (THREE, 10 * LONG, "simple --scoring win-loss --points 12"),
    "billion": ((1,), 100 * LONG, "simple"),
}

PROPOSALS = {
    "simple": ("none", ""),
    "loss": ("learn from losses", "`--loss 1`"),
    "rare": ("bonus for rare bids", "`--rare 100`"),
    "every": ("update every 1,000 games", "`--every 1000`"),
    "middle": ("start in the middle", "`--middle 0.5`"),
    "close": ("and at close scores", "`--middle 0.5 --close`"),
    "points": ("reward in points", "`--reward points`"),
    "forget": ("forget slowly", "`--forget 100000`"),
    "forget-more": ("forget fast", "`--forget 10000`"),
    "together": ("three together", "`--reward points --loss 1 --rare 100`"),
}

GUARANTEES = {
    "simple": "none",
    "outcome": "near optimal, up to what exploring costs (Lisý, Kovařík, Lanctot and Bošanský 2013)",
    "fictitious": "they converge (J. Robinson 1951; Leslie and Collins 2006); no useful rate is proved",
    "exponential": "they converge; regret below span · √(ln n / t), up to a constant",
    "rm": "they converge; regret below span · √(n / t) (Hart and Mas-Colell 2000)",
    "rm-plus": "as `rm` (Tammelin, Burch, Johanson and Bowling 2015)",
    "cfr-plus": "as `rm`; usually much faster",
}

DEPTHS = (1, 2, 4, 8)


def train(folder, program, names, most):
    """Makes those runs that are missing: curves NAME-SEED.csv, policies NAME-SEED.npz."""
    for name in names:
        seeds, games, arguments = RUNS[name]
        for seed in seeds:
            stem = folder / f"{name}-{seed}"
            policy = stem.with_suffix(".npz")
            if not policy.exists():
                options = ["--games", str(min(games, most)), "--seed", str(seed)]
                options += ["--curve", stem.with_suffix(".csv"), "-o", policy]
                subprocess.run([*program, "train", *arguments.split(), *map(str, options)], check=True, stdout=subprocess.DEVNULL)


def search(folder, program):
    """What searches are worth, as JSON in FOLDER."""
    leaves = {"nothing": "nothing", "uniform": "uniform", "simple.npz": str(folder / "half-a-million-1.npz")}
    found = {}
    for name, leaf in leaves.items():
        for depth in (0, *DEPTHS):
            agent = leaf if depth == 0 else f"lookahead:{depth}:{leaf}"
            if agent == "nothing":
                continue
            out = subprocess.run([*program, "exploit", agent, "--format", "json"], check=True, capture_output=True).stdout
            report = json.loads(out)
            against = report["value_against_optimum"]
            found[f"{depth} {name}"] = [report["exploitability"], (against["a"] - against["b"]) / 2]
    (folder / "search.json").write_text(json.dumps(found))


class Runs:
    """The runs of a folder."""

    def __init__(self, folder, most):
        self.most = most
        self.curves = {}
        for path in sorted(folder.glob("*-[0-9].csv")):
            with path.open() as file:
                self.curves.setdefault(path.stem.rpartition("-")[0], []).append(list(csv.DictReader(file)))
        self.search = json.loads((folder / "search.json").read_text())

    def cell(self, name, games, judged, digits=3, spread=True):
        """Mean of the seeds after so many games, or a sweep later, with `spread` least and most; `None` where it was not run."""
        if games > self.most:
            return None
        numbers = []
        for curve in self.curves.get(name, []):
            later = [row for row in curve if games <= int(row["games"]) <= games + 13_005]
            if later:
                numbers.append(float(later[0][judged]))
        if not numbers:
            return None
        show = lambda number: f"{number:.{digits}f}".replace("-", "−")
        if len(numbers) == 1 or not spread:
            return show(statistics.mean(numbers))
        return f"{show(statistics.mean(numbers))} ({show(min(numbers))} … {show(max(numbers))})"

    def seconds(self, name):
        """The seconds of a whole run, on average."""
        curves = self.curves.get(name, [])
        if self.most < LONG or not curves:
            return None
        return f"{statistics.mean(float(curve[-1]['seconds']) for curve in curves):.1f}"


def tables(runs):
    """The tables of the page by name: a header, and rows of cells; a cell that the runs do not tell is `None`."""
    lost, against = "exploitability", "against_optimum"
    thousand, million = 1_000, CHEAP
    article = [
        [f"{games:,}", runs.cell(name, games, lost), runs.cell(name, games, against)]
        for name, games in [
            *(("simple", games) for games in (100 * thousand, 500 * thousand, million, LONG)),
            *(("billion", games) for games in (10 * LONG, 100 * LONG)),
        ]
    ]
    small = [
        [points, states, *(runs.cell(name, games, lost) for games in (million, LONG, 10 * LONG))]
        for points, states, name in [
            ("8", "20 of 405", "win-loss-of-8"),
            ("12", "74 of 845", "win-loss-of-12"),
            ("50", "3,277 of 13,005", "win-loss"),
        ]
    ]
    proposals = [
        [proposal, options]
        + [runs.cell(name, games, judged, spread=False) for judged in (lost, against) for games in (million, LONG)]
        for name, (proposal, options) in PROPOSALS.items()
    ]
    field = [
        [f"`{name}`", guarantee, *(runs.cell(name, games, lost) for games in (100 * thousand, million, LONG)), runs.seconds(name)]
        for name, guarantee in GUARANTEES.items()
    ]
    searched = []
    for depth in (0, *DEPTHS):
        cells = [runs.search.get(f"{depth} {leaves}") for leaves in ("nothing", "uniform", "simple.npz")]
        cells = [", ".join(f"{number:.3f}".replace("-", "−") for number in cell) if cell else "" for cell in cells]
        searched.append(["0: the player itself" if depth == 0 else str(depth), *cells])
    return {
        "article": (["games", "exploitability", "against optimal play"], article),
        "small games": (
            ["points", "states that require randomising", "exploitability at 1,000,000", "at 10,000,000", "at 100,000,000"],
            small,
        ),
        "proposals": (
            [
                "proposal",
                "options",
                "exploitability at 1,000,000",
                "at 10,000,000",
                "against optimal play at 1,000,000",
                "at 10,000,000",
            ],
            proposals,
        ),
        "field": (
            [
                "learner",
                "guarantee for its average strategies",
                "exploitability at 100,000",
                "at 1,000,000",
                "at 10,000,000",
                "seconds for that",
            ],
            field,
        ),
        "search": (["depth", "`nothing`", "`uniform`", "`simple.npz`"], searched),
    }


def lines_of(page, name):
    """Where the table of this name begins and ends in the page, without its marks."""
    match = re.search(rf"<!-- table: {re.escape(name)} -->\n(.*?)<!-- end -->\n", page, re.DOTALL)
    if not match:
        sys.exit(f"{PAGE} has no table {name}")
    return match.span(1)


def write(runs):
    """Puts all tables into the page; cells that the runs do not tell stay as they are."""
    page = PAGE.read_text(encoding="utf-8")
    for name, (header, rows) in tables(runs).items():
        begin, end = lines_of(page, name)
        before = [line.strip("| ").split(" | ") for line in page[begin:end].splitlines()[2:]]
        out = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
        for index, row in enumerate(rows):
            old = page[begin:end].splitlines()[2 + index].split("|")[1:-1] if index < len(before) else [""] * len(row)
            out.append("| " + " | ".join(old[i].strip() if cell is None else cell for i, cell in enumerate(row)) + " |")
        page = page[:begin] + "\n".join(out) + "\n" + page[end:]
    PAGE.write_text(page, encoding="utf-8")


def check(runs):
    """Compares every cell that the runs tell with the page; returns how many differ."""
    page = PAGE.read_text(encoding="utf-8")
    compared = wrong = 0
    for name, (_, rows) in tables(runs).items():
        begin, end = lines_of(page, name)
        for line, row in zip(page[begin:end].splitlines()[2:], rows, strict=True):
            for cell, truth in zip((cell.strip() for cell in line.split("|")[1:-1]), row, strict=True):
                if truth is not None:
                    compared += 1
                    if cell != truth:
                        wrong += 1
                        print(f"{name}: the page says {cell}, the program {truth}, in the row of {row[0]}")
    print(f"{compared} cells of {PAGE.name} compared, {wrong} are wrong")
    return wrong


def main():
    """One of the three commands."""
    match sys.argv[1:]:
        case ["run", folder, *program] if program:
            folder = Path(folder)
            folder.mkdir(parents=True, exist_ok=True)
            train(folder, program, RUNS, 100 * LONG)
            search(folder, program)
        case ["write", folder, *program] if program:
            write(Runs(Path(folder), 100 * LONG))
        case ["check", *program] if program:
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                cheap = [name for name in RUNS if name not in ("billion", "cfr-plus-long", "win-loss-of-8", "win-loss-of-12")]
                train(folder, program, cheap, CHEAP)
                search(folder, program)
                sys.exit(check(Runs(folder, CHEAP)) > 0)
        case _:
            sys.exit(__doc__)


main()
