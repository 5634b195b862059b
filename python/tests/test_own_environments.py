"""Games of any rules as environments of PettingZoo, Gymnasium and OpenSpiel."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
from pencil_tennis import games
from pencil_tennis.games.plays import Plays


class Walk:
    """Two rounds of rewards over random successors; A has two or three actions, B two."""

    def starts(self) -> Any:
        return {(2, 0): Fraction(1, 4), (2, 1): Fraction(3, 4)}

    def turn(self, state: Any) -> Any:
        left, lead = state
        return (list("xyz"[: 2 + lead % 2]), ["l", "r"]) if left else lead

    def after(self, state: Any, a: str, b: str) -> Any:
        left, lead = state
        step = "xyz".index(a) - (b == "r")
        return {(left - 1, lead + step): Fraction(1, 4), (left - 1, lead - 3): Fraction(3, 4)}

    def reward(self, state: Any, a: str, b: str) -> Fraction:
        return Fraction((a == "x") * (b == "l") + state[1], 4)


class Round:
    """A discounted game of one state and names that are no numbers."""

    kind, discount = "discounted", Fraction(1, 2)

    def starts(self) -> Any:
        return ["round"]

    def turn(self, state: Any) -> Any:
        return (["in", "out"], ["in", "out"]) if state == "round" else 8

    def after(self, state: Any, a: str, b: str) -> Any:
        return "round" if a == b else "over"

    def reward(self, state: Any, a: str, b: str) -> int:
        return int(a == "in")


def test_plays_follow_the_rules_turn_by_turn() -> None:
    rules, random = Walk(), np.random.default_rng(3)
    plays = Plays(rules, 500)
    assert plays.actions == (3, 2) and plays.horizon is None and plays.features.tolist() == [list(state) for state in plays.solution]
    plays.reset(random)
    starts = plays.states
    assert set(starts) == {(2, 0), (2, 1)} and 0.6 < starts.count((2, 1)) / 500 < 0.9
    seen = set()
    for turn in range(2):
        before = plays.states
        assert plays.observe().tolist() == [list(state) for state in before]
        for player, mask in (("A", plays.mask("A")), ("B", plays.mask("B"))):
            assert mask.sum(axis=1).tolist() == [len(rules.turn(state)["AB".index(player)]) for state in before]
        a, b = random.integers(0, 2, (2, 500))
        rewards = plays.step(a, b, random)
        for state, own, other, after, reward in zip(before, a.tolist(), b.tolist(), plays.states, rewards.tolist(), strict=True):
            names = "xyz"[own], "lr"[other]
            assert after in rules.after(state, *names)
            paid = rules.turn(after) if turn == 1 else 0
            assert reward == float(rules.reward(state, *names) + paid)
            seen.add(after)
        assert plays.over.all() == (turn == 1) and plays.turns.tolist() == [turn + 1] * 500
    assert len(seen) > 5
    # What is over stays there and pays nothing.
    ends = plays.states
    assert plays.step(a, b, random).sum() == 0 and plays.states == ends and plays.turns.tolist() == [2] * 500
    plays.reset(random, plays.over & (np.arange(500) < 10))
    assert plays.over.sum() == 490
    plays.reset(random, states=[(2, 1)] * 500)
    assert plays.states == [(2, 1)] * 500


def test_actions_and_starts_that_are_not_there() -> None:
    random = np.random.default_rng(1)
    nearest, strict = Plays(Walk(), 2), Plays(Walk(), 2, illegal="error")
    for plays in (nearest, strict):
        plays.reset(random, states=[(2, 0)] * 2)
    assert nearest.step([9, -9], [0, 0], random).tolist() == [0.0, 0.25]
    with pytest.raises(pt.GameError, match="game 1: A has no action 2; expected 0 to 1"):
        strict.step([0, 2], [0, 0], random)
    assert strict.states == [(2, 0)] * 2 and strict.turns.tolist() == [0, 0]
    wrong: list[tuple[Any, type[Exception], str]] = [
        (lambda: strict.step([0], [0, 0], random), pt.Error, "there are 1 and 2 actions; expected 2"),
        (lambda: strict.step([0.5, 1], [0, 0], random), TypeError, "Cannot cast"),
        (lambda: strict.step(np.ma.masked_array([0, 1], mask=[0, 1]), [0, 0], random), pt.Error, "an action is masked"),
        (lambda: strict.step([0, 0], [0, 0], 5), TypeError, "the source of randomness is 5"),  # type: ignore[arg-type]
        (lambda: strict.reset(random, states=["nowhere", (2, 0)]), KeyError, "do not reach a state 'nowhere'"),
        (lambda: strict.reset(random, states=[(2, 0)]), pt.Error, "1 states for 2 plays"),
        (lambda: Plays(Walk(), 0), pt.Error, "the number of plays is 0"),
        (lambda: Plays(Walk(), horizon=0), pt.Error, "the horizon is 0"),
        (lambda: Plays(Walk(), illegal="never"), pt.Error, "expected 'nearest' or 'error'"),  # type: ignore[arg-type]
        (lambda: Plays(5), TypeError, "5 is no game"),
        (lambda: strict.table(5, "A"), TypeError, "5 is no policy"),
        (lambda: strict.table(np.ones((2, 2)), "A"), pt.PolicyError, "rows; expected one for each"),
    ]
    for call, error, message in wrong:
        with pytest.raises(error, match=message):
            call()


def test_a_horizon_truncates_play_that_can_last() -> None:
    random = np.random.default_rng(2)
    plays = Plays(Round(), 3, horizon=2)
    plays.reset(random)
    # A discounted end is worth half as much on arrival.
    assert plays.step([0, 1, 0], [0, 1, 1], random).tolist() == [1.0, 0.0, 1.0 + 8 / 2] and not plays.truncated.any()
    plays.step([0, 0, 0], [0, 0, 0], random)
    assert plays.truncated.tolist() == [True, True, False] and plays.over.tolist() == [False, False, True]
    assert Plays(Round()).horizon == 1000 and plays.features.tolist() == [[0], [1]]


def mean_return(plays: Plays, a: Any, b: Any, count: int) -> tuple[float, float]:
    """The mean of A's returns, and its standard error."""
    random, returns = np.random.default_rng(11), []
    tables = plays.table(a, "A"), plays.table(b, "B")
    for _ in range(count):
        plays.reset(random)
        total = np.zeros(len(plays))
        while not plays.over.all():
            total += plays.step(plays.draw(tables[0], random), plays.draw(tables[1], random), random)
        returns.append(total)
    found = np.concatenate(returns)
    return float(found.mean()), float(found.std() / np.sqrt(len(found)))


