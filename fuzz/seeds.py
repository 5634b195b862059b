#!/usr/bin/env python3
"""Write the seeds of the fuzzer's corpus: certificates of small games, with their checksum and without.

    cargo build --release && python3 fuzz/seeds.py target/release/pencil-tennis

The target tries every input with a fitting checksum, too, so that one without is what changes best. Half of the seeds are
written by the solver, half of them here, from docs/certificate.md: all bids of every state, in irregular proportions. Seeds
whose names begin with "refused" break one rule of the format each, and tests/library/fuzzing expects them to be refused.
"""

import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "verify"
WHOLE = 2**62

WRITTEN = {
    "tennis-1": ["1"],
    "tennis-3": ["3"],
    "tennis-5": ["5"],
    "tennis-2-5": ["2:5"],
    "footsteps-4": ["4", "--motion", "step", "--scoring", "1,0,0,0,-1"],
    "oshi-zumo-3-2": ["3:2", "--field", "3", "--motion", "step", "--scoring", "win-loss"],
    "skewed-4-3": ["4:3", "--field", "1", "--scoring", "1,1/2,1/3,0,-2"],
    "wide-1": ["1", "--field", "20"],
    "tiny-payoffs-3": ["3", "--field", "1", "--scoring", "1/1000000007,1/1000000009,0,-1/3,-1/1152921504606846976"],
    "huge-payoffs-3": ["3", "--field", "1", "--scoring", "1152921504606846976,7,0,-7,-1152921504606846976"],
    "zero-payoffs-2": ["2", "--field", "1", "--scoring", "0,0,0,0,0"],
}

# Name: field, motion, mirror, points of A and B, payoffs.
MIXED = {
    "mixed-tennis-2": (2, 0, 1, 2, 2, (2, 1, 0, -1, -2)),
    "mixed-tennis-3": (2, 0, 1, 3, 3, (2, 1, 0, -1, -2)),
    "mixed-plain-3-2": (1, 0, 0, 3, 2, (2, 1, 0, -1, -2)),
    "mixed-step-4-3": (1, 1, 1, 4, 3, (1, 1, 0, -1, -1)),
    "mixed-disordered-2-3": (1, 1, 0, 2, 3, (-3, 5, 1, 4, 2)),
}

# Name: a change of the content of a mixed certificate of 1:2 points, field 1: place, layout and what is put there.
BROKEN = {
    "refused-version": (8, "<I", 2),
    "refused-field-0": (12, "<I", 0),
    "refused-field-100": (12, "<I", 100),
    "refused-motion": (16, "<B", 2),
    "refused-mirror": (17, "<B", 2),
    "refused-no-points": (18, "<I", 0),
    "refused-too-many-points": (18, "<II", 65_536, 2),
    "refused-promise": (18, "<II", 65_535, 65_535),
    "refused-lowest-terms": (26, "<qq", 4, 2),
    "refused-denominator-0": (26, "<qq", 2, 0),
    "refused-denominator-negative": (26, "<qq", -2, -1),
    "refused-numerator": (26, "<qq", 2**60 + 1, 1),
    "refused-least-integer": (26, "<qq", -2**63, 1),
    # The first state, 0:1@-1: bid 0 of A, bid 1 of B.
    "refused-no-bid": (106, "<H", 0),
    "refused-too-many-bids": (106, "<HH", 2, 0),
    "refused-bid-0": (112, "<H", 0),
    "refused-bid-2": (112, "<H", 2),
    # The state 0:2@-1: bids 1 and 2 of B.
    "refused-falling-bids": (158, "<HHQH", 2, 2, WHOLE // 2, 1),
    "refused-equal-bids": (158, "<HHQH", 2, 2, WHOLE // 2, 2),
    "refused-weight-0": (162, "<Q", 0),
    "refused-weight-whole": (162, "<Q", WHOLE),
    "refused-weight-above": (162, "<Q", WHOLE + 1),
    "refused-weight-all-ones": (162, "<Q", 2**64 - 1),
}


def mixed(field, motion, mirror, most_a, most_b, payoffs):
    """The content of a certificate in which everybody bids everything."""
    numbers = [number for payoff in payoffs for number in (payoff, 1)]
    content = struct.pack("<8sIIBBII10q", b"TENNISPF", 1, field, motion, mirror, most_a, most_b, *numbers)
    for total in range(1, most_a + most_b + 1):
        for a in range(max(0, total - most_b), min(total, most_a) + 1):
            b = total - a
            for ball in range(-field, field + 1):
                if mirror and b <= most_a and a <= most_b and (a < b or a == b and ball > 0):
                    continue
                for points in (a, b):
                    bids = range(min(points, 1), points + 1)
                    content += struct.pack("<H", len(bids))
                    for bid in bids:
                        content += struct.pack("<H", bid)
                        if bid < bids[-1]:
                            content += struct.pack("<Q", WHOLE // (len(bids) + bid + total) | 1)
    return content


def main(program):
    """Write all seeds."""
    CORPUS.mkdir(parents=True, exist_ok=True)
    for name, arguments in WRITTEN.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            subprocess.run([program, "prove", *arguments, "-o", path], check=True, stdout=subprocess.DEVNULL)
            certificate = path.read_bytes()
        (CORPUS / f"{name}.content").write_bytes(certificate[:-4])
        if len(certificate) < 1000:
            (CORPUS / name).write_bytes(certificate)
    for name, game in MIXED.items():
        content = mixed(*game)
        (CORPUS / f"{name}.content").write_bytes(content)
        if len(content) < 1000:
            (CORPUS / name).write_bytes(content + struct.pack("<I", zlib.crc32(content)))
    content = mixed(1, 0, 0, 1, 2, (2, 1, 0, -1, -2))
    for name, (place, layout, *numbers) in BROKEN.items():
        broken = bytearray(content)
        struct.pack_into(layout, broken, place, *numbers)
        (CORPUS / name).write_bytes(broken)
    (CORPUS / "refused-additional-byte").write_bytes(content + b"\0")
    (CORPUS / "refused-missing-byte").write_bytes(content[:-1])
    (CORPUS / "refused-mirror-of-a-lopsided-game").write_bytes(mixed(1, 0, 1, 2, 2, (2, 1, 1, -1, -2)))


if __name__ == "__main__":
    main(*sys.argv[1:])
