/** Real models: what they are, whether they share their tables, and where each figure comes from. */
import type { KnownModel } from '../types.js';
import { BERT_T5 } from './bert-t5.js';
import { EXPERTS } from './experts.js';
import { GEMMA_MODELS } from './gemma.js';
import { GPT } from './gpt.js';
import { LLAMA_LIKE } from './llama-like.js';
import { OLMO_MODELS } from './olmo.js';
import { OTHERS } from './others.js';
import { QWEN_MODELS } from './qwen.js';

const ALL: readonly KnownModel[] = [
  ...GPT,
  ...BERT_T5,
  ...LLAMA_LIKE,
  ...GEMMA_MODELS,
  ...QWEN_MODELS,
  ...OLMO_MODELS,
  ...OTHERS,
  ...EXPERTS,
];

/** Returns new copies on each call, which the caller may change. */
export function knownModels(): KnownModel[] {
  return ALL.map((model) => ({
    ...model,
    architecture: { ...model.architecture },
    published: model.published && { ...model.published },
    sources: { ...model.sources },
  }));
}
