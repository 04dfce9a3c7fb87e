/** Metrics of a model: results of the API's diagnostics as rows of one number each. */
import { hypot, log } from '../runtime/elementary.js';
import type { Evaluation, LabTrainer, Matrix, TransformerConfig } from '../types.js';
import {
  gradientScales,
  isTable,
  model,
  nats,
  number,
  probeOf,
  relative,
  tableOf,
  textModel,
  without,
  type Measured,
  type MeasuredModel,
  type Metric,
  type Options,
} from './metric-kinds.js';
import { distanceOf, lostAndKept, type LostTable } from './lost-table.js';
import { workOf } from './model-work.js';
import { packed } from './packed-tables.js';
import { inRandomOrder } from './random-order.js';
import { byFrequency } from './path-metrics.js';
import { bytesOf, ownTables, relativeError, rounded } from './rounded-tables.js';

const macs = 'multiply-accumulates';
const lensOptions = ['steps', 'tokensPerStep', 'learningRate', 'seed'] as const;

/** A transformer's last states [tokens, d], with or without its final norm, and its predictions, in sequences of the context length. */
async function statesOf(
  trainer: LabTrainer,
  ids: Uint32Array,
  finalNorm: boolean,
): Promise<{ states: Matrix; predicted: Uint32Array }> {
  const { contextLength = ids.length, dModel } = trainer.model as TransformerConfig;
  const states = { rows: ids.length, cols: dModel, data: new Float32Array(ids.length * dModel) };
  const predicted = new Uint32Array(ids.length);
  for (let first = 0; first < ids.length; first += contextLength) {
    const sequence = ids.slice(first, first + contextLength);
    const [last] = (await trainer.hiddenStates(sequence, { finalNorm })).slice(-1) as [Matrix];
    states.data.set(last.data, first * dModel);
    predicted.set(largest(await trainer.logits(sequence)), first);
  }
  return { states, predicted };
}

/** The token with the largest logit in each row. */
const largest = ({ rows, cols, data }: Matrix): Uint32Array =>
  Uint32Array.from({ length: rows }, (_, row) => {
    const values = data.subarray(row * cols, (row + 1) * cols);
    return values.reduce((best, value, index) => (value > values[best]! ? index : best), 0);
  });

const wanted = (layers: unknown, layer: number): boolean =>
  layers === undefined || layers === 'all' || layers === layer || (Array.isArray(layers) && layers.includes(layer));

