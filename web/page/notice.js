// Messages outside the sections: a line that stays until it is closed or outdated, and questions.

import { h } from 'page/dom.js';
import { t } from 'page/strings.js';

/** @type {{ text: string, wrong: boolean, until: string } | null} */
let current = null;

const noticePlace = () => /** @type {HTMLElement} */ (document.getElementById('notice'));

// Says something at the foot of the window; `until` are the words by which it is taken back.
export function notice(text, { wrong = false, until = 'shown' } = {}) {
  const place = noticePlace();
  current = { text, wrong, until };
  place.classList.toggle('wrong', wrong);
  place.replaceChildren(
    h('p', {}, text),
    h('button', { type: 'button', onclick: () => (dismiss(), document.getElementById('main')?.focus()) }, t('close')),
  );
}

// Removes the message that lasts until this event; without a name, every message.
export function dismiss(until = current?.until) {
  if (!current || current.until !== until) return;
  current = null;
  noticePlace().replaceChildren();
}

// A dialog that is closed by its buttons, by Escape, and by a press outside it; promises the button's value.
export function dialog({ title, content, buttons, wide = false }) {
  const heading = h('h2', { id: 'dialog-title' }, title);
  const form = h(
    'form',
    { method: 'dialog' },
    heading,
    content,
    h(
      'div',
      { class: 'actions' },
      buttons.map(({ text, value, primary }) => h('button', { value, class: primary ? 'primary' : null }, text)),
    ),
  );
  const box = h('dialog', { 'aria-labelledby': 'dialog-title', class: wide ? 'wide' : null }, form);
  box.addEventListener('click', (event) => event.target === box && box.close(''));
  document.body.append(box);
  box.showModal();
  return new Promise((resolve) =>
    box.addEventListener('close', () => {
      box.remove();
      resolve(box.returnValue);
    }),
  );
}

// Asks a person to agree; both the question and the button are full sentences.
export async function agreed(title, text, yes) {
  const answer = await dialog({
    title,
    content: h('p', {}, text),
    buttons: [
      { text: t('keep'), value: '' },
      { text: yes, value: 'yes', primary: true },
    ],
  });
  return answer === 'yes';
}
