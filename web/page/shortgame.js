// A short game of A against the amateur, who bids before A's bid is known.

import { randomHex } from 'page/dom.js';
import { solveQuestion } from 'page/game.js';
import { Solver } from 'page/solver.js';
import { stateOf, stateText, TENNIS } from 'page/state.js';

const POINTS = 10;

export const RULES = { ...TENNIS, points: [POINTS, POINTS] };
export const OPPONENT = 'quantal:1';
const START = { a: POINTS, b: POINTS, ball: 0 };

// A bid that costs less is as good as free.
export const FREE = 5e-4;

// Whose hit a pair of A's and B's bids is, seen from A.
export const hitter = ([own, theirs]) => (own > theirs ? 'own' : own < theirs ? 'theirs' : 'nobody');

export class ShortGame {
  /** @type {Pair<number>[]} */
  bids = [];
  /** @type {Played} */
  played = /** @type {NotYet} */ (null);
  #host = new Solver();
  /** @type {Promise<any> | null} */
  #prepared = null;
  // The opponent's bid of this turn.
  /** @type {Promise<number>} */
  #fixed = /** @type {NotYet} */ (null);

  get begun() {
    return this.#fixed !== null;
  }

  get over() {
    return this.played !== null && this.played.outcome !== null;
  }

  get state() {
    return this.played ? stateOf(this.played.state) : START;
  }

  // What A's bids have given away.
  get given() {
    return this.played.turns.reduce((sum, { cost }) => sum + (cost[0] ?? 0), 0);
  }

  begin() {
    [this.bids, this.played] = [[], /** @type {NotYet} */ (null)];
    this.#fixed = this.#draw(START);
  }

  // The matrix of the state that is to be played, and the optimum there.
  /** @returns {Promise<Stage>} */
  async stage() {
    await this.#prepare();
    return this.#host.ask({ ask: 'state', state: stateText(this.state) });
  }

  // Plays both bids, and all turns after them in which A has no choice; gives the turn that A has chosen.
  async turn(bid) {
    const turns = this.bids.length;
    this.bids.push([bid, await this.#fixed]);
    for (;;) {
      this.played = await this.#host.ask({ ask: 'replay', start: stateText(START), bids: this.bids, stands: false });
      if (this.over) break;
      this.#fixed = this.#draw(this.state);
      const { a } = this.state;
      if (a > 1) break;
      this.bids.push([a, await this.#fixed]);
    }
    return this.played.turns[turns];
  }

  #prepare() {
    this.#prepared ??= this.#host.ask(solveQuestion(RULES)).then(() => this.#host.ask({ ask: 'level', name: OPPONENT }));
    return this.#prepared;
  }

  async #draw(state) {
    await this.#prepare();
    const question = { ask: 'draw', state: stateText(state), player: 'B', bidder: 'level', bits: randomHex(8) };
    return (await this.#host.ask(question)).bid;
  }
}
