/** What a verb's caller keeps: a listener, a signal and a stream among the options. */
import { checkFunction, checkOptions, checkSignal, isRecord, LISTENING, readRecord } from './validate.js';
import type { AnyVerb } from './verb.js';

/** A verb's listener, as its caller gave it. */
export type Listener = (...news: unknown[]) => void;

/** Separates the arguments from the listener, the signal and the stream, which stay with the caller; each option is read once. */
export function takeOptions(
  {
    optionsAt,
    listener = 'onProgress',
    onlyInLab,
    streams,
  }: Pick<AnyVerb, 'optionsAt' | 'listener' | 'onlyInLab' | 'streams'>,
  args: readonly unknown[],
): { args: readonly unknown[]; onNews?: Listener | undefined; signal?: AbortSignal | undefined; to?: unknown } {
  const given = args[optionsAt];
  if (onlyInLab === 'options' && given !== undefined)
    checkOptions('options', given as object, streams ? [...LISTENING, 'to'] : LISTENING);
  // The verb's own check refuses anything that is not an object of options.
  if (!isRecord(given)) return { args };
  const { signal, ...options } = readRecord('options', given);
  if (signal !== undefined) checkSignal('options.signal', signal);
  const onNews = listener === null ? undefined : options[listener];
  if (listener !== null) delete options[listener];
  if (onNews !== undefined) checkFunction(`options.${listener}`, onNews);
  const { to } = options;
  if (streams) delete options['to'];
  return {
    args: args.map((argument, i) => (i === optionsAt ? options : argument)),
    onNews: onNews as Listener | undefined,
    signal: signal as AbortSignal | undefined,
    ...(streams && { to }),
  };
}
