// What model cards refuse, leave out and report as progress; how their text is written.
import { beforeAll, describe, expect, test } from 'vitest';
import { plain, written } from '../../../web/core/diagnostics/model-card/markdown.js';
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import { modelCard } from '../../../web/core/diagnostics/model-card/model-card.js';
import { startVerb } from '../../../web/core/runtime/verb.js';
import { loadCore, type Core, type ModelCardOptions, type NotMeasured, type Trainer } from '../../../web/index.js';
import { errorOf, expectError, matrixOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: OPTIONAL_MODULES });
});

const VOCAB = 12;
const IDS = Uint32Array.from({ length: 60 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);

const STEP = { step: 2, loss: 1, inputShare: 0.5, inputPositionShare: 0.5 };

const transformer = (): Trainer =>
  core.createTrainer({
    model: {
      kind: 'transformer',
      vocabSize: VOCAB,
      dModel: 4,
      tying: 'untied',
      nLayers: 1,
      nHeads: 1,
      contextLength: 8,
    },
    training: { learningRate: 0.01, batchSize: 2, seed: 3 },
    tokenIds: IDS,
  });

const directPath = (tying: 'tied' | 'untied' | 'tied-mlp', vocabSize = VOCAB, dModel = 4): Trainer =>
  core.createTrainer({
    model: { kind: 'direct-path', vocabSize, dModel, tying },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: core.bigrams(
      Uint32Array.from({ length: vocabSize }, (_, i) => i),
      vocabSize,
    ).counts,
  });

test('a card survives JSON unchanged, even with a seed of -0', () => {
  const { data } = transformer().modelCard({ tokenIds: IDS, seed: -0 });
  expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data);
});

test.each<[what: string, Partial<Record<keyof ModelCardOptions, unknown>>, string, RegExp]>([
  ['no text', { tokenIds: undefined }, 'invalid-argument', /^options\.tokenIds is undefined; expected a Uint32Array/],
  [
    'one token',
    { tokenIds: IDS.slice(0, 1) },
    'invalid-argument',
    /^options\.tokenIds is .*; expected at least 2 tokens/,
  ],
  ['an id out of range', { tokenIds: Uint32Array.of(1, 12) }, 'invalid-argument', /^options\.tokenIds\[1\] is 12/],
  [
    'counts of another vocabulary',
    { counts: new Uint32Array(3) },
    'shape-mismatch',
    /^options\.counts is a Uint32Array of 3; expected 12 elements/,
  ],
  ['no null runs', { nullRuns: 0 }, 'invalid-argument', /^options\.nullRuns is 0; expected an integer from 1 to 1000/],
  ['a negative seed', { seed: -1 }, 'invalid-argument', /^options\.seed is -1/],
  ['a lens without a text', { tunedLens: {} }, 'invalid-argument', /^options\.tunedLens\.tokenIds is undefined/],
  [
    'a lens that is none',
    { tunedLens: true },
    'invalid-argument',
    /^options\.tunedLens is true; expected an object with tokenIds, steps/,
  ],
  [
    'a lens without steps',
    { tunedLens: { tokenIds: IDS, steps: 0 } },
    'invalid-argument',
    /^options\.tunedLens\.steps is 0/,
  ],
  [
    'a lens with an id out of range',
    { tunedLens: { tokenIds: Uint32Array.of(99) } },
    'invalid-argument',
    /^options\.tunedLens\.tokenIds\[0\] is 99/,
  ],
  [
    'a lens with a signal',
    { tunedLens: { tokenIds: IDS, signal: null } },
    'invalid-argument',
    /^options\.tunedLens\.signal is not an option/,
  ],
  [
    'no records',
    { records: [] },
    'invalid-argument',
    /^options\.records is an array.*; expected an array of 1 to 1000000/,
  ],
  ['columns', { records: { step: [1] } }, 'invalid-argument', /^options\.records is an object; expected an array of/],
  [
    'a record that is none',
    { records: [null] },
    'invalid-argument',
    /^options\.records\[0\] is null; expected a record/,
  ],
  [
    'steps twice',
    { records: [STEP, STEP] },
    'invalid-argument',
    /^options\.records\[1\]\.step is 2; expected a step after/,
  ],
  [
    'a share above 1',
    { records: [{ ...STEP, inputShare: 2 }] },
    'invalid-argument',
    /^options\.records\[0\]\.inputShare/,
  ],
  ['a loss of NaN', { records: [{ ...STEP, loss: NaN }] }, 'not-finite', /^options\.records\[0\]\.loss is NaN/],
  ['unknown options', { lens: {} } as object, 'invalid-argument', /^options\.lens is not an option/],
])('refuses %s', (_, options, code, message) => {
  const error = errorOf(() => transformer().modelCard({ tokenIds: IDS, ...options } as ModelCardOptions));
  expect(error.message).toMatch(message);
  expect(error.code).toBe(code);
});

