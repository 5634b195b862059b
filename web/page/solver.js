// A solver in a thread of its own: questions are answered in order, and all of it can be thrown away at any moment.

// The module is unpacked and compiled once for all threads.
let compiled;

function compile() {
  compiled ??= (async () => {
    const text = document.getElementById('module').textContent.trim();
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  })();
  return compiled;
}

// What a question ends with when its thread is stopped.
export class Cancelled extends Error {}

export class Solver {
  #worker = null;
  #waiting = new Map();
  #questions = 0;

  // Hears how much of a solve is done, from 0 to 1.
  onprogress = () => {};

  // The answer to a question as an object, with the array `numbers`.
  async ask(question, file) {
    const worker = await (this.#worker ??= this.#start());
    const id = ++this.#questions;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, question, file });
    });
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
    worker?.then((worker) => worker.terminate());
    for (const { reject } of this.#waiting.values()) reject(new Cancelled());
    this.#waiting.clear();
  }

  async #start() {
    const module = await compile();
    const source = new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' });
    const address = URL.createObjectURL(source);
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.postMessage({ module });
    return worker;
  }

  #hear({ share, id, json, numbers, crash }) {
    if (share !== undefined) return this.onprogress(share);
    const { resolve, reject } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (crash) {
      // A module that was stopped in the middle of its work is of no more use.
      this.cancel();
      return reject?.(new Error(crash));
    }
    const answer = JSON.parse(json);
    if (answer.error) reject?.(new Error(answer.error));
    else resolve?.({ ...answer, numbers });
  }
}
