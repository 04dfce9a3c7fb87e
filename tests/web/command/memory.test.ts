// How many jobs run in parallel, for machines and experiments that are only numbers.
import { describe, expect, it, vi } from 'vitest';
import {
  allowedJobs,
  bytesOfJob,
  bytesOfJobs,
  characterBytes,
  freeBytes,
  jobsThatFit,
  pairBytes,
  processBytes,
  sizeOf,
  textPairBytes,
  threadBytes,
} from '../../../command/memory.mjs';

const MB = 1e6;
const none = { file: 'claim.json', isGiven: false };

describe('free memory', () => {
  it('is that of the machine, or what a limited cgroup may still allocate', () => {
    expect(freeBytes(8000 * MB, 0, 50 * MB)).toBe(8000 * MB);
    // What Node reports without a limit.
    expect(freeBytes(8000 * MB, 2 ** 64, 50 * MB)).toBe(8000 * MB);
    expect(freeBytes(8000 * MB, 1000 * MB, 50 * MB)).toBe(950 * MB);
    expect(freeBytes(300 * MB, 1000 * MB, 50 * MB)).toBe(300 * MB);
    expect(freeBytes(300 * MB, 40 * MB, 50 * MB)).toBe(0);
    expect(freeBytes()).toBeGreaterThan(0);
  });

  it.each([
    ['800MB', 800 * MB],
    ['16GB', 16_000 * MB],
    ['1.5 gb', 1500 * MB],
    ['2TB', 2e12],
  ])('%s is accepted', (word, bytes) => {
    expect(sizeOf(word)).toBe(bytes);
  });

  it.each(['', '16', '0MB', '-1GB', '16 G', 'GB', '1e3MB', '1GBs'])("'%s' is refused", (word) => {
    expect(() => sizeOf(word)).toThrow(`--memory is '${word}'; expected a size such as 800MB or 16GB`);
  });
});

describe('parallel jobs', () => {
  it('are as many as fit, even if the largest ones coincide', () => {
    const room = processBytes + 1000 * MB;
    expect(jobsThatFit(4, Array<number>(10).fill(250 * MB), room)).toBe(4);
    expect(jobsThatFit(4, Array<number>(10).fill(251 * MB), room)).toBe(3);
    expect(jobsThatFit(4, [100 * MB, 700 * MB, 100 * MB, 400 * MB], room)).toBe(1);
    expect(jobsThatFit(8, [100 * MB, 100 * MB], room)).toBe(2);
    expect(jobsThatFit(1, [1001 * MB], room)).toBe(0);
    expect(jobsThatFit(4, [], 0)).toBe(0);
  });

  it('are not mentioned if all fit', () => {
    const warn = vi.fn();
    expect(allowedJobs(2, [100 * MB, 100 * MB, 100 * MB], { ...none, available: 1000 * MB, warn })).toBe(2);
    expect(warn).not.toHaveBeenCalled();
  });

  it('are fewer than requested, with a line that says why', () => {
    const warn = vi.fn();
    const jobs = Array<number>(6).fill(200 * MB);
    expect(allowedJobs(4, jobs, { ...none, available: 500 * MB, warn })).toBe(2);
    expect(allowedJobs(4, jobs, { ...none, available: 500 * MB, isGiven: true, warn })).toBe(2);
    expect(warn.mock.calls).toEqual([
      [
        'tied-embeddings: 2 of 4 jobs at the same time, because a job needs up to about 200 MB and 500 MB are free (--memory sets how much may be used)\n',
      ],
      [
        'tied-embeddings: 2 of 4 jobs at the same time, because a job needs up to about 200 MB and --memory is 500 MB\n',
      ],
    ]);
  });

  it('are refused if not even one fits', () => {
    const jobs = [300 * MB, 100 * MB];
    expect(() => allowedJobs(1, jobs, { ...none, available: 200 * MB })).toThrow(
      'claim.json: a job needs about 300 MB, 375 MB with the process, and 200 MB are free; expected a smaller batch or model, or --memory with the size that may be used',
    );
    expect(() => allowedJobs(1, jobs, { ...none, available: 200 * MB, isGiven: true })).toThrow(
      /and --memory is 200 MB; expected at least 375 MB$/,
    );
  });
});

