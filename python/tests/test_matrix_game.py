"""Any matrix game."""

from __future__ import annotations

import itertools
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pencil_tennis as pt
import pytest
import truth
from pencil_tennis import matrix_game


def exactly_optimal(rows: list[list[Fraction]], solution: matrix_game.ExactSolution) -> bool:
    """By the definition: either strategy secures the value."""
    turned = [[-line[j] for line in rows] for j in range(len(rows[0]))]
    row, column = list(solution.row_strategy), list(solution.column_strategy)
    distributions = all(min(strategy) >= 0 and sum(strategy) == 1 for strategy in (row, column))
    return distributions and truth.secured(rows, row) == solution.value == -truth.secured(turned, column)


def test_known_games() -> None:
    rock_paper_scissors = matrix_game.solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert isinstance(rock_paper_scissors, matrix_game.ExactSolution)
    assert rock_paper_scissors.value == 0 and rock_paper_scissors.row_strategy == (Fraction(1, 3),) * 3
    assert rock_paper_scissors.uniqueness == ("unique", "unique")
    pennies = matrix_game.solve(np.array([[1, -1], [-1, 1]]))
    assert pennies.value == 0 and pennies.column_strategy == (Fraction(1, 2),) * 2
    saddle = matrix_game.solve([[4, 2], [3, 1]])
    assert saddle.value == 2 and saddle.row_strategy == (1, 0)
    # Tab. 1 of the article.
    table = matrix_game.solve([[1, -2, -2], [1, 1, -2], [-1, 1, 1], [-1, -1, 1]])
    assert table.value == Fraction(-1, 5) and table.uniqueness == ("several", "unique")
    assert matrix_game.solve([[5]]).value == 5
    assert matrix_game.solve([[0, 0], [0, 0]]).uniqueness == ("several", "several")


def test_brute_force_in_fractions() -> None:
    random = np.random.default_rng(2012)
    for _ in range(150):
        rows, columns = random.integers(1, 5, 2)
        game = [[Fraction(int(n), int(d)) for n, d in zip(*pair)] for pair in zip(
            random.integers(-4, 5, (rows, columns)), random.integers(1, 4, (rows, columns)), strict=True
        )]
        solution = matrix_game.solve(game)
        assert isinstance(solution, matrix_game.ExactSolution)
        assert solution.value == truth.value_of(game) == solution.lower == solution.upper
        assert exactly_optimal(game, solution)


def test_larger_games_are_proved_by_the_definition() -> None:
    random = np.random.default_rng(50)
    for rows, columns, size in [(20, 20, 3), (15, 30, 1_000), (40, 7, 2**62), (30, 30, 10)]:
        payoffs = random.integers(-size, size, (rows, columns), endpoint=True)
        solution = matrix_game.solve(payoffs, exact=True)
        assert exactly_optimal([[Fraction(int(payoff)) for payoff in line] for line in payoffs], solution)


def test_a_linear_programme_agrees() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(7)
    for rows, columns in [(2, 2), (5, 9), (30, 20), (60, 60)]:
        payoffs = random.normal(size=(rows, columns))
        solution = matrix_game.solve(payoffs)
        assert isinstance(solution, matrix_game.Solution)
        costs = np.r_[np.zeros(rows), -1.0]
        constraints = np.c_[-payoffs.T, np.ones(columns)]
        sums = np.r_[np.ones(rows), 0.0][None]
        bounds = [(0, None)] * rows + [(None, None)]
        found = optimize.linprog(costs, constraints, np.zeros(columns), sums, [1.0], bounds)
        # HiGHS stops at 1e-7.
        assert solution.value == pytest.approx(-found.fun, abs=1e-7)
        assert solution.value.width < Fraction(1, 10**12)
        assert min(solution.row_strategy @ payoffs) == pytest.approx(float(solution.value), abs=1e-12)
        assert max(payoffs @ solution.column_strategy) == pytest.approx(float(solution.value), abs=1e-12)


def test_bounds_of_doubles_are_proved() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        rows, columns = random.integers(1, 7, 2)
        payoffs = random.normal(size=(rows, columns)) * 10.0 ** random.integers(-12, 12, (rows, columns))
        solution = matrix_game.solve(payoffs)
        assert isinstance(solution, matrix_game.Solution)
        exact = solution.exact
        assert exactly_optimal([[Fraction(payoff) for payoff in line] for line in payoffs.tolist()], exact)
        assert solution.lower <= exact.value <= solution.upper and exact.value in solution.value
        assert exact.uniqueness == solution.uniqueness


