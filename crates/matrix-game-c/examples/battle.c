/* A node of a battle AI: both players choose one of nine moves at once, and a table has the expected outcome of every pair.
 * battle.mjs and battle.py print the same numbers. */
#include <stdio.h>

#include "matrix_game.h"

enum { MOVES = 9 };

int main(void)
{
    double payoffs[MOVES * MOVES], mine[MOVES], theirs[MOVES];
    struct matrix_game_levels levels;

    for (int i = 0; i < MOVES; i++)
        for (int j = 0; j < MOVES; j++)
            payoffs[i * MOVES + j] = ((2 * i + 3 * j + 7 * i * j + 4 * i * i * j) % 19 - 9) / 9.0;

    int status = matrix_game_solve(payoffs, MOVES, MOVES, mine, theirs, &levels);
    if (status != MATRIX_GAME_OK) {
        fprintf(stderr, "the game is refused: status %d of matrix_game.h\n", status);
        return 1;
    }
    printf("value %.12f, proved to within %.0e\n", levels.value, levels.upper - levels.lower);
    for (int i = 0; i < MOVES; i++)
        printf("move %d: mine %.12f, theirs %.12f\n", i + 1, mine[i], theirs[i]);
    return 0;
}
