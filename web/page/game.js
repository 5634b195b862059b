// The shown game, its solution, and the listeners for changes.

import { Cancelled, Solver } from 'page/solver.js';
import { linkText, sameGame, stateText } from 'page/state.js';
import { keep } from 'page/store.js';
import { language } from 'page/strings.js';

// Exact fractions are looked for unasked up to this many points: a few seconds.
const EXACT_POINTS = 50;
// The limit of a fraction's denominator: some 1,200 decimal digits.
const EXACT_BITS = 4096;
// Moves that follow each other within this many milliseconds are one step for the browser's Back.
const ONE_STEP = 1000;

export function solveQuestion({ points, field, motion, scoring, min_bid }) {
  return { ask: 'solve', points, rules: { field, motion, scoring, min_bid } };
}

class Game extends EventTarget {
  section = 'explore';
  /** @type {Rules} */
  rules = /** @type {NotYet} */ (null);
  /** @type {State} */
  state = /** @type {NotYet} */ (null);
  // The solver's description of the game, the values of all states, and the states that pure play decides.
  /** @type {Summary} */
  summary = /** @type {NotYet} */ (null);
  /** @type {Float64Array} */
  values = /** @type {NotYet} */ (null);
  /** @type {Float64Array | null} */
  decided = null;
  // The state of Tennis with 50 points each that the first link wants, if it does.
  /** @type {string | null} */
  expected = null;
  // A game or a result from a link, until it is shown, and the day of a puzzle and the step of the lesson from a link.
  /** @type {SharedGame | null} */
  shared = null;
  /** @type {SharedResult | null} */
  result = null;
  /** @type {string | null} */
  day = null;
  /** @type {number | null} */
  step = null;
  // A game of other rules and its state from a link.
  /** @type {{ name: string, at?: string } | null} */
  any = null;
  // Settles when the section of games of other rules shows the one that is asked for.
  /** @type {Promise<unknown> | null} */
  opening = null;
  // One thread answers at once; those for long questions are copies of it; another looks for exact numbers.
  solver = new Solver();
  archive = new Solver();
  // The reason why the last game asked for was not solved, unless that was cancelled.
  /** @type {Error | null} */
  refusal = null;
  // Asks a person whether to give up the game in progress; set by the table.
  /** @type {(rules: Rules) => Promise<boolean>} */
  consent = async () => true;
  /** @type {Solver | null} */
  #next = null;
  /** @type {Map<string, Solver>} */
  #runners = new Map();
  /** @type {Solver | null} */
  #prepared = null;
  /** @type {Promise<any> | null} */
  #archived = null;
  #round = 0;
  #moved = -Infinity;

