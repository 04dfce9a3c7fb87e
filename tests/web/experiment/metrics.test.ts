/** Metrics that do more than pass on a verb's number, compared with direct calls of the verb; and texts read in other directions. */
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';
import { seedOf } from '../../../web/core/experiment/canonical.js';
import { kept, measuredBy } from './measured.js';
import { paths, transformers } from './specs.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['accounting', 'diagnostics', 'graphs', 'models', 'readout', 'stories'] });
});
const measured = (spec: Parameters<typeof measuredBy>[1]) => measuredBy(core, spec);

const medianOf = (values: Float32Array) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
};
describe('for a direct path', () => {
  const spec = {
    ...paths,
    seeds: [1],
    measure: [
      kept,
      { metric: 'loss' },
      { metric: 'parameters' },
      { metric: 'symmetry' },
      { metric: 'bigram-bounds', nullRuns: 2 },
      { metric: 'cycles', nullRuns: 3, seed: 2 },
      { metric: 'gradient-split', tokens: 50 },
      { metric: 'path-repetition' },
      { metric: 'tied-floor', steps: 400 },
      { metric: 'recovered-table' },
      { metric: 'self-transitions' },
    ],
    claims: [],
  } as const;

  test('symmetry is that of the logits, and at chance level for no model', async () => {
    const { models, valueOf } = await measured(spec);
    for (const arm of ['tied', 'untied']) {
      const trainer = models.get(arm)!;
      const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, token) => token);
      const { asymmetry, maxDifference } = core.symmetry(trainer.nextTokenLogits({ from }));
      expect(valueOf(arm, 'symmetry')).toBe(asymmetry);
      expect(valueOf(arm, 'symmetry.maxDifference')).toBe(maxDifference);
      expect(valueOf(arm, 'symmetry.chance')).toBeCloseTo(0.7071, 4);
    }
    expect(valueOf('tied', 'symmetry.maxDifference')).toBe(0);
    expect(valueOf('untied', 'symmetry')).toBeGreaterThan(0.1);
  });

  test('parameters and bounds are those of the trainer and of the text', async () => {
    const { models, valueOf } = await measured(spec);
    const { vocabSize, dModel } = models.get('untied')!.model;
    expect(valueOf('untied', 'parameters')).toBe(2 * vocabSize * dModel);
    expect(valueOf('tied', 'parameters.tables')).toBe(vocabSize * dModel);
    const corpus = core.openCorpus(paths.text.string, { tokenizer: paths.tokenizer });
    const { unigram, bigram, symmetricLogits } = corpus.bounds!;
    expect(
      ['unigram', 'bigram', 'symmetricLogits'].map((part) => valueOf('tied', `bigram-bounds(nullRuns=2).${part}`)),
    ).toEqual([unigram, bigram, symmetricLogits]);
    const { js, share, mutualInformation, null: chance } = corpus.irreversibility({ nullRuns: 2 });
    expect(valueOf('tied', 'bigram-bounds(nullRuns=2).share')).toBe(share);
    expect(valueOf('tied', 'bigram-bounds(nullRuns=2).mutualInformation')).toBe(mutualInformation);
    expect(valueOf('tied', 'bigram-bounds(nullRuns=2).js')).toBe(js);
    expect(valueOf('tied', 'bigram-bounds(nullRuns=2).js.chance')).toBe(chance.mean);
    const cycles = core.kolmogorovCycles(corpus.bigrams().counts, { nullRuns: 3, seed: 2 });
    expect(valueOf('tied', 'cycles(nullRuns=3, seed=2)')).toBe(cycles.affinity);
    expect(valueOf('tied', 'cycles(nullRuns=3, seed=2).chance')).toBe(cycles.null.mean);
    expect(valueOf('tied', 'cycles(nullRuns=3, seed=2).compared')).toBe(cycles.compared);
    expect(valueOf('tied', 'cycles(nullRuns=3, seed=2).oneWay')).toBe(cycles.oneWay);
  });

  test('tokens of a tied path follow themselves at least as often as they occur in its chain, those of an untied one need not', async () => {
    const { models, valueOf } = await measured(spec);
    for (const arm of ['tied', 'untied']) {
      const trainer = models.get(arm)!;
      const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, token) => token);
      const chain = trainer.nextTokenProbabilities({ from });
      const { stationary } = core.markovBounds(chain);
      const own = (id: number) => chain.data[id * chain.cols + id]!;
      const sum = (of: (id: number) => number) => [...from].reduce((all, id) => all + of(id), 0);
      expect(valueOf(arm, 'path-repetition')).toBeCloseTo(
        sum((id) => stationary[id]! * own(id)),
        6,
      );
      expect(valueOf(arm, 'path-repetition.chance')).toBeCloseTo(
        sum((id) => stationary[id]! ** 2),
        6,
      );
      const below = [...from].filter((id) => own(id) < stationary[id]! * (1 - 1e-5)).length;
      expect(valueOf(arm, 'path-repetition.below')).toBe(below / from.length);
    }
    expect(valueOf('tied', 'path-repetition.below')).toBe(0);
    expect(valueOf('untied', 'path-repetition.below')).toBeGreaterThan(0);
  });

  test('the floor and the recovered table are those of the verbs', async () => {
    const { models, valueOf } = await measured(spec);
    const corpus = core.openCorpus(paths.text.string, { tokenizer: paths.tokenizer });
    const found = core.tiedFloor(corpus.bigrams().counts, { steps: 400 });
    const floor = Math.max(found.floor, corpus.bounds!.symmetricLogits);
    expect(valueOf('tied', 'tied-floor(steps=400)')).toBe(floor);
    expect(valueOf('tied', 'tied-floor(steps=400).reached')).toBe(found.reached);
    const trainer = models.get('tied')!;
    const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, token) => token);
    const { width, gap, table } = core.recoverTable(trainer.nextTokenLogits({ from }));
    expect(valueOf('tied', 'recovered-table.width')).toBe(width);
    expect(valueOf('tied', 'recovered-table.gap')).toBe(gap);
    const alike = core.align(table, trainer.matrix('embedding'), { method: 'orthogonal', holdOut: 0 });
    expect(valueOf('tied', 'recovered-table.cosine')).toBe(alike.meanCosine);
    expect(valueOf('tied', 'recovered-table.tied')).toBe(1);
    expect(valueOf('untied', 'recovered-table.tied')).toBe(0);
  });

  test('a gradient is the sum of its parts, and one that is not is detected', async () => {
    const { models, valueOf } = await measured(spec);
    const ids = core.openCorpus(paths.text.string, { tokenizer: paths.tokenizer }).tokenIds('validation').slice(0, 50);
    const batch = { inputs: ids.slice(0, -1), targets: ids.slice(1) };
    const { inputRows, outputRows, input } = models.get('tied')!.gradient(batch);
    expect(valueOf('tied', 'gradient-split(tokens=50).inputRows')).toBe(inputRows / input.rows);
    expect(valueOf('tied', 'gradient-split(tokens=50).outputRows')).toBe(outputRows / input.rows);
    expect(valueOf('tied', 'gradient-split(tokens=50).tokensRead')).toBe(new Set(batch.inputs).size / input.rows);
    expect(valueOf('tied', 'gradient-split(tokens=50)')).toBeLessThan(1e-6);
    expect(valueOf('untied', 'gradient-split(tokens=50)')).toBeLessThan(1e-6);
  });
});

