"""Certificates: checked without trusting the solver."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction

from pencil_tennis import _native
from pencil_tennis._bounded import BoundedGame, StateArrays
from pencil_tennis._enclosure import rounded_up
from pencil_tennis._html import rows_of
from pencil_tennis._native import CertificateError, Error


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

    Examples
    --------
    >>> import pencil_tennis
    >>> proof = pencil_tennis.verify(pencil_tennis.solve(5).certificate())
    >>> from fractions import Fraction
    >>> Fraction(-1, 5) in proof["4:3@-2"]
    True
    """
    written = certificate if isinstance(certificate, bytes) else read_certificate(certificate, b"TENNISPF", 8 << 30)
    return Proof(_native.Proof(written), written)


def read_certificate(path: str | os.PathLike[str], beginning: bytes, limit: int) -> bytes:
    """The bytes of a file of a limited size that begins as a certificate does, read in pieces."""
    pieces: list[bytes] = []
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(1 << 20):
            if not pieces and not piece.lstrip().startswith(beginning):
                raise CertificateError(f"{os.fspath(path)} does not begin as a certificate does")
            pieces.append(piece)
            if len(pieces) << 20 > limit + (1 << 20):
                raise Error(f"{os.fspath(path)} has more than {limit} bytes, the limit of memory")
    return b"".join(pieces)


class Proof(BoundedGame["_native.Proof"]):
    """Bounds of every state's value that a certificate proves. Made by `verify`. A pickle is checked when it is read."""

    __slots__ = ("_certificate",)

    def __init__(self, native: _native.Proof, certificate: bytes) -> None:
        super().__init__(native)
        self._certificate = certificate

    def arrays(self) -> StateArrays:
        """The middles of all bounds, and the bounds: read-only arrays ``[a, b, ball + field]``."""
        lower, upper = self._bounds("lower"), self._bounds("upper")
        return StateArrays((lower + upper) / 2, lower, upper)

    def __reduce__(self) -> tuple[Callable[[bytes], Proof], tuple[bytes]]:
        return verify, (self._certificate,)

    def _repr_html_(self) -> str:
        start = (f"at {self.start}", repr(self.value))
        return rows_of(repr(self)[1:-1], [start, ("widest bounds", rounded_up(self.widest))])

    def __repr__(self) -> str:
        a, b = self.points
        widest = rounded_up(self.widest)
        return f"<Proof of the bounds of {len(self)} states, {a}:{b} points, {self.rules}, widest {widest}>"
