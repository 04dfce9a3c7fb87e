/** The multiply-accumulates of a training step, as `countCompute` counts them. */
import type { Architecture, Batch, TableTying } from '../accounting/types.js';
import { TiedError } from '../runtime/errors.js';
import type { HeadConfig, LabTrainer, ModelConfig, TransformerConfig } from '../types.js';
import type { ExperimentHost } from './metric-kinds.js';

/** Multiply-accumulates. */
export interface Work {
  /** Per step: forward and backward, layers and head. */
  step: number;
  /** Of the head alone. */
  head: number;
}

/** Errors: 'unsupported', for a model whose work is not counted. */
export function architectureOf(model: Readonly<ModelConfig>): Architecture {
  const { vocabSize, dModel, dFeedForward, outputBias = false, tableRank = 0 } = model as TransformerConfig;
  const sizes = { family: 'tied-embeddings', vocabSize, dModel, outputBias, tableRank } as const;
  const wide = dFeedForward === undefined ? {} : { dFeedForward };
  if (model.kind === 'direct-path') return { ...sizes, ...wide, nLayers: 0, positions: 'none', finalNorm: false };
  if (model.kind !== 'transformer') {
    throw new TiedError(
      'unsupported',
      `work is counted for transformers and direct paths, not for '${String((model as ModelConfig).kind)}'`,
    );
  }
  const { nLayers = 4, feedForward = 'gelu', objective = 'next-token' } = model;
  if (objective !== 'next-token') {
    throw new TiedError(
      'unsupported',
      `model.objective is '${objective}'; expected 'next-token': work is counted for models that predict every token`,
    );
  }
  const same = [
    'nHeads',
    'nKeyValueHeads',
    'contextLength',
    'positions',
    'norm',
    'finalNorm',
    'biases',
    'lowRank',
    'valueEmbeddings',
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

/** Per step of this trainer. A direct path that reads the whole table of pairs has one row per token. */
export async function workOf(
  host: Pick<ExperimentHost, 'countCompute'>,
  { model, training }: LabTrainer,
): Promise<Work> {
  const { tying } = model;
  const { batchSize = model.vocabSize, gradientAccumulation = 1 } = training;
  const { macs, parts, heads } = await host.countCompute(architectureOf(model), {
    sequences: batchSize,
    tokens: model.kind === 'transformer' ? (model.contextLength ?? 64) : 1,
    // Schedules change the number of tables, not what is multiplied.
    tying: typeof tying === 'string' ? (tying as TableTying) : 'untied',
    heads: headsOf(model.head),
  });
  const kind = model.head?.kind ?? 'full';
  const head = heads.find((one) => one.kind === kind)?.macs.total;
  if (head === undefined) throw new TiedError('unsupported', `work is not counted for a head of kind '${kind}'`);
  return { step: (macs.total - parts.head.total + head) * gradientAccumulation, head: head * gradientAccumulation };
}
