import { describe, expect, it } from 'vitest';
import { GrowingSeries, nextStoredStep, thinnedIndices } from '../../../web/elements/training-lab/history.js';
import { defaultSettings, settingProblems } from '../../../web/elements/training-lab/settings.js';
import { decodeText, FileError, largestFile, readTextFile } from '../../../web/elements/shared/text-file.js';
import { mapTokens, mapTokensWithPair, mostFrequent } from '../../../web/elements/training-lab/token-choice.js';

describe('GrowingSeries', () => {
  it('stores appended values while it grows, and drops values from the end', () => {
    const series = new GrowingSeries();
    for (let value = 0; value < 5000; value += 5) series.append([0, 1, 2, 3, 4].map((more) => value + more));
    expect(series.length).toBe(5000);
    expect(series.at(4999)).toBe(4999);
    series.truncate(10);
    expect(series.last).toBe(9);
    expect(Array.from(series.values())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(series.at(10)).toBeNull();
  });

  it('has no last value while it is empty', () => {
    const series = new GrowingSeries();
    expect(series.last).toBeNull();
  });
});

describe('nextStoredStep', () => {
  it('is always ahead, includes every power of ten, and has twelve values per decade', () => {
    const kept: number[] = [];
    for (let step = 0; step < 100_000; step = nextStoredStep(step)) kept.push(step);
    expect(kept).toEqual(expect.arrayContaining([10, 100, 1000, 10_000]));
    expect(kept.every((step, at) => at === 0 || step > (kept[at - 1] ?? 0))).toBe(true);
    expect(kept.filter((step) => step > 100 && step <= 1000)).toHaveLength(12);
  });

  it('is the later of two stored steps for a step between them', () => {
    for (let step = 0; step < 3000; step += 1) expect(nextStoredStep(step)).toBeGreaterThan(step);
  });
});

describe('thinnedIndices', () => {
  it('uses all of a short series, and the first and last of a long one', () => {
    expect(thinnedIndices(4, 10, false)).toEqual([0, 1, 2, 3]);
    for (const logarithmic of [false, true]) {
      const indices = thinnedIndices(10_000, 200, logarithmic);
      expect(indices.length).toBeLessThanOrEqual(200);
      expect([indices[0], indices.at(-1)]).toEqual([0, 9999]);
      expect(indices.every((index, at) => at === 0 || index > (indices[at - 1] ?? 0))).toBe(true);
    }
  });

  it('spends as many points on the first hundredth as on the last when logarithmic', () => {
    const indices = thinnedIndices(10_000, 200, true);
    expect(indices.filter((index) => index < 100).length).toBeGreaterThan(50);
  });
});

describe('settings', () => {
  it('have defaults that can be run', () => {
    expect(settingProblems(defaultSettings)).toEqual([]);
  });

  it.each([
    [{ dModel: 0 }, 'dModel', 'too-small'],
    [{ dModel: 2.5 }, 'dModel', 'not-whole'],
    [{ vocabSize: 5000 }, 'vocabSize', 'too-large'],
    [{ learningRate: Number.NaN }, 'learningRate', 'not-a-number'],
    [{ learningRate: 0 }, 'learningRate', 'too-small'],
    [{ seed: -1 }, 'seed', 'too-small'],
    [{ batchSize: 0 }, 'batchSize', 'too-small'],
    [{ steps: 0 }, 'steps', 'too-small'],
    [{ arms: [] }, 'arms', 'none-chosen'],
    [{ arms: ['twin' as never] }, 'arms', 'unknown'],
    [{ tokenizer: 'bpe', vocabSize: 200 } as const, 'vocabSize', 'too-small'],
    [{ tokenizer: 'sentence' as never }, 'tokenizer', 'unknown'],
    [{ optimizer: 'magic' as never }, 'optimizer', 'unknown'],
  ])('report what is wrong with %j', (change, setting, kind) => {
    expect(settingProblems({ ...defaultSettings, ...change })).toMatchObject([{ setting, kind }]);
  });
});

describe('files', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  const problemOf = (content: Uint8Array) => {
    try {
      return decodeText(content, 'x.txt');
    } catch (error) {
      return (error as FileError).problem;
    }
  };

  it('are read as UTF-8 with or without a mark, as UTF-16 with a mark, and older books as Windows-1252', () => {
    expect(decodeText(new TextEncoder().encode('naïve 🙂'), 'x')).toBe('naïve 🙂');
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61), 'x')).toBe('a');
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0x00), 'x')).toBe('a');
    expect(decodeText(bytes(0xfe, 0xff, 0x00, 0x61), 'x')).toBe('a');
    expect(decodeText(bytes(0x63, 0x61, 0x66, 0xe9), 'x')).toBe('café');
  });

  it('are refused if they are empty, too large or not text', () => {
    expect(problemOf(bytes())).toBe('empty');
    expect(problemOf(bytes(0x89, 0x50, 0x4e, 0x47, 0, 1))).toBe('binary');
    expect(problemOf(new Uint8Array(largestFile + 1).fill(97))).toBe('too-large');
  });

  it('are refused by name if they contain only spaces', async () => {
    const error: unknown = await readTextFile(new File([' \n '], 'blank.txt')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileError);
    expect((error as FileError).fileName).toBe('blank.txt');
    expect((error as FileError).problem).toBe('empty');
  });

  it('become a source if they are valid', async () => {
    expect(await readTextFile(new File(['New York'], 'city.txt'))).toEqual({ name: 'city.txt', text: 'New York' });
  });
});

describe('tokens of the maps', () => {
  it('are ordered by frequency, ties by id, and omit those that never occur', () => {
    const frequencies = Uint32Array.of(1, 2, 2, 1, 0, 0);
    expect(Array.from(mostFrequent(frequencies, 9))).toEqual([1, 2, 0, 3]);
    expect(Array.from(mostFrequent(frequencies, 1))).toEqual([1]);
  });

  it('include those of pairs even if they are rare, and can draw them side by side', () => {
    const { mapIds, orders } = mapTokens([{ from: 4, to: 3 }], [100, 90, 80, 2, 2, 0], 4);
    expect(Array.from(mapIds)).toEqual([0, 1, 3, 4]);
    expect(orders.frequency).toEqual([0, 1, 2, 3]);
    expect(orders['one-way'].map((position) => mapIds[position])).toEqual([4, 3, 0, 1]);
  });

  it('include those of the reader’s pair if the text has them, after the text’s own pairs', () => {
    const choice = {
      tokens: ['a', 'b', 'c', 'd', 'e'],
      frequencies: [9, 8, 7, 1, 0],
      pairs: [{ from: 0, to: 1 }],
      most: 4,
    };
    const wanted = (from: string, to: string) => mapTokensWithPair({ ...choice, wanted: { from, to } });
    expect(wanted('d', 'c')).toMatchObject({ pair: { from: 3, to: 2 }, orders: { 'one-way': [0, 1, 3, 2] } });
    expect(wanted('d', 'e').pair).toEqual({ from: 0, to: 1 });
    expect(wanted('d', 'nothing').pair).toEqual({ from: 0, to: 1 });
  });
});
