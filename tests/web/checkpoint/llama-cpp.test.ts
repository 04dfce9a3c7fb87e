/**
 * llama.cpp reads the GGUF files that are written here. Runs if TIED_LLAMA_CPP names a folder in which `npm install node-llama-cpp` was
 * run, which installs the compiled program.
 */
// Its processes read: tests/reference/llama_cpp.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { loadCore } from '../../../web/index.js';
import { sharedFile } from '../core/support.js';
import { fileOf } from './checkpoint-files.js';

const llamaCpp = process.env['TIED_LLAMA_CPP'];
const folder = mkdtempSync(join(tmpdir(), 'tied-llama-cpp-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Written {
  readonly ids: readonly number[];
  readonly made: readonly number[];
  readonly text: string;
}
function byLlamaCpp(name: string, model: Uint8Array, prompt: string): Written {
  const file = join(folder, `${name}.gguf`);
  writeFileSync(file, model);
  const program = [join(root, 'tests/reference/llama_cpp.mjs'), llamaCpp!, file, prompt, '20'];
  return JSON.parse(execFileSync(process.execPath, program, { encoding: 'utf8' })) as Written;
}

describe.skipIf(llamaCpp === undefined)('llama.cpp', () => {
  test.each(
    (['tied', 'untied'] as const).flatMap((tying) => (['F32', 'F16'] as const).map((type) => [tying, type] as const)),
  )(
    'splits and continues a text the same as our %s model written in %s',
    async (tying, type) => {
      const core = await loadCore();
      const text = core.writeStories({ seed: 1, length: 20_000 });
      const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 400, alphabet: 'bytes' });
      const trainer = core.createTrainer({
        model: {
          ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 64, nLayers: 2, nHeads: 4 },
          ...{ contextLength: 64, tying, norm: 'layer-norm', biases: 'all' },
        },
        training: { learningRate: 0.003, batchSize: 8, seed: 1 },
        tokenIds: tokenizer.encode(text),
        tokenizer,
      });
      trainer.run(60);
      const prompt = text.slice(0, 60);
      const ids = tokenizer.encode(prompt);
      const { tokenIds: made, text: written } = trainer.generate({ prompt: ids, tokens: 20, temperature: 0, seed: 1 });
      const found = byLlamaCpp(`${tying}-${type}`, trainer.toGguf({ type }), prompt);
      expect(found).toEqual({ ids: [...ids], made: [...made], text: written });
    },
    120_000,
  );

  const [model, vocabulary] = [sharedFile('models/stories260k.bin'), sharedFile('tokenizers/llama2c-tok512.bin')];
  test.runIf(model && vocabulary).each(['F32', 'F16'] as const)(
    'reads stories260k, a Llama model, as written in %s',
    async (type) => {
      const core = await loadCore({ modules: ['checkpoint'] });
      const files = [fileOf('stories260k.bin', model!), fileOf('tok512.bin', vocabulary!)];
      const trainer = await (await core.openCheckpoint(files)).toTrainer();
      const prompt = 'Once upon a time, there was';
      const tokenizer = core.loadTokenizer(vocabulary!, { format: 'llama2c' });
      const ids = tokenizer.encode(prompt);
      const { tokenIds: made } = trainer.generate({ prompt: ids, tokens: 20, temperature: 0, seed: 1 });
      const found = byLlamaCpp(`stories260k-${type}`, trainer.toGguf({ type }), prompt);
      expect(found).toMatchObject({ ids: [...ids], made: [...made] });
      expect(tokenizer.decode(made).trim()).toBe(found.text);
    },
    120_000,
  );
});
