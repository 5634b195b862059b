"""Compare three checkers on certificates and on damaged copies of them.

    python3 coq/extracted/compare.py FOLDER PROGRAM

FOLDER holds sound certificates; PROGRAM is pencil-tennis. The seeds of the fuzzer are looked at, too, and certificates that favour
a player, from `limit`. Of every file the checkers have to write the same table or refuse, all three; the extracted checker and
check_certificate.py in the same words. The bounds at all multiples that the extracted checker computes from two certificates are
compared with those of their tables and with what `limit` prints.
"""

import contextlib
import importlib.util
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECK = ROOT / "coq/extracted/check"
# Other versions and motions.
FOREIGN = [(0, 0), (1, 0), (1, 1), (1, 2), (1, 4), (2, 0), (2, 2), (2, 3), (2, 4), (3, 0), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6),
           (3, 7), (3, 8), (3, 9), (3, 10), (3, 255), (4, 4)]
# Arguments of `limit`: with antisymmetric and other payoffs, with equal and unequal points.
LIMITS = {
    "limit-7": ["7"],
    "limit-30": ["30"],
    "limit-of-step": ["8:5", "--field", "3", "--motion", "step", "--scoring", "1,1/2,1/3,0,-2"],
    "limit-of-nothing": ["3:2", "--scoring", "0,0,0,0,0"],
}
DAMAGED = 20  # copies of every certificate that is small


def with_bytes(data, rng):
    """A copy with one or two bytes changed, left out or added."""
    content = bytearray(data)
    for _ in range(rng.randint(1, 2)):
        place = rng.randrange(len(content))
        match rng.randrange(4):
            case 0:
                content[place] = rng.randrange(256)
            case 1:
                content[place] ^= 1 << rng.randrange(8)
            case 2:
                del content[place]
            case 3:
                content.insert(place, rng.randrange(256))
    return bytes(content)


def damaged(data, rng):
    """The same of a certificate, mostly with a checksum that fits again."""
    content = with_bytes(data[:-4], rng)
    checksum = zlib.crc32(content) if rng.random() < 0.95 else rng.getrandbits(32)
    return content + checksum.to_bytes(4, "little")


def foreign(data):
    """Copies with other versions and motions, each with a checksum that fits."""
    for version, motion in FOREIGN:
        content = bytearray(data[:-4])
        content[8], content[16] = version, motion
        yield f"version {version}, motion {motion}", bytes(content) + zlib.crc32(content).to_bytes(4, "little")


def with_payoffs(data, payoffs):
    """A certificate with other payoffs: fractions with the denominators that they are written with."""
    content = bytearray(data[:-4])
    content[26:106] = b"".join(number.to_bytes(8, "little", signed=True) for payoff in payoffs for number in payoff)
    return bytes(content) + zlib.crc32(content).to_bytes(4, "little")


