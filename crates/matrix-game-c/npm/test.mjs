import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load } from "./index.js";

const solve = await load();

test("rock, paper, scissors where rock beats scissors twice", () => {
  const { value, lower, upper, row, column } = solve([
    [0, -1, 2],
    [1, 0, -1],
    [-2, 1, 0],
  ]);
  assert.ok(lower <= 0 && 0 <= upper && lower <= value && value <= upper && upper - lower < 1e-14);
  for (const strategy of [row, column]) {
    strategy.forEach((share, choice) => assert.ok(Math.abs(share - [0.25, 0.5, 0.25][choice]) < 1e-15));
  }
});

test("a saddle point is exact", () => {
  assert.deepEqual(solve([[4, 0.1, 7], Float64Array.of(3, 0, -1e300)]), {
    value: 0.1, lower: 0.1, upper: 0.1, row: [1, 0], column: [0, 1, 0],
  });
});

test("the largest game, and one after another", () => {
  for (const size of [16, 1, 9]) {
    // A shifted identity: the value is 1 less by the size, both players mix evenly.
    const { value, row } = solve(Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => Number(i === j) - 1)));
    assert.ok(Math.abs(value - (1 / size - 1)) < 1e-15);
    assert.ok(row.every((share) => Math.abs(share - 1 / size) < 1e-15));
  }
});

test("bytes are a module, too", async () => {
  const again = await load(await readFile(new URL("matrix_game.wasm", import.meta.url)));
  assert.equal(again([[5]]).value, 5);
});

test("what is no game is refused by a sentence", () => {
  const wide = [new Array(17).fill(0)];
  for (const [payoffs, sentence] of [
    [undefined, /array of rows/],
    [[], /array of rows/],
    [7, /array of rows/],
    [[[]], /at least one column/],
    [[[1, 2], [3]], /equal length/],
    [[[1], null], /equal length/],
    [wide, /at most 16 rows and columns; this one has 1 and 17/],
    [[[1, NaN]], /NaN in row 0, column 1/],
    [[[1, "2"]], /2 in row 0, column 1/],
    [[[1, Infinity]], /Infinity in row 0/],
    [[[1, 1e308]], /refused: payoff/],
    [[[1n]], /not a finite number/],
    [[[Symbol("x")]], /not a finite number/],
  ]) {
    assert.throws(() => solve(payoffs), sentence);
  }
  // Nothing of a refused game is left.
  assert.equal(solve([[2]]).value, 2);
});
