// The settings of a game: opponent, side, start, and length.

import { h, significant, number } from 'page/dom.js';
import { game } from 'page/game.js';
import { term } from 'page/notation.js';
import { policyInput } from 'page/policyfile.js';
import { t } from 'page/strings.js';
import { LADDER, table } from 'page/table.js';

// From the weakest to the optimum; those that have to be trained or searched are made on demand.
const LEVELS = [
  'uniform',
  'simple:1000',
  'simple:100000',
  'quantal:0.5',
  'simple:10000000',
  'quantal:1',
  'quantal:3',
  'lookahead:2:uniform',
  'lookahead:4:uniform',
  'lookahead:6:uniform',
  'optimal',
];
const OTHERS = ['opponent', 'person'];
// The players of blind games and their points; from 12 points on solving takes too long.
const BLIND = ['optimal', 'uniform'];
const BLIND_POINTS = [6, 8, 10];
const BLIND_USUAL = 8;
const MATCHES = [0, 5, 10, 20];
// Where there are more points, judging takes too long to be done unasked.
const JUDGED_POINTS = 60;

// A player in words: by `form`, as the one that is played against, or by name alone.
export function levelName(name, form = 'against') {
  const [kind, size] = name.split(':');
  const rank = LADDER.indexOf(name);
  return t(`play.${form}.${rank < 0 ? kind : rank}`, { size: number(Number(size)) });
}

export const opponentName = ({ opponent, file }, form) => (opponent === 'opponent' ? file : levelName(opponent, form));

// The choice of an opponent from the ladder, and the button that begins; `onchoice` hears the name, and whether it was changed.
export function ladderForm({ id, text, onchoice }) {
  const choice = (name, rank) => {
    const input = h('input', {
      type: 'radio',
      name: `${id}-level`,
      id: `${id}-level-${rank}`,
      value: name,
      checked: name === table.opponent || (rank === 1 && !LADDER.includes(table.opponent)),
    });
    const words = [h('strong', {}, t(`play.name.${rank}`)), ' ', h('small', {}, t(`play.about.${rank}`))];
    return h('label', { for: input.id }, input, h('span', {}, words));
  };
  const form = h(
    'form',
    { class: 'ladder' },
    h('fieldset', {}, h('legend', {}, t('play.ladder')), LADDER.map(choice)),
    h('button', { type: 'submit', class: 'primary large', id }, text),
  );
  const level = () => form.elements[`${id}-level`].value;
  const first = level();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onchoice(level(), level() !== first);
  });
  return form;
}

