// A class plays against the amateur: it votes by a show of hands, and the teacher types how many.

import { amount } from 'page/amounts.js';
import { accounts, Court } from 'page/court.js';
import { counted, h, percent, random, signed } from 'page/dom.js';
import { FREE, hitter, RULES, ShortGame } from 'page/shortgame.js';
import { Cancelled } from 'page/solver.js';
import { t } from 'page/strings.js';

const WAYS = ['most', 'drawn'];

// The game survives a rebuild of the page in another language.
const short = new ShortGame();

// The place of the bid that is played: of those with the most hands, or that of a hand drawn from all.
function decided(hands, way) {
  const most = Math.max(...hands);
  const ballot = hands.flatMap((count, place) => (way === 'drawn' ? Array(count).fill(place) : count === most ? [place] : []));
  return ballot[Math.floor(random() * ballot.length)];
}

// What a mixture secures for A against an opponent who knows it.
function secured(mixture, matrix) {
  const against = matrix[0].map((_, column) => mixture.reduce((sum, share, row) => sum + share * matrix[row][column], 0));
  return Math.min(...against);
}

export function vote() {
  const head = h('div', {});
  const court = new Court({ field: RULES.field });
  const said = h('p', { class: 'first-said', id: 'vote-said', role: 'status' });
  const answer = h('div', { id: 'vote-answer' });
  const place = h('div', {});
  const element = h('div', { class: 'vote', id: 'vote', hidden: true }, head, court.element, said, answer, place);
  let way = WAYS[0];

  /** @param {Turn} turn */
  const sentence = (turn) => {
    const [own, theirs] = turn.bids;
    const cost = turn.cost[0] ?? 0;
    const price = cost < FREE ? t('vote.free') : t('vote.cost', { amount: amount(cost) });
    return `${t(`vote.hit.${hitter(turn.bids)}`, { own, theirs })} ${price}`;
  };

  // Hidden until it is asked for: how the hands were spread, and how the optimum would have bid.
  const comparison = (hands, { a, matrix }) => {
    const all = hands.reduce((sum, count) => sum + count, 0);
    const spread = hands.map((count) => count / all);
    const optimum = hands.map((_, place) => a.find(({ bid }) => bid === place + 1)?.probability ?? 0);
    const bar = (share) =>
      h(
        'td',
        {},
        h('span', { class: 'vote-bar' }, h('span', { class: 'any-length of-a', style: `--share: ${share}` }), percent(share)),
      );
    const rows = hands.map((_, place) =>
      h('tr', {}, h('th', { scope: 'row' }, place + 1), bar(spread[place]), bar(optimum[place])),
    );
    const heads = ['vote.bid', 'vote.class', 'vote.optimum'].map((name) => h('th', { scope: 'col' }, t(name)));
    const worths = { held: signed(secured(spread, matrix), 2), secured: signed(secured(optimum, matrix), 2) };
    return h(
      'details',
      {},
      h('summary', {}, t('vote.ask')),
      h('table', { class: 'figures' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)),
      h('p', {}, t('vote.secured', worths)),
    );
  };

  const ballot = () => {
    const inputs = Array.from({ length: short.state.a }, (_, index) =>
      h('input', {
        type: 'number',
        min: 0,
        max: 999,
        step: 1,
        placeholder: 0,
        'data-bid': index + 1,
        'aria-label': t('vote.hands', { bid: index + 1 }),
      }),
    );
    // Enter goes from bid to bid; from the last one the form is sent.
    inputs.slice(0, -1).forEach((input, index) =>
      input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        inputs[index + 1].focus();
      }),
    );
    const ways = WAYS.map((name) => {
      const input = h('input', { type: 'radio', name: 'vote-way', id: `vote-${name}`, value: name, checked: name === way });
      input.addEventListener('change', () => (way = name));
      return h('span', {}, input, h('label', { for: input.id }, t(`vote.by.${name}`)));
    });
    const form = h(
      'form',
      {},
      h('div', { class: 'vote-hands' }, inputs.map((input, index) => h('label', {}, index + 1, input))),
      h('fieldset', { class: 'choice' }, h('legend', {}, t('vote.by')), ways),
      h('div', { class: 'actions' }, h('button', { class: 'primary', id: 'vote-play' }, t('vote.play'))),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      count(inputs.map(({ value }) => Number(value)));
    });
    return form;
  };

  const count = async (hands) => {
    if (!hands.some(Boolean)) {
      said.textContent = t('vote.nobody');
      return;
    }
    for (const control of place.querySelectorAll('input, button')) control.disabled = true;
    try {
      const stage = await short.stage();
      const turn = await short.turn(decided(hands, way) + 1);
      show(sentence(turn));
      answer.replaceChildren(comparison(hands, stage));
      place.querySelector('input, button').focus();
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };

  const show = (words) => {
    const { a, b, ball } = short.state;
    head.replaceChildren(accounts(a, b));
    court.move(ball);
    said.textContent = words;
    answer.replaceChildren();
    place.replaceChildren(...(short.over ? end() : [ballot()]));
  };

  const begin = () => {
    short.begin();
    show(t('vote.rules'));
  };

  const end = () => {
    const { given, played } = short;
    const verdict = played.payoff > 0 ? 'vote.won' : played.payoff < 0 ? 'vote.lost' : 'vote.drawn';
    const points = counted('withPoints', Math.abs(played.payoff));
    const sum = given < FREE ? t('vote.flawless') : t('vote.given', { amount: amount(given) });
    const again = h('button', { type: 'button', class: 'primary', id: 'vote-again', onclick: begin }, t('play.again'));
    return [
      h('p', { class: 'verdict', id: 'vote-verdict' }, t(verdict, { points }), ' ', sum),
      h('div', { class: 'actions' }, again),
    ];
  };

  const start = () => (short.begun ? show(short.played ? '' : t('vote.rules')) : begin());
  return { element, start };
}
