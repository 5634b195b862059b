"""Rules of a single turn, for tests of what is refused or copied."""

from typing import Any


class Once:
    """A single choice of each, after which the answer of the test follows."""

    def __init__(self, **methods: Any) -> None:
        self.__dict__.update(methods)

    def starts(self) -> Any:
        return [0]

    def turn(self, state: Any) -> Any:
        return ([0, 1], [0, 1]) if state == 0 else state

    def after(self, state: Any, a: int, b: int) -> Any:
        return 1 if a == b else -1
