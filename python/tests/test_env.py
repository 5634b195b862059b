"""The environment for two learners passes PettingZoo's checks, and plays by independently written rules."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from retelling import bids, turn, won

import pencil_tennis
from pencil_tennis import Rules

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test  # noqa: E402
from pettingzoo.utils import parallel_to_aec  # noqa: E402

from pencil_tennis.env import parallel_env  # noqa: E402

FAMILY = [
    ({"points": 50}, (2, 1, 0, -1, -2)),
    ({"points": (7, 12), "rules": Rules(3, "step", "3,2,1,-1,-2")}, (3, 2, 1, -1, -2)),
    ({"points": 6, "rules": Rules.footsteps(), "start": "5:3@-2"}, (1, 0, 0, 0, -1)),
]
PARAMETERS = [parameters for parameters, _ in FAMILY]


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_pettingzoo_takes_it_for_a_parallel_environment(parameters):
    parallel_api_test(parallel_env(**parameters), num_cycles=1_000)
    parallel_seed_test(lambda: parallel_env(**parameters))


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_pettingzoo_takes_it_for_an_environment_of_turns(parameters):
    with warnings.catch_warnings():
        # PettingZoo's warning about every observation with a mask.
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        # A draw with empty accounts is one.
        warnings.filterwarnings("ignore", "Observation numpy array is all zeros")
        if isinstance(parameters["points"], tuple):
            warnings.filterwarnings("ignore", "Agents have different (observation|action) space sizes")
        api_test(parallel_to_aec(parallel_env(**parameters)), num_cycles=200)


@pytest.mark.parametrize(("parameters", "payoffs"), FAMILY)
def test_games_are_played_by_the_rules(parameters, payoffs):
    env = parallel_env(illegal="error", **parameters)
    random, ends = np.random.default_rng(1), set()
    for _ in range(60):
        observations, infos = env.reset()
        expected = tuple(int(number) for number in env.state())
        assert infos == {"player_0": {}, "player_1": {}}
        while env.agents:
            a, b, ball = expected
            for agent, seen in [("player_0", (a, b, ball)), ("player_1", (b, a, -ball))]:
                assert tuple(observations[agent]["observation"]) == seen
                assert np.flatnonzero(observations[agent]["action_mask"]).tolist() == list(bids(seen[0]))
                assert env.observation_space(agent).contains(observations[agent])
            bid_a, bid_b = (int(random.choice(bids(points))) for points in (a, b))
            observations, rewards, terminations, truncations, infos = env.step({"player_0": bid_a, "player_1": bid_b})
            expected = turn(expected, bid_a, bid_b, env.rules.motion)
            end = won(expected, env.rules.field, payoffs)
            assert rewards == {"player_0": end or 0, "player_1": -(end or 0)}
            assert terminations == {"player_0": end is not None, "player_1": end is not None}
            assert truncations == {"player_0": False, "player_1": False}
            assert infos["player_0"] == infos["player_1"] == {"bids": (bid_a, bid_b)}
            assert env.game_state == expected and env.state().tolist() == list(expected)
        ends.add(end)
        assert env.step({}) == ({}, {}, {}, {}, {})
    assert len(ends) > 1


def test_a_game_starts_where_it_is_told_to():
    env = parallel_env(points=10, start="4:3@-2")
    assert env.reset()[0]["player_1"]["observation"].tolist() == [3, 4, 2]
    assert env.reset(options={"state": (9, 10, 1)})[0]["player_0"]["observation"].tolist() == [9, 10, 1]
    env.reset()
    assert env.game_state == (4, 3, -2)
    for state, sentence in [
        ("11:1@0", "11:1 points are not possible; expected 0 to 10"),
        ("0:0@1", "the game is over at 0:0@1"),
        ("3:3@3", r"ball 3 is outside the field -2 to 2"),
        ("3:3", "`3:3` is not a state"),
    ]:
        with pytest.raises(pencil_tennis.GameError, match=sentence):
            env.reset(options={"state": state})
        with pytest.raises(pencil_tennis.GameError, match=sentence):
            parallel_env(points=10, start=state)


def test_a_bid_that_is_not_legal_becomes_the_nearest_or_is_refused():
    env = parallel_env(points=(5, 3))
    env.reset()
    *_, infos = env.step({"player_0": 0, "player_1": 9})
    assert infos["player_0"]["bids"] == (1, 3) and env.game_state == (4, 0, -1)
    *_, infos = env.step({"player_0": np.int64(2), "player_1": np.array(2)})
    assert infos["player_0"]["bids"] == (2, 0)
    strict = parallel_env(points=(5, 3), illegal="error")
    strict.reset()
    with pytest.raises(pencil_tennis.GameError, match="B cannot bid 4: with 3 points left bids are 1 to 3"):
        strict.step({"player_0": 1, "player_1": 4})
    with pytest.raises(pencil_tennis.GameError, match="A cannot bid -1"):
        strict.step({"player_0": -1, "player_1": 1})
    with pytest.raises(TypeError, match="float"):
        strict.step({"player_0": 1.5, "player_1": 1})
    assert strict.game_state == (5, 3, 0)
    with pytest.raises(ValueError, match="illegal='ignore' is not possible; expected 'nearest' or 'error'"):
        parallel_env(illegal="ignore")


def test_the_court_is_a_line_of_text(capsys):
    env = parallel_env(points=5, render_mode="ansi")
    env.reset()
    assert env.render() == "A   5  [ . . o . . ]    5 B"
    shown = parallel_env(points=5, render_mode="human", start="5:1@2")
    shown.reset()
    shown.step({"player_0": 2, "player_1": 1})
    assert capsys.readouterr().out == "A   3  [ . . | . . ]o   0 B\n"


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [("env", "pettingzoo", "env"), ("gym", "gymnasium", "env"), ("openspiel", "pyspiel", "openspiel")],
)
def test_a_missing_package_is_named(module, missing, extra):
    program = f"import sys; sys.modules[{missing!r}] = None; import pencil_tennis.{module}"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False).stderr
    assert f"pencil_tennis.{module} needs the package" in said and f"pip install 'pencil-tennis[{extra}]'" in said


def test_options_and_actions_that_there_are_not_are_refused():
    env = parallel_env(points=9)
    with pytest.raises(ValueError, match=r"options\['sate'\] is not an option"):
        env.reset(options={"sate": "5:5@0"})
    env.reset()
    for actions in ({}, {"player_0": 1}, {"player_0": 1, "player_1": 1, "player_2": 1}):
        with pytest.raises(ValueError, match="expected one of each of player_0, player_1"):
            env.step(actions)
