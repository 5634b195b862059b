// A solver in a thread of its own: questions are answered in order, and all of it can be thrown away at any moment.

import { explain } from 'page/errors.js';

// The module is unpacked and compiled once for all threads.
let compiled;

function compile() {
  compiled ??= (async () => {
    const { textContent, dataset } = document.getElementById('module');
    const packed = bytesOf(textContent.trim(), Number(dataset.length));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  })();
  return compiled;
}

// The bytes that letters stand for: two letters for 13 bits, the letters being those from `#` to `~` without `<`.
function bytesOf(text, length) {
  const bytes = new Uint8Array(length);
  const digit = (place) => text.charCodeAt(place) - (text[place] < '<' ? 35 : 36);
  let [rest, bits, filled] = [0, 0, 0];
  for (let place = 0; place < text.length; place += 2) {
    rest = (rest << 13) | (91 * digit(place) + digit(place + 1));
    for (bits += 13; bits >= 8 && filled < length; rest &= (1 << bits) - 1) bytes[filled++] = rest >> (bits -= 8);
  }
  return bytes;
}

// What a question ends with when its thread is stopped.
export class Cancelled extends Error {}

export class Solver {
  #worker = null;
  #waiting = new Map();
  #questions = 0;
  #memory;

  // `memory` promises what another thread knows.
  constructor(memory = null) {
    this.#memory = memory;
  }

  // Hears how much of a long computation is done, from 0 to 1.
  onprogress = () => {};

  // The answer to a question as an object, with the array `numbers`.
  async ask(question, file) {
    return this.#send({ question, file });
  }

  // Another thread that knows all that this one knows once its questions so far are answered. It shares nothing with this one,
  // so that it can be asked what takes long, and stopped.
  copy() {
    const memory = this.#send({ copy: true });
    // Who asks the copy hears of it.
    memory.catch(() => {});
    return new Solver(memory);
  }

  // Starts the thread before there is a question.
  warm() {
    this.#worker ??= this.#start();
  }

  get busy() {
    return this.#waiting.size > 0;
  }

  // Stops whatever is going on; the next question meets a thread that knows of no game.
  cancel() {
    const worker = this.#worker;
    this.#worker = null;
    worker?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    for (const { reject } of this.#waiting.values()) reject(new Cancelled());
    this.#waiting.clear();
    this.#memory = null;
  }

  async #send(message) {
    const id = ++this.#questions;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const start = (this.#worker ??= this.#start());
    start.then(
      (worker) => this.#worker === start && worker.postMessage({ ...message, id }),
      (error) => this.#fail(id, error),
    );
    return answer;
  }

  #fail(id, error) {
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  async #start() {
    const [module, memory] = await Promise.all([compile(), this.#memory]);
    const source = new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.postMessage({ module, memory }, memory ? [memory] : []);
    return worker;
  }

  #hear({ share, id, json, numbers, memory, crash }) {
    if (share !== undefined) return this.onprogress(share);
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (crash) {
      // A module that was stopped in the middle of its work is of no more use.
      this.cancel();
      return reject?.(new Error(crash));
    }
    if (memory) return resolve?.(memory);
    const answer = JSON.parse(json);
    if (answer.error) reject?.(new Error(explain(answer.error)));
    else resolve?.({ ...answer, numbers });
  }
}
