// The fuzzer itself covers every verb and every reader, makes the same calls from the same seed, and detects faults.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ARCHITECTURE_FIELDS, MODEL_FIELDS, SCHEDULES, TRAINING_FIELDS } from '../../web/core/generated/fields.js';
import { ADVICE_CONTEXT, BATCH } from '../../web/core/generated/records.js';
import { TOKENIZER_FORMATS } from '../../web/core/text/load-tokenizer.js';
import { TRAINER_VERBS } from '../../web/core/training/trainer-verbs.js';
import { CORE_VERBS } from '../../web/core/api/core-verbs.js';
import { CORPUS_VERBS, TOKENIZER_VERBS } from '../../web/worker/protocol.js';
import { loadCore, TiedError } from '../../web/index.js';
import { CallFuzzer } from '../fuzz/calls.js';
import { Draw } from '../fuzz/draw.js';
import { EXPERIMENT_NAMES, ExperimentFuzzer } from '../fuzz/experiments.js';
import { FileFuzzer, READER_NAMES } from '../fuzz/files.js';
import { architecture, batch, context } from '../fuzz/grammar/accounting.js';
import { encoderDecoder, model, training } from '../fuzz/grammar/models.js';
import { makeSamples, sign } from '../fuzz/files/formats.js';
import { differences, references } from '../fuzz/references.js';
import { newTable, VERB_NAMES, type Table } from '../fuzz/session.js';
import * as gives from '../fuzz/shapes.js';
import { judgeError, judgeValue, type Fault } from '../fuzz/verdict.js';

