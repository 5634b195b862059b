// A solver in a thread of its own: questions are answered in order, and all of it can be thrown away at any moment.

import { explain } from 'page/errors.js';

// The module is unpacked and compiled once for all threads.
/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

function compile() {
  compiled ??= (async () => {
    return WebAssembly.compile(await (await globalThis.unpack('module')).arrayBuffer());
  })();
  return compiled;
}

// The error of a question whose thread is stopped.
export class Cancelled extends Error {}

export class Solver {
  /** @type {Promise<Worker> | null} */
  #worker = null;
  #waiting = new Map();
  #questions = 0;
  /** @type {Promise<ArrayBuffer> | null} */
  #memory;

  // `memory` is a promise of another thread's memory.
  constructor(memory = /** @type {Promise<ArrayBuffer> | null} */ (null)) {
    this.#memory = memory;
  }

  // Hears how much of a long computation is done, from 0 to 1.
  /** @type {(share: number) => void} */
  onprogress = () => {};

  // The answer to a question as an object, with the array `numbers`.
  async ask(question, file = /** @type {Uint8Array | undefined} */ (undefined)) {
    return this.#send({ question, file });
  }

  // Another thread that knows all that this one knows once its questions so far are answered. It shares nothing with this one,
  // so that it can take slow questions, and be stopped.
  copy() {
    const memory = this.#send({ copy: true });
    // Callers of the copy receive the error.
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

  // Stops the current work; the next question gets a thread without a game.
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
    const source = new Blob([globalThis.packed.worker], { type: 'text/javascript' });
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
