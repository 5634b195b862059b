"""A picture: learning curves of the library's learners, and the value of every score as a heat map. Needs matplotlib.

Usage: plot_learning.py PICTURE.png [POINTS [GAMES]]
"""

from __future__ import annotations

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import pencil_tennis  # noqa: E402
from pencil_tennis import LearningCurve, Training  # noqa: E402

# Distinct for colour-blind readers, too (Okabe and Ito).
LEARNERS = {"simple": "#d55e00", "outcome": "#cc79a7", "fictitious": "#0072b2", "cfr-plus": "#009e73"}
BALL = -1


def draw_curves(axes: plt.Axes, solution: pencil_tennis.Solution, games: int) -> None:
    """Exploitability by games, a line for each learner."""
    for learner, colour in LEARNERS.items():
        curve = LearningCurve(solution)
        curve.train(Training(learner, points=solution.points[0]), games)
        axes.loglog(curve.games, curve.exploitability, color=colour, marker="o", markersize=3, label=learner)
    axes.set(xlabel="games", ylabel="exploitability", title=f"Learning with {solution.points[0]} points")
    axes.grid(which="major", alpha=0.3)
    axes.legend(frameon=False)


def draw_values(axes: plt.Axes, solution: pencil_tennis.Solution) -> None:
    """The value to A at every score, for one position of the ball."""
    values = solution.arrays().values[:, :, BALL + solution.rules.field]
    most = float(max(solution.rules.scoring))
    image = axes.imshow(values, origin="lower", cmap="RdBu", vmin=-most, vmax=most)
    axes.set(xlabel="B's points", ylabel="A's points", title=f"Value to A with the ball at {BALL}")
    axes.figure.colorbar(image, ax=axes, label="what A wins on average")


def main(path: str, points: int = 12, games: int = 1_000_000) -> None:
    """Learns, solves and draws."""
    solution = pencil_tennis.solve(points)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    draw_curves(left, solution, games)
    draw_values(right, solution)
    figure.savefig(path, dpi=120)
    print(f"{path} is drawn")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
