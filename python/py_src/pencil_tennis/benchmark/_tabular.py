"""Learners of tables from a simulator: every state has estimates of its cells, and a rule that makes strategies of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from pencil_tennis import matrix_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis.benchmark._game_tasks import Simulator

    Vector = NDArray[np.float64]

RATE_EXPONENT = 0.7
"""Steps are of the size visits^-0.7: their sum diverges, that of their squares does not (Robbins and Monro 1951)."""

EXPLORATION = 0.1
"""The share of uniform actions while learning."""


class _State:
    """The estimates of one state: A's payoffs by cells, both strategies and what their rule keeps."""

    def __init__(self, a: int, b: int) -> None:
        self.cells, self.visits = np.zeros((a, b)), np.zeros((a, b))
        self.played = [np.full(a, 1 / a), np.full(b, 1 / b)]
        self.kept = [np.zeros(a), np.zeros(b)]
        self.sums = [np.zeros(a), np.zeros(b)]
        self.times = 0

    def expected_payoff(self) -> float:
        return float(self.played[0] @ self.cells @ self.played[1])

    def gains(self) -> tuple[Vector, Vector]:
        """What actions of either player win against the other's strategy."""
        return self.cells @ self.played[1], -(self.played[0] @ self.cells)


def _matched(*, floor: bool) -> Callable[[_State], None]:
    """Regret matching (Hart and Mas-Colell 2000), or with a floor regret matching+ as in CFR+ (Tammelin 2014)."""

    def rule(state: _State) -> None:
        for player, gains in enumerate(state.gains()):
            regret = state.kept[player] + gains - state.played[player] @ gains
            state.kept[player] = np.maximum(regret, 0) if floor else regret
            positive = np.maximum(state.kept[player], 0)
            total = positive.sum()
            state.played[player] = positive / total if total > 0 else np.full(len(positive), 1 / len(positive))
            state.sums[player] += state.played[player] * (state.times if floor else 1)

    return rule


def _magnetic(state: _State) -> None:
    """Magnetic mirror descent toward the uniform strategy (Sokota and others 2023), its strength falling with the visits."""
    step, pull = 0.5 / np.sqrt(state.times), 0.5 / np.sqrt(state.times)
    for player, gains in enumerate(state.gains()):
        scores = (np.log(np.maximum(state.played[player], 1e-300)) + step * gains) / (1 + step * pull)
        powers = np.exp(scores - scores.max())
        state.played[player] = powers / powers.sum()
        state.sums[player] = state.played[player]


def _minimax(state: _State) -> None:
    """Minimax-Q (Littman 1994): the matrix game of the estimates is solved."""
    # It is solved again when the visits have grown by a tenth: the estimates have hardly changed before.
    if state.times <= 10 or state.times >= 1.1 * state.kept[0][0]:
        state.kept[0][0] = state.times
        solved = matrix_game.solve(state.cells)
        state.played = [np.asarray(solved.row_strategy, float), np.asarray(solved.column_strategy, float)]
        state.sums = state.played


def _independent(state: _State) -> None:
    """Independent Q-learning: either player sees its own actions alone, and takes the best one."""
    visits = np.maximum(state.visits, 0)
    for player, axis in ((0, 1), (1, 0)):
        means = (state.cells * visits).sum(axis) / np.maximum(visits.sum(axis), 1)
        best = np.zeros(len(means))
        best[np.argmax(means if player == 0 else -means)] = 1
        state.played[player] = state.sums[player] = best


def _gradient(state: _State) -> None:
    """Softmax policy gradient with the tables' advantages, natural form (Kakade 2002): scores grow by the gains."""
    for player, gains in enumerate(state.gains()):
        state.kept[player] += 0.1 * gains
        powers = np.exp(state.kept[player] - state.kept[player].max())
        state.played[player] = powers / powers.sum()
        state.sums[player] = state.played[player]


def learned(rule: Callable[[_State], None], simulator: Simulator, seed: int) -> Callable[[Any, str], Any]:
    """Plays all turns of a simulator, and returns the policy: the mean of strategies where the rule sums them."""
    drawn = np.random.default_rng(seed)
    states: dict[Any, _State] = {}
    turn = simulator.reset()
    while simulator.left > 0:
        if not turn.actions[0]:
            turn = simulator.reset()
            continue
        here = states.setdefault(turn.state, _State(*turn.actions))
        a, b = (
            int(drawn.integers(len(strategy)))
            if drawn.random() < EXPLORATION
            else int(np.searchsorted(strategy.cumsum(), drawn.random()))
            for strategy in here.played
        )
        a, b = min(a, turn.actions[0] - 1), min(b, turn.actions[1] - 1)
        turn = simulator.step(a, b)
        later = states[turn.state].expected_payoff() if turn.state in states else 0.0
        here.visits[a, b] += 1
        target = turn.reward + simulator.discount * later
        here.cells[a, b] += (target - here.cells[a, b]) / here.visits[a, b] ** RATE_EXPONENT
        here.times += 1
        rule(here)

    def policy(state: Hashable, player: str) -> Any:
        if state not in states:
            return None
        sums = states[state].sums[player == "B"]
        return sums / sums.sum() if sums.sum() > 0 else None

    return policy


RULES: dict[str, Callable[[_State], None]] = {
    "independent-q": _independent,
    "minimax-q": _minimax,
    "regret-matching": _matched(floor=False),
    "cfr-plus": _matched(floor=True),
    "mmd": _magnetic,
    "policy-gradient": _gradient,
}
"""The rules of the baselines."""
