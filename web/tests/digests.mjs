// Digests of the solutions that a packed module computes, a line for each game: node digests.mjs FILE.wasm.gz
// They are to be those of the native program, whose example `digest` prints these lines.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const module = new WebAssembly.Module(gunzipSync(readFileSync(process.argv[2])));
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  if (`${from}.${name}` !== 'env.progress') throw new Error(`the module imports ${from}.${name}`);
}
const solver = new WebAssembly.Instance(module, { env: { progress: () => {} } }).exports;

function ask(question) {
  const json = new TextEncoder().encode(JSON.stringify(question));
  const address = solver.reserve(json.length);
  new Uint8Array(solver.memory.buffer, address, json.length).set(json);
  solver.answer(json.length);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(solver.memory.buffer, solver.json(), solver.json_length())));
}

for (let game = 0; ; game++) {
  const { game: name, digest, error } = ask({ ask: 'digest', game });
  if (error) break;
  console.log(`${digest}  ${name}`);
}
