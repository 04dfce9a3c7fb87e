import type { Plan, Tying } from '../seq2seq/history.js';
import { hasLength, seq2seqSettings } from '../seq2seq/seq2seq.settings.js';
import { refuseValues, valuesOfLink } from './link-values.js';

/** Links to a figure of encoder-decoders always name their task; no other figure's links do. */
export const isSeq2seqLink = (attributes: ReadonlyMap<string, string>): boolean => attributes.has('task');

/** What a link to such a figure trains. */
export interface LinkedTranslators {
  /** Without the lines of the reader's own pairs, which links do not contain. */
  readonly plan: Plan;
  readonly own: boolean;
  readonly steps: number;
}

/**
 * Reads such a link the way the figure does. Throws a `RangeError` if the figure would use a value other than the
 * link's.
 */
export function readSeq2seqLink(attributes: ReadonlyMap<string, string>): LinkedTranslators {
  const values = valuesOfLink(seq2seqSettings, attributes, 'a figure of encoder-decoders');
  refuseValues(seq2seqSettings, values);
  const task = values['pairTask'] as string;
  const plan = {
    task,
    length: hasLength(values) ? (values['length'] as number) : null,
    seed: values['seed'] as number,
    tyings: values['tyings'] as readonly Tying[],
    lines: null,
  };
  return { plan, own: task === 'own', steps: values['steps'] as number };
}
