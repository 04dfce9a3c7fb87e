import type { Plan, Tying } from '../seq2seq/history.js';
import { hasLength, seq2seqSettings } from '../seq2seq/seq2seq.settings.js';
import { refuseValues, valuesOfLink } from './link-values.js';

/** Links of a figure of encoder-decoders always name their task; those of no other figure do. */
export const isSeq2seqLink = (attributes: ReadonlyMap<string, string>): boolean => attributes.has('task');

/** What a link to such a figure trains. */
export interface LinkedTranslators {
  /** Without the lines of the reader's own pairs, which no link has. */
  readonly plan: Plan;
  readonly own: boolean;
  readonly steps: number;
}

/** Reads such a link as the figure does. Throws a `RangeError` where the figure would use another value than the link's. */
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
