// Files of trained models describe their contents: configurations, weights in two precisions, and a text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import type { Lab, LabTokenizer, LabTrainer, TransformerConfig } from '../../../web/core/types.js';
import { openTwins, twinConfigs, twinKinds, type TwinKind } from '../../../web/elements/shared/model-twins.js';
import { configsField, contentOf, type ModelConfigs } from '../../../web/elements/shared/models-file.js';
import { writeModelsFile, type WrittenModels } from '../../../web/elements/shared/models-file-writer.js';
import { createLab } from '../../../web/worker/lab.js';

const text = 'the cat sat on the mat, and the dog sat on the cat; the hen ran to the den. '.repeat(20);
let lab: Lab;
let tokenizer: LabTokenizer;
let ids: Uint32Array;
beforeAll(async () => {
  lab = await createLab();
  tokenizer = await lab.trainTokenizer(text, { kind: 'character' });
  ids = await tokenizer.encode(text);
});
afterAll(() => lab.dispose());

type Change = Partial<TransformerConfig>;

/** A pair of models after a few steps. */
async function trained(change: Change = {}): Promise<Record<TwinKind, LabTrainer>> {
  const [tied, untied] = await Promise.all(
    twinKinds.map(async (tying) => {
      const trainer = await lab.createTrainer({
        model: {
          ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 12, nLayers: 1, nHeads: 3 },
          ...{ contextLength: 10, tying, ...change },
        } as TransformerConfig,
        training: { learningRate: 0.01, batchSize: 2, seed: 3 },
        tokenIds: ids,
      });
      await trainer.run(5);
      return trainer;
    }),
  );
  return { tied: tied!, untied: untied! };
}

const written = (models: Record<TwinKind, LabTrainer>, change: Partial<WrittenModels> = {}): Promise<Uint8Array> =>
  writeModelsFile({ models, tokenizer, precision: 'F32', ...change });

/** The file with changed configurations. */
function withConfigs(file: Uint8Array, change: (configs: Record<string, TransformerConfig>) => object): Uint8Array {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as {
    __metadata__: Record<string, string>;
  };
  const configs = JSON.parse(header.__metadata__[configsField]!) as Record<string, TransformerConfig>;
  header.__metadata__[configsField] = JSON.stringify(change(configs));
  const json = new TextEncoder().encode(JSON.stringify(header));
  const changed = new Uint8Array(8 + json.length + file.length - 8 - length);
  new DataView(changed.buffer).setBigUint64(0, BigInt(json.length), true);
  changed.set(json, 8);
  changed.set(file.subarray(8 + length), 8 + json.length);
  return changed;
}

describe('a file of trained models', () => {
  it.each<[string, Change]>([
    ['other numbers of layers and heads', { nLayers: 2, nHeads: 2 }],
    ['rotary positions', { positions: 'rotary', nHeads: 2 }],
    ['no positions', { positions: 'none' }],
    ['other norms, biases and feed-forwards', { norm: 'layer-norm', biases: 'all', feedForward: 'swiglu' }],
    ['a bias for each token', { outputBias: true }],
    ['more width than tokens', { dModel: 48 }],
  ])('restores models with %s to the bit', async (_, change) => {
    const models = await trained(change);
    const pair = await openTwins(lab, await written(models), 'other');
    const some = ids.slice(0, 10);
    expect(pair.contextLength).toBe(10);
    for (const kind of twinKinds) {
      expect(await pair.trainers[kind].logits(some)).toEqual(await models[kind].logits(some));
      const { after, before, predicted } = await pair.read(kind, some);
      expect([after.cols, before.cols]).toEqual([models[kind].model.dModel, models[kind].model.dModel]);
      expect(predicted).toHaveLength(10);
      // Logits are products of the states after the norm with the rows of the output table.
      const table = await models[kind].matrix(kind === 'tied' ? 'embedding' : 'unembedding');
      const bias = change.outputBias ? (await models[kind].matrix('output_bias')).data[5]! : 0;
      const row = table.data.subarray(5 * table.cols, 6 * table.cols);
      const product = row.reduce((sum, one, at) => sum + one * after.data[at]!, bias);
      expect(product).toBeCloseTo((await models[kind].logits(some)).data[5]!, 4);
    }
    pair.dispose();
    for (const kind of twinKinds) models[kind].dispose();
  });

  it('may contain a text, and has half as many bytes in half precision', async () => {
    const models = await trained();
    const whole = await written(models, { text: { training: ids.slice(0, 300), heldOut: ids.slice(300, 333) } });
    const pair = await openTwins(lab, whole, 'other');
    expect(pair.text).toEqual({ training: ids.slice(0, 300), heldOut: ids.slice(300, 333) });
    pair.dispose();
    const half = await written(models, { precision: 'F16' });
    expect(contentOf(half).text).toBeNull();
    const rounded = await openTwins(lab, half, 'other');
    const [exact, near] = [await models.tied.matrix('embedding'), rounded.tables.tied];
    expect(near.data).not.toEqual(exact.data);
    exact.data.forEach((value, at) => {
      expect(Math.abs(near.data[at]! - value)).toBeLessThanOrEqual(2 ** -11 * Math.abs(value) + 2 ** -25);
    });
    rounded.dispose();
    for (const kind of twinKinds) models[kind].dispose();
  });

  it('is refused with a sentence if its contents do not match its description', async () => {
    const models = await trained();
    const file = await written(models);
    const changes: ((configs: Record<string, TransformerConfig>) => object)[] = [
      ({ untied }) => ({ untied }),
      ({ tied, untied }) => ({ tied: { ...tied, tying: 'tied-linear' }, untied }),
      ({ tied, untied }) => ({ tied: { ...tied, kind: 'direct-path' }, untied }),
      ({ tied, untied }) => ({ tied: { ...tied, vocabSize: 2 ** 24 }, untied }),
      ({ tied, untied }) => ({ tied: { ...tied, nLayers: 2 }, untied }),
      ({ tied, untied }) => ({ tied, untied: { ...untied, nHeads: 5 } }),
    ];
    for (const change of changes) {
      await expect(openTwins(lab, withConfigs(file, change), 'not it')).rejects.toThrow('not it');
    }
    await openTwins(
      lab,
      withConfigs(file, (configs) => configs),
      'not it',
    ).then(({ dispose }) => {
      dispose();
    });
    for (const kind of twinKinds) models[kind].dispose();
  });

  it('without configurations has learned positions and the usual numbers of layers and heads', () => {
    const shipped = readFileSync(join(root, 'web/article/assets/finished-transformers.safetensors'));
    const told = contentOf(Uint8Array.from(shipped));
    expect(told.text).toBeNull();
    const sizes = { kind: 'transformer', vocabSize: 1180, dModel: 48, contextLength: 64 };
    expect(twinConfigs({ ...told, configs: null })).toEqual({
      tied: { ...sizes, tying: 'tied' },
      untied: { ...sizes, tying: 'untied' },
    });
    const configs: ModelConfigs = { tied: { ...sizes, tying: 'untied' } as TransformerConfig };
    expect(() => twinConfigs({ ...told, configs })).toThrow('no tied transformer');
  });
});