def by_definition(state: Any, a: Any, b: Any) -> float:
    rules = Walk()
    turn = rules.turn(state)
    if not isinstance(turn, tuple):
        return float(turn)
    total = 0.0
    for own, p in a(state).items():
        for other, q in b(state).items():
            later = sum(float(share) * by_definition(after, a, b) for after, share in rules.after(state, own, other).items())
            total += p * q * (float(rules.reward(state, own, other)) + later)
    return total


def test_means_of_plays_are_what_policies_are_worth() -> None:
    plays = Plays(Walk(), 4000)
    optimal = plays.solution.policy()

    def often(state: Any) -> Any:
        return {name: share for name, share in zip(Walk().turn(state)[0], (0.5, 0.125, 0.375), strict=False)} if state[1] % 2 else {"x": 0.25, "y": 0.75}

    def even(state: Any) -> Any:
        return {name: 0.5 for name in "lr"}

    for a, own in ((often, often), ("optimal", lambda state: optimal[state][0])):
        mean, error = mean_return(plays, a, "uniform", 10)
        true = sum(float(share) * by_definition(start, own, even) for start, share in Walk().starts().items())
        # Five standard errors: once in two million runs, and the seed is fixed.
        assert abs(mean - true) < 5 * error and error < 0.02


def test_pettingzoo_accepts_them() -> None:
    pytest.importorskip("pettingzoo")
    from pencil_tennis.games.env import GameParallelEnv
    from pettingzoo.test import parallel_api_test

    for game in (Walk(), Round(), games.solve(Walk())):
        parallel_api_test(GameParallelEnv(game, horizon=20), num_cycles=200)
    env = GameParallelEnv(Walk(), illegal="error")
    seen, infos = env.reset(seed=1, options={"state": (2, 1)})
    assert seen["player_0"]["observation"].tolist() == [2, 1] and seen["player_1"]["action_mask"].tolist() == [1, 1]
    assert infos["player_1"]["state"] == (2, 1) and env.state().tolist() == [2, 1]
    _, rewards, over, _, infos = env.step({"player_0": 0, "player_1": 0})
    assert rewards == {"player_0": 0.5, "player_1": -0.5} and infos["player_0"]["state"] in Walk().after((2, 1), "x", "l")
    with pytest.raises(ValueError, match="actions of player_0; expected one of each"):
        env.step({"player_0": 0})
    with pytest.raises(pt.GameError, match="A has no action 7"):
        env.step({"player_0": 7, "player_1": 0})
    with pytest.raises(ValueError, match="is not an option"):
        env.reset(options={"stat": 1})


