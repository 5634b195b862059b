// The solver's thread: holds the WebAssembly module and answers questions one after the other.
// Messages in: first {module, memory}, then {id, question, file} or {id, copy}.
// Messages out: {share} while something takes long, {id, json, numbers}, {id, memory} or {id, crash}.

/** @type {any} */
let solver;
// In a thread `postMessage` takes what is handed over; the checker knows the window's.
const post = /** @type {(message: unknown, handed?: Transferable[]) => void} */ (postMessage);

function progress(share) {
  post({ share });
}

// Between two questions all that the module knows is its memory.
function start(module, memory) {
  solver = new WebAssembly.Instance(module, { env: { progress } }).exports;
  if (!memory) return;
  const more = memory.byteLength - solver.memory.buffer.byteLength;
  if (more > 0) solver.memory.grow(more / 65536);
  new Uint8Array(solver.memory.buffer).set(new Uint8Array(memory));
}

function answer(question, file) {
  const json = new TextEncoder().encode(JSON.stringify(question));
  const address = solver.reserve(json.length + file.length);
  const place = new Uint8Array(solver.memory.buffer, address, json.length + file.length);
  place.set(json);
  place.set(file, json.length);
  solver.answer(json.length);
  // Only now: memory that grows has a new buffer.
  const text = new TextDecoder().decode(new Uint8Array(solver.memory.buffer, solver.json(), solver.json_length()));
  const numbers = new Float64Array(solver.memory.buffer, solver.numbers(), solver.numbers_length()).slice();
  return { json: text, numbers };
}

onmessage = ({ data }) => {
  if (data.module) return start(data.module, data.memory);
  try {
    if (data.copy) {
      const memory = solver.memory.buffer.slice(0);
      return post({ id: data.id, memory }, [memory]);
    }
    const { json, numbers } = answer(data.question, data.file ?? new Uint8Array());
    post({ id: data.id, json, numbers }, [numbers.buffer]);
  } catch (error) {
    post({ id: data.id, crash: String(error) });
  }
};