test('for a transformer, symmetry is that of its direct path, and cosines of its hidden states are medians', async () => {
  const measure = [
    kept,
    { metric: 'symmetry' },
    { metric: 'hidden-states', tokens: 64, targets: 'next' },
    { metric: 'norm-frequency' },
  ];
  const { models, valueOf } = await measured({ ...transformers, measure } as never);
  const trainer = models.get('untied')!;
  expect(valueOf('untied', 'symmetry')).toBe(trainer.directPath({ symmetry: true }).asymmetry);
  const corpus = core.openCorpus(core.writeStories(transformers.text.stories), { tokenizer: transformers.tokenizer });
  const ids = corpus.tokenIds('validation').slice(0, 64);
  // Consecutive sequences of the context length, 8.
  const states = Array.from({ length: 8 }, (_, i) =>
    trainer.hiddenStates(ids.slice(8 * i, 8 * i + 8), { finalNorm: true }).at(-1)!,
  );
  const data = Float32Array.from(states.flatMap((matrix) => [...matrix.data])).slice(0, 63 * 8);
  const embedding = trainer.matrix('embedding');
  const unembedding = trainer.matrix('unembedding');
  const found = core.decomposeHidden({ rows: 63, cols: 8, data }, unembedding, ids.slice(1), { embedding });
  const part = (name: string) => valueOf('untied', `hidden-states(targets=next, tokens=64).${name}`);
  expect(part('medianRatio')).toBe(found.medianRatio);
  // Of random directions in 8 dimensions (tests/reference/student_reference.py).
  expect(part('medianRatio.chance')).toBeCloseTo(3.720427336165188, 11);
  expect(part('medianInputCosine')).toBe(medianOf(found.inputCosine!));
  expect(part('medianInputCosine.chance')).toBe(found.null.inputCosine);
  expect(part('medianMaxOtherCosine')).toBe(medianOf(found.maxOtherCosine));
  expect(part('medianMaxOtherCosine.chance')).toBe(found.null.maxOtherCosine);
  const cosines = found.parallel.map((along, i) => along / Math.hypot(along, found.orthogonal[i]!));
  expect(part('medianOutputCosine')).toBe(medianOf(cosines));
  const { standardDeviation } = core.normFrequency(trainer.matrix('embedding'), corpus.frequencies());
  expect(valueOf('untied', 'norm-frequency(embedding).standardDeviation')).toBe(standardDeviation);
});