def test_gymnasium_accepts_them() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    from pencil_tennis.games.gym import GameEnv, GameVectorEnv

    for game, player in ((Walk(), "A"), (Round(), "B")):
        check_env(GameEnv(game, "optimal", player=player, horizon=20), skip_render_check=True)  # type: ignore[arg-type]
    # One game at a time is what a vector of one game does.
    single, many = GameEnv(Walk(), player="B"), GameVectorEnv(1, Walk(), player="B")
    seen, _ = single.reset(seed=5)
    rows, _ = many.reset(seed=5)
    for action in [0, 1, 1, 0, 1, 0, 1, 1] * 5:
        assert {name: part.tolist() for name, part in seen.items()} == {name: part[0].tolist() for name, part in rows.items()}
        ended = many._ended[0]
        rows, rewards, over, truncated, _ = many.step([action])
        if ended:
            seen, _ = single.reset()
            # Both have drawn a reply; the single game draws it in its next step alone.
            single.np_random.bit_generator.state = many.np_random.bit_generator.state
            assert rewards[0] == 0
            seen = {name: part[0] for name, part in rows.items()}
            single.plays._native.put(np.zeros(1, np.int64), many.plays.places)
            continue
        seen, reward, done, _, _ = single.step(action)
        assert reward == rewards[0] and done == over[0] and not truncated[0]
    vector = GameVectorEnv(64, games.solve(Walk()), "uniform")
    assert vector.observation_space.contains(vector.reset(seed=1)[0]) and vector.action_masks().shape == (64, 3)
    vector.set_opponent("optimal")
    for _ in range(10):
        rows, rewards, over, truncated, _ = vector.step(vector.action_space.sample())
        assert vector.observation_space.contains(rows) and rewards.shape == over.shape == (64,)
    assert gymnasium is not None


