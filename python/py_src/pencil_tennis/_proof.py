"""Certificates: checked without trusting the solver."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from pencil_tennis import _native
from pencil_tennis._enclosure import Enclosure, rounded_up
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis._native import Rules


def verify(certificate: bytes | str | os.PathLike[str]) -> Proof:
    """Checks a certificate, without solving anything.

    Parameters
    ----------
    certificate
        The bytes of a certificate, or the path of a file that holds them.

    Raises
    ------
    CertificateError
        When it proves nothing; the message names the state or the place.
    OSError
        When the file cannot be read.
    """
    return Proof(_native.Proof(certificate if isinstance(certificate, bytes) else Path(certificate).read_bytes()))


class Proof:
    """Bounds of every state's value that a certificate proves. Made by `verify`."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Proof) -> None:
        self._native = native

    @property
    def rules(self) -> Rules:
        """The rules that the bounds are about."""
        return self._native.rules

    @property
    def points(self) -> tuple[int, int]:
        """The most points that A and B have."""
        return self._native.points

    @property
    def start(self) -> State:
        """The state at the start: all points and the ball on the net."""
        return State(*self.points, 0)

    @property
    def widest(self) -> float:
        """The largest difference of the two bounds of any state, rounded up."""
        return self._native.widest

    def enclosure(self, state: StateLike) -> Enclosure:
        """The proved bounds of a state's value."""
        return self._native.enclosure(state)

    @property
    def lower(self) -> NDArray[np.float64]:
        """The lower bounds, a new array ``[a, b, ball + field]`` of the largest doubles not above them."""
        return self._table("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """The upper bounds, a new array ``[a, b, ball + field]`` of the smallest doubles not below them."""
        return self._table("upper")

    def _table(self, which: Literal["lower", "upper"]) -> NDArray[np.float64]:
        return self._native.table(which)

    def __len__(self) -> int:
        """The number of states."""
        return len(self._native)

    def __eq__(self, other: object) -> bool:
        return self._native == other._native if isinstance(other, Proof) else NotImplemented

    def __repr__(self) -> str:
        a, b = self.points
        widest = rounded_up(Fraction(self.widest))
        return f"<Proof of the bounds of {len(self)} states, {a}:{b} points, {self.rules}, widest {widest}>"