test('states before the final norm are other states with the same measures', async () => {
  const measure = [kept, { metric: 'hidden-states', tokens: 64, targets: 'next', norm: 'before' }];
  const { models, valueOf } = await measured({ ...transformers, measure } as never);
  const trainer = models.get('untied')!;
  const corpus = core.openCorpus(core.writeStories(transformers.text.stories), { tokenizer: transformers.tokenizer });
  const ids = corpus.tokenIds('validation').slice(0, 64);
  const states = (finalNorm: boolean): Float32Array =>
    Float32Array.from(
      Array.from({ length: 8 }, (_, i) => [
        ...trainer.hiddenStates(ids.slice(8 * i, 8 * i + 8), { finalNorm }).at(-1)!.data,
      ]).flat(),
    ).slice(0, 63 * 8);
  const ratioOf = (data: Float32Array): number =>
    core.decomposeHidden({ rows: 63, cols: 8, data }, trainer.matrix('unembedding'), ids.slice(1)).medianRatio;
  const found = valueOf('untied', 'hidden-states(norm=before, targets=next, tokens=64).medianRatio');
  expect(found).toBe(ratioOf(states(false)));
  // A root-mean-square norm with its own gains rotates a state slightly.
  expect(found).not.toBe(ratioOf(states(true)));
});

