// The puzzle of the day: in a state picked by the date, find the highest bid that costs nothing.

import { BidChart } from 'page/bidchart.js';
import { bidForm } from 'page/bidform.js';
import { accounts, Court } from 'page/court.js';
import { counted, h, number, percent } from 'page/dom.js';
import { game, solveQuestion } from 'page/game.js';
import { invitation, shareButton } from 'page/share.js';
import { sentenceWith } from 'page/notation.js';
import { Solver } from 'page/solver.js';
import { stateOf, stateText, TENNIS } from 'page/state.js';
import { keep, kept } from 'page/store.js';
import { language, t } from 'page/strings.js';

// The puzzle is Tennis with 50 points each, independent of the shown game.
const host = new Solver();
/** @type {Promise<any> | null} */
let solved = null;

// How far a bid may be from the answer for each number of balls: five for the answer itself. Any free bid would be too easy: a
// tenth of the points, more or less, is free in 94 of 100 puzzles, but the highest one in 4.
const BALLS = [0, 1, 2, 3, 5];
// A bid that costs less is as good as free, and the next one costs at least `DEAR`: the answer is no matter of rounding.
const FREE = 5e-4;
const DEAR = 0.01;
// The states of a day among which the weekday chooses, from the easiest on Monday to the hardest on Sunday.
const CANDIDATES = 14;

export const dayText = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

const dayBefore = (day) => {
  const date = new Date(`${day}T12:00:00`);
  date.setDate(date.getDate() - 1);
  return dayText(date);
};

const answerOf = (stage) => stage.worth.a.findLast(({ loss }) => loss < FREE).bid;

// A puzzle is hard where the answer is far from the usual one, a fifth of the points as in the opening.
const surprise = (stage) => Math.abs(answerOf(stage) / stage.worth.a.length - 1 / 5);

// Whether A has to mix three bids at least, few bids are free, and the next one above them is not.
function isPuzzle({ a, worth: { a: bids } }) {
  const free = bids.filter(({ loss }) => loss < FREE);
  const answer = free.at(-1).bid;
  return a.length >= 3 && answer >= 4 && 2 * free.length <= bids.length && bids[answer]?.loss >= DEAR;
}

// The weekday's rank: 0 on Monday, 6 on Sunday.
const weekday = (day) => (new Date(`${day}T12:00:00`).getDay() + 6) % 7;

// The state of a day, from those that the date's SHA-256 names.
async function pick(day) {
  solved ??= host.ask(solveQuestion(TENNIS));
  await solved;
  const found = new Map();
  for (let attempt = 0; found.size < CANDIDATES; attempt++) {
    const { sha256 } = await host.ask({ ask: 'sha256', text: `pencil-tennis ${day} ${attempt}` });
    const [a, b, ball] = [0, 8, 16].map((place) => parseInt(sha256.slice(place, place + 8), 16));
    const state = stateText({ a: 10 + (a % 41), b: 10 + (b % 41), ball: (ball % 5) - 2 });
    const stage = await host.ask({ ask: 'state', state });
    if (isPuzzle(stage)) found.set(state, stage);
  }
  const byDifficulty = [...found.values()].sort((one, other) => surprise(one) - surprise(other));
  return byDifficulty[Math.round((weekday(day) * (CANDIDATES - 1)) / 6)];
}

// How many days in a row up to this one have been bid for.
function streak(results, day) {
  let days = 0;
  for (let at = day; results[at]; at = dayBefore(at)) days++;
  return days;
}

export function puzzle() {
  const body = h('div', { class: 'table-top' });
  const heading = h('h2', {}, t('puzzle.title'));
  const element = h('div', { class: 'columns two' }, h('section', { class: 'card' }, heading, body));
  const court = new Court({ field: TENNIS.field });
  /** @type {string | null} */
  let shown = null;

  const day = () => game.day ?? dayText(new Date());

  const head = (stage) => {
    const state = stateOf(stage.state);
    court.move(state.ball);
    const level = t('puzzle.level', { level: weekday(shown) + 1 });
    return [
      h('p', {}, sentenceWith(stage.state, 'puzzle.intro')),
      h('p', { class: 'hint' }, level),
      accounts(state.a, state.b),
      court.element,
    ];
  };

  const ask = (stage, today) => {
    const { a } = stateOf(stage.state);
    const [form] = bidForm({ id: 'puzzle-bid', lowest: 1, points: a, you: 'A', onbid: (bid) => answer(stage, today, bid) });
    body.replaceChildren(...head(stage), form, h('p', { class: 'hint' }, t('puzzle.once')));
  };

  const answer = (stage, today, bid) => {
    const { loss } = stage.worth.a.find((entry) => entry.bid === bid);
    const results = kept('puzzles') ?? {};
    results[today] = { bid, cost: loss };
    keep('puzzles', results);
    tell(stage, today, results);
    body.querySelector('#puzzle-verdict').focus();
  };

  const tell = (stage, today, results) => {
    const { bid, cost } = results[today];
    const best = answerOf(stage);
    const away = Math.abs(best - bid);
    const balls = BALLS.filter((most) => away <= most).length;
    const chart = new BidChart('a');
    const days = counted('days', streak(results, today));
    const marks = '●'.repeat(balls) + '○'.repeat(BALLS.length - balls);
    const words = () =>
      `${t('puzzle.share', { day: today, marks, days })}\n${invitation(t('share.beat'), `#puzzle?day=${today}`)}`;
    const share = stage.a.find((entry) => entry.bid === bid)?.probability ?? 0;
    body.replaceChildren(
      ...head(stage),
      h('p', { class: 'puzzle-marks', 'aria-label': t('puzzle.marks', { balls, most: BALLS.length }), role: 'img' }, marks),
      h(
        'p',
        { class: 'verdict', id: 'puzzle-verdict', tabindex: -1 },
        cost < FREE ? t('puzzle.free', { bid }) : t('puzzle.cost', { bid, cost: number(cost, 3) }),
      ),
      h('p', {}, away ? t('puzzle.away', { best, away: counted('points', away) }) : t('puzzle.best', { share: percent(share) })),
      chart.element,
      h('p', {}, t('puzzle.streak', { days })),
      h(
        'div',
        { class: 'actions' },
        shareButton(t('puzzle.copy'), words, 'share-puzzle'),
        h('button', { type: 'button', id: 'puzzle-explore', onclick: () => explore(stage) }, t('learn.open')),
      ),
    );
    chart.show({ worth: stage.worth.a, probabilities: new Map(stage.a.map((entry) => [entry.bid, entry.probability])) });
    chart.select(bid);
  };

  const explore = async (stage) => {
    const state = stateOf(stage.state);
    if (game.is(TENNIS)) game.look(state);
    else if (!(await game.solve(TENNIS, state))) return;
    game.show('explore');
  };

  const start = async () => {
    if (game.section !== 'puzzle' || shown === day()) return;
    const today = (shown = day());
    heading.textContent = t('puzzle.title', {
      day: new Intl.DateTimeFormat(language(), { dateStyle: 'long' }).format(new Date(`${today}T12:00:00`)),
    });
    body.replaceChildren(h('p', { class: 'hint' }, t('computing')));
    const stage = await pick(today);
    if (shown !== today) return;
    document.documentElement.dataset.puzzle = stage.state;
    const results = kept('puzzles');
    if (results?.[today]) tell(stage, today, results);
    else ask(stage, today);
  };
  return { element, start, listeners: { section: start } };
}
