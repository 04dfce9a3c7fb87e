import { describe, expect, test } from 'vitest';
import { knownModels } from '../../../web/core/accounting/known-models/known-models.js';
import { ruleOfThumb, RULE_THRESHOLDS } from '../../../web/core/accounting/rule-of-thumb.js';

describe('the rule of thumb', () => {
  test('reproduces its own examples: GPT-2 small 23.81%, GPT-3 0.353%, a translation model 23.23%', () => {
    const shareOf = (vocabSize: number, dModel: number, nLayers: number): number =>
      100 * ruleOfThumb({ family: 'plain-formula', vocabSize, dModel, nLayers }).share;
    expect(shareOf(50_257, 768, 12)).toBeCloseTo(23.81, 2);
    expect(shareOf(50_257, 12_288, 96)).toBeCloseTo(0.353, 3);
    expect(shareOf(128_000, 1024, 24)).toBeCloseTo(23.23, 2);
  });

  test('says to tie above 15%, not to tie up to 5%, and leaves the rest open', () => {
    // With L = 1 and d = 12 the fraction is V / (144 + 2 V): exactly 5% at V = 8, 15% between V = 30 and 31.
    const says = (vocabSize: number): string =>
      ruleOfThumb({ family: 'plain-formula', vocabSize, dModel: 12, nLayers: 1 }).says;
    expect(says(8)).toBe('do-not-tie');
    expect(says(9)).toBe('optional');
    expect(says(30)).toBe('optional');
    expect(says(31)).toBe('tie');
    expect(RULE_THRESHOLDS).toEqual({ doNotTie: 0.05, tie: 0.15 });
  });

  test('counts the layers of both stacks of an encoder-decoder; without layers only tables are left', () => {
    const both = ruleOfThumb({ family: 't5', vocabSize: 1000, dModel: 64, nLayers: 2, nEncoderLayers: 4 });
    const decoder = ruleOfThumb({ family: 'llama', vocabSize: 1000, dModel: 64, nLayers: 6 });
    expect(both.share).toBe(decoder.share);
    expect(ruleOfThumb({ family: 'llama', vocabSize: 7, dModel: 64, nLayers: 0 }).share).toBe(0.5);
  });
});

/** The rule beside the choices of known models; `agrees`: null where the rule leaves it open. */
function ruleAgainstModels() {
  const confusion = {
    tie: { tied: 0, untied: 0 },
    optional: { tied: 0, untied: 0 },
    'do-not-tie': { tied: 0, untied: 0 },
  };
  const models = knownModels().map(({ id, architecture, tying }) => {
    const verdict = ruleOfThumb(architecture);
    const tied = tying !== 'untied' && tying !== 'tied-inputs';
    confusion[verdict.says][tied ? 'tied' : 'untied'] += 1;
    const agrees = verdict.says === 'optional' ? null : (verdict.says === 'tie') === tied;
    return { model: id, ...verdict, tied, agrees };
  });
  return { models, confusion };
}

describe('the rule and real models', () => {
  const { models, confusion } = ruleAgainstModels();
  const of = (id: string): (typeof models)[number] => models.find(({ model }) => model === id)!;

  test('the cases cover every known model once', () => {
    expect(models.map(({ model }) => model)).toEqual(knownModels().map(({ id }) => id));
    const counts = Object.values(confusion).flatMap(({ tied, untied }) => [tied, untied]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(models.length);
  });

  test.each(['pythia-70m', 'pythia-160m', 'olmo-2-1b', 'mt5-small'])(
    'the rule says to tie %s, which is not tied',
    (id) => {
      expect(of(id)).toMatchObject({ says: 'tie', tied: false, agrees: false });
    },
  );

  test.each(['gpt2-xl', 'gpt-neo-2.7b'])('the rule says not to tie %s, which is tied', (id) => {
    expect(of(id)).toMatchObject({ says: 'do-not-tie', tied: true, agrees: false });
  });

  test.each([
    ['tinyllama-1.1b', false, 5.29],
    ['qwen2-7b', false, 10.08],
    ['llama-3.1-8b', false, 7.01],
    ['gemma-2-9b', true, 11.04],
    ['gemma-2-27b', true, 8.38],
  ])('the rule leaves %s open (tied: %s), at %d percent', (id, tied, percent) => {
    expect(of(id)).toMatchObject({ says: 'optional', tied, agrees: null });
    expect(100 * of(id).share).toBeCloseTo(percent, 2);
  });

  test('where the rule takes a side, most models agree; where it does not, both choices occur', () => {
    const sides = models.filter(({ agrees }) => agrees !== null);
    const right = sides.filter(({ agrees }) => agrees === true);
    expect(right.length / sides.length).toBeGreaterThan(0.6);
    expect(sides.length - right.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(confusion.optional.tied, confusion.optional.untied)).toBeGreaterThanOrEqual(5);
  });
});
