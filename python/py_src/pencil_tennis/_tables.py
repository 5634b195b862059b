"""Tables of policies: dicts of columns, DataFrames, and csv files."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from typing import Any

from pencil_tennis._native import PolicyError

MOST_BYTES = 1 << 32
"""The bytes of the largest table that is read."""


def table_of(policy: Any, names: Sequence[str]) -> dict[str, Sequence[Any]] | None:
    """The columns of a table with these names, or nothing for what is none."""
    if isinstance(policy, (str, os.PathLike)):
        return _read(policy, names)
    if isinstance(policy, Mapping):
        return {name: [*policy[name]] for name in names} if set(policy) == set(names) else None
    columns = getattr(policy, "columns", None)
    if columns is None or isinstance(policy, type) or not set(names) <= set(columns):
        return None
    return {name: [*policy[name]] for name in names}


def _read(path: str | os.PathLike[str], names: Sequence[str]) -> dict[str, Sequence[Any]]:
    """The columns of a csv file."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise PolicyError(f"{os.fspath(path)} is no file; expected csv with the columns {', '.join(names)}")
    if os.path.getsize(path) > MOST_BYTES:
        raise PolicyError(f"{os.fspath(path)} has more than {MOST_BYTES} bytes")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    with open(path, newline="", encoding="utf-8") as file:
        try:
            rows = csv.DictReader(file)
            missing = [name for name in names if name not in (rows.fieldnames or ())]
            if missing:
                raise PolicyError(f"{os.fspath(path)} has no column {missing[0]!r}; expected {', '.join(names)}")
            for row in rows:
                for name in names:
                    if row[name] is None:
                        raise PolicyError(f"{os.fspath(path)}, line {rows.line_num}: there is no {name}")
                    columns[name].append(row[name])
        except (csv.Error, UnicodeDecodeError) as error:
            raise PolicyError(f"{os.fspath(path)} is no csv: {error}") from None
    return columns  # type: ignore[return-value]
