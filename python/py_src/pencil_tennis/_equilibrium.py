"""The solution of one state, as numbers and as a card for notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from pencil_tennis._enclosure import Enclosure, rounded_up
from pencil_tennis._state import State

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


AnyState = TypeVar("AnyState")
Action = TypeVar("Action")
Value = TypeVar("Value")
Probability = TypeVar("Probability")


@dataclass(frozen=True)
class Optimum(Generic[AnyState, Action, Value, Probability]):
    """The value of a state, and optimal strategies."""

    state: AnyState
    """The state."""
    value: Value
    """The value to A."""
    a: dict[Action, Probability]
    """A's actions of positive probability in their order, with these probabilities; of Tennis, the bids."""
    b: dict[Action, Probability]
    """B's actions with their probabilities."""

    @property
    def is_randomised(self) -> bool:
        """Whether either player randomises here."""
        return len(self.a) > 1 or len(self.b) > 1

    def strategy(self, player: Literal["A", "B"]) -> dict[Action, Probability]:
        """The strategy of one player."""
        return self.a if player == "A" else self.b


@dataclass(frozen=True)
class Equilibrium(Optimum[AnyState, Action, Enclosure, float]):
    """The value of a state and optimal strategies: floats, the value with proved bounds. A card in a notebook.

    At an end of any game there is no action; at an end of Tennis both "bid" 0.
    """

    def __repr__(self) -> str:
        def shares(strategy: dict[Action, float]) -> str:
            return "{" + ", ".join(f"{action}: {probability:.4f}" for action, probability in strategy.items()) + "}"

        head = f"<Equilibrium of {self.state!s}: value {float(self.value)!r}"
        return f"{head}, A plays {shares(self.a)}, B plays {shares(self.b)}>"

    def _repr_html_(self) -> str:
        largest = max((*self.a.values(), *self.b.values()), default=1.0)
        actions = [*dict.fromkeys((*self.a, *self.b))]
        bids: dict[Action, int] = {action: action for action in actions if isinstance(action, int)}
        if len(bids) == len(actions):
            actions.sort(key=bids.__getitem__)
        rows = []
        for action in actions:
            cells = f'<th style="text-align:right">{escape(str(action))}</th>'
            for strategy, colour in ((self.a, "#2f6db5"), (self.b, "#c2571a")):
                probability = strategy.get(action, 0.0)
                width = 100 * probability / largest
                bar = f'<div style="background:{colour};height:0.8em;width:{width:.1f}px"></div>'
                number = f"{100 * probability:.2f} %" if probability else ""
                cells += f'<td style="text-align:right">{number}</td><td style="min-width:104px;text-align:left">{bar}</td>'
            rows.append(f"<tr>{cells}</tr>")
        known = f"exactly {self.value.lower}" if self.value.is_exact else f"proved to within {rounded_up(self.value.width)}"
        caption = f"{escape(str(self.state))} is worth {float(self.value)!r} to A, {known}"
        head = '<tr><th>action</th><th colspan="2">A plays</th><th colspan="2">B plays</th></tr>'
        caption = f'<caption style="white-space:nowrap">{caption}</caption>'
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True)
class ExactEquilibrium(Optimum[State, int, Fraction, Fraction]):
    """The value of a state and optimal strategies in fractions; the probabilities sum to exactly 1."""
