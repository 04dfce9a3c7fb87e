// llama.cpp reads the GGUF files that are written here, and continues a text like the model that they were written from.
// Its processes read: tests/judges/llama_cpp.mjs
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadCore, type TokenizerOptions } from '../../web/index.js';
import { sharedFile } from '../web/core/support.js';
import { llama2cFile } from '../web/core/llama2c-files.js';
import { fileOf } from '../web/checkpoint/checkpoint-files.js';
import { askLlamaCpp, obstacle, titled } from './programs.js';

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
  return askLlamaCpp<Written>(file, { prompt, tokens: 20 });
}

describe.skipIf(obstacle)(titled('llama.cpp'), () => {
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

  // Whatever tokenizer a model has, its file loads, and token ids go in and come out.
  const text = 'The cat\\dog né sat.\n\tOn the mat? \ufeffNo! '.repeat(30);
  const kinds: readonly (readonly [string, TokenizerOptions | null])[] = [
    ['no tokenizer', null],
    ['words', { kind: 'word' }],
    ['characters', { kind: 'character' }],
    ['some characters', { kind: 'character', vocabSize: 12 }],
    ['the bytes of a text', { kind: 'bpe', vocabSize: 60, alphabet: 'text' }],
    ['the bytes of a text without merges', { kind: 'bpe', vocabSize: 31, alphabet: 'text' }],
  ];
  const settings = {
    gpt2: { norm: 'layer-norm', biases: 'all' },
    llama: { norm: 'rms-norm', biases: 'none', positions: 'rotary', feedForward: 'swiglu' },
  } as const;
  test.each(
    kinds.flatMap(([name, options]) => (['gpt2', 'llama'] as const).map((kind) => [kind, name, options] as const)),
  )(
    'runs a %s with %s',
    async (kind, name, options) => {
      const core = await loadCore();
      const tokenizer = options && core.trainTokenizer(text, options);
      const vocabSize = tokenizer?.vocabSize ?? 9;
      const ids = tokenizer?.encode(text) ?? Uint32Array.from({ length: 400 }, (_, i) => (i * 7 + (i % 5)) % vocabSize);
      const model = { kind: 'transformer', vocabSize, dModel: 32, nLayers: 1, nHeads: 2, contextLength: 64 } as const;
      const trainer = core.createTrainer({
        model: { ...model, tying: 'tied', ...settings[kind] },
        training: { learningRate: 0.01, batchSize: 4, seed: 1 },
        tokenIds: ids,
        ...(tokenizer ? { tokenizer } : {}),
      });
      trainer.run(30);
      // A tokenizer that llama.cpp does not have is replaced by the ids.
      const isText = options !== null && options.kind !== 'word';
      const sample = options?.vocabSize === 12 ? 'tae ' : 'The né\\ \ufeff.\n\t?';
      const prompt = isText ? tokenizer!.encode(sample) : ids.slice(0, 8);
      const made = trainer.generate({ prompt, tokens: 20, temperature: 0, seed: 1 });
      const standIn = (id: number): string => 'ABCDEFGHIJ'[Number(String(id)[0])]! + String(id).slice(1);
      const asText = isText ? sample : [...prompt].map(standIn).join('');
      const found = byLlamaCpp(`${kind}-${name}`, trainer.toGguf(), asText);
      expect(found.ids).toEqual([...prompt]);
      // Of byte pairs without a byte that no text has, the last token ends a text for llama.cpp, as of characters that are not all ASCII.
      const isMerged = options?.kind === 'bpe' || (options?.kind === 'character' && options.vocabSize === undefined);
      const end = isMerged ? made.tokenIds.indexOf(vocabSize - 1) : -1;
      const continued = end < 0 ? made.tokenIds : made.tokenIds.slice(0, end);
      expect(found.made).toEqual([...continued]);
      if (isText && tokenizer!.tokens[0] !== '<unk>') expect(found.text).toBe(tokenizer!.decode(continued));
      if (!isText) expect(found.text).toBe(found.made.map(standIn).join(''));
    },
    120_000,
  );

  test('runs a Llama model with tokens that begin with U+FEFF', async () => {
    const core = await loadCore();
    const tokenizer = core.loadTokenizer(llama2cFile([' ', 'a', 'b', 'c', '\ufeff', '\ufeffa']), { format: 'llama2c' });
    const model = { kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 16, nLayers: 1, nHeads: 2 } as const;
    const trainer = core.createTrainer({
      model: { ...model, contextLength: 64, tying: 'tied', ...settings.llama },
      training: { learningRate: 0.01, batchSize: 2, seed: 1 },
      tokenIds: tokenizer.encode('abc\ufeffa'.repeat(40)),
      tokenizer,
    });
    const prompt = 'c\ufeffab\ufeffc';
    const ids = tokenizer.encode(prompt);
    const found = byLlamaCpp('feff', trainer.toGguf(), prompt);
    expect([1, ...ids]).toEqual(found.ids[0] === 1 ? found.ids : [1, ...found.ids]);
  }, 120_000);

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
