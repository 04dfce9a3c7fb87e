/** Obstacles to running a model that are known before any of its tensors is read. */
import { describe, expect, test } from 'vitest';
import { parametersOf } from '../../../web/core/checkpoint/running/obstacle.js';
import { completeModel } from '../../../web/core/model/model-options.js';
import { loadCore, type TransformerConfig } from '../../../web/index.js';
import type { ModelSettings } from '../../../web/core/checkpoint/types.js';
import { blankParameters } from '../../../web/core/checkpoint/opening.js';
import { sharedFile } from '../core/support.js';
import { fileOf, ramp, rwkv, safetensors } from './checkpoint-files.js';
import { bytesOf, filesOf, json, reference, storedTensors } from './reference-models.js';

const core = await loadCore({ modules: ['checkpoint'] });
const MODELS = ['gpt2', 'llama'] as const;

describe.each(MODELS)('%s', (which) => {
  const model = reference[which];

  test.each([
    ['safetensors', filesOf(model)],
    ['GGUF', [fileOf('model.gguf', bytesOf(model.gguf))]],
  ])('as %s has no obstacle, and its parameters are those of its trainer', async (_, files) => {
    const checkpoint = await core.openCheckpoint(files);
    const notes = [...checkpoint.notes];
    expect(checkpoint.obstacle()).toBeNull();
    expect(checkpoint.notes).toEqual(notes);
    const trainer = await checkpoint.toTrainer();
    const own = blankParameters(trainer.parameters());
    const expected = parametersOf(completeModel(trainer.model)).filter(
      ({ name, isTied }) => !isTied || own.some((one) => one.name === name),
    );
    const sorted = (all: typeof own) => [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(sorted(expected)).toEqual(sorted(own));
  });

  test('without its configuration lacks settings, and has no obstacle once they are given', async () => {
    const checkpoint = await core.openCheckpoint(bytesOf(model.safetensors));
    expect(checkpoint.obstacle()).toContain('expected config.json beside it');
    const { model: full } = await (await core.openCheckpoint(filesOf(model))).toTrainer();
    const { nHeads, nKeyValueHeads, contextLength, normEpsilon, rotaryBase, feedForward } = full as TransformerConfig;
    const common = { nHeads, contextLength, normEpsilon, feedForward };
    const given = which === 'llama' ? { ...common, nKeyValueHeads, rotaryBase } : common;
    expect(checkpoint.obstacle({ model: given as ModelSettings })).toBeNull();
  });

  test('in several files is judged by the names in its index and by its configuration', async () => {
    const all = Object.entries(storedTensors(bytesOf(model.safetensors)));
    const isTable = (name: string): boolean => /wte|embed_tokens|lm_head/.test(name);
    const parts = [all.filter(([name]) => isTable(name)), all.filter(([name]) => !isTable(name))];
    const open = (rename: (name: string) => string, config: Record<string, unknown> = model.config) =>
      core.openCheckpoint([
        fileOf(
          'model.safetensors.index.json',
          json({
            weight_map: Object.fromEntries(
              parts.flatMap((part, i) => part.map(([name]) => [rename(name), `${i}.safetensors`])),
            ),
          }),
        ),
        ...parts.map((part, i) =>
          fileOf(
            `${i}.safetensors`,
            safetensors(Object.fromEntries(part.map(([name, tensor]) => [rename(name), tensor]))),
          ),
        ),
        fileOf('config.json', json(config)),
      ]);
    expect((await open((name) => name)).obstacle()).toBeNull();
    const other = (name: string): string => (isTable(name) ? name : `x.${name.replaceAll('attn', 'mixer')}`);
    expect((await open(other)).obstacle()).toContain('are not named as those of an architecture that runs here');
    const config = { ...model.config, model_type: 'qwen3' };
    expect((await open((name) => name, config)).obstacle()).toContain("model_type is 'qwen3'; expected");
  });
});

test('a trainer file has no obstacle', async () => {
  const model = { kind: 'direct-path', vocabSize: 5, dModel: 3, tying: 'tied' } as const;
  const bigramCounts = { rows: 5, cols: 5, data: new Float32Array(25).fill(1) };
  const trainer = core.createTrainer({ model, training: { learningRate: 0.1, seed: 1 }, bigramCounts });
  expect((await core.openCheckpoint(trainer.toSafetensors())).obstacle()).toBeNull();
});

test.each([
  ['RWKV', 'named as those of RWKV, which is recurrent'],
  ['a table of half bytes', "'wte' has the type F4, which cannot be decoded"],
  ['a table alone', 'are not named as those of an architecture that runs here'],
])('%s', async (what, message) => {
  const float = { dimensions: [2, 3], type: 0, data: ramp(6) };
  const bytes = {
    RWKV: rwkv({ 'emb.weight': float, 'blocks.0.att.key.weight': float, 'head.weight': float }),
    'a table of half bytes': safetensors({ wte: { shape: [3, 2], dtype: 'F4', data: new Uint8Array(3) } }),
    'a table alone': safetensors({ wte: { shape: [3, 2], data: ramp(6) } }),
  }[what]!;
  expect((await core.openCheckpoint(bytes)).obstacle()).toContain(message);
});

const microgpt = sharedFile('models/microgpt-names.json');
test.skipIf(microgpt === null)('microgpt cannot run, and its card says what it leaves out', async () => {
  const checkpoint = await core.openCheckpoint(microgpt!);
  expect(checkpoint.tokens).toEqual([...'abcdefghijklmnopqrstuvwxyz', 'BOS']);
  expect(checkpoint.obstacle()).toContain('microgpt, which normalizes the sum of its input tables and has ReLU');
  const { data } = await checkpoint.identityCard();
  expect(data.notes.join()).toContain(
    'The model also normalizes the sum of its input tables, but only W_E W_Uᵀ is measured',
  );
});

test('options are checked, and a disposed checkpoint is refused', async () => {
  const checkpoint = await core.openCheckpoint(bytesOf(reference.gpt2.gguf));
  expect(() => checkpoint.obstacle({ model: { nHeads: 0 } })).toThrow('options.model.nHeads is 0');
  expect(() => checkpoint.obstacle({ tokenIds: Uint32Array.of(1) } as object)).toThrow('tokenIds');
  checkpoint.dispose();
  expect(() => checkpoint.obstacle()).toThrow('disposed');
});