describe('the bytes of a job', () => {
  const model = { kind: 'direct-path', dModel: 8, tying: 'tied' };
  const job = { text: { string: 'a b c' }, tokenizer: { kind: 'word' }, model, training: { steps: 5, initSeed: 1 } };
  const estimateMemory = vi.fn(({ dModel }: { dModel: number }) =>
    Promise.resolve({ bytes: 1000 * dModel, fileBytes: 10 }),
  );
  const of = vi.fn(() => Promise.resolve<object>({ vocabSize: 3 }));
  const count = (jobs: object[], texts = {}) =>
    bytesOfJobs({ estimateMemory } as never, { of } as never, texts, jobs as never);

  it('are those of its trainer, its saved state, its text and its thread', async () => {
    expect(bytesOfJob({ bytes: 1000, fileBytes: 10 }, { characters: 5, pairs: 9 })).toBe(
      threadBytes + 1010 + 5 * characterBytes + 9 * pairBytes,
    );
    const batches = { ...job, training: { ...job.training, batchSize: 4 } };
    expect(await count([job, batches])).toEqual([
      threadBytes + 8010 + 5 * characterBytes + 9 * pairBytes,
      threadBytes + 8010 + 5 * characterBytes,
    ]);
    expect(estimateMemory).toHaveBeenLastCalledWith({ ...model, vocabSize: 3 }, { initSeed: 1, batchSize: 4, seed: 1 });
  });

  it('are a trainer and a thread more for each part of a batch that has its own', async () => {
    const parts = (shards: number) => ({ ...job, training: { ...job.training, batchSize: 8, shards } });
    const bytes = await bytesOfJobs({ estimateMemory } as never, { of } as never, {}, [1, 2, 8].map(parts) as never, 3);
    const one = threadBytes + 8010;
    expect(bytes).toEqual([1, 2, 3].map((threads) => threads * one + 5 * characterBytes));
  });

  it('are counted once for all seeds, and a text is opened only if it determines the vocabulary', async () => {
    estimateMemory.mockClear();
    of.mockClear();
    const known = { ...job, text: { markov: { states: 4, length: 7, seed: 1 } }, tokenizer: null };
    const file = { ...job, text: { file: 'a.txt' }, tokenizer: { kind: 'bpe', vocabSize: 300 } };
    const seeds = [1, 2, 3].map((initSeed) => ({ ...known, training: { ...known.training, initSeed } }));
    const bytes = await count([...seeds, file], { 'a.txt': 'some text' });
    expect(bytes).toEqual([
      ...Array<number>(3).fill(threadBytes + 8010 + 7 * characterBytes + 16 * pairBytes),
      threadBytes + 8010 + 9 * characterBytes + 300 ** 2 * pairBytes,
    ]);
    expect(estimateMemory).toHaveBeenCalledTimes(2);
    expect(of).not.toHaveBeenCalled();
  });

  it('of pairs include their texts and a model for their lengths', async () => {
    const [training, heldOut] = [2, 1].map((count) => ({
      source: Array<Uint32Array>(count).fill(new Uint32Array(3)),
      target: Array<Uint32Array>(count).fill(new Uint32Array(4)),
    }));
    of.mockResolvedValueOnce({ vocabSize: 9, lengths: { sourceLength: 3, contextLength: 5 }, training, heldOut });
    const pairs = { task: 'plurals', seed: 1, count: 3 };
    const translator = { kind: 'encoder-decoder', dModel: 8, tying: 'all', contextLength: 7 };
    const bytes = await count([{ pairs, tokenizer: null, model: translator, training: { steps: 1, batchSize: 2 } }]);
    expect(bytes).toEqual([threadBytes + 8010 + 21 * characterBytes + 3 * textPairBytes]);
    expect(estimateMemory).toHaveBeenLastCalledWith(
      { ...translator, vocabSize: 9, sourceLength: 3, contextLength: 7 },
      { batchSize: 2, seed: 1 },
    );
  });

  it('are still given if its trainer is refused, since the job reports the reason itself', async () => {
    estimateMemory.mockRejectedValueOnce(new Error('too large'));
    expect(await count([{ ...job, training: { steps: 1, initSeed: 1, batchSize: 1 } }])).toEqual([
      threadBytes + 5 * characterBytes,
    ]);
  });
});