def test_open_spiel_plays_and_judges_them() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy as spiel_policy
    from open_spiel.python.algorithms import cfr, exploitability
    from pencil_tennis.games.spiel import to_open_spiel

    solution = games.solve(Walk())
    game = to_open_spiel(solution)
    pyspiel.random_sim_test(game, num_sims=20, serialize=False, verbose=False)
    uniform = spiel_policy.UniformRandomPolicy(game)
    ours = solution.judge(lambda state, player: [1 / len(names) for names in [Walk().turn(state)["AB".index(player)]] for _ in names])
    assert exploitability.nash_conv(game, uniform) == pytest.approx(float(ours.nash_conv), abs=1e-12)
    turns = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(turns)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(turns, average) < 0.02
    # Its value is ours.
    from open_spiel.python.algorithms import expected_game_score

    score = expected_game_score.policy_value(turns.new_initial_state(), [average, average])
    assert score[0] == pytest.approx(float(solution.value), abs=0.02)
    with pytest.raises(pt.Error, match="no discounted games"):
        to_open_spiel(Round(), horizon=3)
    lasting = type("Lasting", (Round,), {"kind": "recursive", "discount": None, "reward": lambda self, s, a, b: 0})()
    with pytest.raises(pt.Error, match="expected a horizon"):
        to_open_spiel(lasting)
    short = to_open_spiel(lasting, horizon=3)
    pyspiel.random_sim_test(short, num_sims=20, serialize=False, verbose=False)
    state = short.new_initial_state()
    for _ in range(3):
        state.apply_actions([0, 0])
    assert state.is_terminal() and state.returns() == [0, 0]


