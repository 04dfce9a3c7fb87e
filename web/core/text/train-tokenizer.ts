/** Learns a tokenizer from a text. */
import { ALPHABET, TOKENIZER_KIND } from '../generated/words.js';
import { completeTokenizer, type CompleteTokenizer } from '../model/options.js';
import type { CoreModules } from '../runtime/running-modules.js';
import type { ArgumentNames } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import { textWork, type TextResult } from './text-work.js';
import { CoreTokenizer } from './tokenizer.js';
import type { TokenizerOptions } from '../types.js';
import { checkText } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { AnalysisModule } from '../runtime/wasm-module.js';
import type { Progress, Work } from '../runtime/work.js';

export const trainTokenizer = verb({
  what: 'training of the tokenizer',
  optionsAt: 1,
  onlyInLab: 'listening',
  check: (text: string, options: TokenizerOptions) => ({ text, options }),
  *work({ modules }: CoreModules, { text, options }): Work<CoreTokenizer> {
    const runtime = modules.get('analysis');
    const bytes = checkText('text', text);
    const names = { vocabSize: 'options.vocabSize' };
    const { tokenizer } = yield* learn(runtime, bytes, completeTokenizer(options), false, names);
    return new CoreTokenizer(runtime, tokenizer);
  },
});

/** Learns the vocabulary of a text, and encodes it where `encodes`. */
export function* learn<N extends unknown[] = [fraction: number]>(
  runtime: Runtime<AnalysisModule>,
  text: Uint8Array,
  { kind, vocabSize, alphabet }: CompleteTokenizer,
  encodes: boolean,
  names: ArgumentNames,
  as?: (learned: number, encoded: number) => number | Progress<N>,
): Work<TextResult, N> {
  const [kindIndex, alphabetIndex] = [TOKENIZER_KIND.indexOf(kind), ALPHABET.indexOf(alphabet)];
  const address = runtime.call(
    [text],
    (module, [at]) => module.startLearning(at!, text.length, kindIndex, vocabSize, alphabetIndex, encodes),
    (_, work) => work,
    names,
  );
  return yield* textWork(runtime, address, names, as);
}
