"""Judgements of policies: the same for Tennis and for any game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, overload

import numpy as np

from pencil_tennis._enclosure import Enclosure, distance
from pencil_tennis._html import rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Columns: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

State = TypeVar("State")
Key = TypeVar("Key")
Number = TypeVar("Number")
Part = TypeVar("Part")


@dataclass(frozen=True)
class StateRegret(Generic[State]):
    """The regret of one player's choice at one state."""

    state: State
    """The state."""
    player: Literal["A", "B"]
    """The player who chooses."""
    regret: float
    """The most that the choice loses if both play optimally afterwards; never below 0."""


class ByState(Mapping[State, Number]):
    """Numbers by state, which are made when they are asked for."""

    def __init__(self, states: Collection[State], find: Callable[[Any], Key], number: Callable[[Key], Number]) -> None:
        self._states, self._find, self._number = states, find, number

    def __getitem__(self, state: State) -> Number:
        return self._number(self._find(state))

    def __iter__(self) -> Iterator[State]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        return f"<numbers of {len(self)} states>"


class Ranked(Sequence[State]):
    """States in an order of their places, which is asked for when it is needed."""

    def __init__(self, states: Sequence[State], order: Callable[[], NDArray[np.integer[Any]]]) -> None:
        self._states, self._order = states, order

    @overload
    def __getitem__(self, places: int) -> State: ...
    @overload
    def __getitem__(self, places: slice) -> list[State]: ...
    def __getitem__(self, places: int | slice) -> State | list[State]:
        found = self._order()[places]
        return [self._states[place] for place in found.tolist()] if isinstance(places, slice) else self._states[int(found)]

    def __len__(self) -> int:
        return len(self._states)


class Judgement(Generic[State]):
    """The worth of one player's policy against a best response."""

    def __init__(
        self,
        player: Literal["A", "B"],
        worth: Mapping[State, Enclosure],
        loss: Mapping[State, Enclosure],
        regret: Mapping[State, float],
        value: Enclosure,
        rounded: bool,
        ranked: Sequence[State],
        arrays: Callable[[], Columns] | None = None,
    ) -> None:
        self.player: Literal["A", "B"] = player
        """The player whose policy it is."""
        self.worth = worth
        """A's payoff from each state on."""
        self.loss = loss
        """The distance of that from the value of each state: what the policy loses to a best response from there on."""
        self.regret = regret
        """The regret of each state: the loss of the choice there at most, with optimal play afterwards."""
        self.value = value
        """A's payoff at the first start, or the mean over starts with probabilities."""
        self.rounded = rounded
        """Whether probabilities were rounded to multiples of 2^-62 with the sum 1, which were judged."""
        self._ranked = ranked
        self._arrays = arrays

    def worst(self, count: int = 10) -> list[StateRegret[State]]:
        """The states with the largest regret, that with the largest first."""
        return [StateRegret(state, self.player, self.regret[state]) for state in self._ranked[:count]]

    def frame(self) -> dict[str, Any]:
        """All states as columns ``state, worth, loss, regret`` of doubles: a dict, which pandas and polars take as it is."""
        if self._arrays is not None:
            worth, loss, regret = self._arrays()
        else:
            worth, loss, regret = (np.array([*map(float, numbers.values())]) for numbers in (self.worth, self.loss, self.regret))
        return {"state": [*self.worth], "worth": worth, "loss": loss, "regret": regret}

    def __reduce__(self) -> tuple[Any, ...]:
        made = tuple(dict(numbers) for numbers in (self.worth, self.loss, self.regret))
        return Judgement, (self.player, *made, self.value, self.rounded, [*self._ranked])

    def __repr__(self) -> str:
        return f"<a policy of {self.player}, worth {self.value!r} to A>"

    def _repr_html_(self) -> str:
        return rows_of("a judged policy", [("worth to A", repr(self.value)), *regret_rows(self.worst(5))])


class BothJudged(Generic[Part]):
    """The worth of both players' policies, each against a best response."""

    __slots__ = ("_a", "_b")

    def __init__(self, a: Part, b: Part) -> None:
        self._a, self._b = a, b

    @property
    def a(self) -> Part:
        """That of A's policy."""
        return self._a

    @property
    def b(self) -> Part:
        """That of B's policy."""
        return self._b

    @property
    @abstractmethod
    def nash_conv(self) -> Enclosure:
        """The total gain of both best responses at the start, or the mean over starts with probabilities."""

    @property
    def exploitability(self) -> Enclosure:
        """Half of `nash_conv`: the mean gain of a best response."""
        return self.nash_conv.times(Fraction(1, 2))

    def __repr__(self) -> str:
        return f"<policies with the exploitability {self.exploitability!r}>"


class JointJudgement(BothJudged[Judgement[State]]):
    """The worth of both players' policies, each against a best response, by state."""

    __slots__ = ()

    @property
    def nash_conv(self) -> Enclosure:
        """The total gain of both best responses at the first start, or the mean over starts with probabilities."""
        return distance(self.a.value, self.b.value)

    @property
    def rounded(self) -> bool:
        """Whether probabilities of either were rounded."""
        return self.a.rounded or self.b.rounded

    def worst(self, count: int = 10) -> list[StateRegret[State]]:
        """The states and players with the largest regret, that with the largest first."""
        found = [*self.a.worst(count), *self.b.worst(count)]
        return sorted(found, key=lambda entry: -entry.regret)[:count]

    def frame(self) -> dict[str, Any]:
        """All states as columns ``state``, and of either player ``worth_a, loss_a, regret_a`` and so on."""
        a, b = self.a.frame(), self.b.frame()
        of_a = {f"{name}_a": a[name] for name in ("worth", "loss", "regret")}
        return {"state": a["state"]} | of_a | {f"{name}_b": b[name] for name in ("worth", "loss", "regret")}

    def _repr_html_(self) -> str:
        known = [("exploitability", repr(self.exploitability)), ("NashConv", repr(self.nash_conv))]
        known += [("A's policy is worth", repr(self.a.value)), ("B's policy is worth", repr(self.b.value))]
        return rows_of("judged policies of both players", [*known, *regret_rows(self.worst(5))])


def regret_rows(worst: Sequence[StateRegret[Any]]) -> list[tuple[str, str]]:
    """The rows of a table that name the states with the largest regret."""
    return [(f"regret of {entry.player} at {entry.state!s}", f"{entry.regret:.6g}") for entry in worst]
