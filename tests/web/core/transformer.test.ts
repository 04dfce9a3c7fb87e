import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type TextModelConfig, type Trainer, type TransformerConfig } from '../../../web/index.js';
import {
  ALL_TYINGS,
  bitsOf,
  countOf,
  SCHEDULES,
  SMALL,
  SMALL_TRAINING,
  smallTrainer,
  stream,
  timeless,
  TYINGS,
  VOCAB_SIZE,
  type Differently,
} from './small-transformers.js';
import { errorOf, rowsOf } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore();
  tokenIds = stream(core);
});

const make = (tying: TextModelConfig['tying'], differently?: Differently): Trainer =>
  smallTrainer(core, tokenIds, tying, differently);

/** Every named architecture. */
const ARCHITECTURES: [name: string, change: Partial<TransformerConfig>][] = [
  ['of the training lab', {}],
  ['of GPT-2', { norm: 'layer-norm', biases: 'all' }],
  ['of llama2.c', { positions: 'rotary', feedForward: 'swiglu', biases: 'none', nKeyValueHeads: 1 }],
  ['without positions, final norm or biases', { positions: 'none', finalNorm: false, biases: 'none' }],
  ['scaled and biased', { embeddingScale: 'sqrt-d-model', outputBias: true }],
];

describe('the default configuration', () => {
  const model = { kind: 'transformer', vocabSize: 512, dModel: 64 } as const;
  const ids = Uint32Array.from({ length: 100 }, (_, i) => i);

  test.each([
    ['tied', 235_328],
    ['untied', 268_096],
    // M [64, 64]; A [512, 8] and B [64, 8].
    ['tied-linear', 235_328 + 64 * 64],
    ['tied-low-rank', 235_328 + 8 * (512 + 64)],
  ] as const)('with tying %s has %i parameters, as estimated before', (tying, count) => {
    const training = { learningRate: 1e-3, batchSize: 16, seed: 1 };
    const trainer = core.createTrainer({ model: { ...model, tying }, training, tokenIds: ids });
    expect(countOf(trainer)).toBe(count);
    const { parts, bytes } = core.estimateMemory({ ...model, tying }, training);
    const weights = parts.find(({ name }) => name === 'weights')!;
    // Each parameter is aligned to a cache line of 16 elements.
    expect(weights.bytes).toBeGreaterThanOrEqual(4 * count);
    expect(weights.bytes).toBeLessThan(4 * (count + 16 * trainer.parameters().length));
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes);
    trainer.dispose();
  });

  test('is returned complete', () => {
    const trainer = core.createTrainer({
      model: { ...model, tying: 'tied' },
      training: { learningRate: 1e-3, batchSize: 16, seed: 1 },
      tokenIds: ids,
    });
    expect(trainer.model).toEqual({
      ...model,
      tying: 'tied',
      embeddingScale: 'none',
      outputBias: false,
      initStd: 0.02,
      dFeedForward: 256,
      nLayers: 4,
      nHeads: 4,
      nKeyValueHeads: 4,
      contextLength: 64,
      norm: 'rms-norm',
      normEpsilon: 1e-5,
      positions: 'learned',
      feedForward: 'gelu',
      finalNorm: true,
      biases: 'feed-forward',
      dropout: 0,
    });
    trainer.dispose();
  });
});

