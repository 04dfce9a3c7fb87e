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

/** A name for a race: equal settings give the same steps. */
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