def test_a_process_that_used_open_spiel_ends_well() -> None:
    """OpenSpiel's register outlives the interpreter: what it holds must not die with it."""
    pytest.importorskip("pyspiel")
    script = """
import pyspiel
from pencil_tennis import games
from pencil_tennis.games.spiel import to_open_spiel
rock = games.from_arrays([[2, 2], [0, 0], [0, 0]], [0, 1, -1], ([[1], [2], [1], [1]], [[1]] * 4))
game = to_open_spiel(rock)
again = pyspiel.load_game(str(game))
assert again.graph is game.graph and str(to_open_spiel(rock)) != str(game)
try:
    pyspiel.load_game("python_own_game(number=77)")
except Exception as error:
    assert "there is no game of the number 77" in str(error)
else:
    raise AssertionError
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_value_iteration_of_open_spiel_agrees() -> None:
    """It knows neither rewards on the way nor, in simultaneous games, chance at the start."""
    for needed in ("pyspiel", "cvxpy", "ecos"):
        pytest.importorskip(needed)
    from open_spiel.python.algorithms import value_iteration
    from pencil_tennis.games.spiel import to_open_spiel

    class Sure(Walk):
        def starts(self) -> Any:
            return [(3, 1)]

        def after(self, state: Any, a: str, b: str) -> Any:
            return [*super().after(state, a, b)][len(a) * (b == "r") + (a == "x") > 1]

        def reward(self, state: Any, a: str, b: str) -> Fraction:
            return Fraction(0)

    solution = games.solve(Sure())
    theirs = value_iteration.value_iteration(to_open_spiel(solution), depth_limit=-1, threshold=1e-9)
    assert theirs == pytest.approx({str(state): float(value) for state, value in solution.items()}, abs=1e-6)


class Rounds:
    """Two rounds of a game with the payoffs 2, -1, -1, 1. Each is worth 1/5, and "in" is chosen with probability 2/5."""

    def starts(self) -> Any:
        return [(2, 0)]

    def turn(self, state: Any) -> Any:
        left, lead = state
        return (["in", "out"], ["in", "out"]) if left else lead

    def after(self, state: Any, a: str, b: str) -> Any:
        left, lead = state
        won = -1 if a != b else 2 if a == "in" else 1
        return left - 1, lead + won


@pytest.mark.filterwarnings("ignore")
def test_minimax_q_of_open_spiel_learns_them() -> None:
    """Littman's minimax-Q: OpenSpiel's learner of joint actions, whose stage games are solved as zero-sum ones."""
    for needed in ("pyspiel", "cvxpy", "nashpy", "matplotlib"):
        pytest.importorskip(needed)
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms.tabular_multiagent_qlearner import JointActionSolver, MultiagentQLearner
    from open_spiel.python.rl_tools import ConstantSchedule
    from pencil_tennis import matrix_game
    from pencil_tennis.games.spiel import to_open_spiel

    class Minimax(JointActionSolver):  # type: ignore[misc]
        def __call__(self, payoffs: Any) -> Any:
            found = matrix_game.solve(payoffs[0], exact=False)
            return [found.row_strategy, found.column_strategy], [float(found.value), -float(found.value)]

    solution = games.solve(Rounds())
    assert float(solution.value) == pytest.approx(2 / 5)
    environment = rl_environment.Environment(to_open_spiel(solution))
    # Every action is tried: values are learned off the policy, and play knows no chance.
    learners = [MultiagentQLearner(player, 2, [2, 2], Minimax(), 0.5, ConstantSchedule(1.0)) for player in range(2)]
    np.random.seed(1)
    names: dict[Any, str] = {}
    for _ in range(600):
        step, actions, state = environment.reset(), [None, None], (2, 0)
        while not step.last():
            names[state] = str(step.observations["info_state"])
            actions = [learner.step(step, actions).action for learner in learners]
            state = Rounds().after(state, *(("in", "out")[action] for action in actions))
            step = environment.step(actions)
        for learner in learners:
            learner.step(step, actions)

    def learned(state: Any, player: str) -> dict[str, float]:
        payoffs = learners[0]._get_payoffs_array(names[state])
        shares = Minimax()(payoffs)[0][player == "B"]
        return dict(zip(("in", "out"), map(float, shares), strict=True))

    uniform = solution.judge(lambda state, player: [0.5, 0.5])
    assert float(uniform.nash_conv) == pytest.approx(1.0)
    assert float(solution.judge(learned).nash_conv) < 0.01


@pytest.mark.filterwarnings("ignore")
def test_ppo_of_stable_baselines_learns_them() -> None:
    """Against an opponent that always plays in, whom "in" beats: 2 a round, 4 in two."""
    pytest.importorskip("stable_baselines3", exc_type=ImportError)
    from pencil_tennis.games.gym import GameEnv
    from stable_baselines3 import PPO

    solution = games.solve(Rounds())
    environment = GameEnv(solution, opponent=lambda state: [1.0, 0.0], player="A")
    model = PPO("MultiInputPolicy", environment, n_steps=256, batch_size=64, learning_rate=3e-3, seed=1).learn(2048)
    observation, _ = environment.reset(seed=2)
    won, ended = 0.0, False
    while not ended:
        action, _ = model.predict(observation, deterministic=True)
        observation, reward, ended, _, _ = environment.step(int(action))
        won += float(reward)
    assert won == 4


def test_a_written_game_has_the_names_of_its_states(tmp_path: Path) -> None:
    solution = games.solve(Walk())
    path = tmp_path / "walk.jsonl"
    solution.write(path)
    again = games.solve(path)
    assert list(again) == [str(state) for state in solution] and [*again.values()] == [*solution.values()]
    assert again.starts == [str(state) for state in solution.starts]
    assert again.strategies("(2, 1)") == solution.strategies((2, 1)) and not list(tmp_path.glob("*.part"))
    # A policy by these names is judged as it was.
    frame = solution.strategy_frame()
    columns = frame | {"state": [*map(str, frame["state"])]}
    assert again.judge(columns).nash_conv < 1e-12 and solution.judge(columns).a.worth == solution.judge(solution.policy()).a.worth
    arrays = games.solve(games.from_arrays([[1, 1], [0, 0]], [0, 3], ([[1]], [[1]])))
    arrays.write(path)
    assert games.solve(path).value == 3
    alike = games.solve(type("Alike", (), {"starts": lambda s: [1, "1"], "turn": lambda s, state: 5, "after": None})())
    with pytest.raises(pt.Error, match="two states have the name '1': 1 and '1'"):
        alike.write(path)
    with pytest.raises(OSError, match="nowhere"):
        solution.write(tmp_path / "nowhere" / "walk.jsonl")