describe('training', () => {
  test.each(ALL_TYINGS.map((tying) => [JSON.stringify(tying), tying] as const))(
    'lowers the loss with tying %s',
    (_, tying) => {
      const trainer = make(tying);
      const before = trainer.evaluate();
      expect(before.loss).toBeCloseTo(Math.log(VOCAB_SIZE), 1);
      expect(before.tokens).toBe(tokenIds.length - 1);
      trainer.run(60);
      const after = trainer.evaluate();
      expect(after.loss).toBeLessThan(before.loss - 0.2);
      expect(after.perplexity).toBeCloseTo(Math.exp(after.loss), 6);
      expect(after.bitsPerByte).toBeNull();
    },
  );

  test.each(ARCHITECTURES)('lowers the loss of a model %s', (_, model) => {
    for (const optimizer of ['adamw', 'sgd'] as const) {
      const training = optimizer === 'sgd' ? { optimizer, learningRate: 0.3, momentum: 0.9 } : {};
      const trainer = make('tied', { model, training: { ...training, gradientClip: 1 } });
      const before = trainer.evaluate().loss;
      trainer.run(60);
      expect(trainer.evaluate().loss).toBeLessThan(before - 0.1);
    }
  });

  test('applies dropout on request, the same for the same seed and none in evaluation', () => {
    const [one, other, plain] = [0.3, 0.3, 0].map((dropout) => make('tied', { model: { dropout } })) as Trainer[];
    expect(one!.evaluate()).toEqual(plain!.evaluate());
    const records = timeless(one!.run(10));
    expect(timeless(other!.run(10))).toEqual(records);
    expect(plain!.run(1)[0]!.loss).not.toBe(records[0]!.loss);
    expect(one!.evaluate()).toEqual(one!.evaluate());
  });

  test('reports both norms of the input part, and its cosine with the output part', () => {
    for (const record of make('tied').run(5)) {
      const { inputGradientNorm, outputGradientNorm, inputPositionGradientNorm, gradientCosine } = record;
      expect(record.inputShare).toBeCloseTo(inputGradientNorm / (inputGradientNorm + outputGradientNorm), 12);
      expect(record.inputPositionShare).toBeCloseTo(
        inputPositionGradientNorm / (inputPositionGradientNorm + outputGradientNorm),
        12,
      );
      expect(Math.abs(gradientCosine)).toBeLessThanOrEqual(1);
    }
  });

  test('takes the same step in several batches as in one, except for rounding', () => {
    const whole = make('tied', { training: { batchSize: 8 } });
    const parts = make('tied', { training: { batchSize: 2, gradientAccumulation: 4 } });
    const [one, other] = [whole.run(20), parts.run(20)];
    // Sums of eight sequences in another order, in single precision.
    other.forEach(({ loss }, i) => expect(loss).toBeCloseTo(one[i]!.loss, 4));
    expect(other[0]!.loss).toBeCloseTo(one[0]!.loss, 6);
  });

  test('moves each role at its own rate with multipliers', () => {
    const frozen = make('untied', { training: { learningRateMultipliers: { embedding: 0, inner: 0 } } });
    const starts = frozen.parameters().map(({ name }) => [name, frozen.matrix(name)] as const);
    frozen.run(5);
    const moved = starts.filter(([name, start]) => frozen.matrix(name).data.some((x, i) => x !== start.data[i]));
    expect(moved.map(([name]) => name)).toEqual(['unembedding']);
    expect(frozen.training.learningRateMultipliers).toEqual({ embedding: 0, unembedding: 1, inner: 0 });
  });

  test('shrinks only the matrices inside layers without decay of embeddings', () => {
    const training = { optimizer: 'sgd', learningRate: 1e-3, weightDecay: 100 } as const;
    const norm = (trainer: Trainer, name: string): number => Math.hypot(...trainer.matrix(name).data);
    const shrunk = (decayEmbeddings: boolean): string[] => {
      const trainer = make('untied', { training: { ...training, decayEmbeddings } });
      const before = trainer.parameters().map(({ name }) => [name, norm(trainer, name)] as const);
      trainer.run(5);
      // Five steps take off 1 - 0.9^5 = 41%; gradients at this rate do not make up for it.
      return before.filter(([name, start]) => norm(trainer, name) < 0.7 * start).map(([name]) => name);
    };
    const inside = shrunk(false);
    expect(inside).toContain('layers.0.feed_forward.up.weight');
    expect(inside).not.toContain('embedding');
    expect(inside).not.toContain('positions');
    expect(shrunk(true)).toEqual(expect.arrayContaining([...inside, 'embedding', 'unembedding', 'positions']));
    expect(shrunk(true)).not.toContain('final_norm.weight');
  });

  test('follows a list of scales, with straight lines between the steps', () => {
    const scale = [
      [2, 1],
      [6, 5],
    ] as const;
    const trainer = make('tied', { training: { inputGradientScale: scale } });
    expect(trainer.training.inputGradientScale).toEqual(scale);
    for (const expected of [1, 1, 1, 2, 3, 4, 5, 5]) {
      const { input, output, total } = trainer.gradient();
      const largest = Math.max(...total.data.map(Math.abs));
      total.data.forEach((sum, i) => {
        expect(Math.abs(sum - expected * input.data[i]! - output.data[i]!)).toBeLessThan(1e-6 * largest);
      });
      trainer.run(1);
    }
  });
});

