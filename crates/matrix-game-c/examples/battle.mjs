// A node of a battle AI: both players choose one of nine moves at once, and a table has the expected outcome of every pair.
// battle.c and battle.py print the same numbers.
import { load } from "../npm/index.js";

const moves = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const payoffs = moves.map((i) => moves.map((j) => (((2 * i + 3 * j + 7 * i * j + 4 * i * i * j) % 19) - 9) / 9));

const solve = await load();
const { value, lower, upper, row, column } = solve(payoffs);
const width = (upper - lower).toExponential(0).replace(/e([+-])(\d)$/, "e$10$2");
console.log(`value ${value.toFixed(12)}, proved to within ${width}`);
for (const i of moves) console.log(`move ${i + 1}: mine ${row[i].toFixed(12)}, theirs ${column[i].toFixed(12)}`);
