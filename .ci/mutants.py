#!/usr/bin/env python3
"""Changes of what proves and checks, each of which a test has to notice: the list `.ci/mutants.json`.

    .ci/mutants.py               a sample, spread over the list
    .ci/mutants.py all           the full size: two and a half seconds each on two quiet cores, once it is built
    .ci/mutants.py WORD...       those whose file or rule has the word in it

A mutant is a text of a file and what takes its place. It is looked for in all of a folder, so that a file may move; it has to be
there once. Harmless ones stand there with the reason, and are not run. Whatever is chosen, the whole list is compared with the
files first. All is done in a copy below target/, and built without optimisation, but as a release counts: what overflows wraps.
"""

import functools
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import venv
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
# The crates below the library, with the features of their unit tests.
CRATES = {"matrix-game": "threads", "stochastic-game": "files,threads"}


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


@functools.cache
def texts(within):
    """The texts of a file, or of all Rust files of a folder."""
    folder = TREE / within
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.rs"))
    return {path: path.read_text() for path in files}


def place(mutant):
    """The files in which a mutant's text is, each as often as it is there."""
    found = texts(mutant["in"]).items()
    return [path for path, text in found for _ in range(text.count(mutant["text"]))]


def faults(listed):
    """Entries that change nothing: their text is not there exactly once, or nothing takes its place; harmless ones as well."""
    for mutant in listed:
        name, count = f"{mutant['in']}: {mutant['rule']}", len(place(mutant))
        if count != 1:
            yield f"{name}: its text is there {count} times; expected once"
        if mutant["text"] == mutant["becomes"]:
            yield f"{name}: its text becomes the same"
        if not mutant["tests"] and "harmless" not in mutant:
            yield f"{name}: it has no tests, and no reason why it is harmless"


@functools.cache
def python():
    """A Python that has numpy, which some checkers use: this one, or one of an environment of its own."""
    if importlib.util.find_spec("numpy"):
        return sys.executable
    folder = TREE.parent / "venv"
    found = folder / "bin" / "python"
    if not found.exists():
        venv.create(folder, with_pip=True)
        pip = [found, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", ROOT / "python" / "requirements.txt"], check=True)
    return str(found)


def commands(test):
    """How a test is built, and how it runs: of Rust by target or crate, and name, or a program in Python."""
    target, *names = test.split()
    if target.endswith(".py"):
        return None, [python(), "-B", target, str(TREE.parent / "files")]
    if target in CRATES:
        build = ["cargo", "test", "--quiet", *SLIM, CRATES[target], "--package", target, "--lib"]
        return [*build, "--no-run"], [*build, "--", *names]
    choice = ["--package", "pencil-tennis", *(["--lib"] if target == "lib" else ["--test", target])]
    build = ["cargo", "test", "--quiet", *SLIM, "report,threads,lp" if target == "library" else "report,threads", *choice]
    return [*build, "--no-run"], [*build, "--", *names]


def passes(test):
    """Whether a test passes; `None` where it does not compile."""
    build, check = commands(test)
    if build and subprocess.run(build, cwd=TREE, env=ENVIRONMENT, capture_output=True, check=False).returncode:
        return None
    # A session of its own, so that whatever it has started ends with it.
    process = subprocess.Popen(
        check, cwd=TREE, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return not process.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


def run(mutant):
    """What becomes of a mutant: `killed`, `survived`, or `does not compile`."""
    [path] = place(mutant)
    before = texts(mutant["in"])[path]
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
    listed = json.loads((ROOT / ".ci" / "mutants.json").read_text())
    if wrong := list(faults(listed)):
        sys.exit("\n".join(wrong))
    listed = [mutant for mutant in listed if "harmless" not in mutant]
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
