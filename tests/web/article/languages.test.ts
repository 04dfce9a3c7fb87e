// What the article's figure of languages measures of a text.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';
import { characterPairs } from '../../../web/article/figures/direction/floors.js';
import {
  divergenceOf,
  lettersOf,
  oneWayOf,
  reading,
  withoutBlocks,
} from '../../../web/article/figures/languages/measure.js';

let core: Core;
let letters: string;
beforeAll(async () => {
  core = await loadCore();
  letters = lettersOf(await builtInTexts[0]!.load());
});
const matrixOf = (text: string) => {
  const { size, counts } = characterPairs(text);
  return { rows: size, cols: size, data: Float32Array.from(counts) };
};

describe('the price of a text', () => {
  test('is what symmetric scores cost above the pairs’ own entropy, less chance', async () => {
    const found = await oneWayOf(letters, core);
    const counts = matrixOf(`${letters} `);
    const { symmetricLogits, bigram } = core.bigramBounds(counts);
    // The floor is certified to 1e-9.
    expect(found.price + found.chance).toBeCloseTo(symmetricLogits - bigram, 8);
    const { js, null: chance, mutualInformation } = core.irreversibility(counts, { nullRuns: 20, seed: 1 });
    expect(divergenceOf(characterPairs(`${letters} `))).toBeCloseTo(js, 12);
    expect(found).toMatchObject({ price: js - chance.mean, chance: chance.mean, symbols: counts.rows });
    expect(found.share).toBeCloseTo((js - chance.mean) / mutualInformation, 12);
  });

  test('is the same for its reverse', async () => {
    const reverse = [...letters].reverse().join('');
    const [forward, backward] = [await oneWayOf(letters, core), await oneWayOf(reverse, core)];
    // The same pairs in another order: sums differ in their last digits.
    expect(backward.price).toBeCloseTo(forward.price, 12);
    // The space that closes the circle is in the first tenth instead of the last.
    expect(Math.abs(backward.halfWidth / forward.halfWidth - 1)).toBeLessThan(0.02);
  });

  test('is near 0 for a text that runs both ways, and far from it for one that does not', async () => {
    const both = `${letters} ${[...letters].reverse().join('')}`;
    const { price, chance, halfWidth } = await oneWayOf(both, core);
    expect(Math.abs(price)).toBeLessThan(chance + halfWidth);
    expect((await oneWayOf('abc'.repeat(400), core)).price).toBeGreaterThan(0.6);
  });

  test('has the interval of a jackknife', async () => {
    const text = `${letters} `;
    const { price, chance, halfWidth } = await oneWayOf(letters, core);
    const rests = withoutBlocks([...text], reading.blocks);
    expect(rests.reduce((sum, rest) => sum + text.length - rest.length, 0)).toBe(text.length);
    const prices = rests.map((rest) => divergenceOf(characterPairs(rest)) - (chance * text.length) / rest.length);
    const mean = prices.reduce((sum, one) => sum + one, 0) / prices.length;
    const squares = prices.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    // Student's t of 9 degrees of freedom: 2.262157.
    expect(halfWidth).toBeCloseTo(2.262157 * Math.sqrt((9 / 10) * squares), 6);
    expect(halfWidth).toBeLessThan(price);
  });
});
