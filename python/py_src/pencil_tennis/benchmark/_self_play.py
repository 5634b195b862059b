"""Deep learners in self-play from a simulator: DQN, NFSP, PPO and R-NaD, each player with networks of its own.

A player learns from the state, its own action and its own reward. Settings are those of the papers, but for those that budgets of
some thousand turns ask for; R-NaD's and the memory were chosen on a single random matrix, none on a game of the benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from pencil_tennis.benchmark._networks import ACTIONS, Networks, Seen, drawn, rounded, softmax

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pencil_tennis.benchmark._game_tasks import Simulator
    from pencil_tennis.benchmark._networks import Floats, Numbers

    Policy = Callable[[Any, str], Any]

RATE = 1e-3
"""The step size of Adam. Papers with millions of turns take 1e-4 to 3e-4."""

BATCH = 32
"""The turns that a step of Adam learns from."""

MEMORY = 1000
"""The latest turns, of which DQN and NFSP learn: older ones are of opponents that have changed."""

EVERY = 4
"""The turns between two steps of DQN and NFSP, as in the paper of DQN."""

ROLLOUT = 128
"""The turns that PPO and R-NaD play between two times of learning."""

EPOCHS = 4
"""How often PPO learns from the same turns. R-NaD's gradients are those of the policy that played: it learns once."""

TRACE = 0.95
"""The weight of later turns in advantages: lambda of Schulman and others (2016)."""

SIGNS = np.array([[1], [-1]], np.float32)
"""The signs of A's rewards to both players."""

ROWS = np.array([[0], [1]])
"""Both players, as an index beside others."""


class _Play:
    """All turns played so far, game after game, as arrays."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator, self.seen, self.budget, self.count = simulator, Seen(), simulator.left, 0
        self.here, self.later = (np.zeros(self.budget, np.int64) for _ in range(2))
        """The numbers of the states before and after each turn."""
        self.moves = np.zeros((2, self.budget), np.int64)
        self.rewards = np.zeros(self.budget, np.float32)
        self.begun = True
        """Whether a game begins with the next turn."""
        turn = simulator.reset()
        self.place = self.seen.number(turn.state, turn.actions)
        """The number of the state that play is in."""

    def legal(self, places: NDArray[np.int64] | slice) -> NDArray[np.bool_]:
        """The legal actions by player and state."""
        return np.asarray(self.seen.legal[places].swapaxes(0, 1))

    def step(self, moves: list[int]) -> None:
        turn, now = self.simulator.step(*moves), self.count
        self.here[now], self.moves[:, now], self.rewards[now] = self.place, moves, turn.reward
        self.place = self.later[now] = self.seen.number(turn.state, turn.actions)
        self.count, self.begun = now + 1, not turn.actions[0]
        if self.begun:
            turn = self.simulator.reset()
            self.place = self.seen.number(turn.state, turn.actions)

    def outputs(self, networks: Networks) -> Floats:
        """The outputs for both players where play is."""
        return networks.outputs(self.seen.inputs[self.place : self.place + 1])[:, 0]

    def at(self, networks: Networks, state: Hashable, player: str) -> tuple[Floats, NDArray[np.bool_]] | None:
        """A player's outputs at a state, and which of them are legal; None for a state never visited, which then is uniform."""
        place, side = self.seen.find(state), "AB".index(player)
        if place is None:
            return None
        return networks.outputs(self.seen.inputs[place : place + 1])[side, 0], self.seen.legal[place, side]


class _Values:
    """Deep Q-networks (Mnih and others 2015): values of a player's own actions, from random turns of the past."""

    def __init__(self, play: _Play, random: np.random.Generator) -> None:
        self.play, self.random = play, random
        self.networks = Networks(ACTIONS, random, RATE)
        self.target = self.networks.weights.copy()

    def moves(self, exploring: float) -> list[int]:
        """The best action of each player, or with the probability of exploring any."""
        legal = self.play.seen.legal[self.play.place]
        best: list[int] = np.where(legal, self.play.outputs(self.networks), -np.inf).argmax(axis=1).tolist()
        for player in range(2):
            if self.random.random() < exploring:
                best[player] = drawn(self.random, legal[player])
        return best

    def learn(self) -> None:
        play, picks = self.play, self.random.integers(max(0, self.play.count - MEMORY), self.play.count, size=BATCH)
        follow = self.networks.outputs(play.seen.inputs[play.later[picks]], self.target)
        legal = play.legal(play.later[picks])
        best = np.where(legal.any(axis=2), np.where(legal, follow, -np.inf).max(axis=2), 0)
        goal = SIGNS * play.rewards[picks] + play.simulator.discount * best
        rows = ROWS, np.arange(BATCH), play.moves[:, picks]

        def gradient(found: Floats) -> Floats:
            slope = np.zeros_like(found)
            # Of Huber's loss: errors count as no more than 1.
            slope[rows] = np.clip(found[rows] - goal, -1, 1) / BATCH
            return slope

        self.networks.learn(play.seen.inputs[play.here[picks]], gradient)
        if play.count % 100 < EVERY:
            self.target = self.networks.weights.copy()


