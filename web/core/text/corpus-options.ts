/** What `openCorpus` accepts and refuses, in the core and in the lab. */
import { isBlob } from '../runtime/blob.js';
import type { CorpusOptions } from './corpus-types.js';
import { invalidArgument } from '../runtime/errors.js';
import { checkIdsBelow, completeTokenizer, type CompleteTokenizer } from '../model/options.js';
import {
  checkAbsent,
  checkInteger,
  checkOptions,
  checkRange,
  checkTokenIds,
  isRecord,
  LISTENING,
} from '../runtime/validate.js';

/** Larger than any vocabulary. */
const MAX_IDS = 2 ** 24;

const CORPUS_OPTIONS = ['tokenizer', 'vocabSize', 'validation', ...LISTENING] as const;

export interface CheckedCorpus {
  /** Null for token ids and chains. */
  tokenizer: CompleteTokenizer | null;
  vocabSize: number | null;
  validation: number;
}

/** Checks of the options of `openCorpus`, common to the core and the lab. */
export function checkCorpusOptions(source: unknown, options: CorpusOptions = {}): CheckedCorpus {
  const given = checkOptions('options', options, CORPUS_OPTIONS);
  const { validation = 0.1 } = given;
  const ofIds = typeof source === 'object' && source !== null && ArrayBuffer.isView(source);
  // A Markov chain is a plain object.
  const ofText = !ofIds && !isRecord(source);
  if (!ofText) checkAbsent('options.tokenizer', given.tokenizer, 'a corpus of text');
  if (!ofIds) checkAbsent('options.vocabSize', given.vocabSize, 'a corpus of token ids');
  checkRange('options.validation', validation, 0, 0.9);
  return {
    tokenizer: ofText ? completeTokenizer(given.tokenizer ?? { kind: 'bpe' }, 'options.tokenizer') : null,
    vocabSize: ofIds ? checkInteger('options.vocabSize', given.vocabSize, 2, MAX_IDS) : null,
    validation,
  };
}

/** Checks given token ids. */
export function idsOfSource(source: unknown, vocabSize: number): Uint32Array {
  const ids = checkTokenIds('source', source, 2);
  checkIdsBelow('source', ids, vocabSize);
  return ids.slice();
}

/** The refusal of a Blob by a verb that cannot wait for it. */
export function refuseBlob(source: unknown): void {
  if (isBlob(source)) {
    throw invalidArgument('source', source, "a string or token ids; a lab's openCorpus reads files");
  }
}
