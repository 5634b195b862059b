// The question for a bid: buttons, a field and a slider for one number.

import { h } from 'page/dom.js';
import { t } from 'page/strings.js';

// The form, and the field in it; `value` is the bid that is offered, and `onbid` hears of the bid that is made.
export function bidForm({ id = 'bid', lowest, points, you, value = lowest, onbid }) {
  const offered = Math.min(Math.max(value, lowest), points);
  const input = h('input', {
    type: 'number',
    id,
    min: lowest,
    max: points,
    value: offered,
    required: true,
    inputmode: 'numeric',
  });
  const range = h('input', {
    type: 'range',
    min: lowest,
    max: points,
    value: offered,
    'aria-label': t('play.bidRange'),
    disabled: points <= lowest,
  });
  const set = (bid) => (range.value = input.value = Math.min(Math.max(bid, lowest), points));
  const step = (by, text, name) =>
    h('button', { type: 'button', class: 'step', 'aria-label': t(name), onclick: () => set(Number(input.value) + by) }, text);
  range.addEventListener('input', () => (input.value = range.value));
  input.addEventListener('input', () => (range.value = input.value));
  const form = h(
    'form',
    { class: 'bid-form' },
    h('label', { for: id }, t('play.yourBid', { lowest, points, you })),
    h(
      'div',
      { class: 'actions' },
      step(-1, '−', 'play.less'),
      input,
      step(1, '+', 'play.more'),
      h('button', { type: 'submit', class: 'primary', id: `submit-${id}` }, t('play.bid')),
    ),
    range,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onbid(Number(input.value));
  });
  return [form, input];
}
