"""Policies as arrays, mappings and functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pencil_tennis import _native
from pencil_tennis._arrays import array_of
from pencil_tennis._game import Points, as_points, as_rules
from pencil_tennis._native import AgentError, Policy, PolicyError, Rules
from pencil_tennis._progress import Progress, listening
from pencil_tennis._state import State
from pencil_tennis._tables import table_of

Distribution: TypeAlias = Mapping[int, float] | Sequence[float] | NDArray[Any]
"""Probabilities of the bids at one state: a mapping from bid to probability, or a sequence indexed by the bid, from bid 0."""

OnePlayer: TypeAlias = NDArray[Any] | Mapping[Any, Any] | Callable[[State], Distribution]
"""How one player bids: an array ``[a, b, ball + field, bid]``, a mapping from states to distributions, or a function."""

BatchedPolicy: TypeAlias = Callable[[NDArray[np.int32], NDArray[np.bool_]], Any]
"""How A bids at many states at once: of arrays of states and of legal bids, an array of probabilities; see `as_policy`."""

PolicyLike: TypeAlias = Policy | OnePlayer | tuple[OnePlayer, OnePlayer] | str | os.PathLike[str]
"""A policy in any accepted form; see `as_policy`."""

_COLUMNS = ("a", "b", "ball", "player", "bid", "probability")


def as_policy(
    policy: PolicyLike | BatchedPolicy | tuple[BatchedPolicy, BatchedPolicy],
    points: Points | None = None,
    rules: Rules | None = None,
    *,
    normalise: bool = False,
    batched: bool = False,
    progress: Progress = None,
) -> Policy:
    """Checks a policy and packs it, so that it can be judged again and again.

    Parameters
    ----------
    policy
        One of

        * an array of shape ``(a + 1, b + 1, 2 * field + 1, bids + 1)``: the probability of every bid of A, from bid 0, at every
          state; 0 for bids that are not legal;
        * a mapping from states (``"4:3@-2"``, a tuple or a `State`) to distributions;
        * a function that is called with every `State` in which A has points, and returns a distribution;
        * a pair of these, for A and for B;
        * a mapping with the arrays ``"policy_a"``, ``"policy_b"`` or both, for example from `numpy.load`;
        * the name of a player that the library knows: ``"uniform"``; ``"optimal"``, for whom the game is solved first;
          ``"lookahead:3:uniform"``, which searches three turns ahead and assumes uniform bids afterwards
          (``"lookahead:3:nothing"``: a value of 0); ``"quantal:10"``, which bids better bids more often, the more so the
          greater the number; ``"simple:10000"``, the article's learner after that many games;
        * a table with the columns ``a``, ``b``, ``ball``, ``player``, ``bid`` and ``probability``, as `Solution.strategy_frame`
          gives it: a dict, a DataFrame, or the path of a csv file;
        * a `Policy`.

        A distribution is a mapping from bid to probability, or a sequence indexed by the bid, from bid 0.

        If one player's half is given, the other player bids as its mirror image, if the scoring is symmetric and the points are
        equal; otherwise the policy has one player only.
    points
        The points both players start with, or those of A and those of B. Arrays say it themselves.
    rules
        The rules of the policy, which is rejected for other rules. Without rules, given or known, it fits any game with the
        field of Tennis, with symmetric scoring if that matters.
    normalise
        Whether the numbers of a state are divided by their sum, as weights and rounded probabilities are; otherwise they sum to 1
        within 1e-6.
    batched
        Whether functions are called with many states at once, a network's for example: with the states as their player sees them
        (own points, the opponent's, the ball, positive on the opponent's side), int32 of shape ``(n, 3)``, and the legal bids,
        bool of shape ``(n, own points at the start + 1)``. They give the probabilities of all bids, of the shape of the latter,
        which sum to 1, or are divided by their sum. They are called once for every number of points that both have together, falling.
    progress
        A function of the share done, or True for a progress bar.

    Raises
    ------
    PolicyError
        For numbers that are negative, not finite or do not sum to 1, for bids that are not legal, for states that are missing
        (the message names the player and the state), for arrays of another shape or with masked entries, and for a `Policy` of
        another game.
    TypeError
        For an object that is no policy.
    MemoryError
        For a policy that there is no memory for.

    Examples
    --------
    >>> import pencil_tennis
    >>> def careful(state):
    ...     return {1: 0.75, 2: 0.25} if state.a > 1 else {1: 1.0}
    >>> policy = pencil_tennis.as_policy(careful, points=6)
    >>> policy.strategy("4:3@-2", "B")
    {1: 0.75, 2: 0.25}
    >>> policy.array("A").shape  # A's points, B's points, ball + field, bid
    (7, 7, 5, 7)
    >>> def even(states, masks):
    ...     return masks / masks.sum(axis=1, keepdims=True)
    >>> round(float(pencil_tennis.exploitability(pencil_tennis.as_policy(even, 8, batched=True))), 6)
    1.94442
    """
    given, rules = rules, as_rules(rules)
    if isinstance(policy, Policy):
        _check(policy, points, given)
        return policy
    if isinstance(policy, str) and not policy.endswith(".csv"):
        if policy == "uniform":
            return _native.uniform_policy(_known(points), rules).with_rules(given)
        with listening(progress, policy) as callback:
            try:
                return _native.level_policy(rules, _known(points), policy, callback)
            except AgentError as error:
                raise PolicyError(f"`{policy}` is not a policy: {error}") from None
    table = None if isinstance(policy, tuple) else table_of(policy, _COLUMNS)
    a, b = _players(policy) if table is None else _tabled(table, _known(points), rules)
    if points is None:
        shapes = [part.shape for part in (a, b) if isinstance(part, np.ndarray)]
        if shapes and len(shapes[0]) == 4:
            points = (shapes[0][0] - 1, shapes[0][1] - 1)
    known = _known(points)
    with listening(progress, "policy") as callback:
        report = callback or (lambda share: None)
        both = b is not None and a is not None
        array = _asked_at_once if batched and table is None else _array
        array_a = None if a is None else array(a, "A", known, rules, lambda share: report(share / 2 if both else share))
        array_b = None if b is None else array(b, "B", known, rules, lambda share: report((1 + share) / 2 if both else share))
    try:
        checked = _native.policy_from_arrays(known, rules, array_a, array_b, normalise)
    except PolicyError as error:
        if normalise or "sum to" not in str(error):
            raise
        raise PolicyError(f"{error}; normalise=True divides by the sum") from None
    alone = array_a is None or array_b is None
    if alone and rules.is_symmetric and known[0] == known[1]:
        checked = checked.completed_by_mirror()
    return checked.with_rules(given)


def _check(policy: Policy, points: Points | None, rules: Rules | None) -> None:
    known = policy.points if points is None else as_points(points)
    field = policy.field if rules is None and policy.rules is not None else as_rules(rules).field
    if (policy.points, policy.field) != (known, field):
        (a, b), (game_a, game_b) = policy.points, known
        raise PolicyError(
            f"the policy is for {a}:{b} points and field {policy.field}, "
            f"the game has {game_a}:{game_b} points and field {field}"
        )
    if None not in (policy.rules, rules) and policy.rules != rules:
        raise PolicyError(f"the policy is for {policy.rules}, the game has {rules}; its bids for that game: with_rules")


def _known(points: Points | None) -> tuple[int, int]:
    if points is None:
        raise PolicyError("how many points the policy is for is not known; say it, for example points=50")
    return as_points(points)


def _tabled(
    table: dict[str, Sequence[Any]], points: tuple[int, int], rules: Rules
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """The arrays of both players in a table of states, players, bids and probabilities."""
    try:
        a, b, ball, bid = (np.asarray(table[name]).astype(np.int64) for name in ("a", "b", "ball", "bid"))
        probability = np.asarray(table["probability"]).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"the table's numbers are none: {error}") from None
    players = np.asarray(table["player"]).astype(str)
    if len(others := players[(players != "A") & (players != "B")]):
        raise PolicyError(f"there is no player {str(others[0])!r:.80}; expected A or B")
    if not len(players):
        raise PolicyError("the table has no rows")
    found: list[NDArray[np.float64] | None] = []
    for player, most in zip("AB", points, strict=True):
        rows = np.flatnonzero(players == player)
        if not len(rows):
            found.append(None)
            continue
        array = np.zeros((points[0] + 1, points[1] + 1, 2 * rules.field + 1, most + 1))
        places = np.stack([a[rows], b[rows], ball[rows] + rules.field, bid[rows]])
        outside = ((places < 0) | (places >= np.array(array.shape)[:, None])).any(axis=0)
        if outside.any():
            row = rows[outside][0]
            state = State(int(a[row]), int(b[row]), int(ball[row]))
            raise PolicyError(f"{player}'s bid {bid[row]} at {state} is outside the game")
        if np.unique(places, axis=1).shape[1] < len(rows):
            raise PolicyError(f"the table has a bid of {player} at a state twice")
        array[tuple(places)] = probability[rows]
        # Where an account is empty there is nothing to choose.
        array[(0,) if player == "A" else (slice(None), 0)][..., 0] = 1.0
        found.append(array)
    return found[0], found[1]


def _players(policy: Any) -> tuple[Any, Any]:
    """The parts of A and of B."""
    if isinstance(policy, tuple):
        if len(policy) != 2:
            raise PolicyError(f"a policy of both players is a pair, one for A and one for B; this has {len(policy)} parts")
        a, b = policy
    elif isinstance(policy, Mapping) and ("policy_a" in policy or "policy_b" in policy):
        a, b = policy.get("policy_a"), policy.get("policy_b")
    else:
        a, b = policy, None
    return _part(a), _part(b)


def _part(part: Any) -> Any:
    """One player's part: None, a mapping, a function, or an array of numbers."""
    if hasattr(part, "policy") and not hasattr(part, "__array__") and not callable(part):
        raise TypeError(f"{part!r:.80} is not a policy; its own is .policy")
    if isinstance(part, Mapping) or callable(part) or part is None:
        return part
    return _numbers(part)


