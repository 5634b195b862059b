// Learn: 4:3@-2 solved with the reader in five steps, and the frontier of the endgame to move along.

import { css, inkOn, valueColour } from 'page/colours.js';
import { accounts, Court } from 'page/court.js';
import { card, fraction, h, position, signed } from 'page/dom.js';
import { frontier } from 'page/frontier.js';
import { game, solveQuestion } from 'page/game.js';
import { mixer } from 'page/mixer.js';
import { printSheet } from 'page/sheet.js';
import { Solver } from 'page/solver.js';
import { stateOf, sameGame, shownLesson, stateText, TENNIS } from 'page/state.js';
import { t } from 'page/strings.js';
import { table as played } from 'page/table.js';
import { vote } from 'page/vote.js';

const EXAMPLE = '4:3@-2';
const STEPS = 5;

// The example is Tennis, independent of the shown game.
const teacher = new Solver();
/** @type {ReturnType<typeof lessonOf>} */
let lesson = /** @type {NotYet} */ (null);
// Whether it was computed here; until then it is shown as it came with the page.
let proved = false;

async function prove() {
  await teacher.ask({ ...solveQuestion({ ...TENNIS, points: [4, 4] }), exact_bits: 64 });
  lesson = lessonOf(await teacher.ask({ ask: 'state', state: EXAMPLE }));
  proved = true;
}

function lessonOf(stage) {
  const start = stateOf(EXAMPLE);
  // The successor of every pair of bids.
  const outcomes = stage.matrix.flatMap((row, index) =>
    row.map((value, place) => {
      const [bidA, bidB] = [index + 1, place + 1];
      const ball = stage.ball_after[bidA > bidB ? 0 : bidA === bidB ? 1 : 2];
      return { bidA, bidB, after: { a: start.a - bidA, b: start.b - bidB, ball }, value };
    }),
  );
  return { stage, outcomes, start };
}

export function learn() {
  const body = h('div', { class: 'lesson' });
  const note = h('p', { class: 'hint', id: 'lesson-note', role: 'status' });
  const heading = h('h3', { tabindex: -1 });
  const dots = h('ol', { class: 'steps' });
  const back = h('button', { type: 'button', onclick: () => go(step - 1) }, t('learn.back'));
  const next = h(
    'button',
    { type: 'button', class: 'primary', id: 'next-step', onclick: () => (step < STEPS ? go(step + 1) : openExample()) },
    t('learn.next'),
  );
  let step = 1;
  // The reader's findings, kept from step to step.
  const found = { cells: new Set(), struck: { rows: new Set(), columns: new Set() } };

  const go = (to, focus = true) => {
    step = Math.min(Math.max(to, 1), STEPS);
    heading.textContent = t(`learn.heading.${step}`);
    note.textContent = t(proved ? 'learn.proved' : 'worth.first');
    body.replaceChildren(...[position1, unsafe, dominated, mixture, answer][step - 1](found));
    back.disabled = step === 1;
    next.textContent = step < STEPS ? t('learn.next') : t('learn.open');
    dots.replaceChildren(
      ...Array.from({ length: STEPS }, (_, index) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              'aria-current': index + 1 === step ? 'step' : null,
              'aria-label': t('learn.step', { step: index + 1 }),
              onclick: () => go(index + 1),
            },
            index + 1,
          ),
        ),
      ),
    );
    document.documentElement.dataset.step = String(step);
    shownLesson.step = step;
    if (game.section === 'learn') game.link();
    if (focus) heading.focus();
  };
  const openExample = async () => {
    const state = stateOf(EXAMPLE);
    const rules = { field: TENNIS.field, motion: TENNIS.motion, scoring: TENNIS.scoring };
    if (game.contains(state) && sameGame({ ...rules, points: game.rules.points }, game.rules)) game.look(state);
    else if (!(await game.solve(TENNIS, state))) return;
    game.show('explore');
  };
  const edge = frontier();
  const element = h(
    'div',
    { class: 'columns two' },
    h(
      'div',
      { class: 'column' },
      card(t('learn.title'), h('p', {}, t('learn.intro')), dots, heading, body, h('div', { class: 'actions' }, back, next), note),
    ),
    h('div', { class: 'column' }, classCard(), edge.element),
  );
  const start = async () => {
    if (game.section !== 'learn') return;
    edge.build();
    lesson ??= lessonOf(globalThis.packed.lesson);
    // A link may name a step; afterwards one goes on where one left.
    const asked = game.step ?? shownLesson.step;
    game.step = null;
    if (body.childElementCount && asked === step) return;
    go(asked, false);
    if (!proved) await prove();
    note.textContent = t('learn.proved');
  };
  return { element, start, listeners: { section: start, decided: edge.build } };
}

