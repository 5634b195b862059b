/** A solved game. */
export interface Solution {
  /** The value to the row player, between the bounds. */
  value: number;
  /** The row strategy secures at least this, rounding included. */
  lower: number;
  /** The column strategy concedes at most this, rounding included. */
  upper: number;
  /** The probability of each row. */
  row: number[];
  /** The probability of each column. */
  column: number[];
}

/** Payoffs to the row player, who maximises: rows of equal length. */
export type Payoffs = ReadonlyArray<ArrayLike<number>>;

/** Solves a game of at most 16 rows and columns; throws a `TypeError` or `RangeError` for what is none. */
export type Solve = (payoffs: Payoffs) => Solution;

/** The most rows, and columns, of a game. */
export declare const MOST: 16;

/** Loads the module: its address, its bytes, or by default the file beside this one. */
export declare function load(module?: URL | string | BufferSource): Promise<Solve>;
