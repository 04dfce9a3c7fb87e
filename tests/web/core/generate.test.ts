import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type GenerateOptions, type Tokenizer, type Trainer } from '../../../web/index.js';
import { SMALL, SMALL_TRAINING, smallTrainer, stream, VOCAB_SIZE } from './small-transformers.js';
import { errorOf } from './support.js';

let core: Core;
let trainer: Trainer;
beforeAll(async () => {
  core = await loadCore();
  trainer = smallTrainer(core, stream(core), 'tied');
  trainer.run(60);
});

const PROMPT = Uint32Array.of(1, 2, 3);
const written = (options: Partial<GenerateOptions> = {}): number[] => [
  ...trainer.generate({ prompt: PROMPT, tokens: 40, ...options }).tokenIds,
];

describe('generate', () => {
  test('writes as many tokens as requested, the same ones for the same seed', () => {
    expect(written()).toHaveLength(40);
    expect(written()).toEqual(written({ seed: 0, temperature: 1 }));
    expect(written({ seed: 5 })).toEqual(written({ seed: 5 }));
    expect(written({ seed: 6 })).not.toEqual(written({ seed: 5 }));
    expect(written({ tokens: 0 })).toEqual([]);
    expect(Math.max(...written({ tokens: 500 }))).toBeLessThan(VOCAB_SIZE);
  });

  test('begins the same whatever the requested length', () => {
    expect(written({ tokens: 7 })).toEqual(written().slice(0, 7));
  });

  test('takes the most probable token each time at temperature 0 or with topK 1', () => {
    // Within the context, where each token depends on all before it.
    const ids = [...PROMPT];
    for (let i = 0; i < 5; i++) {
      const { data } = trainer.logits(Uint32Array.from(ids));
      const last = data.subarray(-VOCAB_SIZE);
      ids.push(last.indexOf(Math.max(...last)));
    }
    expect(written({ temperature: 0, tokens: 5 })).toEqual(ids.slice(3));
    expect(written({ topK: 1, tokens: 5, seed: 9 })).toEqual(ids.slice(3));
    expect(written({ temperature: 0, seed: 1 })).toEqual(written({ temperature: 0, seed: 2 }));
  });

  test('continues from its last tokens beyond the context', () => {
    const long = Uint32Array.from({ length: 30 }, (_, i) => (i * 5) % VOCAB_SIZE);
    expect(written({ prompt: long })).toEqual(written({ prompt: long.subarray(-SMALL.contextLength) }));
  });

  test('keeps keys and values beyond the context on request: with one layer, for the same tokens', () => {
    const model = { nLayers: 1, positions: 'rotary' } as const;
    const rotary = smallTrainer(core, stream(core), 'tied', { model });
    rotary.run(60);
    const options = { prompt: PROMPT, tokens: 200, seed: 2 };
    const { tokenIds } = rotary.generate({ ...options, beyondContext: 'keep' });
    expect(tokenIds).toEqual(rotary.generate(options).tokenIds);
    expect(rotary.generate({ ...options, beyondContext: 'keep', tokens: 50 }).tokenIds).toEqual(tokenIds.slice(0, 50));
  });

  test('refuses to keep keys of learned positions', () => {
    const error = errorOf(() => trainer.generate({ prompt: PROMPT, tokens: 1, beyondContext: 'keep' }));
    expect(error.code).toBe('unsupported');
    expect(error.message).toMatch(/^options\.beyondContext is keep with learned positions or n-grams; expected read/);
  });

  test('draws tokens with the model’s probabilities', () => {
    const { data } = trainer.nextTokenProbabilities({ from: Uint32Array.of(4) });
    const drawn = new Float64Array(VOCAB_SIZE);
    const draws = 2000;
    for (let seed = 0; seed < draws; seed++) drawn[written({ prompt: Uint32Array.of(4), tokens: 1, seed })[0]!]!++;
    // At most five standard deviations of a binomial count: 5 sqrt(p (1 - p) / n) <= 0.056.
    drawn.forEach((count, token) => expect(Math.abs(count / draws - data[token]!)).toBeLessThan(0.056));
  });

  test('returns no text without a tokenizer', () => {
    expect(trainer.generate({ prompt: PROMPT, tokens: 3 }).text).toBeNull();
    const texts: unknown[] = [];
    trainer.generate({ prompt: PROMPT, tokens: 3, onTokens: (_, text) => texts.push(text) });
    expect(texts).toEqual([null, null, null]);
  });

  test('streams tokens as they are drawn; together they are the result', () => {
    const told: number[] = [];
    const whole = written({ onTokens: (ids) => told.push(...ids) });
    expect(told).toEqual(whole);
    expect(whole).toEqual(written());
  });

  test('stops on request, and can be called again', () => {
    const controller = new AbortController();
    let told = 0;
    const onTokens = (): void => {
      if (++told === 3) controller.abort('enough');
    };
    const error = errorOf(() =>
      trainer.generate({ prompt: PROMPT, tokens: 1000, onTokens, signal: controller.signal }),
    );
    expect(error.code).toBe('cancelled');
    expect(error.message).toBe('the generation was cancelled after 3 of 1000 tokens');
    expect(error.cause).toBe('enough');
    expect(told).toBe(3);
    expect(errorOf(() => written({ signal: controller.signal })).code).toBe('cancelled');
    expect(written()).toHaveLength(40);
  });

  test('uses the current weights, even if its listener changes them', () => {
    const changing = smallTrainer(core, stream(core), 'tied');
    changing.run(20);
    const copy = core.loadTrainer(changing.save());
    const first = copy.generate({ prompt: PROMPT, tokens: 1, temperature: 0 }).tokenIds;
    copy.run(30);
    const second = copy.generate({ prompt: Uint32Array.of(...PROMPT, ...first), tokens: 1, temperature: 0 });
    let listened = 0;
    const { tokenIds } = changing.generate({
      prompt: PROMPT,
      tokens: 2,
      temperature: 0,
      onTokens: () => {
        if (listened++ === 0) changing.run(30);
      },
    });
    expect([...tokenIds.subarray(1)]).toEqual([...second.tokenIds]);
  });

  test('ends when its trainer is disposed of', () => {
    const short = smallTrainer(core, stream(core), 'tied');
    const error = errorOf(() => short.generate({ prompt: PROMPT, tokens: 9, onTokens: () => short.dispose() }));
    expect(error.code).toBe('disposed');
  });

  test('ends if its listener throws', () => {
    const failure = new Error('no more paper');
    const onTokens = (): void => {
      throw failure;
    };
    expect(() => trainer.generate({ prompt: PROMPT, tokens: 9, onTokens })).toThrow(failure);
    expect(written()).toHaveLength(40);
  });

  test('works for a direct path too', () => {
    const chain = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: VOCAB_SIZE, dModel: 8, tying: 'untied' },
      training: { ...SMALL_TRAINING, batchSize: 64 },
      tokenIds: stream(core),
    });
    chain.run(100);
    const { tokenIds } = chain.generate({ prompt: PROMPT, tokens: 20, temperature: 0 });
    let before = 3;
    for (const id of tokenIds) {
      const { data } = chain.nextTokenLogits({ from: Uint32Array.of(before) });
      expect(id).toBe(data.indexOf(Math.max(...data)));
      before = id;
    }
  });
});

