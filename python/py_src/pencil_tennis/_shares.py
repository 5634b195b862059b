"""Numbers that are taken exactly, and probabilities as people have them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from pencil_tennis import _native
from pencil_tennis._native import Error

Number: TypeAlias = int | float | Fraction | Decimal | str | np.integer[Any] | np.floating[Any]
"""A number that is taken exactly: an int, a Fraction, a Decimal, a float (the double that it is), or a text such as ``"1/3"``."""


def distribution(given: Mapping[Any, Number], what: str, *, exact: bool) -> tuple[list[Fraction], bool]:
    """Probabilities that sum to exactly 1, and whether floats were divided by their sum: the rule of `Rules.after`."""
    exactly = [fraction(share, f"the probability of {outcome!r}") for outcome, share in given.items()]
    floats = any(isinstance(share, (float, np.floating)) for share in given.values())
    integers = all(isinstance(share, (int, np.integer)) and not isinstance(share, bool) for share in given.values())
    return _native.shares(exactly, floats, integers, exact, what)


def fraction(number: Number, what: str) -> Fraction:
    try:
        if isinstance(number, np.generic):
            number = number.item()
        if isinstance(number, (str, Decimal)):
            # Others would fill the memory with digits.
            number = str(number)
            exponent = number.lower().partition("e")[2]
            if len(number) > 10_000 or exponent and abs(int(exponent)) > 1000:
                raise ValueError
        return Fraction(number)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise Error(f"{what} is {number!r}; expected a finite number") from None
