import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type TextModelConfig, type Trainer, type TransformerConfig } from '../../../web/index.js';
import { readSafetensors } from './safetensors-reader.js';
import { ALL_TYINGS, smallTrainer, stream, VOCAB_SIZE } from './small-transformers.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore();
  tokenIds = stream(core);
});

const trained = (tying: TextModelConfig['tying'], model: Partial<TransformerConfig> = {}): Trainer => {
  const trainer = smallTrainer(core, tokenIds, tying, { model });
  trainer.run(12);
  return trainer;
};

/** The architecture of GPT-2 at a small size. */
const GPT2 = { norm: 'layer-norm', biases: 'all' } as const;

describe('a safetensors file', () => {
  test.each(ALL_TYINGS.map((tying) => [JSON.stringify(tying), tying] as const))(
    'has every matrix of our own model once, and lists the tied names: %s',
    (_, tying) => {
      const trainer = trained(tying);
      const { tensors, metadata } = readSafetensors(trainer.toSafetensors());
      const parameters = trainer.parameters();
      const stored = parameters.filter(({ tiedTo }) => tiedTo === null);
      expect([...tensors.keys()].sort()).toEqual(stored.map(({ name }) => name).sort());
      for (const { name, shape, tiedTo } of parameters) {
        if (tiedTo === null) {
          expect(tensors.get(name)!.shape).toEqual(shape);
          expect(tensors.get(name)!.data).toEqual(trainer.matrix(name).data);
        } else {
          expect(metadata[name]).toBe(tiedTo);
        }
      }
      expect(metadata.format).toBe('pt');
      expect(JSON.parse(metadata.config!)).toMatchObject({ kind: 'transformer', vocabSize: VOCAB_SIZE, dModel: 16 });
    },
  );

  test('of a direct path contains its matrices', () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: VOCAB_SIZE, dModel: 4, tying: 'tied' },
      training: { learningRate: 0.01, batchSize: 8, seed: 1 },
      tokenIds,
    });
    const { tensors, metadata } = readSafetensors(trainer.toSafetensors());
    expect([...tensors.keys()]).toEqual(['embedding']);
    expect(metadata.unembedding).toBe('embedding');
  });

  test.each(['tied', 'untied'] as const)('of the GPT-2 architecture has its names and layout, %s', (tying) => {
    const trainer = trained(tying, GPT2);
    const { tensors, metadata } = readSafetensors(trainer.toSafetensors());
    const layer = (i: number): string[] =>
      ['ln_1', 'attn.c_attn', 'attn.c_proj', 'ln_2', 'mlp.c_fc', 'mlp.c_proj'].flatMap((name) => [
        `transformer.h.${i}.${name}.weight`,
        `transformer.h.${i}.${name}.bias`,
      ]);
    const expected = [
      'transformer.wte.weight',
      'transformer.wpe.weight',
      ...layer(0),
      ...layer(1),
      'transformer.ln_f.weight',
      'transformer.ln_f.bias',
      ...(tying === 'untied' ? ['lm_head.weight'] : []),
    ];
    expect([...tensors.keys()].sort()).toEqual(expected.sort());
    expect(metadata['lm_head.weight']).toBe(tying === 'tied' ? 'transformer.wte.weight' : undefined);

    // GPT-2 stores linear maps inside layers as [in, out]; trainers store them as [out, in].
    const ours = trainer.matrix('layers.1.feed_forward.up.weight');
    const theirs = tensors.get('transformer.h.1.mlp.c_fc.weight')!;
    expect(theirs.shape).toEqual([ours.cols, ours.rows]);
    for (let i = 0; i < ours.rows; i++) {
      for (let j = 0; j < ours.cols; j++) {
        expect(theirs.data[j * ours.rows + i]).toBe(ours.data[i * ours.cols + j]);
      }
    }
    expect(tensors.get('transformer.h.0.attn.c_attn.weight')!.shape).toEqual([16, 48]);
    expect(tensors.get('transformer.wpe.weight')!.data).toEqual(trainer.matrix('positions').data);
  });

  test('gives the trainer’s results when read by the definition of GPT-2 alone', () => {
    const trainer = trained('tied', GPT2);
    const { tensors } = readSafetensors(trainer.toSafetensors());
    const ids = [3, 1, 4, 1, 5];
    const { data } = trainer.logits(Uint32Array.from(ids));
    gpt2Logits((name) => tensors.get(`transformer.${name}`)!.data, ids).forEach((row, i) =>
      row.forEach((logit, token) => expect(data[i * VOCAB_SIZE + token]).toBeCloseTo(logit, 4)),
    );
  });
});