describe('the cosine to the start', () => {
  const tables = ['embedding', 'unembedding'] as const;
  const measure = [
    ...tables.map((table) => ({ metric: 'start-cosine', table, at: ['start', 'end'] })),
    { metric: 'embedding-drift', at: 'end' },
    { metric: 'unembedding-drift', at: 'end' },
    kept,
  ];
  /** For rows that end at `end`: the distance from their start, as in a record. */
  function fromStart(start: Matrix, end: Matrix): { cosine: number; drift: number } {
    let [cosines, moved, size] = [0, 0, 0];
    for (let row = 0; row < end.rows; row++) {
      let [dot, a, b] = [0, 0, 0];
      for (let i = row * end.cols; i < (row + 1) * end.cols; i++) {
        const [from, to] = [start.data[i]!, end.data[i]!];
        dot += from * to;
        a += from ** 2;
        b += to ** 2;
        moved += (to - from) ** 2;
      }
      size += a;
      cosines += dot / Math.sqrt(a * b);
    }
    return { cosine: cosines / end.rows, drift: Math.sqrt(moved / size) };
  }

  test.each([
    ['transformers', transformers],
    ['direct paths', paths],
  ] as const)('is 1 before the first step, and for %s that of the drifting tables', async (_, spec) => {
    const { models, valueOf } = await measured({ ...spec, seeds: [1], measure, claims: [] } as never);
    for (const arm of ['tied', 'untied']) {
      const trainer = models.get(arm)!;
      const { model, training } = trainer;
      // Before any step, it has the initial weights of its seeds, whatever it reads.
      const ids = Uint32Array.from({ length: 200 }, (__, i) => i % model.vocabSize);
      const twin = core.createTrainer({ model, training: { ...training, batchSize: 4 }, tokenIds: ids } as never);
      for (const table of tables) {
        const name = arm === 'tied' ? 'embedding' : table;
        const { cosine, drift } = fromStart(twin.matrix(name), trainer.matrix(name));
        const column = `start-cosine(${table})`;
        expect(valueOf(arm, column, 0)).toBeCloseTo(1, 5);
        expect(valueOf(arm, column, spec.training.steps)).toBeCloseTo(cosine, 5);
        if (arm === 'untied') expect(valueOf(arm, `${table}-drift`)).toBeCloseTo(drift, 4);
        expect(cosine).toBeLessThan(0.999);
      }
      twin.dispose();
    }
  });
});

test('multiply-accumulates follow from the shapes, with every head', async () => {
  const [V, d, T, B, ffn] = [27, 8, 8, 4, 32];
  const heads = { full: V, sampled: 5 + 1, clustered: 3 + V / 3, culled: 9 };
  const arms = {
    full: { model: { tying: 'tied' } },
    sampled: { model: { tying: 'tied', head: { kind: 'sampled', samples: 5 } } },
    clustered: { model: { tying: 'untied', head: { kind: 'clustered', clusters: 3 } } },
    culled: { model: { tying: 'untied', head: { kind: 'culled', kept: 9 } } },
  };
  const spec = {
    name: 'work',
    // 26 letters and the space.
    text: { string: 'the quick brown fox jumps over the lazy dog '.repeat(40) },
    tokenizer: { kind: 'character' },
    model: { kind: 'transformer', dModel: d, nLayers: 2, nHeads: 2, contextLength: T, dFeedForward: ffn },
    training: { steps: 3, learningRate: 0.01, batchSize: B, gradientAccumulation: 2 },
    arms,
    seeds: [1],
    measure: [{ metric: 'work', every: 3 }, { metric: 'loss' }],
    claims: [],
  };
  const records = await core.runExperiment(spec as never);
  const valueOf = (arm: string, metric: string, step: number) => {
    const { id } = records.runs.find((run) => run.arm === arm)!;
    return records.metrics.find((row) => row.id === id && row.metric === metric && row.step === step)?.value;
  };
  // Four maps, two in the feed-forward layer, and each position with those up to it, as attention scores are counted.
  const tokens = 2 * B * T;
  const scores = valueOf('full', 'work', 0)! / 3 / tokens - V * d - 2 * (4 * d * d + 2 * d * ffn);
  expect(scores).toBeGreaterThan(0);
  expect(scores).toBeLessThanOrEqual(2 * 2 * T * d);
  for (const [arm, rows] of Object.entries(heads)) {
    const layers = valueOf('full', 'work', 0)! - valueOf('full', 'work.head', 0)!;
    expect(valueOf(arm, 'work.head', 0), arm).toBe(3 * tokens * d * rows);
    expect(valueOf(arm, 'work', 0), arm).toBe(layers + 3 * tokens * d * rows);
    expect(valueOf(arm, 'work.headShare', 0)).toBeCloseTo((3 * tokens * d * rows) / valueOf(arm, 'work', 0)!, 12);
    expect(valueOf(arm, 'work.run', 0)).toBe(0);
    expect(valueOf(arm, 'work.run', 3)).toBe(3 * valueOf(arm, 'work', 3)!);
  }
  // Tokens that a culled head cannot predict are counted; other heads predict all tokens.
  const lost = Object.keys(heads).map((arm) => valueOf(arm, 'loss.lost', 3));
  expect(lost.slice(0, 3)).toEqual([undefined, undefined, undefined]);
  expect(lost[3]).toBeGreaterThan(0.2);
  expect(lost[3]).toBeLessThan(0.8);
  const path = { ...spec, model: { kind: 'direct-path', dModel: d }, measure: [{ metric: 'work' }] };
  const whole = await core.runExperiment({
    ...path,
    training: { steps: 1, learningRate: 0.01 },
    arms: { tied: { model: { tying: 'tied' } } },
  } as never);
  expect(whole.metrics.find(({ metric }) => metric === 'work')?.value).toBe(3 * V * d * V);
});

