// Stored runs: what is written is read again, the limits, and what happens when the browser refuses.
import { describe, expect, test } from 'vitest';
import type { Part, RunFacts } from '../../../web/elements/training-lab/kept/run-file.js';
import { mostRuns, RunStore, type SiteStorage } from '../../../web/elements/training-lab/kept/run-store.js';
import { FakeStorage } from './fake-storage.js';

let now = 0;
const factsOf = (id: string, step: number): RunFacts => ({
  id,
  step,
  page: '/',
  model: 'transformer',
  settings: { arms: ['tied'], tokenizer: 'word', vocabSize: 100, seed: 1, steps: 50 },
  source: { kind: 'stories', length: 1000 },
  time: ++now,
  shown: null,
});
const bytesOf = (length: number, fill: number): Uint8Array => new Uint8Array(length).fill(fill);

/** As much in two pieces, of which the second one comes later. */
async function* piecesOf(length: number, fill: number): AsyncGenerator<Uint8Array> {
  yield bytesOf(length - 1, fill);
  yield await Promise.resolve(bytesOf(1, fill));
}

const partsOf = (...parts: Part[]): (() => AsyncIterable<Part>) =>
  async function* () {
    yield* await Promise.resolve(parts);
  };
const model =
  (fill: number, length = 100) =>
  (): AsyncIterable<Part> =>
    partsOf({ name: 'tied.model', pieces: piecesOf(length, fill) }, { name: 'tied.losses', pieces: [bytesOf(8, 1)] })();

const namesIn = ({ files }: FakeStorage): string[] => [...files.keys()].sort();
const stepsOf = async (store: RunStore) => (await store.list()).map(({ facts: { id, step } }) => `${id} ${step}`);

describe('a stored run', () => {
  test('is found again by another store, with its parts', async () => {
    const storage = new FakeStorage();
    await (await RunStore.open(storage)).keep(factsOf('one', 7), 100, model(3));
    const store = await RunStore.open(storage);
    const [run] = await store.list();
    expect(run).toMatchObject({ facts: { id: 'one', step: 7, settings: { steps: 50 } } });
    expect(await store.read(run!, 'tied.model')).toEqual(bytesOf(100, 3));
    expect(await store.read(run!, 'tied.losses')).toEqual(bytesOf(8, 1));
    await store.forget('one');
    expect(namesIn(storage)).toEqual([]);
  });

  test('replaces its earlier moment, and the oldest of too many runs goes', async () => {
    const storage = new FakeStorage();
    const store = await RunStore.open(storage);
    for (const step of [1, 2, 3]) await store.keep(factsOf('one', step), 100, model(step));
    expect(await stepsOf(store)).toEqual(['one 3']);
    for (const id of ['two', 'three', 'four']) await store.keep(factsOf(id, 1), 100, model(1));
    expect(await stepsOf(store)).toEqual(['four 1', 'three 1', 'two 1']);
    expect(mostRuns).toBe(3);
  });

  test.each(['cut', 'changed', 'empty', 'foreign'])('that is %s is discarded, and others stay', async (fault) => {
    const storage = new FakeStorage();
    const store = await RunStore.open(storage);
    await store.keep(factsOf('one', 1), 100, model(1));
    await store.keep(factsOf('two', 1), 100, model(1));
    const bytes = storage.files.get('one.1.tiedrun')!;
    if (fault === 'cut') storage.files.set('one.1.tiedrun', bytes.slice(0, -1));
    if (fault === 'changed') bytes[150]! ^= 1;
    if (fault === 'empty') storage.files.set('one.1.tiedrun', new Uint8Array());
    if (fault === 'foreign') storage.files.set('one.1.tiedrun', bytesOf(500, 0x41));
    expect(await stepsOf(store)).toEqual(['two 1']);
    expect(namesIn(storage)).toEqual(['two.1.tiedrun']);
  });

  test('keeps its earlier moment if the models cannot be written', async () => {
    const storage = new FakeStorage();
    const store = await RunStore.open(storage);
    await store.keep(factsOf('one', 1), 100, model(1));
    const fails = async function* (): AsyncGenerator<Part> {
      yield await Promise.resolve({ name: 'tied.model', pieces: [bytesOf(10, 1)] });
      throw new RangeError('the worker stopped');
    };
    await expect(store.keep(factsOf('one', 2), 100, fails)).rejects.toThrow('the worker stopped');
    expect(await stepsOf(store)).toEqual(['one 1']);
    expect(namesIn(storage)).toEqual(['one.1.tiedrun']);
  });
});

describe('a storage that is full', () => {
  test.each([false, true])('loses its oldest runs first, then refuses; reports its size: %s', async (reports) => {
    const storage = new FakeStorage();
    storage.silent = !reports;
    const store = await RunStore.open(storage);
    for (const id of ['one', 'two']) await store.keep(factsOf(id, 1), 500, model(1));
    storage.quota = 2 * storage.usage - 10;
    await store.keep(factsOf('three', 1), 500, model(1, 600));
    expect(await stepsOf(store)).toEqual(['three 1', 'two 1']);
    await expect(store.keep(factsOf('four', 1), 5000, model(1, 5000))).rejects.toMatchObject({ kind: 'full' });
    // The moment that is there stays, and nothing is left half written.
    await store.keep(factsOf('three', 2), 100, model(1));
    storage.quota = storage.usage + 5;
    await expect(store.keep(factsOf('three', 3), 500, model(1, 500))).rejects.toMatchObject({ kind: 'full' });
    expect(await stepsOf(store)).toEqual(['three 2']);
    expect(namesIn(storage)).toEqual(['three.2.tiedrun']);
  });
});

describe('a page without storage', () => {
  const refusing = new FakeStorage();
  refusing.refusal = new DOMException('', 'SecurityError');
  test.each<[string, Partial<SiteStorage> | undefined]>([
    ['an older browser', {}],
    ['a private window', refusing],
  ])('in %s is told apart', async (_, storage) => {
    await expect(RunStore.open(storage)).rejects.toMatchObject({ name: 'StorageError', kind: 'none' });
  });

  test('that loses it later says so', async () => {
    const storage = new FakeStorage();
    const store = await RunStore.open(storage);
    storage.fault = new DOMException('', 'InvalidStateError');
    await expect(store.keep(factsOf('one', 1), 100, model(1))).rejects.toMatchObject({ kind: 'none' });
    expect(namesIn(storage)).toEqual([]);
  });
});
