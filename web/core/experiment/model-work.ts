/** What a training step multiplies, as `countCompute` counts it. */
import type { Architecture, Batch, TableTying } from '../accounting-types.js';
import { TiedError } from '../errors.js';
import type { HeadConfig, LabTrainer, ModelConfig, TransformerConfig } from '../types.js';
import type { ExperimentHost } from './metric-kinds.js';

/** Multiply-accumulates. */
export interface Work {
  /** Of a step: forward and backward, layers and head. */
  step: number;
  /** Of its head alone. */
  head: number;
}

function architectureOf(model: Readonly<ModelConfig>): Architecture {
  const { vocabSize, dModel, dFeedForward, outputBias = false, tableRank = 0 } = model as TransformerConfig;
  const sizes = { family: 'tied-embeddings', vocabSize, dModel, outputBias, tableRank } as const;
  const wide = dFeedForward === undefined ? {} : { dFeedForward };
  if (model.kind === 'direct-path') return { ...sizes, ...wide, nLayers: 0, positions: 'none', finalNorm: false };
  if (model.kind !== 'transformer') {
    throw new TiedError(
      'unsupported',
      `work is counted of transformers and direct paths, and not of '${String((model as ModelConfig).kind)}'`,
    );
  }
  const { nLayers = 4, feedForward = 'gelu' } = model;
  const same = [
    'nHeads',
    'nKeyValueHeads',
    'contextLength',
    'positions',
    'norm',
    'finalNorm',
    'biases',
    'lowRank',
  ] as const;
  const { ngrams } = model;
  const given = same.filter((name) => model[name] !== undefined).map((name) => [name, model[name]]);
  return {
    ...sizes,
    ...wide,
    nLayers,
    feedForward: feedForward === 'swiglu' ? 'gated' : 'plain',
    ...(ngrams ? { ngramOrder: ngrams.order, ngramRows: ngrams.rows } : {}),
    ...(Object.fromEntries(given) as Pick<TransformerConfig, (typeof same)[number]>),
  };
}

function headsOf(head: HeadConfig | undefined): NonNullable<Batch['heads']> {
  switch (head?.kind) {
    case 'sampled':
      return { sampled: { samples: head.samples } };
    case 'adaptive': {
      const { cutoffs, divisor } = head;
      return { adaptive: { cutoffs: [...cutoffs], ...(divisor === undefined ? {} : { divisor }) } };
    }
    case 'clustered':
      return { clustered: { clusters: head.clusters } };
    case 'culled':
      return { culled: { vocabSize: typeof head.kept === 'number' ? head.kept : head.kept.length } };
    default:
      return {};
  }
}

/** Of a step of this trainer. A direct path that reads the whole table of pairs has a row for each token. */
export async function workOf(
  host: Pick<ExperimentHost, 'countCompute'>,
  { model, training }: LabTrainer,
): Promise<Work> {
  const { tying } = model;
  const { batchSize = model.vocabSize, gradientAccumulation = 1 } = training;
  const { macs, parts, heads } = await host.countCompute(architectureOf(model), {
    sequences: batchSize,
    tokens: model.kind === 'transformer' ? (model.contextLength ?? 64) : 1,
    // Schedules change how many tables there are, and not what is multiplied.
    tying: typeof tying === 'string' ? (tying as TableTying) : 'untied',
    heads: headsOf(model.head),
  });
  const kind = model.head?.kind ?? 'full';
  const head = heads.find((one) => one.kind === kind)?.macs.total;
  if (head === undefined) throw new TiedError('unsupported', `work is not counted of a head of kind '${kind}'`);
  return { step: (macs.total - parts.head.total + head) * gradientAccumulation, head: head * gradientAccumulation };
}
