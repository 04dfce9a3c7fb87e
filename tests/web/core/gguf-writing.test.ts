/**
 * GGUF files of trainers, read by our own reader and by an independent one in Python (tests/reference/gguf_reader.py), which follows
 * the description of the format.
 */
// Its processes read: tests/reference/gguf_reader.py
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Tokenizer, type Trainer, type TransformerConfig } from '../../../web/index.js';
import { halfBits } from '../../../web/core/half.js';
import { sharedFile } from './support.js';

const core = await loadCore({ modules: ['checkpoint'] });
const reader = fileURLToPath(new URL('../../reference/gguf_reader.py', import.meta.url));

interface Read {
  values: Record<string, unknown>;
  kinds: Record<string, number>;
  tensors: Record<string, { shape: number[]; type: number; values: [number, number, number, number] }>;
  padding: number;
}
function readByPython(bytes: Uint8Array): Read {
  const { stdout, stderr, status } = spawnSync('python3', [reader], { input: bytes, maxBuffer: 2 ** 28 });
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout.toString()) as Read;
}

const base = { kind: 'transformer', vocabSize: 11, dModel: 8, nLayers: 2, nHeads: 2, contextLength: 6 } as const;
const gpt2 = { ...base, norm: 'layer-norm', biases: 'all', dFeedForward: 20, tying: 'tied' } as const;
const llama = {
  ...base,
  ...{
    norm: 'rms-norm',
    biases: 'none',
    positions: 'rotary',
    rotaryBase: 700,
    feedForward: 'swiglu',
    nKeyValueHeads: 1,
  },
  ...{ normEpsilon: 3e-6, tying: 'untied' },
} as const satisfies TransformerConfig;
const tokenIds = Uint32Array.from({ length: 120 }, (_, i) => (i * 7 + (i % 3)) % 11);
const trained = (model: TransformerConfig, tokenizer?: Tokenizer): Trainer => {
  const training = { learningRate: 0.01, batchSize: 2, seed: 5 };
  const ids = tokenIds.map((id) => id % model.vocabSize);
  const trainer = core.createTrainer({ model, training, tokenIds: ids, ...(tokenizer ? { tokenizer } : {}) });
  trainer.run(3);
  return trainer;
};

async function expectSame(
  bytes: Uint8Array,
  trainer: Trainer,
  rounded = (value: number): number => value,
): Promise<void> {
  const again = await (await core.openCheckpoint(bytes)).toTrainer();
  expect(again.model).toEqual({
    ...trainer.model,
    ...(typeof trainer.model.tying === 'string' ? {} : { tying: again.model.tying }),
  });
  expect(again.parameters()).toEqual(trainer.parameters());
  for (const { name, shape } of trainer.parameters()) {
    const { data } = trainer.matrix(name);
    const isPlain = shape.length === 1 || name === 'positions';
    expect(again.matrix(name).data).toEqual(isPlain ? data : data.map(rounded));
  }
}

