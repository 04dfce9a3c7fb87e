// What verbs of the command do with models of hidden tokens, and with other models that a verb does not take: before they write or train.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../command/main.mjs';
import { loadCore, type ModelConfig } from '../../../web/index.js';
import { ownFolder, rowOf, runWhole } from './run-check.js';

const core = await loadCore({ modules: ['models', 'stories', 'checkpoint'] });
const { folder, put } = ownFolder();
const story = core.writeStories({ seed: 1, length: 4000 });
const text = put('story.txt', story);
const run = (...words: string[]) => runWhole(main, ...words);
const tokenizer = core.trainTokenizer(story, { kind: 'character' });
const tokenIds = tokenizer.encode(story);

const sizes = { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 } as const;
function trained(model: Partial<ModelConfig>) {
  const trainer = core.createTrainer({
    model: { ...sizes, vocabSize: tokenizer.vocabSize, tying: 'tied', ...model } as ModelConfig,
    training: { learningRate: 0.01, batchSize: 2, seed: 1 },
    tokenIds,
    tokenizer,
  });
  trainer.run(4);
  return trainer;
}

describe.each(['masked', 'masked-diffusion'] as const)('%s', (objective) => {
  const trainer = trained({ objective });
  const files = ['tied', 'safetensors'].map((ending) =>
    put(`${objective}.${ending}`, ending === 'tied' ? trainer.save() : trainer.toSafetensors()),
  );
  const because = `model.objective is '${objective}'; expected 'next-token': this needs a model that predicts what follows`;

  test.each(files)('of %s: verbs that need another refuse it in one line, and write nothing before', async (file) => {
    for (const words of [
      ['generate', file, 'One', '--tokens', '3'],
      ['recover', file],
      ['check', file, '--text', text],
    ]) {
      const { code, out, err } = await run(...words);
      expect({ code, out }, words.join(' ')).toEqual({ code: 64, out: '' });
      expect(err).toMatch(/^tied-embeddings: .*\n$/);
      expect(err).toContain(because);
    }
    const { code, out } = await run('evaluate', file, text, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ tokens: trainer.evaluate(tokenIds).tokens });
  });

  test.each(['model.gguf', 'folder/'])('is not trained for %s', async (name) => {
    const out = join(folder, objective, name);
    const words = ['--d-model', '8', '--n-layers', '1', '--n-heads', '2', '--steps', '1000000'];
    const architecture = ['--norm', 'layer-norm', '--biases', 'all', '--objective', objective];
    const { code, err } = await run('train', text, '--out', out, ...words, ...architecture, '--quiet');
    expect({ code, err }).toEqual({
      code: 64,
      err: `tied-embeddings: ${because.replace('model.objective', '--objective')}\n`,
    });
    expect(existsSync(out) || existsSync(`${out}.state`)).toBe(false);
  });
});

test('what generate writes begins with the prompt, also if no token follows', async () => {
  const file = put('next.tied', trained({}).save());
  for (const tokens of ['0', '5']) {
    const { code, out } = await run('generate', file, 'One', '--tokens', tokens);
    expect(code).toBe(0);
    expect(out).toMatch(tokens === '0' ? /^One\n$/ : /^One[^]{5}\n$/);
  }
});

test('a tying that changes is told in words', async () => {
  const found = await run('check', put('changing.tied', trained({ tying: { untieAtStep: 2 } }).save()));
  expect(rowOf(found, 'model')).toBe('transformer, 1 layer, tied up to step 2, then untied, step 4');
});

test('a verb that runs models does not ask for the names of tables, for which it has no flag', async () => {
  const { data } = core
    .createTrainer({
      model: { kind: 'direct-path', vocabSize: 5, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.01, seed: 1 },
      bigramCounts: { rows: 5, cols: 5, data: new Float32Array(25).fill(1) },
    })
    .matrix('embedding');
  const header = JSON.stringify({ rows_of_words: { dtype: 'F32', shape: [5, 2], data_offsets: [0, 40] } });
  const bytes = Buffer.alloc(8 + header.length + 40);
  bytes.writeBigUInt64LE(BigInt(header.length));
  bytes.write(header, 8);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, 40), 8 + header.length);
  const file = put('unknown.safetensors', bytes);
  for (const words of [
    ['evaluate', file, text],
    ['generate', file],
    ['recover', file],
  ]) {
    const { code, err } = await run(...words);
    expect(code).toBe(64);
    expect(err).toMatch(/expected a model of the architecture of GPT-2 or Llama\n$/);
  }
});
