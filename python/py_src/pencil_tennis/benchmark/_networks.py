"""Small neural networks in numpy, for learners that get a simulator: what they see of a state, and one network a player.

No library of networks is needed: at these sizes its overhead for each call would be most of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

FEATURES = 128
"""The inputs of a network. The benchmark's games have up to some 80 different parts of states."""

ACTIONS = 64
"""The outputs of a network; the benchmark's games have up to 45 actions."""

HIDDEN = 32
"""The units of each of the two hidden layers."""


class Seen:
    """The states visited so far, by number, as inputs of networks.

    A state is taken apart: tuples and texts by position, sets by member. Every part ("the second number is 3", "the set has
    (0, 1)") gets the next input when it is first met, and a state's inputs are 1 for its parts. So networks generalise between
    states with common parts, which one input for each state would not allow, and no game needs a description of its own.
    """

    def __init__(self) -> None:
        self._states: dict[Any, int] = {}
        self._parts: dict[Any, int] = {}
        self.inputs = np.zeros((64, FEATURES), np.float32)
        """The inputs by the states' numbers."""
        self.legal = np.zeros((64, 2, ACTIONS), np.bool_)
        """The legal actions of A and B by the states' numbers; none at an end."""

    def find(self, state: Hashable) -> int | None:
        """The number of a state, if it was visited."""
        return self._states.get(state)

    def number(self, state: Hashable, actions: tuple[int, int]) -> int:
        """The number of a state with these numbers of actions of A and B."""
        if state in self._states:
            return self._states[state]
        if max(actions) > ACTIONS:
            message = f"state {state!r:.80} has {max(actions)} actions; the networks have {ACTIONS} outputs"
            raise ValueError(message)
        number = self._states[state] = len(self._states)
        if number == len(self.inputs):
            self.inputs = np.concatenate([self.inputs, np.zeros_like(self.inputs)])
            self.legal = np.concatenate([self.legal, np.zeros_like(self.legal)])
        for part in _parts(state):
            # A game with more parts than inputs shares some.
            self.inputs[number, self._parts.setdefault(part, len(self._parts)) % FEATURES] = 1
        self.legal[number] = np.arange(ACTIONS) < np.array(actions)[:, None]
        return number


def _parts(value: object, place: tuple[Any, ...] = ()) -> Iterator[Any]:
    if isinstance(value, (set, frozenset)):
        # In an order of its own: that of sets of texts changes from run to run.
        for member in sorted(value, key=repr):
            yield place, "has", member
    elif isinstance(value, (tuple, list)) or (isinstance(value, str) and len(value) > 1):
        for position, part in enumerate(value):
            yield from _parts(part, (*place, position))
    else:
        yield place, value


class Networks:
    """Two networks side by side, one for each player: two hidden layers of ReLU, trained by Adam (Kingma and Ba 2015)."""

    def __init__(self, outputs: int, random: np.random.Generator, rate: float) -> None:
        sizes = [FEATURES, HIDDEN, HIDDEN, outputs]
        shapes = [shape for i, o in zip(sizes, sizes[1:], strict=False) for shape in ((2, i, o), (2, 1, o))]
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)]).tolist()
        self._places = [(slice(*ends[layer : layer + 2]), shape) for layer, shape in enumerate(shapes)]
        self.weights = np.zeros(ends[-1], np.float32)
        """All weights and biases; a copy of them is a copy of the networks."""
        self._gradient = np.zeros_like(self.weights)
        self._slopes = self._layers(self._gradient)
        for layer, scale in zip(self._layers(self.weights)[::2], (1, 1, 0.01), strict=True):
            # After He and others 2015. The last layer is small, so that policies begin as uniform and values as 0.
            layer[:] = random.normal(0, np.sqrt(2 / layer.shape[1]) * scale, layer.shape)
        self._moments = np.zeros((2, len(self.weights)), np.float32)
        self._steps, self._rate = 0, rate

    def _layers(self, flat: Floats) -> list[Floats]:
        """The arrays of the layers, as views of all weights."""
        return [flat[place].reshape(shape) for place, shape in self._places]

    def outputs(self, inputs: Floats, weights: Floats | None = None) -> Floats:
        """The outputs by player, state and number, for inputs by state (or by player and state)."""
        return self._activations(inputs, self.weights if weights is None else weights)[-1]

    def _activations(self, inputs: Floats, weights: Floats) -> list[Floats]:
        layers, found = self._layers(weights), [inputs]
        for layer in range(0, len(layers), 2):
            sums = found[-1] @ layers[layer] + layers[layer + 1]
            found.append(np.maximum(sums, 0) if layer + 2 < len(layers) else sums)
        return found

    def learn(self, inputs: Floats, gradient_of: Callable[..., NDArray[np.floating[Any]]]) -> None:
        """A step of Adam down the gradient of a loss; `gradient_of` gives it at the outputs, which it is handed."""
        layers, slopes = self._layers(self.weights), self._slopes
        found = self._activations(inputs, self.weights)
        back = np.asarray(gradient_of(found[-1]), np.float32)
        for layer in range(len(layers) - 2, -1, -2):
            before = found[layer // 2]
            slopes[layer][:] = before.swapaxes(-1, -2) @ back
            slopes[layer + 1][:] = back.sum(axis=1, keepdims=True)
            if layer:
                back = (back @ layers[layer].swapaxes(-1, -2)) * (before > 0)
        self._steps += 1
        first, second = self._moments
        first *= 0.9
        first += 0.1 * self._gradient
        second *= 0.999
        second += 0.001 * self._gradient**2
        step = self._rate * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        self.weights -= float(step) * first / (np.sqrt(second) + 1e-8)


def softmax(scores: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Probabilities by the last axis, 0 where an action is not legal."""
    masked = np.where(legal, scores, -np.inf)
    powers = np.exp(masked - np.max(masked, axis=-1, keepdims=True, initial=-1e30))
    return np.asarray(powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-30), np.float32)


def drawn(random: np.random.Generator, shares: NDArray[Any]) -> int:
    """An action by its probability."""
    sums = np.cumsum(shares, dtype=np.float64)
    return int(np.searchsorted(sums, random.random() * sums[-1], side="right"))


def rounded(shares: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities as multiples of 2^-24, the precision of the networks, but none of them 0; so records are shorter."""
    units = np.maximum(np.round(np.asarray(shares, np.float64) * 2**24), 1)
    units[np.argmax(units)] += 2**24 - units.sum()
    return np.asarray(units / 2**24)
