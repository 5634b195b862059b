// The game at the table: players, bids, and the next step. It survives a rebuild of the page in another language,
// and is kept on this device.

import { randomHex } from 'page/dom.js';
import { game } from 'page/game.js';
import { note } from 'page/mygames.js';
import { agreed } from 'page/notice.js';
import { Cancelled } from 'page/solver.js';
import { parseState, stateOf, stateText } from 'page/state.js';
import { keep, kept } from 'page/store.js';
import { t } from 'page/strings.js';

// Turns without a bid that are waited through at once.
const MOST_WAITS = 100;

// The opponents by name, from the weakest to the optimum. Simple ways to bid win 3 in 10 to 8 in 10 games against the first one,
// and 2 to 7 against the second one, which is who a newcomer meets; each loses less to the optimum than the one before.
export const LADDER = ['quantal:0.5', 'quantal:1', 'quantal:3', 'lookahead:4:uniform', 'optimal'];
const NEWCOMERS = 'quantal:1';

class Table extends EventTarget {
  // The person's side, and the opponent: the name of a player of the solver, or `person`.
  you = 'A';
  opponent = kept('level') ?? NEWCOMERS;
  // Whether the opponent was chosen, by whoever plays here first or before.
  chosen = kept('level') !== null;
  // The name of the file that was read to be played against.
  /** @type {string | null} */
  file = null;
  from = 'start';
  // Whether only the ball is announced, as in blind Tennis.
  blind = false;
  // The winning points that end a match; 0 for single games.
  to = 0;
  score = { you: 0, opponent: 0, games: 0 };
  // The game: its rules and start, the pairs of bids, the solver's judgement of them, the opponent's fixed bid, all bids
  // fixed so far, and the bid that waits for the other person's.
  /** @type {Rules} */
  rules = /** @type {NotYet} */ (null);
  /** @type {string} */
  start = /** @type {NotYet} */ (null);
  /** @type {Pair<number>[]} */
  bids = [];
  /** @type {Played} */
  played = /** @type {NotYet} */ (null);
  /** @type {FixedBid | null} */
  fixed = null;
  /** @type {FixedBid[]} */
  commitments = [];
  /** @type {number | null} */
  hidden = null;
  // The number of turns since the last one in which somebody was asked for a bid.
  unasked = 0;
  // Whether both bid 0 for ever from now on.
  stands = false;
  /** @type {Error | null} */
  error = null;
  // How much is done of training a player of many strengths, or of solving a blind game; and how exploitable players are, by
  // name, in this game.
  /** @type {number | null} */
  training = null;
  /** @type {Map<string, number | null> & { rules?: Rules }} */
  strengths = new Map();
  /** @type {{ name: string, rules: Rules, solver: import('page/solver.js').Solver } | null} */
  #seat = null;
  #round = 0;

  constructor() {
    super();
    game.consent = (rules) => this.consent(rules);
  }

  // Whether somebody would lose something.
  get running() {
    return this.bids.length > 0 && this.played?.outcome === null;
  }

  // Whether the opponent is one of many strengths, which a thread of its own makes.
  get isLevel() {
    return this.opponent.includes(':');
  }

  // Whether the opponent's bids and account are hidden: in a blind game that goes on.
  get hides() {
    return this.blind && this.played?.outcome === null;
  }

  get persons() {
    return this.opponent === 'person';
  }

  get other() {
    return this.you === 'A' ? 'B' : 'A';
  }

  get matchOver() {
    return this.to > 0 && Math.max(this.score.you, this.score.opponent) >= this.to;
  }

  // Converts a payoff or value to A into the person's, and a pair into the person's order.
  toYou = (value) => (this.you === 'A' ? value : -value);
  own = (pair) => pair[this.you === 'A' ? 0 : 1];
  theirs = (pair) => pair[this.you === 'A' ? 1 : 0];

  // Asks whether the game in progress may be given up.
  async consent(rules) {
    if (!this.running || (rules && game.is(rules))) return true;
    return agreed(t('giveUp.title'), t('giveUp.text', { turns: this.bids.length }), t('giveUp.yes'));
  }

  // Changes the players or the start, and begins a new game; false if the game in progress continues.
  async set(changes) {
    if (!(await this.consent())) return false;
    Object.assign(this, changes);
    this.chosen = true;
    if (this.opponent !== 'opponent' && !this.persons) keep('level', this.opponent);
    this.score = { you: 0, opponent: 0, games: 0 };
    // The opponent may take a while to get ready.
    this.begin();
    return true;
  }

