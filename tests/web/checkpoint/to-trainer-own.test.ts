/** Models of this project's own trainers open again. */
import { describe, expect, test } from 'vitest';
import { loadCore, type Trainer, type TransformerConfig } from '../../../web/index.js';

const core = await loadCore({ modules: ['checkpoint'] });

describe('a file written by a trainer opens again with the same bits', () => {
  const tokenIds = Uint32Array.from({ length: 120 }, (_, i) => (i * 7 + (i % 3)) % 11);
  const base = { kind: 'transformer', vocabSize: 11, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 6 } as const;
  const gpt2 = { norm: 'layer-norm', biases: 'all', dFeedForward: 20 } as const;
  const llama = {
    norm: 'rms-norm',
    biases: 'none',
    positions: 'rotary',
    rotaryBase: 700,
    feedForward: 'swiglu',
  } as const;
  const models: [string, TransformerConfig][] = [
    ['GPT-2’s names', { ...base, ...gpt2, tying: 'tied' }],
    ['GPT-2’s names, untied', { ...base, ...gpt2, tying: 'untied' }],
    ['own names', { ...base, ...llama, tying: 'untied', nKeyValueHeads: 1, normEpsilon: 3e-6 }],
    ['a correction', { ...base, tying: 'tied-low-rank', lowRank: 3, outputBias: true, embeddingScale: 'sqrt-d-model' }],
    ['a map', { ...base, tying: 'tied-linear', positions: 'none', finalNorm: false }],
  ];

  test.each(models)('%s', async (_, model) => {
    const trainer = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 5 }, tokenIds });
    trainer.run(7);
    const again = await (await core.openCheckpoint(trainer.toSafetensors())).toTrainer();
    expect(again.model).toEqual(trainer.model);
    expectSame(again, trainer);
    expect(again.logits(tokenIds.subarray(0, 6))).toEqual(trainer.logits(tokenIds.subarray(0, 6)));
  });

  test('a direct path', async () => {
    const model = { kind: 'direct-path', vocabSize: 5, dModel: 3, tying: 'untied' } as const;
    const bigramCounts = { rows: 5, cols: 5, data: new Float32Array(25).fill(1) };
    const trainer = core.createTrainer({ model, training: { learningRate: 0.1, seed: 1 }, bigramCounts });
    expectSame(await (await core.openCheckpoint(trainer.toSafetensors())).toTrainer(), trainer);
  });

  test('a damaged configuration is refused', async () => {
    const trainer = core.createTrainer({
      model: models[2]![1],
      training: { learningRate: 0.01, batchSize: 2, seed: 5 },
      tokenIds,
    });
    const text = Buffer.from(trainer.toSafetensors()).toString('latin1');
    const damaged = new Uint8Array(Buffer.from(text.replace('\\"nHeads\\":2', '\\"nHeads\\":3'), 'latin1'));
    await expect((await core.openCheckpoint(damaged)).toTrainer()).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('its configuration cannot be used: model.nHeads is 3') as string,
    });
  });

  test.each([
    ['gpt2.attention.head_count', 1, 'expected 2'],
    ['gpt2.attention.head_count_kv', 1, 'expected 2'],
    ['gpt2.feed_forward_length', 7, 'expected 20'],
    ['gpt2.context_length', 3, 'expected 6'],
    ['gpt2.block_count', 9, 'expected 2'],
    ['gpt2.embedding_length', 16, 'expected 8'],
    ['gpt2.vocab_size', 12, 'expected 11'],
    ['llama.rope.freq_base', 10_000, 'expected 700'],
    ['llama.attention.layer_norm_rms_epsilon', 1, 'expected 0.000003'],
    ['llama.attention.head_count_kv', 2, 'expected 1'],
  ])('a GGUF whose %s was changed to %d by another program is refused', async (key, value, expected) => {
    const model = key.startsWith('gpt2') ? models[1]![1] : models[2]![1];
    const trainer = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 5 }, tokenIds });
    const bytes = trainer.toGguf();
    // A key's length, then its bytes, the type of its value, the value.
    const at = Buffer.from(bytes).indexOf(`${key}\x04\0\0\0`, 'latin1');
    const isFloat = at < 0;
    const place = (isFloat ? Buffer.from(bytes).indexOf(`${key}\x06\0\0\0`, 'latin1') : at) + key.length + 4;
    const view = new DataView(bytes.buffer);
    if (isFloat) view.setFloat32(place, value, true);
    else view.setUint32(place, value, true);
    const checkpoint = await core.openCheckpoint(bytes);
    const refused = {
      code: 'bad-file',
      message: expect.stringMatching(new RegExp(`${key} of .* is ${value}; ${expected}`)) as string,
    };
    await expect(checkpoint.toTrainer()).rejects.toMatchObject(refused);
    expect(checkpoint.obstacle()).toMatch(new RegExp(`${key} of .* is ${value}; ${expected}`));
  });

  test('a revoked proxy is refused by name', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    await expect(async () => core.openCheckpoint(proxy as never)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(/^source is .*; expected bytes, a Blob, a list of Files, or a URL$/) as string,
    });
  });

  function expectSame(a: Trainer, b: Trainer): void {
    expect(a.parameters()).toEqual(b.parameters());
    for (const { name } of b.parameters()) expect(a.matrix(name)).toEqual(b.matrix(name));
  }
});
