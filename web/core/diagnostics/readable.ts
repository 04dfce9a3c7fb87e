/** Which models can be read by the verbs that read a head. */
import { TiedError } from '../runtime/errors.js';
import { checkContinues } from '../model/options.js';
import type { HeadConfig, ModelConfig, NgramConfig, TrainingConfig } from '../types.js';

/**
 * What a verb reads: states through the rows of the output table; also the gradient of a full softmax; or the losses of the model's own
 * logits, which are exact with every head.
 */
export type ReadKind = 'rows' | 'gradient' | 'losses';

const TWO_LEVELS = { rows: 'a two-level logit is not the product of a state and a row of the table' };
/** The reasons. */
const UNREADABLE: Record<HeadConfig['kind'], Partial<Record<ReadKind, string>>> = {
  full: {},
  sampled: { gradient: 'the gradient of a sampled softmax pushes only drawn tokens' },
  adaptive: TWO_LEVELS,
  clustered: TWO_LEVELS,
  culled: { rows: 'tokens that are not kept have no logits', losses: 'tokens that are not kept have no loss' },
};

/** A trainer, or the options of one. */
export interface Configured {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<Partial<TrainingConfig>>;
}

/** Errors: 'unsupported'. */
export function checkReadsNgrams({ model }: Pick<Configured, 'model'>): NgramConfig {
  if ('ngrams' in model && model.ngrams !== undefined) return model.ngrams;
  throw new TiedError('unsupported', 'model.ngrams is undefined; expected a model that reads n-grams');
}

/** Refuses a model that the verb cannot read. Errors: 'unsupported'. */
export function checkReadable({ model, training }: Configured, reads: ReadKind): void {
  checkContinues(model);
  const whyNot = (kind: HeadConfig['kind']): string | undefined =>
    UNREADABLE[kind][reads] ?? (reads === 'gradient' ? UNREADABLE[kind].rows : undefined);
  const kind = model.head?.kind ?? 'full';
  const reason = whyNot(kind);
  if (reason !== undefined) {
    const readable = (Object.keys(UNREADABLE) as HeadConfig['kind'][]).filter((other) => whyNot(other) === undefined);
    const others = readable.map((other) => `'${other}'`).join(' or ');
    throw new TiedError('unsupported', `model.head.kind is '${kind}'; expected ${others}: ${reason}`);
  }
  if (reads === 'losses') return;
  if (reads === 'gradient' && model.valueEmbeddings === 'tied') {
    throw new TiedError(
      'unsupported',
      "model.valueEmbeddings is 'tied'; expected 'none' or 'own': the table's gradient has three parts, which trainer.gradient() returns",
    );
  }
  if (model.tableRank !== undefined) {
    throw new TiedError(
      'unsupported',
      `model.tableRank is ${model.tableRank}; expected tables that are not factorized`,
    );
  }
  for (const name of ['temperature', 'labelSmoothing'] as const) {
    const value = training[name];
    if (value === undefined) continue;
    throw new TiedError('unsupported', `training.${name} is ${value}; expected a model without it, for this reading`);
  }
}