test('refuses a tuned lens for a direct path, and names missing modules', async () => {
  expectError(
    () => directPath('tied').modelCard({ tokenIds: IDS, tunedLens: { tokenIds: IDS } }),
    'unsupported',
    /^the model is of kind 'direct-path'; expected 'transformer': options\.tunedLens reads layers$/,
  );
  const bare = await loadCore({ modules: [] });
  const trainer = bare.createTrainer({
    model: { kind: 'direct-path', vocabSize: VOCAB, dModel: 2, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1, batchSize: 1 },
    tokenIds: IDS,
  });
  expectError(
    () => trainer.modelCard({ tokenIds: IDS }),
    'unsupported',
    /modules 'diagnostics', 'readout', which this verb needs; pass modules: \['diagnostics', 'readout'\] to loadCore$/,
  );
});

test('reports progress, and can be cancelled between parts', () => {
  const trainer = transformer();
  const options = { tokenIds: IDS, tunedLens: { tokenIds: IDS, steps: 5, tokensPerStep: 16 } };
  const run = startVerb(modelCard, trainer, [options], true);
  const told: number[] = [];
  while (!run.finished) {
    run.takeFor(0);
    told.push((run.news() as [number])[0]);
  }
  expect(told.length).toBeGreaterThan(20);
  expect([...told].sort((a, b) => a - b)).toEqual(told);
  expect(told.at(-1)).toBe(1);
  expect(run.result()).toEqual(trainer.modelCard(options));
  run.end();

  const cancel = new AbortController();
  const long = { tokenIds: IDS, tunedLens: { tokenIds: IDS, steps: 100_000 } };
  expectError(
    () => trainer.modelCard({ ...long, onProgress: () => cancel.abort(), signal: cancel.signal }),
    'cancelled',
    /^the model card was cancelled after \d+%$/,
  );
  expectError(() => trainer.modelCard({ ...long, signal: AbortSignal.abort() }), 'cancelled', /after 0%$/);
  const thrown = new Error('from the listener');
  const stop = () => {
    throw thrown;
  };
  expect(() => trainer.modelCard({ tokenIds: IDS, onProgress: stop })).toThrow(thrown);
  expect(trainer.modelCard({ tokenIds: IDS }).data.text.tokens).toBe(60);
});

test('passes on an error during its work', () => {
  const trainer = transformer();
  const end = () => trainer.dispose();
  expectError(
    () => trainer.modelCard({ tokenIds: IDS, tunedLens: { tokenIds: IDS, steps: 100_000 }, onProgress: end }),
    'disposed',
    /disposed of/,
  );
  const wide = directPath('untied');
  const huge = matrixOf(Array.from({ length: VOCAB }, () => [1e30, 0, 0, 0]));
  wide.setMatrix('embedding', huge);
  wide.setMatrix('unembedding', huge);
  expect(errorOf(() => wide.modelCard({ tokenIds: IDS })).code).toBe('not-finite');
});

test('says which measures sizes and values leave undetermined, and why', () => {
  const { tables, directPath: path } = directPath('untied', 2, 3).modelCard({ tokenIds: Uint32Array.of(0, 1) }).data;
  expect(tables.alignments).toMatchObject({
    identity: { notMeasured: expect.stringMatching(/^It is undetermined for this model: .* at least one row\.$/) },
    linear: { notMeasured: expect.stringMatching(/rows/) },
  });
  expect(path).toMatchObject({ rows: 2, symmetric: false });

  const zeros = directPath('tied');
  zeros.setMatrix('embedding', matrixOf(Array.from({ length: VOCAB }, () => [0, 0, 0, 0])));
  const { data, markdown } = zeros.modelCard({ tokenIds: IDS });
  expect((data.tables.input as NotMeasured).notMeasured).toMatch(/^It is undetermined for this model: /);
  // Without a gradient there are no fractions of it.
  expect(data.gradient.inputShare).toEqual({ value: null, unit: 'fraction', chance: null, chanceDeviation: null });
  expect(markdown).toContain('| share of the input part | – | fraction | – |');

  const network = directPath('tied-mlp').modelCard({ tokenIds: IDS }).data;
  expect(network.directPath).toEqual({ notMeasured: expect.stringMatching(/^A network lies between/) });
  expect(network.parameters.mapParameters.value).toBe(4 * 16 * 2 + 16 + 4);
  expect(network.parameters.untied.value).toBe(2 * VOCAB * 4);
});

test('has no tokens in its text', () => {
  const text = '<script>alert(1)</script> | [x](javascript:y) `z` **b** '.repeat(5);
  const tokenizer = core.trainTokenizer(text, { kind: 'word' });
  const tokenIds = tokenizer.encode(text);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: tokenizer.vocabSize, dModel: 2, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1, batchSize: 2 },
    ...{ tokenIds, tokenizer },
  });
  expect(trainer.modelCard({ tokenIds }).markdown).not.toMatch(/[<>`*[\]]|alert|script/);
});

describe('the text', () => {
  test('has four significant digits, and integers in full', () => {
    const numbers = [null, 0, 123_456_789, 0.123456, -1234.56, 1e-9, 2.5e22];
    expect(numbers.map(written)).toEqual(['–', '0', '123456789', '0.1235', '-1235', '1e-9', '2.5e+22']);
  });

  test('escapes markup in texts of others', () => {
    expect(plain('a|b\n# <i>_c_</i> [d](e) `f`')).toBe('a\\|b \\# \\<i\\>\\_c\\_\\</i\\> \\[d\\](e) \\`f\\`');
  });
});
