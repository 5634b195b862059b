// A matrix of one's own: typed or pasted, and solved at every change.

import { card, decimal, h, likelier, percent, power, signed } from 'page/dom.js';
import { exactly, matrixFile, readMatrix } from 'page/matrixgame.js';
import { Cancelled, Solver } from 'page/solver.js';
import { t } from 'page/strings.js';

const MOST = 24;
// Rock, paper, scissors in which rock wins double: by hand, both mix 1/4, 1/2, 1/4, and the value is 0.
const FIRST = {
  a: ['1', '2', '3'],
  b: ['1', '2', '3'],
  payoffs: [
    ['0', '-1', '2'],
    ['1', '0', '-1'],
    ['-2', '1', '0'],
  ],
};
// After the last key press the solver waits so many milliseconds.
const PAUSE = 120;

// Kept when the page is built anew in another language.
const solver = new Solver();
let game = FIRST;

const numbered = (length, names) => Array.from({ length }, (_, place) => names[place] ?? String(place + 1));

export function matrixEditor() {
  const table = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('editor.title') });
  const said = h('p', { class: 'status', role: 'status' });
  const result = h('div', { id: 'matrix-result' });
  /** @type {number | undefined} */
  let clock = undefined;
  let round = 0;

  const resize = (rows, columns) => {
    const [height, width] = [Math.min(Math.max(rows, 1), MOST), Math.min(Math.max(columns, 1), MOST)];
    const payoffs = Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) => game.payoffs[row]?.[column] ?? '0'),
    );
    game = { a: numbered(height, game.a), b: numbered(width, game.b), payoffs };
    show();
  };
  const button = (id, text, rows, columns) =>
    h('button', { type: 'button', id, onclick: () => resize(game.a.length + rows, game.b.length + columns) }, text);

  // Shows a table, unless it is too large.
  const load = (read) => {
    if (Math.max(read.a.length, read.b.length) > MOST) return false;
    game = read;
    show();
    return true;
  };

  const paste = (event) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!/[\t\n;,]|\S\s+\S/.test(text.trim())) return;
    event.preventDefault();
    try {
      if (!load(readMatrix(text))) throw new Error(t('editor.large', { most: MOST }));
    } catch (error) {
      wrong(error);
    }
  };
  const wrong = (error) => {
    if (error instanceof Cancelled) return;
    said.classList.add('wrong');
    said.textContent = error.message;
  };

  const field = (row, column) => {
    const input = h('input', {
      type: 'text',
      size: 5,
      autocomplete: 'off',
      value: game.payoffs[row][column],
      'aria-label': t('editor.cell', { a: game.a[row], b: game.b[column] }),
    });
    input.addEventListener('input', () => {
      const payoff = exactly(input.value.replace(',', '.'));
      input.setAttribute('aria-invalid', payoff === undefined);
      game.payoffs[row][column] = input.value;
      clearTimeout(clock);
      clock = setTimeout(solve, PAUSE);
    });
    input.addEventListener('paste', paste);
    return h('td', {}, input);
  };

  const show = () => {
    const head = game.b.map((name) => h('th', { scope: 'col', class: 'of-b' }, name));
    const rows = game.a.map((name, row) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row', class: 'of-a' }, name),
        game.b.map((_, column) => field(row, column)),
      ),
    );
    table.replaceChildren(
      h('table', { class: 'editor' }, h('thead', {}, h('tr', {}, h('td', {}, 'A \\ B'), head)), h('tbody', {}, rows)),
    );
    solve();
  };

  const bar = (player, { action, probability }) =>
    h(
      'div',
      { class: 'any-bar' },
      h('span', {}, action),
      h('span', { class: `any-length of-${player}`, style: `--share: ${probability}` }),
      h('span', { class: 'hint' }, percent(probability)),
    );

  // Reads the fields, and solves the matrix if all are numbers.
  const solve = async () => {
    clearTimeout(clock);
    const mine = ++round;
    const payoffs = game.payoffs.map((row) => row.map((text) => exactly(text.replace(',', '.'))));
    if (payoffs.flat().includes(undefined)) return wrong(new Error(t('editor.wrong')));
    try {
      const file = new TextEncoder().encode(matrixFile({ ...game, payoffs }, t('editor.title')));
      const { start } = await solver.ask({ ask: 'any_open' }, file);
      const stage = await solver.ask({ ask: 'any_stage', state: start[0] });
      if (mine !== round) return;
      said.classList.remove('wrong');
      said.textContent = '';
      const { lower, upper } = stage.decimal;
      result.replaceChildren(
        h(
          'p',
          { class: 'value' },
          h('output', { id: 'matrix-value' }, signed(stage.value, 6)),
          h('span', { class: 'unit' }, t('games.toA')),
        ),
        h(
          'p',
          { class: 'hint digits' },
          lower === upper
            ? t('games.worth', { value: decimal(lower) })
            : t('games.bounds', { lower: power(lower), upper: power(upper) }),
        ),
        h(
          'div',
          { class: 'pair' },
          ['a', 'b'].map((player) =>
            h(
              'div',
              {},
              h('h3', { class: `of-${player}` }, t('games.plays', { player: player.toUpperCase() })),
              [...stage[player]].sort(likelier).map((entry) => bar(player, entry)),
            ),
          ),
        ),
      );
    } catch (error) {
      if (mine === round) wrong(error);
    }
  };

  const element = card(
    t('editor.title'),
    h('p', { class: 'hint' }, t('editor.hint')),
    table,
    h(
      'div',
      { class: 'actions' },
      button('more-rows', t('editor.moreRows'), 1, 0),
      button('fewer-rows', t('editor.fewerRows'), -1, 0),
      button('more-columns', t('editor.moreColumns'), 0, 1),
      button('fewer-columns', t('editor.fewerColumns'), 0, -1),
    ),
    said,
    result,
  );
  element.id = 'matrix-editor';
  return { element, show, load };
}
