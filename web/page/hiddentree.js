// A solved game with hidden information: its tree, what actions are worth against the optimal strategies, and play.

// Optimal strategies of large games come to what they avoid with about this probability, by rounding alone.
const RARE = 1e-6;

// A fraction as a number.
const ratio = (text) =>
  text
    .split('/')
    .map(Number)
    .reduce((over, under) => over / under);

const SIDES = ['a', 'b'];

// The tree of `packed`, in the form that src/page/hidden.rs describes.
export class HiddenTree {
  // By nodes in prefix order: the payoff of an end; the probabilities of chance; the information set of a decision.
  payoff = /** @type {(number | null)[]} */ ([]);
  shares = /** @type {(number[] | null)[]} */ ([]);
  set = /** @type {(HiddenSet | null)[]} */ ([]);
  successors = /** @type {number[][]} */ ([]);
  // By players.
  /** @type {Record<Side, HiddenSet[]>} */
  sets = { a: [], b: [] };

  constructor(packed) {
    const payoffs = packed.payoffs.map(ratio);
    const chances = packed.chances.map((shares) => shares.map(ratio));
    const weights = { a: packed.a.weights.split(','), b: packed.b.weights.split(',') };
    // The sets that follow a player's last set and action, by the first node's order.
    const following = new Map();
    // Nodes that wait for successors, the last one first, with both players' last sets and actions there.
    const open = [];
    for (const [, kind, digits] of packed.nodes.matchAll(/([abce])(\d+)/g)) {
      const [node, number] = [this.payoff.length, Number(digits)];
      const parent = open.at(-1);
      let last = { a: '', b: '' };
      if (parent) {
        const place = this.successors[parent.node].length;
        last = { ...parent.last };
        if (parent.mover) last[parent.mover] = `${this.set[parent.node]?.place},${place}`;
        this.successors[parent.node].push(node);
        if (place + 1 === parent.count) open.pop();
      }
      this.payoff.push(kind === 'e' ? payoffs[number] : null);
      this.shares.push(kind === 'c' ? chances[number] : null);
      this.successors.push([]);
      const mover = kind === 'a' || kind === 'b' ? kind : null;
      const set = mover && this.#follow(packed, mover, last[mover], number, following, weights);
      if (set) set.nodes.push(node);
      this.set.push(set);
      const count = kind === 'c' ? chances[number].length : (set?.actions.length ?? 0);
      if (count) open.push({ node, mover, last, count });
    }
    for (const player of SIDES) this.#judge(player);
  }

  // One of the sets that follow a player's last set and action; a new one is described.
  #follow(packed, player, last, number, following, weights) {
    const key = `${player}${last}`;
    if (!following.has(key)) following.set(key, []);
    const known = following.get(key);
    if (number < known.length) return known[number];
    const place = this.sets[player].length;
    const [before, action] = last ? last.split(',').map(Number) : [-1, 0];
    const parent = this.sets[player][before];
    const begin = parent && [parent.name === '(start)' ? '' : `${parent.name} `, parent.actions[action]].join('');
    const text = packed[player].names[place];
    const listed = weights[player][place] ? weights[player][place].split('.').map(Number) : null;
    const sum = listed?.reduce((one, other) => one + other, 0);
    const set = {
      player,
      place,
      name: begin && text.startsWith('+') ? begin + text.slice(1) : text,
      actions: packed.actions[packed[player].lists[place]],
      // Null where the optimum never comes by its own choices.
      mixture: listed && listed.map((weight) => weight / sum),
      parent: parent ? { set: parent, action } : null,
      nodes: [],
      reach: 0,
      worth: [],
    };
    this.sets[player].push(set);
    known.push(set);
    return set;
  }

  // What a player's actions are worth to A against the opponent's strategy, with the best continuation; sets come after those
  // before them.
  #judge(player) {
    const sign = player === 'a' ? 1 : -1;
    const sets = this.sets[player];
    const worth = sets.map(({ actions }) => actions.map(() => 0));
    const open = [{ node: 0, probability: 1, set: /** @type {HiddenSet | null} */ (null), action: 0 }];
    for (let visit = open.pop(); visit; visit = open.pop()) {
      const { node, probability, set, action } = visit;
      const own = this.set[node]?.player === player ? this.set[node] : null;
      if (own) own.reach += probability;
      const payoff = this.payoff[node];
      if (payoff !== null && set) worth[set.place][action] += probability * payoff;
      const shares = own ? null : (this.shares[node] ?? this.set[node]?.mixture);
      this.successors[node].forEach((next, place) => {
        // The opponent goes nowhere from where the opponent's strategy never comes.
        const share = own ? 1 : (shares?.[place] ?? 0);
        if (share)
          open.push({ node: next, probability: share * probability, ...(own ? { set: own, action: place } : { set, action }) });
      });
    }
    for (const set of sets.toReversed()) {
      const best = sign * Math.max(...worth[set.place].map((payoff) => sign * payoff));
      if (set.parent) worth[set.parent.set.place][set.parent.action] += best;
    }
    for (const set of sets) {
      if (set.reach < RARE) continue;
      const best = Math.max(...worth[set.place].map((payoff) => sign * payoff));
      set.worth = worth[set.place].map((payoff) => ({ payoff: payoff / set.reach, loss: (best - sign * payoff) / set.reach }));
    }
  }

  // A player's information set of this name.
  named(player, name) {
    return this.sets[player].find((set) => set.name === name);
  }

  // Where play goes from a node that nobody's choice decides: `draw` makes numbers from 0 to 1.
  drawn(node, draw) {
    const set = this.set[node];
    const shares = this.shares[node] ?? set?.mixture ?? this.successors[node].map(() => 1 / this.successors[node].length);
    let rest = draw();
    const place = shares.findIndex((share) => (rest -= share) < 0);
    return place < 0 ? shares.findLastIndex((share) => share > 0) : place;
  }
}