  // Begins a game, at a state if one is given.
  async begin(at = /** @type {string | null} */ (null)) {
    if (!game.rules) return;
    const mine = ++this.#round;
    if (this.matchOver) this.score = { you: 0, opponent: 0, games: 0 };
    // In a match from uneven accounts the sides are exchanged after every game.
    if (this.to && !this.persons && this.score.games && this.isUneven) this.you = this.other;
    const start = at ?? stateText(this.startOfGame());
    Object.assign(this, {
      rules: game.rules,
      start,
      bids: [],
      commitments: [],
      fixed: null,
      hidden: null,
      unasked: 0,
      stands: false,
      played: null,
    });
    this.#tell('begin');
    if (this.opponent === 'opponent' && !this.file) return;
    await this.#go(mine);
  }

  // The state that games begin at: the start, the shown state, or equal points.
  startOfGame() {
    if (this.from === 'looked') return game.state;
    const points = Number(this.from);
    return points <= Math.min(...game.rules.points) ? { a: points, b: points, ball: 0 } : game.start;
  }

  get isUneven() {
    const { a, b, ball } = this.startOfGame();
    return a !== b || ball !== 0;
  }

  // The sides exchanged; the score goes with the persons.
  async exchange() {
    this.you = this.other;
    await this.begin();
  }

  // The person's bid; of two persons the first one's is hidden until the other has bid.
  async bid(bid) {
    const mine = this.#round;
    this.unasked = 0;
    if (this.persons && this.hidden === null) {
      [this.hidden, this.you] = [bid, this.other];
      if (this.forced === null) return this.#tell('hidden');
      bid = this.forced;
    }
    if (!this.#take(bid)) return;
    await this.#go(mine);
  }

  // Puts a bid beside the one that is fixed or hidden.
  #take(bid) {
    const other = this.persons ? this.hidden : this.fixed?.bid;
    if (other === undefined || other === null) return false;
    this.bids.push(this.you === 'A' ? [bid, other] : [other, bid]);
    if (this.persons) [this.hidden, this.you] = [null, this.other];
    else {
      if (this.fixed) this.commitments.push(this.fixed);
      this.fixed = null;
    }
    return true;
  }

  // The only bid that the person can make, if there is no other.
  get forced() {
    return this.#forcedOf(this.you);
  }

