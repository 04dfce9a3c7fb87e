// The popular claims: their verdicts follow from numbers that are computed here in another way than on the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { readTableFacts } from '../../../web/article/build/alignment-facts.mjs';
import { readExperimentFacts } from '../../../web/article/build/experiment-facts.mjs';
import { leastWrong, quizFacts } from '../../../web/article/learning/build/quiz-facts.mjs';
import { demos, type QuizFacts } from '../../../web/article/learning/quiz/demos.js';
import { nats, percent } from '../../../web/article/learning/quiz/draw.js';
import { byDice, scoreSentences, verdicts, type Answered } from '../../../web/article/learning/quiz/score.js';
import { loadCore, type Core } from '../../../web/index.js';

const html = readFileSync(join(root, 'web/article/sections/limits.html'), 'utf8');
const recorded = JSON.parse(readFileSync(join(root, 'web/article/assets/recorded-facts.json'), 'utf8')) as object;
const quiz = quizFacts({
  ...recorded,
  experiment: await readExperimentFacts(root),
  ...(await readTableFacts(root)),
}) as QuizFacts;
const claims = Object.fromEntries(
  [...html.matchAll(/<div id="(claim-[\w-]+)">\s*<dt>([\s\S]*?)<\/dt>\s*<dd>\s*<b>([^<.]+)\.?<\/b>/g)].map(
    ([, id, claim, verdict]) => [id!, { claim, verdict }],
  ),
);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

it('every claim has one of three verdicts and something that is computed, and no verdict is the answer to all', () => {
  expect(Object.keys(claims)).toHaveLength(10);
  expect(Object.keys(demos).sort()).toEqual(Object.keys(claims).sort());
  const found = Object.values(claims).map(({ verdict }) => verdict);
  for (const verdict of verdicts) expect(found).toContain(verdict);
  expect(found.every((verdict) => (verdicts as readonly (string | undefined)[]).includes(verdict))).toBe(true);
});

/** Softmax of the dot products of all rows, and the distribution that 500 steps of the chain lead to. */
function chainOf(rows: readonly (readonly number[])[]) {
  const next = rows.map((row) => {
    const powers = rows.map((other) => Math.exp(row.reduce((sum, value, k) => sum + value * other[k]!, 0)));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return powers.map((power) => power / total);
  });
  let share = rows.map(() => 1 / rows.length);
  for (let step = 0; step < 500; step++) {
    share = share.map((_, to) => share.reduce((sum, from, i) => sum + from * next[i]![to]!, 0));
  }
  return { next, share };
}

