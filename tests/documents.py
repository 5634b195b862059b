"""Runs the commands that the documents print.

    python3 tests/documents.py PROGRAM

A command is a line of a code block that begins with `pencil-tennis`; two spaces end it, what follows
says what it does. The commands of a document run in their order, in a folder of their own, in which
the files that a reader is asked to bring stand. Each has to end with status 0. LEFT_OUT names what
is not run, with the reason; each of its words must occur.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent

# Hide or run, of docs/game-format.md.
GAME = (PROJECT / "docs/game-format.md").read_text().split("```\n")[1]

MATRIX = ",left,right\nup,3,-1\ndown,-2,1\n"

# A hidden card, red or black; A may bid on it, B may call.
TREE = """EFG 2 R "a card" { "A" "B" }
c "" 1 "" { "red" 1/2 "black" 1/2 } 0
p "" 1 1 "red" { "bid" "fold" } 0
p "" 2 1 "bid" { "call" "pass" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { 1 -1 }
t "" 3 "" { -1 1 }
p "" 1 2 "black" { "bid" "fold" } 0
p "" 2 1 "bid" { "call" "pass" } 0
t "" 4 "" { -2 2 }
t "" 5 "" { 1 -1 }
t "" 6 "" { -1 1 }
"""

# Files that readers bring, and commands that write others.
FILES = {"my.jsonl": GAME, "my.csv": MATRIX, "tree.efg": TREE}
BEFORE = {
    "games.md": ["printf 'hide\\nwait\\nq\\n' | pencil-tennis play my.jsonl --against person --record play.jsonl"],
    "game-format.md": ["pencil-tennis prove my.jsonl -o my.proof"],
}

LEFT_OUT = {
    "my-bot": "a program of the reader's",
    "$rules": "for a policy of the reader's",
    "OPTIONS": "stands for several commands",
    "LEARNER": "stands for several commands",
    "10000000": "takes minutes",
    "500000": "takes a minute",
    "simple.npz": "takes what a command of minutes wrote",
    "limit 400": "takes minutes",
    "1000": "takes hours",
    "model.": "a model of the reader's",
    "robots.tra": "a model of the reader's",
    "answer.proof": "of a model of the reader's",
    "seconds 60": "takes a minute where the tree is large",
}

LONGEST_SECONDS = 120


def commands(text):
    """The commands in the code blocks of a document."""
    is_block = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_block = not is_block
        found = re.match(r"\s*(?:\$ )?(pencil-tennis (?!\().*)", line)
        if found and (is_block or line.startswith("    ")):
            yield re.split(r"  +|\s+#", found[1])[0]


def run(command, folder, program):
    """Runs a command in a shell; returns why it failed, or None."""
    script = f'pencil-tennis() {{ "{program}" "$@"; }}; {command}'
    try:
        done = subprocess.run(
            ["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=LONGEST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"takes more than {LONGEST_SECONDS} s"
    return f"status {done.returncode}: {done.stderr.strip()}" if done.returncode else None


def main(program):
    program = Path(program).resolve()
    documents = [PROJECT / "README.md", PROJECT / "crates/pencil-tennis-cli/README.md", *sorted((PROJECT / "docs").glob("*.md"))]
    count, unused, faults = 0, set(LEFT_OUT), []
    for document in documents:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                (Path(folder) / name).write_text(text)
            for command in [*BEFORE.get(document.name, []), *commands(document.read_text())]:
                words = [word for word in LEFT_OUT if word in command]
                unused -= set(words)
                if words:
                    continue
                count += 1
                fault = run(command, folder, program)
                if fault:
                    faults.append(f"{document.relative_to(PROJECT)}: `{command}`: {fault}")
    faults += [f"no command has `{word}`, which is left out" for word in sorted(unused)]
    print("\n".join([f"{count} commands of the documents run", *faults]))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
