// The game that is looked at, its solution, and who wants to hear of changes.

import { Cancelled, Solver } from 'page/solver.js';
import { TENNIS, linkText, stateText } from 'page/state.js';
import { language } from 'page/strings.js';

// Exact fractions are looked for unasked up to so many points: a few seconds.
const EXACT_POINTS = 50;
// The limit of a fraction's denominator: some 1,200 decimal digits.
const EXACT_BITS = 4096;

export function solveQuestion({ points, field, motion, scoring }) {
  return { ask: 'solve', points, rules: { field, motion, scoring } };
}

class Game extends EventTarget {
  section = 'explore';
  rules = null;
  state = null;
  // What the solver said of the game, the values of all states, and what pure play decides.
  summary = null;
  values = null;
  decided = null;
  // One thread answers at once; the other looks for exact numbers and may take its time.
  solver = new Solver();
  archive = new Solver();
  #archived = null;

  // Solves a game and looks at one of its states; true unless that failed or was cancelled.
  // Cancelled, it goes back to the game before, and if that is cancelled, too, to Tennis.
  async solve(rules, state, fallback = this.rules && { rules: this.rules, state: this.state }) {
    const round = ++this.#round;
    if (this.solver.busy) this.solver.cancel();
    this.forgetArchive();
    this.#tell('solving', { rules });
    try {
      // The thread and its module are there before the clock starts.
      await this.solver.ask({ ask: 'sha256', text: '' });
      const began = performance.now();
      const summary = await this.solver.ask(solveQuestion(rules));
      const milliseconds = performance.now() - began;
      const { numbers: values } = await this.solver.ask({ ask: 'values' });
      const solved = { points: summary.points, ...summary.rules };
      Object.assign(this, { rules: solved, summary: { ...summary, milliseconds }, values, decided: null });
    } catch (error) {
      // A later game has taken over.
      if (round !== this.#round) return false;
      const cancelled = error instanceof Cancelled;
      this.#tell('solved', { error: cancelled ? null : error });
      if (cancelled && fallback) await this.solve(fallback.rules, fallback.state, { rules: TENNIS, state });
      return false;
    }
    const known = this.contains(state);
    this.state = known ? state : this.start;
    this.#tell('solved', { unknown: known ? null : state });
    this.link();
    this.#tell('state');
    const { numbers } = await this.solver.ask({ ask: 'decided' });
    if (round !== this.#round) return false;
    this.decided = numbers;
    this.#tell('decided');
    return true;
  }

  #round = 0;

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

  // The place of a state in arrays of numbers.
  place({ a, b, ball }) {
    const { points, field } = this.rules;
    return (a * (points[1] + 1) + b) * (2 * field + 1) + field + ball;
  }

  look(state) {
    if (!this.contains(state)) return;
    this.state = state;
    this.link();
    this.#tell('state');
  }

  show(section) {
    this.section = section;
    this.link();
    this.#tell('section');
  }

  // Every view is a link.
  link() {
    if (!this.rules) return;
    const link = linkText({ section: this.section, game: this.rules, state: this.state, language: language() });
    history.replaceState(null, '', link);
  }

  ask(question, file) {
    return this.solver.ask(question, file);
  }

  // Whether exact fractions are looked for without being asked.
  get exactUnasked() {
    return Math.max(...this.rules.points) <= EXACT_POINTS;
  }

  get archiveOpen() {
    return this.#archived !== null;
  }

  // Asks the other thread, which first solves the same game with exact numbers.
  async askArchive(question) {
    this.#archived ??= this.archive.ask({ ...solveQuestion(this.rules), exact_bits: EXACT_BITS });
    await this.#archived;
    return this.archive.ask(question);
  }

  forgetArchive() {
    this.archive.cancel();
    this.#archived = null;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

export const game = new Game();

// The question about the state that is looked at, and nothing if another state was looked at meanwhile.
export async function askAboutState(question) {
  const asked = stateText(game.state);
  const answer = await game.ask({ ...question, state: asked });
  return stateText(game.state) === asked ? answer : null;
}
