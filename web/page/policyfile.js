// A policy from a file, dropped or chosen.

import { game } from 'page/game.js';
import { fileButton, h } from 'page/dom.js';
import { Cancelled } from 'page/solver.js';
import { t } from 'page/strings.js';

let inputs = 0;

// Reads a file as `opponent` or `judged`; `onread` hears of its name. `before` is the name of the one that was read before.
export function policyInput(bidder, onread, before = /** @type {string | null} */ (null)) {
  const id = `policy-${++inputs}`;
  const input = h('input', { type: 'file', id, accept: '.csv,.json,.npz' });
  const status = h('p', { class: 'status', role: 'status' });
  const element = h(
    'div',
    { class: 'drop' },
    h('label', { for: id }, t('policy.drop')),
    fileButton(input),
    h('p', { class: 'hint' }, t('policy.formats')),
    status,
  );
  const read = async (file) => {
    if (!file) return;
    // Allows choosing this file again after a change.
    input.value = '';
    status.classList.remove('wrong');
    status.textContent = t('policy.reading');
    // A file chosen while a game is being solved is read for that game.
    await game.settled();
    try {
      const { covers } = await game.ask({ ask: 'policy', bidder }, new Uint8Array(await file.arrayBuffer()));
      const { name } = file;
      status.textContent = t(`policy.covers.${covers[0] && covers[1] ? 'both' : covers[0] ? 'a' : 'b'}`, { name });
      await onread(name);
    } catch (error) {
      if (error instanceof Cancelled) return;
      status.classList.add('wrong');
      status.textContent = `${file.name}: ${error.message}`;
    }
  };
  input.addEventListener('change', () => read(input.files[0]));
  element.addEventListener('dragover', (event) => (event.preventDefault(), element.classList.add('over')));
  element.addEventListener('dragleave', () => element.classList.remove('over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    element.classList.remove('over');
    read(event.dataTransfer.files[0]);
  });
  status.textContent = before ?? '';
  const forget = () => {
    [input.value, status.textContent] = ['', ''];
    status.classList.remove('wrong');
  };
  return { element, forget };
}
