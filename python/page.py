"""Runs the programs of a page in order and compares their output with the page.

Usage: page.py PAGE.md [--notebook NOTEBOOK.ipynb] [--update]

A block of Python is a program; a block of text after it is its output. With --notebook the page is made into a notebook,
which is executed, too (needs nbformat, nbclient and ipykernel), and whose outputs must agree. With --update the outputs in
the page are replaced.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
from pathlib import Path

PROGRAM = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def printed(program: str, names: dict[str, object], where: str) -> str:
    """The output of a program."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, where, "exec"), names)
    return out.getvalue()


def check(where: str, program: str, expected: str, found: str) -> None:
    """Ends with a message unless a program has printed the expected output."""
    if found != expected:
        sys.exit(f"{where}: the program\n\n{program}\nprints\n\n{found}\nand not\n\n{expected}")


def run(path: Path, update: bool) -> None:
    """Runs all programs of the page in one namespace."""
    page = path.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}

    def one(match: re.Match[str]) -> str:
        program, expected = match.group(1), match.group(2) or ""
        where = f"{path.name}:{page.count(chr(10), 0, match.start()) + 2}"
        # A traceback names the line of the page.
        found = printed("\n" * page.count("\n", 0, match.start(1)) + program, names, str(path))
        if not update:
            check(where, program, expected, found)
        shown = f"\n```text\n{found}```\n" if found else ""
        return f"```python\n{program}```\n{shown}"

    rewritten, programs = PROGRAM.subn(one, page)
    if update:
        path.write_text(rewritten, encoding="utf-8")
    print(f"{programs} programs of {path} print what the page shows")


def notebook(path: Path, target: Path) -> None:
    """Makes the page into a notebook, executes it, and compares its outputs with the page."""
    import nbformat
    from nbclient import NotebookClient

    page = path.read_text(encoding="utf-8")
    cells, shown, end = [], [], 0
    for match in PROGRAM.finditer(page):
        cells.append(nbformat.v4.new_markdown_cell(page[end : match.start()].strip()))
        cells.append(nbformat.v4.new_code_cell(match.group(1).rstrip("\n")))
        shown.append(match.group(2) or "")
        end = match.end()
    cells.append(nbformat.v4.new_markdown_cell(page[end:].strip()))
    # The notebook depends only on the page.
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    book = nbformat.v4.new_notebook(cells=[cell for cell in cells if cell.source])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    NotebookClient(book, timeout=600, kernel_name="python3").execute()
    for cell, expected in zip((cell for cell in book.cells if cell.cell_type == "code"), shown, strict=True):
        found = "".join(output.text for output in cell.outputs if output.output_type == "stream" and output.name == "stdout")
        check(str(target), cell.source, expected, found)
    nbformat.validate(book)
    nbformat.write(book, target)
    print(f"{target} is written, and its {len(shown)} programs print what the page shows")


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--notebook", type=Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    run(arguments.page, arguments.update)
    if arguments.notebook:
        notebook(arguments.page, arguments.notebook)


if __name__ == "__main__":
    main()
