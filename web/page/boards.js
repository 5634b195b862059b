// The games of the gallery that are played on a board, from their rules: as files they would be a tenth of the page. Tests compare
// them with the files, byte by byte.

// A square such as b3: its column and its row, from 0.
const square = (column, row) => 'abcde'[column] + (row + 1);
const column = (name) => name.charCodeAt(0) - 97;
const row = (name) => Number(name[1]) - 1;
const squares = (columns, rows) =>
  Array.from({ length: columns * rows }, (_, place) => square(Math.floor(place / rows), place % rows));

// The board, highest row first; `on` gives the letter on a square, if there is one.
function picture(columns, rows, on) {
  const lines = Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_, right) => on(square(right, rows - 1 - down)) ?? '.').join(' '),
  );
  return `${lines.join('\n')}\n`;
}

const STEPS = { up: [0, 1], down: [0, -1], left: [-1, 0], right: [1, 0], stand: [0, 0] };

// The position after the step of one player, 0 for A or 1 for B: A's and B's square and the ball, or the end.
function soccerStep(position, own, [right, up]) {
  if (position.length === 1) return position;
  const [mine, other, ball] = [position[own], position[1 - own], position[2]];
  const me = 'AB'[own];
  const [x, y] = [column(mine) + right, row(mine) + up];
  if (ball === me && x === (own ? -1 : 5) && (y === 1 || y === 2)) return [`${me} scores`];
  if (x < 0 || x > 4 || y < 0 || y > 3) return position;
  const to = square(x, y);
  if (to === mine) return position;
  // Who steps onto the other's square loses the ball, and no one moves.
  if (to === other) return [position[0], position[1], ball === me ? 'AB'[1 - own] : ball];
  const had = ball === `@${to}` ? me : ball;
  return own ? [other, to, had] : [to, other, had];
}

function soccerCell(position, a, b) {
  const aFirst = soccerStep(soccerStep(position, 0, a), 1, b).join(' ');
  const bFirst = soccerStep(soccerStep(position, 1, b), 0, a).join(' ');
  return {
    to:
      aFirst === bFirst
        ? [['1', aFirst]]
        : [
            ['1/2', aFirst],
            ['1/2', bFirst],
          ],
  };
}

function* soccer() {
  const [names, steps] = [Object.keys(STEPS), Object.values(STEPS)];
  const all = squares(5, 4);
  for (const b of all) {
    for (const a of all.filter((square) => square !== b)) {
      for (const ball of ['@c2', '@c3', 'A', 'B']) {
        if (ball === `@${a}` || ball === `@${b}`) continue;
        const on = (square) =>
          ({ [`@${square}`]: 'o' })[ball] ?? { [b]: ball === 'B' ? 'B' : 'b', [a]: ball === 'A' ? 'A' : 'a' }[square];
        yield {
          id: `${a} ${b} ${ball}`,
          a: names,
          b: names,
          cells: steps.map((own) => steps.map((other) => soccerCell([a, b, ball], own, other))),
          picture: picture(5, 4, on),
        };
      }
    }
  }
  yield { id: 'A scores', value: '1' };
  yield { id: 'B scores', value: '-1' };
}

// The squares that a king comes to, or stays on, row by row.
function kingMoves(from) {
  const near = (to) => Math.abs(column(to) - column(from)) <= 1 && Math.abs(row(to) - row(from)) <= 1;
  return squares(5, 5)
    .filter(near)
    .sort((one, other) => row(one) - row(other));
}

function* pursuit() {
  const all = squares(5, 5);
  for (const b of all) {
    // The file has its states in the order of their last words.
    if (b === 'd1') yield { id: 'caught', value: '1' };
    for (const a of all.filter((square) => square !== b)) {
      const [own, other] = [kingMoves(a), kingMoves(b)];
      const caught = (one, two) => one === two || (one === b && two === a);
      yield {
        id: `${a} ${b}`,
        a: own,
        b: other,
        cells: own.map((one) => other.map((two) => ({ to: [['1', caught(one, two) ? 'caught' : `${one} ${two}`]] }))),
        picture: picture(5, 5, (square) => ({ [b]: 'B', [a]: 'A' })[square]),
      };
    }
  }
}

const BOARDS = { soccer, pursuit };

// The file of a game that is packed in the page: of a game on a board its first line is packed, and the states are made.
export function gameFile(name) {
  const text = globalThis.packed.games[name];
  const states = Object.hasOwn(BOARDS, name) ? [...BOARDS[name]()].map((state) => `${JSON.stringify(state)}\n`) : [];
  return text + states.join('');
}
