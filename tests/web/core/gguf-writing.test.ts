/**
 * GGUF files of trainers, read by our own reader and by an independent one in Python (tests/reference/gguf_reader.py), which follows
 * the description of the format.
 */
// Its processes read: tests/reference/gguf_reader.py
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Tokenizer, type Trainer, type TransformerConfig } from '../../../web/index.js';
import { halfBits } from '../../../web/core/runtime/half.js';
import { llama2cFile } from './llama2c-files.js';
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
      // Without a tokenizer: as many strings as the table has rows.
      'tokenizer.ggml.model': 'rwkv',
      'tokenizer.ggml.tokens': ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'B0'],
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

  /** The tokenizer of a file, whether llama.cpp can use it or not, is ours; its strings are those of its tokens. */
  async function expectOwn(tokenizer: Tokenizer, texts: readonly string[]): Promise<Record<string, unknown>> {
    const bytes = withTokenizer(tokenizer).toGguf();
    const checkpoint = await core.openCheckpoint(bytes);
    const again = (await checkpoint.tokenizer())!;
    expect([again.kind, again.vocabSize]).toEqual([tokenizer.kind, tokenizer.vocabSize]);
    expect(again.tokens).toEqual(tokenizer.tokens);
    for (const sample of texts) expect(again.encode(sample)).toEqual(tokenizer.encode(sample));
    const { values } = readByPython(bytes);
    const tokens = values['tokenizer.ggml.tokens'] as string[];
    expect(tokens).toHaveLength(tokenizer.vocabSize);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens).not.toContain('');
    return { ...values, read: checkpoint.tokens };
  }

  test('of words: stand-ins for llama.cpp, and its own words for us', async () => {
    const { read, ...values } = await expectOwn(core.trainTokenizer(text, { kind: 'word' }), [text, 'York  York.']);
    expect(values['tokenizer.ggml.model']).toBe('rwkv');
    expect((values['tokenizer.ggml.tokens'] as string[]).slice(0, 3)).toEqual(['A', 'B', 'C']);
    expect(read).toContain('York');
  });

  /** What begins a token is a token: llama.cpp does not get past a text that goes on otherwise. */
  function expectBeginnings(values: Record<string, unknown>): void {
    const unescaped = (token: string): string =>
      token.replace(/\\\\|\\x(..)/g, (_, code?: string) =>
        code === undefined ? '\\' : String.fromCharCode(parseInt(code, 16)),
      );
    const tokens = (values['tokenizer.ggml.tokens'] as string[]).map((token) =>
      Buffer.from(unescaped(token), token === '\\xff' ? 'latin1' : 'utf8').toString('latin1'),
    );
    const all = new Set(tokens);
    for (const token of tokens)
      for (let length = 1; length < token.length; length++) expect(all).toContain(token.slice(0, length));
  }

  test.each([
    ['all', undefined],
    ['the most frequent', 6],
  ])('of %s characters of ASCII, with escapes', async (_, vocabSize) => {
    const odd = `${text.replace(/[^\0-\x7f]/g, '')}\\\t\0${'\\'.repeat(90)}`;
    const tokenizer = core.trainTokenizer(odd, {
      kind: 'character',
      ...(vocabSize === undefined ? {} : { vocabSize }),
    });
    const { read, ...values } = await expectOwn(tokenizer, [odd, 'éé'.slice(0, vocabSize === undefined ? 0 : 2)]);
    const tokens = values['tokenizer.ggml.tokens'] as string[];
    expect(values['tokenizer.ggml.model']).toBe('rwkv');
    expectBeginnings(values);
    expect(tokens).toContain('\\\\');
    expect(read).toContain('\\');
    expect(values['tokenizer.ggml.unknown_token_id']).toBe(0);
    if (vocabSize === undefined) expect(tokens).toEqual(expect.arrayContaining(['\\x0a', '\\x00']));
    else {
      // No text has this byte.
      expect(tokens[0]).toBe('\\xff');
      expect((read as string[])[0]).toBe('<unk>');
    }
  });

  test.each([
    ['all', undefined],
    ['the most frequent', 8],
  ])('of %s characters of several bytes, as bytes that are merged', async (_, vocabSize) => {
    const odd = `${text}\\\t\0${'é\ufeff中😀'.repeat(90)}`;
    const tokenizer = core.trainTokenizer(odd, {
      kind: 'character',
      ...(vocabSize === undefined ? {} : { vocabSize }),
    });
    const { read, ...values } = await expectOwn(tokenizer, [odd, '\ufeff\ufeffé']);
    expect(values['tokenizer.ggml.model']).toBe('gpt2');
    expect(values['tokenizer.ggml.tokens']).toEqual(expect.arrayContaining(['Ã©', 'ï»¿', 'ä¸Ń', 'ðŁĺĢ']));
    expect(values['tokenizer.ggml.merges']).toEqual(
      expect.arrayContaining(['Ã ©', 'ï »', 'ï» ¿', 'ä ¸', 'ä¸ Ń', 'ð Ł', 'ðŁ ĺ', 'ðŁĺ Ģ']),
    );
    expect(new Set(values['tokenizer.ggml.merges'] as string[]).size).toBe(
      (values['tokenizer.ggml.merges'] as string[]).length,
    );
    expect(values['tokenizer.ggml.eos_token_id']).toBe(vocabSize === undefined ? tokenizer.vocabSize - 1 : 0);
    expect(read).toEqual(expect.arrayContaining(['é', '\ufeff', '中', '😀']));
  });

  test.each([2, 10, 11, 1234])('%i stand-ins, of which each begins with others', (vocabSize) => {
    const { values } = readByPython(trained({ ...gpt2, vocabSize }).toGguf());
    const tokens = values['tokenizer.ggml.tokens'] as string[];
    expect(new Set(tokens).size).toBe(vocabSize);
    expectBeginnings(values);
  });

  test('of the bytes of a text and their merges', async () => {
    const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 40, alphabet: 'text' });
    const { read, ...values } = await expectOwn(tokenizer, [text, 'New rYok']);
    expect(values['tokenizer.ggml.model']).toBe('gpt2');
    expect(values['tokenizer.ggml.merges']).toHaveLength(40 - new Set(new TextEncoder().encode(text)).size);
    expect(read).toEqual(values['tokenizer.ggml.tokens']);
  });

  test('with a token that begins and ends texts: a byte that no text has, or <|endoftext|>', () => {
    const { values } = readByPython(withTokenizer(bpe).toGguf());
    expect(values).toMatchObject({ 'tokenizer.ggml.bos_token_id': 255, 'tokenizer.ggml.eos_token_id': 255 });
    expect((values['tokenizer.ggml.tokens'] as string[])[255]).toBe('ÿ');
    const [spelled, merges] = [sharedFile('tokenizers/gpt2-encoder.json'), sharedFile('tokenizers/gpt2-vocab.bpe')];
    if (!spelled || !merges) return;
    const gpt2Tokenizer = core.loadTokenizer(spelled, { format: 'gpt2', merges });
    const read = readByPython(withTokenizer(gpt2Tokenizer).toGguf()).values;
    expect(read).toMatchObject({ 'tokenizer.ggml.bos_token_id': 50_256, 'tokenizer.ggml.eos_token_id': 50_256 });
  });

  test('of llama2.c with tokens that begin with U+FEFF', async () => {
    const file = llama2cFile([' ', 'a', 'b', 'c', '\ufeff', '\ufeffa']);
    const tokenizer = core.loadTokenizer(file, { format: 'llama2c' });
    const { read, ...values } = await expectOwn(tokenizer, ['\ufeffc', 'ab\ufeffa']);
    expect(values['tokenizer.ggml.model']).toBe('llama');
    expect((values['tokenizer.ggml.tokens'] as string[]).slice(259)).toEqual(['▁', 'a', 'b', 'c', '\ufeff', '\ufeffa']);
    expect((read as string[]).slice(263)).toEqual(['\ufeff', '\ufeffa']);
    // The same strings from the tokenizer's file, beside a table.
    const table = trained({ ...gpt2, vocabSize: tokenizer.vocabSize }).toSafetensors();
    const beside = await core.openCheckpoint([new File([table], 'a.safetensors'), new File([file], 'tok.bin')]);
    expect(beside.tokens!.slice(263)).toEqual(['\ufeff', '\ufeffa']);
  });

  test.each([
    ['two tokens are equal', ['a', 'b', 'a']],
    ['a space is spelled like another token', [' ', '▁']],
    ['a token is no text', [Uint8Array.of(0xc3), 'a']],
  ])('of llama2.c as stand-ins, because %s', async (_, tokens) => {
    const tokenizer = core.loadTokenizer(llama2cFile(tokens), { format: 'llama2c' });
    const { read, ...values } = await expectOwn(tokenizer, ['aab']);
    expect(values['tokenizer.ggml.model']).toBe('rwkv');
    expect(read).toHaveLength(tokenizer.vocabSize);
  });

  test('of bytes and merges as stand-ins, because two merges make the same token', async () => {
    // a and b, b and c, ab and c, a and bc: the last two are both abc.
    const [a, b, c] = [0x61, 0x62, 0x63];
    const merges = [a, b, b, c, 256, c, a, 257];
    const file = new Uint8Array(32 + 4 * merges.length);
    file.set(new TextEncoder().encode('tied-tok'));
    const numbers = new Uint32Array(file.buffer);
    numbers.set([1, 2, 0, merges.length / 2, 4 * merges.length], 2);
    numbers.set(merges, 8);
    const hashed = [...file.subarray(0, 28), ...file.subarray(32)];
    numbers[7] = hashed.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
    const tokenizer = core.loadTokenizer(file, { format: 'tied-embeddings' });
    const { read, ...values } = await expectOwn(tokenizer, ['abcabc bcab']);
    expect(values['tokenizer.ggml.model']).toBe('rwkv');
    expect((read as string[]).slice(256)).toEqual(['ab', 'bc', 'abc', 'abc']);
  });

  test('only if one is attached: stand-ins are no tokens', async () => {
    const checkpoint = await core.openCheckpoint(trained(gpt2).toGguf());
    expect(checkpoint.tokens).toBe(null);
    expect(await checkpoint.tokenizer()).toBe(null);
    expect(checkpoint.notes).toEqual([]);
  });

  test('as part of a file that may be damaged', async () => {
    const bytes = withTokenizer(core.trainTokenizer(text, { kind: 'word' })).toGguf();
    const at = Buffer.from(bytes).indexOf('tied-embeddings.tokenizer') + 100;
    bytes[at] = bytes[at] === 0x41 ? 0x42 : 0x41;
    const checkpoint = await core.openCheckpoint(bytes);
    expect(checkpoint.tokens).toBe(null);
    expect(checkpoint.notes.join(' ')).toMatch(/Token strings were not read: .*its tokenizer cannot be used/);
    expect(await checkpoint.tokenizer()).toBe(null);
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
