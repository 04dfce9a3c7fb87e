import { headsSettings } from '../heads/heads.settings.js';
import { questionOf } from '../heads/race-question.js';
import type { RaceQuestion } from '../heads/race-run.js';
import { refuseValues, valuesOfLink } from './link-values.js';

/** Links to a figure of heads always name what the models are compared by; no other figure's links do. */
export const isHeadsLink = (attributes: ReadonlyMap<string, string>): boolean => attributes.has('by');

/** The training that a link describes, without anything that depends on the clock. */
export interface LinkedHeads {
  readonly own: boolean;
  readonly steps: number;
  readonly seed: number;
  /** `text`: the reader's own text, which links do not contain. */
  readonly question: (text: string | null) => RaceQuestion;
}

/**
 * Reads such a link the way the figure does. Throws a `RangeError` if the figure would use a value other than the
 * link's.
 */
export function readHeadsLink(attributes: ReadonlyMap<string, string>): LinkedHeads {
  const values = valuesOfLink(headsSettings, attributes, 'a figure of heads');
  refuseValues(headsSettings, values);
  const settings = values as Omit<Parameters<typeof questionOf>[0], 'text'>;
  return {
    own: settings.textSource === 'own',
    steps: settings.steps,
    seed: settings.seed,
    question: (text) => questionOf({ ...settings, text })!,
  };
}
