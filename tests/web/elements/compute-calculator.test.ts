import { describe, expect, it } from 'vitest';
import type { Architecture, Batch, ComputeCount } from '../../../web/core/accounting/types.js';
import { bytesText, macsText, percentText, secondsText } from '../../../web/elements/compute-calculator/amounts.js';
import { computeCalculatorStrings as texts } from '../../../web/elements/compute-calculator/compute-calculator.strings.js';
import { batchOf, headSizes } from '../../../web/elements/compute-calculator/batch.js';
import { batchSettings, parseCutoffs } from '../../../web/elements/compute-calculator/compute-calculator.settings.js';
import { countBoth } from '../../../web/elements/compute-calculator/count-both.js';
import { readOutSentence, servingSentence } from '../../../web/elements/compute-calculator/sentences.js';
import { segmentLabels } from '../../../web/elements/compute-calculator/stacked-bars.js';
import { initialValues } from '../../../web/elements/shared/settings/with-settings.js';

const startSettings = initialValues(batchSettings);

const llama: Architecture = { family: 'llama', vocabSize: 32_000, dModel: 4096, nLayers: 32 };

describe('the requested batch', () => {
  it('begins with the batch of seed 004: 4 sequences of 128 tokens', () => {
    expect(batchOf(startSettings, llama, {})).toMatchObject({ sequences: 4, tokens: 128, precision: 'float32' });
  });

  it('compares heads sized for the vocabulary, unless the reader has chosen', () => {
    expect(headSizes(32_000, {})).toEqual({ sampled: 1024, adaptive: [2000, 8000], culled: 8000, clustered: 179 });
    expect(headSizes(32_000, { culled: 5000 })?.culled).toBe(5000);
    expect(batchOf(startSettings, llama, { sampled: 64 }).heads).toMatchObject({
      sampled: { samples: 64 },
      adaptive: { cutoffs: [2000, 8000], divisor: 4 },
    });
  });

  it('limits sizes to any vocabulary as the core requires: cutoffs rise and end before it', () => {
    for (let vocabSize = 4; vocabSize < 300; vocabSize++) {
      for (const chosen of [{}, { sampled: 1e9, adaptive: [900, 1000], culled: 1e9, clustered: 1e9 } as const]) {
        const sizes = headSizes(vocabSize, chosen);
        if (sizes === null) throw new Error('no sizes');
        expect(sizes.sampled).toBeGreaterThanOrEqual(1);
        expect(sizes.sampled).toBeLessThan(vocabSize);
        expect(sizes.adaptive[0]).toBeGreaterThanOrEqual(1);
        expect(sizes.adaptive[1]).toBeGreaterThan(sizes.adaptive[0]);
        expect(sizes.adaptive[1]).toBeLessThan(vocabSize);
        expect(sizes.culled).toBeLessThanOrEqual(vocabSize);
        expect(sizes.clustered).toBeLessThanOrEqual(vocabSize);
      }
    }
    expect(headSizes(3, {})).toBeNull();
    expect(batchOf(startSettings, { ...llama, vocabSize: 3 }, {}).heads).toBeUndefined();
  });

  it('requests no adaptive head if its clusters would have no width, tables are factorized, or tokens are too many to count', () => {
    expect(batchOf(startSettings, { ...llama, tableRank: 64 }, {}).heads?.adaptive).toBeUndefined();
    expect(batchOf(startSettings, { ...llama, dModel: 15 }, {}).heads?.adaptive).toBeUndefined();
    expect(batchOf(startSettings, { ...llama, dModel: 16 }, {}).heads?.adaptive).toBeDefined();
    const many = { ...startSettings, sequences: 2 ** 40, tokens: 2 ** 40 };
    expect(batchOf(many, llama, {}).heads?.adaptive).toBeUndefined();
  });

  it('uses the output vocabulary', () => {
    expect(batchOf(startSettings, { ...llama, outputVocabSize: 1000 }, {}).heads?.culled).toEqual({ vocabSize: 250 });
  });
});

describe('attributes', () => {
  it('have two rising cutoffs or none', () => {
    expect(parseCutoffs('2000 8000')).toEqual([2000, 8000]);
    expect(parseCutoffs(' 2000, 8000 ')).toEqual([2000, 8000]);
    for (const wrong of ['', '5', '8000 2000', '5 5', '1 2 3', '0 4', 'a b']) expect(parseCutoffs(wrong)).toBeNull();
  });
});