test('shares of a spectrum are those of the first directions, up to all of them', async () => {
  const measure = [kept, { metric: 'spectrum', center: false }];
  const { records, models, valueOf } = await measured({ ...transformers, measure } as never);
  for (const arm of ['tied', 'untied']) {
    const {
      values,
      effectiveRank,
      participationRatio,
      null: chance,
    } = core.spectrum(models.get(arm)!.matrix('embedding'), {
      center: false,
    });
    const named = (part: string) => `spectrum(embedding, center=false).${part}`;
    expect(valueOf(arm, named('largest'))).toBe(values[0]);
    expect(valueOf(arm, named('effectiveRank'))).toBe(effectiveRank);
    expect(valueOf(arm, named('effectiveRank.chance'))).toBe(chance.effectiveRank);
    expect(valueOf(arm, named('participationRatio'))).toBe(participationRatio);
    expect(valueOf(arm, named('participationRatio.chance'))).toBe(chance.participationRatio);
    const { id } = records.runs.find((run) => run.arm === arm)!;
    const shares = records.metrics.filter((row) => row.id === id && row.metric === named('share'));
    expect(shares.map(({ band }) => band)).toEqual([1, 2, 4, 8]);
    const squares = [...values].map((value) => value ** 2);
    const total = squares.reduce((sum, square) => sum + square);
    for (const { band, value } of shares) {
      const first = squares.slice(0, band!).reduce((sum, square) => sum + square);
      expect(value).toBeCloseTo(first / total, 12);
    }
    expect(shares.at(-1)!.value).toBe(1);
  }
});

test('neighbors of a token, by id or text, are those of the verb, and overlaps compare according to the measure', async () => {
  const between = ['tied.embedding', 'untied.unembedding'] as const;
  const measure = [
    { metric: 'neighbors', token: 'New', k: 3, table: 'unembedding' },
    { metric: 'neighbors', token: 1, k: 3, table: 'unembedding', similarity: 'centered-cosine' },
    { metric: 'neighbor-overlap', k: 2, between },
    { metric: 'neighbor-overlap', k: 2, similarity: 'centered-cosine', between },
    { metric: 'tying-changes' },
  ] as const;
  const arms = { ...paths.arms, untied: { model: { tying: { untieAtStep: 20 } } } } as const;
  const { records, models } = await measured({ ...paths, arms, seeds: [1], measure: [kept, ...measure], claims: [] });
  const corpus = core.openCorpus(paths.text.string, { tokenizer: paths.tokenizer });
  const [id] = corpus.tokenizer!.encode('New') as unknown as [number];
  const { id: run } = records.runs.find(({ arm }) => arm === 'untied')!;
  const rowsOf = (metric: string) =>
    records.metrics.filter((row) => row.id === run && row.metric === metric).map(({ band, value }) => [band, value]);
  const table = models.get('untied')!.matrix('unembedding');
  for (const [name, row, options] of [
    ['neighbors(unembedding, k=3, token=New)', id, { k: 3 }],
    ['neighbors(unembedding, k=3, similarity=centered-cosine, token=1)', 1, { k: 3, metric: 'centered-cosine' }],
  ] as const) {
    const found = core.neighbors(table, row, options);
    expect(found).toHaveLength(3);
    expect(rowsOf(name)).toEqual(found.map(({ cosine }, i) => [i + 1, cosine]));
    expect(rowsOf(`${name}.token`)).toEqual(found.map(({ row: other }, i) => [i + 1, other]));
  }
  const overlaps = ['', ', similarity=centered-cosine'].map(
    (more) =>
      records.metrics.find(({ metric }) => metric === `neighbor-overlap(${between.join(', ')}, k=2${more})`)?.value,
  );
  const tied = models.get('tied')!.matrix('embedding');
  expect(overlaps).toEqual([
    core.neighborOverlap(tied, table, { k: 2 }).overlap,
    core.neighborOverlap(tied, table, { k: 2, metric: 'centered-cosine' }).overlap,
  ]);
  expect(rowsOf('tying-changes')).toEqual([[null, 1]]);
  expect(rowsOf('tying-changes.step')).toEqual([[1, 20]]);
  const two = { ...paths, seeds: [1], measure: [{ metric: 'neighbors', token: 'New York' }], claims: [] } as const;
  expect((await core.runExperiment(two)).runs[0]!.error).toMatch(
    /token is 'New York', of \d tokens; expected one token/,
  );
});

