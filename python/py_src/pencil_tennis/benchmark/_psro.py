"""PSRO with tables: a growing population of best responses, and the matrix game between its members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from pencil_tennis import matrix_game
from pencil_tennis.benchmark._networks import drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis.benchmark._game_tasks import Simulator

    Member = dict[Any, int]
    Vector = NDArray[np.float64]

GENERATIONS = 5
"""How often a best response joins the members of each player; the first member of both is uniform play."""

LONGEST = 100
"""The turns after which a game between members is stopped: it may never end."""

EXPLORATION = 0.2
"""The share of uniform actions while a best response learns."""

RATE = 0.2
"""The step size of Q-learning; it stays, since the opponent changes from generation to generation."""


class _Table:
    """The matrix game between the members, from games that were played, and the states that these games came to."""

    def __init__(self, simulator: Simulator, random: np.random.Generator) -> None:
        self.simulator, self.random = simulator, random
        self.members: tuple[list[Member], list[Member]] = ([{}], [{}])
        self.sums, self.games = (np.zeros((GENERATIONS + 1, GENERATIONS + 1)) for _ in range(2))
        self.visits: dict[tuple[int, int], dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.mixed: list[Vector] = [np.ones(1), np.ones(1)]
        self.sizes: dict[Any, tuple[int, int]] = {}

    def move(self, member: Member, state: Hashable, size: int) -> int:
        """A member's action: its own, or where it has none any."""
        return member[state] if state in member else int(self.random.integers(size))

    def play(self, pair: tuple[int, int]) -> None:
        """A game between two members."""
        turn, weight, total = self.simulator.reset(), 1.0, 0.0
        for _ in range(LONGEST):
            if not (turn.actions[0] and self.simulator.left):
                break
            self.visits[pair][turn.state] += 1
            self.sizes[turn.state] = turn.actions
            moves = [self.move(self.members[player][pair[player]], turn.state, turn.actions[player]) for player in range(2)]
            turn = self.simulator.step(*moves)
            total, weight = total + weight * turn.reward, weight * self.simulator.discount
        self.sums[pair] += total
        self.games[pair] += 1

    def solve(self, last: int) -> None:
        """Plays until the simulator has `last` turns left, the rarest pairs first, and solves the matrix game of the means."""
        size = len(self.members[0])
        while self.simulator.left > last:
            played = self.games[:size, :size]
            self.play(divmod(int(np.argmin(played)), size))
        solved = matrix_game.solve(self.sums[:size, :size] / np.maximum(self.games[:size, :size], 1))
        self.mixed = [np.asarray(strategy, np.float64) for strategy in (solved.row_strategy, solved.column_strategy)]


def _respond(table: _Table, player: int, values: dict[Any, Vector], last: int) -> Member:
    """A best response to the opponent's mixture, by Q-learning until `last` turns are left; every game has another opponent."""
    simulator, random, visited = table.simulator, table.random, set()
    turn, opponent, length = simulator.reset(), table.members[1 - player][drawn(random, table.mixed[1 - player])], 0
    while simulator.left > last:
        if not turn.actions[0] or length == LONGEST:
            turn, opponent, length = simulator.reset(), table.members[1 - player][drawn(random, table.mixed[1 - player])], 0
        state, size = turn.state, turn.actions[player]
        known = values.setdefault(state, np.zeros(size))
        visited.add(state)
        chosen = int(random.integers(size)) if random.random() < EXPLORATION else int(np.argmax(known))
        reply = table.move(opponent, state, turn.actions[1 - player])
        turn = simulator.step(*((chosen, reply) if player == 0 else (reply, chosen)))
        reward = turn.reward if player == 0 else -turn.reward
        later = values[turn.state].max() if turn.state in values else 0.0
        known[chosen] += RATE * (reward + simulator.discount * later - known[chosen])
        length += 1
    return {state: int(np.argmax(values[state])) for state in visited}


def psro(simulator: Simulator, seed: int) -> Callable[[Any, str], Any]:
    """Policy-space response oracles (Lanctot and others 2017): best responses to the equilibrium of the members so far.

    Every generation has an equal share of the turns: a quarter for A's best response, a quarter for B's, and half to play all
    pairs of members. A mixture draws its member once a game. The policy does the same by state: there a member counts by its
    probability times how often its games against the opponent's mixture come to the state.
    """
    table = _Table(simulator, np.random.default_rng(seed))
    values: tuple[dict[Any, Vector], dict[Any, Vector]] = ({}, {})
    budget = simulator.left
    for generation in range(GENERATIONS):
        left = [budget - int(budget * (generation + part) / GENERATIONS) for part in (0.25, 0.5, 1)]
        # Both respond to the same mixtures.
        responses = [_respond(table, player, values[player], left[player]) for player in range(2)]
        for player in range(2):
            table.members[player].append(responses[player])
        table.solve(left[2])

    def policy(state: Hashable, player: str) -> Any:
        if state not in table.sizes:
            return None
        side = "AB".index(player)
        shares = np.zeros(len(table.members[side]))
        for pair, visits in table.visits.items():
            weight = table.mixed[0][pair[0]] * table.mixed[1][pair[1]]
            shares[pair[side]] += weight * visits.get(state, 0) / table.games[pair]
        if not shares.any():
            shares = table.mixed[side]
        size = table.sizes[state][side]
        probabilities = np.zeros(size)
        for share, member in zip(shares, table.members[side], strict=True):
            if state in member:
                probabilities[member[state]] += share
            else:
                probabilities += share / size
        return probabilities / probabilities.sum()

    return policy
