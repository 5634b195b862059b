// What a player knows, in words and small pictures. The names of information sets are words with spaces between them: what the
// player has seen and done, in order.

import { numberCard, playingCard } from 'page/cards.js';
import { h, s } from 'page/dom.js';
import { t } from 'page/strings.js';

const RANKS = { J: 'hidden.jack', Q: 'hidden.queen', K: 'hidden.king' };
// Where the points of a die are, on a grid of 3 by 3, numbered by rows.
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const MOVES = ['pass', 'bet', 'fold', 'call', 'raise', 'liar', 'wait', 'cross', 'rest', 'patrol', 'quiet', 'dog', 'tie'];

const rank = (letter) => playingCard(letter, t(RANKS[letter]));

function die(face) {
  const points = PIPS[face].map((place) =>
    s('circle', { cx: 6 + 6 * (place % 3), cy: 6 + 6 * Math.floor(place / 3), r: 2.2, fill: 'currentColor' }),
  );
  const frame = s('rect', { x: 1, y: 1, width: 22, height: 22, rx: 4, fill: 'none', stroke: 'currentColor' });
  return s('svg', { class: 'die', viewBox: '0 0 24 24', role: 'img', 'aria-label': t('hidden.die', { face }) }, frame, points);
}

// A word as it is shown: a move by its name in the language, a bid of dice with a picture, all else as it is.
export function word(text) {
  if (MOVES.includes(text)) return [t(`hidden.move.${text}`)];
  const [, count, face] = /^(\d)x([1-6])$/.exec(text) ?? [];
  return count ? [h('span', { class: 'dice-bid' }, `${count} × `, die(Number(face)))] : [text];
}

// What a player knows, as it is read.
export const shownText = (text) => text.split(' ').map((part) => (MOVES.includes(part) ? t(`hidden.move.${part}`) : part)).join(' ');

// What a player knows, word by word.
export const wordsOf = (text) => text.split(' ').map((part, place) => [place ? ' ' : '', word(part)]);

// A line of what is known: who, or what, and what it did or is.
const line = (name, ...content) => h('li', {}, h('span', { class: 'hint' }, `${name}: `), content);

const who = (player, own) => (player === own ? t('hidden.you') : player.toUpperCase());
const other = (player) => (player === 'a' ? 'b' : 'a');

// Moves in turn, A first; a card among them is laid on the table, and A moves first again.
function inTurn(words, own) {
  let mover = 'a';
  return words.map((text) => {
    if (text in RANKS) {
      mover = 'a';
      return line(t('hidden.table'), rank(text));
    }
    const moved = mover;
    mover = other(mover);
    return line(who(moved, own), word(text));
  });
}

const READERS = {
  kuhn: ([card, ...moves], own) => [line(t('hidden.holds'), rank(card)), ...inTurn(moves, own)],
  leduc: ([card, ...moves], own) => [line(t('hidden.holds'), rank(card)), ...inTurn(moves, own)],
  'liars-dice': ([face, ...moves], own) => [line(t('hidden.rolled'), die(Number(face))), ...inTurn(moves, own)],
  // A hears something after each night of waiting; B sees nothing.
  'secret-inspection': (words, own) => {
    const nights = own === 'a' ? words.filter((_, place) => place % 2 === 0) : words;
    return nights.map((text, night) =>
      line(
        t('hidden.night', { night: night + 1 }),
        word(text),
        own === 'a' && words[2 * night + 1] ? [', ', word(words[2 * night + 1])] : '',
      ),
    );
  },
  // A prize, the own card, and who won it.
  'hidden-goofspiel': (words) =>
    words.map((text) => {
      const [, prize] = /^prize:(\d+)$/.exec(text) ?? [];
      if (prize) return line(t('hidden.prize'), numberCard(prize));
      const [, winner] = /^([AB]):won$/.exec(text) ?? [];
      if (winner || text === 'tie') return line(t('hidden.outcome'), winner ? t('hidden.won', { winner }) : word(text));
      return line(t('hidden.bid'), numberCard(text));
    }),
};

// The rules that a game's name stands for: those of liar's dice for `liars-dice-4`.
export const familyOf = (name) => name.replace(/-\d+$/, '');

// What a player knows at an information set, as a list.
export function known(game, { player, name }) {
  const words = name === '(start)' ? [] : name.split(' ');
  const reader = READERS[familyOf(game)];
  if (reader && words.length) return h('ul', { class: 'known' }, reader(words, player));
  return h('p', { class: 'known' }, words.length ? name : t('hidden.nothing'));
}