def files(*folders):
    """All names with the contents of the file."""
    rng = random.Random(26)
    for path in sorted(path for folder in folders for path in folder.iterdir()):
        data = path.read_bytes()
        yield path.name, data
        for size in (0, 3, 8, 109, 110, len(data) // 2, len(data) - 1):
            yield f"{path.name} cut to {size} bytes", data[:size]
        for index in range(DAMAGED if len(data) < 20000 else 0):
            yield f"{path.name}, damaged copy {index}", damaged(data, rng)
        if len(data) < 20000:
            for change, copy in foreign(data):
                yield f"{path.name}, {change}", copy
    for path in sorted((ROOT / "tests/corpus/verify").iterdir()):
        yield path.name, path.read_bytes()


def run(command, **options):
    """Exit status, standard output and standard error of a command."""
    done = subprocess.run(command, capture_output=True, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def python_checker(name):
    """A module of docs, to be called here: to start Python for each file would take most of the time."""
    specification = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    found = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(found)
    return found


PYTHON_CHECKER = python_checker("check_certificate")


def run_python_checker(file, table):
    """Exit status and standard error of check_certificate.py."""
    words = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(words):
        status = PYTHON_CHECKER.main([str(file), str(table)])
    return status, words.getvalue().encode()


def compare(name, file, program, table):
    """Whether a file is accepted, which all who know its version have to agree on; ends the program where they do not."""
    coq, rows, words = run([CHECK, file])
    seen = {"extracted": (coq, rows if coq == 0 else words)}
    status, words = run_python_checker(file, table)
    seen["check_certificate.py"] = (status, table.read_bytes() if status == 0 else words)
    status, _, _ = run([program, "verify", file, "--bounds", table])
    # Its error messages differ.
    seen["verify"] = (status, table.read_bytes() if status == 0 else seen["check_certificate.py"][1])
    if len(set(seen.values())) > 1:
        lines = [f"{who}: {status} {said[:200]}" for who, (status, said) in seen.items()]
        sys.exit("\n".join([f"{name}: the checkers differ", *lines]))
    return status == 0


# The limit


def limits(program, folder):
    """Write the certificates of all limits; return their names, the files, and what the program prints."""
    for name, arguments in LIMITS.items():
        upper, lower = folder / f"{name}-upper", folder / f"{name}-lower"
        wanted = ["--upper", upper, "--lower", lower, "--format", "json"]
        status, printed, words = run([program, "tennis", "limit", *arguments, *wanted])
        if status != 0:  # The mirror image of the upper game is no game of its own.
            status, printed, words = run([program, "tennis", "limit", *arguments, "--upper", upper, "--format", "json"])
        if status != 0:
            sys.exit(f"{name}: {words.decode()}")
        yield name, upper, lower if lower.exists() else None, json.loads(printed)


def table_of(file, table):
    """The bounds of a certificate by position, as check_certificate.py computes them, and the exponent."""
    status, words = run_python_checker(file, table)
    if status != 0:
        sys.exit(f"{file}: {words.decode()}")
    rows = [tuple(map(int, line.split(","))) for line in table.read_text(encoding="ascii").splitlines()[1:]]
    return {row[:3]: row[3:5] for row in rows}, rows[0][5]


def joined(upper, lower, table):
    """The bounds at all multiples by the tables of both certificates: upper and lower bounds, or upper ones and their images."""
    above, exponent = table_of(upper, table)
    if lower is None:
        below = {(a, b, x): -above[b, a, -x][1] for a, b, x in above if (b, a, -x) in above}
    else:
        below = {position: bounds[0] for position, bounds in table_of(lower, table)[0].items()}
    return {position: (below[position], above[position][1]) for position in sorted(above)
            if position in below and position[:2] != (0, 0)}, exponent


def prints(printed, bounds, exponent):
    """Whether `limit` prints these bounds, below 10, rounded outward to 18 digits."""
    lower, upper = (Fraction(bound, 2**exponent) for bound in bounds)
    below, above = (Fraction(printed["decimal"][side]) for side in ("lower", "upper"))
    last = Fraction(1, 10**17)
    return below <= lower < below + last and above - last < upper <= above


def compare_limit(name, files_of, printed, table):
    """Ends the program unless the extracted checker joins two certificates as their tables do, and the program prints these bounds."""
    upper, lower = files_of
    bounds, exponent = joined(upper, lower, table)
    status, rows, words = run([CHECK, "--limit", upper, *([lower] if lower else [])])
    lines = [f"{a},{b},{x},{low},{high},{exponent}" for (a, b, x), (low, high) in bounds.items()]
    if status != 0 or rows.decode() != "\n".join(["a,b,ball,lower,upper,exponent", *lines, ""]):
        sys.exit(f"{name}: other bounds at all multiples, {words.decode()}")
    a, b = printed["rules"]["points"]
    for ball in printed["balls"]:
        x = int(ball["state"].split("@")[1])
        if not prints(ball, bounds[a, b, x], exponent):
            sys.exit(f"{name}: `limit` prints other bounds at {ball['state']}")
        few = a - 1
        if a == b and not prints(ball["all"], (bounds[few, few + 1, x][0], bounds[few + 1, few, x][1]), exponent):
            sys.exit(f"{name}: `limit` prints other bounds of all accounts from {ball['state']} on")


def refused_limits(upper, lower, plain, work):
    """Sound certificates that bound nothing together, each with the words that refuse them."""
    unnatural, natural = work / "unnatural", work / "natural"
    data = upper.read_bytes()
    unnatural.write_bytes(with_payoffs(data, [(-2, 1), (-1, 1), (0, 1), (1, 1), (2, 1)]))
    natural.write_bytes(with_payoffs(data, [(3, 1), (1, 1), (0, 1), (-1, 1), (-2, 1)]))
    yield "the first certificate does not favour A", [lower]
    yield "the first certificate does not favour A", [plain]
    yield "the second certificate does not favour B", [upper, upper]
    yield "the second certificate does not favour B", [upper, plain]
    yield "the payoffs do not rank the ends in their natural order", [unnatural]
    yield "the certificates have different rules", [natural, lower]
    yield "the scoring is not antisymmetric, so that a certificate that favours B is needed", [natural]


def compare_limits(program, folder, plain, work):
    """Compare all bounds at multiples; return how many limits there were, and how many pairs that are refused."""
    for name, upper, lower, printed in limits(program, folder):
        compare_limit(name, (upper, lower), printed, work / "table.csv")
    refused = 0
    for words, pair in refused_limits(folder / "limit-7-upper", folder / "limit-of-step-lower", plain, work):
        status, rows, said = run([CHECK, "--limit", *pair])
        if (status, rows, said.decode()) != (1, b"", f"refused: {words}\n"):
            sys.exit(f"{words}: {status} {said.decode()}")
        refused += 1
    return len(LIMITS), refused


def main(folder, program):
    """Compare on all files and say how many there were."""
    count = {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as favoured:
        folder, work, favoured = pathlib.Path(folder), pathlib.Path(work), pathlib.Path(favoured)
        plain = min(folder.iterdir())
        joined_pairs, refused_pairs = compare_limits(program, favoured, plain, work)
        print(f"{joined_pairs} limits have the bounds that `limit` prints; {refused_pairs} pairs of certificates are refused")
        file, table = work / "file", work / "table.csv"
        for name, data in files(folder, favoured):
            file.write_bytes(data)
            count[compare(name, file, program, table)] += 1
    print(f"the checkers agree on {count[True]} certificates and on {count[False]} files that they refuse")


if __name__ == "__main__":
    main(*sys.argv[1:])
