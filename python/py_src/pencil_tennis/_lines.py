"""Files of JSON, an object in every line, which may turn out to be anything."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from typing import Any

MOST_BYTES = 1 << 29
"""The bytes of the longest line: records hold policies."""

_BEGINNING = 1 << 16


def parsed(text: str) -> Any:
    """The JSON of a text, or a ValueError."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def lines(path: str | os.PathLike[str]) -> Generator[tuple[int, str]]:
    """The lines of a file that are not empty, with their numbers; of one that is no object of JSON the beginning.

    Raises
    ------
    ValueError
        For a line that is too long or no text, with its number.
    OSError
        For a file that cannot be read.
    """
    number = 0
    with open(path, "rb") as file:
        while line := file.readline(_BEGINNING):
            number += 1
            if line.lstrip().startswith(b"{") and not line.endswith(b"\n"):
                line += file.readline(MOST_BYTES)
            if len(line) > MOST_BYTES:
                raise ValueError(f"{os.fspath(path)}, line {number}: the line has more than {MOST_BYTES} bytes")
            if not line.strip():
                continue
            try:
                yield number, line.decode()
            except UnicodeDecodeError as error:
                raise ValueError(f"{os.fspath(path)}, line {number}: it is no text in UTF-8: {error.reason}") from None
