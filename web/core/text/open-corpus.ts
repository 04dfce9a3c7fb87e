/** Opens a corpus: learns its vocabulary, encodes its text and counts its pairs, in parts. */
import { countBigrams } from './bigram-counting.js';
import { isBlob } from '../runtime/blob.js';
import { CoreCorpus } from './corpus.js';
import { checkCorpusOptions, idsOfSource, refuseBlob, type CheckedCorpus } from './corpus-options.js';
import type { CorpusOptions, CorpusStage } from './corpus-types.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { checkMarkovText, drawStates } from './markov-sampling.js';
import type { CoreModules } from '../runtime/running-modules.js';
import type { Runtime } from '../runtime/runtime.js';
import { CoreTokenizer } from './tokenizer.js';
import { learn } from './train-tokenizer.js';
import type { MarkovText } from '../types.js';
import { checkInteger, checkText } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';
import { resolved, within, type Progress, type Work } from '../runtime/work.js';

/** A larger table of pairs would take seconds and hundreds of megabytes; only `bigrams()` creates one. */
const MAX_BOUNDED_TOKENS = 4096;
/** Approximate fraction of the work in each stage. */
const LEARNED = 0.55;
const ENCODED = 0.95;
/** Approximate fraction of the work that reading a file takes. */
const READ = 0.05;

type News = [fraction: number, stage: CorpusStage];
const at = (done: number, stage: CorpusStage): Progress<News> => ({ done, news: () => [done, stage] });

export const openCorpus = verb({
  what: 'opening of the corpus',
  optionsAt: 1,
  check: (source: unknown, options?: CorpusOptions) => ({ source, options: checkCorpusOptions(source, options) }),
  checkInCore: refuseBlob,
  *work({ modules }: CoreModules, { source, options }): Work<CoreCorpus, News> {
    const analysis = modules.get('analysis');
    if (!isBlob(source)) return yield* open(analysis, source, options);
    const opening = open(analysis, yield* textOf(source), options);
    return yield* within(opening, ({ done, news }) => at(READ + (1 - READ) * done, news!()![1]));
  },
});

/** Like `Blob.text()`: UTF-8 without its byte order mark, U+FFFD for invalid bytes. */
function* textOf(blob: Blob): Work<string, News> {
  const reader = blob.stream().getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      yield at(READ * Math.min(1, bytes / Math.max(1, blob.size)), 'reading');
      const { done, value } = yield* resolved(reader.read());
      parts.push(decoder.decode(value, { stream: !done }));
      if (done) return parts.join('');
      bytes += value.length;
    }
  } catch (cause) {
    const found = `source is a file of ${blob.size} bytes`;
    throw cause instanceof RangeError
      ? new TiedError('out-of-memory', `${found}; expected a text that fits in a string`, { cause })
      : new TiedError('bad-file', `${found} that cannot be read; expected a readable file`, { cause });
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** What a corpus is made from. */
interface Read {
  ids: Uint32Array;
  vocabSize: number;
  characters: number | null;
  tokenizer: CoreTokenizer | null;
}

function* open(analysis: Runtime<AnalysisModule>, source: unknown, options: CheckedCorpus): Work<CoreCorpus, News> {
  const { ids, vocabSize, characters, tokenizer } = yield* readSource(analysis, source, options);
  let opened = false;
  try {
    // A listener is told of the last stage, however short the text.
    yield { ...at(ENCODED, 'counting'), endsSlice: true };
    const spared = Math.floor(ids.length * options.validation);
    // A single token predicts nothing.
    const held = spared < 2 ? 0 : spared;
    const trainingIds = ids.slice(0, ids.length - held);
    const validationIds = ids.slice(ids.length - held);
    if (trainingIds.length < 2) {
      throw new TiedError(
        'invalid-argument',
        `source has ${trainingIds.length} tokens to train on; expected at least 2`,
      );
    }
    const counted =
      vocabSize <= MAX_BOUNDED_TOKENS
        ? yield* within(countBigrams(analysis, trainingIds, vocabSize, true), ({ done }) =>
            at(ENCODED + (1 - ENCODED) * done, 'counting'),
          )
        : null;
    const data = { vocabSize, trainingIds, validationIds, characters, bounds: counted?.bounds ?? null };
    const corpus = new CoreCorpus(analysis, data, tokenizer, counted?.table);
    yield at(1, 'counting');
    opened = true;
    return corpus;
  } finally {
    if (!opened) tokenizer?.dispose();
  }
}

function* readSource(
  analysis: Runtime<AnalysisModule>,
  source: unknown,
  { tokenizer: wanted, vocabSize }: CheckedCorpus,
): Work<Read, News> {
  if (vocabSize !== null) {
    const ids = idsOfSource(source, vocabSize);
    yield at(0, 'counting');
    return { ids, vocabSize, characters: null, tokenizer: null };
  }
  if (wanted === null) {
    const text = checkMarkovText('source', source as MarkovText);
    const states = checkInteger('source.transition.rows', text.transition.rows, 2);
    const drawing = drawStates(analysis, 'source', text);
    const ids = yield* within(drawing, ({ done }) => at(ENCODED * done, 'writing'));
    return { ids, vocabSize: states, characters: null, tokenizer: null };
  }
  if (typeof source !== 'string') {
    throw invalidArgument('source', source, 'a string, a Uint32Array of token ids, or { transition, length, seed }');
  }
  const names = { text: 'source', vocabSize: 'options.tokenizer.vocabSize' };
  const { ids, tokenizer: address } = yield* learn<News>(
    analysis,
    checkText('source', source),
    wanted,
    true,
    names,
    (learned, encoded) =>
      learned < 1 ? at(LEARNED * learned, 'learning') : at(LEARNED + (ENCODED - LEARNED) * encoded, 'encoding'),
  );
  const tokenizer = new CoreTokenizer(analysis, address);
  return { ids, vocabSize: tokenizer.vocabSize, characters: source.length, tokenizer };
}