def dqn(simulator: Simulator, seed: int) -> Policy:
    """DQN in self-play: the best actions by the players' values. Exploration falls from 1 to 0.05 in half of the turns."""
    random, play = np.random.default_rng(seed), _Play(simulator)
    values = _Values(play, random)
    while simulator.left:
        exploring = max(0.05, 1 - 1.9 * play.count / play.budget)
        play.step(values.moves(exploring))
        if play.count % EVERY == 0:
            values.learn()

    def policy(state: Hashable, player: str) -> Any:
        found = play.at(values.networks, state, player)
        return None if found is None else {int(np.argmax(np.where(found[1], found[0], -np.inf))): 1.0}

    return policy


ANTICIPATION = 0.1
"""The share of games in which a player of NFSP plays its best response."""


def nfsp(simulator: Simulator, seed: int) -> Policy:
    """Neural fictitious self-play (Heinrich and Silver 2016): DQN's best response to the others' mean of best responses so far.

    The second networks imitate what the best responses did; they are the policy. All of it is kept: the paper's reservoir, a
    uniform sample of it, saves memory that these budgets do not need.
    """
    random, play = np.random.default_rng(seed), _Play(simulator)
    values, mean = _Values(play, random), Networks(ACTIONS, random, RATE)
    # The turns in which each player played its best response.
    kept, count = np.zeros((2, play.budget), np.int64), np.zeros(2, np.int64)
    best = np.zeros(2, np.bool_)
    while simulator.left:
        if play.begun:
            best = random.random(2) < ANTICIPATION
        kept[best, count[best]] = play.count
        count += best
        moves = [drawn(random, strategy) for strategy in softmax(play.outputs(mean), play.seen.legal[play.place])]
        if best.any():
            # The paper's exploration.
            moves = np.where(best, values.moves(0.06 / np.sqrt(1 + play.count / 1000)), moves).tolist()
        play.step(moves)
        if play.count % EVERY:
            continue
        values.learn()
        if count.all():
            picks = kept[ROWS, random.integers(count[:, None], size=(2, BATCH))]
            _imitate(mean, play, picks)
    return _mixed(play, mean)


def _imitate(mean: Networks, play: _Play, turns: Numbers) -> None:
    """A step down the cross entropy of the moves of some turns of each player."""
    places, legal = play.here[turns], play.seen.legal[play.here[turns], ROWS]
    made = ROWS, np.arange(BATCH), play.moves[ROWS, turns]

    def gradient(scores: Floats) -> Floats:
        slope = softmax(scores, legal)
        slope[made] -= 1
        return np.asarray(slope / BATCH, np.float32)

    mean.learn(play.seen.inputs[places], gradient)


def _mixed(play: _Play, networks: Networks) -> Policy:
    """The policy whose probabilities are the softmax of outputs."""

    def policy(state: Hashable, player: str) -> Any:
        outputs = play.at(networks, state, player)
        return None if outputs is None else rounded(softmax(*outputs)[outputs[1]])

    return policy


