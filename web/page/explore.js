// Explore: any state of the game, its value and how to play it.

import { BidChart } from 'page/bidchart.js';
import { valueColour, valueScale } from 'page/colours.js';
import { accounts, Court } from 'page/court.js';
import { busy, card, h, number, percent, signed } from 'page/dom.js';
import { askAboutState, game } from 'page/game.js';
import { GridMap, legend } from 'page/gridmap.js';
import { Cancelled } from 'page/solver.js';
import { matrixCard } from 'page/stagegame.js';
import { stateText } from 'page/state.js';
import { t } from 'page/strings.js';
import { LONGEST_FRACTION, worthCard } from 'page/worth.js';

export function explore() {
  const where = whereCard();
  const worth = worthCard();
  const strategies = strategiesCard();
  const matrix = matrixCard();
  const outcomes = outcomesCard();
  const cards = [worth, strategies, matrix, outcomes];
  const element = h(
    'div',
    { class: 'columns' },
    h('div', { class: 'column' }, where.element, outcomes.element),
    h('div', { class: 'column' }, worth.element, strategies.element),
    h('div', { class: 'column' }, matrix.element),
  );

  const showState = async () => {
    if (game.section !== 'explore' || !game.rules) return;
    where.show();
    for (const { element } of cards) busy(element, true);
    try {
      const stage = await askAboutState((question) => game.ask(question), { ask: 'state' });
      if (!stage) return;
      for (const card of [worth, strategies, matrix]) {
        card.show(stage);
        busy(card.element, false);
      }
      document.documentElement.dataset.shown = stateText(game.state);
      await Promise.all([showOutcomes(), game.exactUnasked || game.archiveOpen ? showExact(stage, worth, strategies) : null]);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };
  // The start of Tennis comes with the page, so that there is something to see before it is solved, and proved, here.
  const showFirst = () => {
    const first = globalThis.packed.first;
    worth.show(first, t('worth.first'));
    strategies.show(first);
  };
  // The one question that takes long where there are many points: moving on meanwhile does not wait for it.
  const showOutcomes = async () => {
    const ask = (question) => game.askLong('outcomes', question);
    const ends = await askAboutState(ask, { ask: 'outcomes', a: 'optimal', b: 'optimal' });
    if (!ends) return;
    outcomes.show(ends);
    busy(outcomes.element, false);
  };
  return {
    element,
    listeners: {
      solving: () => game.rules || cards.forEach(({ element }) => busy(element, true)),
      solved: ({ detail }) => detail.failed || where.build(),
      decided: () => where.decided(),
      state: showState,
      section: showState,
      theme: () => (where.build(), showState()),
    },
    start: () => {
      where.build();
      if (game.state) showState();
      else if (game.expected === '50:50@0') showFirst();
    },
  };
}

// Asks for the exact numbers of the state, and shows them if it is still the one that is looked at.
async function showExact(stage, worth, strategies) {
  // Where symmetry says it, there is nothing to look for; the fractions of such a start are longer than can be found.
  if (stage.by_symmetry) return;
  const asked = stateText(game.state);
  worth.searching();
  const { exact } = await game.askArchive({ ask: 'exact', state: asked });
  if (stateText(game.state) !== asked) return;
  worth.exact(exact);
  strategies.exact(exact);
}

// The court, the accounts, and the map of values.
function whereCard() {
  const body = h('div', {});
  const element = card(t('where.title'), body);
  let court, map, inputs, head;

  const build = () => {
    if (!game.rules) return;
    const [mostA, mostB] = game.rules.points;
    court = new Court({ field: game.rules.field, name: t('court.choose'), onpick: (ball) => game.look({ ...game.state, ball }) });
    inputs = ['a', 'b'].map((player, index) => {
      const input = h('input', {
        type: 'range',
        min: 0,
        max: game.rules.points[index],
        id: `points-${player}`,
        class: `of-${player}`,
      });
      input.addEventListener('input', () => game.look({ ...game.state, [player]: Number(input.value) }));
      return input;
    });
    head = h('div', {});
    map = new GridMap({
      rows: { from: 0, to: mostA, name: t('where.pointsA') },
      columns: { from: 0, to: mostB, name: t('where.pointsB') },
      upward: true,
      name: t('where.map'),
      colour: (a, b) => valueColour(valueAt(a, b), game.mostPayoff),
      group: (a, b) => decidedAt(a, b),
      text: (a, b) => describeCell(a, b),
      onmove: (a, b) => game.look({ ...game.state, a, b }),
    });
    const [best, , , , worst] = game.summary.payoffs;
    body.replaceChildren(
      head,
      court.element,
      h(
        'div',
        { class: 'sliders' },
        inputs.map((input, index) =>
          h('label', { for: input.id }, h('span', {}, t(index ? 'where.pointsB' : 'where.pointsA')), input),
        ),
      ),
      h('h3', {}, t('where.map')),
      h('p', { class: 'hint' }, t('where.hint')),
      map.element,
      legend(
        valueScale(),
        t('where.goodB', { most: number(Math.max(Math.abs(best), Math.abs(worst))) }),
        '0',
        t('where.goodA', { most: number(game.mostPayoff) }),
      ),
      h('p', { class: 'hint' }, h('span', { class: 'outline-key', 'aria-hidden': 'true' }), t('where.decided')),
    );
    if (game.state) show();
  };
  const valueAt = (a, b) => game.values[game.place({ a, b, ball: shown })];
  const decidedAt = (a, b) => {
    const value = game.decided?.[game.place({ a, b, ball: shown })];
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  const describeCell = (a, b) => {
    const value = signed(valueAt(a, b), 5);
    const decided = decidedAt(a, b) === null ? t('where.mixed') : t('where.pure');
    return t('where.cell', { state: stateText({ a, b, ball: shown }), value, decided: game.decided ? decided : '' });
  };
  let shown = 0;
  const show = () => {
    const { a, b, ball } = game.state;
    head.replaceChildren(accounts(a, b));
    court.move(ball);
    [inputs[0].value, inputs[1].value] = [a, b];
    if (shown !== ball) {
      shown = ball;
      map.paint();
    }
    map.moveTo(a, b);
  };
  return { element, build, show, decided: () => map?.paint() };
}

// Both mixed strategies, and the value and cost of every bid.
function strategiesCard() {
  const charts = { a: new BidChart('a'), b: new BidChart('b') };
  const table = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('bids.table') });
  const unique = h('p', { class: 'hint' });
  const element = card(
    t('bids.title'),
    h(
      'div',
      { class: 'pair' },
      ['a', 'b'].map((player) =>
        h('div', {}, h('h3', { class: `of-${player}` }, t(`bids.of.${player}`)), charts[player].element),
      ),
    ),
    h('p', { class: 'hint' }, t('bids.legend')),
    unique,
    h('details', {}, h('summary', {}, t('bids.table')), table),
  );
  /** @type {Stage} */
  let stage = /** @type {NotYet} */ (null);
  const fill = (exact) => {
    const rows = [];
    for (const player of ['a', 'b']) {
      const probabilities = new Map(stage[player].map((bid) => [bid.bid, bid.probability]));
      const fractions = exact ? new Map(exact[player].map((bid) => [bid.bid, bid.probability])) : null;
      charts[player].show({ worth: stage.worth[player], probabilities, exact: fractions });
      for (const { bid, value, loss } of stage.worth[player]) {
        const share = fractions?.get(bid);
        rows.push(
          h(
            'tr',
            { class: `of-${player}` },
            h('th', { scope: 'row' }, `${player.toUpperCase()} ${bid}`),
            h('td', {}, percent(probabilities.get(bid) ?? 0)),
            h('td', {}, share && share.length <= LONGEST_FRACTION / 2 ? share : ''),
            h('td', {}, signed(value, 6)),
            h('td', {}, number(loss, 6)),
          ),
        );
      }
    }
    const heads = ['bid', 'probability', 'fraction', 'worth', 'cost'].map((name) => h('th', { scope: 'col' }, t(`bids.${name}`)));
    table.replaceChildren(h('table', { class: 'bid-table' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
  };
  const show = (shown) => {
    stage = shown;
    fill(null);
    const say = (player) =>
      t(`bids.unique.${shown.unique[player] === null ? 'unknown' : shown.unique[player] ? 'yes' : 'no'}`, {
        player: player.toUpperCase(),
      });
    unique.textContent = `${say('a')} ${say('b')}`;
  };
  return { element, show, exact: (found) => found && stage && fill(found) };
}

// How games from here end when both play perfectly.
function outcomesCard() {
  const body = h('div', {});
  const element = card(t('ends.title'), body);
  element.classList.add('last');
  const show = ({ ends, turns, left, endless, standstills }) => {
    const stands = { share: percent(endless), turns: number(standstills, 2) };
    const names = ['outByA', 'liesWithB', 'draw', 'liesWithA', 'outByB'];
    body.replaceChildren(
      h(
        'div',
        { class: 'ends', 'aria-hidden': 'true' },
        ends.map((share, index) => (share > 0 ? h('span', { class: `end-${index}`, style: `flex-grow: ${share}` }) : null)),
      ),
      h(
        'table',
        { class: 'ends-table' },
        h('caption', { class: 'hidden' }, t('ends.title')),
        h(
          'thead',
          { class: 'hidden' },
          h(
            'tr',
            {},
            ['end', 'payoff', 'probability'].map((name) => h('th', { scope: 'col' }, t(`ends.${name}`))),
          ),
        ),
        h(
          'tbody',
          {},
          ends.map((share, index) =>
            h(
              'tr',
              {},
              h(
                'th',
                { scope: 'row' },
                h('span', { class: `key end-${index}`, 'aria-hidden': 'true' }),
                t(`ends.${names[index]}`),
              ),
              h('td', {}, signed(game.summary.payoffs[index])),
              h('td', {}, percent(share)),
            ),
          ),
        ),
      ),
      h('p', { class: 'hint' }, t('ends.rest', { turns: number(turns, 1), a: number(left[0], 1), b: number(left[1], 1) })),
      game.rules.min_bid === 0 ? h('p', { class: 'hint', id: 'endless' }, t('ends.endless', stands)) : '',
    );
  };
  return { element, show };
}