// What a class needs: large letters for the wall, a game for two groups at one device, and a sheet of paper.
function classCard() {
  const root = document.documentElement;
  const large = h('button', { type: 'button', id: 'projector', 'aria-pressed': String(root.hasAttribute('data-projector')) });
  large.textContent = t('class.projector');
  large.addEventListener('click', () => large.setAttribute('aria-pressed', root.toggleAttribute('data-projector')));
  const two = async () => {
    if (await played.set({ opponent: 'person', you: 'A', blind: false })) game.show('play', true);
  };
  const voting = vote();
  const opener = h('button', { type: 'button', id: 'class-votes', 'aria-expanded': 'false' }, t('class.vote'));
  opener.addEventListener('click', () => {
    voting.element.hidden = !voting.element.hidden;
    opener.setAttribute('aria-expanded', String(!voting.element.hidden));
    if (!voting.element.hidden) voting.start();
  });
  return card(
    t('class.title'),
    h('p', {}, t('class.intro')),
    h(
      'div',
      { class: 'actions' },
      large,
      h('button', { type: 'button', id: 'two-groups', onclick: two }, t('class.two')),
      opener,
      h('button', { type: 'button', id: 'print-sheet', onclick: printSheet }, t('class.sheet')),
    ),
    voting.element,
  );
}

// A table of A's payoffs; `shown`, `struck` and `lit` select rows, columns and cells.
/**
 * @param {{
 *   shown?: (row: number, column: number) => boolean,
 *   struck?: { rows: Set<number>, columns: Set<number> },
 *   lit?: (row: number, column: number) => string,
 *   onrow?: ((row: number) => void) | null,
 *   oncolumn?: ((column: number) => void) | null,
 * }} looks
 */
function table({
  shown = () => true,
  struck = { rows: new Set(), columns: new Set() },
  lit = () => '',
  onrow = null,
  oncolumn = null,
}) {
  const { matrix } = lesson.stage;
  const most = 2;
  const cell = (value, row, column) => {
    const classes = [lit(row, column), struck.rows.has(row) || struck.columns.has(column) ? 'struck' : ''].join(' ').trim();
    if (!shown(row, column)) return h('td', { class: `${classes} unknown` }, '?');
    const colour = valueColour(value, most);
    return h('td', { class: classes, style: `background: ${css(colour)}; color: ${inkOn(colour)}` }, signed(value));
  };
  const head = (place, action, player, gone) => {
    const name = h('span', {}, place + 1);
    return action
      ? h(
          'button',
          {
            type: 'button',
            disabled: gone,
            'aria-label': t('learn.strike', { player, bid: place + 1 }),
            onclick: () => action(place),
          },
          name,
        )
      : name;
  };
  return h(
    'table',
    { class: 'matrix lesson-matrix' },
    h('caption', {}, t('matrix.caption')),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('td', { class: 'corner' }, 'A \\ B'),
        matrix[0].map((_, column) =>
          h('th', { scope: 'col', class: 'of-b' }, head(column, oncolumn, 'B', struck.columns.has(column))),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      matrix.map((entries, row) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row', class: 'of-a' }, head(row, onrow, 'A', struck.rows.has(row))),
          entries.map((value, column) => cell(value, row, column)),
        ),
      ),
    ),
  );
}

function bidChoice(player, most, value, onchange) {
  const name = `learn-${player}`;
  return h(
    'fieldset',
    { class: `choice of-${player}` },
    h('legend', {}, t(`learn.bid.${player}`)),
    Array.from({ length: most }, (_, index) => {
      const input = h('input', {
        type: 'radio',
        name,
        id: `${name}-${index + 1}`,
        value: index + 1,
        checked: index + 1 === value,
      });
      input.addEventListener('change', () => onchange(index + 1));
      return h('span', {}, input, h('label', { for: input.id }, index + 1));
    }),
  );
}

// 1: the successor of each pair of bids.
function position1({ cells }) {
  const { start, outcomes } = lesson;
  const court = new Court({ field: 2 });
  const words = h('p', { class: 'readout', role: 'status' }, t('learn.choose'));
  const place = h('div', {});
  const bids = { a: 0, b: 0 };
  const redraw = () =>
    place.replaceChildren(
      table({
        shown: (row, column) => cells.has(`${row + 1},${column + 1}`),
        lit: (row, column) => (row + 1 === bids.a && column + 1 === bids.b ? 'lit' : ''),
      }),
    );
  const show = () => {
    if (!bids.a || !bids.b) return;
    const { after, value } = outcomes.find(({ bidA, bidB }) => bidA === bids.a && bidB === bids.b);
    cells.add(`${bids.a},${bids.b}`);
    const who = bids.a > bids.b ? t('learn.higher.a') : bids.a < bids.b ? t('learn.higher.b') : t('learn.equal');
    const out = Math.abs(after.ball) > 2;
    court.move(after.ball);
    const leads = { state: stateText(after), ball: position(after.ball), value: signed(value) };
    words.textContent = `${who} ${out ? t('learn.out', leads) : t('learn.leads', leads)}`;
    redraw();
  };
  const all = () => {
    for (const { bidA, bidB } of outcomes) cells.add(`${bidA},${bidB}`);
    redraw();
  };
  court.move(start.ball);
  redraw();
  return [
    h('p', {}, t('learn.text.1')),
    accounts(start.a, start.b),
    court.element,
    h(
      'div',
      { class: 'choices' },
      bidChoice('a', start.a, 0, (bid) => ((bids.a = bid), show())),
      bidChoice('b', start.b, 0, (bid) => ((bids.b = bid), show())),
    ),
    words,
    place,
    h('button', { type: 'button', onclick: all }, t('learn.all')),
  ];
}