describe('amounts', () => {
  it('write bytes in powers of 1000 with three digits', () => {
    expect(bytesText(65_536_000)).toBe('65.5\u00a0MB');
    expect(bytesText(0)).toBe('0\u00a0bytes');
    expect(bytesText(999_499)).toBe('999\u00a0kB');
    expect(bytesText(999_500)).toBe('1\u00a0MB');
    expect(bytesText(2 ** 90)).toContain('EB');
  });

  it('write times in the unit that people would use', () => {
    expect(secondsText(0.0134)).toBe('13.4\u00a0ms');
    expect(secondsText(90)).toBe('90\u00a0s');
    expect(secondsText(600)).toBe('10\u00a0minutes');
    expect(secondsText(3e-7)).toBe('300\u00a0ns');
    expect(secondsText(86_400 * 3)).toBe('3\u00a0days');
  });

  it('write counts and shares of any size', () => {
    expect(macsText(67_108_864_000)).toBe('67.1B');
    expect(macsText(0)).toBe('0');
    expect(macsText(2 ** 100)).toContain('×');
    expect(percentText(0)).toBe('0');
    expect(percentText(1e-6)).toBe('<\u00a00.01');
    expect(percentText(0.0198)).toBe('2');
    expect(percentText(0.312)).toBe('31.2');
    expect(percentText(1)).toBe('100');
  });
});

const macs = (forward: number) => ({ forward, backward: 2 * forward, total: 3 * forward });
const count = (change: Partial<ComputeCount> = {}): ComputeCount =>
  ({
    tying: 'untied',
    parts: { head: macs(20) },
    macs: macs(1000),
    bytes: { total: 1000 },
    serving: { weights: 2048, cache: 1024, secondsPerToken: 2, readPerToken: 20, flopPerToken: 10 },
    ...change,
  }) as ComputeCount;

describe('counting both ways', () => {
  const asked = async (architecture: Architecture): Promise<(string | undefined)[]> => {
    const tyings: (string | undefined)[] = [];
    const lab = {
      countCompute: (_architecture: Architecture, batch: Batch) => {
        tyings.push(batch.tying);
        return Promise.resolve(count());
      },
    };
    await countBoth(lab, architecture, batchOf(startSettings, architecture, {}));
    return tyings;
  };

  it('ties as much as the model can', async () => {
    expect(await asked(llama)).toEqual(['tied', 'untied']);
    expect(await asked({ ...llama, outputVocabSize: 5 })).toEqual(['untied']);
    expect(await asked({ family: 't5', vocabSize: 100, outputVocabSize: 90, dModel: 64, nLayers: 2 })).toEqual([
      'tied-decoder',
      'untied',
    ]);
  });
});

describe('sentences', () => {
  it('state the cost of the head, that tying saves none of it, and what tying does save', () => {
    const tied = count({ bytes: { total: 900 } as ComputeCount['bytes'] });
    expect(readOutSentence({ tied, untied: count() }, texts)).toBe(
      'The head takes 20 multiply-accumulates forward and 40 backward: 2% of this model’s work. Tying saves none of it. ' +
        'It saves memory: 100\u00a0bytes of 1\u00a0kB while training (10%).',
    );
  });

  it('do not mention savings if nothing can be tied, or other work if there is none', () => {
    expect(readOutSentence({ tied: null, untied: count() }, texts)).toContain(texts.cannotTie);
    const alone = count({ macs: macs(20) });
    expect(readOutSentence({ tied: null, untied: alone }, texts)).toContain('no other work');
  });

  it('name the bottleneck of a new token', () => {
    const both = { tied: null, untied: count() };
    expect(servingSentence(both, { bytesPerSecond: 10, flopPerSecond: 10 }, texts)).toContain(
      'limited by memory bandwidth',
    );
    expect(servingSentence(both, { bytesPerSecond: 1000, flopPerSecond: 5 }, texts)).toContain(
      'limited by the compute rate',
    );
    const encoder = count({ serving: { ...count().serving, secondsPerToken: null } });
    expect(servingSentence({ tied: null, untied: encoder }, startSettings, texts)).toContain(
      'An encoder writes no tokens',
    );
  });
});

describe('names under a bar', () => {
  const segments = [
    { x: 0, width: 100 },
    { x: 102, width: 4 },
    { x: 108, width: 180 },
    { x: 290, width: 10 },
  ];

  it('never touch, never leave the drawing, and always include the last segment', () => {
    const labels = segmentLabels(segments, ['maps', 'scores', 'feed-forward', 'head'], 300);
    expect(labels.map(({ text }) => text)).toContain('head');
    const boxes = labels
      .map(({ text, x, anchor }) => {
        const length = [...text].length * 6.6;
        return anchor === 'start' ? [x, x + length] : [x - length, x];
      })
      .sort(([a = 0], [b = 0]) => a - b);
    boxes.forEach(([left = 0, right = 0], at) => {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(300);
      expect(left).toBeGreaterThan(boxes[at - 1]?.[1] ?? -1);
    });
  });

  it('are left out of segments that cannot be seen', () => {
    expect(segmentLabels([{ x: 0, width: 0 }], ['nothing'], 300)).toEqual([]);
  });
});
