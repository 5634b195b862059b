// The form in which a game is chosen.

import { decimal, h, number } from 'page/dom.js';
import { game } from 'page/game.js';
import { stateText, TENNIS } from 'page/state.js';
import { t } from 'page/strings.js';

const KNOWN = {
  tennis: TENNIS,
  winLoss: { ...TENNIS, scoring: 'win-loss' },
  footsteps: { ...TENNIS, motion: 'step', scoring: '1,0,0,0,-1' },
  oshiZumo: { ...TENNIS, field: 3, motion: 'step', scoring: 'win-loss' },
};

const nameOf = ({ field, motion, scoring }) =>
  Object.keys(KNOWN).find(
    (name) => KNOWN[name].field === field && KNOWN[name].motion === motion && KNOWN[name].scoring === scoring,
  );

// The game in a line.
export function describe({ points, field, motion, scoring }) {
  const known = nameOf({ field, motion, scoring });
  const name = known ? t(`rules.${known}`) : t('rules.other', { field, motion: t(`rules.${motion}`), scoring });
  return `${name}, ${points[0] === points[1] ? t('rules.each', { points: points[0] }) : points.join(' : ')}`;
}

export function rulesForm() {
  const field = (name, attributes) => h('input', { id: `rules-${name}`, name, required: true, ...attributes });
  const labelled = (name, input) => h('div', {}, h('label', { for: input.id }, t(`rules.${name}`)), input);
  const pointsA = field('pointsA', { type: 'number', min: 1, max: 400, inputmode: 'numeric' });
  const pointsB = field('pointsB', { type: 'number', min: 1, max: 400, inputmode: 'numeric' });
  const size = field('field', { type: 'number', min: 1, max: 20, inputmode: 'numeric' });
  const motion = h(
    'select',
    { id: 'rules-motion', name: 'motion' },
    ['net', 'step'].map((way) => h('option', { value: way }, t(`rules.${way}`))),
  );
  const scoring = field('scoring', {
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': 'rules-scoring-help',
  });
  const known = h(
    'select',
    { id: 'rules-known', name: 'known' },
    [...Object.keys(KNOWN), 'own'].map((name) => h('option', { value: name }, t(`rules.${name}`))),
  );
  const submit = h('button', { type: 'submit', class: 'primary' }, t('rules.solve'));
  const cancel = h('button', { type: 'button', hidden: true, onclick: () => game.solver.cancel() }, t('cancel'));
  const progress = h('progress', { max: 1, value: 0, 'aria-label': t('rules.progress'), hidden: true });
  const status = h('p', { class: 'status', role: 'status' });

  const show = (rules) => {
    [pointsA.value, pointsB.value] = rules.points;
    [size.value, motion.value, scoring.value] = [rules.field, rules.motion, rules.scoring];
    known.value = nameOf(rules) ?? 'own';
  };
  const read = () => ({
    points: [Number(pointsA.value), Number(pointsB.value)],
    field: Number(size.value),
    motion: motion.value,
    scoring: scoring.value.replaceAll(' ', '').replaceAll('−', '-'),
  });
  known.addEventListener('change', () => {
    if (known.value !== 'own') show({ ...KNOWN[known.value], points: read().points });
  });
  for (const input of [size, motion, scoring]) input.addEventListener('input', () => (known.value = nameOf(read()) ?? 'own'));

  const form = h(
    'form',
    { class: 'rules-form' },
    labelled('known', known),
    labelled('pointsA', pointsA),
    labelled('pointsB', pointsB),
    labelled('field', size),
    labelled('motion', motion),
    h('div', { class: 'scoring' }, h('label', { for: scoring.id }, t('rules.scoring')), scoring),
    h('div', { class: 'actions' }, submit, cancel, progress),
    h('small', { id: 'rules-scoring-help', class: 'help' }, `${t('rules.scoring')}: ${t('rules.scoringHelp')}`),
    status,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const rules = read();
    game.solve(rules, { a: rules.points[0], b: rules.points[1], ball: 0 });
  });

  game.solver.onprogress = (share) => (progress.value = share);
  const summary = h('summary', {});
  const element = h('details', { class: 'card rules', open: innerWidth >= 1000 }, summary, form);
  const retitle = () =>
    summary.replaceChildren(h('span', { class: 'kicker' }, t('rules.title')), ' ', game.rules ? describe(game.rules) : '…');
  const busy = (yes) => {
    [cancel.hidden, progress.hidden, submit.disabled, progress.value] = [!yes, !yes, yes, 0];
  };
  const listeners = {
    solving: () => {
      busy(true);
      status.textContent = t('rules.solving');
    },
    solved: ({ detail }) => {
      busy(false);
      if (detail.error) {
        status.textContent = detail.error.message;
        status.classList.add('wrong');
        return;
      }
      status.classList.remove('wrong');
      if (!game.rules) return;
      show(game.rules);
      retitle();
      const { states, randomised, widest, milliseconds } = game.summary;
      status.textContent = t('rules.solved', {
        states: number(states),
        randomised: number(randomised),
        widest: decimal(widest),
        milliseconds: number(milliseconds, 0),
      });
      if (detail.unknown) status.textContent += ` ${t('rules.unknown', { state: stateText(detail.unknown) })}`;
    },
  };
  show(game.rules ?? TENNIS);
  retitle();
  if (game.summary) listeners.solved({ detail: {} });
  return { element, listeners };
}
