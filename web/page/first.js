// The first screen: a short game against the amateur that begins at once. Each bid is a tap.

import { amount } from 'page/amounts.js';
import { accounts, Court } from 'page/court.js';
import { counted, h } from 'page/dom.js';
import { savePicture } from 'page/picture.js';
import { levelName } from 'page/players.js';
import { gameFragment, invitation, shareButton, symbolRow, symbolText } from 'page/share.js';
import { FREE, hitter, OPPONENT, RULES, ShortGame } from 'page/shortgame.js';
import { Cancelled } from 'page/solver.js';
import { t } from 'page/strings.js';

// The game survives a rebuild of the page in another language.
const short = new ShortGame();

// `onmore` leads to the whole game.
export function firstGame({ onmore }) {
  const court = new Court({ field: RULES.field });
  const head = h('div', {});
  const said = h('p', { class: 'first-said', role: 'status' });
  const shown = h('div', { class: 'bid-chips reveal', 'aria-hidden': 'true' });
  const place = h('div', { class: 'taps' });
  const element = h(
    'section',
    { class: 'card first-game', 'aria-label': t('first.name') },
    head,
    court.element,
    shown,
    said,
    place,
  );

  const sentence = (mine) => {
    const [own, theirs] = mine.bids;
    const cost = mine.cost[0] < FREE ? t('first.free') : t('first.cost', { amount: amount(mine.cost[0]) });
    return `${t(`first.hit.${hitter(mine.bids)}`, { own, theirs })} ${cost}`;
  };
  const chip = (player, bid) =>
    h('span', { class: `bid-chip of-${player}` }, h('span', {}, player.toUpperCase()), ' ', h('strong', {}, bid));

  // `mine` is the turn that the person has just played.
  const show = (mine = /** @type {Turn | null} */ (null)) => {
    const { a, b, ball } = short.state;
    element.dataset.turns = String(short.bids.length);
    head.replaceChildren(accounts(a, b));
    court.move(ball);
    const pair = mine?.bids ?? ['?', '?'];
    shown.replaceChildren(chip('a', pair[0]), chip('b', pair[1]));
    shown.classList.toggle('shown', mine !== null);
    said.classList.toggle('first', mine === null);
    said.textContent = mine ? sentence(mine) : t('first.rules');
    if (short.over) return end();
    const buttons = Array.from({ length: a }, (_, index) =>
      h('button', { type: 'button', class: 'tap', 'data-bid': index + 1, onclick: () => tap(index + 1) }, index + 1),
    );
    place.replaceChildren(
      h('p', { class: 'hint', id: 'tap-label' }, t('first.tap')),
      h('div', { class: 'tap-row', role: 'group', 'aria-labelledby': 'tap-label' }, buttons),
    );
  };

  const tap = async (bid) => {
    for (const button of place.querySelectorAll('button')) button.disabled = true;
    try {
      show(await short.turn(bid));
      (place.querySelector(`[data-bid="${bid}"]`) ?? place.querySelector('button')).focus();
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };

  const end = () => {
    const { given, played } = short;
    const { payoff } = played;
    const verdict = payoff > 0 ? 'play.won' : payoff < 0 ? 'play.lost' : 'play.drawn';
    const names = { points: counted('withPoints', Math.abs(payoff)), opponent: levelName(OPPONENT) };
    const won = () => t(payoff > 0 ? 'share.won' : payoff < 0 ? 'share.lost' : 'share.drawn', names);
    const fragment = gameFragment({ rules: RULES, played, you: 'A', opponent: OPPONENT });
    const text = () => [won(), symbolText(played, 'A'), invitation(t('share.beat'), fragment)].join('\n');
    place.replaceChildren(
      h(
        'p',
        { class: 'verdict', id: 'first-verdict' },
        t(verdict, names),
        ' ',
        given < FREE ? t('first.flawless') : t('first.given', { amount: amount(given) }),
      ),
      symbolRow(played, 'A'),
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', class: 'primary', id: 'first-again', onclick: () => (short.begin(), show()) }, t('play.again')),
        shareButton(t('share.game'), text, 'first-share'),
        h(
          'button',
          { type: 'button', id: 'first-picture', onclick: () => savePicture({ said: won(), played, you: 'A', rules: RULES }) },
          t('share.picture'),
        ),
        h('button', { type: 'button', id: 'first-more', onclick: onmore }, t('first.more')),
      ),
    );
  };

  const start = () => {
    if (!short.begun) short.begin();
    show();
  };
  return { element, start };
}
