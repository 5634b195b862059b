// The gallery: games to choose from, each with a small picture of what it is played with.

import { h, s } from 'page/dom.js';
import { t } from 'page/strings.js';

const WIDTH = 96;
const HEIGHT = 60;

const rect = (x, y, width, height, attributes = {}) => s('rect', { x, y, width, height, ...attributes });
const text = (x, y, words, attributes = {}) => s('text', { x, y, ...attributes }, words);

// The squares of a board whose top left corner is at `x`, `y`.
const squares = (x, y, columns, rows, side) =>
  Array.from({ length: columns * rows }, (_, place) =>
    rect(x + side * (place % columns), y + side * Math.floor(place / columns), side, side, { class: 'field' }),
  );

// A disc for a player.
const piece = (cx, cy, player, r = 7) => [
  s('circle', { cx, cy, r, class: `of-${player}` }),
  text(cx, cy + 3.5, player.toUpperCase(), { class: 'on-piece' }),
];

const ball = (cx, cy, r = 5) => s('circle', { cx, cy, r, class: 'thumb-ball' });

// A playing card with its middle at `x`; without words its back is shown.
const playingCard = (x, words, y = HEIGHT / 2) => [
  rect(x - 11, y - 16, 22, 32, { rx: 3, class: words ? 'paper' : 'back' }),
  words ? text(x, y + 5, words, { class: 'large' }) : null,
];

// Where the points of a die lie, as steps from its middle.
const CORNERS = [[-1, -1], [1, 1]]; // prettier-ignore
const PIPS = { 2: CORNERS, 5: [...CORNERS, [1, -1], [-1, 1], [0, 0]] };

const die = (x, y, face) => [
  rect(x - 14, y - 14, 28, 28, { rx: 5, class: 'paper' }),
  PIPS[face].map(([right, down]) => s('circle', { cx: x + 7 * right, cy: y + 7 * down, r: 2.6, class: 'ink' })),
];

const coin = (x, y, words) => [s('circle', { cx: x, cy: y, r: 17, class: 'paper' }), text(x, y + 5, words, { class: 'large' })];

// Nights or days in a row; some are marked.
const days = (count, side, marks) => {
  const left = (WIDTH - count * side) / 2;
  return [
    squares(left, HEIGHT / 2 - side / 2, count, 1, side),
    Object.entries(marks).map(([place, player]) => piece(left + side * (Number(place) + 0.5), HEIGHT / 2, player, side / 2 - 1)),
  ];
};

// A hand with two fingers for scissors, a flat one for paper, a fist for stone.
const signs = () => [
  s('circle', { cx: 19, cy: 32, r: 12, class: 'paper' }),
  rect(37, 17, 21, 29, { class: 'paper' }),
  s('path', { d: 'M68 16L84 40M88 16L72 40', class: 'line' }),
  s('circle', { cx: 70, cy: 44, r: 4.5, class: 'line' }),
  s('circle', { cx: 86, cy: 44, r: 4.5, class: 'line' }),
];

const PICTURES = {
  rps: signs,
  soccer: () => [
    squares(18, 6, 5, 4, 12),
    rect(11, 18, 7, 24, { class: 'goal' }),
    rect(78, 18, 7, 24, { class: 'goal' }),
    piece(36, 36, 'a', 6),
    piece(60, 24, 'b', 6),
    ball(41, 41, 4),
  ],
  'goofspiel-5': () => [playingCard(22, '1', 33), playingCard(48, '5', 27), playingCard(74, '3', 33)],
  inspections: () => days(9, 10, { 1: 'a', 4: 'b', 6: 'a' }),
  'matching-pennies-3': () => [coin(28, 30, t('thumb.heads')), coin(68, 30, t('thumb.tails'))],
  'oshi-zumo': () => [
    squares(6, 24, 7, 1, 12),
    piece(24, 30, 'a', 6),
    s('circle', { cx: 48, cy: 30, r: 10, class: 'ink' }),
    piece(72, 30, 'b', 6),
  ],
  pursuit: () => [squares(23, 5, 5, 5, 10), piece(38, 40, 'a', 5), piece(58, 20, 'b', 5)],
  snowball: () => [
    rect(24, 16, 8, 34, { class: 'field' }),
    piece(15, 40, 'a'),
    piece(82, 30, 'b'),
    ball(58, 24),
    s('path', { d: 'M74 26Q66 22 62 23', class: 'line' }),
  ],
  kuhn: () => [playingCard(22, 'J'), playingCard(48, 'Q'), playingCard(74, 'K')],
  leduc: () => [playingCard(20, 'Q'), playingCard(48, 'K'), playingCard(76, '')],
  'liars-dice': () => [die(29, 30, 5), die(67, 30, 2)],
  'hidden-goofspiel': () => [playingCard(22, ''), playingCard(48, '3'), playingCard(74, '')],
  'secret-inspection': () => [days(4, 18, { 2: 'b' }), s('path', { d: 'M80 4a7 7 0 1 0 6 11a8 8 0 0 1 -6 -11', class: 'moon' })],
};

// What has no picture of its own: a table of payoffs.
const TABLE = [
  ['of-a', 'field', 'of-b'],
  ['field', 'of-b', 'of-a'],
  ['of-b', 'of-a', 'field'],
];
const cell = (kind, right, down) => rect(24 + 16 * right, 6 + 16 * down, 15, 15, { class: kind });
const table = () => TABLE.map((row, down) => row.map((kind, right) => cell(kind, right, down)));

// The picture of a game of the gallery; `liars-dice-4` has that of liar's dice.
const picture = (name) => (PICTURES[name] ?? PICTURES[name.replace(/-\d+$/, '')] ?? table)();

// The games of the gallery in groups; `onchoose` hears of the name of the one that is chosen.
/**
 * @param {{ title: string, games: { name: string, title: string }[] }[]} groups
 * @param {(name: string) => void} onchoose
 */
export function gallery(groups, onchoose) {
  const button = ({ name, title }) =>
    h(
      'button',
      { type: 'button', class: 'thumb', 'data-game': name, 'aria-pressed': 'false', onclick: () => onchoose(name) },
      s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' }, picture(name)),
      h('span', {}, title),
    );
  const element = h(
    'div',
    { id: 'gallery' },
    groups.map(({ title, games }, place) => [
      h('h3', { id: `gallery-${place}` }, title),
      h('div', { class: 'thumbs', role: 'group', 'aria-labelledby': `gallery-${place}` }, games.map(button)),
    ]),
  );
  // Marks the game that is shown; one that is not of the gallery has no mark.
  const mark = (shown) => {
    for (const one of element.querySelectorAll('button')) one.setAttribute('aria-pressed', String(one.dataset.game === shown));
  };
  return { element, mark };
}
