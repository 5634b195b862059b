"""Opens the program's files with numpy, and lets the program read numpy's files.

Usage: check_policies.py FOLDER PROGRAM..., for example check_policies.py /tmp cargo run --release --quiet --
"""

import csv
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy

FOLDER, PROGRAM = Path(sys.argv[1]), sys.argv[2:]
FIELD = 2


def run(*arguments):
    """The output of the program."""
    return subprocess.run([*PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def exploit(path, points):
    """The program's report on a policy."""
    return json.loads(run("exploit", path, "--points", points, "--format", "json"))


def check_arrays():
    """The arrays have the documented axes and the contents of the table."""
    run("export", "policy", "12:9", "--format", "npz", "-o", FOLDER / "policy.npz")
    arrays = dict(numpy.load(FOLDER / "policy.npz"))
    assert sorted(arrays) == ["policy_a", "policy_b"], arrays.keys()
    expected = {name: numpy.zeros((13, 10, 5, 13)) for name in arrays}
    for row in csv.DictReader(run("export", "policy", "12:9").splitlines()):
        a, b, ball, bid = (int(row[name]) for name in ("a", "b", "ball", "bid"))
        expected["policy_" + row["player"].lower()][a, b, FIELD + ball, bid] = float(row["probability"])
    for name, array in arrays.items():
        assert array.dtype == numpy.float64 and array.shape == (13, 10, 5, 13), (array.dtype, array.shape)
        assert numpy.array_equal(array, expected[name]), name
        assert numpy.abs(array.sum(axis=3) - 1).max() < 1e-15, name
    return arrays


def check_copies(arrays):
    """The program reads every form of the arrays that numpy writes."""
    for name, change, save, largest in [
        ("copy", lambda array: array, numpy.savez, 1e-15),
        ("single", lambda array: array.astype(numpy.float32), numpy.savez_compressed, 1e-6),
        ("fortran", numpy.asfortranarray, numpy.savez, 1e-15),
        ("big_endian", lambda array: array.astype(">f8"), numpy.savez, 1e-15),
    ]:
        path = FOLDER / f"{name}.npz"
        save(path, **{name: change(array) for name, array in arrays.items()})
        report = exploit(path, "12:9")
        assert report["exploitability"] < largest, (name, report["exploitability"])


def check_uniform():
    """A policy and a matrix of counts that never saw the program have the known best response."""
    a, b, ball, bid = numpy.indices((11, 11, 5, 11))
    known = 1420361 / 725760
    legal = [numpy.where(points > 0, (bid >= 1) & (bid <= points), bid == 0) for points in (a, b)]
    policy_a, policy_b = (array / array.sum(axis=3, keepdims=True) for array in legal)
    numpy.savez(FOLDER / "uniform.npz", policy_a=policy_a, policy_b=policy_b)
    counts = 7 * legal[0].reshape(-1, 11)
    numpy.savez(FOLDER / "weights.npz", weights=counts.astype(numpy.int32))
    numpy.savetxt(FOLDER / "weights.csv", counts, delimiter=",", fmt="%d")
    for name in ("uniform.npz", "weights.npz", "weights.csv"):
        best = exploit(FOLDER / name, "10")["best_response_value"]
        assert abs(best["a"] - known) < 1e-15 and abs(best["b"] + known) < 1e-15, (name, best)


def check_weights():
    """The matrix has a row for every state: own points, the opponent's, the ball."""
    run("export", "weights", "12", "--format", "npz", "-o", FOLDER / "matrix.npz")
    run("export", "policy", "12", "--format", "npz", "-o", FOLDER / "twelve.npz")
    weights = numpy.load(FOLDER / "matrix.npz")["weights"]
    policy = numpy.load(FOLDER / "twelve.npz")
    assert weights.shape == (13 * 13 * 5, 13), weights.shape
    assert numpy.array_equal(weights, policy["policy_a"].reshape(weights.shape))
    # B bids as A would at the mirror image.
    assert numpy.array_equal(policy["policy_b"], policy["policy_a"].transpose(1, 0, 2, 3)[:, :, ::-1])
    rows = run("export", "weights", "12").splitlines()
    assert numpy.array_equal(weights, numpy.loadtxt(rows, delimiter=","))


def check_damaged():
    """Headers that promise missing data are rejected with a sentence, soon, and without much memory."""
    nested = "{'descr': " + "[" * 400 + "]" * 400 + ", 'fortran_order': False, 'shape': (3, 3, 5, 3)}"
    shaped = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s)}"
    shapes = ["3, 3, 5, 3", f"0, {2**63 - 1}, {2**63 - 1}, 4", f"{2**62}, 4, 1, 1", f"{10**12}, 1, 1, 1", "-1, 1, 1, 1", ""]
    for header in [nested, *(shaped % shape for shape in shapes)]:
        with zipfile.ZipFile(FOLDER / "damaged.npz", "w") as archive:
            array = b"\x93NUMPY\x02\x00" + struct.pack("<I", len(header) + 1) + header.encode() + b"\n"
            archive.writestr("policy_a.npy", array)
        command = [*PROGRAM, "exploit", FOLDER / "damaged.npz", "--points", "2"]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert refused.returncode == 1 and "not a policy: the array policy_a: " in refused.stderr, (header[:80], refused)


check_copies(check_arrays())
check_uniform()
check_weights()
check_damaged()
print("numpy", numpy.__version__, "and the program understand each other")
