// What the article's figure of languages measures of a text, and how it finds and places texts.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core } from '../../../web/index.js';
import { builtInTexts } from '../../../web/texts/index.js';
import { characterPairs } from '../../../web/article/figures/direction/floors.js';
import { languagesPlot } from '../../../web/article/figures/languages/drawings.js';
import {
  divergenceOf,
  lettersOf,
  oneWayOf,
  estimate,
  withoutBlocks,
} from '../../../web/article/figures/languages/measure.js';
import { found, languagesOf, placeOf } from '../../../web/article/figures/languages/record.js';
import { languageSentence, ownSentence } from '../../../web/article/figures/languages/sentences.js';

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
    const rests = withoutBlocks([...text], estimate.blocks);
    expect(rests.reduce((sum, rest) => sum + text.length - rest.length, 0)).toBe(text.length);
    const prices = rests.map((rest) => divergenceOf(characterPairs(rest)) - (chance * text.length) / rest.length);
    const mean = prices.reduce((sum, one) => sum + one, 0) / prices.length;
    const squares = prices.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    // Student's t of 9 degrees of freedom: 2.262157.
    expect(halfWidth).toBeCloseTo(2.262157 * Math.sqrt((9 / 10) * squares), 6);
    expect(halfWidth).toBeLessThan(price);
  });
});

describe('the recorded languages', () => {
  const languages = languagesOf({
    columns: ['name', 'price', 'halfWidth', 'chance', 'share', 'characters', 'symbols'],
    languages: [
      ['Azerbaijani, North (Latin)', 2100, 240, 90, 33, 101, 33],
      ['Latin', 2200, 100, 71, 34, 96, 22],
      ['Quechua (Unified Quichua)', 2300, 110, 80, 35, 97, 24],
      ['Sãotomense', 2400, 120, 80, 36, 98, 27],
    ],
  });

  test('are whole numbers in units of their own', () => {
    expect(languages[0]).toEqual({
      name: 'Azerbaijani, North (Latin)',
      price: 0.21,
      halfWidth: 0.024,
      chance: 0.009,
      share: 0.33,
      characters: 10_100,
      symbols: 33,
    });
  });

  test.each([
    ['latin', 'Latin'],
    ['LAT', 'Latin'],
    ['saot', 'Sãotomense'],
    ['north', 'Azerbaijani, North (Latin)'],
    ['quich', 'Quechua (Unified Quichua)'],
    ['omen', 'Sãotomense'],
    ['azerbaijani north', 'Azerbaijani, North (Latin)'],
  ])('are found by %s', (typed, name) => {
    expect(languages[found(languages, typed)]?.name).toBe(name);
  });

  test.each(['', '  ', 'klingon', '123'])('are not found by “%s”', (typed) => {
    expect(found(languages, typed)).toBe(-1);
  });

  test('have a place for every text, and words for it', () => {
    const own = (price: number) => ({
      ...{ characters: 900, symbols: 20, price, halfWidth: 0.01 },
      ...{ chance: 0.01, deviation: 0.002, share: 0.3 },
    });
    expect([0.1, 0.215, 0.5].map((price) => placeOf(languages, price))).toEqual([0, 1, 4]);
    expect(ownSentence('mine', own(0.1), languages)).toContain('less than all 4 texts.');
    expect(ownSentence('mine', own(0.215), languages)).toBe(
      'mine: 0.215 nats per letter (95%: 0.205 to 0.225), between Azerbaijani, North (Latin) and Latin.',
    );
    expect(ownSentence('mine', own(0.5), languages)).toContain('more than all 4 texts.');
    expect(ownSentence('mine', own(0.005), languages)).toContain('That is no more than chance gives.');
    expect(languageSentence(languages[0]!, 0, 4)).toContain('the least of 4 texts');
    expect(languageSentence(languages[2]!, 2, 4)).toContain(
      'more than 2 of 4 texts; with 95% confidence 0.219 to 0.241.',
    );
  });

  test('are drawn with a row each, and the reader’s text only if there is one', () => {
    const own = { ...languages[0]!, price: 0.68, deviation: 0.001 };
    const without = languagesPlot(languages, 1, null, 400);
    expect(without.table.rows.map(([name]) => name)).toEqual(languages.map(({ name }) => name));
    expect(without.table.rows[1]).toEqual(['Latin', '0.220', '0.010', '0.007', '34%', '96', '22']);
    // The axis grows for a text above all others.
    expect(without.frame.y.domain()).toEqual([0, 0.65]);
    expect(languagesPlot(languages, 1, own, 400).frame.y.domain()).toEqual([0, 0.68]);
  });
});
