// The value of a state, its proved bounds, the exact fraction, and any number of digits.

import { amount } from 'page/amounts.js';
import { card, decimal, fraction, h, number, power, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { sentenceWith } from 'page/notation.js';
import { Cancelled } from 'page/solver.js';
import { stateText } from 'page/state.js';
import { t } from 'page/strings.js';

// Longer fractions are shown in part.
export const LONGEST_FRACTION = 60;

// Whether both players wait for ever at a state that goes on.
const waits = ({ a, b, worth }) =>
  worth.a.length + worth.b.length > 2 && [a, b].every((bids) => bids.length === 1 && bids[0].bid === 0);

// Who is ahead, and by how much in words.
function ahead(value) {
  if (!value) return t('worth.even');
  return t(value > 0 ? 'worth.goodA' : 'worth.goodB', { amount: amount(Math.abs(value)) });
}

// The value of the state, with proof.
export function worthCard() {
  const body = h('div', {});
  const fractions = h('div', { class: 'fraction' });
  const digits = digitsPart();
  const element = card(t('worth.title'), body, fractions, digits.element);
  // `note` accompanies numbers that are not computed here.
  const show = (stage, note = null) => {
    const { lower, upper } = stage.decimal;
    const known = stage.width === '0';
    body.replaceChildren(
      h(
        'p',
        { class: 'value' },
        h('output', { id: 'value' }, signed(stage.value, 9)),
        h('span', { class: 'unit' }, sentenceWith(stage.state, 'worth.toA')),
      ),
      h(
        'p',
        { class: 'verdict' },
        ahead(stage.value),
        ' ',
        waits(stage) ? t('worth.stands') : stage.deterministic ? t('worth.deterministic') : t('worth.random'),
      ),
      known
        ? h('p', { class: 'bounds' }, t('worth.known', { value: decimal(lower) }))
        : h(
            'div',
            { class: 'bounds', id: 'bounds' },
            h('p', {}, t('worth.proved')),
            h(
              'p',
              { class: 'digits' },
              boundText(lower, upper),
              h('br'),
              h('span', { class: 'relation' }, '≤ ', t('worth.value'), ' ≤'),
              h('br'),
              boundText(upper, lower),
            ),
            h('p', { class: 'hint' }, t('worth.width', { width: power(stage.width) })),
          ),
      note ? h('p', { class: 'hint', id: 'first-note' }, note) : '',
    );
    fractions.replaceChildren();
    if (stage.by_symmetry) {
      fractions.append(t('worth.exactly'), ' ', h('strong', { id: 'exact' }, stage.exact), ' ', t('worth.symmetry'));
    } else if (!game.exactUnasked && !game.archiveOpen) {
      const search = () => {
        fractions.replaceChildren(t('worth.searching'), ' ', cancelButton());
        showState();
      };
      fractions.replaceChildren(h('button', { type: 'button', onclick: search }, t('worth.search')));
    }
    digits.forget();
  };
  const showState = () => game.askArchive({ ask: 'sha256', text: '' }).then(() => game.look(game.state), ignoreCancelled);
  const cancelButton = () =>
    h('button', { type: 'button', onclick: () => (game.forgetArchive(), fractions.replaceChildren()) }, t('cancel'));
  const exact = (found) => {
    if (!found)
      return fractions.replaceChildren(
        h('span', { class: 'hint' }, t(game.rules.min_bid ? 'worth.noFraction' : 'worth.noFractionZero')),
      );
    const text = fraction(found.value);
    const short = text.length <= LONGEST_FRACTION;
    fractions.replaceChildren(
      h('span', {}, t('worth.exactly'), ' '),
      short
        ? h('strong', { id: 'exact' }, text)
        : h('details', {}, h('summary', {}, t('worth.long', { digits: text.length - 1 })), h('p', { class: 'digits' }, text)),
    );
  };
  return {
    element,
    show,
    exact,
    searching: () => fractions.childElementCount || fractions.replaceChildren(h('span', { class: 'hint' }, t('worth.searching'))),
  };
}

const ignoreCancelled = (error) => {
  if (!(error instanceof Cancelled)) throw error;
};

// A bound, its digits that agree with the other bound set apart from those that do not.
function boundText(own, other) {
  // Powers of ten have no digits in common that mean anything.
  if (own.includes('e')) return [h('span', { class: 'uncertain' }, power(own))];
  let same = 0;
  while (same < own.length && own[same] === other[same]) same++;
  const text = decimal(own);
  return [text.slice(0, same), h('span', { class: 'uncertain' }, text.slice(same))];
}

// As many digits as one likes.
function digitsPart() {
  const count = h('input', { type: 'number', id: 'digits', min: 20, max: 5000, value: 60, inputmode: 'numeric' });
  const button = h('button', { type: 'submit' }, t('digits.compute'));
  const cancel = h('button', { type: 'button', hidden: true }, t('cancel'));
  const progress = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': t('digits.working') });
  const output = h('output', { class: 'digits', for: 'digits' });
  const form = h(
    'form',
    { class: 'digits-form' },
    h('label', { for: 'digits' }, t('digits.label')),
    count,
    button,
    cancel,
    progress,
  );
  let asked = 0;
  const busy = (yes) => ([cancel.hidden, button.disabled, progress.hidden, progress.value] = [!yes, yes, !yes, 0]);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const mine = ++asked;
    busy(true);
    game.archive.onprogress = (share) => (progress.value = share);
    output.replaceChildren(t('digits.working'));
    const began = performance.now();
    try {
      const found = await game.askArchive({ ask: 'digits', state: stateText(game.state), digits: Number(count.value) });
      if (mine !== asked) return;
      const seconds = number((performance.now() - began) / 1000, 1);
      output.replaceChildren(
        ...boundText(found.lower, found.upper),
        h('small', {}, ' ', t('digits.done', { agreeing: found.agreeing, seconds })),
      );
    } catch (error) {
      if (mine === asked) output.replaceChildren(error instanceof Cancelled ? t('cancelled') : error.message);
    }
    busy(false);
  });
  cancel.addEventListener('click', () => game.forgetArchive());
  const forget = () => {
    asked++;
    busy(false);
    output.replaceChildren();
  };
  return { element: h('div', { class: 'more-digits' }, form, output), forget };
}
