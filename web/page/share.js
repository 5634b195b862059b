// Something to show a friend: a sentence, a symbol for each turn, and a link or a code that any copy of the page reads.

import { h, s } from 'page/dom.js';
import { game } from 'page/game.js';
import { stateOf, sameGame, stateText, TENNIS } from 'page/state.js';
import { t } from 'page/strings.js';

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
function address(fragment) {
  const { address } = document.documentElement.dataset;
  const served = /^https?:$/.test(location.protocol) ? location.href.split('#')[0] : null;
  const home = address ?? served;
  return home && home + fragment;
}

// The invitation: a link, or else the code, with what to do with it.
export const invitation = (words, fragment) => {
  const link = address(fragment);
  return link ? `${words} ${link}` : `${words} ${t('share.code')}\n${fragment}`;
};

// The fragment of a game: without language, which is the reader's own, and without what is as in Tennis.
function sharedFragment(rules, state, words) {
  const { points, field, motion, scoring, min_bid } = rules;
  const start = { a: points[0], b: points[1], ball: 0 };
  const own = sameGame({ ...rules, points: TENNIS.points }, TENNIS) ? {} : { field, motion, scoring, 'min-bid': min_bid };
  const from = stateText(state) === stateText(start) ? {} : { state: stateText(state) };
  const all = Object.entries({ points: points.join(':'), ...own, ...from, ...words });
  return `#play?${all.map((word) => word.join('=')).join('&')}`;
}

// The fragment of a played game, from a player's side.
export function gameFragment({ rules = game.rules, played, you, opponent }) {
  const bids = played.turns.map((turn) => turn.bids.join('-')).join('.');
  // A file's player is not in the link.
  const against = opponent === 'opponent' ? {} : { against: opponent };
  return sharedFragment(rules, stateOf(played.start), { as: you, ...against, bids });
}

// The fragment of a result alone; `told` is the player's information: `ball` or `bids`.
export function resultFragment({ start, you, opponent, blind }, { won, turns, gave }) {
  const words = { as: you, against: opponent, told: blind ? 'ball' : 'bids', won, turns, gave };
  return sharedFragment(game.rules, stateOf(start), words);
}

// The fragment of a game, a result or a puzzle in a text that somebody has pasted.
export const fragmentIn = (text) => /#(?:play|puzzle)\?\S*\b(?:bids|won|day)=\S+/.exec(text)?.[0];

// A bid that costs less is good, or else fair. Each symbol has a shape of its own.
const GOOD = 0.005;
const FAIR = 0.1;
const SYMBOLS = { good: '🟢', fair: '🟨', costly: '🔺' };
// The same as paths, since not every device has these letters.
export const SHAPES = { good: 'M1 8a7 7 0 1 0 14 0a7 7 0 1 0 -14 0', fair: 'M2 2h12v12h-12z', costly: 'M8 1l7.5 13.5h-15z' };
const judged = (cost) => (cost < GOOD ? 'good' : cost < FAIR ? 'fair' : 'costly');

// How good a player's bids were, turn by turn, where there was a choice.
export function judgedBids({ turns }, you, lowest = 1) {
  const own = you === 'A' ? 0 : 1;
  const chosen = turns.filter(({ state, cost }) => stateOf(state)[own ? 'b' : 'a'] > lowest && cost[own] !== null);
  return chosen.map(({ cost }) => judged(cost[own]));
}

// A symbol for each turn, in a line of text.
export const symbolText = (played, you, lowest) =>
  judgedBids(played, you, lowest)
    .map((kind) => SYMBOLS[kind])
    .join('');

// The same as a picture, with its meaning in words.
export function symbolRow(played, you, lowest) {
  const bids = judgedBids(played, you, lowest);
  const count = (kind) => bids.filter((bid) => bid === kind).length;
  const words = t('share.counts', { good: count('good'), fair: count('fair'), costly: count('costly') });
  const shape = (kind) => s('svg', { viewBox: '0 0 16 16', class: kind }, s('path', { d: SHAPES[kind] }));
  return h('p', { class: 'symbols' }, h('span', { 'aria-hidden': 'true' }, bids.map(shape)), ' ', h('small', {}, words));
}

// A button that shares the text of `words()`, by the device's own dialog if there is one, else by copying.
export function shareButton(label, words, id = '', primary = false) {
  const said = h('span', { class: 'status', role: 'status' });
  const button = h('button', { type: 'button', id, class: primary ? 'primary' : null }, label);
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
