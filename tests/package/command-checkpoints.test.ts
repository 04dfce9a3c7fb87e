// The command's `evaluate`, `generate` and `train --from` with checkpoints of other programs, against the package's own verbs.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLab } from '../../web/index.js';
import type { Lab, LabTokenizer, LabTrainer } from '../../web/index.js';
import { expectRefused, runCommand, type Ended } from './command-run.js';
import { packPackage, type PackedPackage } from './packed.js';

const text = 'New York is old and new Jersey is new. '.repeat(60);
let packed: PackedPackage;
let lab: Lab;
let trainer: LabTrainer;
let tokenizer: LabTokenizer;
let folder: string;
const run = (...words: string[]): Ended => runCommand(packed, words, { cwd: folder });
const put = (name: string, bytes: Uint8Array | string): void => writeFileSync(join(folder, name), bytes);

beforeAll(async () => {
  packed = packPackage();
  lab = await createLab();
  tokenizer = await lab.trainTokenizer(text, { kind: 'bpe', vocabSize: 262 });
  trainer = await lab.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 16, nLayers: 1, nHeads: 2, contextLength: 16 },
      ...{ tying: 'tied', norm: 'layer-norm', biases: 'all' },
    },
    training: { learningRate: 0.01, batchSize: 4, seed: 1 },
    tokenIds: await tokenizer.encode(text),
    tokenizer,
  });
  await trainer.run(20);
});
afterAll(() => {
  lab.dispose();
  packed.remove();
});
beforeEach(async () => {
  folder = mkdtempSync(join(packed.folder, 'checkpoint-'));
  put('text.txt', text);
  put('model.gguf', await trainer.toGguf());
});

describe('a GGUF file that contains its tokenizer', () => {
  test('is evaluated with the loss of the verb', async () => {
    const { loss, bitsPerByte } = await trainer.evaluate(await tokenizer.encode(text));
    const { status, stdout, stderr } = run('evaluate', 'model.gguf', 'text.txt', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ loss, bitsPerByte });
  });

  test('generates the text of the verb', async () => {
    const { text: written } = await trainer.generate({ prompt: 'New', tokens: 20, seed: 5 });
    const words = ['generate', 'model.gguf', 'New', '--tokens', '20', '--seed', '5'];
    expect(run(...words)).toMatchObject({ status: 0, stdout: `New${written!}\n` });
  });

  test('is trained further and saved as GGUF, from which training continues', () => {
    const more = ['--steps', '30', '--learning-rate', '0.01', '--quiet', '--json'];
    const first = run('train', 'text.txt', '--from', 'model.gguf', '--out', 'on.gguf', ...more);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    const { evaluation } = JSON.parse(first.stdout) as { evaluation: { loss: number } };
    const before = JSON.parse(run('evaluate', 'model.gguf', 'text.txt', '--json').stdout) as { loss: number };
    expect(evaluation.loss).toBeLessThan(before.loss);
    expect(readFileSync(join(folder, 'on.gguf')).subarray(0, 4).toString()).toBe('GGUF');
    expect(run('train', 'text.txt', '--from', 'on.gguf', '--out', 'third.tied', ...more).status).toBe(0);
    expect(run('train', 'text.txt', '--from', 'third.tied', '--out', 'fourth.tied', ...more).status).toBe(0);
  });
});

test('a direct path is trained further with batches of its kind, from a trainer and from weights', async () => {
  const few = ['--kind', 'direct-path', '--d-model', '4', '--steps', '2', '--quiet'];
  for (const file of ['path.tied', 'path.safetensors']) {
    expect(run('train', 'text.txt', ...few, '--out', file)).toMatchObject({ status: 0, stderr: '' });
    const more = ['--from', file, '--steps', '2', '--quiet', '--overwrite', '--out', 'on.tied'];
    expect(run('train', 'text.txt', ...more, '--shards', '20')).toMatchObject({ status: 0, stderr: '' });
    const { training } = await lab.loadTrainer(readFileSync(join(folder, 'on.tied')));
    expect(training).toMatchObject({ batchSize: 256, shards: 20 });
  }
});

describe('the command refuses', () => {
  test('to train a model further whose head has the order of another text', () => {
    put('config.json', JSON.stringify({ model: { dModel: 8, nLayers: 1, head: { kind: 'sampled', samples: 3 } } }));
    const made = run('train', 'text.txt', '--config', 'config.json', '--steps', '1', '--quiet', '--out', 'drawn.tied');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expectRefused(
      run('train', 'text.txt', '--from', 'drawn.tied', '--quiet'),
      /drawn\.tied: model\.head\.kind is 'sampled'; expected 'full': other heads have the order of tokens of the text/,
    );
  });

  const path = new URL('../reference/checkpoint_models.json', import.meta.url);
  const { gpt2 } = JSON.parse(readFileSync(path, 'utf8')) as { gpt2: { safetensors: string; config: object } };

  test('a model without a tokenizer, and one without settings', () => {
    put('other.safetensors', Buffer.from(gpt2.safetensors, 'base64'));
    expectRefused(run('generate', 'other.safetensors', 'New'), /other\.safetensors.*nHeads.*config\.json/);
    put('config.json', JSON.stringify(gpt2.config));
    expectRefused(
      run('generate', 'other.safetensors', 'New'),
      /other\.safetensors has no tokenizer; expected --tokenizer FILE/,
    );
    expectRefused(run('train', 'text.txt', '--from', 'other.safetensors', '--quiet'), /has no tokenizer/);
  });

  test('sizes for a model that already has sizes', () => {
    expectRefused(
      run('train', 'text.txt', '--from', 'model.gguf', '--d-model', '8', '--quiet'),
      /--from was given with --d-model; expected only --n-heads, /,
    );
    put('sized.json', JSON.stringify({ model: { nLayers: 2 } }));
    expectRefused(
      run('train', 'text.txt', '--from', 'model.gguf', '--config', 'sized.json', '--quiet'),
      /--from was given with model\.nLayers of sized\.json; expected only/,
    );
    expectRefused(run('train', 'text.txt', '--from', 'none.gguf', '--quiet'), /none\.gguf/);
  });
});
