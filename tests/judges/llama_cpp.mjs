// What llama.cpp makes of a GGUF file. usage: node llama_cpp.mjs <main file of node-llama-cpp> <file> <question>
// The question is a JSON file. { prompt, tokens } -> { ids: of the prompt, made: ids of what follows, always the most likely token,
// text: the same as text }; { texts } -> { ids: of each text }.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [program, file, asked] = process.argv.slice(2);
const { prompt, tokens, texts } = JSON.parse(readFileSync(asked, 'utf8'));
const { getLlama } = await import(pathToFileURL(program).href);
// Never downloads or compiles.
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: file });

async function continued() {
  // Several threads busy-wait for each other, which takes minutes on a busy machine.
  const context = await model.createContext({ contextSize: 64, threads: 1 });
  const ids = model.tokenize(prompt);
  const made = [];
  for await (const token of context.getSequence().evaluate(ids, { temperature: 0 })) {
    made.push(token);
    if (made.length === tokens) break;
  }
  return { ids, made, text: model.detokenize(made) };
}

const answer = texts === undefined ? await continued() : { ids: texts.map((text) => model.tokenize(text)) };
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
