// Floors of a text of which a share is read backward, and models that are trained on such mixtures.
import { describe, expect, test } from 'vitest';
import { decimal, placesOf, positions } from '../../../web/article/figures/direction/drawings.js';
import {
  characterPairs,
  floorsAlong,
  floorsOf,
  mixed,
  type PairCounts,
} from '../../../web/article/figures/direction/floors.js';
import { costSentence, trainedSentence } from '../../../web/article/figures/direction/sentences.js';
import { runPlan, shares, trainAll, type Moment } from '../../../web/article/figures/direction/train.js';
import { readRecord } from '../../../tools/build/site.mjs';
import { createLab, loadCore } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';

const story = await builtInTexts[0]!.load();
const pairs = characterPairs(story);
const tenths = Array.from({ length: 11 }, (_, at) => at / 10);

describe('the floors', () => {
  test('are those of the core, for every mixture', async () => {
    const core = await loadCore();
    for (const share of shares) {
      // Four times the counts are whole numbers, as the core expects them.
      const { size, counts } = mixed(pairs, share);
      const data = Float32Array.from(counts, (count) => 4 * count);
      const bounds = core.bigramBounds({ rows: size, cols: size, data });
      const floors = floorsOf(pairs, share);
      expect(floors.unigram).toBeCloseTo(bounds.unigram, 9);
      expect(floors.bigram).toBeCloseTo(bounds.bigram, 9);
      expect(floors.symmetric).toBeCloseTo(bounds.symmetricLogits, 6);
    }
    core.dispose();
  });

  test('of a circle of three tokens are known in closed form', () => {
    // abcabc…: forward, the next token is certain; in a mixture, it is one of two.
    const circle = characterPairs('abc');
    for (const share of tenths) {
      const { unigram, symmetric, bigram } = floorsOf(circle, share);
      const entropy = [share, 1 - share].reduce((sum, p) => (p === 0 ? sum : sum - p * Math.log(p)), 0);
      expect(unigram).toBeCloseTo(Math.log(3), 12);
      expect(symmetric).toBeCloseTo(Math.LN2, 12);
      expect(bigram).toBeCloseTo(entropy, 12);
    }
  });

  test('only the bigram floor moves; it is concave, the same from either end, and meets the symmetric one in the middle', () => {
    const all = placesOf(floorsAlong(pairs, positions), null);
    expect(all).toHaveLength(positions);
    for (const { backward, unigram, symmetric, bigram } of all) {
      const alone = floorsOf(pairs, backward);
      expect(unigram).toBeCloseTo(alone.unigram, 12);
      expect(symmetric).toBeCloseTo(alone.symmetric, 12);
      expect(bigram).toBeCloseTo(alone.bigram, 12);
    }
    const first = all[0]!;
    for (const [at, { unigram, symmetric, bigram }] of all.entries()) {
      expect(unigram).toBeCloseTo(first.unigram, 10);
      expect(symmetric).toBeCloseTo(first.symmetric, 10);
      expect(bigram).toBeCloseTo(all[positions - 1 - at]!.bigram, 10);
      if (at > 0 && at < positions - 1) {
        expect(bigram).toBeGreaterThan((all[at - 1]!.bigram + all[at + 1]!.bigram) / 2);
      }
    }
    const middle = all[(positions - 1) / 2]!;
    expect(middle.bigram).toBeCloseTo(middle.symmetric, 12);
  });

  test('a circle has the same margins whatever is read backward', () => {
    const sums = ({ size, counts }: PairCounts, of: (cell: number) => number): number[] => {
      const all = new Array<number>(size).fill(0);
      for (const [cell, count] of counts.entries()) all[of(cell)]! += count;
      return all;
    };
    for (const share of tenths) {
      const table = mixed(pairs, share);
      const rows = sums(table, (cell) => Math.floor(cell / table.size));
      const columns = sums(table, (cell) => cell % table.size);
      for (const [id, sum] of rows.entries()) expect(sum).toBeCloseTo(columns[id]!, 6);
    }
  });
});

describe('the models', () => {
  test(
    'with one table end as the same table from every start, and those with two do not',
    { timeout: 120_000 },
    async () => {
      const lab = await createLab();
      const ends: Moment[] = [];
      for (const seed of [1, 2, 3]) {
        let last: Moment | null = null;
        for await (const moment of trainAll(lab, pairs, seed)) last = moment;
        ends.push(last!);
      }
      lab.dispose();
      for (const { step, tied, untied } of ends) {
        expect(step).toBe(runPlan.steps);
        // Rounding: a number's last bit is worth 1.2e-7 here, and there are 1,000 steps. They move a million times as far.
        expect(tied.spread).toBeLessThan(5e-6);
        expect(tied.moved).toBeGreaterThan(1);
        for (const loss of tied.losses) expect(loss).toBeCloseTo(tied.losses[0]!, 5);
        expect(untied.apart).toBeGreaterThan(1);
        const [forward, , either] = untied.losses as [number, number, number];
        expect(either - forward).toBeGreaterThan(0.2);
        for (const [at, share] of shares.entries()) {
          const { bigram, symmetric } = floorsOf(pairs, share);
          expect(untied.losses[at]).toBeGreaterThan(bigram);
          expect(tied.losses[at]).toBeGreaterThan(symmetric);
        }
      }
      // What the page says without scripts.
      const { arrow } = readRecord() as { arrow: Record<'tied' | 'untied', { losses: number[]; spread: number }> };
      for (const arm of ['tied', 'untied'] as const) {
        expect(arrow[arm].spread).toBe(ends[0]![arm].spread);
        for (const [at, loss] of ends[0]![arm].losses.entries()) expect(arrow[arm].losses[at]).toBeCloseTo(loss, 3);
      }
    },
  );

  test('sentences give their numbers in at most 25 words, and a difference is never given as less than it is', () => {
    const place = placesOf(floorsAlong(pairs, positions), null);
    expect(costSentence(place[0]!)).toBe('All read forward: symmetry costs 0.281 nats.');
    expect(costSentence(place[20]!)).toBe('Half read each way: symmetry costs nothing.');
    expect(costSentence(place[1]!)).toMatch(/^2\.5% read backward: symmetry costs 0\.\d{3} nats\.$/);
    const arm = { losses: [], apart: 0, moved: 1.67 };
    const said = trainedSentence({ step: 1000, tied: { ...arm, spread: 1.2e-6 }, untied: { ...arm, spread: 2.17 } });
    expect(said).toContain('agree to within 0.000002. With two tables, models differ by up to 2.2.');
    expect(said.split(' ').length).toBeLessThanOrEqual(25);
    expect([0, 1e-6, 2e-6, 0.01, 1].map(decimal)).toEqual(['0', '0.000001', '0.000002', '0.01', '1']);
  });
});
