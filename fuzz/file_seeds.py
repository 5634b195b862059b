#!/usr/bin/env python3
"""Write the seeds of the corpora of table files, policies, saved trainings and texts: small ones, and with one thing broken.

    cargo build --release && python3 fuzz/file_seeds.py target/release/pencil-tennis

Seeds whose names begin with "refused" break one rule of a format each; tests/library/fuzzing expects them to be refused and all
others to be accepted. A checksum that no longer fits is not what is broken: the targets try every input with fitting ones, too.
"""

import io
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "tests" / "corpus"

TABLES = {
    "tennis-1": ["1"],
    "tennis-3": ["3"],
    "tennis-2-4": ["2:4"],
    "bounds-5": ["5", "--strategies", "again"],
    "footsteps-3": ["3", "--motion", "step", "--scoring", "1,0,0,0,-1"],
    "lopsided-2-3": ["2:3", "--field", "1", "--scoring", "1,1/2,1/3,0,-2"],
    "tableau-2": ["2", "--method", "tableau"],
    "bounds-wide-1": ["1", "--field", "5", "--strategies", "again"],
}

# Name: a change of the table file tennis-1: place, layout and what is put there.
BROKEN_TABLE = {
    "refused-magic": (0, "<B", 0),
    "refused-version": (8, "<I", 2),
    "refused-field": (12, "<I", 0),
    "refused-motion": (16, "<B", 2),
    "refused-mirror": (17, "<B", 2),
    "refused-no-points": (18, "<I", 0),
    "refused-promise": (18, "<IIqqqqqqqqqqBBI", 65535, 65535, 2, 1, 1, 1, 0, 1, -1, 1, -2, 1, 0, 1, 131070),
    "refused-denominator": (34, "<q", 0),
    "refused-method": (106, "<B", 3),
    "refused-strategies": (107, "<B", 2),
    "refused-layers": (108, "<I", 3),
    "refused-crossed-bounds": (124, "<qq", 1, 0),
    "refused-huge-bounds": (124, "<qq", -2**63, 2**63 - 1),
}

LEARNERS = ["simple", "extended", "rm", "rm-plus", "cfr-plus", "fictitious", "exponential", "outcome"]

# Name: a change of the training of `simple` with 2 points: the word and what is put there.
BROKEN_TRAINING = {
    "refused-version": (0, 0),
    "refused-learner": (1, 99),
    "refused-no-points": (2, 0),
    "refused-points": (2, 201),
    "refused-other-points": (2, 3),
    "refused-field": (4, 0),
    "refused-motion": (5, 2),
    "refused-denominator": (7, 0),
    "refused-lopsided": (6, 3),
    "refused-reward": (16, 2),
    "refused-every": (19, 0),
    "refused-middle": (20, 0x7FF8_0000_0000_0000),
    "refused-games": (25, 2**63),
    "refused-waiting": (28, 2**40),
    "refused-weight-0": (29, 0),
}


