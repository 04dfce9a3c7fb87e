// What llama.cpp writes with a GGUF file. usage: node llama_cpp.mjs <folder with node-llama-cpp> <file> <prompt> <tokens>
// -> { ids: of the prompt, made: ids of what follows, always the most likely token, text: the same as text }
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, file, prompt, tokens] = process.argv.slice(2);
const found = createRequire(join(folder, 'index.js')).resolve('node-llama-cpp');
const { getLlama } = await import(pathToFileURL(found).href);
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath: file });
// Several threads busy-wait for each other, which takes minutes on a busy machine.
const context = await model.createContext({ contextSize: 64, threads: 1 });
const ids = model.tokenize(prompt);
const made = [];
for await (const token of context.getSequence().evaluate(ids, { temperature: 0 })) {
  made.push(token);
  if (made.length === Number(tokens)) break;
}
process.stdout.write(JSON.stringify({ ids, made, text: model.detokenize(made) }), () => process.exit(0));
