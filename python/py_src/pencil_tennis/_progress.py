"""Progress of long work: a callback, or a bar of tqdm; and a line in the log."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, TypeAlias


_LOG = logging.getLogger("pencil_tennis")
"""Where each piece of work tells its seconds, on the level INFO."""

PATIENCE = 2.0
"""The seconds after which a bar appears by itself."""


class Bar(Protocol):
    """A bar of tqdm, as much of it as is needed."""

    n: Any
    """How far it is."""
    total: Any
    """How far it goes; 1 is entered where it is None."""

    def update(self, n: float) -> object:
        """Moves it on."""


Progress: TypeAlias = bool | Callable[[float], object] | Bar | None
"""A receiver of progress reports of long work.

None for a bar of tqdm where somebody watches, in a terminal or a notebook, after two seconds and if tqdm is there; False for
nobody; True for a bar of tqdm, or a bar that was made before; or a function that is called with the share of
the work that is done, from 0 to 1. An exception that it raises, `KeyboardInterrupt` for example, ends the work and reaches the
caller.
"""


@contextmanager
def listening(progress: Progress, description: str) -> Generator[Callable[[float], object] | None]:
    """The callback to be handed to the native part; a bar that is made here is closed at the end.

    The seconds are logged, whether the work was done or ended by an exception.
    """
    begin = time.perf_counter()
    ending = "ended by an exception"
    try:
        with _heard(progress, description) as callback:
            yield callback
        ending = "done"
    finally:
        _LOG.info("%s: %s after %.3f s", description, ending, time.perf_counter() - begin)


@contextmanager
def _heard(progress: Progress, description: str) -> Generator[Callable[[float], object] | None]:
    """As `listening`, without a log."""
    if progress is None and _is_watched():
        with _bar(description, delay=PATIENCE) as bar:
            yield _moving(bar)
    elif progress is None or progress is False:
        yield None
    elif progress is True:
        with _bar(description) as bar:
            yield _moving(bar)
    elif hasattr(progress, "update") and hasattr(progress, "total"):
        yield _moving(progress)
    elif callable(progress):
        yield progress
    else:
        message = f"{progress!r} is no progress callback; expected True for a bar, or a function of the share that is done"
        raise TypeError(message)


@contextmanager
def counting(progress: Progress, description: str, unit: str) -> Generator[Callable[[int, int], object] | None]:
    """A callback that hears how many things are done, and how many are known so far; a function hears a share of 0 meanwhile."""
    if progress is True or progress is None and _is_watched():
        delay = 0.0 if progress else PATIENCE
        shown = "{desc}: {n_fmt} of {total_fmt} so far [{elapsed}, at least {remaining} left, {rate_fmt}]"
        with _tqdm()(total=0, desc=description, unit=unit, bar_format=shown, delay=delay) as bar:

            def tell(done: int, known: int) -> None:
                bar.total = known
                bar.update(done - bar.n)

            yield tell
    else:
        with listening(progress, description) as callback:
            yield None if callback is None else lambda done, known: callback(0.0)


def _moving(bar: Any) -> Callable[[float], object]:
    if bar.total is None:
        bar.total = 1.0
    begin = bar.n
    return lambda share: bar.update(begin + share * (bar.total - begin) - bar.n)


def _tqdm() -> Any:
    try:
        return import_module("tqdm.auto").tqdm
    except ImportError as error:
        raise ImportError("progress=True needs the package tqdm: pip install tqdm") from error


def _bar(description: str, delay: float = 0.0) -> Any:
    return _tqdm()(total=1.0, desc=description, bar_format="{l_bar}{bar}| {elapsed}<{remaining}", delay=delay)


def _is_watched() -> bool:
    """Whether somebody sees a bar: in a terminal, or a notebook; and whether there are any."""
    shown = "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
    return shown and find_spec("tqdm") is not None
