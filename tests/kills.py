#!/usr/bin/env python3
"""Kills long work at random moments and compares what becomes of it, byte by byte, with what was not interrupted.

    tests/kills.py PROGRAM [COUNT]      default: 12 kills; the full size: 500 kills, 0 differences, 5 minutes on two quiet cores

Solves, games, models, blind games and trainings with checkpoints are stopped by SIGKILL, SIGINT, SIGTERM, or two signals as `timeout`
sends them, anywhere from the first moment to after the end, and then again. After a signal that can be heard the program has to
end with the status 130 (or 0, if it was finished before), and if it leaves a checkpoint and no result, or bounds that are those so
far, it has to print the command that goes on, which is then run. After SIGKILL the checkpoint is resumed, or the work begun anew if there is none. No temporary
file may be left in the end.
"""

import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Far more seconds than any of the works takes.
PATIENCE = 300

SIGNALS = ["KILL", "INT", "TERM", "TERM TERM"]


def write_game(path):
    """A discounted game of 40 states with 2 to 4 actions, all of one cycle."""
    chance = random.Random(5)
    lines = ['{"format":"stochastic-game","version":1,"kind":"discounted","discount":"999/1000","start":["0"]}']
    count = 40
    for state in range(count):
        sizes = [chance.randint(2, 4) for _ in range(2)]
        names = ["[" + ",".join(f'"{action}"' for action in range(size)) + "]" for size in sizes]

        def cell():
            ways = ",".join(f'["1/2","{chance.randrange(count)}"]' for _ in range(2))
            return f'{{"reward":"{chance.randint(-9, 9)}","to":[{ways}]}}'

        rows = ",".join("[" + ",".join(cell() for _ in range(sizes[1])) + "]" for _ in range(sizes[0]))
        lines.append(f'{{"id":"{state}","a":{names[0]},"b":{names[1]},"cells":[{rows}]}}')
    path.write_text("\n".join(lines) + "\n")


def write_model(path):
    """A process of 7,200 states, which are found in a quarter of a second."""
    path.write_text("""mdp
module first x : [0..59]; [both] x<59 -> 1/3 : (x'=x+1) + 2/3 : true; [] x>0 -> (x'=x-1); endmodule
module second y : [0..59]; [both] y<59 -> 1/(x+2) : true + 1-1/(x+2) : (y'=y+1); [] y>0 -> (y'=y-1); endmodule
module third z : [0..1]; [] true -> (z'=1-z); endmodule
""")


def timeless(path):
    """The rows of a learning curve without the seconds."""
    rows = [line.split(",") for line in path.read_text().splitlines()]
    return "\n".join(",".join(row[:1] + row[2:]) for row in rows).encode()


class Work:
    """A command, what goes on from its checkpoint, and the files that it writes."""

    def __init__(self, name, begin, resume, checkpoint, results, ends_early=False):
        self.name, self.begin, self.resume = name, begin.split(), resume.split()
        self.checkpoint, self.results = checkpoint, results
        # Whether a signal leaves results that are those so far.
        self.ends_early = ends_early
        self.seconds, self.whole = 0.0, {}

    def content(self, folder):
        """The results as they have to be equal; `None` for one that is not there."""
        read = {}
        for name in self.results:
            path = folder / name
            read[name] = (timeless(path) if "curve" in name else path.read_bytes()) if path.exists() else None
        return read


WORKS = [
    Work(
        "solve",
        "solve 130 --save table --checkpoint part --checkpoint-every 0",
        "solve --resume part --checkpoint part --checkpoint-every 0 --save table",
        "part",
        ["table"],
    ),
    Work(
        "solve without --save",
        "solve 100 --strategies again --checkpoint part --checkpoint-every 0",
        "solve --resume part --checkpoint part --checkpoint-every 0",
        None,
        ["part"],
    ),
    Work(
        "solve of another game",
        "solve ../game.jsonl --checkpoint part --checkpoint-every 0 --save table",
        "solve ../game.jsonl --checkpoint part --checkpoint-every 0 --save table --resume part",
        "part",
        ["table"],
        ends_early=True,
    ),
    Work(
        "solve of a model",
        "solve ../model.prism --property Pmax=?[F(x=12)] --checkpoint part --checkpoint-every 0 --save table",
        "solve ../model.prism --property Pmax=?[F(x=12)] --checkpoint part --checkpoint-every 0 --save table --resume part",
        "part",
        ["table"],
        ends_early=True,
    ),
    Work(
        "check",
        "check ../model.prism --property Pmax=?[F<=3(x=9)] --checkpoint part --checkpoint-every 0 --prove answer.proof",
        "check ../model.prism --property Pmax=?[F<=3(x=9)] --checkpoint part --checkpoint-every 0 --prove answer.proof --resume part",
        "part",
        ["answer.proof"],
    ),
    Work(
        "blind",
        "tennis blind 11:9 --gap 1e-6 --checkpoint part --checkpoint-every 0 -o b.csv",
        "tennis blind --gap 1e-6 --resume part --checkpoint part --checkpoint-every 0 -o b.csv",
        "part",
        ["b.csv", "part"],
        ends_early=True,
    ),
    Work(
        "train",
        "train simple 12 --games 30000 --save run --save-every 0 --curve curve.csv -o p.csv",
        "train --resume run --games 30000 --save run --save-every 0 --curve curve.csv -o p.csv",
        "run",
        ["p.csv", "curve.csv", "run"],
    ),
]