describe('tying that changes', () => {
  test('splits the one matrix into two that start as copies of it', () => {
    const trainer = make({ untieAtStep: 10 });
    const tied = make('tied');
    expect(trainer.parameters()[1]).toEqual(expect.objectContaining({ name: 'unembedding', tiedTo: 'embedding' }));
    trainer.run(10);
    tied.run(10);
    expect(trainer.matrix('embedding')).toEqual(tied.matrix('embedding'));
    expect(trainer.matrix('unembedding')).toEqual(tied.matrix('embedding'));
    expect(trainer.parameters()[1]).toEqual(expect.objectContaining({ tiedTo: null, count: VOCAB_SIZE * 16 }));
    expect(countOf(trainer)).toBe(countOf(tied) + VOCAB_SIZE * 16);
    trainer.run(1);
    expect(trainer.matrix('embedding')).not.toEqual(trainer.matrix('unembedding'));
  });

  test('joins two matrices into their mean', () => {
    const trainer = make({ tieAtStep: 10 });
    const untied = make('untied');
    trainer.run(10);
    untied.run(10);
    const [e, u] = [untied.matrix('embedding').data, untied.matrix('unembedding').data];
    trainer.matrix('embedding').data.forEach((x, i) => expect(x).toBeCloseTo((e[i]! + u[i]!) / 2, 6));
    expect(trainer.matrix('unembedding')).toEqual(trainer.matrix('embedding'));
    expect(trainer.parameters()[1]).toEqual(expect.objectContaining({ tiedTo: 'embedding', count: 0 }));
    expect(countOf(trainer)).toBe(countOf(untied) - VOCAB_SIZE * 16);
    const last = trainer.run(3).at(-1)!;
    expect(last.unembeddingDrift).toBe(last.embeddingDrift);
  });

  test.each(SCHEDULES)('works for direct paths too: %o', (tying) => {
    const model = { kind: 'direct-path', vocabSize: VOCAB_SIZE, dModel: 4, tying } as const;
    const trainer = core.createTrainer({ model, training: { ...SMALL_TRAINING, batchSize: 64 }, tokenIds });
    const before = trainer.parameters()[1]!.tiedTo;
    trainer.run(30);
    expect(trainer.parameters()[1]!.tiedTo).not.toBe(before);
    expect(trainer.model.tying).toEqual(tying);
    trainer.rewind(9);
    expect(trainer.parameters()[1]!.tiedTo).toBe(before);
  });
});

describe('states', () => {
  test.each(ALL_TYINGS.map((tying) => [JSON.stringify(tying), tying] as const))(
    'continue bit for bit after saving and loading, with tying %s',
    (_, tying) => {
      for (const steps of [4, 15]) {
        const trainer = make(tying, { model: { dropout: 0.1 }, training: { warmupSteps: 5, gradientAccumulation: 2 } });
        trainer.run(steps);
        const loaded = core.loadTrainer(trainer.save());
        expect(loaded.model).toEqual(trainer.model);
        expect(loaded.training).toEqual(trainer.training);
        expect(loaded.parameters()).toEqual(trainer.parameters());
        expect(timeless(loaded.run(12))).toEqual(timeless(trainer.run(12)));
        expect(bitsOf(loaded)).toBe(bitsOf(trainer));
      }
    },
  );

  test.each(ALL_TYINGS.map((tying) => [JSON.stringify(tying), tying] as const))(
    'are restored by rewinding, with tying %s',
    (_, tying) => {
      const trainer = make(tying);
      const bits = [bitsOf(trainer)];
      for (let step = 1; step <= 24; step++) {
        trainer.run(1);
        bits.push(bitsOf(trainer));
      }
      for (const step of [24, 9, 10, 11, 0, 17]) {
        trainer.rewind(step);
        expect(trainer.step).toBe(step);
        expect(bitsOf(trainer)).toBe(bits[step]);
      }
      trainer.rewind();
      trainer.run(24);
      expect(bitsOf(trainer)).toBe(bits[24]);
    },
  );

  test('include complete options, which can be passed again', () => {
    for (const [, model] of ARCHITECTURES) {
      const trainer = make('tied-low-rank', { model });
      const again = core.createTrainer({ model: trainer.model, training: trainer.training, tokenIds });
      expect(again.model).toEqual(trainer.model);
      expect(again.training).toEqual(trainer.training);
      expect(bitsOf(again)).toBe(bitsOf(trainer));
    }
  });
});

