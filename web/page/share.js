// Something to show a friend: a link to exactly this view, and a text for it.

import { h } from 'page/dom.js';
import { game } from 'page/game.js';
import { linkText, parseState } from 'page/state.js';
import { language, t } from 'page/strings.js';

// Copies a text; false where the browser does not allow it.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // From a file on disk some browsers know only the older way.
    const field = h('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    field.value = text;
    (document.querySelector('dialog') ?? document.body).append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

// The page's public address with another fragment; nothing where the page is a file on somebody's disk.
export function address(fragment) {
  const { address } = document.documentElement.dataset;
  const served = /^https?:$/.test(location.protocol) ? location.href.split('#')[0] : null;
  const home = address ?? served;
  return home && home + fragment;
}

// A link to a played game, from a player's side.
export function gameLink(played, you) {
  const bids = played.turns.map((turn) => turn.bids.join('-')).join('.');
  const link = linkText({ section: 'play', game: game.rules, state: parseState(played.start), language: language() });
  return address(`${link}&as=${you}&bids=${bids}`);
}

// A link to a result alone; `told` is the player's information: `ball` or `bids`.
export function resultLink({ start, you, opponent, blind }, { won, turns, gave }) {
  const link = linkText({ section: 'play', game: game.rules, state: parseState(start), language: language() });
  const words = { as: you, against: opponent, told: blind ? 'ball' : 'bids', won, turns, gave };
  return address(
    `${link}&${Object.entries(words)
      .map((word) => word.join('='))
      .join('&')}`,
  );
}

// A button that shares the text of `words()`, by the device's own dialog if there is one, else by copying.
export function shareButton(label, words, id = null) {
  const said = h('span', { class: 'status', role: 'status' });
  const button = h('button', { type: 'button', id }, label);
  button.addEventListener('click', async () => {
    const text = words();
    said.textContent = '';
    if (navigator.share && matchMedia('(pointer: coarse)').matches) {
      // Closing the device's dialog is no failure.
      await navigator.share({ text }).catch(() => {});
      return;
    }
    said.textContent = (await copyText(text)) ? t('share.copied') : t('share.not');
  });
  return h('span', { class: 'share-button' }, button, ' ', said);
}
