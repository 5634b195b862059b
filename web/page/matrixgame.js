// One matrix game as people write it: a table of numbers, with names of actions or without.

import { plainSigns } from 'page/state.js';
import { t } from 'page/strings.js';

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i;
const FRACTION = /^[+-]?\d+\/0*[1-9]\d*$/;

// A number as the solver reads it, or nothing: without a power of ten, digit by digit.
export function exactly(text) {
  const plain = plainSigns(text.trim());
  if (FRACTION.test(plain)) return plain.replace('+', '');
  const [, sign, whole = '', part = '', exponent = '0'] = DECIMAL.exec(plain) ?? [];
  if (whole + part === '') return undefined;
  const by = Number(exponent);
  const digits = '0'.repeat(Math.max(0, 1 - by - whole.length)) + whole + part + '0'.repeat(Math.max(0, by - part.length));
  const point = digits.length - Math.max(0, part.length - by);
  const after = digits.slice(point);
  return `${sign === '-' ? '-' : ''}${digits.slice(0, point)}${after && `.${after}`}`;
}

// The fields of a line; between semicolons and tabs a comma is a decimal one.
function fields(line, separator) {
  const parts = separator === ' ' ? line.trim().split(/\s+/) : line.split(separator);
  const plain = parts.map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
  return separator === ',' ? plain : plain.map((part) => part.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'));
}

// A table as `{a, b, payoffs}`: names of the rows and columns, and what A wins. Names are a first row or column that is not all
// numbers; without them actions are numbered.
export function readMatrix(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith('#'));
  if (!lines.length) throw new Error(t('matrix.empty'));
  const separator = ['\t', ';', ',', ' '].find((mark) => lines[0].trim().includes(mark)) ?? ' ';
  const table = lines.map((line) => fields(line, separator));
  const isName = (field) => exactly(field) === undefined;
  const corner = table[0][0] === '' && table.length > 1;
  const hasTop = corner || table[0].slice(1).some(isName) || (table[0].length === 1 && isName(table[0][0]));
  const hasLeft = corner || table.slice(hasTop ? 1 : 0).some((row) => row.length > 1 && isName(row[0]));
  const top = hasTop ? table.shift() : null;
  const left = hasLeft ? table.map((row) => row.shift()) : null;
  if (!table.length) throw new Error(t('matrix.empty'));
  const width = table[0].length;
  const payoffs = table.map((row, place) => {
    const line = place + (top ? 2 : 1);
    if (row.length !== width) throw new Error(t('matrix.width', { line, fields: row.length, width }));
    return row.map((field) => {
      const payoff = exactly(field);
      if (payoff === undefined) throw new Error(t('matrix.number', { line, field }));
      return payoff;
    });
  });
  const numbered = (length) => Array.from({ length }, (_, place) => String(place + 1));
  // The corner has no column of its own where the rows have names.
  const names = top?.slice(-width);
  if (names && names.length !== width) throw new Error(t('matrix.width', { line: 2, fields: width, width: names.length }));
  return { a: left ?? numbered(table.length), b: names ?? numbered(width), payoffs };
}

// The game as a file of the solver: one state, whose cells pay.
export function matrixFile({ a, b, payoffs }, title) {
  const cells = payoffs.map((row) => row.map((reward) => ({ to: [['1', t('matrix.end')]], reward })));
  const head = { format: 'stochastic-game', version: 1, kind: 'acyclic', start: [t('matrix.state')], title };
  const states = [
    { id: t('matrix.state'), a, b, cells },
    { id: t('matrix.end'), value: '0' },
  ];
  return [head, ...states].map((line) => `${JSON.stringify(line)}\n`).join('');
}