def test_payoffs_near_the_largest_double_are_solved() -> None:
    """A sum of two such payoffs is no finite number."""
    largest = 1.5e308
    solution = matrix_game.solve(np.array([[largest, 0.0], [0.0, largest]]))
    assert isinstance(solution, matrix_game.Solution)
    assert list(solution.row_strategy) == list(solution.column_strategy) == [0.5, 0.5]
    assert solution.lower == solution.upper == Fraction(largest) / 2


def test_what_is_solved_exactly() -> None:
    exact = matrix_game.ExactSolution
    assert isinstance(matrix_game.solve([[Fraction(1, 3), 2]]), exact)
    assert isinstance(matrix_game.solve(np.array([[1, 2]], dtype=np.uint8)), exact)
    assert isinstance(matrix_game.solve(np.array([[Fraction(1, 3), 2]], dtype=object)), exact)
    assert isinstance(matrix_game.solve([[1.0, 2]]), matrix_game.Solution)
    assert isinstance(matrix_game.solve([[1, 2]], exact=False), matrix_game.Solution)
    assert matrix_game.solve([[0.5, 2]], exact=True).value == Fraction(1, 2)


def test_solutions_can_be_kept() -> None:
    solution = matrix_game.solve([[3, -1], [-2, 1]])
    again = pickle.loads(pickle.dumps(solution))
    assert again == solution and again.uniqueness == ("unique", "unique")
    assert repr(solution).startswith("ExactSolution(value=Fraction(1, 7), row_strategy=(Fraction(3, 7)")
    assert pickle.loads(pickle.dumps(matrix_game.solve([[3.0, -1], [-2, 1]]))).value.lower <= Fraction(1, 7)


@pytest.mark.parametrize(
    ("sentence", "payoffs"),
    [
        ("at least one row", []),
        ("at least one row", [[]]),
        ("rows of equal length", [[1, 2], [3]]),
        ("two dimensions; this array has the shape", np.zeros((2, 2, 2))),
        ("two dimensions; this array has the shape", np.zeros(2)),
        (r"row 1, column 0 is not a finite number", [[1.0, 2.0], [float("nan"), 1.0]]),
        (r"row 0, column 1 is not a finite number", np.array([[1.0, np.inf]])),
        (r"entry 'x' in row 0, column 0 is not a finite number", [["x"]]),
        (r"entry None in row 0, column 0 is not a finite number", [[None]]),
    ],
)
def test_wrong_matrices_are_told(sentence: str, payoffs: object) -> None:
    for exact in (None, True, False):
        with pytest.raises(pt.MatrixError, match=sentence):
            matrix_game.solve(payoffs, exact=exact)


def test_bounds_are_about_the_numbers_that_were_given() -> None:
    tenth = matrix_game.solve([[Decimal("0.1"), 0], [0, 1]])
    assert tenth.value == tenth.lower == tenth.upper == Fraction(1, 11)
    assert matrix_game.solve([["0.1", "0"], ["0", "1"]]).value == Fraction(1, 11)
    large = matrix_game.solve([[2**60 + 1, 0.5], [0.5, 2**60 + 1]])
    assert large.value == Fraction(2 * (2**60 + 1) + 1, 4)
    # A third is no double; a half is.
    assert isinstance(matrix_game.solve([[Fraction(1, 3), 0.5], [1, 0]]), matrix_game.ExactSolution)
    assert isinstance(matrix_game.solve([[Fraction(1, 2), 0.25], [1, 0]]), matrix_game.Solution)
    longer = matrix_game.solve(np.array([[np.longdouble(2) ** 60 + 1]]))
    assert longer.value == 2**60 + (1 if np.finfo(np.longdouble).nmant > 60 else 0)
    assert matrix_game.solve(np.array([[0.5]], np.float16)).value == 0.5
    with pytest.raises(pt.MatrixError, match=r"Decimal\('0.1'\) in row 0, column 0 would be rounded to a double"):
        matrix_game.solve([[Decimal("0.1"), 0], [0, 1]], exact=False)
    with pytest.raises(pt.MatrixError, match="row 1, column 1 would be rounded"):
        matrix_game.solve([[0.5, 0], [0, 2**1100]], exact=False)


