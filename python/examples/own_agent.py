"""A small agent of your own, in numpy alone, that learns from games against itself and is judged exactly while it learns.

Usage: own_agent.py [ROUNDS [POINTS]]

The agent is a table: a preference for every bid in every state as the player sees it, so that one table plays both roles. Bids
are drawn from the softmax of the legal preferences, and the policy gradient (REINFORCE) moves them: a bid becomes likelier by how
much more was won than the state was thought to be worth. Thousands of games are played at a time. The entropy bonus keeps the
agent from settling on a plan that can be outbid; of the policies on the way the average is judged, since that comes to rest.
"""

from __future__ import annotations

import sys

import numpy as np

import pencil_tennis
from pencil_tennis import Games, LearningCurve

GAMES = 4096


class Agent:
    """Preferences for bids, and estimated values of states for the player to move."""

    def __init__(self, points: int, field: int) -> None:
        self.shape = (points + 1, points + 1, 2 * field + 1)
        self.field = field
        own, bid = np.arange(points + 1)[:, None], np.arange(points + 1)
        self.legal = (bid >= np.minimum(own, 1)) & (bid <= own)
        self.preferences = np.zeros((*self.shape, points + 1))
        self.worth = np.zeros(self.shape)

    def policy(self, states: tuple[np.ndarray, ...] | slice = slice(None)) -> np.ndarray:
        """The probabilities of the bids, in some states or in all."""
        legal = np.broadcast_to(self.legal[:, None, None], self.preferences.shape)[states]
        preferences = np.where(legal, self.preferences[states], -np.inf)
        weights = np.exp(preferences - preferences.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    def states(self, seen: np.ndarray) -> tuple[np.ndarray, ...]:
        """The table indices of a player's observations."""
        own, other, ball = seen.astype(np.int64).T
        return own, other, ball + self.field

    def learn(self, turns: list[tuple[np.ndarray, ...]], won: np.ndarray, rate: float, entropy: float) -> None:
        """Moves preferences and values by the payoffs from every turn on."""
        states = tuple(np.concatenate(part) for part in zip(*(states for states, _, _ in turns), strict=True))
        bids = np.concatenate([bids for _, bids, _ in turns])
        won = np.concatenate([won[games] for _, _, games in turns])
        probabilities = self.policy(states)
        logs = np.log(np.maximum(probabilities, 1e-12))
        surprise = won - self.worth[states]
        gradient = -surprise[:, None] * probabilities
        gradient[np.arange(len(bids)), bids] += surprise
        gradient -= entropy * probabilities * (logs - (probabilities * logs).sum(axis=1, keepdims=True))
        # A state that was met often moves as far as one that was met once.
        times = np.zeros(self.shape)
        np.add.at(times, states, 1.0)
        steps = np.zeros_like(self.preferences)
        np.add.at(steps, states, gradient)
        self.preferences += rate * steps / np.maximum(times, 1.0)[..., None]
        moves = np.zeros(self.shape)
        np.add.at(moves, states, surprise)
        self.worth += 0.2 * moves / np.maximum(times, 1.0)


def play(agent: Agent, games: Games, random: np.random.Generator) -> tuple[list[tuple[np.ndarray, ...]], list[np.ndarray]]:
    """Plays all games to their end. Returns the turns of A and of B, and their payoffs."""
    turns: list[list[tuple[np.ndarray, ...]]] = [[], []]
    # Every second game starts anywhere, so that there is something to learn about every state.
    points = games.points[0]
    starts = np.column_stack([random.integers(0, points + 1, (GAMES, 2)), random.integers(-agent.field, agent.field + 1, GAMES)])
    starts[::2] = points, points, 0
    games.reset(starts)
    while games.running:
        on = np.flatnonzero(~games.over())
        bids = np.zeros((2, GAMES), np.int64)
        for role, player in enumerate("AB"):
            states = agent.states(games.observe(player)[on])
            sums = agent.policy(states).cumsum(axis=1)
            drawn = (random.random((len(on), 1)) * sums[:, -1:] >= sums).sum(axis=1)
            bids[role, on] = drawn
            turns[role].append((states, drawn, on))
        games.step(*bids)
    payoffs = games.payoffs()
    return turns, [payoffs, -payoffs]


def main(rounds: int = 300, points: int = 8) -> None:
    """Learns, and prints the exploitability of the average policy so far."""
    random = np.random.default_rng(2012)
    games = Games(GAMES, points)
    agent = Agent(points, games.rules.field)
    curve = LearningCurve(pencil_tennis.solve(points))
    average = agent.policy()
    print(f"{'games':>9}  {'exploitability':>14}  {'against optimal play':>20}")
    for done in range(rounds + 1):
        if done in {0, rounds} or done in LearningCurve.ladder(rounds):
            point = curve.note(average, done * GAMES)
            print(f"{point.games:9,}  {point.exploitability:14.4f}  {point.against_optimum:20.4f}")
        turns, won = play(agent, games, random)
        for role in (0, 1):
            agent.learn(turns[role], won[role], rate=1.0, entropy=0.02)
        # Later policies count more, in proportion to the round.
        average += (agent.policy() - average) * 2 / (done + 2)
    assert curve.exploitability[-1] < curve.exploitability[0] / 2, "it has learned nothing"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
