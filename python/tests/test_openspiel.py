"""OpenSpiel judges our game as we do."""

import numpy as np
import pytest
from retelling import bids, turn, won

from pencil_tennis import Rules

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as openspiel_policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability  # noqa: E402

import pencil_tennis  # noqa: E402
from pencil_tennis import as_policy, openspiel  # noqa: E402


@pytest.mark.parametrize(("points", "known"), [(3, 1.6667), (5, 3.2167), (6, 3.675)])
def test_nash_conv_of_random_bids_is_known_and_ours(points, known):
    game = openspiel.load_game(points)
    theirs = exploitability.nash_conv(game, openspiel_policy.UniformRandomPolicy(game))
    # Known to four digits from a game that was written for OpenSpiel separately.
    assert theirs == pytest.approx(known, abs=5e-5)
    assert theirs == pytest.approx(2 * float(pencil_tennis.exploitability("uniform", points)), abs=1e-12)


def test_the_game_taken_in_turns_is_worth_the_same():
    game = pyspiel.convert_to_turn_based(openspiel.load_game(3))
    uniform = openspiel_policy.UniformRandomPolicy(game)
    assert exploitability.exploitability(game, uniform) == pytest.approx(5 / 6, abs=1e-12)


@pytest.mark.parametrize(
    ("points", "rules", "payoffs"),
    [
        ((50, 50), Rules(), (2, 1, 0, -1, -2)),
        ((7, 12), Rules(3, "step", "3,1/2,1,-1,-2"), (3, 0.5, 1, -1, -2)),
    ],
)
def test_games_are_played_by_the_rules(points, rules, payoffs):
    game = openspiel.load_game(points, rules)
    assert game.rules == rules and game.points == points
    random = np.random.default_rng(1)
    for _ in range(40):
        state, expected = game.new_initial_state(), (*points, 0)
        while not state.is_terminal():
            assert won(expected, rules.field, payoffs) is None and state.returns() == [0, 0]
            assert [state.legal_actions(player) for player in (0, 1)] == [list(bids(expected[0])), list(bids(expected[1]))]
            actions = [int(random.choice(bids(points))) for points in expected[:2]]
            state.apply_actions(actions)
            expected = turn(expected, *actions, rules.motion)
            a, b, ball = expected
            assert state.place == expected and state.clone().place == expected
            assert state.observation_tensor(0) == [a, b, ball] and state.information_state_tensor(1) == [b, a, -ball]
            assert state.information_state_string(1) == state.observation_string(1) == f"B {a}:{b}@{ball}"
        end = won(expected, rules.field, payoffs)
        assert state.returns() == [end, -end]
        assert game.min_utility() <= min(end, -end) and max(end, -end) <= game.max_utility()
        assert state.move_number() <= game.max_game_length()


def test_openspiel_simulates_it_and_loads_it_from_its_name():
    game = pyspiel.load_game("python_pencil_tennis(points_a=6,points_b=4,field=3,motion=step,scoring=1;1/2;0;-1/2;-1)")
    assert game.rules == Rules(3, "step", "1,1/2,0,-1/2,-1") and game.points == (6, 4)
    assert pyspiel.load_game(str(game)).rules == game.rules
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_policies_go_there_and_back():
    game = openspiel.load_game((6, 4), Rules(3, "step", "1,1/2,0,-1/2,-1"))
    random = np.random.default_rng(1)
    weights = [random.random((7, 5, 7, most + 1)) for most in (6, 4)]
    for player, array in enumerate(weights):
        for a, b, _ in np.ndindex(array.shape[:3]):
            array[a, b] = np.where(np.isin(np.arange(array.shape[3]), bids((a, b)[player])), array[a, b] + 0.01, 0.0)
    policy = as_policy((weights[0], weights[1]), rules=game.rules, normalise=True)
    for turn_based in (False, True):
        back = openspiel.from_tabular(openspiel.to_tabular(policy, game, turn_based=turn_based), game)
        for player in "AB":
            differences = abs(back.array(player) - policy.array(player))
            # Where the game taken in turns never comes, the way back says that bids are random.
            assert turn_based or differences.max() < 1e-15
        table = openspiel.to_tabular(policy, game, turn_based=turn_based)
        again = openspiel.to_tabular(back, game, turn_based=turn_based)
        assert abs(table.action_probability_array - again.action_probability_array).max() < 1e-15


def test_openspiel_and_we_judge_a_policy_alike():
    game = openspiel.load_game(4)
    random = np.random.default_rng(2)
    weights = random.random((5, 5, 5, 5)) * (np.arange(5) <= np.arange(5)[:, None, None, None])
    weights[1:, ..., 0] = 0
    policy = as_policy(weights, normalise=True)
    ours = pencil_tennis.exploitability(policy)
    assert exploitability.nash_conv(game, openspiel.to_tabular(policy, game)) == pytest.approx(2 * float(ours), abs=1e-12)


def test_what_openspiel_learns_can_be_judged_here():
    game = openspiel.load_game(3)
    solver = cfr.CFRPlusSolver(pyspiel.convert_to_turn_based(game))
    for _ in range(50):
        solver.evaluate_and_update_policy()
    learned = openspiel.from_tabular(solver.average_policy(), game)
    theirs = exploitability.exploitability(pyspiel.convert_to_turn_based(game), solver.average_policy())
    assert float(pencil_tennis.exploitability(learned)) == pytest.approx(theirs, abs=1e-12)
    assert theirs < 0.01


def test_policies_that_are_no_tables():
    # MCCFR's average is one; in states where it has not been, it is uniform.
    from open_spiel.python.algorithms import external_sampling_mccfr

    game = openspiel.load_game(points=4)
    turns = pyspiel.convert_to_turn_based(game)
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(turns)
    for _ in range(30):
        solver.iteration()
    average = solver.average_policy()
    policy = openspiel.from_tabular(average, game)
    assert float(pencil_tennis.exploitability(policy)) == pytest.approx(exploitability.nash_conv(turns, average) / 2, abs=1e-9)
    uniform = openspiel.from_tabular(openspiel_policy.UniformRandomPolicy(game), game)
    # A third is off by the last bit of a double.
    assert np.abs(uniform.array() - pencil_tennis.as_policy("uniform", 4).array()).max() < 1e-15
    in_turns = pyspiel.UniformRandomPolicy(turns)
    assert openspiel.from_tabular(in_turns, game) == uniform
    with pytest.raises(TypeError, match="is no policy of OpenSpiel"):
        openspiel.from_tabular({}, game)


def test_blind_policies_that_are_no_tables():
    from open_spiel.python.algorithms import external_sampling_mccfr

    game = openspiel.load_blind_game(points=(4, 3))
    turns = pyspiel.convert_to_turn_based(game)
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(turns)
    for _ in range(30):
        solver.iteration()
    average = solver.average_policy()
    judged = openspiel.blind_from_tabular(average, game).exploitability
    assert float(judged) == pytest.approx(exploitability.nash_conv(turns, average) / 2, abs=1e-9)
    uniform = openspiel.blind_from_tabular(pyspiel.UniformRandomPolicy(turns), game).exploitability
    assert float(uniform) == pytest.approx(float(pencil_tennis.as_blind_policy("uniform", (4, 3)).exploitability), abs=1e-12)
    with pytest.raises(TypeError, match="is no policy of OpenSpiel"):
        openspiel.blind_from_tabular({}, game)