def _numbers(array: Any) -> NDArray[np.float64]:
    try:
        return array_of(array, "a policy", PolicyError).astype(np.float64, copy=False)
    except PolicyError:
        raise
    except (TypeError, ValueError) as error:
        raise PolicyError(f"a policy is an array of numbers, a mapping or a function: {error}") from None


def _array(
    part: Any, player: Literal["A", "B"], points: tuple[int, int], rules: Rules, report: Callable[[float], object]
) -> NDArray[np.float64]:
    """The array of one player's probabilities."""
    a, b = points
    account_limit = a if player == "A" else b
    if isinstance(part, np.ndarray):
        if part.ndim != 4:
            expected = (a + 1, b + 1, 2 * rules.field + 1, account_limit + 1)
            raise PolicyError(f"{player}'s policy has the shape {part.shape}; expected {expected}")
        return part
    array = np.zeros((a + 1, b + 1, 2 * rules.field + 1, account_limit + 1))
    ask = _lookup(part, player, points, rules) if isinstance(part, Mapping) else part
    for state_a in range(a + 1):
        for state_b in range(b + 1):
            account = state_a if player == "A" else state_b
            for ball in range(-rules.field, rules.field + 1):
                state = State(state_a, state_b, ball)
                row = array[state_a, state_b, ball + rules.field]
                if account == 0:
                    row[0] = 1.0
                else:
                    _fill(row, ask(state), state, player)
        report((state_a + 1) / (a + 1))
    return array


