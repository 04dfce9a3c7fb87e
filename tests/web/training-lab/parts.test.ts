import { describe, expect, it } from 'vitest';
import { GrowingSeries, nextKeptStep, thinnedIndices } from '../../../web/elements/training-lab/history.js';
import {
  changesTokens,
  defaultSettings,
  orderArms,
  settingProblems,
} from '../../../web/elements/training-lab/settings.js';
import { decodeText, FileError, largestFile, readTextFile } from '../../../web/elements/training-lab/text-source.js';
import {
  keepTokens,
  mostFrequent,
  oneWayPairs,
  tokenFrequencies,
} from '../../../web/elements/training-lab/token-choice.js';

describe('GrowingSeries', () => {
  it('keeps what is pushed across its own growth, and forgets from the end', () => {
    const series = new GrowingSeries();
    for (let value = 0; value < 5000; value += 1) series.push(value);
    expect(series.length).toBe(5000);
    expect(series.at(4999)).toBe(4999);
    series.truncate(10);
    expect(series.last).toBe(9);
    expect(Array.from(series.values())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(series.meanOfLast(4)).toBe(7.5);
    expect(series.meanOfLast(100)).toBe(4.5);
    expect(series.at(10)).toBeNull();
  });

  it('has no last value and no mean while it is empty', () => {
    const series = new GrowingSeries();
    expect(series.last).toBeNull();
    expect(series.meanOfLast(3)).toBeNull();
  });
});

describe('nextKeptStep', () => {
  it('always lies ahead, hits every power of ten, and is twelve a decade', () => {
    const kept: number[] = [];
    for (let step = 0; step < 100_000; step = nextKeptStep(step)) kept.push(step);
    expect(kept).toEqual(expect.arrayContaining([10, 100, 1000, 10_000]));
    expect(kept.every((step, at) => at === 0 || step > (kept[at - 1] ?? 0))).toBe(true);
    expect(kept.filter((step) => step > 100 && step <= 1000)).toHaveLength(12);
  });

  it('lies ahead of steps between two kept ones', () => {
    for (let step = 0; step < 3000; step += 1) expect(nextKeptStep(step)).toBeGreaterThan(step);
  });
});

describe('thinnedIndices', () => {
  it('keeps all of a short series, and first and last of a long one', () => {
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
  it('has defaults that can be run', () => {
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
  ])('finds what is wrong with %j', (change, setting, kind) => {
    expect(settingProblems({ ...defaultSettings, ...change })).toMatchObject([{ setting, kind }]);
  });

  it('knows which changes need the text to be read anew', () => {
    expect(changesTokens(defaultSettings, { ...defaultSettings, seed: 5, dModel: 8 })).toBe(false);
    expect(changesTokens(defaultSettings, { ...defaultSettings, vocabSize: 100 })).toBe(true);
  });

  it('orders arms and drops repetitions', () => {
    expect(orderArms(['tied-mlp', 'tied', 'tied'])).toEqual(['tied', 'tied-mlp']);
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

  it('reads UTF-8 with and without a mark, UTF-16 by its mark, and older books as Windows-1252', () => {
    expect(decodeText(new TextEncoder().encode('naïve 🙂'), 'x')).toBe('naïve 🙂');
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61), 'x')).toBe('a');
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0x00), 'x')).toBe('a');
    expect(decodeText(bytes(0xfe, 0xff, 0x00, 0x61), 'x')).toBe('a');
    expect(decodeText(bytes(0x63, 0x61, 0x66, 0xe9), 'x')).toBe('café');
  });

  it('refuses what is empty, too large or no text', () => {
    expect(problemOf(bytes())).toBe('empty');
    expect(problemOf(bytes(0x89, 0x50, 0x4e, 0x47, 0, 1))).toBe('binary');
    expect(problemOf(new Uint8Array(largestFile + 1).fill(97))).toBe('too-large');
  });

  it('refuses a file of blanks only, naming it', async () => {
    const error: unknown = await readTextFile(new File([' \n '], 'blank.txt')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileError);
    expect((error as FileError).fileName).toBe('blank.txt');
    expect((error as FileError).problem).toBe('empty');
  });

  it('makes a source of a good file', async () => {
    expect(await readTextFile(new File(['New York'], 'city.txt'))).toEqual({ name: 'city.txt', text: 'New York' });
  });
});

describe('tokens', () => {
  it('orders by frequency, ties by id, and leaves out what never occurs', () => {
    const frequencies = tokenFrequencies(Uint32Array.of(2, 1, 2, 3, 1, 0), 6);
    expect(Array.from(frequencies)).toEqual([1, 2, 2, 1, 0, 0]);
    expect(Array.from(mostFrequent(frequencies, 9))).toEqual([1, 2, 0, 3]);
    expect(Array.from(mostFrequent(frequencies, 1))).toEqual([1]);
  });

  it('prefers a name in fixed order to a more frequent pair of loose words', () => {
    // of the: 30 times out of 60 "of" and 100 "the"; New York: 20 times out of 22 "New" and 20 "York".
    const counts = { rows: 4, cols: 4, data: new Float32Array(16) };
    counts.data[0 * 4 + 1] = 30;
    counts.data[2 * 4 + 3] = 20;
    const frequencies = Float64Array.of(60, 100, 22, 20);
    expect(oneWayPairs(counts, frequencies, 9)).toEqual([
      { from: 2, to: 3 },
      { from: 0, to: 1 },
    ]);
    expect(oneWayPairs(counts, frequencies, 1)).toEqual([{ from: 2, to: 3 }]);
  });

  it('takes no token twice, and no pair that is as frequent as its mirror', () => {
    const mirrored = { rows: 2, cols: 2, data: Float32Array.of(1, 3, 3, 0) };
    expect(oneWayPairs(mirrored, Float64Array.of(4, 3), 9)).toEqual([]);
    const chain = { rows: 3, cols: 3, data: Float32Array.of(0, 5, 0, 0, 0, 4, 0, 0, 0) };
    expect(oneWayPairs(chain, Float64Array.of(5, 9, 4), 9)).toEqual([{ from: 0, to: 1 }]);
  });

  it('keeps tokens of pairs even where they are rare, and can draw them side by side', () => {
    const frequencies = Float64Array.of(100, 90, 80, 2, 2, 0);
    const { ids, orders } = keepTokens([{ from: 4, to: 3 }], frequencies, 4);
    expect(Array.from(ids)).toEqual([0, 1, 3, 4]);
    expect(orders.frequency).toEqual([0, 1, 2, 3]);
    expect(orders['one-way'].map((position) => ids[position])).toEqual([4, 3, 0, 1]);
  });
});
