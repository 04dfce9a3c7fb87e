import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Bigrams, type Core, type Trainer, type Tying } from '../../../web/index.js';
import { corpus } from './support.js';

// Real text, by characters. The numbers come from another program (counts and entropies in closed form, fits by L-BFGS).
const text = corpus('tiny-shakespeare.txt');

describe.runIf(text !== null)('tiny-shakespeare by characters', () => {
  let core: Core;
  let tokenIds: Uint32Array;
  let bigrams: Bigrams;
  beforeAll(async () => {
    core = await loadCore();
    const tokenizer = core.trainTokenizer(text!, { kind: 'character' });
    expect(tokenizer.vocabSize).toBe(65);
    tokenIds = tokenizer.encode(text!);
    expect(tokenizer.decode(tokenIds)).toBe(text);
    bigrams = core.bigrams(tokenIds, 65);
  });

  test('has the known counts and floors', () => {
    expect(tokenIds).toHaveLength(1_115_394);
    expect(bigrams.total).toBe(1_115_393);
    const { unigram, bigram, symmetricLogits } = core.bigramBounds(bigrams.counts);
    expect(unigram).toBeCloseTo(3.3128, 4);
    expect(bigram).toBeCloseTo(2.4526, 4);
    expect(symmetricLogits - bigram).toBeCloseTo(0.2905, 4);
    // asymmetry a = ||(J - J^T)/2|| / ||J||; the index in the literature, ||J - J^T|| / ||J + J^T||, is 0.587.
    expect(bigrams.asymmetry / Math.sqrt(1 - bigrams.asymmetry ** 2)).toBeCloseTo(0.587, 3);
  });

  /** Trained to convergence on the counts, as in the project's toolchain notes: d = 16, AdamW, cosine from 0.05. */
  function train(tying: Tying): Trainer {
    const steps = 3000;
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 65, dModel: 16, tying },
      training: { learningRate: 0.05, decay: 'cosine', totalSteps: steps, seed: 1 },
      bigramCounts: bigrams.counts,
    });
    trainer.run(steps, { recordEvery: steps });
    return trainer;
  }
  const gapOf = (trainer: Trainer): number => trainer.evaluate().loss - core.bigramBounds(bigrams.counts).bigram;

  test('costs a tied model 0.588 nats, and its tokens mostly predict themselves', { timeout: 60_000 }, () => {
    const trainer = train('tied');
    expect(gapOf(trainer)).toBeGreaterThan(0.583);
    expect(gapOf(trainer)).toBeLessThan(0.593);
    const { data } = trainer.nextTokenProbabilities({ from: Uint32Array.from({ length: 65 }, (_, i) => i) });
    for (let i = 0; i < 65; i++) {
      for (let j = 0; j < 65; j++) {
        // P(j|i) P(i|j) <= P(i|i) P(j|j), since the Gram matrix is positive semidefinite. Probabilities are floats that were
        // each rounded a few times: 1e-5 is a hundred roundings.
        const crosswise = data[i * 65 + j]! * data[j * 65 + i]!;
        const staying = data[i * 65 + i]! * data[j * 65 + j]!;
        expect(crosswise).toBeLessThanOrEqual(staying * (1 + 1e-5) + Number.MIN_VALUE);
      }
    }
  });

  test('costs an untied model under 0.01 nats', { timeout: 60_000 }, () => {
    expect(gapOf(train('untied'))).toBeLessThan(0.01);
  });

  test('costs a tied model with a matrix between under 0.03 nats', { timeout: 60_000 }, () => {
    expect(gapOf(train('tied-linear'))).toBeLessThan(0.03);
  });
});
