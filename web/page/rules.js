// The form in which a game is chosen.

import { counted, h, number, power } from 'page/dom.js';
import { game } from 'page/game.js';
import { MOST_FIELD, MOST_POINTS, plainSigns, sameGame, stateText, TENNIS } from 'page/state.js';
import { t } from 'page/strings.js';

const KNOWN = {
  tennis: TENNIS,
  winLoss: { ...TENNIS, scoring: 'win-loss' },
  footsteps: { ...TENNIS, motion: 'step', scoring: '1,0,0,0,-1' },
  oshiZumo: { ...TENNIS, field: 3, motion: 'step', scoring: 'win-loss' },
  arena: { ...TENNIS, field: 3, motion: 'step', scoring: 'win-loss', min_bid: 0 },
};

// Named scorings, and A's payoffs at the five ends.
const SCORINGS = {
  'two-one': '2,1,0,-1,-2',
  'win-loss': '1,1,0,-1,-1',
  '1,0,0,0,-1': '1,0,0,0,-1',
};
const ENDS = ['outByA', 'liesWithB', 'draw', 'liesWithA', 'outByB'];

const nameOf = (rules) => Object.keys(KNOWN).find((name) => sameGame({ ...KNOWN[name], points: [] }, { ...rules, points: [] }));

const scoringName = (scoring) => (SCORINGS[scoring] ? t(`scoring.${scoring}`) : scoring);

// The game in a line.
export function describe({ points, field, motion, scoring, min_bid }) {
  const known = nameOf({ field, motion, scoring });
  const name = known
    ? t(`rules.${known}`)
    : t('rules.other', { field, motion: t(`rules.${motion}`), scoring: scoringName(scoring) });
  const bids = min_bid === 0 ? `, ${t('rules.fromZero')}` : '';
  return `${name}${bids}, ${points[0] === points[1] ? t('rules.each', { points: points[0] }) : points.join(' : ')}`;
}

// The choice of a scoring: by name, with its meaning, or as five numbers.
function scoringChoice() {
  const choice = h(
    'select',
    { id: 'rules-scoring', name: 'scoring', 'aria-describedby': 'rules-scoring-help' },
    [...Object.keys(SCORINGS), 'own'].map((name) => h('option', { value: name }, t(`scoring.${name}`))),
  );
  const help = h('small', { id: 'rules-scoring-help' });
  const numbers = ENDS.map((end) =>
    h('input', { type: 'text', id: `rules-${end}`, size: 5, inputmode: 'text', autocomplete: 'off', required: true }),
  );
  const own = h(
    'fieldset',
    { class: 'own-scoring' },
    h('legend', {}, t('scoring.numbers')),
    ENDS.map((end, index) => h('div', {}, h('label', { for: `rules-${end}` }, t(`ends.${end}`)), numbers[index])),
  );
  const show = () => {
    own.hidden = choice.value !== 'own';
    for (const input of numbers) input.disabled = own.hidden;
    help.textContent = t(`scoring.help.${choice.value}`);
  };
  choice.addEventListener('input', show);
  return {
    element: h('div', { class: 'scoring' }, h('label', { for: choice.id }, t('rules.scoring')), choice, help),
    own,
    get value() {
      return choice.value === 'own' ? numbers.map((input) => plainSigns(input.value).trim().replace(',', '.')).join(',') : choice.value;
    },
    set value(scoring) {
      choice.value = SCORINGS[scoring] ? scoring : 'own';
      const words = (SCORINGS[scoring] ?? scoring).split(',');
      numbers.forEach((input, index) => (input.value = words[index] ?? ''));
      show();
    },
    oninput(listener) {
      for (const input of [choice, ...numbers]) input.addEventListener('input', listener);
    },
  };
}

