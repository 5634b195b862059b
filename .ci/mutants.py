#!/usr/bin/env python3
"""Changes of what proves and checks, each of which a test has to notice: the list `.ci/mutants.json`.

    .ci/mutants.py               a sample, spread over the list
    .ci/mutants.py all           the full size: two and a half seconds each on two quiet cores, once it is built
    .ci/mutants.py WORD...       those whose file or rule has the word in it

A mutant is a text of a file and what takes its place. It is looked for in all of a folder, so that a file may move; it has to be
there once. Harmless ones stand there with the reason, and are not run. All is done in a copy below target/, and built without
optimisation, but as a release counts: what overflows wraps.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREE = ROOT / "target" / "mutants" / "tree"
SAMPLE = 6
SECONDS = 900

ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(ROOT / "target" / "mutants"),
    "CARGO_INCREMENTAL": "1",
    "CARGO_PROFILE_DEV_OPT_LEVEL": "0",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_PROFILE_DEV_OVERFLOW_CHECKS": "false",
    "CARGO_PROFILE_DEV_DEBUG_ASSERTIONS": "false",
    # Without optimisation, deep formulas take more than a test's 2 MiB.
    "RUST_MIN_STACK": str(1 << 24),
}
# Dependencies are optimised, the crate and its tests are not.
SLIM = ["--no-default-features", "--config", 'profile.dev.package."*".opt-level=1', "--features"]


def copy():
    """The files of the project as they are here; of those that are the same the copy keeps its own, and its time."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    names = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()}
    for path in [path for path in TREE.rglob("*") if path.is_file() and str(path.relative_to(TREE)) not in names]:
        path.unlink()
    for name in names:
        bytes_here, there = (ROOT / name).read_bytes(), TREE / name
        if not there.exists() or there.read_bytes() != bytes_here:
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(bytes_here)


def place(mutant):
    """The file in which a mutant's text is, and how often."""
    folder = TREE / mutant["in"]
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.rs"))
    return [(path, count) for path in files if (count := path.read_text().count(mutant["text"]))]


def commands(test):
    """How a test is built, and how it runs: of Rust by target and name, or a program in Python."""
    target, *names = test.split()
    if target.endswith(".py"):
        return None, [sys.executable, "-B", target, str(ROOT / "target" / "mutants" / "files")]
    choice = ["--lib"] if target == "lib" else ["--test", target]
    build = ["cargo", "test", "--quiet", *SLIM, "report,threads,lp" if target == "library" else "report,threads", *choice]
    return [*build, "--no-run"], [*build, "--", *names]


def passes(test):
    """Whether a test passes; `None` where it does not compile."""
    build, check = commands(test)
    if build and subprocess.run(build, cwd=TREE, env=ENVIRONMENT, capture_output=True, check=False).returncode:
        return None
    try:
        return not subprocess.run(check, cwd=TREE, env=ENVIRONMENT, capture_output=True, check=False, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        return False


def run(mutant):
    """What becomes of a mutant: `killed`, `survived`, or why it cannot be told."""
    found = place(mutant)
    if len(found) != 1 or found[0][1] != 1:
        return f"its text is there {sum(count for _, count in found)} times"
    path, before = found[0][0], found[0][0].read_text()
    path.write_text(before.replace(mutant["text"], mutant["becomes"]))
    try:
        for test in mutant["tests"]:
            result = passes(test)
            if not result:
                return "does not compile" if result is None else "killed"
        return "survived"
    finally:
        path.write_text(before)


def main(words):
    """All chosen mutants; whether each was killed."""
    copy()
    listed = [mutant for mutant in json.loads((ROOT / ".ci" / "mutants.json").read_text()) if "harmless" not in mutant]
    if words == ["all"]:
        chosen = listed
    elif words:
        chosen = [mutant for mutant in listed if any(word in f"{mutant['in']} {mutant['rule']}" for word in words)]
    else:
        chosen = listed[:: max(1, len(listed) // SAMPLE)]
    for test in sorted({test for mutant in chosen for test in mutant["tests"]}):
        if not passes(test):
            sys.exit(f"without a mutant, {test} fails")
    wrong = 0
    for mutant in chosen:
        begin = time.monotonic()
        result = run(mutant)
        wrong += result != "killed"
        print(f"{result:8} {time.monotonic() - begin:4.0f} s  {mutant['in']}: {mutant['rule']}", flush=True)
    print(f"{len(chosen)} of {len(listed)} mutants, {wrong} of them not killed")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
