/** Long verbs in slices of one part each: how soon they are cancelled, and what disposing of a handle does to work under way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULE_NAMES } from '../../../web/core/runtime/modules.js';
import { RunningModules } from '../../../web/core/runtime/running-modules.js';
import { startVerb } from '../../../web/core/runtime/verb.js';
import { openCorpus } from '../../../web/core/text/open-corpus.js';
import type { Core, Corpus, Matrix } from '../../../web/index.js';
import { LabHost } from '../../../web/worker/host.js';
import { CORE_TARGET, type Reply, type Value } from '../../../web/worker/protocol.js';
import { wasmFile } from '../core/bound-verbs.js';
import { hashOf } from '../seed-bits.js';

const TEXT = 'the cat sat on the mat, the dog sat on the log; '.repeat(4000);
const IDS = Uint32Array.from({ length: 300_000 }, (_, i) => (i * i) % 50);
const STORIES = { seed: 1, length: 200_000 };

/** Slices end after one part. */
const SLICE_MS = 0;

let host: LabHost;
let core: Core;
let transition: Matrix;
let tokenizer: number;
let trainer: number;
let tickets = 0;

const call = (target: number, verb: string, ...args: unknown[]): Promise<Reply> =>
  host.call({ target, verb, args, ticket: ++tickets, listens: false });

async function valueOf(reply: Promise<Reply>): Promise<Value> {
  const answered = await reply;
  if (!answered.ok) throw new Error(answered.message);
  return answered.value;
}

async function handleOf(reply: Promise<Reply>): Promise<number> {
  return ((await valueOf(reply)) as { id: number }).id;
}

async function plainOf(reply: Promise<Reply>): Promise<unknown> {
  return ((await valueOf(reply)) as { value: unknown }).value;
}

