// The door: a game that begins at once, and behind it the result, the whole game, and the rules in four pictures.

import { Court } from 'page/court.js';
import { card, h } from 'page/dom.js';
import { firstGame } from 'page/first.js';
import { game } from 'page/game.js';
import { dialog } from 'page/notice.js';
import { ladderForm } from 'page/players.js';
import { describe } from 'page/rules.js';
import { sameGame, TENNIS } from 'page/state.js';
import { t } from 'page/strings.js';
import { table } from 'page/table.js';

// Each picture: the bids that lie on the table, and where the ball goes from and to; 3 is out beyond B.
/** @typedef {{ name: string, from: number, to?: number, bids: Pair<number | string>, points?: boolean }} RulePicture */

/** @type {RulePicture[]} */
const PICTURES = [
  { name: 'bid', from: 0, bids: ['?', '?'] },
  { name: 'hit', from: 0, to: 1, bids: [7, 4] },
  { name: 'out', from: 2, to: 3, bids: [9, 6] },
  { name: 'end', from: -1, bids: [0, 0], points: true },
];

// The rules in four pictures, each with a sentence.
export function rulesPictures() {
  /** @param {RulePicture} picture */
  const picture = ({ name, from, to, bids, points }, index) => {
    const court = new Court({ field: 2, small: true });
    court.move(to ?? from, t(`how.${name}.picture`));
    if (to !== undefined) court.flight(from, to);
    const chip = (player, bid) =>
      h('span', { class: `bid-chip of-${player}` }, h('span', {}, player.toUpperCase()), ' ', h('strong', {}, bid));
    return h(
      'li',
      { class: 'rule' },
      h('h3', {}, `${index + 1}. ${t(`how.${name}.title`)}`),
      h(
        'div',
        { class: 'bid-chips', 'aria-hidden': 'true' },
        chip('a', bids[0]),
        points ? h('span', { class: 'hint' }, t('how.left')) : null,
        chip('b', bids[1]),
      ),
      court.element,
      h('p', {}, t(`how.${name}.text`)),
    );
  };
  return h('ol', { class: 'rule-pictures' }, PICTURES.map(picture));
}

// The pictures show Tennis; the shown game may have other rules.
function differs() {
  if (!game.rules || sameGame({ ...TENNIS, points: game.rules.points }, game.rules)) return null;
  const zero = game.rules.min_bid === 0 ? ` ${t('rules.zero')}` : '';
  return h('p', { class: 'verdict', id: 'rules-differ' }, t('how.differs', { rules: describe(game.rules) }), zero);
}

// The rules, from anywhere.
export function openRules() {
  return dialog({
    title: t('how.title'),
    content: [rulesPictures(), h('p', {}, t('how.strength')), differs()],
    buttons: [{ text: t('close'), value: '', primary: true }],
    wide: true,
  });
}

export function welcome() {
  // A game that goes on is not given up for the choice that was made before.
  const begin = async (opponent, changed) => {
    if ((changed || !table.chosen) && !(await table.set({ opponent }))) return;
    game.show('play', true);
  };
  const summary = h('summary', {}, t('welcome.more'));
  const more = h(
    'details',
    { class: 'card', id: 'more' },
    summary,
    h('p', { class: 'result' }, t('welcome.result')),
    h('p', { class: 'lead' }, t('welcome.lead')),
    h(
      'div',
      { class: 'enter' },
      ladderForm({ id: 'enter-play', text: t('welcome.play'), onchoice: begin }),
      h('button', { type: 'button', id: 'enter-explore', onclick: () => game.show('explore') }, t('welcome.explore')),
    ),
  );
  const open = () => {
    more.open = true;
    more.scrollIntoView({ block: 'start' });
    summary.focus();
  };
  const first = firstGame({ onmore: open });
  const element = h(
    'div',
    { class: 'welcome' },
    h('h2', { class: 'hidden' }, t('first.name')),
    first.element,
    more,
    card(t('how.title'), rulesPictures(), h('p', {}, t('how.strength'))),
  );
  const start = () => game.section === 'welcome' && first.start();
  return { element, start, listeners: { section: start } };
}
