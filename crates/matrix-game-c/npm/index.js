/** The answers of matrix_game_solve; see include/matrix_game.h. */
const STATUS = ["ok", "pointer", "size", "payoff", "overlap", "fault"];

/** The most rows, and columns, of a game. */
export const MOST = 16;

const PAGE = 65536;
const DOUBLE = 8;

async function bytesOf(address) {
  if (address.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(address);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be loaded: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** The number of columns, after a look at every row. */
function columnsOf(payoffs) {
  if (!Array.isArray(payoffs) || payoffs.length === 0) throw new TypeError("a matrix is an array of rows, at least one");
  const columns = payoffs[0]?.length;
  if (!columns || payoffs.some((row) => row?.length !== columns)) {
    throw new TypeError("a matrix needs at least one column, and rows of equal length");
  }
  if (Math.max(payoffs.length, columns) > MOST) {
    throw new RangeError(`a game has at most ${MOST} rows and columns; this one has ${payoffs.length} and ${columns}`);
  }
  return columns;
}

/** The payoffs, row by row, after a look at every one. */
function* entriesOf(payoffs) {
  for (const [i, row] of payoffs.entries()) {
    for (const [j, payoff] of Array.from(row).entries()) {
      if (typeof payoff !== "number" || !Number.isFinite(payoff)) {
        throw new TypeError(`the payoff ${String(payoff)} in row ${i}, column ${j} is not a finite number`);
      }
      yield payoff;
    }
  }
}

/** Loads the module, once; what it gives solves one game after another. */
export async function load(module = new URL("matrix_game.wasm", import.meta.url)) {
  const source = module instanceof URL || typeof module === "string" ? await bytesOf(new URL(module, import.meta.url)) : module;
  const { instance } = await WebAssembly.instantiate(source, {});
  const { memory, matrix_game_solve: call, __heap_base: heap } = instance.exports;
  const start = Math.ceil(heap.value / DOUBLE) * DOUBLE;
  const needed = start + (MOST * MOST + 2 * MOST + 3) * DOUBLE;
  if (memory.buffer.byteLength < needed) memory.grow(Math.ceil((needed - memory.buffer.byteLength) / PAGE));

  return function solve(payoffs) {
    const columns = columnsOf(payoffs);
    const rows = payoffs.length;
    const numbers = new Float64Array(memory.buffer, start);
    const [row, column, levels] = [rows * columns, rows * columns + rows, rows * columns + rows + columns];
    let place = 0;
    for (const payoff of entriesOf(payoffs)) numbers[place++] = payoff;
    const at = (index) => start + index * DOUBLE;
    const status = call(at(0), rows, columns, at(row), at(column), at(levels));
    if (status !== 0) throw new RangeError(`the game is refused: ${STATUS[status] ?? status}`);
    const [value, lower, upper] = numbers.subarray(levels, levels + 3);
    return {
      value,
      lower,
      upper,
      row: Array.from(numbers.subarray(row, column)),
      column: Array.from(numbers.subarray(column, levels)),
    };
  };
}