def test_matrices_of_other_packages_are_taken_or_refused_with_a_sentence() -> None:
    with pytest.raises(pt.MatrixError, match="the entry in row 0, column 1 is masked"):
        matrix_game.solve(np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]]))
    assert matrix_game.solve(np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]])).value == 3
    with pytest.raises(pt.MatrixError, match="game 0: the entry in row 0, column 1 is masked"):
        matrix_game.solve_all(np.ma.masked_array([[[1.0, 2.0], [3.0, 4.0]]], mask=[[[0, 1], [0, 0]]]))
    with pytest.raises(pt.MatrixError, match="solve_all solves many"):
        matrix_game.solve(np.zeros((2, 2, 2)))
    for long in ("1e9999999", "-1e-99999", Decimal("1e999999999")):
        with pytest.raises(pt.MatrixError, match="has more than 10000 digits"):
            matrix_game.solve([[long, 0], [0, 1]])
    for wrong in (5, None, [1, 2], "12"):
        with pytest.raises(pt.MatrixError):
            matrix_game.solve(wrong)  # type: ignore[arg-type]
    pandas = pytest.importorskip("pandas")
    assert matrix_game.solve(pandas.DataFrame([[3, -1], [-2, 1]], columns=["x", "y"])).value == Fraction(1, 7)
    assert float(matrix_game.solve(pandas.DataFrame([[3.0, -1.0], [-2.0, 1.0]])).value) == pytest.approx(1 / 7)
    with pytest.raises(pt.MatrixError, match="not a finite number"):
        matrix_game.solve(pandas.DataFrame([[3, None], [-2, 1]], dtype="Int64"))


def test_many_games_are_solved_like_one() -> None:
    random = np.random.default_rng(3)
    for dtype in (np.float64, np.float32, np.int8):
        games = random.integers(-9, 10, (40, 4, 3)).astype(dtype)
        found = matrix_game.solve_all(games)
        assert len(found) == 40 and found.row_strategy.shape == (40, 4) and found.column_strategy.shape == (40, 3)
        for game, value, lower, upper in zip(games, found.value, found.lower, found.upper, strict=True):
            rows = [[Fraction(int(payoff)) for payoff in line] for line in game]
            known = truth.value_of(rows)
            assert Fraction(lower) <= known <= Fraction(upper) and abs(Fraction(value) - known) < Fraction(1, 10**14)
        alone = matrix_game.solve_all(games, threads=1)
        assert np.array_equal(alone.value, found.value) and np.array_equal(alone.row_strategy, found.row_strategy)
    assert len(matrix_game.solve_all(np.zeros((0, 2, 2)))) == 0
    for wrong in (np.zeros((2, 2)), np.zeros((2, 0, 2)), np.array([[["a"]]]), np.array([[[1.0]], [[np.nan]]]), [[[2**60 + 1]]]):
        with pytest.raises(pt.MatrixError):
            matrix_game.solve_all(np.asarray(wrong))
    with pytest.raises(pt.MatrixError, match="game 1: entry NaN in row 0, column 0"):
        matrix_game.solve_all(np.array([[[1.0]], [[np.nan]]]))


def all_optimal(rows: list[list[Fraction]], value: Fraction) -> list[tuple[Fraction, ...]]:
    """The extreme points of the row player's optimal set: where as many of its conditions hold with equality as there are rows."""
    count, columns = len(rows), len(rows[0])
    # Conditions p * condition >= bound: payoffs of columns, and probabilities.
    conditions = [([row[j] for row in rows], value) for j in range(columns)]
    conditions += [([Fraction(int(i == k)) for i in range(count)], Fraction(0)) for k in range(count)]
    found = set()
    for chosen in itertools.combinations(conditions, count - 1):
        point = solved([[Fraction(1)] * count, *[left for left, _ in chosen]], [Fraction(1), *[right for _, right in chosen]])
        if point and all(sum(p * c for p, c in zip(point, left, strict=True)) >= right for left, right in conditions):
            found.add(tuple(point))
    return sorted(found)