describe('looking inside', () => {
  const ids = Uint32Array.of(3, 1, 4, 1, 5);

  test.each(ARCHITECTURES)('a model %s has the documented shapes, and no position sees later tokens', (_, model) => {
    const trainer = make('tied', { model });
    trainer.run(10);
    const logits = trainer.logits(ids);
    expect(logits).toMatchObject({ rows: 5, cols: VOCAB_SIZE });
    const shorter = trainer.logits(ids.subarray(0, 3));
    shorter.data.forEach((logit, i) => expect(logit).toBeCloseTo(logits.data[i]!, 5));

    const states = trainer.hiddenStates(ids);
    expect(states.map(({ rows, cols }) => [rows, cols])).toEqual([
      [5, 16],
      [5, 16],
      [5, 16],
    ]);
    const heads = trainer.attention(ids);
    expect(heads.map(({ layer, head }) => [layer, head])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    for (const { weights } of heads) {
      expect(weights).toMatchObject({ rows: 5, cols: 5 });
      for (let from = 0; from < 5; from++) {
        const row = weights.data.subarray(5 * from, 5 * from + 5);
        expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
        expect(row.subarray(from + 1).every((weight) => weight === 0)).toBe(true);
      }
    }
  });

  test('begins with the embedding and the positions', () => {
    for (const embeddingScale of ['none', 'sqrt-d-model'] as const) {
      const trainer = make('untied', { model: { embeddingScale } });
      const [embedding, positions] = [trainer.matrix('embedding').data, trainer.matrix('positions').data];
      const scale = embeddingScale === 'none' ? 1 : 4;
      trainer.hiddenStates(ids)[0]!.data.forEach((x, i) => {
        const [token, k] = [ids[Math.floor(i / 16)]!, i % 16];
        expect(x).toBeCloseTo(scale * embedding[16 * token + k]! + positions[i]!, 6);
      });
    }
  });

  test('ends on request with the states that the logits are computed from', () => {
    const trainer = make('untied', { model: { outputBias: false } });
    trainer.run(3);
    const table = rowsOf(trainer.matrix('unembedding'));
    const states = trainer.hiddenStates(ids, { finalNorm: true });
    expect(states.slice(0, -1)).toEqual(trainer.hiddenStates(ids, { finalNorm: false }));
    const logits = rowsOf(trainer.logits(ids));
    rowsOf(states.at(-1)!).forEach((state, i) => {
      table.forEach((row, token) => {
        const logit = row.reduce((sum, x, k) => sum + x * state[k]!, 0);
        expect(logits[i]![token]).toBeCloseTo(logit, 5);
      });
    });
    const wrong = () => trainer.hiddenStates(ids, { finalNorm: 1 as never });
    expect(wrong).toThrow(/^options\.finalNorm is 1; expected true or false$/);
  });

  test('a direct path has logits token by token, one state and no attention', () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: VOCAB_SIZE, dModel: 4, tying: 'untied' },
      training: { ...SMALL_TRAINING, batchSize: 64 },
      tokenIds,
    });
    expect(trainer.logits(ids)).toEqual(trainer.nextTokenLogits({ from: ids }));
    const states = trainer.hiddenStates(ids);
    expect(states).toHaveLength(1);
    expect([...states[0]!.data.subarray(0, 4)]).toEqual([...trainer.matrix('embedding').data.subarray(12, 16)]);
    expect(trainer.attention(ids)).toEqual([]);
  });

  test('a direct path reads each token alone, however many there are', () => {
    const trainer = make('tied-low-rank');
    const { contextLength } = SMALL;
    const from = Uint32Array.from({ length: 3 * contextLength + 1 }, (_, i) => (5 * i) % VOCAB_SIZE);
    const to = Uint32Array.of(7, 0);
    const all = rowsOf(trainer.nextTokenLogits({ from }));
    const some = rowsOf(trainer.nextTokenLogits({ from, to }));
    from.forEach((token, i) => {
      const [alone] = rowsOf(trainer.logits(Uint32Array.of(token)));
      expect(all[i]).toEqual(alone);
      expect(some[i]).toEqual([alone![7], alone![0]]);
    });
  });

  test('agrees with the evaluation of the same tokens', () => {
    const trainer = make('tied-linear');
    trainer.run(10);
    const { cols, data } = trainer.logits(ids.subarray(0, 4));
    let loss = 0;
    for (let i = 0; i < 4; i++) {
      const row = data.subarray(i * cols, (i + 1) * cols);
      loss += Math.log(row.reduce((sum, logit) => sum + Math.exp(logit), 0)) - row[ids[i + 1]!]!;
    }
    const evaluation = trainer.evaluate(ids);
    expect(evaluation.tokens).toBe(4);
    expect(evaluation.loss).toBeCloseTo(loss / 4, 5);
  });
});

