"""Models of PRISM-games."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from pencil_tennis import _native
from pencil_tennis._game import seconds, whole
from pencil_tennis._native import Error
from pencil_tennis.games._rules import MEMORY_LIMIT

_Path = str | os.PathLike[str]
_Constant = int | float | Fraction | str


class PrismGame:
    """The game of a property of a model, for `solve` and `verify`. Made by `from_prism`."""

    def __init__(self, native: _native.StochasticGame, assumptions: list[str], property: str) -> None:
        self.native = native
        """The game itself."""
        self.assumptions = assumptions
        """Assumptions beyond the files, a sentence each."""
        self.property = property
        """The property."""

    def __repr__(self) -> str:
        return f"<the game of {self.property}>"


def from_prism(
    model: _Path,
    property: str,
    *,
    constants: Mapping[str, _Constant] | None = None,
    states: _Path | None = None,
    labels: _Path | None = None,
    rewards: Sequence[_Path] = (),
    probabilities: Literal["exact", "nearest", "normalised"] = "exact",
    checkpoint: _Path | None = None,
    checkpoint_every: float = 60.0,
    resume: _Path | None = None,
    memory_limit: int | None = None,
) -> PrismGame:
    """Reads a model of PRISM or PRISM-games (csg, smg, mdp, dtmc), or its explicit export, and makes the zero-sum game of a property.

    States have their numbers as names, "0" and so on; with k steps left, "0@k". A is the side that maximises.

    Parameters
    ----------
    model
        The model in PRISM's language, ``model.prism``, or the export's ``model.tra``.
    property
        Such as ``<<1>>Pmax=? [ F s1=3 & t<=1 ]``; the project's docs/model-checking.md lists what is supported.
    constants
        Values of the model's constants, such as ``{"k": 5, "q": Fraction(1, 3)}``. A float is read as the decimal that it prints.
    states, labels, rewards
        Of an export: files to read in place of ``model.sta``, ``model.lab`` and ``model.srew``, ``model.trew``, ``model1.srew`` and so on.
    probabilities
        "exact" reads probabilities as decimals, "normalised" divides them by their sum where that is 1 but for rounding, to
        within 1e-5 as in PRISM. "nearest", for an export alone, reads the simplest fractions that round to them.
    checkpoint
        Of a model in PRISM's language: a file in which the states found so far are kept, also when finding them is interrupted.
        It is a new or empty file, or that of ``resume``: no other file is overwritten.
    checkpoint_every
        The seconds between two checkpoints, at least. A model that is explored sooner leaves no file.
    resume
        A checkpoint of the same model, with the same constants, to go on from. What the file has is found again and compared,
        and the game is identical to that of an uninterrupted exploration.
    memory_limit
        The bytes that the game may take; 8 GiB unless given.

    Raises
    ------
    Error
        With the file and line, or the part of the property, that is wrong or not supported; for a checkpoint of another model, or
        a damaged one.
    OSError
        For a checkpoint that cannot be read, or written; at once, where its folder does not exist.
    FileExistsError
        For a checkpoint that would replace another file; at once.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from pencil_tennis import games
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "coin.prism"
    >>> text = "dtmc const double p; module m s : [0..2]; [] s=0 -> p : (s'=1) + 1-p : (s'=2); endmodule"
    >>> _ = file.write_text(text)
    >>> games.solve(games.from_prism(file, "P=? [ F s=1 ]", constants={"p": 0.25})).value
    0.25 (exactly 1/4)
    """
    others = (None if states is None else os.fspath(states), None if labels is None else os.fspath(labels))
    limit = MEMORY_LIMIT if memory_limit is None else whole(memory_limit, "memory_limit")
    files = (*others, [os.fspath(path) for path in rewards])
    for path in (model, *others, *rewards):
        if path is not None and os.path.exists(path):
            _check(os.stat(path), os.fspath(path), limit)
    values = [(name, _written(value)) for name, value in (constants or {}).items()]
    kept = None if checkpoint is None else (os.fspath(checkpoint), seconds(checkpoint_every, "checkpoint_every"))
    resumed = None if resume is None else os.fspath(resume)
    native, assumptions = _native.read_prism_game(
        os.fspath(model), property, values, files, probabilities, limit, kept, resumed
    )
    return PrismGame(native, assumptions, property)


def _written(value: _Constant) -> str:
    """A constant as PRISM writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check(found: os.stat_result, path: str, limit: int) -> None:
    """Refuses what is longer than its game may be: a transition takes more memory than its line."""
    if stat.S_ISCHR(found.st_mode) and path != os.devnull:
        raise Error(f"{path} is a device; expected a file")
    if stat.S_ISREG(found.st_mode) and found.st_size > limit:
        raise Error(f"{path} has {found.st_size} bytes, above the limit of {limit}")
