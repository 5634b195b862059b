// Playing cards, and the table on which games with open cards are played.

import { h } from 'page/dom.js';
import { t } from 'page/strings.js';

export const playingCard = (text, name) => h('span', { class: 'playing-card', role: 'img', 'aria-label': name }, text);

export const numberCard = (number) => playingCard(number, t('hidden.card', { number }));

// A state of Goofspiel such as `345 235`: A's cards, B's cards, and the prize, which is as high as the cards left are many.
export function cardTable(state) {
  const hands = /^(\d+) (\d+)$/.exec(state);
  if (!hands) return null;
  const [, a, b] = hands;
  const row = (name, cards, of = '') => h('p', {}, h('span', { class: `card-row ${of}` }, name), [...cards].map(numberCard));
  return h(
    'div',
    { class: 'card-table' },
    row('B', b, 'of-b'),
    row(t('hidden.prize'), [String(a.length)]),
    row('A', a, 'of-a'),
  );
}
