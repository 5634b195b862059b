// Every sentence of the library's errors that can reach the page has a German translation: node sentences.mjs.
// The sentences are read from the sources, with samples in place of their fields.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const asModule = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const strings = asModule('export const language = () => "de";');
const { explain } = await import(asModule(read('web/page/errors.js').replace("'page/strings.js'", `'${strings}'`)));

// The errors of these enums reach the page, but for the variants listed.
const SOURCES = {
  'src/game/error.rs': {
    // The page gives words from lists of its own.
    GameError: ['Favoured', 'Unnatural', 'PlayerUnknown', 'OutcomeUnknown', 'MinBid'],
  },
  'src/error/mod.rs': {
    // The page has the precisions of its players.
    PolicyError: ['Precision'],
  },
  'src/error/stochastic_game.rs': {
    StochasticGameFault: [
      // Of games by rules in Rust or Python, and of checkpoints.
      'PayoffBound', 'Rank', 'Contradiction', 'Index', 'Symmetry', 'Checkpoint', 'RewardDenominator', 'NoWeight',
      // The page asks for no width.
      'Width',
      // The sentence is the reason alone, or begins with it; those are translated one by one.
      'Text', 'Discount',
    ], // prettier-ignore
  },
  'crates/matrix-game/src/error.rs': {
    // The page reads matrices itself, and asks for one strategy.
    MatrixError: ['File', 'ManyStrategies', 'UniquenessSyntax'],
  },
  'crates/matrix-game/src/work/error.rs': {
    // The module has one thread, and a cancelled one says nothing any more.
    WorkError: ['ThreadCount', 'Threads', 'TooManyDigits', 'Cancelled'],
  },
};

// What stands for a field, by its name or by the function that writes it.
const SAMPLES = [
  [/Quoted/, '`foo`'],
  [/memory/, '1.0 GiB'],
  [/listed/, '`x`'],
  [/legal_bids/, 'with 3 points left bids are 1 to 3'],
  [/states\(/, '2 states'],
  [/player/, 'A'],
  [/state/, '5:5@0'],
  [/reason/, 'the ball is outside every field'],
  [/lines/, 'rows of cells'],
  [/what/, 'a game of 9:9 points'],
];
const sample = (field) => SAMPLES.find(([name]) => name.test(field))?.[1] ?? '7';

// The variants of an enum with their sentences; nothing for those that wrap another error.
function sentences(source, name) {
  const body = new RegExp(`pub enum ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source);
  assert.ok(body, `there is no enum ${name}`);
  const variant = /#\[error\(\s*"((?:[^"\\]|\\[\s\S])*)"([\s\S]*?)\)\]\s*\n(?:\s*\/\/\/[^\n]*\n)*\s*(\w+)/g;
  return [...body[1].matchAll(variant)].map(([, text, rest, variant]) => {
    const written = rest.split(/,(?![^(]*\))/).map((one) => one.trim());
    const fields = written.filter(Boolean);
    const plain = text.replace(/\\\n\s*/g, '').replace(/\\"/g, '"');
    return { variant, sentence: plain.replace(/\{([^}:]*)[^}]*\}/g, (_, field) => sample(field || fields.shift() || '')) };
  });
}

const english = [];
let count = 0;
for (const [path, enums] of Object.entries(SOURCES)) {
  for (const [name, excepted] of Object.entries(enums)) {
    const found = sentences(read(path), name);
    for (const one of excepted) assert.ok(found.some(({ variant }) => variant === one), `${name} has no ${one}`);
    for (const { variant, sentence } of found) {
      if (excepted.includes(variant)) continue;
      count++;
      if (explain(sentence) === sentence) english.push(`${name}::${variant}: ${sentence}`);
    }
  }
}
assert.deepEqual(english, [], 'sentences without a translation');
assert.ok(count > 50, `only ${count} sentences were found`);
console.log(`${count} sentences have a translation`);
