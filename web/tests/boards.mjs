// Compares the games on boards, which the page makes from their rules, with the gallery's files, byte by byte: node boards.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const source = readFileSync(new URL('../page/boards.js', import.meta.url), 'utf8');
const { gameFile } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
for (const name of ['pursuit', 'soccer']) {
  const text = gunzipSync(readFileSync(new URL(`../../assets/games/${name}.jsonl.gz`, import.meta.url))).toString();
  globalThis.packed = { games: { [name]: text.slice(0, text.indexOf('\n') + 1) } };
  const [made, kept] = [gameFile(name), text].map((text) => text.split('\n'));
  kept.forEach((line, place) => assert.equal(made[place], line, `${name}, line ${place + 1}`));
  assert.equal(made.length, kept.length, name);
  console.log(`${name}: ${kept.length} lines`);
}