export function rulesForm() {
  const field = (name, attributes) => h('input', { id: `rules-${name}`, name, required: true, ...attributes });
  const labelled = (name, input) => h('div', {}, h('label', { for: input.id }, t(`rules.${name}`)), input);
  const pointsA = field('pointsA', { type: 'number', min: 1, max: MOST_POINTS, inputmode: 'numeric' });
  const pointsB = field('pointsB', { type: 'number', min: 1, max: MOST_POINTS, inputmode: 'numeric' });
  const size = field('field', { type: 'number', min: 1, max: MOST_FIELD, inputmode: 'numeric' });
  const motion = h(
    'select',
    { id: 'rules-motion', name: 'motion' },
    ['net', 'step'].map((way) => h('option', { value: way }, t(`rules.${way}`))),
  );
  const scoring = scoringChoice();
  const minBid = h(
    'select',
    { id: 'rules-minBid', name: 'min-bid', 'aria-describedby': 'rules-minBid-help' },
    [1, 0].map((bid) => h('option', { value: bid }, bid)),
  );
  const zero = h('small', { id: 'rules-minBid-help' }, t('rules.zero'));
  const known = h(
    'select',
    { id: 'rules-known', name: 'known' },
    [...Object.keys(KNOWN), 'own'].map((name) => h('option', { value: name }, t(`rules.${name}`))),
  );
  const submit = h('button', { type: 'submit', class: 'primary' }, t('rules.solve'));
  const cancel = h('button', { type: 'button', id: 'cancel-solve', onclick: () => game.cancel() }, t('cancel'));
  const progress = h('progress', { max: 1, value: 0, 'aria-label': t('rules.progress') });
  const working = h('div', { class: 'actions working', hidden: true }, h('span', {}, t('rules.solving')), progress, cancel);
  const status = h('p', { class: 'status', role: 'status' });

  const show = (rules) => {
    [pointsA.value, pointsB.value] = rules.points;
    [size.value, motion.value, scoring.value, minBid.value] = [rules.field, rules.motion, rules.scoring, rules.min_bid];
    zero.hidden = rules.min_bid !== 0;
    known.value = nameOf(rules) ?? 'own';
  };
  const read = () => ({
    points: [Number(pointsA.value), Number(pointsB.value)],
    field: Number(size.value),
    motion: motion.value,
    scoring: scoring.value,
    min_bid: Number(minBid.value),
  });
  known.addEventListener('change', () => {
    if (known.value !== 'own') show({ ...KNOWN[known.value], points: read().points });
  });
  const rename = () => {
    known.value = nameOf(read()) ?? 'own';
    zero.hidden = read().min_bid !== 0;
  };
  for (const input of [size, motion, minBid]) input.addEventListener('input', rename);
  scoring.oninput(rename);
  // What is typed while a game is solved stays in place.
  let typed = false;

  const form = h(
    'form',
    { class: 'rules-form' },
    labelled('known', known),
    labelled('pointsA', pointsA),
    labelled('pointsB', pointsB),
    labelled('field', size),
    labelled('motion', motion),
    scoring.element,
    h('div', { class: 'scoring' }, h('label', { for: minBid.id }, t('rules.minBid')), minBid, zero),
    scoring.own,
    h('div', { class: 'actions' }, submit),
  );
  form.addEventListener('input', () => (typed = true));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const rules = read();
    game.solve(rules, { a: rules.points[0], b: rules.points[1], ball: 0 });
  });

  const summary = h('summary', {});
  const details = h('details', { id: 'rules-details' }, summary, form);
  const element = h('section', { class: 'card rules', 'aria-label': t('rules.title') }, details, working, status);
  const retitle = () =>
    summary.replaceChildren(h('span', { class: 'kicker' }, t('rules.title')), ' ', game.rules ? describe(game.rules) : '…');
  const busy = (yes) => {
    [working.hidden, submit.disabled, progress.value] = [!yes, yes, 0];
  };
  const said = ({ unknown }) => {
    const { states, randomised, widest, milliseconds } = game.summary;
    status.classList.remove('wrong');
    status.textContent = t('rules.solved', {
      states: counted('states', states),
      randomised: counted('randomised', randomised),
      widest: power(widest),
      milliseconds: number(milliseconds, 0),
    });
    if (unknown) status.textContent += ` ${t('rules.unknown', { state: stateText(unknown) })}`;
  };
  const listeners = {
    solving: ({ detail }) => {
      typed = false;
      busy(true);
      status.textContent = describe(detail.rules);
    },
    progress: ({ detail }) => (progress.value = detail.share),
    solved: ({ detail }) => {
      busy(false);
      if (game.rules) {
        said(detail);
        // Wrong input stays in place for correction.
        if (!detail.error && !typed) show(game.rules);
        retitle();
      }
      if (detail.error) {
        status.textContent = detail.error.message;
        status.classList.add('wrong');
      } else if (detail.failed && !game.rules) status.textContent = '';
    },
  };
  show(game.rules ?? TENNIS);
  retitle();
  if (game.summary) said({ unknown: null });
  if (game.solving) busy(true);
  return { element, listeners };
}
