// The last games played on this device: their losses, and where these arose.

import { card, counted, h, number, position } from 'page/dom.js';
import { game } from 'page/game.js';
import { Cancelled } from 'page/solver.js';
import { stateOf, sameGame } from 'page/state.js';
import { keep, kept } from 'page/store.js';
import { t } from 'page/strings.js';

const MOST_GAMES = 50;
const COSTLIEST = 5;

// Notes a game that is over.
export function note({ rules, start, bids, you }) {
  keep('games', [{ rules, start, bids, you }, ...(kept('games') ?? [])].slice(0, MOST_GAMES));
}

export function myGames() {
  const body = h('div', {});
  const element = card(t('mine.title'), body);
  element.id = 'my-games';
  const open = (state) => {
    game.look(stateOf(state));
    game.show('explore');
  };
  const tell = async () => {
    if (!game.rules) return;
    const mine = (kept('games') ?? []).filter(({ rules }) => sameGame(rules, game.rules));
    if (!mine.length) return body.replaceChildren(h('p', { class: 'hint' }, t('mine.none')));
    const bids = [];
    for (const { start, bids: pairs, you } of mine) {
      const { turns } = await game.ask({ ask: 'replay', start, bids: pairs });
      const own = you === 'A' ? 0 : 1;
      for (const turn of turns) {
        const ball = stateOf(turn.state).ball;
        bids.push({ state: turn.state, bid: turn.bids[own], cost: turn.cost[own], side: own ? -ball : ball });
      }
    }
    const sum = (list) => list.reduce((sum, { cost }) => sum + cost, 0);
    const sides = [...new Set(bids.map(({ side }) => side))].sort((one, other) => one - other);
    const row = (side) => {
      const here = bids.filter((bid) => bid.side === side);
      return h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          t(side < 0 ? 'own.ownSide' : side > 0 ? 'own.otherSide' : 'own.net', { field: position(side) }),
        ),
        h('td', {}, number(here.length)),
        h('td', {}, number(sum(here) / here.length, 3)),
      );
    };
    const costliest = [...bids].sort((one, other) => other.cost - one.cost).slice(0, COSTLIEST);
    body.replaceChildren(
      h(
        'p',
        { class: 'verdict', id: 'mine-sum' },
        t('mine.sum', { games: counted('games', mine.length), sum: number(sum(bids) / mine.length, 2) }),
      ),
      h(
        'table',
        { class: 'figures' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['where', 'bids', 'cost'].map((name) => h('th', { scope: 'col' }, t(`mine.${name}`))),
          ),
        ),
        h('tbody', {}, sides.map(row)),
      ),
      h('h3', {}, t('replay.costliest.own')),
      h(
        'ol',
        {},
        costliest
          .filter(({ cost }) => cost > 0)
          .map(({ state, bid, cost }) =>
            h(
              'li',
              {},
              h('button', { type: 'button', class: 'link', onclick: () => open(state) }, state),
              ` ${t('mine.costly', { bid, cost: number(cost, 3) })}`,
            ),
          ),
      ),
      h('button', { type: 'button', onclick: () => (keep('games', null), tell()) }, t('mine.forget')),
    );
  };
  const show = () => tell().catch((error) => error instanceof Cancelled || Promise.reject(error));
  return { element, show };
}
