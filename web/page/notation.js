// Notation that explains itself: a state as a small court, and words with their meaning.

import { h, position, s } from 'page/dom.js';
import { game } from 'page/game.js';
import { parseState } from 'page/state.js';
import { t } from 'page/strings.js';

const SIDE = 12;

// A state as it is written, with a small court beside it and the same in words for a pointer that rests on it.
export function stateSign(text) {
  const state = parseState(text);
  if (!state) return text;
  const { a, b, ball } = state;
  const field = Math.max(game.rules?.field ?? 2, Math.abs(ball));
  const side = (place) => (place < 0 ? 'side-a' : place > 0 ? 'side-b' : 'net');
  const fields = Array.from({ length: 2 * field + 1 }, (_, index) => index - field);
  const x = (place) => (place + field) * SIDE;
  const court = s(
    'svg',
    { viewBox: `-1 -1 ${(2 * field + 1) * SIDE + 2} ${SIDE + 2}`, class: 'state-court', 'aria-hidden': 'true' },
    fields.map((place) => s('rect', { class: side(place), x: x(place), y: 0, width: SIDE, height: SIDE })),
    s('circle', { cx: x(ball) + SIDE / 2, cy: SIDE / 2, r: SIDE / 3 }),
  );
  const where = t(ball < 0 ? 'sign.sideA' : ball > 0 ? 'sign.sideB' : 'sign.net', { ball: position(ball) });
  return h('span', { class: 'state-sign', title: t('sign.state', { a, b, where }) }, text, ' ', court);
}

// A text with a state in it, as parts: the state is a sign.
export function sentenceWith(state, key, values) {
  const [before, after] = t(key, { ...values, state: '\u0000' }).split('\u0000');
  return after === undefined ? [before] : [before, stateSign(state), after];
}

// A word whose meaning is told when the pointer or the keyboard's focus rests on it.
export const term = (word, meaning) => h('abbr', { title: meaning, tabindex: 0 }, word);
