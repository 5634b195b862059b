"""A node of a battle AI: both players choose one of nine moves at once, and a table has the expected outcome of every pair.

battle.c and battle.mjs print the same numbers.
"""

import numpy as np
from pencil_tennis import matrix_game

i, j = np.indices((9, 9))
payoffs = ((2 * i + 3 * j + 7 * i * j + 4 * i * i * j) % 19 - 9) / 9

# Many nodes at once: an array of matrices. `matrix_game.solve` takes one.
solved = matrix_game.solve_all(payoffs[np.newaxis])
print(f"value {solved.value[0]:.12f}, proved to within {solved.upper[0] - solved.lower[0]:.0e}")
for move, (mine, theirs) in enumerate(zip(solved.row_strategy[0], solved.column_strategy[0], strict=True), 1):
    print(f"move {move}: mine {mine:.12f}, theirs {theirs:.12f}")