/** Large arrays compare faster as text. */
async function hexOf(reply: Promise<Reply>): Promise<string> {
  const bytes = (await plainOf(reply)) as Uint8Array | Uint32Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

const newTrainer = (): Promise<number> =>
  handleOf(
    call(CORE_TARGET, 'createTrainer', {
      model: { kind: 'direct-path', vocabSize: 2000, dModel: 64, tying: 'untied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 1 },
      tokenIds: IDS,
    }),
  );
const newTokenizer = (): Promise<number> =>
  handleOf(call(CORE_TARGET, 'trainTokenizer', 'cat mat dog log', { kind: 'word' }));

beforeAll(async () => {
  const compiled = MODULE_NAMES.map(
    async (name) => [name, await WebAssembly.compile(new Uint8Array(wasmFile(`${name}.wasm`)))] as const,
  );
  const modules = Object.fromEntries(await Promise.all(compiled));
  host = new LabHost(await RunningModules.start({ simd: 'simd128', modules }), SLICE_MS, () => undefined);
  ({ core } = host);
  transition = core.randomMarkovChain({ states: 20, seed: 3 });
  [tokenizer, trainer] = await Promise.all([newTokenizer(), newTrainer()]);
});
afterAll(() => host.dispose());

describe('a long verb of a lab', () => {
  const verbs: [verb: string, message: string, begin: () => Promise<Reply>][] = [
    ['trainTokenizer', 'training of the tokenizer', () => call(CORE_TARGET, 'trainTokenizer', TEXT, { kind: 'bpe' })],
    ['encode', 'encoding', () => call(tokenizer, 'encode', TEXT)],
    ['writeStories', 'writing', () => call(CORE_TARGET, 'writeStories', STORIES)],
    [
      'sampleMarkovChain',
      'sampling',
      () => call(CORE_TARGET, 'sampleMarkovChain', { transition, length: 300_000, seed: 1 }),
    ],
    ['save', 'saving', () => call(trainer, 'save')],
    ['toSafetensors', 'saving', () => call(trainer, 'toSafetensors')],
  ];

  test.each(verbs)('is cancelled after the current slice: %s', async (_, message, begin) => {
    const answer = begin();
    host.cancel(tickets);
    const reply = await answer;
    const percent = /^the (.*) was cancelled after (\d+)%$/.exec((reply as { message: string }).message);
    expect(percent?.[1]).toBe(message);
    expect(reply).toMatchObject({ ok: false, code: 'cancelled' });
    // After one part of many.
    expect(Number(percent?.[2])).toBeLessThanOrEqual(25);
  });

  test.each([
    ['a text', () => [TEXT, { tokenizer: { kind: 'word' } }]],
    ['a chain', () => [{ transition, length: 300_000, seed: 1 }, {}]],
    ['token ids', () => [IDS, { vocabSize: 3000 }]],
  ] as const)('is cancelled after the current slice: openCorpus of %s', async (_, args) => {
    const answer = call(CORE_TARGET, 'openCorpus', ...args());
    host.cancel(tickets);
    const reply = await answer;
    expect(reply).toMatchObject({ ok: false, code: 'cancelled' });
    expect((reply as { message: string }).message).toMatch(/^the opening of the corpus was cancelled after \d+%$/);
  });

  test('gives in slices the same results as a core at once', async () => {
    const learned = core.trainTokenizer(TEXT, { kind: 'bpe', vocabSize: 300 });
    const made = await handleOf(call(CORE_TARGET, 'trainTokenizer', TEXT, { kind: 'bpe', vocabSize: 300 }));
    expect(await plainOf(call(made, 'save'))).toEqual(learned.save());
    expect(await plainOf(call(made, 'encode', TEXT))).toEqual(learned.encode(TEXT));
    expect(await plainOf(call(CORE_TARGET, 'writeStories', STORIES))).toBe(core.writeStories(STORIES));
    const sample = { transition, length: 5000, seed: 4 };
    expect(await plainOf(call(CORE_TARGET, 'sampleMarkovChain', sample))).toEqual(core.sampleMarkovChain(sample));
    learned.dispose();
    host.release(made);
  });

  test('counts the pairs of a text and finds its floors in many slices', () => {
    const ids = IDS.slice(0, 30_000);
    const vocabSize = 400;
    const opening = startVerb(openCorpus, core, [ids, { vocabSize, validation: 0 }], true);
    const told: number[] = [];
    while (!opening.finished) {
      opening.takeFor(SLICE_MS);
      told.push((opening.news() as [number])[0]);
    }
    const corpus = opening.result() as Corpus;
    opening.end();
    // Parts of 4,096 ids or elements; the table is read at least three times.
    expect(told.length).toBeGreaterThan((ids.length + 3 * vocabSize ** 2) / 4096);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    const { counts } = core.bigrams(ids, vocabSize);
    expect(corpus.bounds).toEqual(core.bigramBounds(counts));
    expect(hashOf([corpus.bigrams().counts.data])).toBe(hashOf([counts.data]));
    corpus.dispose();
  });
});

describe('work under way when its handle is disposed of', () => {
  test('is finished if it only reads: a file and an encoding', async () => {
    const [mine, other, cutter] = [await newTrainer(), await newTrainer(), await newTokenizer()];
    const expected = await hexOf(call(other, 'save'));
    const encoded = await hexOf(call(cutter, 'encode', TEXT));
    const answers = [call(mine, 'save'), call(mine, 'toSafetensors'), call(cutter, 'encode', TEXT)];
    host.release(mine);
    host.release(cutter);
    const [file, , ids] = await Promise.all(answers.map(hexOf));
    expect(file === expected).toBe(true);
    expect(ids === encoded).toBe(true);
    for (const target of [mine, cutter]) expect(await call(target, 'save')).toMatchObject({ code: 'disposed' });
    host.release(other);
  });

  test('is finished if a corpus is disposed of together with its tokenizer', async () => {
    const value = await valueOf(call(CORE_TARGET, 'openCorpus', TEXT, { tokenizer: { kind: 'character' } }));
    const { id, tokenizer: cutter } = value as Extract<Value, { kind: 'corpus' }>;
    const ids = plainOf(call(cutter!.id, 'encode', TEXT));
    host.release(id);
    expect(await ids).toHaveLength(TEXT.length);
  });
});

test('writing files of two trainers at the same time gives the same bytes as one after the other', async () => {
  const other = await handleOf(
    call(CORE_TARGET, 'createTrainer', {
      model: { kind: 'direct-path', vocabSize: 1000, dModel: 80, tying: 'tied' },
      training: { learningRate: 0.1, batchSize: 4, seed: 2 },
      tokenIds: IDS,
    }),
  );
  const files = await Promise.all([trainer, other, trainer].map((target) => hexOf(call(target, 'save'))));
  const [first, second] = [await hexOf(call(trainer, 'save')), await hexOf(call(other, 'save'))];
  expect(files.map((file) => [first, second].indexOf(file))).toEqual([0, 1, 0]);
  host.release(other);
});

test('a file that is written during a run holds a single step', async () => {
  const [busy, twin] = [await newTrainer(), await newTrainer()];
  const run = call(busy, 'run', 40, {});
  const saved = await call(busy, 'save');
  await run;
  const { step } = saved as { step: number };
  await valueOf(call(twin, 'run', step, {}));
  expect((await hexOf(Promise.resolve(saved))) === (await hexOf(call(twin, 'save')))).toBe(true);
  host.release(busy);
  host.release(twin);
});
