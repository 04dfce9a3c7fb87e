/** Hidden tokens that a direct path predicts from the nearest visible one: their pairs, and what experiments make of them. */
import { beforeAll, describe, expect, test } from 'vitest';
import { distanceWeights, hiddenPairs } from '../../../web/core/experiment/hidden-pairs.js';
import { loadCore, type Core, type ExperimentSpec } from '../../../web/index.js';
import { paths, transformers } from './specs.js';

describe('the pairs', () => {
  test('are weighted by how likely the nearest visible token is so far away', () => {
    expect(distanceWeights(0.5)).toEqual([50, 25, 13, 6, 3, 2, 1]);
    expect(distanceWeights(0.01)).toEqual([99, 1]);
    // Rounding of far pairs leaves little out.
    const total = distanceWeights(0.95).reduce((sum, weight) => sum + weight, 0);
    expect(total).toBeGreaterThan(85);
    expect(total).toBeLessThanOrEqual(102);
  });

  test('are those of all choices of hidden tokens, each with its probability', () => {
    const tokens = Uint32Array.of(0, 1, 2, 1, 0, 0, 2, 1, 1, 2);
    for (const hidden of [0.15, 0.5, 0.85]) {
      const expected = new Float64Array(9);
      for (let choice = 0; choice < 2 ** tokens.length; choice++) {
        const isHidden = (at: number): boolean => ((choice >> at) & 1) === 1;
        const many = tokens.filter((_, at) => isHidden(at)).length;
        const probability = hidden ** many * (1 - hidden) ** (tokens.length - many);
        tokens.forEach((token, at) => {
          let before = at - 1;
          while (before >= 0 && isHidden(before)) before--;
          if (isHidden(at) && before >= 0) expected[tokens[before]! * 3 + token]! += probability;
        });
      }
      const { data } = hiddenPairs(tokens, 3, hidden);
      // Per hidden token, in hundredths; each of at most nine pairs of a kind is rounded by half of one.
      data.forEach((count, cell) =>
        expect(Math.abs(count - (100 * expected[cell]!) / hidden)).toBeLessThanOrEqual(4.5),
      );
    }
  });

  test('stay whole numbers where single precision has no fractions', () => {
    const { data } = hiddenPairs(new Uint32Array(400_000), 1, 0.15);
    expect(data[0]! % 1).toBe(0);
    expect(Math.abs(data[0]! / (399_999 * 85 + 399_998 * 13 + 399_997 * 2) - 1)).toBeLessThan(1e-7);
  });
});

describe('an arm with hidden tokens', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });
  const arm = (tying: 'tied' | 'untied', direction: 'forward' | 'backward' | 'either', hidden?: number) => ({
    model: { tying },
    direction,
    ...(hidden === undefined ? {} : { hidden }),
  });

  test('pays for symmetry if it sees one side, and nothing if it sees either', async () => {
    const { runs, metrics } = await core.runExperiment({
      ...paths,
      arms: {
        forward: arm('untied', 'forward', 0.5),
        backward: arm('untied', 'backward', 0.5),
        either: arm('untied', 'either', 0.5),
        next: arm('untied', 'forward'),
      },
      seeds: [1],
      measure: [{ metric: 'bigram-bounds', nullRuns: 2 }],
      claims: [],
    } as ExperimentSpec);
    const valueOf = (name: string, part: string): number => {
      const { id } = runs.find(({ arm: of }) => of === name)!;
      return metrics.find((row) => row.id === id && row.metric === `bigram-bounds(nullRuns=2).${part}`)!.value!;
    };
    expect(valueOf('forward', 'js')).toBeGreaterThan(0.01);
    expect(valueOf('backward', 'js')).toBeCloseTo(valueOf('forward', 'js'), 12);
    expect(valueOf('either', 'js')).toBe(0);
    // What stands further away says less.
    expect(valueOf('forward', 'mutualInformation')).toBeLessThan(valueOf('next', 'mutualInformation'));
  });

  test('is another job, and only for pairs', async () => {
    const { arms, ...others } = transformers;
    const spec = { ...others, arms: { untied: { ...arms.untied, hidden: 0.5 } } } as ExperimentSpec;
    await expect(core.runExperiment(spec)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining('only a direct path without batchSize reads pairs'),
    });
    const ids = async (named: object) =>
      (
        await core.runExperiment({
          ...paths,
          arms: { untied: { ...paths.arms.untied, ...named } },
          seeds: [1],
          measure: [{ metric: 'loss' }],
          claims: [],
        } as ExperimentSpec)
      ).runs.map(({ id }) => id);
    expect(await ids({ hidden: 0.5 })).not.toEqual(await ids({}));
  });
});
