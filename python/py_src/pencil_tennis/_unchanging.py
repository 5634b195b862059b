"""Objects that never change, so that nobody needs a copy."""

from __future__ import annotations

from typing import TypeVar

Own = TypeVar("Own", bound="Unchanging")


class Unchanging:
    """A base whose copies are the object itself."""

    __slots__ = ()

    def __copy__(self: Own) -> Own:
        return self

    def __deepcopy__(self: Own, memo: object) -> Own:
        return self
