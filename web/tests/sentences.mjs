// Every error of the library that can reach the page has a German sentence, which names fields that the error has: node sentences.mjs.
// Codes and fields are read from the sources.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const asModule = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const german = asModule('export const language = () => "de";');
const source = read('web/page/errors.js').replace("'page/strings.js'", `'${german}'`);
const { explain, GERMAN } = await import(asModule(source.replace('const GERMAN', 'export const GERMAN')));

// The errors of these parts reach the page, but for those listed.
const PARTS = {
  // The page gives words from lists of its own.
  game: ['favoured', 'unnatural', 'player_unknown', 'outcome_unknown', 'min_bid'],
  record: [],
  // The page has the precisions of its players.
  policy: ['precision'],
  // Of solutions and of integer weights, which the page does not read.
  bids: ['not_refined', 'weights'],
  table: [],
  line: [],
  discount: [],
  actions: [],
  // Of games by rules in Rust or Python, and of checkpoints; of widths, which the page does not ask for; of precisions, which it
  // has; of packed games, and bounds of values, which it does not read. Claims are those of a certificate or of the gate, turns
  // those of a play that was written down, reasons of the rest are English.
  stochastic_game: [
    'payoff_bound', 'rank', 'contradiction', 'index', 'symmetry', 'checkpoint', 'precision', 'reward_denominator', 'width',
    'text', 'claim', 'packed', 'turn', 'comparison', 'policy_payoff', 'unknown_game',
  ], // prettier-ignore
  // The page reads matrices itself, and asks for one strategy.
  matrix: ['file', 'many_strategies', 'uniqueness_syntax'],
  // The module has one thread, and a cancelled one says nothing any more.
  work: ['thread_count', 'threads', 'too_many_digits', 'cancelled'],
  // Faults of the page's own questions.
  page: ['question', 'no_file', 'bits', 'digest'],
};

// The codes with the fields of each, where the source names them beside the code.
const known = new Map();
for (const path of ['crates/stochastic-game/src/error/code.rs', 'src/error/code.rs']) {
  for (const [, fields, code] of read(path).matchAll(/\w+ \{ ?([\w, ]*?) ?\} => "([\w.]+)"/g)) {
    known.set(code, fields.split(', ').filter(Boolean));
  }
}
const listed = known.size;
for (const path of ['crates/matrix-game/src/error.rs', 'crates/matrix-game/src/work/error.rs', 'web/module/src/desk.rs']) {
  for (const [, code] of read(path).matchAll(/"((?:matrix|work|page)\.\w+)"/g)) known.set(code, null);
}
assert.ok(listed > 150 && known.size > listed + 15, `only ${known.size} codes were found`);

for (const [part, excepted] of Object.entries(PARTS)) {
  for (const fault of excepted) assert.ok(known.has(`${part}.${fault}`), `there is no ${part}.${fault}`);
  const codes = [...known.keys()].filter((code) => code.startsWith(`${part}.`));
  assert.ok(codes.length > 0, `there is no part ${part}`);
  const untold = codes.filter((code) => !excepted.includes(code.slice(part.length + 1)) && !GERMAN[code]);
  assert.deepEqual(untold, [], 'errors without a German sentence');
}

for (const [code, sentence] of Object.entries(GERMAN)) {
  assert.ok(known.has(code), `${code} is no code`);
  const fields = known.get(code);
  const named = typeof sentence === 'string' ? [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name) : [];
  if (fields) for (const name of named) assert.ok(fields.includes(name), `${code} has no field ${name}`);
  // With all of its fields, a sentence has no gap.
  const error = { code, message: 'English', states: ['s'] };
  for (const name of fields ?? named) error[name] ??= 1;
  const said = explain(error);
  assert.ok(said !== 'English' && !/undefined|NaN|\{|\[object/.test(said), `${code}: ${said}`);
}
console.log(`${Object.keys(GERMAN).length} errors have a German sentence`);
