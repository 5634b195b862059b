"""Numbers with proved bounds."""

from __future__ import annotations

from collections.abc import Callable
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

    __slots__ = ("_bounds",)

    _bounds: tuple[Fraction, Fraction] | Callable[[], tuple[Fraction, Fraction]]

    def __new__(cls, middle: SupportsFloat, lower: Fraction, upper: Fraction) -> Enclosure:
        enclosure = super().__new__(cls, middle)
        enclosure._bounds = (lower, upper)
        return enclosure

    def _proved(self) -> tuple[Fraction, Fraction]:
        bounds = self._bounds
        if not isinstance(bounds, tuple):
            bounds = self._bounds = bounds()
        return bounds

    @property
    def lower(self) -> Fraction:
        """The proved lower bound."""
        return self._proved()[0]

    @property
    def upper(self) -> Fraction:
        """The proved upper bound."""
        return self._proved()[1]

    @property
    def width(self) -> Fraction:
        """The difference of the bounds."""
        return self.upper - self.lower

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, so that the number is known exactly."""
        return self.lower == self.upper

    def times(self, factor: Fraction | int) -> Enclosure:
        """The number times an exact factor, with bounds."""
        lower, upper = sorted((self.lower * factor, self.upper * factor))
        return Enclosure(float(self) * float(factor), lower, upper)

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


def proved_when_asked(middle: float, prove: Callable[[], tuple[Fraction, Fraction]]) -> Enclosure:
    """An enclosure whose bounds are proved when they are asked for first."""
    enclosure = float.__new__(Enclosure, middle)
    enclosure._bounds = prove
    return enclosure


def distance(lower: Enclosure, upper: Enclosure) -> Enclosure:
    """What the one is above the other, 0 at least."""
    least, most = max(Fraction(0), upper.lower - lower.upper), max(Fraction(0), upper.upper - lower.lower)
    return Enclosure(float((least + most) / 2), least, most)


def between(lower: Fraction, upper: Fraction) -> Enclosure:
    """The number between two bounds, exact if they agree."""
    return Enclosure(float((lower + upper) / 2), lower, upper)
