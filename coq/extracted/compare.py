"""Compare three checkers on certificates and on damaged copies of them.

    python3 coq/extracted/compare.py FOLDER PROGRAM

FOLDER holds sound certificates; PROGRAM is pencil-tennis. The seeds of the fuzzer are looked at, too. Of every file the checkers
have to write the same table or refuse, all three; the extracted checker and check_certificate.py in the same words. The extracted checker does not know version 3.
"""

import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNKNOWN = (1, b"refused: version 3 of the format is not known\n")  # Rules that favour a player are beyond the proved checker.
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
    for version, motion in itertools.product(range(4), (0, 1, 2, 3, 4, 255)):
        content = bytearray(data[:-4])
        content[8], content[16] = version, motion
        yield f"version {version}, motion {motion}", bytes(content) + zlib.crc32(content).to_bytes(4, "little")


def files(folder):
    """All names with the contents of the file."""
    rng = random.Random(26)
    for path in sorted(folder.iterdir()):
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


def compare(name, file, program, table):
    """Whether a file is accepted, which all who know its version have to agree on; ends the program where they do not."""
    coq, rows, words = run([ROOT / "coq/extracted/check", file])
    seen = {"extracted": (coq, rows if coq == 0 else words)}
    status, _, words = run([sys.executable, ROOT / "docs/check_certificate.py", file, table])
    seen["check_certificate.py"] = (status, table.read_bytes() if status == 0 else words)
    status, _, _ = run([program, "verify", file, "--bounds", table])
    # Its error messages differ.
    seen["verify"] = (status, table.read_bytes() if status == 0 else seen["check_certificate.py"][1])
    if seen["extracted"] == UNKNOWN:
        del seen["extracted"]
    if len(set(seen.values())) > 1:
        lines = [f"{who}: {status} {said[:200]}" for who, (status, said) in seen.items()]
        sys.exit("\n".join([f"{name}: the checkers differ", *lines]))
    return status == 0


def main(folder, program):
    """Compare on all files and say how many there were."""
    count = {True: 0, False: 0}
    with tempfile.TemporaryDirectory() as work:
        file, table = pathlib.Path(work, "file"), pathlib.Path(work, "table.csv")
        for name, data in files(pathlib.Path(folder)):
            file.write_bytes(data)
            count[compare(name, file, program, table)] += 1
    print(f"the checkers agree on {count[True]} certificates and on {count[False]} files that they refuse")


if __name__ == "__main__":
    main(*sys.argv[1:])
