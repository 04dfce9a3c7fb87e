/** What a verb's caller keeps: a listener and a signal among the options. */
import { checkFunction, checkOptions, checkSignal, isRecord, LISTENING, readRecord } from './validate.js';
import type { AnyVerb } from './verb.js';

/** A verb's listener, as its caller gave it. */
export type Listener = (...news: unknown[]) => void;

/** Separates the arguments from the listener and the signal, which stay with the caller; each option is read once. */
export function takeOptions(
  { optionsAt, listener = 'onProgress', onlyInLab }: Pick<AnyVerb, 'optionsAt' | 'listener' | 'onlyInLab'>,
  args: readonly unknown[],
): { args: readonly unknown[]; onNews?: Listener | undefined; signal?: AbortSignal | undefined } {
  const given = args[optionsAt];
  if (onlyInLab === 'options' && given !== undefined) checkOptions('options', given as object, LISTENING);
  // The verb's own check refuses anything that is not an object of options.
  if (!isRecord(given)) return { args };
  const { signal, ...options } = readRecord('options', given);
  if (signal !== undefined) checkSignal('options.signal', signal);
  const onNews = listener === null ? undefined : options[listener];
  if (listener !== null) delete options[listener];
  if (onNews !== undefined) checkFunction(`options.${listener}`, onNews);
  return {
    args: args.map((argument, i) => (i === optionsAt ? options : argument)),
    onNews: onNews as Listener | undefined,
    signal: signal as AbortSignal | undefined,
  };
}