def _asked_at_once(
    function: Any, player: Literal["A", "B"], points: tuple[int, int], rules: Rules, report: Callable[[float], object]
) -> NDArray[np.float64]:
    """The array of one player's probabilities, from a function that returns many at once."""
    if isinstance(function, (np.ndarray, Mapping)):
        raise TypeError("batched=True is for functions of arrays; arrays and mappings are taken as they are")
    account_limit = points[player == "B"]
    shape = (points[0] + 1, points[1] + 1, 2 * rules.field + 1)
    array = np.zeros((*shape, account_limit + 1))
    a, b, place = (index.ravel() for index in np.indices(shape))
    ball = place - rules.field
    account, other, toward = (a, b, ball) if player == "A" else (b, a, -ball)
    array[..., 0] = (account == 0).reshape(shape)
    bids = np.arange(account_limit + 1)
    most = sum(points)
    for total in range(most, 0, -1):
        chosen = np.flatnonzero((a + b == total) & (account > 0))
        if not len(chosen):
            continue
        states = np.stack([account[chosen], other[chosen], toward[chosen]], axis=1).astype(np.int32)
        masks = (bids >= rules.min_bid) & (bids <= account[chosen, None])
        given = _numbers(function(states, masks))
        if given.shape != masks.shape:
            count = len(states)
            raise PolicyError(f"{player}'s policy gives the shape {given.shape} for {count} states; expected {masks.shape}")
        array[a[chosen], b[chosen], place[chosen]] = given
        report((most - total + 1) / most)
    return array


def _lookup(
    mapping: Mapping[Any, Any], player: Literal["A", "B"], points: tuple[int, int], rules: Rules
) -> Callable[[State], Distribution]:
    given = {State.parse(state): distribution for state, distribution in mapping.items()}
    (a, b), field = points, rules.field
    for state in given:
        if not (state.a <= a and state.b <= b):
            raise PolicyError(f"{state} is outside the game, which has 0 to {a} points for A and 0 to {b} for B")
        if abs(state.ball) > field:
            raise PolicyError(f"{player}'s policy at {state}: ball {state.ball} is outside the field -{field} to {field}")

    def ask(state: State) -> Distribution:
        if state not in given:
            raise PolicyError(f"{player}'s policy says nothing about {state}")
        return given[state]  # type: ignore[no-any-return]

    return ask


def _fill(row: NDArray[np.float64], distribution: Any, state: State, player: str) -> None:
    """Enters the distribution of one state."""

    def refuse(reason: str) -> PolicyError:
        return PolicyError(f"{player}'s policy at {state}: {reason}")

    if isinstance(distribution, Mapping):
        for bid, number in distribution.items():
            if not (isinstance(bid, (int, np.integer)) and 0 <= bid < len(row)):
                raise refuse(f"{bid!r} is not a bid; expected 1 to {state.a if player == 'A' else state.b}")
            try:
                row[bid] = number
            except (TypeError, ValueError):
                raise refuse(f"bid {bid} has the number {number!r}; expected a finite one from 0") from None
        return
    try:
        numbers = array_of(distribution, f"{player}'s policy at {state}", PolicyError).astype(np.float64, copy=False)
    except PolicyError:
        raise
    except (TypeError, ValueError):
        raise refuse(f"{distribution!r} is no distribution; expected probabilities by bid, from bid 0") from None
    account = state.a if player == "A" else state.b
    if numbers.ndim != 1 or not account < len(numbers):
        raise refuse(f"probabilities of shape {numbers.shape}; expected {account + 1} or more, from bid 0")
    if len(numbers) > len(row) and numbers[len(row) :].any():
        raise refuse(f"bids above {account} have probabilities")
    row[: len(numbers)] = numbers[: len(row)]
