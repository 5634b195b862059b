// The stage game: the successor of each pair of bids, and the best replies.

import { css, inkOn, valueColour } from 'page/colours.js';
import { card, h, number, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { GridMap } from 'page/gridmap.js';
import { term } from 'page/notation.js';
import { stateText } from 'page/state.js';
import { t } from 'page/strings.js';

// Larger stage matrices are pictures, not tables.
const TABLE_SIDE = 12;

// The successor of each pair of bids.
export function matrixCard() {
  const body = h('div', {});
  const element = card(term(t('matrix.title'), t('term.stage')), h('p', { class: 'hint' }, t('matrix.hint')), body);
  const show = (stage) => {
    const { a, b } = game.state;
    const [lowestA, lowestB] = [a, b].map((points) => Math.min(points, game.rules.min_bid));
    const side = Math.max(stage.matrix.length, stage.matrix[0].length);
    if (a === 0 && b === 0) return body.replaceChildren(h('p', {}, t('matrix.over')));
    const [higher, equal, lower] = stage.ball_after;
    const leadsTo = (bidA, bidB) => ({ a: a - bidA, b: b - bidB, ball: bidA > bidB ? higher : bidA < bidB ? lower : equal });
    const [ofA, ofB] = stage.best_replies.map((replies) => replies.map((places) => new Set(places)));
    const best = (row, column) => [ofA[column].has(row), ofB[row].has(column)];
    // In a picture the lowest best reply stands for all: where a ball is lost anyway, everything is one.
    const lowest = (row, column) => [stage.best_replies[0][column][0] === row, stage.best_replies[1][row][0] === column];
    const words = (row, column) => {
      const [bidA, bidB] = [row + lowestA, column + lowestB];
      const to = leadsTo(bidA, bidB);
      const out = Math.abs(to.ball) > game.rules.field;
      const marks = best(row, column)
        .map((is, index) => (is ? t(index ? 'matrix.bestB' : 'matrix.bestA') : ''))
        .filter(Boolean);
      const end = out ? t('matrix.out') : stateText(to);
      return [t('matrix.cell', { bidA, bidB, to: end, value: signed(stage.matrix[row][column], 5) }), ...marks].join(' · ');
    };
    const open = (row, column) => {
      const to = leadsTo(row + lowestA, column + lowestB);
      if (Math.abs(to.ball) <= game.rules.field) game.look(to);
    };
    body.replaceChildren(
      side <= TABLE_SIDE
        ? matrixTable({ stage, lowestA, lowestB, best, words, open })
        : matrixMap({ stage, lowestA, lowestB, lowest, words, open }),
      h(
        'p',
        { class: 'hint marks' },
        h('span', { 'aria-hidden': 'true' }, side <= TABLE_SIDE ? '▲' : '●'),
        t('matrix.bestA'),
        h('span', { 'aria-hidden': 'true' }, side <= TABLE_SIDE ? '◀' : '○'),
        t('matrix.bestB'),
        side <= TABLE_SIDE ? '' : ` ${t('matrix.lowest')}`,
      ),
    );
  };
  return { element, show };
}

function matrixTable({ stage, lowestA, lowestB, best, words, open }) {
  const made = { a: new Set(stage.a.map((bid) => bid.bid)), b: new Set(stage.b.map((bid) => bid.bid)) };
  const cell = (value, row, column) => {
    const colour = valueColour(value, game.mostPayoff);
    const [a, b] = best(row, column);
    const style = `background: ${css(colour)}; color: ${inkOn(colour)}`;
    const marks = [
      a ? h('span', { class: 'mark', 'aria-hidden': 'true' }, '▲') : null,
      b ? h('span', { class: 'mark', 'aria-hidden': 'true' }, '◀') : null,
    ];
    return h(
      'td',
      {},
      h(
        'button',
        { type: 'button', style, title: words(row, column), 'aria-label': words(row, column), onclick: () => open(row, column) },
        number(value, 3),
        marks,
      ),
    );
  };
  const name = (player, bid) =>
    h('th', { scope: player === 'a' ? 'row' : 'col', class: made[player].has(bid) ? `made of-${player}` : `of-${player}` }, bid);
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('matrix.title') },
    h(
      'table',
      { class: 'matrix' },
      h('caption', {}, t('matrix.caption')),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td', { class: 'corner' }, 'A \\ B'),
          stage.matrix[0].map((_, column) => name('b', column + lowestB)),
        ),
      ),
      h(
        'tbody',
        {},
        stage.matrix.map((entries, row) =>
          h(
            'tr',
            {},
            name('a', row + lowestA),
            entries.map((value, column) => cell(value, row, column)),
          ),
        ),
      ),
    ),
  );
}

function matrixMap({ stage, lowestA, lowestB, lowest, words, open }) {
  const map = new GridMap({
    rows: { from: lowestA, to: lowestA + stage.matrix.length - 1, name: t('matrix.bidsA') },
    columns: { from: lowestB, to: lowestB + stage.matrix[0].length - 1, name: t('matrix.bidsB') },
    name: t('matrix.title'),
    colour: (bidA, bidB) => valueColour(stage.matrix[bidA - lowestA][bidB - lowestB], game.mostPayoff),
    mark: (bidA, bidB) => {
      const [a, b] = lowest(bidA - lowestA, bidB - lowestB);
      return a && b ? 'best-both' : a ? 'best-a' : b ? 'best-b' : null;
    },
    text: (bidA, bidB) => words(bidA - lowestA, bidB - lowestB),
    onpick: (bidA, bidB) => open(bidA - lowestA, bidB - lowestB),
    most: 520,
  });
  return map.element;
}
