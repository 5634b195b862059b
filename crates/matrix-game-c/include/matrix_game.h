/* Zero-sum matrix games: the value within proved bounds, and optimal strategies of both players.
 *
 *     cargo build --release --package matrix-game-c
 *     cc program.c -I crates/matrix-game-c/include target/release/libmatrix_game_c.a -lm -lpthread -ldl
 *
 * The shared library is target/release/libmatrix_game_c.so (.dylib, .dll). Every function may be called from several threads.
 */
#ifndef MATRIX_GAME_H
#define MATRIX_GAME_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What matrix_game_solve returns. */
enum matrix_game_status {
    MATRIX_GAME_OK = 0,
    MATRIX_GAME_POINTER = 1, /* a pointer is null, or not aligned as a double is */
    MATRIX_GAME_SIZE = 2,    /* no row, no column, or more than 2^24 payoffs */
    MATRIX_GAME_PAYOFF = 3,  /* a payoff is not finite, or larger than a quarter of DBL_MAX */
    MATRIX_GAME_OVERLAP = 4, /* buffers overlap */
    MATRIX_GAME_FAULT = 5    /* a fault of this library */
};

struct matrix_game_levels {
    double value; /* between the bounds */
    double lower; /* the row strategy secures at least this, whatever the column player does */
    double upper; /* the column strategy concedes at most this */
};

/* Solves a game.
 *
 * payoffs  rows * columns payoffs to the row player, who maximises, row by row
 * row      receives the probability of each row
 * column   receives the probability of each column
 * levels   receives the value and its bounds
 *
 * Both bounds are proved for the strategies that are written, rounding included: with k positive probabilities they are some
 * (2k + 6) * 1.1e-16 of the largest payoff from what a strategy secures. Of several optimal strategies any may be found. Unless the
 * answer is MATRIX_GAME_OK, nothing is written. Some microseconds for 16 rows and columns.
 */
int matrix_game_solve(const double *payoffs, size_t rows, size_t columns, double *row, double *column,
                      struct matrix_game_levels *levels);

#ifdef __cplusplus
}
#endif

#endif
