"""Numbers with proved bounds."""

from __future__ import annotations

from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from typing import SupportsFloat


def rounded_up(width: Fraction) -> str:
    """A width with two digits, rounded up, so that it is true as printed."""
    return f"{Context(prec=2, rounding=ROUND_UP).divide(Decimal(width.numerator), Decimal(width.denominator)):.1e}"


class Enclosure(float):
    """A number that is known within proved bounds: a float, the middle, with both bounds as exact fractions.

    It behaves like the float in every calculation. ``x in enclosure`` checks whether an exact number lies within the bounds.
    """

    __slots__ = ("lower", "upper")

    lower: Fraction
    """The proved lower bound."""
    upper: Fraction
    """The proved upper bound."""

    def __new__(cls, middle: SupportsFloat, lower: Fraction, upper: Fraction) -> Enclosure:
        enclosure = super().__new__(cls, middle)
        enclosure.lower = lower
        enclosure.upper = upper
        return enclosure

    @property
    def width(self) -> Fraction:
        """The difference of the bounds."""
        return self.upper - self.lower

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, so that the number is known exactly."""
        return self.lower == self.upper

    def __contains__(self, number: Fraction | int | float) -> bool:
        return self.lower <= number <= self.upper

    def __repr__(self) -> str:
        if self.is_exact:
            return f"{float(self)!r} (exactly {self.lower})"
        return f"{float(self)!r} (proved to within {rounded_up(self.width)})"

    def __str__(self) -> str:
        return str(float(self))

    def __reduce__(self) -> tuple[type[Enclosure], tuple[float, Fraction, Fraction]]:
        return (type(self), (float(self), self.lower, self.upper))
