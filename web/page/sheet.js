// A sheet for a class, to be printed: court, rules, a table of bids and five exercises; solutions on the second page.

import { Court } from 'page/court.js';
import { h } from 'page/dom.js';
import { t } from 'page/strings.js';

// Each turn takes a point at least from both players' ten, so that there are never more.
const TURNS = 10;
const EXERCISES = [1, 2, 3, 4, 5];
const RULES = ['bid', 'hit', 'out', 'end'];

function sheet() {
  const court = new Court({ field: 2 });
  const heads = ['turn', 'bidA', 'leftA', 'ball', 'leftB', 'bidB'].map((name) => h('th', { scope: 'col' }, t(`sheet.${name}`)));
  const rows = Array.from({ length: TURNS }, (_, turn) =>
    h(
      'tr',
      {},
      [turn + 1, '', '', '', '', ''].map((text) => h('td', {}, text)),
    ),
  );
  const begin = h(
    'tr',
    {},
    ['', '', 10, 0, 10, ''].map((text) => h('td', {}, text)),
  );
  return h(
    'div',
    { id: 'sheet', 'aria-hidden': 'true' },
    h(
      'section',
      {},
      h('h1', {}, t('sheet.title')),
      court.element,
      h(
        'ol',
        { class: 'sheet-rules' },
        RULES.map((name) => h('li', {}, h('strong', {}, `${t(`how.${name}.title`)}. `), t(`how.${name}.text`))),
      ),
      h('p', {}, t('sheet.table')),
      h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, begin, rows)),
      h('h2', {}, t('sheet.exercises')),
      h(
        'ol',
        {},
        EXERCISES.map((number) => h('li', {}, t(`sheet.exercise.${number}`))),
      ),
    ),
    h(
      'section',
      { class: 'solutions' },
      h('h1', {}, t('sheet.solutions')),
      h(
        'ol',
        {},
        EXERCISES.map((number) =>
          h('li', {}, h('p', {}, t(`sheet.exercise.${number}`)), h('p', {}, h('strong', {}, t(`sheet.solution.${number}`)))),
        ),
      ),
      h('p', {}, t('sheet.proved')),
    ),
  );
}

// Prints the sheet instead of the page.
export function printSheet() {
  const made = sheet();
  document.body.append(made);
  addEventListener('afterprint', () => made.remove(), { once: true });
  print();
}