def solved(left: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The solution of linear equations by Gauss and Jordan, if there is one alone."""
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [entry - rows[k][i] * own for entry, own in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def test_all_optimal_strategies_are_the_vertices() -> None:
    random = np.random.default_rng(5)
    several = 0
    for _ in range(40):
        rows = [[Fraction(int(entry)) for entry in row] for row in random.integers(-1, 2, random.integers(1, 5, 2))]
        solution = matrix_game.solve(rows, exact=True)
        of_rows, of_columns = solution.optimal_strategies()
        assert sorted(of_rows) == all_optimal(rows, solution.value)
        turned = [[-row[j] for row in rows] for j in range(len(rows[0]))]
        assert sorted(of_columns) == all_optimal(turned, -solution.value)
        several += len(of_rows) > 1
    assert several > 5
    with pytest.raises(pt.Error, match="more than 2|2"):
        matrix_game.solve([[0, 0, 0]] * 3).optimal_strategies(2)
    with pytest.raises(pt.Error, match="most is 0"):
        matrix_game.solve([[0]]).optimal_strategies(0)
    assert matrix_game.solve([[0.5, 0.5]]).exact.optimal_strategies()[1] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("dominance", ["strict", "weak"])
def test_eliminated_actions_are_dominated(dominance: Any) -> None:
    random = np.random.default_rng(9)
    eliminated = 0
    for _ in range(40):
        rows = [[Fraction(int(entry)) for entry in row] for row in random.integers(-3, 4, random.integers(1, 5, 2))]
        left = matrix_game.undominated(rows, dominance)
        own, other, number = set(range(len(rows))), set(range(len(rows[0]))), 0
        for round in itertools.groupby(left.eliminations, lambda found: found.round):
            gone = [*round[1]]
            assert round[0] == (number := number + 1)
            for found in gone:
                gains = []
                for opposite in other if found.player == "row" else own:
                    def pays(action: int, opposite: int = opposite, player: str = found.player) -> Fraction:
                        return rows[action][opposite] if player == "row" else -rows[opposite][action]

                    gains.append(sum(share * pays(action) for action, share in found.by.items()) - pays(found.action))
                assert sum(found.by.values()) == 1 and min(found.by.values()) > 0
                assert set(found.by) <= (own if found.player == "row" else other) - {found.action}
                assert min(gains) > 0 if dominance == "strict" else min(gains) >= 0 and max(gains) > 0
            own -= {found.action for found in gone if found.player == "row"}
            other -= {found.action for found in gone if found.player == "column"}
            eliminated += len(gone)
        assert left.rows == sorted(own) and left.columns == sorted(other)
        if dominance == "strict":
            small = [[rows[i][j] for j in left.columns] for i in left.rows]
            assert matrix_game.solve(small).value == matrix_game.solve(rows).value
    assert eliminated > 20


def test_dominance_is_named_and_matrices_are_checked() -> None:
    # The prisoners' dilemma of one player, in doubles: the first row is better by 0.1.
    left = matrix_game.undominated(np.array([[0.1, 0.6], [0.0, 0.5]]))
    assert (left.rows, left.columns) == ([0], [0])
    assert matrix_game.undominated([[1, 1], [1, 0]]).rows == [0, 1] and matrix_game.undominated([[1, 1], [1, 0]], "weak").rows == [0]
    with pytest.raises(pt.Error, match="there is no dominance \"both\"; expected 'strict' or 'weak'"):
        matrix_game.undominated([[1]], "both")  # type: ignore[arg-type]
    for wrong in ([], [[]], [[1], [1, 2]], np.zeros((0, 2)), [[float("nan")]]):
        with pytest.raises(pt.MatrixError):
            matrix_game.undominated(wrong)


def test_expected_payoffs() -> None:
    payoffs = [[3, -1], [-2, 1]]
    assert matrix_game.expected_payoff(payoffs, [1, 0], [0, 1]) == -1
    assert matrix_game.expected_payoff(payoffs, ["3/7", "4/7"], np.array([0.25, 0.75])) == Fraction(1, 7)
    assert matrix_game.expected_payoff(payoffs, [1, 2], [1, 1]) == Fraction(1, 3) * 1 + Fraction(2, 3) * Fraction(-1, 2)
    solution = matrix_game.solve(payoffs)
    assert isinstance(solution, matrix_game.ExactSolution)
    assert matrix_game.expected_payoff(payoffs, solution.row_strategy, solution.column_strategy) == solution.value
    for own, other, message in [
        ([1], [1, 0], "the row player's strategy has 1 probabilities; expected 2"),
        ([1, 0], [0.5, 0.4], "the column player's probabilities sum to 0.9; expected exactly 1"),
        ([1.5, -0.5], [1, 0], "the row player's probabilities sum to 1"),
        ({0: 1, 1: 0}, [1, 0], "is no strategy; expected the probabilities of all 2 rows"),
        (np.ma.masked_array([1.0, 0.0], mask=[0, 1]), [1, 0], "is masked"),
    ]:
        with pytest.raises(pt.Error, match=message):
            matrix_game.expected_payoff(payoffs, own, other)  # type: ignore[arg-type]