class _Rollouts:
    """What PPO and R-NaD share: policies and values as networks, turns played by the policies, and advantages of the moves."""

    def __init__(self, simulator: Simulator, seed: int) -> None:
        self.random, self.play = np.random.default_rng(seed), _Play(simulator)
        self.scores = Networks(ACTIONS, self.random, RATE)
        self.values = Networks(1, self.random, RATE)

    def turns(self) -> slice:
        """Plays some turns with both policies, and returns their place among all turns."""
        begin = self.play.count
        while self.play.simulator.left and self.play.count < begin + ROLLOUT:
            here = slice(self.play.place, self.play.place + 1)
            shares = softmax(self.scores.outputs(self.play.seen.inputs[here]), self.play.legal(here))
            self.play.step([drawn(self.random, strategy) for strategy in shares[:, 0]])
        return slice(begin, self.play.count)

    def advantages(self, turns: slice, rewards: Floats) -> tuple[Floats, Floats]:
        """Generalised advantages of the moves by player and turn (Schulman and others 2016), and the values' goals."""
        play = self.play
        ends: NDArray[np.bool_] = np.logical_not(play.legal(play.later[turns]).any(axis=2))
        now, then = (self.values.outputs(play.seen.inputs[places[turns]])[..., 0] for places in (play.here, play.later))
        gains = rewards + play.simulator.discount * np.where(ends, 0, then) - now
        for turn in range(gains.shape[1] - 2, -1, -1):
            gains[:, turn] += np.where(ends[:, turn], 0, play.simulator.discount * TRACE * gains[:, turn + 1])
        return np.asarray(gains, np.float32), np.asarray(gains + now, np.float32)

    def learn(self, turns: slice, gradient_of: Callable[[Any, Floats], Floats], returns: Floats, epochs: int) -> None:
        """Passes over the turns: a step of the policies, whose gradient is given for picked turns and scores, and of values."""
        inputs, count = self.play.seen.inputs[self.play.here[turns]], returns.shape[1]
        for _ in range(epochs):
            for picks in np.array_split(self.random.permutation(count), max(count // BATCH, 1)):
                self.scores.learn(inputs[picks], lambda scores, picks=picks: gradient_of(picks, scores) / len(picks))
                self.values.learn(inputs[picks], lambda values, picks=picks: (values - returns[:, picks, None]) / len(picks))


def ppo(simulator: Simulator, seed: int) -> Policy:
    """PPO in self-play (Schulman and others 2017): clipped at 0.2, with a bonus of 0.01 for the policy's entropy."""
    learner = _Rollouts(simulator, seed)
    play = learner.play
    while simulator.left:
        turns = learner.turns()
        places, moves = play.here[turns], play.moves[:, turns]
        legal = play.legal(places)
        made = ROWS, np.arange(len(places)), moves
        before = softmax(learner.scores.outputs(play.seen.inputs[places]), legal)[made]
        gains, returns = learner.advantages(turns, SIGNS * play.rewards[turns])
        gains = (gains - gains.mean(axis=1, keepdims=True)) / (gains.std(axis=1, keepdims=True) + 1e-8)

        def gradient(picks: NDArray[np.int64], scores: Floats) -> Floats:
            shares, gain = softmax(scores, legal[:, picks]), gains[:, picks]
            rows = ROWS, np.arange(len(picks)), moves[:, picks]
            ratio = shares[rows] / before[:, picks]
            moving = np.where(gain > 0, ratio < 1.2, ratio > 0.8)
            slope = (moving * gain * ratio)[..., None] * shares
            slope[rows] -= moving * gain * ratio
            logs = np.log(np.maximum(shares, 1e-30))
            return np.asarray(slope + 0.01 * shares * (logs - (shares * logs).sum(axis=2, keepdims=True)), np.float32)

        learner.learn(turns, gradient, returns, EPOCHS)
    return _mixed(play, learner.scores)


REGULARISATION = 0.2
"""The weight of the regularisation: eta of R-NaD, for rewards up to 1."""

FIXED = 20
"""The rollouts after which R-NaD regularises toward its present policy."""


def r_nad(simulator: Simulator, seed: int) -> Policy:
    """Regularised Nash dynamics (Perolat and others 2022): replicator dynamics of a game with rewards that pull toward a policy.

    Rewards are divided by the largest one so far. From a player's reward of a turn, eta log(own / regularising policy) of its move
    is taken, and its opponent's is added. The scores follow the advantages themselves (NeuRD, Hennes and others 2020) while they
    are within 2 of their mean. From time to time the regularising policy becomes the present one. Left out: the paper's actors
    apart from the learner (the policy that learns plays), its mixing of two regularising policies, and its final removal of
    improbable actions.
    """
    learner = _Rollouts(simulator, seed)
    play, toward, rollouts = learner.play, learner.scores.weights.copy(), 0
    while simulator.left:
        turns = learner.turns()
        places, moves = play.here[turns], play.moves[:, turns]
        inputs, legal = play.seen.inputs[places], play.legal(places)
        made = ROWS, np.arange(len(places)), moves
        shares = softmax(learner.scores.outputs(inputs), legal)
        fixed = softmax(learner.scores.outputs(inputs, toward), legal)
        pull = REGULARISATION * (np.log(np.maximum(shares, 1e-30)) - np.log(np.maximum(fixed, 1e-30)))
        largest = max(float(np.abs(play.rewards[: play.count]).max()), 1e-9)
        rewards = SIGNS * play.rewards[turns] / largest - pull[made] + pull[made][::-1]
        gains, returns = learner.advantages(turns, np.asarray(rewards, np.float32))
        # The gain of every action: its pull is known; what was won is seen for one action, and counts by its rarity, at most 20.
        action_gains = -pull
        action_gains[made] += (gains + pull[made]) / np.maximum(shares[made], 0.05)
        action_gains -= (shares * action_gains).sum(axis=2, keepdims=True)

        def gradient(picks: NDArray[np.int64], scores: Floats) -> Floats:
            here = legal[:, picks]
            middle = np.where(here, scores, 0).sum(axis=2, keepdims=True) / here.sum(axis=2, keepdims=True)
            moving = here & np.where(action_gains[:, picks] > 0, scores - middle < 2, scores - middle > -2)
            return np.asarray(-action_gains[:, picks] * moving, np.float32)

        learner.learn(turns, gradient, returns, 1)
        rollouts += 1
        if rollouts % FIXED == 0:
            toward = learner.scores.weights.copy()
    return _mixed(play, learner.scores)


DEEP: dict[str, Callable[[Simulator, int], Policy]] = {"dqn": dqn, "nfsp": nfsp, "ppo": ppo, "r-nad": r_nad}
"""The deep learners, by name."""