export function setupCard() {
  const choice = (id, options, value, text) =>
    h(
      'select',
      { id },
      options.map((name) => h('option', { value: name, selected: name === value }, text(name))),
    );
  const against = choice('opponent', [...new Set([...LADDER, ...LEVELS, ...OTHERS])], table.opponent, (name) => levelName(name));
  const side = choice('side', ['A', 'B'], table.you, (name) => t(`play.as.${name}`));
  const told = choice('told', ['bids', 'ball'], table.blind ? 'ball' : 'bids', (name) => t(`play.told.${name}`));
  const from = h('select', { id: 'from' });
  const match = choice('match', MATCHES, table.to, (to) => (to ? t('play.match.to', { to }) : t('play.match.single')));
  const file = policyInput('opponent', (name) => table.set({ file: name }), table.file);
  const strength = h('p', { class: 'hint', id: 'strength', role: 'status' });
  const list = h('tbody', {});
  const levels = h(
    'details',
    { id: 'levels' },
    h('summary', {}, t('levels.title')),
    h('p', { class: 'hint' }, t('levels.intro')),
    h(
      'table',
      { class: 'figures' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, t('levels.player')),
          h('th', { scope: 'col' }, term(t('levels.exploitability'), t('term.exploitability'))),
        ),
      ),
      list,
    ),
    h('p', { class: 'hint' }, t('levels.how')),
  );
  const figure = (name) => {
    const known = table.strengths.rules === game.rules ? table.strengths.get(name) : undefined;
    return known === undefined ? '…' : known === null ? '–' : known < 1e-12 ? '0' : significant(known, 4);
  };
  const fill = () =>
    list.replaceChildren(
      ...LEVELS.map((name) =>
        h('tr', {}, h('th', { scope: 'row' }, levelName(name, 'name')), h('td', { 'data-level': name }, figure(name))),
      ),
    );
  // One after the other, as long as somebody looks.
  const judgeAll = async () => {
    fill();
    for (const name of LEVELS) {
      if (!levels.open || !levels.isConnected || !game.rules) return;
      await table.strength(name);
    }
  };
  levels.addEventListener('toggle', () => levels.open && judgeAll());
  // The starts there are: a blind game from the start of a large one cannot be solved.
  const starts = () => {
    const most = game.rules ? Math.max(...game.rules.points) : Infinity;
    const equal = BLIND_POINTS.filter((points) => game.rules && points <= Math.min(...game.rules.points)).map(String);
    if (!table.blind) return ['start', 'looked'];
    return [...(most <= Math.max(...BLIND_POINTS) ? ['start'] : []), ...equal, 'looked'];
  };
  const showStarts = () => {
    const text = (name) => (Number(name) ? t('play.from.points', { points: name }) : t(`play.from.${name}`));
    from.replaceChildren(...starts().map((name) => h('option', { value: name }, text(name))));
    from.value = table.from;
  };
  const show = () => {
    [against.value, match.value, told.value] = [table.opponent, table.to, table.blind ? 'ball' : 'bids'];
    // Where a game may go on for ever, it is not solved blind.
    told.options[1].disabled = game.rules?.min_bid === 0;
    for (const option of against.options) option.disabled = table.blind && !BLIND.includes(option.value);
    showStarts();
    if (!table.persons) side.value = table.you;
    side.disabled = table.persons;
    file.element.hidden = table.opponent !== 'opponent';
    const judged = !table.blind && table.strengths.rules === game.rules;
    const known = judged ? table.strengths.get(table.opponent) : undefined;
    strength.textContent = typeof known === 'number' ? t('levels.strength', { exploitability: figure(table.opponent) }) : '';
    if (levels.open) fill();
  };
  const judgeOne = () => {
    const small = game.rules && !table.blind && Math.max(...game.rules.points) <= JUDGED_POINTS;
    if (small && LEVELS.includes(table.opponent) && !levels.open) table.strength(table.opponent);
  };
  // A choice that is not agreed to is taken back.
  const set = async (changes) => {
    if (await table.set(changes)) judgeOne();
    show();
  };
  against.addEventListener('change', () => set({ opponent: against.value, ...(against.value === 'person' ? { you: 'A' } : {}) }));
  side.addEventListener('change', () => set({ you: side.value }));
  from.addEventListener('change', () => set({ from: from.value }));
  told.addEventListener('change', () => {
    const blind = told.value === 'ball';
    if (!blind) return set({ blind, from: table.from === 'looked' ? 'looked' : 'start' });
    const small = game.rules && Math.max(...game.rules.points) <= Math.max(...BLIND_POINTS);
    const points = Math.min(BLIND_USUAL, ...(game.rules?.points ?? []));
    set({ blind, from: small ? 'start' : String(points), opponent: BLIND.includes(table.opponent) ? table.opponent : 'optimal' });
  });
  match.addEventListener('change', () => set({ to: Number(match.value) }));
  const select = (input, label) => h('div', {}, h('label', { for: input.id }, label), input);
  const element = h(
    'section',
    { class: 'card' },
    h('h2', {}, t('play.setup')),
    h(
      'div',
      { class: 'fields' },
      select(against, t('play.againstLabel')),
      select(side, t('play.asLabel')),
      select(told, t('play.toldLabel')),
      select(from, t('play.fromLabel')),
      select(match, t('play.matchLabel')),
    ),
    strength,
    file.element,
    levels,
  );
  show();
  return { element, show };
}