describe('the counter-examples', () => {
  test('the same score, equal pairs, and unequal probabilities, with the three rows of the page', () => {
    const rows = [0, 1, 2].map((i) => quiz.rows.slice(2 * i, 2 * i + 2));
    const { next, share } = chainOf(rows);
    expect(next[0]![1]).toBeCloseTo(0.3697, 4);
    expect(next[1]![0]).toBeCloseTo(0.3036, 4);
    // In percent to two decimals, as on the page.
    expect(100 * share[0]! * next[0]![1]!).toBeCloseTo(10.99, 2);
    expect(100 * share[1]! * next[1]![0]!).toBeCloseTo(10.99, 2);
    expect(claims['claim-equally-likely']!.verdict).toBe('Half true');
    expect(claims['claim-same-score']!.verdict).toBe('True');
  });

  test('A B A B …: no shared table does better than one nat times ln 2, although the pairs are symmetric', () => {
    const counts = { rows: 2, cols: 2, data: Float32Array.of(0, 1000, 1000, 0) };
    const { symmetricLogits, bigram } = core.bigramBounds(counts);
    expect(symmetricLogits).toBeLessThan(1e-6);
    expect(bigram).toBe(0);
    // Every shared table of two tokens is a 2 x 2 matrix with (a, c; c, b), a, b >= 0 and c * c <= a * b.
    let least = Infinity;
    for (let a = 0; a <= 6; a += 0.25) {
      for (let b = 0; b <= 6; b += 0.25) {
        for (let part = -1; part <= 1; part += 0.125) {
          const c = part * Math.sqrt(a * b);
          least = Math.min(least, (Math.log1p(Math.exp(a - c)) + Math.log1p(Math.exp(b - c))) / 2);
        }
      }
    }
    expect(least).toBeCloseTo(Math.LN2, 12);
    expect(claims['claim-symmetry']!.verdict).toBe('Half true');
  });

  test('tokens that mostly follow themselves: a shared table reaches the bigram entropy', () => {
    const entropy = -(0.8 * Math.log(0.8) + 0.2 * Math.log(0.2));
    expect(entropy).toBeCloseTo(0.5004024, 7);
    // The rows (s, 0) and (0, s) with s * s = ln 4 have these probabilities exactly.
    const { next } = chainOf([
      [Math.sqrt(Math.log(4)), 0],
      [0, Math.sqrt(Math.log(4))],
    ]);
    expect(next[0]![0]).toBeCloseTo(0.8, 12);
    const roundabout = {
      rows: 3,
      cols: 3,
      data: Float32Array.from(quiz.roundabout, (share) => Math.round(1e6 * share)),
    };
    // In closed form and by another program (docs/science.md).
    expect(core.bigramBounds(roundabout).bigram).toBeCloseTo(0.77722, 4);
    expect(core.bigramBounds(roundabout).unigram).toBeCloseTo(1.06278, 4);
    expect(claims['claim-bigrams']!.verdict).toBe('Half true');
  });

  test('two tables of width 1 cannot represent every table of pairs', () => {
    // Logits of rank 1 give every row the same order of tokens or the reverse. A pair of rows with another order is out of reach.
    const counts = { rows: 3, cols: 3, data: Float32Array.of(700, 200, 100, 200, 100, 700, 100, 700, 200) };
    const { bigram } = core.bigramBounds(counts);
    const lossAt = (dModel: number): number => {
      const trainer = core.createTrainer({
        model: { kind: 'direct-path', vocabSize: 3, dModel, tying: 'untied', initStd: 0.5 },
        training: { learningRate: 0.05, decay: 'cosine', totalSteps: 3000, seed: 1 },
        bigramCounts: counts,
      });
      trainer.run(3000, { recordEvery: 3000 });
      const { loss } = trainer.evaluate();
      trainer.dispose();
      return loss;
    };
    expect(lossAt(1) - bigram).toBeGreaterThan(0.05);
    // V - 1 is enough: a softmax does not notice what is added to a row of logits.
    expect(lossAt(2) - bigram).toBeLessThan(0.001);
    expect(claims['claim-any-bigrams']!.verdict).toBe('False');
  });

  test('measured runs: a map is worse, a wider tied model is no remedy, and tables resemble the one that writes', () => {
    const { losses, parameters, alignment } = quiz;
    expect(Math.min(...losses.tiedMap)).toBeGreaterThan(Math.max(...losses.tied));
    expect(claims['claim-map']!.verdict).toBe('Half true');
    expect(parameters.tiedWide).toBeGreaterThan(parameters.untied);
    expect(Math.min(...losses.tiedWide)).toBeGreaterThan(Math.max(...losses.untied));
    expect(mean(losses.tiedWide)).toBeLessThan(mean(losses.tied));
    expect(claims['claim-larger']!.verdict).toBe('False');
    expect(Math.min(...alignment.writing)).toBeGreaterThan(Math.max(...alignment.reading));
    expect(Math.min(...alignment.reading)).toBeGreaterThan(alignment.chance);
    expect(claims['claim-writing']!.verdict).toBe('True');
  });

  test('a step of training multiplies as much with one table as with two', () => {
    const batch = { sequences: 4, tokens: 32 };
    const architecture = { family: 'gpt-2', vocabSize: 512, dModel: 64, nLayers: 2 } as const;
    const { parts } = core.countCompute(architecture, batch);
    // Every row is compared with every hidden state; a second table has as many rows.
    expect(parts.head.forward).toBe(4 * 32 * 64 * 512);
    const [tied, untied] = (['tied', 'untied'] as const).map(
      (tying) => core.countParameters(architecture, tying).stored,
    );
    expect(untied! - tied!).toBe(512 * 64);
    expect(claims['claim-faster']!.verdict).toBe('False');
  });

  test('no line between small and large models separates those that tie from the others', () => {
    const { models } = quiz;
    const sorted = [...models].sort((one, other) => one.total - other.total);
    // Every cut between two models of the sorted list.
    const wrong = Array.from({ length: sorted.length + 1 }, (_, cut) => {
      const [small, large] = [sorted.slice(0, cut), sorted.slice(cut)];
      return small.filter(({ tied }) => !tied).length + large.filter(({ tied }) => tied).length;
    });
    expect(leastWrong(models)).toBe(Math.min(...wrong));
    expect(Math.min(...wrong)).toBeGreaterThan(models.length / 10);
    // Yet it is a tendency: fewer are wrong than if size said nothing.
    expect(Math.min(...wrong)).toBeLessThan(Math.min(wrong[0]!, wrong.at(-1)!));
    expect(claims['claim-small-models']!.verdict).toBe('Half true');
  });
});

describe('the score', () => {
  it('knows what dice do: by all outcomes of ten throws', () => {
    const claimsInAll = 10;
    const frequency = Array<number>(claimsInAll + 1).fill(0);
    for (let outcome = 0; outcome < 3 ** claimsInAll; outcome++) {
      let right = 0;
      for (let rest = outcome, i = 0; i < claimsInAll; i++, rest = Math.floor(rest / 3))
        right += Number(rest % 3 === 0);
      frequency[right]!++;
    }
    for (let right = 0; right <= claimsInAll; right++) {
      const atLeast = frequency.slice(right).reduce((sum, one) => sum + one, 0) / 3 ** claimsInAll;
      expect(byDice(right, claimsInAll)).toBeCloseTo(atLeast, 12);
    }
  });

  it('is put beside dice, and beside always the same answer', () => {
    const answers = (right: number): Answered[] =>
      verdicts
        .flatMap((is) => [is, is, is])
        .concat('Half true')
        .map((is, i) => ({ is, said: i < right ? is : is === 'True' ? 'False' : 'True' }));
    expect(scoreSentences(answers(7))).toBe(
      'You judged 7 of 10 claims as the page does. Dice average 3.3, and get 7 or more in 2.0% of tries; always saying “half true” gets 4.',
    );
    expect(scoreSentences(answers(0))).toMatch(/Dice average 3\.3; always saying/);
    expect(scoreSentences(answers(10))).toContain('10 or more less than once in 2,000 tries');
    expect(scoreSentences(answers(3))).toContain('3 or more in 70% of tries');
  });

  it('writes small numbers without losing them', () => {
    expect([0, -1e-9, 0.0001, 0.0123, 0.6931].map(nats)).toEqual([
      '0 nats',
      '0 nats',
      '< 0.001 nats',
      '0.012 nats',
      '0.69 nats',
    ]);
    expect([0, 0.0004, 0.02, 0.37, 1].map(percent)).toEqual(['0.0%', '< 0.1%', '2.0%', '37%', '100%']);
  });
});
