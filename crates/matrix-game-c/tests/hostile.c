/* Some thousand calls that are to be refused, or answered, without reading or writing what is not there: for a build with
 * -fsanitize=address,undefined. Buffers come from malloc, so that a byte too far is noticed. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix_game.h"

static unsigned long long state = 1;

static double number(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / (double)(1ULL << 53) * 2 - 1;
}

static double *doubles(size_t count)
{
    double *buffer = malloc(count * sizeof *buffer);
    if (!buffer) exit(2);
    for (size_t i = 0; i < count; i++) buffer[i] = number();
    return buffer;
}

static int failures, calls;

static void expect(const char *what, int status, int expected)
{
    calls++;
    if (status != expected) {
        failures++;
        fprintf(stderr, "%s: status %d, expected %d\n", what, status, expected);
    }
}

/* Whether both strategies are strategies, and secure the bounds up to the rounding of the sums here. */
static int holds(const double *payoffs, size_t rows, size_t columns, const double *row, const double *column,
                 const struct matrix_game_levels *levels)
{
    double size = 0, sums[2] = {0, 0};
    for (size_t i = 0; i < rows * columns; i++) size = fmax(size, fabs(payoffs[i]));
    for (size_t i = 0; i < rows; i++) sums[0] += row[i];
    for (size_t j = 0; j < columns; j++) sums[1] += column[j];
    double rounding = 1e-15 * (double)(rows + columns) * size;
    int is_fine = fabs(sums[0] - 1) < 1e-12 && fabs(sums[1] - 1) < 1e-12;
    for (size_t j = 0; j < columns; j++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i++) sum += row[i] * payoffs[i * columns + j];
        is_fine &= sum + rounding >= levels->lower;
    }
    for (size_t i = 0; i < rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < columns; j++) sum += column[j] * payoffs[i * columns + j];
        is_fine &= sum - rounding <= levels->upper;
    }
    return is_fine && levels->lower <= levels->value && levels->value <= levels->upper &&
           levels->upper - levels->lower <= 1e-10 * size + 4 * rounding + 1e-300;
}

int main(void)
{
    struct matrix_game_levels levels;
    const double wrong[] = {NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX};
    const double scales[] = {1, 1e-300, 5e-324, 1e9, 1e300};

    for (size_t rows = 1; rows <= 40; rows += rows < 18 ? 1 : 11) {
        for (size_t columns = 1; columns <= 40; columns += columns < 18 ? 1 : 11) {
            double *payoffs = doubles(rows * columns), *row = doubles(rows), *column = doubles(columns);
            for (size_t scale = 0; scale < sizeof scales / sizeof *scales; scale++) {
                for (size_t i = 0; i < rows * columns; i++) payoffs[i] = scales[scale] * floor(number() * 4);
                expect("a game", matrix_game_solve(payoffs, rows, columns, row, column, &levels), MATRIX_GAME_OK);
                if (!holds(payoffs, rows, columns, row, column, &levels)) {
                    failures++;
                    fprintf(stderr, "%zu x %zu times %g: [%.17g, %.17g]\n", rows, columns, scales[scale], levels.lower, levels.upper);
                }
            }
            double before = row[0];
            for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
                payoffs[rows * columns - 1] = wrong[i];
                expect("a wrong payoff", matrix_game_solve(payoffs, rows, columns, row, column, &levels), MATRIX_GAME_PAYOFF);
            }
            expect("no payoffs", matrix_game_solve(NULL, rows, columns, row, column, &levels), MATRIX_GAME_POINTER);
            expect("no row", matrix_game_solve(payoffs, rows, columns, NULL, column, &levels), MATRIX_GAME_POINTER);
            expect("no column", matrix_game_solve(payoffs, rows, columns, row, NULL, &levels), MATRIX_GAME_POINTER);
            expect("no levels", matrix_game_solve(payoffs, rows, columns, row, column, NULL), MATRIX_GAME_POINTER);
            expect("payoffs into themselves", matrix_game_solve(payoffs, rows, columns, payoffs, column, &levels), MATRIX_GAME_OVERLAP);
            expect("one strategy", matrix_game_solve(payoffs, rows, columns, row, row, &levels), MATRIX_GAME_OVERLAP);
            expect("no rows", matrix_game_solve(payoffs, 0, columns, row, column, &levels), MATRIX_GAME_SIZE);
            expect("no columns", matrix_game_solve(payoffs, rows, 0, row, column, &levels), MATRIX_GAME_SIZE);
            expect("too many", matrix_game_solve(payoffs, SIZE_MAX / rows, 9, row, column, &levels), MATRIX_GAME_SIZE);
            if (memcmp(&before, row, sizeof before) != 0) {
                failures++;
                fprintf(stderr, "a refused game wrote a strategy\n");
            }
            free(payoffs);
            free(row);
            free(column);
        }
    }
    printf("%d calls, %d failures\n", calls, failures);
    return failures != 0;
}
