// States, games, and both as links.

// A state as `POINTS_A:POINTS_B@BALL`.
export function parseState(text) {
  const [, a, b, ball] = /^(\d+):(\d+)@([+-]?\d+)$/.exec(text?.trim() ?? '') ?? [];
  return a === undefined ? null : { a: Number(a), b: Number(b), ball: Number(ball) };
}

export function stateText({ a, b, ball }) {
  return `${a}:${b}@${ball}`;
}

export const TENNIS = { points: [50, 50], field: 2, motion: 'net', scoring: 'two-one' };

export const sameGame = (one, other) => JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));

const canonical = ({ points, field, motion, scoring }) => ({ points, field, motion, scoring });

const SECTIONS = ['explore', 'play', 'judge', 'learn'];

// What a link's fragment says; what it leaves out is Tennis with 50 points each.
export function parseLink(fragment) {
  const [section, query = ''] = fragment.replace(/^#/, '').split('?');
  // A plus is a sign here, not a space.
  const words = new URLSearchParams(query.replaceAll('+', '%2B'));
  const points = /^(\d+):(\d+)$/.exec(words.get('points') ?? '');
  const field = Number(words.get('field'));
  const game = {
    points: points ? [Number(points[1]), Number(points[2])] : TENNIS.points,
    field: Number.isInteger(field) && field > 0 ? field : TENNIS.field,
    motion: words.get('motion') ?? TENNIS.motion,
    scoring: words.get('scoring') ?? TENNIS.scoring,
  };
  return {
    section: SECTIONS.includes(section) ? section : 'explore',
    game,
    state: parseState(words.get('state')) ?? { a: game.points[0], b: game.points[1], ball: 0 },
    language: words.get('lang'),
  };
}

// The fragment; its values have no letters that would have to be escaped.
export function linkText({ section, game, state, language }) {
  const { points, field, motion, scoring } = game;
  const words = [
    `points=${points.join(':')}`,
    `field=${field}`,
    `motion=${motion}`,
    `scoring=${scoring}`,
    `state=${stateText(state)}`,
    `lang=${language}`,
  ];
  return `#${section}?${words.join('&')}`;
}
