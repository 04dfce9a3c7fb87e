/** What an experiment can measure: records of steps, and results of the API's diagnostics as rows of one number each. */
import { TiedError } from '../errors.js';
import type { Lab, LabCorpus, LabTrainer, Matrix, StepRecord, TransformerConfig } from '../types.js';

/** The verbs that experiments call: of a lab, or of a core, whose results need no waiting. */
export type ExperimentHost = Pick<
  Lab,
  | 'align'
  | 'cka'
  | 'createTrainer'
  | 'decomposeHidden'
  | 'isotropy'
  | 'loadTrainer'
  | 'neighborOverlap'
  | 'normFrequency'
  | 'openCorpus'
  | 'randomMarkovChain'
  | 'simd'
  | 'spectralDistance'
  | 'spectrum'
  | 'version'
  | 'writeStories'
>;

/** The text of a job, ready to be measured on. */
export interface JobText {
  readonly corpus: LabCorpus;
  readonly training: Uint32Array;
  readonly heldOut: Uint32Array;
  /** How often each token occurs in the training part [V]. */
  readonly counts: Uint32Array;
}

/** A row without its run, step and arguments. `part`: '' for what the metric is named after. */
export interface Measured {
  part: string;
  layer?: number;
  band?: number;
  value: number | null;
  unit: string;
}

export interface MeasuredModel {
  readonly host: ExperimentHost;
  readonly trainer: LabTrainer;
  readonly text: JobText;
  readonly signal: { signal?: AbortSignal };
}

type Options = Readonly<Record<string, unknown>>;
/** Options were checked by name; their values are checked by the verb that takes them. */
type Given = Record<string, never>;

export type Metric =
  | { readonly of: 'step'; readonly column: keyof StepRecord; readonly unit: string }
  | {
      readonly of: 'model';
      readonly options: readonly string[];
      readonly measure: (model: MeasuredModel, options: Options) => Promise<Measured[]>;
    }
  | {
      readonly of: 'table';
      readonly options: readonly string[];
      readonly measure: (model: MeasuredModel, table: Matrix, options: Options) => Promise<Measured[]>;
    }
  | {
      readonly of: 'two tables';
      readonly options: readonly string[];
      readonly measure: (
        host: ExperimentHost,
        tables: readonly [Matrix, Matrix],
        options: Options,
        signal: { signal?: AbortSignal },
      ) => Promise<Measured[]>;
    };

const nats = 'nats per token';

const number = (part: string, value: number | null, unit: string): Measured => ({
  part,
  value: value !== null && Number.isFinite(value) ? value : null,
  unit,
});

const record = (column: keyof StepRecord, unit: string): Metric => ({ of: 'step', column, unit });

/** The tokens that a model is measured on: the first of the held-out ones. */
function probeOf({ text: { heldOut } }: MeasuredModel, { tokens }: Options): Uint32Array {
  if (heldOut.length < 2) {
    throw new TiedError('invalid-argument', `${heldOut.length} tokens are held out; expected at least 2 to measure on`);
  }
  return tokens === undefined ? heldOut : heldOut.subarray(0, Math.max(2, Number(tokens)));
}

const without = (options: Options, ...names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))) as Given;

const wanted = (layers: unknown, layer: number): boolean =>
  layers === undefined || layers === 'all' || layers === layer || (Array.isArray(layers) && layers.includes(layer));

const model = (
  options: readonly string[],
  measure: (model: MeasuredModel, options: Options) => Promise<Measured[]>,
): Metric => ({ of: 'model', options, measure });

const table = (
  options: readonly string[],
  measure: (model: MeasuredModel, table: Matrix, options: Options) => Promise<Measured[]>,
): Metric => ({ of: 'table', options, measure });

const pair = (options: readonly string[], measure: (Metric & { of: 'two tables' })['measure']): Metric => ({
  of: 'two tables',
  options,
  measure,
});

