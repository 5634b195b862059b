// The solver's thread: holds the WebAssembly module and answers questions one after the other.
// Messages in: first {module}, then {id, question, file}.
// Messages out: {share} while something takes long, {id, json, numbers} or {id, crash}.

let solver;

function progress(share) {
  postMessage({ share });
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
  if (data.module) {
    solver = new WebAssembly.Instance(data.module, { env: { progress } }).exports;
    return;
  }
  try {
    const { json, numbers } = answer(data.question, data.file ?? new Uint8Array());
    postMessage({ id: data.id, json, numbers }, [numbers.buffer]);
  } catch (error) {
    postMessage({ id: data.id, crash: String(error) });
  }
};
