import type { ValuesOf } from '../shared/settings/setting.js';
import type { TextFile } from '../shared/text-file.js';
import type { headsSettings } from './heads.settings.js';
import type { RaceQuestion } from './race-run.js';

/** Length of the generated stories in characters, and their seed, which is independent of the models' seed. */
const stories = { seed: 1, length: 400_000 };

/** What determines a race. */
export type RaceSettings = Omit<ValuesOf<typeof headsSettings>, 'by' | 'share'> & {
  readonly text: TextFile | string | null;
};

const contentOf = (text: TextFile | string): string => (typeof text === 'string' ? text : text.text);

/** Whether two texts have the same characters. */
export const sameText = (one: RaceSettings['text'], other: RaceSettings['text']): boolean =>
  one === other || (one !== null && other !== null && contentOf(one) === contentOf(other));

/**
 * A name for a race: equal settings give the same steps. It names a long text by its size and beginning; `sameText`
 * compares all of it.
 */
export function raceKey({ textSource, text, tokenizer, vocabSize, dModel, steps, seed }: RaceSettings): string {
  const own = text === null ? '' : contentOf(text);
  const source = textSource === 'stories' ? 'stories' : `${own.length} characters: ${own.slice(0, 40)}`;
  return JSON.stringify([source, tokenizer, vocabSize, dModel, steps, seed]);
}

/** Null while there is no text. */
export function questionOf(settings: RaceSettings): RaceQuestion | null {
  const { textSource, text, tokenizer, vocabSize, dModel, steps, seed } = settings;
  const given = { key: raceKey(settings), tokenizer, vocabSize, dModel: Number(dModel), steps, seed };
  if (textSource === 'stories') return { ...given, text: { stories } };
  return text === null ? null : { ...given, text: { own: contentOf(text) } };
}
