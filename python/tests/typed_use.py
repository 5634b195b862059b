"""A reader's program that type checkers must understand: checked by mypy and pyright, and run by `test_typing.py`."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pencil_tennis as pt
from numpy.typing import NDArray
from pencil_tennis import games as any_games
from pencil_tennis import matrix_game
from pencil_tennis.games.plays import Plays
from typing_extensions import assert_type


def timid(state: pt.State) -> dict[int, float]:
    return {1: 0.75, 2: 0.25} if state.a > 1 else {1: 1.0}


def eager(state: pt.State) -> list[float]:
    return [0.0] * state.b + [1.0]


def main() -> None:
    solution = pt.solve(6, pt.Rules(scoring=[2, 1, 0, -1, Fraction(-2)]), exact=True, progress=lambda share: None)
    assert_type(solution, pt.Solution)
    assert_type(solution.arrays().values, NDArray[np.float64])
    assert_type(solution["4:3@-2"], pt.Enclosure)
    assert_type(solution[np.int64(4), 3, -2], pt.Enclosure)
    assert_type(solution[4, 3, -2].lower, Fraction)
    assert_type(solution.equilibrium(pt.State(4, 3, -2)).a, dict[int, float])
    assert_type(solution.exact_value("4:3@-2"), Fraction | None)
    assert_type(solution.digits("4:3@-2", 30).lower, Decimal)
    assert_type(solution.rules.payoff("0:0@0"), Fraction | None)
    assert_type(solution.rules.play("4:3@-2", 1, 2), pt.State)
    assert_type(solution.policy().array("B"), NDArray[np.float64])
    assert_type(pt.exploitability(timid, 6), pt.Enclosure)
    assert_type(solution.judge(timid).regret("A"), NDArray[np.float64])
    assert_type(pt.best_response("uniform", "B", 6).policy, pt.Policy)
    assert_type(matrix_game.solve([[0.5, 1]], exact=True), matrix_game.ExactSolution)
    assert_type(matrix_game.solve(np.eye(3), exact=False).row_strategy, NDArray[np.float64])
    games = pt.Games(2, (6, 5))
    assert_type(games.step([1, 2], np.array([1, 2])), int)
    assert_type(games.observe("B"), NDArray[np.int32])
    assert_type(games.draw(solution.policy(), "A", np.random.default_rng()), NDArray[np.int64])
    curve = pt.LearningCurve(pt.solve(6))
    curve.train(pt.Training("cfr-plus", 6), 500, callback=lambda point: print(point.exploitability))
    assert_type(curve.exploitability, NDArray[np.float64])
    assert_type(curve.note(timid, 1).entries_read, int | None)
    array: NDArray[Any] = np.eye(3)
    print(float(matrix_game.solve(array).value), float(pt.exploitability((timid, eager), 6)), solution.strategy("6:6@0"))
    typed_games()
    typed_hidden_games()


class Pennies:
    def starts(self) -> list[str]:
        return ["begin"]

    def turn(self, state: str) -> tuple[list[str], list[str]] | int:
        return (["heads", "tails"], ["heads", "tails"]) if state == "begin" else int(state == "equal")

    def after(self, state: str, a: str, b: str) -> str:
        return "equal" if a == b else "unlike"


class Countdown:
    """Whoever shows more wins a round; states are the rounds left and the lead."""

    def starts(self) -> dict[tuple[int, int], float]:
        return {(3, 1): 1.0}

    def turn(self, state: tuple[int, int]) -> tuple[list[int], list[int]] | int:
        rounds, lead = state
        return ([1, 2], [1, 2]) if rounds else lead

    def after(self, state: tuple[int, int], a: int, b: int) -> tuple[int, int]:
        return state[0] - 1, state[1] + a - b


def typed_games() -> None:
    solution = any_games.solve(Pennies())
    assert_type(solution, any_games.Solution[str, str])
    assert_type(solution.strategies("begin"), tuple[dict[str, float], dict[str, float]])
    assert_type(solution.policy(), any_games.Policy[str, str])
    assert_type(solution.unmerged(), any_games.Solution[str, str])
    assert_type(solution.value, pt.Enclosure)
    assert_type(solution[solution.starts[0]], pt.Enclosure)
    assert_type(solution.exact_value(solution.starts[0]), Fraction | None)
    assert_type(pt.solve(2).judge("A", "uniform"), any_games.Judgement[pt.State])
    assert_type(pt.solve(2).judge("uniform"), pt.Judgement)
    assert_type(solution.judge("A", np.ones((3, 2)) / 2), any_games.Judgement[str])
    assert_type(solution.judge("A", np.ones((3, 2)) / 2).worst(), list[pt.StateRegret[str]])
    assert_type(solution.judge(solution.policy()), any_games.JointJudgement[str])
    assert_type(any_games.verify(solution.certificate(), Pennies()), any_games.Proof[str])
    assert_type(any_games.solve(Countdown()).strategy((3, 1), "B"), dict[int, float])
    assert_type(solution.judge(lambda state, player: [0.5, 0.5]).exploitability, pt.Enclosure)
    assert_type(Plays(solution, 3).mask("B"), NDArray[np.bool_])
    assert_type(matrix_game.undominated([[1, 2]]).rows, list[int])
    assert_type(matrix_game.expected_payoff([[1, 2]], [1], [0.5, 0.5]), Fraction)


class SecretPennies(Pennies):
    def observe(self, state: str, player: str) -> None:
        return None


def typed_hidden_games() -> None:
    solution = any_games.solve(SecretPennies())
    assert_type(solution, any_games.HiddenSolution)
    assert_type(solution.value, pt.Enclosure)
    assert_type(solution.strategy("(start)", "A"), dict[Any, float])
    assert_type(solution.judge("A", lambda name: [0.5, 0.5]), any_games.HiddenJudgement)
    assert_type(solution.judge(solution), any_games.HiddenJointJudgement)
    assert_type(any_games.unfold(SecretPennies()).solve(gap=1e-3), any_games.HiddenSolution)
    assert_type(any_games.verify(solution.certificate()), any_games.Proof[str] | any_games.HiddenProof)
    assert_type(any_games.verify(solution.certificate(), SecretPennies()), any_games.HiddenProof)


def refused() -> None:
    """What type checkers refuse: each comment is an error of theirs where it is not needed."""
    any_games.solve(5)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType,reportCallIssue]
    any_games.solve(Pennies)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType,reportCallIssue]
    any_games.solve(Pennies()).judge("A", 5)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType,reportCallIssue]
    any_games.load("saved", Pennies(), gap=1)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    any_games.solve(Pennies())[5]  # type: ignore[index]  # pyright: ignore[reportArgumentType]
    matrix_game.undominated([[1]], "both")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


if __name__ == "__main__":
    main()
