"""One game, turn by turn, as environments show it to learners."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

import numpy as np

from pencil_tennis import _native
from pencil_tennis._game import Points, as_points, as_rules
from pencil_tennis._games import Player, as_horizon
from pencil_tennis._state import State, StateLike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis._native import Rules

PLAYERS: tuple[Player, Player] = ("A", "B")

Illegal: TypeAlias = Literal["nearest", "error"]
"""How a bid that the account does not allow is treated: the nearest legal bid counts, or an exception is raised."""


class Observation(TypedDict):
    """The game as a player sees it."""

    observation: NDArray[np.int32]
    """The own points, the opponent's points, and the ball, positive on the opponent's side."""
    action_mask: NDArray[np.int8]
    """1 for every bid that the own account allows, by the bid: 0 alone with an empty account, else from the smallest bid on."""


class Turns:
    """A game that is played turn by turn."""

    def __init__(
        self, points: Points, rules: Rules | None, start: StateLike | None, illegal: Illegal, horizon: int | None = None
    ) -> None:
        if illegal not in ("nearest", "error"):
            message = f"illegal={illegal!r} is not possible; expected 'nearest' or 'error'"
            raise ValueError(message)
        self.rules = as_rules(rules)
        self.points = as_points(points)
        self.illegal: Illegal = illegal
        self.horizon = as_horizon(horizon, self.rules)
        self.played = 0
        self.start = self.checked(State(*self.points, 0) if start is None else start)
        self.state = self.start

    def checked(self, state: StateLike) -> State:
        """A state that the game can start from."""
        # Checks the points, too.
        return State(*_native.Games(1, self.rules, self.points, state, None).start)

    def reset(self, options: dict[str, Any] | None) -> None:
        """Goes to the start, or to the state that the options name."""
        state = known_options(options, "state").get("state")
        self.state = self.start if state is None else self.checked(state)
        self.played = 0

    def bid(self, player: Player, action: object) -> int:
        """The bid that an action stands for."""
        bid = operator.index(np.asarray(action).item())
        if self.illegal == "nearest":
            legal = self.rules.legal_bids(self.state[PLAYERS.index(player)])
            return min(max(bid, legal[0]), legal[-1])
        if bid < 0:
            message = f"{player} cannot bid {bid}: bids are whole numbers of points, from 0 on"
            raise _native.GameError(message)
        # The rules reject all other illegal bids.
        return bid

    def play(self, bid_a: int, bid_b: int) -> float | None:
        """Plays a turn; returns A's payoff if this ends the game."""
        if self.played == self.horizon:
            message = f"the game is over at {self.state}"
            raise _native.GameError(message)
        self.state = self.rules.play(self.state, bid_a, bid_b)
        self.played += 1
        # At the horizon as if everything were spent.
        payoff = self.rules.payoff(State(0, 0, self.state.ball) if self.played == self.horizon else self.state)
        return None if payoff is None else float(payoff)

    def observe(self, player: Player) -> Observation:
        """The game as a player sees it."""
        points, other_points, ball = self.state if player == "A" else self.state.mirrored()
        mask = np.zeros(self.points[PLAYERS.index(player)] + 1, np.int8)
        legal = self.rules.legal_bids(points)
        mask[legal.start : legal.stop] = 1
        return {"observation": np.array([points, other_points, ball], np.int32), "action_mask": mask}

    def bounds(self, player: Player) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The least and the greatest numbers of a player's observation."""
        points, other_points = self.points if player == "A" else self.points[::-1]
        out = self.rules.field + 1
        return np.array([0, 0, -out], np.int32), np.array([points, other_points, out], np.int32)


def picture(state: State, field: int) -> str:
    """The accounts and the court in a line."""
    places = ["o" if ball == state.ball else "|" if ball == 0 else "." for ball in range(-field, field + 1)]
    sides = "o" if state.ball < -field else " ", "o" if state.ball > field else " "
    return f"A {state.a:3} {sides[0]}[ {' '.join(places)} ]{sides[1]} {state.b:3} B"


def known_mode(render_mode: str | None) -> str | None:
    """A render mode, if it is one."""
    if render_mode not in (None, "ansi", "human"):
        message = f"{render_mode!r} is no render mode; expected None, 'ansi' or 'human'"
        raise ValueError(message)
    return render_mode


def known_options(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    """The options of a reset, if there are no others than these."""
    for name in options or ():
        if name not in known:
            message = f"options[{name!r}] is not an option; expected {' or '.join(map(repr, known))}"
            raise ValueError(message)
    return options or {}


class TurnsShown:
    """The public attributes of an environment of one game."""

    _turns: Turns
    render_mode: str | None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._turns.rules

    @property
    def game_state(self) -> State:
        """The state of the game."""
        return self._turns.state

    def render(self) -> str | None:
        """The accounts and the court in a line of text, as the render mode wants it."""
        line = picture(self._turns.state, self.rules.field)
        if self.render_mode == "human":
            print(line)
            return None
        return line
