// One player's bids: probabilities upward, costs downward. A slider over bids for keys and screen readers.

import { fraction, h, number, percent, s } from 'page/dom.js';
import { game } from 'page/game.js';
import { t } from 'page/strings.js';

const UP = 120;
const DOWN = 84;
const AXIS = 22;
const LEFT = 46;
// Half of the last bid, such as 150, stands beyond its bar.
const RIGHT = 14;

// Costs have one scale for all states of all games, so that bars can be compared: the cube root of a bid's cost as a share of the
// largest possible loss, so that a thousandth is visible and a tenfold cost is twice as long.
const depthOf = (cost, most) => Math.cbrt(Math.min(cost / most, 1)) * (DOWN - 6);
// The costs that the scale names.
const COSTS = [1, 0.1, 0.01];

let charts = 0;

// Thin slanted lines distinguish costs from probabilities, besides their place.
function hatch(id) {
  const lines = s('path', { d: 'M-1 1l2 -2M0 5l5 -5M4 6l2 -2', stroke: 'currentColor', 'stroke-width': 1.1 });
  return s('defs', {}, s('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse' }, lines));
}

export class BidChart {
  // `player` is 'a' or 'b'; `onselect` hears of the bid that is looked at.
  constructor(player, onselect = /** @type {((bid: number) => void) | null} */ (null)) {
    this.player = player;
    this.onselect = onselect;
    this.hatch = `hatch-${++charts}`;
    this.lowest = 0;
    /** @type {Map<number, number>} */
    this.probabilities = new Map();
    // By bid, from the lowest on; empty until there is something to show.
    /** @type {number[]} */
    this.costs = [];
    /** @type {Map<number, string> | undefined} */
    this.exact = undefined;
    this.svg = s('svg', { class: `bidchart of-${player}`, 'aria-hidden': 'true' });
    this.step = 1;
    this.slider = h('div', { class: 'bids', role: 'slider', tabindex: 0, 'aria-label': t(`bids.name.${player}`) }, this.svg);
    this.slider.addEventListener('keydown', (event) => this.#key(event));
    this.slider.addEventListener('pointerdown', (event) => this.#point(event));
    this.slider.addEventListener('pointermove', (event) => event.buttons && this.#point(event));
    this.readout = h('p', { class: 'readout' });
    this.element = h('div', {}, this.slider, this.readout);
    new ResizeObserver(() => this.draw()).observe(this.slider);
  }

  // Shows probabilities and exact ones by bid, and the losses of all legal bids.
  /** @param {{ worth: BidLoss[], probabilities: Map<number, number>, exact?: Map<number, string> }} bids */
  show({ worth, probabilities, exact }) {
    // Before a game is solved, it is Tennis.
    this.most = 2 * (game.summary ? game.mostPayoff : 2);
    this.lowest = worth[0].bid;
    this.probabilities = probabilities;
    this.costs = worth.map(({ loss }) => loss);
    this.exact = exact;
    const likeliest = [...probabilities].sort((one, other) => other[1] - one[1])[0];
    this.selected = likeliest?.[0] ?? this.lowest;
    this.draw();
  }

  get #highest() {
    return this.lowest + this.costs.length - 1;
  }

  draw() {
    if (!this.costs.length) return;
    const width = Math.max(this.slider.clientWidth, 200);
    const count = this.costs.length;
    this.step = Math.min((width - LEFT - RIGHT) / count, 64);
    const bar = Math.max(this.step * 0.78, 1);
    const most = Math.max(...this.probabilities.values());
    const parts = [hatch(this.hatch), ...this.#scales(most, LEFT + count * this.step)];
    for (let place = 0; place < count; place++) {
      const bid = this.lowest + place;
      const x = LEFT + place * this.step + (this.step - bar) / 2;
      const probability = this.probabilities.get(bid) ?? 0;
      const height = most ? (probability / most) * (UP - 22) : 0;
      const depth = depthOf(this.costs[place], this.most);
      if (bid === this.selected)
        parts.push(
          s('rect', { class: 'selected', x: LEFT + place * this.step, y: 0, width: this.step, height: UP + AXIS + DOWN, rx: 3 }),
        );
      if (probability > 0)
        parts.push(
          s('rect', { class: 'probability', x, y: UP - Math.max(height, 1.5), width: bar, height: Math.max(height, 1.5) }),
        );
      if (depth > 0.2)
        parts.push(s('rect', { class: 'cost', fill: `url(#${this.hatch})`, x, y: UP + AXIS, width: bar, height: depth }));
      if (probability > 0 && this.step >= 44) {
        parts.push(s('text', { class: 'share', x: x + bar / 2, y: UP - height - 5 }, percent(probability)));
      }
      const every = this.step >= 20 ? 1 : this.step * 5 >= 24 ? 5 : this.step * 10 >= 24 ? 10 : 50;
      if (bid % every === 0 || (bid === this.lowest && every > 1)) {
        parts.push(s('text', { class: 'bid', x: x + bar / 2, y: UP + 16 }, bid));
      }
    }
    parts.push(
      s('path', {
        class: 'base',
        d: `M${LEFT} ${UP + 0.5}H${LEFT + count * this.step} M${LEFT} ${UP + AXIS - 0.5}H${LEFT + count * this.step}`,
      }),
    );
    this.svg.setAttribute('viewBox', `0 0 ${width} ${UP + AXIS + DOWN}`);
    this.svg.setAttribute('height', UP + AXIS + DOWN);
    this.svg.replaceChildren(...parts);
    this.#describe();
  }

  // The meanings of a height and of a depth.
  #scales(most, right) {
    const line = (y) => s('line', { class: 'scale', x1: LEFT, x2: right, y1: y, y2: y });
    const label = (y, text) => s('text', { class: 'tick', x: LEFT - 5, y: y + 4 }, text);
    const top = UP - (UP - 22);
    const costs = COSTS.map((cost) => [cost, UP + AXIS + depthOf(cost, this.most)]);
    return [line(top), label(top, percent(most)), ...costs.flatMap(([cost, y]) => [line(y), label(y, number(cost))])];
  }

  // Looks at a bid.
  select(bid) {
    this.#select(bid);
  }

  #describe() {
    const bid = this.selected;
    const exact = this.exact?.get(bid);
    const probability = this.probabilities.get(bid) ?? 0;
    const share = exact && exact.length < 24 ? `${fraction(exact)} = ${percent(probability)}` : percent(probability);
    const text = t('bids.readout', { bid, share, cost: number(this.costs[bid - this.lowest], 5) });
    this.readout.textContent = text;
    this.slider.setAttribute('aria-valuemin', this.lowest);
    this.slider.setAttribute('aria-valuemax', this.#highest);
    this.slider.setAttribute('aria-valuenow', bid);
    this.slider.setAttribute('aria-valuetext', text);
  }

  #select(bid) {
    const within = Math.min(Math.max(bid, this.lowest), this.#highest);
    if (within === this.selected) return;
    this.selected = within;
    this.draw();
    this.onselect?.(within);
  }

  #point(event) {
    const box = this.slider.getBoundingClientRect();
    this.#select(this.lowest + Math.floor((event.clientX - box.left - LEFT) / this.step));
  }

  #key(event) {
    const to = {
      ArrowLeft: this.selected - 1,
      ArrowDown: this.selected - 1,
      ArrowRight: this.selected + 1,
      ArrowUp: this.selected + 1,
      Home: this.lowest,
      End: this.#highest,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#select(to);
  }
}