describe('an evaluation', () => {
  // Parts of 1,024 tokens, and a last part that is not a whole sequence.
  const longer = (): Uint32Array => Uint32Array.from({ length: 2 * 1024 + 6 }, (_, i) => tokenIds[i]!);

  test('of a long text is the mean over its sequences, for the trainer’s own or a given text', () => {
    const trainer = make('tied');
    trainer.run(10);
    const ids = longer();
    let [sum, count] = [0, 0];
    for (let first = 0; first + 1 < ids.length; first += SMALL.contextLength) {
      const { loss, tokens } = trainer.evaluate(ids.subarray(first, first + SMALL.contextLength + 1));
      sum += loss * tokens;
      count += tokens;
    }
    const whole = trainer.evaluate(ids);
    expect(whole.tokens).toBe(count);
    expect(whole.loss).toBeCloseTo(sum / count, 9);
    expect(whole.perplexity).toBeCloseTo(Math.exp(sum / count), 6);
    const holder = core.createTrainer({
      model: trainer.model,
      training: trainer.training,
      tokenIds,
      validationTokenIds: ids,
    });
    holder.run(10);
    expect(holder.evaluate()).toEqual(whole);
  });

  test('does not begin if already cancelled', () => {
    const signal = AbortSignal.abort('never mind');
    const error = errorOf(() => make('tied').evaluate(longer(), { signal }));
    expect(error.code).toBe('cancelled');
    expect(error.message).toBe('the evaluation was cancelled after 0 of 2053 tokens');
    expect(errorOf(() => make('tied').evaluate(longer(), { signal: 5 } as never)).message).toMatch(
      /^options\.signal is 5; expected an AbortSignal$/,
    );
  });
});

describe('the gradient ledger', () => {
  test('for a batch has input parts in the rows that it reads, and output parts in all rows', () => {
    const batch = {
      inputs: Uint32Array.of(2, 5, 2, 7, 7, 0),
      targets: Uint32Array.of(5, 2, 7, 7, 0, 1),
      sequenceLength: 3,
    };
    for (const tying of TYINGS) {
      const trainer = make(tying);
      const before = bitsOf(trainer);
      const { input, output, inputRows, outputRows } = trainer.gradient(batch);
      expect(inputRows).toBe(4);
      expect(outputRows).toBe(VOCAB_SIZE);
      const touched = Array.from({ length: VOCAB_SIZE }, (_, i) => i).filter((i) =>
        input.data.subarray(16 * i, 16 * i + 16).some((x) => x !== 0),
      );
      expect(touched).toEqual([0, 2, 5, 7]);
      expect(output.data.every(Number.isFinite)).toBe(true);
      expect(bitsOf(trainer)).toBe(before);
    }
  });

  test('for two sequences is the mean of their gradients', () => {
    const trainer = make('tied');
    const [inputs, targets] = [Uint32Array.of(2, 5, 1, 7), Uint32Array.of(5, 3, 7, 0)];
    const both = trainer.gradient({ inputs, targets, sequenceLength: 2 });
    const parts = [0, 2].map((i) =>
      trainer.gradient({ inputs: inputs.subarray(i, i + 2), targets: targets.subarray(i, i + 2) }),
    );
    both.total.data.forEach((x, i) => {
      expect(x).toBeCloseTo((parts[0]!.total.data[i]! + parts[1]!.total.data[i]!) / 2, 6);
    });
  });

  test('agrees with the record of the next step', () => {
    const trainer = make('tied', { training: { gradientAccumulation: 2 } });
    trainer.run(3);
    const { input, output } = trainer.gradient();
    const [record] = trainer.run(1);
    const [a, b] = [input.data, output.data];
    const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    expect(record!.inputGradientNorm).toBeCloseTo(Math.hypot(...a), 6);
    expect(record!.outputGradientNorm).toBeCloseTo(Math.hypot(...b), 6);
    expect(record!.gradientCosine).toBeCloseTo(dot / Math.hypot(...a) / Math.hypot(...b), 5);
  });
});

test('weights of every tying start the same', () => {
  const embeddings = ALL_TYINGS.map((tying) => make(tying).matrix('embedding'));
  for (const embedding of embeddings) expect(embedding).toEqual(embeddings[0]);
  expect(
    make('tied', { model: { ...SMALL } })
      .matrix('final_norm.weight')
      .data.every((x) => x === 1),
  ).toBe(true);
});
