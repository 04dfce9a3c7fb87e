/** Real models: what they are, whether they share their tables, and where each figure comes from. */
import type { KnownModel } from '../accounting-types.js';
import { BERT_T5 } from './bert-t5.js';
import { GPT } from './gpt.js';

const ALL: readonly KnownModel[] = [...GPT, ...BERT_T5];

/** New copies at each call: what becomes of them is the caller's affair. */
export function knownModels(): KnownModel[] {
  return ALL.map((model) => ({
    ...model,
    architecture: { ...model.architecture },
    published: model.published && { ...model.published },
    sources: { ...model.sources },
  }));
}