  #forcedOf(player) {
    const state = stateOf(this.played.state);
    const points = player === 'A' ? state.a : state.b;
    return points <= this.rules.min_bid ? points : null;
  }

  // Whether the device goes from one person to the other: not where the first one had no choice.
  get handsOver() {
    return this.hidden !== null && this.#forcedOf(this.other) === null;
  }

  // Makes a bid that nobody has to be asked for; false where somebody has.
  #bidUnasked() {
    const bid = this.forced;
    if (bid === null || this.unasked >= MOST_WAITS) return false;
    if (this.persons) {
      [this.hidden, this.you] = [bid, this.other];
      if (this.forced === null) return false;
      this.#take(this.forced);
    } else {
      // Who has nothing left bids 0, while the other bids 0 for ever.
      this.stands = this.rules.min_bid === 0 && this.fixed?.waits === true;
      this.#take(bid);
    }
    this.unasked++;
    return true;
  }

  // Whether the last turn changed nothing, because both bid 0.
  get stood() {
    const last = this.played?.turns.at(-1);
    return last !== undefined && last.state === last.after;
  }

  // Two persons agree that nobody bids any more. Against the solver's player, 0 is bid until the player bids something else. If
  // the player never does, the game ends where the ball lies.
  async wait() {
    const mine = this.#round;
    if (!this.persons && this.forced !== null) return this.bid(this.forced);
    if (this.persons) {
      this.stands = true;
      return this.#go(mine);
    }
    for (let turn = 0; turn < MOST_WAITS && mine === this.#round && this.fixed && !this.error; turn++) {
      const { bid } = this.fixed;
      this.stands = this.fixed.waits;
      await this.bid(0);
      if (bid > 0) return;
    }
  }

  // Plays both bids, and fixes the opponent's next bid or ends the game.
  async #go(mine) {
    this.error = null;
    try {
      const replay = this.blind ? { ask: 'blind_replay' } : { ask: 'replay', start: this.start };
      const solver = this.blind ? await this.#opposite() : game;
      for (;;) {
        const played = await solver.ask({ ...replay, stands: this.stands, bids: this.bids });
        if (mine !== this.#round) return;
        this.played = played;
        if (played.outcome !== null) {
          this.#end();
          break;
        }
        if (!this.persons && !this.fixed) {
          const fixed = await this.#fix(played.state);
          if (mine !== this.#round) return;
          this.fixed = fixed;
        }
        if (!this.#bidUnasked()) break;
      }
    } catch (error) {
      if (error instanceof Cancelled || mine !== this.#round) return;
      this.error = error;
    }
    this.#keep();
    this.#tell('turn');
  }

  // The first question to the opponent's thread: train a player of adjustable strength, or solve a blind game.
  get #preparation() {
    const { start, you, opponent } = this;
    if (this.blind) return { ask: 'blind', start, player: you, bidder: opponent };
    return this.isLevel ? { ask: 'level', name: opponent } : null;
  }

  // The thread of the opponent.
  async #opposite() {
    const preparation = this.#preparation;
    if (!preparation) return game;
    const name = JSON.stringify(preparation);
    if (this.#seat?.name !== name || this.#seat.rules !== game.rules) {
      this.#seat?.solver.cancel();
      const solver = game.solver.copy();
      const seat = (this.#seat = { name, rules: game.rules, solver });
      solver.onprogress = (share) => {
        if (this.#seat !== seat || this.training === null) return;
        this.training = share;
        this.#tell('training');
      };
      this.training = 0;
      this.#tell('training');
      try {
        await solver.ask(preparation);
      } catch (error) {
        if (this.#seat === seat) this.#seat = null;
        throw error;
      } finally {
        this.training = null;
      }
    }
    return this.#seat.solver;
  }

  // A person's information in a blind game, and the best bids.
  async blindHint() {
    return (await this.#opposite()).ask({ ask: 'blind_hint', bids: this.bids });
  }

  // Without its training the opponent is the optimum, and bids that are not solved blind are seen.
  cancelTraining() {
    this.#seat?.solver.cancel();
    this.#seat = null;
    Object.assign(this, { opponent: 'optimal', blind: false, from: this.from === 'looked' ? 'looked' : 'start' });
    this.begin();
  }

  // How exploitable a player by name is in the game that is solved; found out once, in a thread of its own.
  async strength(name) {
    const { rules } = game;
    if (this.strengths.rules !== rules) this.strengths = Object.assign(new Map(), { rules });
    if (this.strengths.has(name)) return;
    const bidder = name.includes(':') ? 'level' : name;
    try {
      if (bidder === 'level') await game.askLong('levels', { ask: 'level', name });
      const { exploitability } = await game.askLong('levels', { ask: 'judge', bidder });
      if (rules !== game.rules) return;
      this.strengths.set(name, exploitability);
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.strengths.set(name, null);
    }
    this.#tell('strength');
  }

  async #fix(state) {
    const bidder = this.isLevel ? 'level' : this.opponent;
    const open = { ask: 'draw', state, player: this.other, bidder };
    const draw = this.blind ? { ask: 'blind_draw', bids: this.bids } : open;
    const { bid, waits } = await (await this.#opposite()).ask({ ...draw, bits: randomHex(8) });
    const text = `turn ${this.bids.length + 1}: ${this.other} bids ${bid}, ${randomHex(16)}`;
    const { sha256 } = await game.ask({ ask: 'sha256', text });
    return { bid, waits, text, sha256 };
  }

  #end() {
    // Of two persons the one on A's side comes first.
    const won = this.persons ? this.played.payoff : this.toYou(this.played.payoff);
    if (won > 0) this.score.you += won;
    else this.score.opponent -= won;
    this.score.games++;
    // Bids that were made blind are not judged as if all had been seen.
    if (!this.persons && !this.blind) note(this);
  }

  #keep() {
    const { rules, you, opponent, blind, from, start, bids, fixed, commitments, hidden, score, to } = this;
    const whole = { rules, you, opponent, blind, from, start, bids, fixed, commitments, hidden, score, to };
    keep('table', this.running ? whole : null);
  }

  // Goes on with the game that was kept on this device, if it is one of the game that is solved; true if there was one.
  async resume() {
    const found = kept('table');
    if (!found || !game.is(found.rules) || found.opponent === 'opponent' || !parseState(found.start)) return false;
    Object.assign(this, found, { rules: game.rules, chosen: true });
    await this.#go(++this.#round);
    if (this.error) return false;
    this.#tell('begin');
    this.#tell('turn');
    return true;
  }

  // The game that is solved is another one.
  forget() {
    this.#round++;
    Object.assign(this, { played: null, bids: [], fixed: null, file: null, hidden: null, blind: false, from: 'start' });
    if (this.opponent === 'opponent') this.opponent = 'optimal';
    keep('table', null);
    this.#tell('begin');
  }

  #tell(type) {
    this.dispatchEvent(new Event(type));
  }
}

export const table = new Table();
