/** Experiments on pairs: what is trained on and held out, and each metric compared with a direct call of the verb. */
import { beforeAll, describe, expect, test } from 'vitest';
import { seedOf } from '../../../web/core/experiment/canonical.js';
import { checkSpec } from '../../../web/core/experiment/check-spec.js';
import { expand } from '../../../web/core/experiment/expand.js';
import { PAIR_METRICS } from '../../../web/core/experiment/pair-metrics.js';
import {
  createLab,
  loadCore,
  type Core,
  type ExperimentRecords,
  type ExperimentSpec,
  type TextPair,
  type TokenPairs,
  type Trainer,
} from '../../../web/index.js';
import { timeless, translators } from './specs.js';

let core: Core;
let records: ExperimentRecords;
beforeAll(async () => {
  core = await loadCore({ modules: ['diagnostics', 'models', 'stories'] });
  records = await core.runExperiment(translators);
});

const valueOf = (arm: string, metric: string, step = 30, from = records): number | null | undefined => {
  const { id } = from.runs.find((run) => run.arm === arm && run.seed === 1)!;
  return from.metrics.find((row) => row.id === id && row.metric === metric && row.step === step)?.value;
};

const everyTenth = (wanted: boolean) => (_: unknown, i: number) => (i % 10 === 9) === wanted;
const part = ({ source, target }: TokenPairs, wanted: boolean): TokenPairs => ({
  source: source.filter(everyTenth(wanted)),
  target: target.filter(everyTenth(wanted)),
});

/** The model of an arm, created directly. */
function trainerOf(arm: keyof typeof translators.arms): { trainer: Trainer; heldOut: TokenPairs; all: TextPair[] } {
  const all = core.writePairs(translators.pairs);
  const tokenizer = core.pairTokenizer(all);
  const { pairs, sourceLength, contextLength } = core.encodePairs({ pairs: all, tokenizer });
  const heldOut = part(pairs, true);
  const trainer = core.createTrainer({
    model: {
      kind: 'encoder-decoder',
      vocabSize: tokenizer.vocabSize,
      ...translators.model,
      ...translators.arms[arm].model,
      sourceLength,
      contextLength,
    },
    training: { learningRate: 0.01, batchSize: 16, seed: 1, initSeed: seedOf('start', 1, arm) },
    pairs: part(pairs, false),
    validationPairs: heldOut,
    tokenizer,
  });
  return { trainer, heldOut, all };
}

