"""Results in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_MOST = 300
"""The characters of a cell."""


def rows_of(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A table with a title, and a name and a text in each row; nothing in them is taken for HTML."""
    body = "".join(f"<tr><th style=\"text-align:left\">{_cell(name)}</th><td>{_cell(text)}</td></tr>" for name, text in rows)
    return f"<table><caption>{_cell(title)}</caption>{body}</table>"


def _cell(text: str) -> str:
    return escape(text if len(text) <= _MOST else text[: _MOST - 1] + "…")
