// States, games, and both as links.

// Signs as people type and copy them.
export const plainSigns = (text) => text.replace(/[−–‒]/g, '-');

// A state as `POINTS_A:POINTS_B@BALL`.
/** @returns {State | null} */
export function parseState(text) {
  const [, a, b, ball] = /^(\d+):(\d+)@([+-]?\d+)$/.exec(plainSigns(text?.trim() ?? '')) ?? [];
  return a === undefined ? null : { a: Number(a), b: Number(b), ball: Number(ball) };
}

// A state as the solver writes it.
export function stateOf(text) {
  const state = parseState(text);
  if (!state) throw new Error(`${text} is no state`);
  return state;
}

/** @param {State} state */
export function stateText({ a, b, ball }) {
  return `${a}:${b}@${ball}`;
}

// The largest game that the page solves, in its form and in links.
export const MOST_POINTS = 400;
export const MOST_FIELD = 20;

/** @type {Rules} */
export const TENNIS = { points: [50, 50], field: 2, motion: 'net', scoring: 'two-one', min_bid: 1 };

export const sameGame = (one, other) => JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));

const canonical = ({ points, field, motion, scoring, min_bid = 1 }) => ({ points, field, motion, scoring, min_bid });

export const SECTIONS = ['welcome', 'play', 'puzzle', 'explore', 'judge', 'learn', 'games'];

// The shown step of the lesson.
export const shownLesson = { step: 1 };

// The shown game of other rules, and its state.
/** @type {{ name: string | null, at: string | null }} */
export const shownGame = { name: null, at: null };

const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

function number(text) {
  const plain = plainSigns(text);
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

// The parser of each word of a link, which returns nothing for a wrong word, and a description of right ones.
const WORDS = {
  points: {
    right: '50, 30:40',
    most: MOST_POINTS,
    // One number is for both, as for the program.
    read(text) {
      const [, a, b = a] = /^(\d{1,4})(?::(\d{1,4}))?$/.exec(text) ?? [];
      const points = [a, b].map(Number);
      return points.every((number) => number > 0 && number <= MOST_POINTS) ? points : undefined;
    },
  },
  field: {
    right: '2',
    most: MOST_FIELD,
    read: (text) => (/^\d{1,2}$/.test(text) && Number(text) > 0 && Number(text) <= MOST_FIELD ? Number(text) : undefined),
  },
  motion: { right: 'net, step', read: (text) => (['net', 'step'].includes(text) ? text : undefined) },
  // The solver checks the scoring.
  scoring: { right: 'two-one', read: (text) => plainSigns(text).replaceAll(' ', '') || undefined },
  'min-bid': { right: '0, 1', read: (text) => (/^[01]$/.test(text) ? Number(text) : undefined) },
  state: { right: '4:3@-2', read: (text) => parseState(text) ?? undefined },
  // A played game: the bids of A and B, turn by turn, from the state on, and whose game it was.
  bids: {
    right: '5-10.15-10',
    read: (text) => (/^\d+-\d+(\.\d+-\d+)*$/.test(text) ? text.split('.').map((turn) => turn.split('-').map(Number)) : undefined),
  },
  as: { right: 'A, B', read: (text) => (['A', 'B'].includes(text) ? text : undefined) },
  // A result without its game: the player's payoff, the opponent, the number of turns, and the loss.
  won: { right: '2', read: number },
  against: {
    right: 'optimal',
    read: (text) => (/^(optimal|uniform|person|opponent|(simple|quantal|lookahead):[\w:.]+)$/.test(text) ? text : undefined),
  },
  turns: { right: '9', read: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined) },
  gave: { right: '0.25', read: number },
  told: { right: 'bids, ball', read: (text) => (['bids', 'ball'].includes(text) ? text : undefined) },
  // A game of other rules, by its name in the page, and a state of it.
  game: { right: 'soccer', read: (text) => text || undefined },
  at: { right: 'hidden', read: (text) => text || undefined },
  step: { right: '1, 5', read: (text) => (/^[1-5]$/.test(text) ? Number(text) : undefined) },
  day: { right: '2026-11-22', read: (text) => (isDay(text) ? text : undefined) },
  lang: { right: 'en, de', read: (text) => (['en', 'de'].includes(text) ? text : undefined) },
};

// Parses a link's fragment; the default is Tennis with 50 points each. `wrong` lists the invalid words.
export function parseLink(fragment) {
  const [section, query = ''] = fragment.replace(/^#/, '').split('?');
  // A plus is a sign here, not a space.
  const words = new URLSearchParams(query.replaceAll('+', '%2B'));
  const wrong = [];
  /** @type {any} */
  const read = {};
  for (const [word, text] of words) {
    const form = WORDS[word];
    const value = form?.read(text);
    if (value === undefined) wrong.push({ said: `${word}=${text}`, right: form ? `${word}=${form.right}` : null, most: form?.most });
    else read[word] = value;
  }
  const known = SECTIONS.includes(section);
  if (section && !known) wrong.push({ said: `#${section}`, right: `#${SECTIONS.slice(1).join(', #')}` });
  const { points, field, motion, scoring, min_bid } = { ...TENNIS, ...read, min_bid: read['min-bid'] ?? TENNIS.min_bid };
  const start = { a: points[0], b: points[1], ball: 0 };
  const { state = start } = read;
  const inside = state.a <= points[0] && state.b <= points[1] && Math.abs(state.ball) <= field;
  // A state outside a game that is wrong itself needs no sentence of its own.
  const otherGame = wrong.some(({ said }) => /^(points|field)=/.test(said));
  if (!inside && !otherGame) wrong.push({ said: `state=${words.get('state')}`, right: `state=${stateText(start)}` });
  return {
    section: known ? section : 'explore',
    game: { points, field, motion, scoring, min_bid },
    state: inside ? state : start,
    // Without their state the bids mean nothing.
    bids: inside ? (read.bids ?? null) : null,
    as: read.as ?? 'A',
    against: read.against ?? null,
    result: read.won === undefined ? null : { ...read, as: read.as ?? 'A', against: read.against ?? 'optimal' },
    day: read.day ?? null,
    step: read.step ?? null,
    any: read.game ? { name: read.game, at: read.at } : null,
    language: read.lang,
    wrong,
  };
}

// The fragment; its values have no letters that would have to be escaped. `day` is that of the puzzle, if it is not today's.
export function linkText({ section, game, state, language, day }) {
  const { name, at } = shownGame;
  if (section === 'games' && name) {
    const escaped = [name, String(at)].map((text) => encodeURIComponent(text));
    return `#games?game=${escaped[0]}&at=${escaped[1]}&lang=${language}`;
  }
  const { points, field, motion, scoring, min_bid } = game;
  const words = [
    `points=${points.join(':')}`,
    `field=${field}`,
    `motion=${motion}`,
    `scoring=${scoring}`,
    ...(min_bid === 0 ? ['min-bid=0'] : []),
    `state=${stateText(state)}`,
    ...(section === 'learn' && shownLesson.step > 1 ? [`step=${shownLesson.step}`] : []),
    ...(section === 'puzzle' && day ? [`day=${day}`] : []),
    `lang=${language}`,
  ];
  return `#${section}?${words.join('&')}`;
}