test('every metric for pairs is measured, the same in a lab and in a core', async () => {
  const lab = await createLab();
  const inLab = await lab.runExperiment(translators);
  lab.dispose();
  expect(timeless(inLab)).toEqual(timeless(records));
  const measured = new Set(records.metrics.map(({ metric }) => metric.replace(/[(.].*/, '')));
  expect(Object.keys(PAIR_METRICS).filter((name) => !measured.has(name))).toEqual([]);
});

test('runs are those of encoder-decoders, and claims hold', () => {
  expect(records.problems).toEqual([]);
  expect(records.runs.map(({ arm, seed, error }) => [arm, seed, error])).toEqual(
    [1, 2].flatMap((seed) => ['one', 'two', 'three'].map((arm) => [arm, seed, null])),
  );
  expect(records.runs[1]).toMatchObject({
    tying: '{"tables":["encoder-input","output"]}',
    vocab_size: 28,
    d_model: 8,
    n_layers: 2,
    tokenizer: null,
    steps: 30,
  });
  expect(records.claims.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
});

test.each(['one', 'two', 'three'] as const)('numbers of %s are those of the verbs', (arm) => {
  const { trainer, heldOut } = trainerOf(arm);
  expect(valueOf(arm, 'loss', 0)).toBe(trainer.evaluate().loss);
  const steps = trainer.run(30);
  const { encoderGradientNorm, inputGradientNorm, outputGradientNorm, encoderEmbeddingDrift } = steps[29]!;
  const sum = encoderGradientNorm! + inputGradientNorm + outputGradientNorm;
  expect(valueOf(arm, 'encoder-gradient-norm')).toBe(encoderGradientNorm);
  expect(valueOf(arm, 'encoder-embedding-drift')).toBe(encoderEmbeddingDrift);
  expect(valueOf(arm, 'role-shares.encoder')).toBe(encoderGradientNorm! / sum);
  expect(valueOf(arm, 'role-shares.input')).toBe(inputGradientNorm / sum);
  expect(valueOf(arm, 'role-shares.output')).toBe(outputGradientNorm / sum);
  expect(valueOf(arm, 'loss')).toBe(trainer.evaluate().loss);
  const { exactMatch, characterErrorRate, pairs } = trainer.evaluatePairs();
  expect(pairs).toBe(30);
  expect(valueOf(arm, 'translation.exactMatch')).toBe(exactMatch);
  expect(valueOf(arm, 'translation.characterErrorRate')).toBe(characterErrorRate);
  const parameters = trainer.parameters().reduce((all, { count }) => all + count, 0);
  expect(valueOf(arm, 'parameters')).toBe(parameters);
  expect(valueOf(arm, 'parameters.tables')).toBe({ one: 1, two: 2, three: 3 }[arm] * 28 * 8);
  const { encoder, input, output, outputRows } = trainer.gradient(heldOut);
  const norms = [encoder!, input, output].map(({ data }) => Math.hypot(...data));
  const all = norms.reduce((a, b) => a + b);
  for (const [i, role] of ['encoder', 'input', 'output'].entries())
    // Sums of up to 224 squares, in another order.
    expect(valueOf(arm, `role-gradients.${role}Share`)).toBeCloseTo(norms[i]! / all, 12);
  expect(valueOf(arm, 'role-gradients.outputRows')).toBe(outputRows / 28);
  const product = encoder!.data.reduce((so, value, i) => so + value * output.data[i]!, 0);
  expect(valueOf(arm, 'role-gradients.encoderOutputCosine')).toBeCloseTo(product / norms[0]! / norms[2]!, 12);
  const table = trainer.matrix({ one: 'embedding', two: 'unembedding', three: 'encoder.embedding' }[arm]);
  const { isoScore } = core.isotropy(table);
  expect(valueOf(arm, 'isotropy(encoder-embedding).isoScore')).toBe(isoScore);
  const { id } = records.runs.find((run) => run.arm === arm && run.seed === 1)!;
  expect(id).toHaveLength(16);
  if (arm !== 'three') return;
  const { meanCosine } = core.align(trainer.matrix('encoder.embedding'), trainer.matrix('unembedding'), {
    method: 'identity',
    holdOut: 0.2,
  });
  expect(valueOf(arm, 'alignment(three.encoder-embedding, three.unembedding, method=identity)')).toBe(meanCosine);
});

test('the shared gradient is the sum of its roles to the bit, and a missing part is detected', () => {
  const { trainer, heldOut } = trainerOf('one');
  for (const arm of ['one', 'two', 'three'])
    for (const step of [0, 30]) expect(valueOf(arm, 'role-gradients.split', step), arm).toBe(0);
  const { total, input, output } = trainer.gradient(heldOut);
  const withoutEncoder = total.data.map((value, i) => value - input.data[i]! - output.data[i]!);
  expect(Math.max(...withoutEncoder.map(Math.abs))).toBeGreaterThan(1e-6);
});

describe('pairs', () => {
  const spec = {
    ...translators,
    arms: { one: translators.arms.one },
    seeds: [1],
    measure: [{ metric: 'loss' }, { metric: 'translation' }],
    claims: [],
  } as const satisfies ExperimentSpec;
  const run = (changes: Partial<ExperimentSpec>, texts = {}) =>
    core.runExperiment({ ...spec, ...changes } as ExperimentSpec, { texts });
  const all = () => core.writePairs(translators.pairs);
  const lines = () =>
    all()
      .map(({ source, target }) => `${source}\t${target}\n`)
      .join('');

  test('from a task, a list and a file are the same', async () => {
    const [task, list, file] = await Promise.all([
      run({}),
      run({ pairs: { list: all() } }),
      run({ pairs: { file: 'words.tsv' } }, { 'words.tsv': lines() }),
    ]);
    const facts = ({ runs, metrics }: ExperimentRecords) => [
      runs.map(({ weights_sha256, text_sha256 }) => [weights_sha256, text_sha256]),
      metrics.map(({ value }) => value),
    ];
    expect(facts(list)).toEqual(facts(task));
    expect(facts(file)).toEqual(facts(task));
  });

  test('are held out at equal distances, and those whose source is also trained on are counted', async () => {
    // Every fifth pair is held out; half of the held-out ones are also among the others.
    const list = Array.from({ length: 40 }, (_, i) => ({ source: i % 10 === 4 ? 'ab' : `c${i % 4}`, target: 'x' }));
    const unseen = { source: 'new', target: 'x' };
    const mixed = list.map((pair, i) => (i % 10 === 9 ? unseen : pair));
    mixed[0] = { source: 'ab', target: 'x' };
    const found = await run({ pairs: { list: mixed }, validation: 0.2 });
    expect(valueOf('one', 'translation.seen', 30, found)).toBe(0.5);
  });

  test('are measured on the training pairs if none are held out', async () => {
    const found = await run({ validation: 0 });
    expect(valueOf('one', 'translation.seen', 30, found)).toBeNull();
    expect(valueOf('one', 'loss', 30, found)).toBeGreaterThan(0);
  });

  test('that exceed the given lengths of a model are refused by name', async () => {
    const { runs } = await run({ model: { ...spec.model, sourceLength: 2 } });
    expect(runs[0]).toMatchObject({ status: 'failed', weights_sha256: null });
    expect(runs[0]!.error).toContain('sourceLength');
  });

  test('in a missing file, or one with an invalid line, are refused by name', async () => {
    await expect(run({ pairs: { file: 'a.tsv' } })).rejects.toThrow(
      "spec.pairs.file is 'a.tsv'; expected a name in options.texts",
    );
    await expect(run({ pairs: { file: 'a.tsv' } }, { 'a.tsv': 'a\tb\nc\n' })).rejects.toThrow('line 2');
    await expect(run({ pairs: { file: 'a.tsv' } }, { 'a.tsv': `a\tb\n${'c'.repeat(1001)}\td\n` })).rejects.toThrow(
      "pair 2 of 'a.tsv' has a source of 1001 characters; expected at most 1000",
    );
  });

  test('do not change the ids of jobs on texts', () => {
    const [job] = expand(checkSpec({ ...spec, name: 'some-pairs' }));
    expect(job).toMatchObject({ pairs: spec.pairs, tokenizer: null, model: { kind: 'encoder-decoder' } });
    expect(job).not.toHaveProperty('text');
  });
});

test('a stopped job resumes to the same bits', async () => {
  const states: Parameters<NonNullable<Parameters<Core['runExperiment']>[1]>['onState'] & object>[] = [];
  const stop = new AbortController();
  const spec = { ...translators, seeds: [1], training: { ...translators.training, steps: 100 } } as const;
  const options = {
    stateEvery: 0,
    signal: stop.signal,
    onState: (...state: (typeof states)[number]) => {
      states.push(state);
      stop.abort();
    },
  };
  await expect(core.runExperiment(spec, options)).rejects.toMatchObject({ code: 'cancelled' });
  const [[id, state]] = states as [(typeof states)[number]];
  expect(state.step).toBeGreaterThan(0);
  const resumed = await core.runExperiment(spec, { states: { [id]: state } });
  expect(timeless(resumed)).toEqual(timeless(await core.runExperiment(spec)));
});
