// A played game seen again: the expectation as a curve, turn by turn, and its costliest bids.

import { Court, accounts } from 'page/court.js';
import { h, number, s, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { parseState } from 'page/state.js';
import { t } from 'page/strings.js';

const WIDTH = 600;
const HEIGHT = 180;
const MARGIN = { left: 34, right: 10, top: 10, bottom: 24 };

export function replayCard() {
  const body = h('div', {});
  const heading = h('h2', {}, t('replay.title'));
  const element = h('section', { class: 'card', hidden: true, id: 'replay' }, heading, body);

  // `shared` is a game that came with a link.
  const show = (played, you, shared = false) => {
    heading.textContent = t(shared ? 'replay.shared' : 'replay.title');
    const index = you === 'A' ? 0 : 1;
    const toYou = (value) => (you === 'A' ? value : -value);
    const values = [...played.turns.map((turn) => turn.value[0]), played.value].map(toYou);
    const court = new Court({ field: game.rules.field });
    const head = h('div', {});
    const words = h('p', { class: 'readout', role: 'status' });
    const cursor = s('line', { class: 'now', y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom });
    const turn = h('input', { type: 'range', id: 'replay-turn', min: 0, max: played.turns.length, value: played.turns.length });
    const x = (place) => MARGIN.left + (place / Math.max(values.length - 1, 1)) * (WIDTH - MARGIN.left - MARGIN.right);
    const y = (value) => MARGIN.top + ((game.mostPayoff - value) / (2 * game.mostPayoff)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    const step = () => {
      const place = Number(turn.value);
      const state = parseState(place === 0 ? played.start : played.turns[place - 1].after);
      head.replaceChildren(accounts(state.a, state.b));
      court.move(state.ball);
      cursor.setAttribute('x1', x(place));
      cursor.setAttribute('x2', x(place));
      const last = played.turns[place - 1];
      const value = signed(values[place], 3);
      words.textContent = last
        ? t('replay.turn', {
            turn: place,
            a: last.bids[0],
            b: last.bids[1],
            costA: number(last.cost[0], 3),
            costB: number(last.cost[1], 3),
            value,
            you,
          })
        : t('replay.start', { value, you });
      turn.setAttribute('aria-valuetext', words.textContent);
    };
    turn.addEventListener('input', step);
    const costliest = played.turns
      .map((turn, place) => ({ turn, place: place + 1, cost: turn.cost[index] }))
      .filter(({ cost }) => cost >= 0.005)
      .sort((one, other) => other.cost - one.cost)
      .slice(0, 3);
    const curve = values.map((value, place) => `${place ? 'L' : 'M'}${x(place)} ${y(value)}`).join('');
    const chart = s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: 'curve',
        role: 'img',
        'aria-label': t('replay.curve', { values: values.map((value) => number(value, 2)).join('; ') }),
      },
      [game.mostPayoff, 0, -game.mostPayoff].map((value) => [
        s('line', { class: value ? 'grid' : 'zero', x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(value), y2: y(value) }),
        s('text', { x: MARGIN.left - 6, y: y(value) + 4, class: 'tick' }, signed(value)),
      ]),
      s('path', { class: `line of-${you.toLowerCase()}`, d: curve }),
      values.map((value, place) => s('circle', { class: `of-${you.toLowerCase()}`, cx: x(place), cy: y(value), r: 3.5 })),
      costliest.map(({ place, cost }) =>
        s('text', { class: 'price', x: (x(place - 1) + x(place)) / 2, y: HEIGHT - 6 }, `−${number(cost, 2)}`),
      ),
      cursor,
    );
    body.replaceChildren(
      h('p', { class: 'hint' }, t('replay.hint', { you })),
      chart,
      h('label', { for: 'replay-turn' }, t('replay.slider')),
      turn,
      words,
      head,
      court.element,
      h('h3', {}, t('replay.costliest')),
      costliest.length
        ? h(
            'ol',
            {},
            costliest.map(({ turn, place, cost }) =>
              h('li', {}, t('replay.costly', { turn: place, state: turn.state, bid: turn.bids[index], cost: number(cost, 3) })),
            ),
          )
        : h('p', {}, t('replay.flawless')),
    );
    element.hidden = false;
    step();
  };
  return { element, show, clear: () => (element.hidden = true) };
}