describe('a trainer with a tokenizer', () => {
  const text = 'the cat — naïve, “quoted” — sat on the mat 🐈 and slept. New York is a city. '.repeat(30);

  function withTokenizer(kind: Tokenizer['kind'] & ('character' | 'word' | 'bpe')): {
    made: Trainer;
    tokenizer: Tokenizer;
  } {
    const tokenizer = core.trainTokenizer(text, { kind, ...(kind === 'bpe' ? { vocabSize: 262 } : {}) });
    const made = core.createTrainer({
      model: { ...SMALL, vocabSize: tokenizer.vocabSize, tying: 'tied' },
      training: SMALL_TRAINING,
      tokenIds: tokenizer.encode(text),
      validationTokenIds: tokenizer.encode(text.slice(0, 200)),
      tokenizer,
    });
    return { made, tokenizer };
  }

  test.each(['character', 'word', 'bpe'] as const)(
    'writes text, %s by %s, the same streamed as in one result',
    (kind) => {
      const { made, tokenizer } = withTokenizer(kind);
      for (const seed of [1, 2, 3]) {
        const told: string[] = [];
        const prompt = 'the cat — sat';
        const onTokens = (_: Uint32Array, piece: string | null): void => void told.push(piece!);
        const { tokenIds, text: whole } = made.generate({ prompt, tokens: 60, seed, onTokens });
        expect(told).toHaveLength(60);
        expect(told.join('')).toBe(whole);
        expect(made.generate({ prompt, tokens: 60, seed })).toEqual({ tokenIds, text: whole });
        const ids = tokenizer.encode(prompt);
        expect(prompt + whole).toBe(tokenizer.decode(Uint32Array.of(...ids, ...tokenIds)));
      }
    },
  );

  test('streams whole characters, although their bytes come one by one', () => {
    const tokenizer = core.trainTokenizer('abc', { kind: 'bpe', vocabSize: 256 });
    const made = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 256, dModel: 256, tying: 'untied' },
      training: SMALL_TRAINING,
      tokenIds: tokenizer.encode('some text'),
      tokenizer,
    });
    // Each byte determines the next: the model writes two characters and stops in the middle of a third.
    const bytes = [...new TextEncoder().encode('>🐈é'), 0xe2, 0x82];
    const [embedding, unembedding] = [new Float32Array(256 * 256), new Float32Array(256 * 256)];
    bytes.forEach((byte, i) => {
      embedding[byte * 256 + i] = 1;
      if (i > 0) unembedding[byte * 256 + i - 1] = 1;
    });
    made.setMatrix('embedding', { rows: 256, cols: 256, data: embedding });
    made.setMatrix('unembedding', { rows: 256, cols: 256, data: unembedding });
    const pieces: string[] = [];
    const { text: whole, tokenIds } = made.generate({
      prompt: '>',
      tokens: 8,
      temperature: 0,
      onTokens: (_, piece) => pieces.push(piece!),
    });
    expect([...tokenIds]).toEqual(bytes.slice(1));
    // The last call reports the incomplete character.
    expect(pieces).toEqual(['', '', '', '🐈', '', 'é', '', '\uFFFD']);
    expect(whole).toBe(tokenizer.decode(tokenIds));
  });

  test('keeps a copy of the tokenizer, also in its files', () => {
    const { made, tokenizer } = withTokenizer('bpe');
    const ids = tokenizer.encode('the cat');
    tokenizer.dispose();
    const copy = made.tokenizer()!;
    expect(copy.kind).toBe('bpe');
    expect([...copy.encode('the cat')]).toEqual([...ids]);
    copy.dispose();
    made.run(3);
    const loaded = core.loadTrainer(made.save());
    const options = { prompt: 'the cat', tokens: 20 };
    expect(loaded.generate(options)).toEqual(made.generate(options));
    expect(loaded.evaluate()).toEqual(made.evaluate());
    const own = loaded.tokenizer()!;
    loaded.dispose();
    expect([...own.encode('the cat')]).toEqual([...ids]);
    expect(trainer.tokenizer()).toBeNull();
  });

  test('refuses a prompt that its tokenizer cannot read, or that is empty', () => {
    const { made } = withTokenizer('character');
    const refusal = (prompt: string): string => errorOf(() => made.generate({ prompt, tokens: 1 })).message;
    expect(refusal('the §')).toMatch(/^options\.prompt is § \(U\+00A7\) at byte 4; expected characters of the text/);
    expect(refusal('')).toBe("options.prompt is ''; expected at least one token");
    expect(refusal('a\ud800')).toMatch(/^options\.prompt has U\+D800 at position 1; expected/);
  });

  test.each(['character', 'word', 'bpe'] as const)('reports bits per byte, %s', (kind) => {
    const { made, tokenizer } = withTokenizer(kind);
    for (const ids of [undefined, tokenizer.encode(text.slice(0, 300))]) {
      const { loss, tokens, bitsPerByte } = made.evaluate(ids);
      const read = ids ? text.slice(0, 300) : text.slice(0, 200);
      const all = new TextEncoder().encode(read).length;
      const first = new TextEncoder().encode(tokenizer.decode(tokenizer.encode(read).subarray(0, 1))).length;
      expect(bitsPerByte).toBeCloseTo((loss * tokens) / Math.LN2 / (all - first), 10);
    }
    expect(made.evaluate().bitsPerByte).toBe(made.evaluate().bitsPerByte);
  });

  test.each(['character', 'word'] as const)(
    'reports no bits per byte where a predicted token is unknown, %s',
    (kind) => {
      const tokenizer = core.trainTokenizer(text, { kind, vocabSize: 6 });
      const ids = tokenizer.encode(text.slice(0, 300));
      const made = core.createTrainer({
        model: { kind: 'direct-path', vocabSize: tokenizer.vocabSize, dModel: 4, tying: 'tied' },
        training: { learningRate: 0.01, batchSize: 4, seed: 1 },
        tokenIds: ids,
        tokenizer,
      });
      const known = ids.findIndex((id, i) => id !== 0 && ids[i + 1] !== 0);
      expect(made.evaluate(ids.slice(known, known + 2)).bitsPerByte).toBeGreaterThan(0);
      // What the first token is does not matter: it is not predicted.
      expect(made.evaluate(Uint32Array.of(0, ids[known]!)).bitsPerByte).toBeGreaterThan(0);
      expect(made.evaluate(Uint32Array.of(ids[known]!, 0)).bitsPerByte).toBeNull();
      expect(made.evaluate(ids).bitsPerByte).toBeNull();
      expect(made.evaluate().bitsPerByte).toBeNull();
      made.dispose();
      tokenizer.dispose();
    },
  );
});
