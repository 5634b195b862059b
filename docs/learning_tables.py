"""Tables of what docs/learning_runs.sh left in a folder: learning_tables.py FOLDER."""

import csv
import statistics
import sys
from pathlib import Path

GAMES = [100_000, 500_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]


def curves(folder):
    """All curves by name and seed."""
    found = {}
    for path in sorted(folder.glob("*-[0-9].csv")):
        name, _, seed = path.stem.rpartition("-")
        with path.open() as file:
            found.setdefault(name, {})[seed] = list(csv.DictReader(file))
    return found


def spread(numbers):
    """The mean, and from where to where."""
    if len(numbers) == 1:
        return f"{numbers[0]:.3f}"
    return f"{statistics.mean(numbers):.3f} ({min(numbers):.3f} … {max(numbers):.3f})"


def at(rows, games):
    """The first judgement after so many games, or a sweep later."""
    later = [row for row in rows if games <= int(row["games"]) <= games + 13_005]
    return later[0] if later else None


def main():
    """A table of each of two judgements, then the speed."""
    found = curves(Path(sys.argv[1]))
    for judged in ("exploitability", "against_optimum"):
        print(f"\n| {judged} | " + " | ".join(f"{games:,}" for games in GAMES) + " |\n|" + " --- |" * (len(GAMES) + 1))
        for name, runs in found.items():
            cells = []
            for games in GAMES:
                rows = [row for row in (at(run, games) for run in runs.values()) if row]
                cells.append(spread([float(row[judged]) for row in rows]) if rows else "")
            print(f"| {name} ({len(runs)}) | " + " | ".join(cells) + " |")
    print("\n| run | games | seconds | games a second | numbers read a game |\n| --- | --- | --- | --- | --- |")
    for name, runs in found.items():
        lasts = [run[-1] for run in runs.values()]
        games, seconds, entries = (sum(float(last[key]) for last in lasts) for key in ("games", "seconds", "entries_read"))
        print(f"| {name} | {games / len(lasts):,.0f} | {seconds / len(lasts):.1f} | {games / seconds:,.0f} | {entries / games:,.0f} |")


main()