/** The value of a half (16 bits), by definition of the format. */
function halfOf(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

describe('F32 and F16', () => {
  test.each([
    ['gpt2', gpt2],
    ['llama', llama],
    ['gpt2', { ...gpt2, tying: { untieAtStep: 2 } }],
    [
      'tied-embeddings',
      { ...base, tying: 'tied-low-rank', lowRank: 3, outputBias: true, embeddingScale: 'sqrt-d-model' },
    ],
    ['tied-embeddings', { ...llama, norm: 'layer-norm' }],
  ] as const)('files of %s %o open again with the same values', async (architecture, model) => {
    const trainer = trained(model as TransformerConfig);
    const bytes = trainer.toGguf();
    await expectSame(bytes, trainer);
    await expectSame(trainer.toGguf({ type: 'F16' }), trainer, (value) => halfOf(halfBits(value)));
    expect(readByPython(bytes).values['general.architecture']).toBe(architecture);
  });

  test('files give another reader what llama.cpp asks for', () => {
    const trainer = trained(llama);
    const { values, kinds, tensors, padding } = readByPython(trainer.toGguf({ type: 'F16' }));
    expect(padding).toBeLessThan(32);
    expect(values).toMatchObject({
      'general.architecture': 'llama',
      'general.file_type': 1,
      'llama.vocab_size': 11,
      'llama.context_length': 6,
      'llama.embedding_length': 8,
      'llama.block_count': 2,
      'llama.feed_forward_length': 32,
      'llama.attention.head_count': 2,
      'llama.attention.head_count_kv': 1,
      'llama.rope.dimension_count': 4,
      'llama.rope.freq_base': 700,
      'tokenizer.ggml.model': 'none',
    });
    expect(values['llama.attention.layer_norm_rms_epsilon']).toBeCloseTo(3e-6, 12);
    expect(kinds).toMatchObject({ 'llama.context_length': 4, 'llama.rope.freq_base': 6, 'general.architecture': 8 });
    expect(Object.keys(tensors).sort()).toEqual(
      [
        ...['token_embd.weight', 'output.weight', 'output_norm.weight'],
        ...[0, 1].flatMap((layer) =>
          ['attn_norm', 'attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_norm', 'ffn_gate', 'ffn_up', 'ffn_down'].map(
            (name) => `blk.${layer}.${name}.weight`,
          ),
        ),
      ].sort(),
    );
    // Contiguous dimension first.
    expect(tensors['blk.0.attn_k.weight']).toMatchObject({ shape: [8, 4], type: 1 });
    expect(tensors['blk.1.ffn_down.weight']).toMatchObject({ shape: [32, 8], type: 1 });
    expect(tensors['output_norm.weight']).toMatchObject({ shape: [8], type: 0 });
    const keys = trainer.matrix('layers.0.attention.query_key_value.weight').data.subarray(64, 96);
    expect(tensors['blk.0.attn_k.weight']!.values[1]).toBe(halfOf(halfBits(keys[0]!)));
    expect(tensors['blk.0.attn_k.weight']!.values[2]).toBe(halfOf(halfBits(keys[31]!)));
  });

  test('files of GPT-2 have its names, and one table if it is tied', () => {
    const trainer = trained(gpt2);
    const { tensors, values } = readByPython(trainer.toGguf());
    expect(values['gpt2.attention.layer_norm_epsilon']).toBeCloseTo(1e-5, 12);
    expect(tensors).not.toHaveProperty('output.weight');
    expect(tensors['position_embd.weight']).toMatchObject({ shape: [8, 6], type: 0 });
    expect(tensors['blk.0.attn_qkv.weight']!.shape).toEqual([8, 24]);
    expect(tensors['blk.0.attn_qkv.bias']!.shape).toEqual([24]);
    const sum = trainer.matrix('embedding').data.reduce((all, value) => all + value, 0);
    expect(tensors['token_embd.weight']!.values[3]).toBeCloseTo(sum, 6);
  });

  test('files of a lab equal those of a core, and report progress', async () => {
    const lab = await createLab();
    const trainer = trained(llama);
    const remote = await lab.loadTrainer(trainer.save());
    const fractions: number[] = [];
    const bytes = await remote.toGguf({ type: 'F16', onProgress: (fraction) => fractions.push(fraction) });
    expect(bytes).toEqual(trainer.toGguf({ type: 'F16' }));
    expect(fractions.at(-1)).toBe(1);
    lab.dispose();
  });

  test('files of other types are refused, and so are weights that F16 cannot represent', () => {
    const trainer = trained(gpt2);
    expect(() => trainer.toGguf({ type: 'Q8_0' as never })).toThrow(
      "options.type is 'Q8_0'; expected one of 'F32' or 'F16'",
    );
    const matrix = trainer.matrix('embedding');
    matrix.data[3] = 70_000;
    trainer.setMatrix('embedding', matrix);
    expect(() => trainer.toGguf({ type: 'F16' })).toThrow('embedding has 70000; expected at most 65504 in F16');
    expect(trainer.toGguf().length).toBeGreaterThan(0);
  });
});

test('halves are rounded to nearest, ties to even', () => {
  // Every half, and values between it and the next. Compared without expect, since 160,000 assertions take seconds.
  const wrong: { value: number; found: number; expected: number }[] = [];
  const check = (value: number, expected: number): void => {
    const found = halfBits(value);
    if (found !== expected) wrong.push({ value, found, expected });
  };
  for (let bits = 0; bits < 0x7bff; bits++) {
    const [value, next] = [halfOf(bits), halfOf(bits + 1)];
    const middle = (value + next) / 2;
    check(value, bits);
    check(-value, bits | 0x8000);
    check(middle, bits + (bits & 1));
    check(middle - (next - value) / 1024, bits);
    check(middle + (next - value) / 1024, bits + 1);
  }
  expect(wrong).toEqual([]);
  expect(halfBits(65_519)).toBe(0x7bff);
  expect(halfBits(65_520)).toBe(0x7c00);
  expect(halfBits(1e-9)).toBe(0);
  expect(halfBits(NaN) & 0x7fff).toBeGreaterThan(0x7c00);
});

describe('a file contains a tokenizer', () => {
  const text = 'New York and New Jersey, né 12.\n'.repeat(4);
  const bpe = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 270 });
  const withTokenizer = (tokenizer: Tokenizer): Trainer =>
    trained({ ...gpt2, vocabSize: tokenizer.vocabSize }, tokenizer);

  test('of bytes and merges', async () => {
    const { values } = readByPython(withTokenizer(bpe).toGguf());
    const tokens = values['tokenizer.ggml.tokens'] as string[];
    const merges = values['tokenizer.ggml.merges'] as string[];
    expect(values).toMatchObject({ 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'gpt-2' });
    expect(tokens).toHaveLength(270);
    expect(tokens[0x20]).toBe('Ġ');
    expect(tokens[0x41]).toBe('A');
    // Merge i makes token 256 + i.
    expect(merges.map((merge) => merge.replace(' ', ''))).toEqual(tokens.slice(256));
    expect(new Set(values['tokenizer.ggml.token_type'] as number[])).toEqual(new Set([1]));
    const checkpoint = await core.openCheckpoint(withTokenizer(bpe).toGguf());
    expect(checkpoint.tokens!.slice(256)).toEqual(tokens.slice(256));
    const again = await checkpoint.tokenizer();
    expect(again!.encode(text)).toEqual(bpe.encode(text));
    const trainer = await checkpoint.toTrainer();
    expect(trainer.generate({ prompt: 'New', tokens: 3, seed: 1 }).text).not.toBe(null);
  });

  test.each(['word', 'character'] as const)('of kind %s as a list', (kind) => {
    const tokenizer = core.trainTokenizer(text, { kind });
    const { values } = readByPython(withTokenizer(tokenizer).toGguf());
    expect(values['tokenizer.ggml.model']).toBe('none');
    expect(values['tokenizer.ggml.tokens']).toHaveLength(tokenizer.vocabSize);
    expect(values['tokenizer.ggml.tokens']).toContain(kind === 'word' ? 'York' : 'é');
  });

  const vocabulary = sharedFile('tokenizers/llama2c-tok512.bin');
  test.runIf(vocabulary)('of llama2.c with scores', async () => {
    const tokenizer = core.loadTokenizer(vocabulary!, { format: 'llama2c' });
    const bytes = withTokenizer(tokenizer).toGguf();
    const { values } = readByPython(bytes);
    const list = <T>(key: string): T[] => values[`tokenizer.ggml.${key}`] as T[];
    const [tokens, scores, types] = [list<string>('tokens'), list<number>('scores'), list<number>('token_type')];
    expect(values['tokenizer.ggml.model']).toBe('llama');
    expect(tokens.slice(0, 4)).toEqual(['<unk>', '<s>', '</s>', '<0x00>']);
    expect(tokens[403]).toBe('▁Once');
    expect(types.slice(0, 4)).toEqual([2, 3, 3, 6]);
    expect(types[403]).toBe(1);
    expect(scores).toHaveLength(512);
    const again = await (await core.openCheckpoint(bytes)).tokenizer();
    expect([...again!.encode('Once upon a time')]).toEqual([403, 407, 261, 378]);
    expect(again!.kind).toBe('llama2c');
  });
});