def run(program, words, folder, signals=None, after=0.0):
    """Runs the program; after some time it gets the signals. Returns the status and what it said."""
    out = subprocess.DEVNULL
    process = subprocess.Popen([program, *words], cwd=folder, stdout=out, stderr=subprocess.PIPE, text=True)
    if signals:
        time.sleep(after)
        for name in signals.split():
            process.send_signal(getattr(signal, f"SIG{name}"))
    try:
        said = process.communicate(timeout=PATIENCE)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[1]
        sys.exit(f"`{' '.join(words)}`, {signals} after {after:.3f} s, does not end within {PATIENCE} s: {said}")
    return process.returncode, said.strip()


def fail(work, signals, after, why):
    sys.exit(f"{work.name}, {signals} after {after:.3f} s: {why}")


def way_on(work, folder, signals, after, status, said):
    """The command after a kill, or `None` if all is done."""
    # Results that are there may be those of an earlier signal.
    done = not work.ends_early and all(content is not None for content in work.content(folder).values())
    if signals == "KILL":
        if status == 0:
            return None
        is_there = (folder / (work.checkpoint or "part")).exists()
        return work.resume if is_there else work.begin
    if status in (-signal.SIGINT, -signal.SIGTERM):
        # Before the program listens to signals.
        return work.resume if (folder / (work.checkpoint or "part")).exists() else work.begin
    if status not in (0, 130) or "panicked" in said:
        raise ValueError(f"status {status}: {said}")
    if status == 0:
        return None
    told = said.rpartition("go on with: ")[2] if "go on with: " in said else None
    if told is None and done:
        return None
    is_there = work.checkpoint and (folder / work.checkpoint).exists()
    if told is None and is_there and after > 0.1:
        raise ValueError(f"a checkpoint is left, and nothing is said of it: {said}")
    if told is None and is_there:
        # It is of an earlier run; this one had not begun.
        return work.resume
    return shlex.split(told) if told else work.begin


def kill(program, work, chance, folder):
    """Kills the work once or some times, then lets it end; whether a signal came before the end."""
    words, hits = work.begin, 0
    for _ in range(chance.choice([1, 1, 2, 3])):
        signals, after = chance.choice(SIGNALS), chance.uniform(0.0, 1.05) * work.seconds
        status, said = run(program, words, folder, signals, after)
        hits += status != 0
        try:
            words = way_on(work, folder, signals, after, status, said)
        except ValueError as error:
            fail(work, signals, after, error)
        if words is None:
            break
    if words is not None:
        status, said = run(program, words, folder)
        if status != 0:
            fail(work, signals, after, f"`{' '.join(words)}` ends with the status {status}: {said}")
    for name, content in work.content(folder).items():
        if content != work.whole[name]:
            fail(work, signals, after, f"{name} is not what it is without interruptions")
    left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    if left and status == 0:
        fail(work, signals, after, f"{left} is left")
    return hits


def main(program, count):
    program = str(Path(program).resolve())
    chance = random.Random(1)
    hits = 0
    with tempfile.TemporaryDirectory() as root:
        root = Path(root)
        write_game(root / "game.jsonl")
        write_model(root / "model.prism")
        for work in WORKS:
            folder = root / "whole"
            folder.mkdir()
            begin = time.monotonic()
            status, said = run(program, work.begin, folder)
            work.seconds = time.monotonic() - begin
            if status != 0:
                sys.exit(f"{work.name} ends with the status {status}: {said}")
            work.whole = work.content(folder)
            print(f"{work.name}: {work.seconds:.2f} s without interruptions", flush=True)
            shutil.rmtree(folder)
        for number in range(count):
            folder = root / "killed"
            folder.mkdir()
            hits += kill(program, WORKS[number % len(WORKS)], chance, folder)
            shutil.rmtree(folder)
    print(f"{count} works killed, {hits} times before their end; 0 differences")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 12)
