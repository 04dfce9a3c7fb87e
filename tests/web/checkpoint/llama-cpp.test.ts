/**
 * llama.cpp reads the GGUF files that are written here. Runs where TIED_LLAMA_CPP names a folder in which `npm install node-llama-cpp` was
 * run, which has the compiled program.
 */
// Its processes read: tests/reference/llama_cpp.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { loadCore } from '../../../web/index.js';

const llamaCpp = process.env['TIED_LLAMA_CPP'];
const folder = mkdtempSync(join(tmpdir(), 'tied-llama-cpp-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(llamaCpp === undefined)('llama.cpp', () => {
  test.each(
    (['tied', 'untied'] as const).flatMap((tying) => (['F32', 'F16'] as const).map((type) => [tying, type] as const)),
  )(
    'splits a text and goes on with it as a %s model of ours does that was written in %s',
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
      const file = join(folder, `${tying}-${type}.gguf`);
      writeFileSync(file, trainer.toGguf({ type }));
      const prompt = text.slice(0, 60);
      const program = [join(root, 'tests/reference/llama_cpp.mjs'), llamaCpp!, file, prompt, '20'];
      const found = JSON.parse(execFileSync(process.execPath, program, { encoding: 'utf8' })) as unknown;
      const ids = tokenizer.encode(prompt);
      const { text: written } = trainer.generate({ prompt: ids, tokens: 20, temperature: 0, seed: 1 });
      expect(found).toEqual({ ids: [...ids], text: written });
    },
    120_000,
  );
});