/** The median of the defined values. */
function medianOf(values: Float32Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** As many pairs of neighboring tokens as fill whole sequences. */
function batchOf(ids: Uint32Array, contextLength: number): { inputs: Uint32Array; targets: Uint32Array } {
  const most = ids.length - 1;
  const pairs = most < contextLength ? most : most - (most % contextLength);
  return { inputs: ids.slice(0, pairs), targets: ids.slice(1, pairs + 1) };
}

const largestMagnitude = (values: Float32Array): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

export const MODEL_METRICS = {
  loss: model([], async ({ trainer, evaluated, signal }) => {
    return lossRows(await trainer.evaluate(evaluated, signal));
  }),
  'rounded-loss': model(['bits'], async (measured, { bits }) => {
    const pairs: (readonly [Matrix, Matrix])[] = [];
    const read = new Map<string, Matrix>();
    for (const [name, table] of await ownTables(measured.trainer)) {
      read.set(name, rounded(table, Number(bits)));
      pairs.push([table, read.get(name)!]);
    }
    const bytes = pairs.reduce((sum, [table]) => sum + bytesOf(table, Number(bits)), 0);
    return [
      ...lossRows(await evaluatedWith(measured, read)),
      number('kilobytes', bytes / 1000, 'kB'),
      number('error', relativeError(pairs), 'ratio'),
    ];
  }),
  'packed-loss': textModel(['packing'], async (measured, { packing }) => {
    const tables = [...(await ownTables(measured.trainer))];
    const stored = packed(
      String(packing),
      tables.map(([, table]) => table),
    );
    const read = new Map(tables.map(([name], i) => [name, stored[i]!.read]));
    const bytes = stored.reduce((sum, one) => sum + one.bytes, 0);
    return [
      ...lossRows(await evaluatedWith(measured, read)),
      number('kilobytes', bytes / 1000, 'kB'),
      number('error', relativeError(tables.map(([, table], i) => [table, stored[i]!.read])), 'ratio'),
    ];
  }),
  'lost-table': textModel(['lost'], async (measured, { lost = 'unembedding' }) => {
    const { trainer } = measured;
    const tables = await lostAndKept(trainer, lost as LostTable);
    const guessing = number('guessing', log(trainer.model.vocabSize), nats);
    if (tables === null) return [...lossRows(await evaluatedWith(measured, new Map())), guessing];
    const { kept } = tables;
    const shuffled = inRandomOrder(kept, 1);
    const apart = distanceOf(tables.lost, kept);
    return [
      ...lossRows(await evaluatedWith(measured, new Map([[String(lost), kept]]))),
      guessing,
      number('chance', (await evaluatedWith(measured, new Map([[String(lost), shuffled]]))).loss, nats),
      number('cosine', apart?.meanCosine ?? null, 'cosine'),
      number('cosine.chance', apart?.chance ?? null, 'cosine'),
      number('distance', apart?.relative ?? null, 'ratio'),
    ];
  }),
  'loss-by-frequency': textModel(['tokens'], async (measured, options) => {
    const { trainer, counts, signal } = measured;
    const found = await trainer.lossByFrequency(probeOf(measured, options), { counts, ...signal });
    return [
      number('chance', found.chance, nats),
      ...found.bands.flatMap(({ from, loss, chance, tokens }) => [
        { ...number('', loss, nats), band: from },
        { ...number('chance', chance, nats), band: from },
        { ...number('tokens', tokens, 'tokens'), band: from },
      ]),
    ];
  }),
  'self-transitions': textModel(['tokens'], async (measured, options) => {
    const found = await measured.trainer.selfTransitions(probeOf(measured, options), measured.signal);
    const { count, share, predicted } = found.perToken;
    const read = measured.counts.map((trained, id) => (count[id]! > 0 ? trained : 0));
    return [
      number('', found.predicted, 'fraction'),
      number('chance', found.chance, 'fraction'),
      number('observed', found.observed, 'fraction'),
      number('below', found.below.predicted / found.occurring, 'fraction'),
      ...byFrequency('difference', read, (id) => predicted[id]! - share[id]!),
    ];
  }),
  'ngram-collisions': textModel(['tokens'], async (measured, options) => {
    const { lengths } = await measured.trainer.ngramCollisions(probeOf(measured, options), measured.signal);
    return lengths.flatMap(({ n, ngrams, rows, shared, chance, oneHead, oneHeadChance, tokens }) =>
      [
        number('', shared, 'fraction'),
        number('chance', chance, 'fraction'),
        number('oneHead', oneHead, 'fraction'),
        number('oneHead.chance', oneHeadChance, 'fraction'),
        number('tokens', tokens, 'fraction'),
        number('ngrams', ngrams, 'n-grams'),
        number('rows', rows, 'rows'),
      ].map((one) => ({ ...one, band: n })),
    );
  }),
  calibration: textModel(['tokens', 'bins'], async (measured, options) => {
    const given = { ...without(options, 'tokens'), ...measured.signal };
    const found = await measured.trainer.calibration(probeOf(measured, options), given);
    return [
      number('', found.error, 'fraction'),
      number('chance', found.chance, 'fraction'),
      number('chanceDeviation', found.chanceDeviation, 'fraction'),
      number('accuracy', found.accuracy, 'fraction'),
      number('confidence', found.confidence, 'fraction'),
    ];
  }),
  'logit-lens': textModel(['tokens', 'layers'], async (measured, options) => {
    const lens = await measured.trainer.logitLens(probeOf(measured, options), measured.signal);
    return lensRows(lens, options);
  }),
  'tuned-lens': textModel(['tokens', 'layers', ...lensOptions], async (measured, options) => {
    const { trainer, text, signal } = measured;
    const training = without(options, 'tokens', 'layers');
    const lens = await trainer.trainTunedLens({ tokenIds: text.training, ...training, ...signal });
    return lensRows(await trainer.logitLens(probeOf(measured, options), { lens, ...signal }), options);
  }),
  'layer-ablation': textModel(['tokens'], async (measured, options) => {
    const { layers } = await measured.trainer.ablateLayers(probeOf(measured, options), measured.signal);
    return layers.flatMap(({ increase, standardError }, layer) => [
      { ...number('', increase, nats), layer },
      { ...number('standardError', standardError, nats), layer },
    ]);
  }),
  gradient: textModel(['tokens'], async (measured, options) => {
    const { trainer, counts, signal } = measured;
    const report = await trainer.gradientReport(probeOf(measured, options), { counts, ...signal });
    return [
      number('inputShare', report.inputShare, 'fraction'),
      number('inputPositionShare', report.inputPositionShare, 'fraction'),
      number('pull', report.pull, 'gradient norm'),
      number('push', report.push, 'gradient norm'),
      number('cosine', report.cosine, 'cosine'),
      number('reach', report.reach.share, 'fraction'),
      number('reach.chance', report.reach.chance, 'fraction'),
      ...report.bands.flatMap(({ from, inputShare, pushedRows, count }) => [
        { ...number('inputShare', inputShare, 'fraction'), band: from },
        { ...number('pushedRows', pushedRows / count, 'fraction'), band: from },
      ]),
    ];
  }),
  'direct-path': textModel(['tokens'], async (measured, options) => {
    const { trainer, text, signal } = measured;
    const report = await trainer.directPathReport(probeOf(measured, options), { bigramsOf: text.training, ...signal });
    const { paths, model: whole, bigrams, chance } = report;
    const rows = (name: string, measures: Partial<typeof chance> | null): Measured[] =>
      Object.entries(measures ?? {}).map(([part, value]) =>
        number(`${name}.${part}`, value, part === 'loss' ? nats : part === 'correlation' ? 'correlation' : 'fraction'),
      );
    return [
      ...Object.entries(paths),
      ['model', whole] as const,
      ['bigrams', bigrams] as const,
      ['chance', chance] as const,
    ].flatMap(([name, measures]) => rows(name, measures));
  }),
  parameters: model([], async ({ trainer }) => {
    const all = await trainer.parameters();
    const tables = all.filter(({ name }) => isTable(name));
    const sumOf = (some: typeof all): number => some.reduce((sum, { count }) => sum + count, 0);
    return [number('', sumOf(all), 'parameters'), number('tables', sumOf(tables), 'parameters')];
  }),
  work: textModel([], async ({ host, trainer, stepsBefore }) => {
    const { step, head } = await workOf(host, trainer);
    return [
      number('', step, macs),
      number('head', head, macs),
      number('headShare', head / step, 'fraction'),
      number('run', step * (stepsBefore + trainer.step), macs),
    ];
  }),
  'tying-changes': textModel([], ({ trainer }) => {
    const steps = trainer.tyingChanges;
    return Promise.resolve([
      number('', steps.length, 'changes'),
      ...steps.map((step, i) => ({ ...number('step', step, 'step'), band: i + 1 })),
    ]);
  }),
  'bigram-bounds': textModel(['nullRuns'], async ({ host, text, signal }, options) => {
    const pairs = await text.pairs();
    const { unigram, bigram, symmetricLogits } = await host.bigramBounds(pairs);
    const found = await host.irreversibility(pairs, { ...without(options), ...signal });
    const { js, heldOut, mutualInformation, share, null: chance } = found;
    return [
      number('unigram', unigram, nats),
      number('bigram', bigram, nats),
      number('symmetricLogits', symmetricLogits, nats),
      number('js', js, nats),
      number('js.chance', chance.mean, nats),
      number('js.heldOut', heldOut, nats),
      number('mutualInformation', mutualInformation, nats),
      number('share', share, 'fraction'),
    ];
  }),
  cycles: textModel(['nullRuns', 'seed'], async ({ host, text, signal }, options) => {
    const given = { ...without(options), listed: 0, ...signal };
    const { affinity, compared, oneWay, null: chance } = await host.kolmogorovCycles(await text.pairs(), given);
    return [
      number('', affinity, 'bits'),
      number('chance', chance.mean, 'bits'),
      number('compared', compared, 'cycles'),
      number('oneWay', oneWay, 'cycles'),
    ];
  }),
  symmetry: textModel([], async ({ host, trainer, signal }) => {
    const from = Uint32Array.from({ length: trainer.model.vocabSize }, (_, token) => token);
    const { asymmetry, maxDifference } =
      trainer.model.kind === 'transformer'
        ? await trainer.directPath({ symmetry: true, ...signal })
        : await host.symmetry(await trainer.nextTokenLogits({ from }));
    return [
      number('', asymmetry, 'fraction'),
      number('maxDifference', maxDifference, 'logit'),
      // Independent entries have a symmetric and an antisymmetric part of the same norm.
      number('chance', Math.SQRT1_2, 'fraction'),
    ];
  }),
  'gradient-split': textModel(['tokens'], async (measured, options) => {
    const { trainer } = measured;
    const ids = probeOf(measured, { tokens: 1025, ...options });
    const { contextLength = ids.length } = trainer.model;
    const batch = batchOf(ids, contextLength);
    const { input, output, value, total, inputRows, outputRows } = await trainer.gradient(batch);
    const scale = gradientScales(trainer);
    const parameters = await trainer.parameters();
    const isShared = (table: string): boolean =>
      parameters.some(({ name, tiedTo }) => name === table && tiedTo !== null);
    const written = isShared('unembedding') ? output.data : null;
    const values = isShared('value_embedding') ? value!.data : null;
    const difference = total.data.map(
      (sum, i) => sum - scale.input * (input.data[i]! + (values?.[i] ?? 0)) - scale.output * (written?.[i] ?? 0),
    );
    return [
      number('', relative(largestMagnitude(difference), largestMagnitude(total.data)), 'ratio'),
      number('inputRows', inputRows / input.rows, 'fraction'),
      number('outputRows', outputRows / output.rows, 'fraction'),
      number('tokensRead', new Set(batch.inputs).size / input.rows, 'fraction'),
    ];
  }),
  'hidden-states': textModel(['tokens', 'targets', 'norm'], async (measured, options) => {
    const { host, trainer, signal } = measured;
    const ids = probeOf(measured, { tokens: 2048, ...options });
    const { states, predicted } = await statesOf(trainer, ids, options['norm'] !== 'before');
    const targets = options['targets'] === 'next' ? ids.subarray(1) : predicted;
    const hidden = { ...states, rows: targets.length, data: states.data.subarray(0, targets.length * states.cols) };
    const embedding = await tableOf(trainer, 'embedding');
    const unembedding = await tableOf(trainer, 'unembedding');
    const found = await host.decomposeHidden(hidden, unembedding, targets, { embedding, ...signal });
    const outputCosine = found.parallel.map((along, i) => along / hypot(along, found.orthogonal[i]!));
    return [
      number('medianRatio', found.medianRatio, 'ratio'),
      number('medianRatio.chance', found.null.randomMedianRatio, 'ratio'),
      number('medianOutputCosine', medianOf(outputCosine), 'cosine'),
      number('medianInputCosine', medianOf(found.inputCosine!), 'cosine'),
      number('medianInputCosine.chance', found.null.inputCosine, 'cosine'),
      number('medianMaxOtherCosine', medianOf(found.maxOtherCosine), 'cosine'),
      number('medianMaxOtherCosine.chance', found.null.maxOtherCosine, 'cosine'),
    ];
  }),
} as const satisfies Readonly<Record<string, Metric>>;

/** The loss with other token tables: of a copy, because training continues. */
async function evaluatedWith(
  { host, trainer, evaluated, signal }: MeasuredModel,
  tables: ReadonlyMap<string, Matrix>,
): Promise<Evaluation> {
  const copy = await host.loadTrainer(await trainer.save());
  try {
    for (const [name, table] of tables) await copy.setMatrix(name, table);
    return await copy.evaluate(evaluated, signal);
  } finally {
    copy.dispose();
  }
}

const lossRows = ({ loss, bitsPerByte, tokens, lostTokens }: Evaluation): Measured[] => [
  number('', loss, nats),
  ...(lostTokens === undefined ? [] : [number('lost', lostTokens / (tokens + lostTokens), 'fraction')]),
  ...(bitsPerByte === null ? [] : [number('bitsPerByte', bitsPerByte, 'bits')]),
];

function lensRows({ layers, chance }: Awaited<ReturnType<LabTrainer['logitLens']>>, options: Options): Measured[] {
  return [
    number('chance', chance, 'bits'),
    ...layers.flatMap(({ divergence, loss }, layer) =>
      wanted(options['layers'], layer)
        ? [
            { ...number('', divergence, 'bits'), layer },
            { ...number('loss', loss, nats), layer },
          ]
        : [],
    ),
  ];
}
