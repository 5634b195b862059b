// A slider for the mixture of a player's two bids, and lines for the payoff of either reply.

import { h, number, s, signed } from 'page/dom.js';
import { t } from 'page/strings.js';

export function mixer({ stage }, player) {
  const other = player === 'a' ? 'b' : 'a';
  const { matrix } = stage;
  const [own, replies] = [stage[player], stage[other]];
  const entry = (bid, reply) => (player === 'a' ? matrix[bid - 1][reply - 1] : matrix[reply - 1][bid - 1]);
  const worth = (share, reply) => share * entry(own[0].bid, reply.bid) + (1 - share) * entry(own[1].bid, reply.bid);
  const [width, height, left, right, top, bottom] = [560, 230, 36, 90, 12, 26];
  const x = (share) => left + share * (width - left - right);
  const y = (value) => top + ((2 - value) / 4) * (height - top - bottom);
  const line = (reply) =>
    s('path', { class: `line of-${other}`, d: `M${x(0)} ${y(worth(0, reply))}L${x(1)} ${y(worth(1, reply))}` });
  const secured = (share) =>
    replies
      .map((reply) => worth(share, reply))
      .reduce((one, another) => (player === 'a' ? Math.min(one, another) : Math.max(one, another)));
  const shares = Array.from({ length: 101 }, (_, index) => index / 100);
  const envelope = shares.map((share, index) => `${index ? 'L' : 'M'}${x(share)} ${y(secured(share))}`).join('');
  const dot = s('circle', { class: `of-${player}`, r: 6 });
  const upright = s('line', { class: 'now', y1: top, y2: height - bottom });
  const label = (reply) =>
    s(
      'text',
      { class: `label of-${other}`, x: x(1) + 8, y: y(worth(1, reply)) + 4 },
      t('learn.reply', { player: other.toUpperCase(), bid: reply.bid }),
    );
  const chart = s(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, class: 'curve mixer', role: 'img', 'aria-label': t('learn.chart') },
    [2, 1, 0, -1, -2].map((value) => [
      s('line', { class: value ? 'grid' : 'zero', x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      s('text', { class: 'tick', x: left - 6, y: y(value) + 4 }, signed(value)),
    ]),
    s('path', { class: `envelope of-${player}`, d: envelope }),
    replies.map(line),
    replies.map(label),
    upright,
    dot,
  );
  const slider = h('input', { type: 'range', id: 'mix', min: 0, max: 100, step: 1, value: 50 });
  const words = h('p', { class: 'readout', role: 'status' });
  const show = () => {
    const share = Number(slider.value) / 100;
    const value = secured(share);
    upright.setAttribute('x1', x(share));
    upright.setAttribute('x2', x(share));
    dot.setAttribute('cx', x(share));
    dot.setAttribute('cy', y(value));
    const each = replies.map((reply) =>
      t('learn.against', { player: other.toUpperCase(), bid: reply.bid, value: signed(worth(share, reply), 2) }),
    );
    const equal = Math.abs(worth(share, replies[0]) - worth(share, replies[1])) < 1e-9;
    const verdict = t(`learn.${equal ? 'equalised' : 'secured'}.${player}`, { value: signed(value, 2) });
    words.textContent = `${each.join('. ')}. ${verdict}`;
    slider.setAttribute(
      'aria-valuetext',
      t('learn.share', { one: own[0].bid, share: number(100 * share, 0), other: own[1].bid, rest: number(100 - 100 * share, 0) }),
    );
    caption.textContent = slider.getAttribute('aria-valuetext');
    document.documentElement.dataset.equal = String(equal);
  };
  const caption = h('span', { class: 'mix-share' });
  slider.addEventListener('input', show);
  show();
  return [
    chart,
    h('label', { for: 'mix' }, t(`learn.mix.${player}`, { player: player.toUpperCase() }), ' ', caption),
    slider,
    words,
  ];
}
