// Where the endgame begins: the points that force the best end by pure play, as a frontier to move along.

import { css, inkOn, valueColour } from 'page/colours.js';
import { card, h, number, position, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { GridMap } from 'page/gridmap.js';
import { stateText } from 'page/state.js';
import { t } from 'page/strings.js';

// The interesting part is near the empty accounts.
const MOST = 24;

const UNDECIDED = { light: [226, 222, 211], dark: [58, 62, 70] };

export function frontier() {
  const body = h('div', {});
  const element = card(t('frontier.title'), h('p', {}, t('frontier.intro')), body);
  /** @type {Float64Array | null} */
  let built = null;

  const build = async () => {
    if (!game.decided || game.section !== 'learn' || built === game.decided) return;
    const { decided } = game;
    built = decided;
    const { field, points } = game.rules;
    const [mostA, mostB] = points.map((most) => Math.min(most, MOST));
    const ball = h(
      'select',
      { id: 'frontier-ball' },
      Array.from({ length: 2 * field + 1 }, (_, index) =>
        h('option', { value: index - field, selected: index === field + 1 }, position(index - field)),
      ),
    );
    const words = h('p', { class: 'readout', role: 'status' });
    const opponent = h('input', { type: 'range', id: 'frontier-opponent', min: 0, max: mostB, value: 3 });
    const at = (a, b) => decided[game.place({ a, b, ball: Number(ball.value) })];
    const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;
    const undecided = () =>
      UNDECIDED[(document.documentElement.dataset.theme ?? (dark() ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light'];
    const map = new GridMap({
      rows: { from: 0, to: mostA, name: t('where.pointsA') },
      columns: { from: 0, to: mostB, name: t('where.pointsB') },
      upward: true,
      name: t('frontier.title'),
      colour: (a, b) => (Number.isNaN(at(a, b)) ? undecided() : valueColour(at(a, b), game.mostPayoff)),
      group: (a, b) => (Number.isNaN(at(a, b)) ? null : at(a, b)),
      text: (a, b) =>
        `${stateText({ a, b, ball: Number(ball.value) })}: ${
          Number.isNaN(at(a, b)) ? t('where.mixed') : t('frontier.forced', { value: signed(at(a, b)) })
        }`,
      onmove: (a, b) => {
        opponent.value = b;
        opponent.setAttribute('aria-valuetext', b);
      },
      onpick: (a, b) => {
        game.look({ a, b, ball: Number(ball.value) });
        game.show('explore');
      },
      most: 440,
    });
    let needed = null;
    const follow = () => {
      const b = Number(opponent.value);
      const least = needed?.[0][b] ?? null;
      const best = signed(Math.max(...game.summary.payoffs));
      words.textContent =
        least === null || least > mostA
          ? t('frontier.never', { b, best, most: mostA })
          : t('frontier.needs', { b, a: least, best });
      map.moveTo(least === null ? mostA : Math.min(least, mostA), b);
    };
    const ask = async () => {
      const answer = await game.ask({ ask: 'endgame', ball: Number(ball.value) });
      ({ needed } = answer);
      map.paint();
      follow();
      summary.textContent = t('frontier.summary', { decided: number(answer.decided_states), to: answer.decided_to });
    };
    const summary = h('p', { class: 'hint' });
    ball.addEventListener('change', ask);
    opponent.addEventListener('input', follow);
    const payoffs = [...new Set(game.summary.payoffs)].sort((one, other) => one - other);
    const key = (colour, text) =>
      h('span', { class: 'chip', style: `background: ${css(colour)}; color: ${inkOn(colour)}` }, text);
    body.replaceChildren(
      h(
        'div',
        { class: 'fields' },
        h('div', {}, h('label', { for: ball.id }, t('judge.ball')), ball),
        h('div', {}, h('label', { for: opponent.id }, t('frontier.opponent')), opponent),
      ),
      words,
      h(
        'p',
        { class: 'chips' },
        payoffs.map((payoff) => key(valueColour(payoff, game.mostPayoff), signed(payoff))),
        key(undecided(), t('where.mixed')),
      ),
      map.element,
      summary,
    );
    await ask();
  };
  return { element, build };
}