  // Solves a game in a thread of its own and looks at one of its states; true unless that failed or was cancelled, which leaves
  // the game before as it is.
  async solve(rules, state) {
    if (!(await this.consent(rules))) return false;
    const round = ++this.#round;
    this.#next?.cancel();
    // The first game is solved by the thread that was started while the page was built.
    const solver = (this.#next = this.rules ? new Solver() : this.solver);
    solver.onprogress = (share) => {
      if (round === this.#round) this.#tell('progress', { share });
    };
    this.#tell('solving', { rules });
    /** @type {Pick<Game, 'rules' | 'summary' | 'values'>} */
    let solved;
    try {
      // The thread and its module are there before the clock starts.
      await solver.ask({ ask: 'sha256', text: '' });
      const began = performance.now();
      const summary = await solver.ask(solveQuestion(rules));
      const milliseconds = performance.now() - began;
      const { numbers: values } = await solver.ask({ ask: 'values' });
      solved = { rules: { points: summary.points, ...summary.rules }, summary: { ...summary, milliseconds }, values };
    } catch (error) {
      // A later game has taken over.
      if (round !== this.#round) return false;
      this.#next = null;
      this.refusal = error instanceof Cancelled ? null : /** @type {Error} */ (error);
      this.#tell('solved', { error: this.refusal, failed: true });
      return false;
    }
    if (round !== this.#round) return false;
    this.#next = null;
    this.#forget();
    if (this.solver !== solver) this.solver.cancel();
    Object.assign(this, solved, { solver, decided: null });
    const known = this.contains(state);
    this.state = known ? state : this.start;
    this.#tell('solved', { unknown: known ? null : state });
    this.link(true);
    this.#tell('state');
    try {
      // The shown state has been asked before.
      const { numbers } = await solver.ask({ ask: 'decided' });
      if (round !== this.#round) return false;
      this.decided = numbers;
      this.#tell('decided');
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
    return true;
  }

  get solving() {
    return this.#next !== null;
  }

  // Waits until no game is being solved: what is asked before that would be answered for the game before, or for none.
  async settled() {
    if (this.rules && !this.solving) return;
    await new Promise((resolve) => this.addEventListener('solved', resolve, { once: true }));
  }

  // Stops solving; the game before is still there.
  cancel() {
    this.#next?.cancel();
  }

  get start() {
    return { a: this.rules.points[0], b: this.rules.points[1], ball: 0 };
  }

  get mostPayoff() {
    return Math.max(...this.summary.payoffs.map(Math.abs));
  }

  contains({ a, b, ball }) {
    const [mostA, mostB] = this.rules.points;
    return a >= 0 && b >= 0 && a <= mostA && b <= mostB && Math.abs(ball) <= this.rules.field;
  }

  // Whether this is the game that is solved.
  is(rules) {
    return this.rules !== null && sameGame(rules, this.rules);
  }

  // The place of a state in arrays of numbers.
  place({ a, b, ball }) {
    const { points, field } = this.rules;
    return (a * (points[1] + 1) + b) * (2 * field + 1) + field + ball;
  }

  look(state) {
    if (!this.contains(state)) return;
    this.state = state;
    const now = performance.now();
    this.link(now - this.#moved > ONE_STEP);
    this.#moved = now;
    this.#tell('state');
  }

  // Shows a section; `enter` asks it to take the keyboard's focus.
  show(section, enter = false) {
    const other = section !== this.section;
    this.section = section;
    this.link(other);
    this.#tell('section', { enter });
  }

  // Every view is a link; each step can be undone by going back.
  link(step = false) {
    if (!this.rules) return;
    const view = { section: this.section, game: this.rules, state: this.state, language: language(), day: this.day };
    const link = linkText(view);
    if (link !== location.hash) history[step && !this.following ? 'pushState' : 'replaceState'](null, '', link);
    // Another visit begins with the puzzle of its own day.
    keep('link', linkText({ ...view, day: null }));
  }

  // Whether a link is being followed, which is in the history already.
  following = false;

  ask(question, file = /** @type {Uint8Array | undefined} */ (undefined)) {
    return this.solver.ask(question, file);
  }

  // Asks a slow question in a thread of its own; a later question on this topic replaces it.
  async askLong(topic, question, onprogress = /** @type {(share: number) => void} */ (() => {})) {
    let runner = this.#runners.get(topic);
    if (!runner || runner.busy) {
      runner?.cancel();
      runner = (topic === 'outcomes' ? this.#ready() : this.solver).copy();
      this.#runners.set(topic, runner);
    }
    runner.onprogress = onprogress;
    return runner.ask(question);
  }

  cancelLong(topic) {
    this.#runners.get(topic)?.cancel();
    this.#runners.delete(topic);
  }

  // A thread that keeps the optimal strategies of all states: with many points computing them takes a while, and must not be
  // repeated for every state.
  #ready() {
    if (!this.#prepared) {
      this.#prepared = this.solver.copy();
      this.#prepared.ask({ ask: 'prepare' }).catch(() => {});
    }
    return this.#prepared;
  }

  // Whether exact fractions are looked for without being asked.
  get exactUnasked() {
    return Math.max(...this.rules.points) <= EXACT_POINTS;
  }

  get archiveOpen() {
    return this.#archived !== null;
  }

  // Asks the other thread, which first solves this game with exact numbers.
  async askArchive(question) {
    this.#archived ??= this.archive.ask({ ...solveQuestion(this.rules), exact_bits: EXACT_BITS });
    await this.#archived;
    return this.archive.ask(question);
  }

  forgetArchive() {
    this.archive.cancel();
    this.#archived = null;
  }

  // The state of other threads for the previous game.
  #forget() {
    this.forgetArchive();
    for (const topic of [...this.#runners.keys()]) this.cancelLong(topic);
    this.#prepared?.cancel();
    this.#prepared = null;
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

export const game = new Game();

// The question about the state that is looked at, and nothing if another state was looked at meanwhile.
export async function askAboutState(ask, question) {
  const [asked, rules] = [stateText(game.state), game.rules];
  const answer = await ask({ ...question, state: asked });
  return stateText(game.state) === asked && game.rules === rules ? answer : null;
}