describe('a text that is read', () => {
  const either = { model: { tying: 'untied' }, direction: 'either' } as const;
  const backward = { model: { tying: 'untied' }, direction: 'backward' } as const;
  const forward = { model: { tying: 'untied' }, direction: 'forward' } as const;
  const bounds = { metric: 'bigram-bounds', nullRuns: 2 } as const;

  test('backward has the pairs of the reversed text, and in either direction both', async () => {
    const { valueOf } = await measured({
      ...paths,
      arms: { forward, backward, either },
      seeds: [1],
      measure: [{ metric: 'loss' }, bounds],
      claims: [],
    });
    const corpus = core.openCorpus(paths.text.string, { tokenizer: paths.tokenizer });
    const { counts } = core.bigrams(corpus.tokenIds('training').reverse(), corpus.vocabSize);
    const bigram = (arm: string) => valueOf(arm, 'bigram-bounds(nullRuns=2).bigram');
    expect(bigram('backward')).toBe(core.bigramBounds(counts).bigram);
    expect(bigram('forward')).toBe(corpus.bounds!.bigram);
    expect(valueOf('either', 'bigram-bounds(nullRuns=2).js')).toBe(0);
    expect(bigram('either')).toBeGreaterThan(bigram('forward')!);
    // Not below its floor, since it is trained and evaluated on the pairs of both orders.
    expect(valueOf('either', 'loss')).toBeGreaterThanOrEqual(bigram('either')!);
  });

  test('backward by a transformer has its tokens in reverse order', async () => {
    const measure = [{ metric: 'loss' }] as const;
    const { arms, ...others } = transformers;
    const spec = { ...others, arms: { untied: { ...arms.untied, direction: 'backward' } }, measure } as const;
    const { valueOf } = await measured(spec);
    const corpus = core.openCorpus(core.writeStories(transformers.text.stories), { tokenizer: transformers.tokenizer });
    const { steps, ...training } = transformers.training;
    const trainer = core.createTrainer({
      model: { ...transformers.model, ...arms.untied.model, vocabSize: corpus.vocabSize },
      training: { ...training, seed: 1, initSeed: seedOf('start', 1, 'untied') },
      tokenIds: corpus.tokenIds('training').reverse(),
      validationTokenIds: corpus.tokenIds('validation').reverse(),
    });
    trainer.run(steps);
    expect(valueOf('untied', 'loss')).toBe(trainer.evaluate().loss);
  });

  test('in either direction is possible only for pairs, and forward is the same job as no direction', async () => {
    const { arms, ...others } = transformers;
    const spec = { ...others, arms: { untied: { ...arms.untied, direction: 'either' } } } as const;
    await expect(core.runExperiment(spec)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringContaining("arm 'untied'"),
    });
    const ids = async (named: object) =>
      (
        await core.runExperiment({
          ...paths,
          arms: { untied: { ...paths.arms.untied, ...named } },
          measure: [{ metric: 'loss' }],
          claims: [],
        })
      ).runs.map(({ id }) => id);
    expect(await ids({ direction: 'forward' })).toEqual(await ids({}));
    expect(await ids({ direction: 'backward' })).not.toEqual(await ids({}));
  });
});
