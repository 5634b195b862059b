// A state's picture in letters as a board: squares, players and the ball; or a ring with a wrestler and coins.

import { s } from 'page/dom.js';

const SIDE = 44;
const MARGIN = 26;

// The rows of a picture that is a board: as many letters in each, with blanks between them; or nothing.
export function boardOf(picture) {
  const lines = picture.trimEnd().split('\n');
  if (lines.length < 2 || !lines.every((line) => /^\S( \S)+$/.test(line))) return null;
  const rows = lines.map((line) => line.split(' '));
  return rows.every((row) => row.length === rows[0].length) ? rows : null;
}

// Draws a board; `goals` are the rows that have a goal at either end. A player in capitals has the ball where there is one.
/**
 * @param {string[][]} rows
 * @param {{ name: string, goals?: number[], hasBall?: boolean }} looks
 */
export function pitch(rows, { name, goals = [], hasBall = false }) {
  const [width, height] = [rows[0].length * SIDE, rows.length * SIDE];
  const x = (column) => MARGIN + column * SIDE;
  const y = (row) => 2 + row * SIDE;
  const ball = (cx, cy) => s('circle', { class: 'pitch-ball', cx, cy, r: 7 });
  const piece = (letter, row, column) => {
    const [cx, cy] = [x(column) + SIDE / 2, y(row) + SIDE / 2];
    if (letter === 'o') return ball(cx, cy);
    if (!/[ab]/i.test(letter)) return null;
    return s(
      'g',
      {},
      s('circle', { class: `pitch-player of-${letter.toLowerCase()}`, cx, cy, r: 15 }),
      s('text', { x: cx, y: cy + 5 }, letter.toUpperCase()),
      hasBall && letter === letter.toUpperCase() ? ball(cx + 13, cy + 11) : null,
    );
  };
  const goal = (row, left) =>
    s('rect', {
      class: `pitch-goal of-${left ? 'b' : 'a'}`,
      x: left ? 4 : x(rows[0].length),
      y: y(row),
      width: MARGIN - 4,
      height: SIDE,
    });
  return s(
    'svg',
    { viewBox: `0 0 ${width + 2 * MARGIN} ${height + 4}`, class: 'pitch', role: 'img', 'aria-label': name },
    rows.map((row, down) => row.map((_, right) => s('rect', { x: x(right), y: y(down), width: SIDE, height: SIDE }))),
    goals.map((row) => [goal(row, true), goal(row, false)]),
    rows.map((row, down) => row.map((letter, right) => piece(letter, down, right))),
  );
}

// A ring with a wrestler between the coins of both players, if the picture in letters is one.
/**
 * @param {string} picture
 * @param {string} name
 */
export function ring(picture, name) {
  const found = /^A (o*)\n\|([.W]*W[.W]*)\|\nB (o*)\n$/.exec(picture);
  if (!found) return null;
  const [, coinsOfA, fields, coinsOfB] = found;
  const width = Math.max(fields.length * SIDE, 24 * Math.max(coinsOfA.length, coinsOfB.length)) + 2 * MARGIN;
  const left = (width - fields.length * SIDE) / 2;
  const coins = (count, cy, player) => [
    s('text', { class: `ring-player of-${player}`, x: MARGIN / 2, y: cy + 5 }, player.toUpperCase()),
    Array.from({ length: count }, (_, place) =>
      s('circle', { class: `pitch-player of-${player}`, cx: MARGIN + 12 + 24 * place, cy, r: 8 }),
    ),
  ];
  return s(
    'svg',
    { viewBox: `0 0 ${width} ${SIDE + 72}`, class: 'pitch', role: 'img', 'aria-label': name },
    coins(coinsOfA.length, 16, 'a'),
    [...fields].map((_, place) => s('rect', { x: left + place * SIDE, y: 36, width: SIDE, height: SIDE })),
    s('circle', { class: 'ring-wrestler', cx: left + (fields.indexOf('W') + 0.5) * SIDE, cy: 36 + SIDE / 2, r: 16 }),
    coins(coinsOfB.length, SIDE + 56, 'b'),
  );
}