def run(program, *arguments):
    """Run the program without a word."""
    subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def tables(program, folder):
    """Table files, a broken one for each rule, and the checkpoints of a solve."""
    out = CORPUS / "tables"
    for name, arguments in TABLES.items():
        run(program, "solve", *arguments, "--save", out / name)
    whole = (out / "tennis-1").read_bytes()
    for name, (place, layout, *numbers) in BROKEN_TABLE.items():
        broken = bytearray(whole)
        struct.pack_into(layout, broken, place, *numbers)
        (out / name).write_bytes(broken)
    (out / "refused-half").write_bytes(whole[: len(whole) // 2])
    (out / "refused-additional-byte").write_bytes((out / "bounds-wide-1").read_bytes() + b"\0")
    # A checkpoint of no layer at all, and one of a layer: header, bounds and bases of the first states.
    table = (out / "bounds-5").read_bytes()
    header = bytearray(table[:120])
    struct.pack_into("<I", header, 108, 0)
    struct.pack_into("<Q", header, 112, 0)
    parts = [bytes(header), b"", b""]
    (out / "checkpoint-0").write_bytes(b"".join(part + struct.pack("<I", zlib.crc32(part)) for part in parts))


def npy(descriptor, shape, numbers):
    """An array for numpy."""
    header = f"{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    layout = {"<f8": "<d", "<f4": "<f", ">f4": ">f", "|u1": "B", "<i2": "<h"}[descriptor]
    data = b"".join(struct.pack(layout, number) for number in numbers)
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def archive(**arrays):
    """An archive of arrays, not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive_:
        for name, array in arrays.items():
            archive_.writestr(zipfile.ZipInfo(name + ".npy"), array)
    return out.getvalue()


def policies(program, folder):
    """Policies of every format for 2 points each, or for 2:1 points on a field of 1."""
    out = CORPUS / "policies"
    small = ["2:1", "--field", "1", "--motion", "step"]
    for name, game in (("tennis-2", ["2"]), ("step-2-1", small)):
        for ending in ("csv", "json", "npz"):
            run(program, "export", "policy", *game, "-o", out / f"{name}.{ending}")
    for ending in ("csv", "npz"):
        run(program, "export", "weights", "2", "-o", out / f"weights-2.{ending}")
    rows = (out / "step-2-1.csv").read_text().splitlines(keepends=True)
    one = [row for row in rows if ",B," not in row]
    (out / "one-player.csv").write_text("".join(one))
    header, *body = one

    def changed(name, place, row):
        (out / name).write_text("".join([header, *body[:place], row, *body[place + 1 :]]))

    last = len(body) - 1
    changed("refused-sum.csv", last, body[last].rsplit(",", 1)[0] + ",0.125\n")
    changed("refused-negative.csv", last, body[last].rsplit(",", 1)[0] + ",-1\n")
    changed("refused-infinite.csv", last, body[last].rsplit(",", 1)[0] + ",inf\n")
    changed("refused-twice.csv", last, body[last - 1])
    changed("refused-ball.csv", last, "2,1,7,A,1,1\n")
    changed("refused-account.csv", last, "3,1,0,A,1,1\n")
    changed("refused-player.csv", last, "2,1,1,C,1,1\n")
    changed("refused-fields.csv", last, "2,1,1\n")
    changed("refused-long-text.csv", last, "2,1,1," + 500 * "AB" + ",1,1\n")
    changed("refused-control-characters.csv", last, '2,1,1,"A\n\x1b[31mB",1,1\n')
    (out / "refused-missing.csv").write_text("".join([header, *body[:-3]]))
    (out / "refused-header.csv").write_text("".join([header.replace("bid", "big"), *body]))
    (out / "refused-player.json").write_text(
        '[{"a": 0, "b": 0, "ball": 0, "player": "' + 500 * "N" + '", "bid": 0, "probability": 1}]\n'
    )
    (out / "refused-nested.json").write_text(200 * "[" + 200 * "]")
    matrix = (out / "weights-2.csv").read_text().splitlines(keepends=True)
    (out / "refused-row-missing.csv").write_text("".join(matrix[:-1]))
    (out / "refused-column-missing.csv").write_text("".join([*matrix[:-1], "0,1\n"]))
    (out / "refused-word.csv").write_text("".join([*matrix[:-1], "0," + 300 * "one" + ",1\n"]))
    (out / "refused-weights-0.csv").write_text("".join([*matrix[:-1], "0,0,0\n"]))
    # Arrays as such: the target puts them into archives, whose own checksums no fuzzer finds.
    even = [float(bid in range(min(own, 1), own + 1)) for own in range(3) for _ in range(15) for bid in range(3)]
    for descriptor in ("<f8", "<f4", ">f4", "|u1", "<i2"):
        name = "weights-" + descriptor.strip("<>|") + ("-swapped" if descriptor[0] == ">" else "")
        numbers = even if "f" in descriptor else [int(number) for number in even]
        (out / f"{name}.npy").write_bytes(npy(descriptor, (45, 3), numbers))
    sure = [float(bid == min(own, 1)) for own in range(3) for _ in range(6) for bid in range(3)]
    (out / "policy_a.npy").write_bytes(npy("<f8", (3, 2, 3, 3), sure))
    (out / "sure.npz").write_bytes(archive(policy_a=npy("<f8", (3, 2, 3, 3), sure)))
    (out / "refused-shape.npy").write_bytes(npy("<f8", (45, 4), even))
    (out / "refused-empty.npy").write_bytes(npy("<f8", (45, 0), []))
    (out / "refused-promise.npy").write_bytes(npy("<f8", (10**9, 3), even))
    (out / "refused-overflow.npy").write_bytes(npy("<f8", (2**63, 2**63), even))
    (out / "refused-name.npz").write_bytes(archive(policy_c=npy("<f8", (3, 2, 3, 3), sure)))
    whole = (out / "sure.npz").read_bytes()
    (out / "refused-half.npz").write_bytes(whole[: len(whole) // 2])
    (out / "refused-nothing.csv").write_bytes(b"")


def trainings(program, folder):
    """Trainings of every learner, as the content before their checksum."""
    out = CORPUS / "trainings"
    for learner in LEARNERS:
        saved = Path(folder) / learner
        run(program, "train", learner, "2", "--games", "50", "--save", saved)
        (out / learner).write_bytes(saved.read_bytes()[:-4])
    options = ["--every", "7", "--loss", "1", "--rare", "3", "--middle", "0.5", "--forget", "20", "--close"]
    run(program, "train", "extended", "2", "--field", "1", "--games", "50", *options, "--save", Path(folder) / "options")
    (out / "options").write_bytes((Path(folder) / "options").read_bytes()[:-4])
    whole = (out / "simple").read_bytes()
    for name, (word, number) in BROKEN_TRAINING.items():
        broken = bytearray(whole)
        struct.pack_into("<Q", broken, 8 * word, number)
        (out / name).write_bytes(broken)
    (out / "refused-word-missing").write_bytes(whole[:-8])
    (out / "refused-word-too-many").write_bytes(whole + bytes(8))

# Name: the text of a written game.
GAMES = {
    "ended": "# rules: field 2 motion net scoring two-one\n0 4 3 -2\n1 2 1 2 2 1\n2 2 2 0 0 1\n",
    "goes-on": "0 4 3 -2\n1 2 2 2 1 -2\n",
    "not-begun": "\n# a comment\n0 50 50 0",
    "hit-out": "# rules: field 1 motion step scoring 1,0,0,0,-1\n0 2 1 1\n1 2 1 0 0 2\n",
    "thirds": "# rules: field 3 motion net scoring 1/3,0.25,0,-0.25,-1/3\r\n0 3 3 -3\r\n1 1 1 2 2 -3\r\n2 2 1 0 1 1\r\n",
    "empty-account": "0 0 2 0\n1 0 1 0 1 -1\n2 0 1 0 0 -2\n",
    "win-loss": "#rules\n# rules:   field 99  motion step scoring win-loss\n0 1 1 99\n1 1 1 0 0 99\n",
    "signs": "0 +1 +2 +1\n+1 1 2 0 0 -1\n",
    "refused-no-start": "# rules: field 2 motion net scoring two-one\n",
    "refused-rules": "# rules: field 0 motion net scoring two-one\n0 1 1 0\n",
    "refused-scoring": "# rules: field 2 motion net scoring 1,2,3\n0 1 1 0\n",
    "refused-payoff": "# rules: field 2 motion net scoring 1/0,0,0,0,-1\n0 1 1 0\n",
    "refused-words": "# rules: field 2 motion net\n0 1 1 0\n",
    "refused-ball": "0 1 1 3\n",
    "refused-points": "0 -1 1 0\n",
    "refused-turn": "0 2 2 0\n2 1 1 1 1 0\n",
    "refused-bid": "0 2 2 0\n1 0 1 2 1 -1\n",
    "refused-account": "0 2 2 0\n1 3 1 0 1 1\n",
    "refused-after": "0 2 2 0\n1 1 1 1 1 1\n",
    "refused-over": "0 1 1 0\n1 1 1 0 0 0\n2 0 0 0 0 0\n",
    "refused-numbers": "0 2 2 0\n1 1 1 1 1\n",
    "refused-huge": "0 99999999999999999999 1 0\n",
    "refused-control-characters": "0 2 2 0\n1 1 1 \x1b[31m 1 0\n",
    "refused-long": "0 2 2 0\n" + 500 * "ten " + "\n",
}

# Name: a policy of A in JSON for 1:1 points on a field of 1, changed in one place.
POLICIES = {
    "policy.json": ("", ""),
    "policy-spaces.json": (":", " :\t"),
    "policy-exponent.json": ("1.0", "1e0"),
    "refused-sum.json": ("1.0", "0.5"),
    "refused-negative.json": ("1.0", "-1.0"),
    "refused-infinite.json": ("1.0", "1e999"),
    "refused-string.json": ("1.0", '"one"'),
    "refused-name.json": ("bid", "bet"),
    "refused-player.json": ('"A"', '"C"'),
    "refused-open.json": ("]", ""),
}


def texts(_program, _folder):
    """Written games and policies in JSON."""
    out = CORPUS / "texts"
    for name, text in GAMES.items():
        (out / name).write_bytes(text.encode())
    rows = [
        {"a": a, "b": b, "ball": ball, "player": "A", "bid": a, "probability": 1.0}
        for a in (0, 1) for b in (0, 1) for ball in (-1, 0, 1)
    ]
    whole = json.dumps(rows, separators=(",", ":"))
    for name, (old, new) in POLICIES.items():
        (out / name).write_text(whole.replace(old, new) if old else whole)


def main(program):
    """Write all seeds."""
    with tempfile.TemporaryDirectory() as folder:
        for write in (tables, policies, trainings, texts):
            (CORPUS / write.__name__).mkdir(parents=True, exist_ok=True)
            write(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