// 2: the best reply to a fixed bid.
function unsafe() {
  const { matrix } = lesson.stage;
  const words = h('p', { class: 'readout', role: 'status' }, t('learn.chooseOne'));
  const place = h('div', {});
  const least = matrix.map((row) => Math.min(...row));
  const largest = matrix[0].map((_, column) => Math.max(...matrix.map((row) => row[column])));
  const show = (player, bid) => {
    const reply =
      player === 'a'
        ? matrix[bid - 1].indexOf(least[bid - 1]) + 1
        : matrix.findIndex((row) => row[bid - 1] === largest[bid - 1]) + 1;
    words.textContent = t(`learn.known.${player}`, {
      bid,
      reply,
      value: signed(player === 'a' ? least[bid - 1] : largest[bid - 1]),
    });
    place.replaceChildren(
      table({
        lit: (row, column) => {
          const [own, other] = player === 'a' ? [row, column] : [column, row];
          return own + 1 === bid ? (other + 1 === reply ? 'lit reply' : 'lit') : '';
        },
      }),
    );
  };
  place.replaceChildren(table({}));
  return [
    h('p', {}, t('learn.text.2')),
    h(
      'div',
      { class: 'choices' },
      bidChoice('a', matrix.length, 0, (bid) => show('a', bid)),
      bidChoice('b', matrix[0].length, 0, (bid) => show('b', bid)),
    ),
    words,
    place,
    h('p', {}, t('learn.gap', { low: signed(Math.max(...least)), high: signed(Math.min(...largest)) })),
  ];
}

// Another choice that is never worse and sometimes better, among those that are left.
function better(matrix, struck, player, place) {
  const rows = [...matrix.keys()].filter((row) => !struck.rows.has(row));
  const columns = [...matrix[0].keys()].filter((column) => !struck.columns.has(column));
  const [own, others] = player === 'A' ? [rows, columns] : [columns, rows];
  const worth = (choice, other) => (player === 'A' ? matrix[choice][other] : -matrix[other][choice]);
  return own.find(
    (choice) =>
      choice !== place &&
      others.every((other) => worth(choice, other) >= worth(place, other)) &&
      others.some((other) => worth(choice, other) > worth(place, other)),
  );
}

// 3: bids that another bid makes superfluous.
function dominated({ struck }) {
  const { matrix } = lesson.stage;
  const words = h('p', { class: 'readout', role: 'status' });
  const place = h('div', {});
  const done = () =>
    ['A', 'B'].every((player) =>
      [...(player === 'A' ? matrix : matrix[0]).keys()].every(
        (bid) => (player === 'A' ? struck.rows : struck.columns).has(bid) || better(matrix, struck, player, bid) === undefined,
      ),
    );
  const strike = (player, bid) => {
    const by = better(matrix, struck, player, bid);
    if (by === undefined) {
      words.textContent = t('learn.needed', { player, bid: bid + 1 });
      return;
    }
    (player === 'A' ? struck.rows : struck.columns).add(bid);
    words.textContent = t('learn.dominated', { player, bid: bid + 1, by: by + 1 });
    if (done()) words.textContent += ` ${t('learn.left')}`;
    redraw();
  };
  const redraw = () =>
    place.replaceChildren(table({ struck, onrow: (row) => strike('A', row), oncolumn: (column) => strike('B', column) }));
  words.textContent = done() ? t('learn.left') : t('learn.strikeOne');
  redraw();
  return [
    h('p', {}, t('learn.text.3')),
    place,
    words,
    h('button', { type: 'button', onclick: () => ((struck.rows.clear(), struck.columns.clear()), redraw()) }, t('learn.again')),
  ];
}

// 4: the mixture that equalises the opponent's bids.
function mixture() {
  return [h('p', {}, t('learn.text.4')), ...mixer(lesson, 'a')];
}

// 5: the opponent's side, and the value.
function answer() {
  const value = fraction(lesson.stage.exact);
  return [
    h('p', {}, t('learn.text.5')),
    ...mixer(lesson, 'b'),
    h('p', { class: 'verdict', id: 'learned' }, t('learn.value', { value })),
  ];
}
