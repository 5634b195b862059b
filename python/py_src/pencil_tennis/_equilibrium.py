"""The solution of one state, as numbers and as a card for notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from pencil_tennis._enclosure import Enclosure, rounded_up
from pencil_tennis._games import Player
from pencil_tennis._state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

Uniqueness: TypeAlias = Literal["unique", "several", "unknown"]
"""Whether a player has one optimal strategy, infinitely many, or it is not decided."""


class Digits(NamedTuple):
    """A value to many decimals, all proved."""

    lower: Decimal
    """A number not above the value."""
    value: Decimal | None
    """The value rounded to nearest; None where the bounds do not decide between two decimal numbers."""
    upper: Decimal
    """A number not below the value."""


Value = TypeVar("Value")
Probability = TypeVar("Probability")


@dataclass(frozen=True)
class Optimum(Generic[Value, Probability]):
    """The value of a state, and optimal strategies."""

    state: State
    """The state."""
    value: Value
    """The value to A."""
    a: dict[int, Probability]
    """A's bids that are made with positive probability, rising, and these probabilities."""
    b: dict[int, Probability]
    """B's bids with their probabilities."""

    @property
    def is_randomised(self) -> bool:
        """Whether either player randomises here."""
        return len(self.a) > 1 or len(self.b) > 1

    def strategy(self, player: Player) -> dict[int, Probability]:
        """The strategy of one player as a dict from bid to probability."""
        return self.a if player == "A" else self.b


@dataclass(frozen=True)
class Equilibrium(Optimum[Enclosure, float]):
    """The value of a state and optimal strategies: floats, the value with proved bounds. A card in a notebook."""

    def array(self, player: Player) -> NDArray[np.float64]:
        """The strategy of one player as a new array indexed by the bid, from 0 to all points that the player has left."""
        array = np.zeros((self.state.a if player == "A" else self.state.b) + 1)
        for bid, probability in self.strategy(player).items():
            array[bid] = probability
        return array

    def __repr__(self) -> str:
        def bids(strategy: dict[int, float]) -> str:
            return "{" + ", ".join(f"{bid}: {probability:.4f}" for bid, probability in strategy.items()) + "}"

        return f"<Equilibrium of {self.state}: value {float(self.value)!r}, A bids {bids(self.a)}, B bids {bids(self.b)}>"

    def _repr_html_(self) -> str:
        largest = max((*self.a.values(), *self.b.values()))
        rows = []
        for bid in sorted({*self.a, *self.b}):
            cells = f'<th style="text-align:right">{bid}</th>'
            for strategy, colour in ((self.a, "#2f6db5"), (self.b, "#c2571a")):
                probability = strategy.get(bid, 0.0)
                width = 100 * probability / largest
                bar = f'<div style="background:{colour};height:0.8em;width:{width:.1f}px"></div>'
                number = f"{100 * probability:.2f} %" if probability else ""
                cells += f'<td style="text-align:right">{number}</td><td style="min-width:104px;text-align:left">{bar}</td>'
            rows.append(f"<tr>{cells}</tr>")
        known = f"exactly {self.value.lower}" if self.value.is_exact else f"proved to within {rounded_up(self.value.width)}"
        caption = f"{escape(str(self.state))} is worth {float(self.value)!r} to A, {known}"
        head = '<tr><th>bid</th><th colspan="2">A bids</th><th colspan="2">B bids</th></tr>'
        caption = f'<caption style="white-space:nowrap">{caption}</caption>'
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True)
class ExactEquilibrium(Optimum[Fraction, Fraction]):
    """The value of a state and optimal strategies in fractions; the probabilities sum to exactly 1."""