const lensOptions = ['steps', 'tokensPerStep', 'learningRate', 'seed'] as const;

/** What a transformer's head reads [tokens, d], and what it predicts, in sequences of the context's length. */
async function readingOf(trainer: LabTrainer, ids: Uint32Array): Promise<{ states: Matrix; predicted: Uint32Array }> {
  const { contextLength = ids.length, dModel } = trainer.model as TransformerConfig;
  const states = { rows: ids.length, cols: dModel, data: new Float32Array(ids.length * dModel) };
  const predicted = new Uint32Array(ids.length);
  for (let first = 0; first < ids.length; first += contextLength) {
    const sequence = ids.slice(first, first + contextLength);
    const [last] = (await trainer.hiddenStates(sequence, { finalNorm: true })).slice(-1) as [Matrix];
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

/** By name. A metric's verb says more in its own documentation. */
export const METRICS: Readonly<Record<string, Metric>> = {
  'training-loss': record('loss', nats),
  'input-share': record('inputShare', 'fraction'),
  'input-position-share': record('inputPositionShare', 'fraction'),
  'input-gradient-norm': record('inputGradientNorm', 'gradient norm'),
  'output-gradient-norm': record('outputGradientNorm', 'gradient norm'),
  'gradient-cosine': record('gradientCosine', 'cosine'),
  'gradient-norm': record('gradientNorm', 'gradient norm'),
  'embedding-drift': record('embeddingDrift', 'ratio'),
  'unembedding-drift': record('unembeddingDrift', 'ratio'),

  loss: model([], async ({ trainer, signal }) => {
    const { loss, bitsPerByte } = await trainer.evaluate(undefined, signal);
    return [number('', loss, nats), ...(bitsPerByte === null ? [] : [number('bitsPerByte', bitsPerByte, 'bits')])];
  }),
  'loss-by-frequency': model(['tokens'], async (measured, options) => {
    const { trainer, text, signal } = measured;
    const found = await trainer.lossByFrequency(probeOf(measured, options), { counts: text.counts, ...signal });
    return [
      number('chance', found.chance, nats),
      ...found.bands.flatMap(({ from, loss, chance, tokens }) => [
        { ...number('', loss, nats), band: from },
        { ...number('chance', chance, nats), band: from },
        { ...number('tokens', tokens, 'tokens'), band: from },
      ]),
    ];
  }),
  'logit-lens': model(['tokens', 'layers'], async (measured, options) => {
    const reading = await measured.trainer.logitLens(probeOf(measured, options), measured.signal);
    return lensRows(reading, options);
  }),
  'tuned-lens': model(['tokens', 'layers', ...lensOptions], async (measured, options) => {
    const { trainer, text, signal } = measured;
    const training = without(options, 'tokens', 'layers');
    const lens = await trainer.trainTunedLens({ tokenIds: text.training, ...training, ...signal });
    return lensRows(await trainer.logitLens(probeOf(measured, options), { lens, ...signal }), options);
  }),
  'layer-ablation': model(['tokens'], async (measured, options) => {
    const { layers } = await measured.trainer.ablateLayers(probeOf(measured, options), measured.signal);
    return layers.flatMap(({ increase, standardError }, layer) => [
      { ...number('', increase, nats), layer },
      { ...number('standardError', standardError, nats), layer },
    ]);
  }),
  gradient: model(['tokens'], async (measured, options) => {
    const { trainer, text, signal } = measured;
    const report = await trainer.gradientReport(probeOf(measured, options), { counts: text.counts, ...signal });
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
  'direct-path': model(['tokens'], async (measured, options) => {
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
  'hidden-states': model(['tokens', 'targets'], async (measured, options) => {
    const { host, trainer, signal } = measured;
    const ids = probeOf(measured, { tokens: 2048, ...options });
    const { states, predicted } = await readingOf(trainer, ids);
    const targets = options['targets'] === 'next' ? ids.subarray(1) : predicted;
    const hidden = { ...states, rows: targets.length, data: states.data.subarray(0, targets.length * states.cols) };
    const embedding = await tableOf(trainer, 'embedding');
    const unembedding = await tableOf(trainer, 'unembedding');
    const found = await host.decomposeHidden(hidden, unembedding, targets, { embedding, ...signal });
    return [number('medianRatio', found.medianRatio, 'ratio'), number('medianRatio.chance', found.baseline, 'ratio')];
  }),

  isotropy: table(['seed'], async ({ host, text, signal }, matrix, options) => {
    const found = await host.isotropy(matrix, { counts: text.counts, ...without(options), ...signal });
    const { frequencyR2, null: chance } = found;
    const units = {
      meanCosine: 'cosine',
      centeredMeanCosine: 'cosine',
      projectedMeanCosine: 'cosine',
      isoScore: 'fraction',
      partition: 'ratio',
      participationRatio: 'dimensions',
      effectiveRank: 'dimensions',
    } as const;
    return [
      ...(Object.entries(units) as [keyof typeof units, string][]).flatMap(([name, unit]) => [
        number(name, found[name], unit),
        number(`${name}.chance`, chance[name], unit),
      ]),
      number('frequencyR2', frequencyR2?.inSample ?? null, 'fraction'),
      number('frequencyR2.heldOut', frequencyR2?.heldOut ?? null, 'fraction'),
      number('frequencyR2.chance', chance.frequencyR2, 'fraction'),
    ];
  }),
  'norm-frequency': table([], async ({ host, text }, matrix) => {
    const found = await host.normFrequency(matrix, text.counts);
    return [
      number('spearman', found.spearman, 'correlation'),
      number('spearman.deviationByChance', found.null, 'correlation'),
      number('pearson', found.pearson, 'correlation'),
      number('meanNorm', found.meanNorm, 'row norm'),
    ];
  }),

  alignment: pair(
    ['method', 'center', 'holdOut', 'nullRuns', 'seed', 'penalty'],
    async (host, [a, b], options, signal) => {
      const { method = 'linear', ...others } = options;
      const found = await host.align(a, b, { holdOut: 0.2, ...without(others), method: method as never, ...signal });
      return [
        number('', found.meanCosine, 'cosine'),
        number('chance', found.null.meanCosine, 'cosine'),
        ...(found.heldOut === null ? [] : [number('heldOut', found.heldOut.meanCosine, 'cosine')]),
      ];
    },
  ),
  'neighbor-overlap': pair(['k', 'metric', 'sample', 'seed'], async (host, [a, b], options, signal) => {
    const found = await host.neighborOverlap(a, b, { ...without(options), ...signal });
    return [
      number('', found.overlap, 'fraction'),
      number('chance', found.null, 'fraction'),
      number('standardError', found.standardError, 'fraction'),
    ];
  }),
  cka: pair(['dimensions'], async (host, [a, b], options, signal) => {
    const found = await host.cka(a, b, { ...without(options), ...signal });
    return [
      number('', found.cka, 'fraction'),
      number('chance', found.null, 'fraction'),
      number('subspaces', found.subspaces.overlap, 'fraction'),
      number('subspaces.chance', found.subspaces.null, 'fraction'),
    ];
  }),
  'spectral-distance': pair(
    ['k', 'metric', 'dimensions', 'sample', 'nullRuns', 'seed'],
    async (host, [a, b], options, signal) => {
      const found = await host.spectralDistance(a, b, { ...without(options), ...signal });
      return [number('', found.distance, 'ratio'), number('chance', found.null.mean, 'ratio')];
    },
  ),
};

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

/** Of a tied model both names are one table. */
export async function tableOf(trainer: LabTrainer, name: 'embedding' | 'unembedding'): Promise<Matrix> {
  const parameters = await trainer.parameters();
  const found = parameters.find((parameter) => parameter.name === name);
  return trainer.matrix(found === undefined || found.tiedTo !== null ? 'embedding' : name);
}
