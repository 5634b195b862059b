"""Checks of what a game is asked for with."""

from __future__ import annotations

import operator
from typing import SupportsIndex, TypeAlias

from pencil_tennis._native import Error, Rules

Points: TypeAlias = SupportsIndex | tuple[SupportsIndex, SupportsIndex]
"""The points of both players, or those of A and those of B."""


def as_points(points: Points) -> tuple[int, int]:
    """The points of A and of B."""
    try:
        pair = points if isinstance(points, tuple) else (points, points)
        a, b = (operator.index(number) for number in pair)
    except (TypeError, ValueError):
        raise TypeError(f"{points!r} are no points; expected a number such as 50, or a pair such as (50, 40)") from None
    for number in (a, b):
        if not 0 <= number < 2**32:
            raise Error(f"{number} points are not possible; expected at least 1")
    return a, b


def as_rules(rules: Rules | None) -> Rules:
    """The rules; Tennis unless given."""
    return Rules.tennis() if rules is None else rules
