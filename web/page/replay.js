// A played game seen again: on the court, the expectation as a curve, turn by turn, and its costliest bids.

import { Court, accounts } from 'page/court.js';
import { h, number, s, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { sentenceWith } from 'page/notation.js';
import { stateOf } from 'page/state.js';
import { t } from 'page/strings.js';

const WIDTH = 600;
const HEIGHT = 180;
// How long a turn is shown while a game plays by itself, in milliseconds.
const TURN = 1400;
const MARGIN = { left: 34, right: 10, top: 10, bottom: 24 };

export function replayCard() {
  const body = h('div', {});
  const heading = h('h2', {}, t('replay.title'));
  const element = h('section', { class: 'card', hidden: true, id: 'replay' }, heading, body);

  /** @type {number | undefined} */
  let clock = undefined;
  const stop = () => {
    clearInterval(clock);
    clock = undefined;
  };

  // `offer` is what a guest is offered who came by a link to this game; then it plays by itself.
  const show = (played, you, offer = /** @type {HTMLElement[] | null} */ (null)) => {
    stop();
    const whose = offer ? 'friend' : 'own';
    const who = t(`replay.who.${whose}`, { you });
    heading.textContent = t(offer ? 'replay.shared' : 'replay.title');
    const index = you === 'A' ? 0 : 1;
    const toYou = (value) => (you === 'A' ? value : -value);
    const values = [...played.turns.map((turn) => turn.value[0]), played.value].map(toYou);
    const court = new Court({ field: game.rules.field });
    const head = h('div', {});
    const words = h('p', { class: 'readout', role: 'status' });
    const cursor = s('line', { class: 'now', y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom });
    const turn = h('input', {
      type: 'range',
      id: 'replay-turn',
      min: 0,
      max: played.turns.length,
      value: offer ? 0 : played.turns.length,
    });
    const x = (place) => MARGIN.left + (place / Math.max(values.length - 1, 1)) * (WIDTH - MARGIN.left - MARGIN.right);
    const y = (value) => MARGIN.top + ((game.mostPayoff - value) / (2 * game.mostPayoff)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
    const step = () => {
      const place = Number(turn.value);
      const state = stateOf(place === 0 ? played.start : played.turns[place - 1].after);
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
            who,
          })
        : t('replay.start', { value, who });
      turn.setAttribute('aria-valuetext', words.textContent);
      back.disabled = place === 0;
      next.disabled = place === played.turns.length;
      runs.textContent = t(clock ? 'replay.pause' : 'replay.play');
    };
    const go = (place) => {
      turn.value = place;
      step();
    };
    const byHand = (by) => () => {
      stop();
      go(Number(turn.value) + by);
    };
    const back = h('button', { type: 'button', class: 'step', 'aria-label': t('replay.back'), onclick: byHand(-1) }, '‹');
    const next = h('button', { type: 'button', class: 'step', 'aria-label': t('replay.next'), onclick: byHand(1) }, '›');
    const tick = () => {
      if (!element.isConnected || element.hidden || Number(turn.value) + 1 >= played.turns.length) stop();
      go(Number(turn.value) + 1);
    };
    const run = () => {
      if (Number(turn.value) === played.turns.length) go(0);
      clock = setInterval(tick, TURN);
    };
    const runs = h('button', { type: 'button', id: 'replay-play' });
    runs.addEventListener('click', () => {
      if (clock) stop();
      else run();
      step();
    });
    turn.addEventListener('input', byHand(0));
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
      head,
      court.element,
      words,
      h('div', { class: 'actions' }, back, runs, next, offer),
      h('label', { for: 'replay-turn' }, t('replay.slider')),
      turn,
      h('p', { class: 'hint' }, t(`replay.hint.${whose}`, { you })),
      chart,
      h('h3', {}, t(`replay.costliest.${whose}`, { you })),
      costliest.length
        ? h(
            'ol',
            {},
            costliest.map(({ turn, place, cost }) =>
              h(
                'li',
                {},
                sentenceWith(turn.state, 'replay.costly', { turn: place, bid: turn.bids[index], cost: number(cost, 3) }),
              ),
            ),
          )
        : h('p', {}, t('replay.flawless')),
    );
    element.hidden = false;
    // Who wants little motion goes from turn to turn by hand.
    if (offer && played.turns.length && !matchMedia('(prefers-reduced-motion: reduce)').matches) run();
    step();
  };
  const clear = () => {
    stop();
    element.hidden = true;
  };
  return { element, show, clear };
}