/** GPT-2 in doubles with plain loops: d 16, two heads, two layers. */
function gpt2Logits(weight: (name: string) => Float32Array, ids: number[]): number[][] {
  const d = 16;
  const norm = (x: number[], name: string): number[] => {
    const mean = x.reduce((sum, v) => sum + v, 0) / d;
    const variance = x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / d;
    const [gain, bias] = [weight(`${name}.weight`), weight(`${name}.bias`)];
    return x.map((v, k) => ((v - mean) / Math.sqrt(variance + 1e-5)) * gain[k]! + bias[k]!);
  };
  const linear = (x: number[], name: string): number[] => {
    const [w, bias] = [weight(`${name}.weight`), weight(`${name}.bias`)];
    return Array.from(bias, (b, j) => x.reduce((sum, v, k) => sum + v * w[k * bias.length + j]!, b));
  };
  const gelu = (v: number): number => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)));
  const add = (a: number[], b: number[]): number[] => a.map((v, k) => v + b[k]!);

  const [wte, wpe] = [weight('wte.weight'), weight('wpe.weight')];
  let x = ids.map((id, i) => Array.from({ length: d }, (_, k) => wte[id * d + k]! + wpe[i * d + k]!));
  for (let layer = 0; layer < 2; layer++) {
    const name = `h.${layer}`;
    const qkv = x.map((row) => linear(norm(row, `${name}.ln_1`), `${name}.attn.c_attn`));
    const mixed = x.map((_, i) => {
      const out = new Array<number>(d).fill(0);
      for (let head = 0; head < 2; head++) {
        const at = (row: number, part: number, k: number): number => qkv[row]![part * d + head * 8 + k]!;
        const scores = Array.from({ length: i + 1 }, (_, j) => {
          let dot = 0;
          for (let k = 0; k < 8; k++) dot += at(i, 0, k) * at(j, 1, k);
          return Math.exp(dot / Math.sqrt(8));
        });
        const total = scores.reduce((sum, score) => sum + score, 0);
        for (let k = 0; k < 8; k++) {
          out[head * 8 + k] = scores.reduce((sum, score, j) => sum + (score / total) * at(j, 2, k), 0);
        }
      }
      return linear(out, `${name}.attn.c_proj`);
    });
    x = x.map((row, i) => add(row, mixed[i]!));
    x = x.map((row) =>
      add(row, linear(linear(norm(row, `${name}.ln_2`), `${name}.mlp.c_fc`).map(gelu), `${name}.mlp.c_proj`)),
    );
  }
  return x.map((row) => {
    const read = norm(row, 'ln_f');
    return Array.from({ length: VOCAB_SIZE }, (_, token) =>
      read.reduce((sum, v, k) => sum + v * wte[token * d + k]!, 0),
    );
  });
}

describe('a safetensors file with a tokenizer', () => {
  const text = 'New York and New Jersey, né 12. \ufeff"\\\n'.repeat(4);
  test.each([{ kind: 'word' }, { kind: 'character' }, { kind: 'bpe', vocabSize: 290 }] as const)(
    'has it in its metadata, and the same tensors: %o',
    async (options) => {
      const reading = await loadCore({ modules: ['checkpoint'] });
      const tokenizer = reading.trainTokenizer(text, options);
      const model = { ...GPT2, kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 8, nLayers: 1 } as const;
      const create = (attached: object): Trainer =>
        reading.createTrainer({
          model: { ...model, nHeads: 2, contextLength: 4, tying: 'untied' },
          training: { learningRate: 0.01, batchSize: 2, seed: 1 },
          tokenIds: tokenizer.encode(text),
          ...attached,
        });
      const [trainer, without] = [create({ tokenizer }), create({})];
      const bytes = trainer.toSafetensors();
      const [read, plain] = [readSafetensors(bytes), readSafetensors(without.toSafetensors())];
      expect(read.tensors).toEqual(plain.tensors);
      const { 'tied-embeddings.tokenizer': stored, ...metadata } = read.metadata;
      expect(metadata).toEqual(plain.metadata);
      expect(Buffer.from(stored!, 'base64')).toEqual(Buffer.from(tokenizer.save()));
      expect(new DataView(bytes.buffer).getUint32(0, true) % 8).toBe(0);

      const checkpoint = await reading.openCheckpoint(bytes);
      const again = (await checkpoint.tokenizer())!;
      expect([again.kind, again.encode(text)]).toEqual([options.kind, tokenizer.encode(text)]);
      expect(checkpoint.tokens).toHaveLength(tokenizer.vocabSize);
      const copy = await checkpoint.toTrainer();
      const continued = { prompt: 'New', tokens: 5, seed: 3 };
      expect(copy.generate(continued)).toEqual(trainer.generate(continued));
      expect(copy.toSafetensors()).toEqual(bytes);
      expect(await (await reading.openCheckpoint(without.toSafetensors())).tokenizer()).toBe(null);
    },
  );
});
