"""Arrays of numbers as callers hand them over."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pencil_tennis._native import Error


def array_of(numbers: Any, what: str, error: type[Error] = Error) -> NDArray[Any]:
    """The array that a caller means: of numpy, a list, or any object with ``__array__`` or ``__dlpack__``.

    Numpy would drop the mask of a masked array, so that an array with a masked entry is refused.
    """
    parts = numbers if isinstance(numbers, (list, tuple)) else [numbers]
    for part in parts:
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            place = tuple(np.argwhere(np.ma.getmaskarray(part))[0].tolist())
            raise error(f"the entry {place} of {what} is masked; numpy.ma.filled(array, 0) gives numbers for all")
    if hasattr(numbers, "__dlpack__") and not hasattr(numbers, "__array__"):
        tensor: Any = numbers
        return np.from_dlpack(tensor)
    return np.asarray(numbers)


def own_array(numbers: Any, what: str, error: type[Error] = Error) -> NDArray[Any]:
    """As `array_of`, a copy in C order: nobody else can write into it, neither later nor from another thread."""
    return np.array(array_of(numbers, what, error), order="C", copy=True)