/** Methods that our modules have for each other: marked `@internal`, and not in the types that users see. */
function internalsOf(kind: string, file: string): string[] {
  const source = readFileSync(new URL(`../../web/core/${file}`, import.meta.url), 'utf8');
  return [...source.matchAll(/\/\*\* @internal [^/]*\*\/\s+(?:get |\*)?(\w+)(?:<\w+>)?\(/g)].map(
    ([, name]) => `${kind}.${name}`,
  );
}
const INTERNAL = Object.entries({
  core: 'core.ts',
  trainer: 'training/trainer.ts',
  tokenizer: 'text/tokenizer.ts',
  corpus: 'text/corpus.ts',
  comparison: 'training/comparison.ts',
}).flatMap(([kind, file]) => internalsOf(kind, file));

/** The names of an object's own methods and those of its class. */
function methodsOf(object: object): string[] {
  const places = [object, Object.getPrototypeOf(object) as object];
  const names = new Set(places.flatMap((place) => Object.getOwnPropertyNames(place)));
  names.delete('constructor');
  const isMethod = (name: string): boolean => typeof (object as Record<string, unknown>)[name] === 'function';
  return [...names].filter(isMethod).sort();
}

describe('the fuzzer calls', () => {
  test(
    'every method of cores, trainers, tokenizers, tables of pairs, corpora and comparisons',
    { timeout: LONG },
    async () => {
      const core = await loadCore();
      const tokenizer = core.trainTokenizer('abcabc', { kind: 'character' });
      const tokenIds = tokenizer.encode('abcabc');
      const model = { kind: 'direct-path', vocabSize: 3, dModel: 1, tying: 'tied' } as const;
      const trainer = core.createTrainer({ model, training: { learningRate: 1, batchSize: 1, seed: 1 }, tokenIds });
      const corpus = core.openCorpus(tokenIds, { vocabSize: 3 });
      const arms = { one: { model, training: { learningRate: 1 } } };
      const objects = {
        core,
        trainer,
        tokenizer,
        bigrams: core.bigrams(tokenIds, 3),
        corpus,
        comparison: core.compare(corpus, { arms }),
      };
      const found = Object.entries(objects).flatMap(([kind, object]) =>
        methodsOf(object).map((name) => `${kind}.${name}`),
      );
      expect(INTERNAL).toContain('trainer.fill');
      // Experiments are spoiled by tests/fuzz/experiments.ts, and each of their fields by tests/web/experiment/bad-specs.test.ts.
      // Checkpoint files are spoiled by tests/fuzz/checkpoints.ts.
      // `core.modelCard` calls the verbs of trainers and checkpoints, which the fuzzer covers.
      const others = [...INTERNAL, 'core.runExperiment', 'core.openCheckpoint', 'core.modelCard'];
      expect(found.filter((name) => !others.includes(name)).sort()).toEqual([...VERB_NAMES].sort());
      core.dispose();
    },
  );

  test('every verb of a lab', () => {
    const ofLabs = {
      core: CORE_VERBS,
      trainer: TRAINER_VERBS,
      tokenizer: TOKENIZER_VERBS,
      corpus: CORPUS_VERBS,
    };
    for (const [kind, verbs] of Object.entries(ofLabs)) {
      for (const verb of verbs) expect(VERB_NAMES).toContain(`${kind}.${verb}`);
    }
  });

  test('every file reader for each format', () => {
    const readers = CORE_VERBS.filter((verb) => /^(load|import)/.test(verb));
    expect(readers.length).toBeGreaterThan(3);
    for (const reader of readers) expect(READER_NAMES.some((name) => name.split(' ')[0] === reader)).toBe(true);
    expect(READER_NAMES.filter((name) => name.startsWith('loadTokenizer'))).toHaveLength(TOKENIZER_FORMATS.length);
  });
});

describe('the grammar draws every option', () => {
  /** The paths of options, such as 'head.samples'. */
  const pathsOf = (value: unknown, path = ''): string[] =>
    typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
      ? Object.entries(value).flatMap(([name, of]) => [path + name, ...pathsOf(of, `${path}${name}.`)])
      : [];
  const drawn = (make: (draw: Draw) => unknown): Set<string> =>
    new Set(Array.from({ length: 2000 }, (_, seed) => pathsOf(make(new Draw(seed)))).flat());
  const missing = (fields: object, made: Set<string>, without: readonly string[] = []): string[] =>
    Object.keys(fields).filter((path) => !made.has(path) && !without.includes(path));

  test('of models and training', () => {
    const made = drawn((draw) => (draw.odds(0.3) ? encoderDecoder(draw, 9) : model(draw, 9)));
    // Parts of `tying`, which has other names in the core; a head of at most two cutoffs fits these models.
    const other = Object.keys(MODEL_FIELDS).filter((path) => /^tying\.(condition|share|over|from)$/.test(path));
    const without = [...other, 'encoderTable', 'head.cutoffs.2', 'head.cutoffs.3'];
    expect(missing(MODEL_FIELDS, made, without)).toEqual([]);
    expect([...made]).toEqual(expect.arrayContaining(['tying.tables', 'tying.untieWhen.inputShare.above']));
    const trained = drawn((draw) => training(draw, false));
    expect(missing({ ...TRAINING_FIELDS, ...SCHEDULES }, trained)).toEqual([]);
  });

  test('of architectures, batches and advice', () => {
    expect(missing(ARCHITECTURE_FIELDS, drawn(architecture))).toEqual([]);
    expect(missing(ADVICE_CONTEXT, drawn(context), ['precedents', 'measured'])).toEqual([]);
    const made = drawn((draw) => batch(draw, { stack: 'encoder-decoder', vocabSize: 1000 }));
    expect(missing(BATCH, made, ['optimizerStates'])).toEqual([]);
    for (const head of ['sampled', 'adaptive', 'culled', 'clustered']) expect([...made]).toContain(`heads.${head}`);
  });
});

/** Each test creates cores and everything in the grammar. */
const LONG = 60_000;

describe('an episode', { timeout: LONG }, () => {
  const calls = async (seed: number): Promise<[Table, string[]]> => {
    const table = newTable(VERB_NAMES);
    const faults: string[] = [];
    const report = {
      onFault: (verb: string, number: number, { message }: Fault) => void faults.push(`${verb} ${number} ${message}`),
    };
    await new CallFuzzer(report, table).episode(seed, 0, 80);
    return [table, faults];
  };

  test('with the same seed makes the same calls with the same outcome, and with another seed others', async () => {
    const [table, faults] = await calls(1);
    expect(faults).toEqual([]);
    expect(await calls(1)).toEqual([table, []]);
    expect((await calls(2))[0]).not.toEqual(table);
  });

  test('of files accepts some and refuses some, the same ones each time', async () => {
    const files = async (): Promise<Table> => {
      const table = newTable(READER_NAMES);
      const report = {
        onFault: (verb: string, number: number, { message }: Fault) => expect.fail(`${verb} ${number} ${message}`),
      };
      await new FileFuzzer(report, table).episode(1, 0, 60);
      return table;
    };
    const table = await files();
    const sum = (name: 'returned' | 'refused'): number =>
      Object.values(table).reduce((all, counts) => all + counts[name], 0);
    expect(sum('returned')).toBeGreaterThan(5);
    expect(sum('refused')).toBeGreaterThan(5);
    expect(await files()).toEqual(table);
  });
});

test(
  'an episode of experiments and command-line arguments runs some and refuses some, the same ones each time',
  { timeout: LONG },
  async () => {
    const outcome = async (): Promise<Table> => {
      const table = newTable(EXPERIMENT_NAMES);
      const faults: string[] = [];
      const report = {
        onFault: (verb: string, number: number, { message }: Fault) => void faults.push(`${verb} ${number} ${message}`),
      };
      await new ExperimentFuzzer(report, table).episode(1, 0, 60);
      expect(faults).toEqual([]);
      return table;
    };
    const table = await outcome();
    for (const { returned, refused } of Object.values(table)) {
      expect(returned).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    }
    expect(await outcome()).toEqual(table);
  },
);

describe('a wrong outcome is a fault:', () => {
  const own = new Error('thrown by a getter');
  test.each<[what: string, error: unknown]>([
    ["an error of JavaScript's", new TypeError('x is not a function')],
    ['a core that was lost', new TiedError('stopped', 'the core stopped, most likely out of memory; load a new one')],
    ['a lab that was lost', new TiedError('unsupported', 'the lab failed: TypeError')],
    [
      'a message of ten thousand characters',
      new TiedError('invalid-argument', `x is ${'y'.repeat(10_000)}; expected z`),
    ],
    ['a message that expects nothing', new TiedError('invalid-argument', 'no')],
    ['a code that there is none of', new TiedError('wrong' as never, 'x is y; expected z')],
    ['an error that is no Error', 'text'],
  ])('%s', (_, error) => {
    expect(() => judgeError(error, new Set([own]))).toThrow();
  });

  test.each<[what: string, shape: gives.Shape, value: unknown]>([
    ['a matrix of another length', gives.matrix, { rows: 2, cols: 2, data: new Float32Array(3) }],
    ["a view of the core's memory", gives.tokenIds, new Uint32Array(new ArrayBuffer(64), 0, 4)],
    ['a number that is not finite', gives.record({ loss: gives.number }), { loss: NaN }],
    ['a field that is missing', gives.record({ loss: gives.number }), {}],
    ['nothing', gives.listOf(gives.string), undefined],
  ])('%s', (_, shape, value) => {
    expect(() => judgeValue(shape, value)).toThrow();
  });

  test('but a refusal with a message and an error of the caller are not', () => {
    expect(judgeError(new TiedError('invalid-argument', 'x is 1; expected 2'), new Set())).toBe('refused');
    expect(judgeError(own, new Set([own]))).toBe('own');
    expect(judgeValue(gives.matrix, { rows: 1, cols: 2, data: new Float32Array(2) })).toBe('returned');
  });
});

test('the known computations are the same on every core, and a difference is named', { timeout: LONG }, async () => {
  const [one, other] = [references(await loadCore()), references(await loadCore())];
  expect(Object.keys(one).length).toBeGreaterThan(15);
  expect(differences(one, other)).toEqual([]);
  expect(differences({ ...one, bounds: '' }, other)).toEqual(['bounds']);
});

test('files are signed as by the core', { timeout: LONG }, async () => {
  const samples = makeSamples(new Draw(1), await loadCore({ modules: ['models'] }));
  const signed = samples.filter(({ format }) => format === 'trainer' || format === 'tokenizer');
  expect(signed.length).toBeGreaterThan(5);
  for (const { format, bytes } of signed) {
    const again = { format, bytes: bytes.slice() };
    again.bytes.fill(0, format === 'trainer' ? bytes.length - 8 : 28, format === 'trainer' ? bytes.length : 32);
    sign(again);
    expect(again.bytes).toEqual(bytes);
  }
});
