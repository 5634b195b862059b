// A policy of one's own, without a file: for each place of the ball a share of the own account, one more than half of the
// opponent's account, or a distribution drawn with the finger. It is judged as a policy file is.

import { h, number, position, s } from 'page/dom.js';
import { game } from 'page/game.js';
import { keep, kept } from 'page/store.js';
import { t } from 'page/strings.js';

// The choices, and the bid of each for the own and the opponent's account.
const BIDS = {
  none: () => 0,
  one: () => 1,
  tenth: (own) => Math.round(own / 10),
  fifth: (own) => Math.round(own / 5),
  third: (own) => Math.round(own / 3),
  half: (own) => Math.round(own / 2),
  all: (own) => own,
  beatHalf: (_, other) => Math.floor(other / 2) + 1,
  beatAll: (_, other) => other + 1,
};
const CHOICES = [...Object.keys(BIDS), 'drawn'];

// A drawing has this many bars, each for a part of the own account.
const BARS = 20;
const [WIDTH, HEIGHT] = [400, 120];

const usual = () => ({
  choices: {},
  bars: Array.from({ length: BARS }, (_, bar) => (bar < 8 ? 8 - bar : 0)),
});

// The probabilities of bids 1, 2, … by a rule; `side` is the ball as its player sees it, positive on the other's side.
function distribution({ choices, bars }, own, other, side) {
  const choice = choices[side] ?? (side < 0 ? 'beatHalf' : 'tenth');
  const lowest = choice === 'none' ? game.rules.min_bid : 1;
  if (choice !== 'drawn') return new Map([[Math.min(Math.max(BIDS[choice](own, other), lowest), own), 1]]);
  const weights = new Map();
  bars.forEach((weight, bar) => {
    const bid = Math.min(Math.max(Math.round(((bar + 0.5) / BARS) * own), 1), own);
    if (weight > 0) weights.set(bid, (weights.get(bid) ?? 0) + weight);
  });
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return whole ? new Map([...weights].map(([bid, weight]) => [bid, weight / whole])) : new Map([[1, 1]]);
}

// The rule as the csv file of a policy, for both players.
function policy(rule) {
  const { points, field } = game.rules;
  const lines = ['a,b,ball,player,bid,probability'];
  for (let a = 0; a <= points[0]; a++)
    for (let b = 0; b <= points[1]; b++)
      for (let ball = -field; ball <= field; ball++)
        for (const [player, own, other, side] of [
          ['A', a, b, ball],
          ['B', b, a, -ball],
        ]) {
          const bids = own ? distribution(rule, own, other, side) : new Map([[0, 1]]);
          for (const [bid, probability] of bids) lines.push(`${a},${b},${ball},${player},${bid},${probability}`);
        }
  return new TextEncoder().encode(lines.join('\n'));
}

// Bars that are drawn with a finger, or by keys: left and right choose one, up and down change it.
function drawing(rule, onchange) {
  let at = 0;
  const svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'drawing', 'aria-hidden': 'true' });
  const pad = h(
    'div',
    { class: 'pad', role: 'slider', tabindex: 0, 'aria-label': t('own.drawing'), 'aria-valuemin': 0, 'aria-valuemax': 10 },
    svg,
  );
  const show = () => {
    const step = WIDTH / BARS;
    const bar = (weight, place) => {
      const height = (weight / 10) * (HEIGHT - 4);
      const class_ = place === at ? 'bar at' : 'bar';
      return s('rect', {
        class: class_,
        x: place * step + 1,
        width: step - 2,
        y: HEIGHT - Math.max(height, 2),
        height: Math.max(height, 2),
      });
    };
    svg.replaceChildren(...rule.bars.map(bar));
    const share = number((100 * (at + 0.5)) / BARS, 0);
    pad.setAttribute('aria-valuenow', rule.bars[at]);
    pad.setAttribute('aria-valuetext', t('own.bar', { share, weight: number(rule.bars[at], 0) }));
  };
  const set = (place, weight) => {
    at = Math.min(Math.max(place, 0), BARS - 1);
    if (weight !== null) rule.bars[at] = Math.min(Math.max(weight, 0), 10);
    show();
    if (weight !== null) onchange();
  };
  const point = (event) => {
    const box = pad.getBoundingClientRect();
    const height = 1 - (event.clientY - box.top) / box.height;
    set(Math.floor(((event.clientX - box.left) / box.width) * BARS), Math.round(10 * height));
  };
  pad.addEventListener('pointerdown', (event) => (pad.setPointerCapture(event.pointerId), point(event)));
  pad.addEventListener('pointermove', (event) => event.buttons && point(event));
  pad.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by) return;
    event.preventDefault();
    set(at + by[0], by[1] ? rule.bars[at] + by[1] : null);
  });
  show();
  return h(
    'div',
    {},
    pad,
    h('p', { class: 'hint own-scale' }, h('span', {}, t('own.little')), h('span', {}, t('own.everything'))),
  );
}

// `judge` hears of the file's bytes, `play` too.
export function ownRule({ judge, play }) {
  const rule = kept('rule') ?? usual();
  const body = h('div', { class: 'fields' });
  /** @type {number | undefined} */
  let later = undefined;
  const changed = () => {
    keep('rule', rule);
    // Judged at once, but not at every step of a finger.
    clearTimeout(later);
    later = setTimeout(() => game.rules && judge(policy(rule)), 300);
  };
  const place = h('div', {}, h('p', { class: 'hint' }, t('own.drawn')), drawing(rule, changed));
  const build = () => {
    if (!game.rules) return;
    const { field } = game.rules;
    const usesDrawing = () => (place.hidden = !Object.values(rule.choices).includes('drawn'));
    const choice = (side) => {
      const select = h(
        'select',
        { id: `own-${side}` },
        CHOICES.slice(game.rules.min_bid).map((name) => h('option', { value: name }, t(`own.${name}`))),
      );
      select.value = rule.choices[side] ?? (side < 0 ? 'beatHalf' : 'tenth');
      select.addEventListener('change', () => {
        rule.choices[side] = select.value;
        usesDrawing();
        changed();
      });
      const where = side < 0 ? 'own.ownSide' : side > 0 ? 'own.otherSide' : 'own.net';
      return h('div', {}, h('label', { for: select.id }, t(where, { field: position(side) })), select);
    };
    body.replaceChildren(...Array.from({ length: 2 * field + 1 }, (_, index) => choice(index - field)));
    usesDrawing();
  };
  build();
  const element = h(
    'section',
    { class: 'card', id: 'own-rule' },
    h('h2', {}, t('own.title')),
    h('p', {}, t('own.intro')),
    body,
    place,
    h(
      'div',
      { class: 'actions' },
      h('button', { type: 'button', class: 'primary', id: 'judge-own', onclick: () => judge(policy(rule)) }, t('own.judge')),
      h('button', { type: 'button', id: 'play-own', onclick: () => play(policy(rule)) }, t('own.play')),
    ),
  );
  return { element, build };
}
