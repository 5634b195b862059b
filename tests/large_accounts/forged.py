"""Files of shares that break one rule each, for `docs/check_large_accounts.py`; and what sound ones prove, computed anew. Needs numpy.

    python3 tests/large_accounts/forged.py FOLDER     writes them into a folder, and compares what the checker says of them
"""

import contextlib
import csv
import io
import runpy
import sys
from decimal import ROUND_CEILING, Decimal, getcontext
from pathlib import Path

CHECKER = Path(__file__).parents[2] / "docs" / "check_large_accounts.py"

# Logarithms are wanted to many more digits than doubles have.
getcontext().prec = 60

STEPS, MIDDLE, TURNS = 4, 9, 6
CELLS = 2 * MIDDLE + 1
# A's payoffs with the ball out, in units that are finer than the checker's by 2^68.
UNIT = 2**100
LEAST, MOST = -2 * UNIT, 2 * UNIT


def strategies():
    """Some mixtures of B by ball and cell, each as parts (from, to, weight): single bids and ranges, with gaps, none at some cells."""
    found = {}
    for ball in range(5):
        for cell in range(CELLS):
            if (ball + cell) % 7 == 3:
                continue
            # The least bid alone where A has little; bids up to all of A's account, or beyond it, elsewhere.
            last = max(1, cell // 2 + ball % 3)
            all_bids = [(0, 1, 3 + cell), (1, last + 1, 2 + ball), (last + 2, last + 4, 1 + cell)]
            # A may bid nothing where B never does.
            found[ball, cell] = all_bids[:1] if cell < 3 else all_bids[(ball + cell) % 5 == 0 :]
    return found


def written(strategies, head=(STEPS, MIDDLE, TURNS)):
    lines = [" ".join(map(str, head))]
    lines += [" ".join(map(str, [*place, *(number for part in parts for number in part)])) for place, parts in strategies.items()]
    return "".join(line + "\n" for line in lines)


def conceded():
    """By turn, ball and cell: A's best payoff against the strategies, as `docs/limit.md` defines it, rounded down."""
    ratios = [Decimal(number - MIDDLE) / STEPS for number in range(CELLS)]

    def first_cell(cell, reply, bid):
        """The lowest cell whose ratio is at least what A and B keep; None if A has not so much. A's bid of nothing changes nothing."""
        if reply == 0:
            return cell + bid
        left = ratios[cell].exp() - (1 - (-Decimal(reply) / STEPS).exp())
        return None if left <= 0 else bid + MIDDLE + int((left.ln() * STEPS).to_integral_value(rounding=ROUND_CEILING))

    before = {(ball, cell): MOST for ball in range(5) for cell in range(CELLS)}

    def worth(ball, cell):
        """What a cell counts for, with the ball beyond a field as well: low ratios as the first cell, high ones as all."""
        if not 0 <= ball < 5:
            return LEAST if ball < 0 else MOST
        return MOST if cell >= CELLS else before[ball, max(cell, 0)]

    every_turn = []
    for _ in range(TURNS):
        after = dict(before)
        for (ball, cell), parts in strategies().items():
            bids = [(bid, weight) for first, end, weight in parts for bid in range(first, end)]
            values = []
            for reply in {0, *(bid for bid, _ in bids)}:
                if first_cell(cell, reply, 0) is None:
                    continue
                # A hit flies to the first field across the net, or to the next one.
                hit, missed = max(ball + 1, 3), min(ball - 1, 1)
                sums = (weight * worth(hit if reply >= bid else missed, first_cell(cell, reply, bid)) for bid, weight in bids)
                values.append(sum(sums) // sum(weight for _, weight in bids))
            after[ball, cell] = min(before[ball, cell], max(values))
        before = after
        every_turn.append(before)
    return every_turn


def replaced(line, text):
    """The sound file with another line."""
    lines = written(strategies()).splitlines()
    lines[line] = text
    return "".join(line + "\n" for line in lines)


def forged():
    """Files with the words of their refusal."""
    few, many = "no header", "no strategy"
    for head, words in [
        ((0, 0, TURNS), few),
        ((-4, MIDDLE, TURNS), few),
        # Steps so fine that doubles do not tell cells apart, and ratios that are no doubles.
        ((10**7, MIDDLE, TURNS), few),
        ((1, 1_000, TURNS), few),
        ((STEPS, -1, TURNS), few),
        ((STEPS, MIDDLE, 0), few),
        ((STEPS, MIDDLE), "not enough values"),
        ((STEPS, MIDDLE, TURNS, 1), "too many values"),
        ((STEPS, MIDDLE, "many"), "invalid literal"),
    ]:
        yield f"header {head}", written(strategies(), head), words
    place = "2 9"
    for line, words in [
        (place, "a line is cut"),
        (f"{place} 0 1", "a line is cut"),
        (f"{place} 0 1 5 2", "a line is cut"),
        ("2", "not enough values"),
        (f"{place} 0 1 half", "invalid literal"),
        (f"{place} 0 1 0.5", "invalid literal"),
        # A bid below nothing leaves B more than it has.
        (f"{place} -3 1 5", many),
        (f"{place} 3 3 5", many),
        (f"{place} 3 1 5", many),
        (f"{place} 0 1 0", many),
        # The bids that cost most have a weight below nothing.
        (f"{place} 0 1 9 4 5 -8", many),
        ("5 9 0 1 5", many),
        ("-1 9 0 1 5", many),
        (f"2 {CELLS} 0 1 5", many),
        ("2 -1 0 1 5", many),
        (f"{place} 4 5 1 0 1 1", "bids that do not rise"),
        (f"{place} 0 1 {2**25}", "weights too large"),
        (f"{place} 0 4194304 8", "weights too large"),
        (f"{place} 0 1 {2**70}", "too large"),
    ]:
        yield f"line {line}", replaced(1, line), words
    twice = written(strategies()) + f"{place} 0 1 5\n"
    yield "a strategy twice", twice, "two strategies"


def said(path, *tables):
    """What the checker prints, or why it refuses."""
    sys.argv = [str(CHECKER), str(path), *map(str, tables)]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            runpy.run_path(str(CHECKER), run_name="__main__")
        except (ValueError, OverflowError) as refused:
            return None, str(refused)
    return out.getvalue(), None


def compare(module, folder):
    """The checker's bounds, turn by turn: no unit below what is computed anew, and at most a unit a turn above."""
    path = folder / "sound"
    path.write_text(written(strategies()))
    found = list(module["check"](*module["read"](path)[:3], module["read"](path)[3]))
    better = 0
    for _, bounds in found[-1:]:
        for (ball, cell), least in conceded()[-1].items():
            bound = int(bounds[ball - 2][cell]) << 68
            if not least <= bound <= least + (TURNS << 68):
                sys.exit(f"ball {ball}, cell {cell}: {bound / UNIT} is no bound of {least / UNIT}")
            better += bound < MOST
    if [turn for turn, _ in found] != list(range(1, TURNS + 1)) or better < 20:
        sys.exit(f"{better} bounds below A's best payoff")


def table(folder, name, value):
    """Values of a solved game: of one state that is covered, and of states that are not."""
    path = folder / name
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["a", "b", "ball", "value"])
        rows.writerow([8, 8 + TURNS, -1, value])
        # Without points of A; with too few of B; with a ratio beyond the last cell.
        rows.writerows([[0, 100, 0, 2], [8, TURNS, 0, 2], [400, 10, 0, 2]])
    return path


def main(folder):
    """Prints the number of files on which the checker says what it should."""
    folder.mkdir(parents=True, exist_ok=True)
    module = runpy.run_path(str(CHECKER))
    compare(module, folder)
    # The state 8:14@-1 is in the middle cell's upper neighbour after six turns, or a cell above for the reserve.
    last = conceded()[-1][1, MIDDLE + 1] / UNIT
    out, refused = said(folder / "sound", table(folder, "true.csv", last - 1e-6))
    if refused or "1 values compared" not in out or f"{STEPS} steps, {TURNS} turns; for every N >= 28 the value" not in out:
        sys.exit(f"a sound file: {refused or out}")
    _, refused = said(folder / "sound", table(folder, "false.csv", last + 1e-6))
    if "8:14@-1 is worth" not in (refused or ""):
        sys.exit(f"a value above its bound: {refused}")
    count = 2
    for name, text, words in forged():
        path = folder / "forged"
        path.write_text(text)
        out, refused = said(path)
        if words not in (refused or ""):
            sys.exit(f"{name}: {refused or out}")
        count += 1
    print(count)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
