import { builtInTexts } from '../../texts/index.js';
import { number } from '../shared/settings/setting.js';
import type { TextFile } from '../shared/text-file.js';
import { whole } from './settings.js';

/** The source of the training text. `own` is a text that the reader pasted, dropped or chose. */
export type TextSource =
  | { readonly kind: 'built-in'; readonly id: string }
  | { readonly kind: 'stories'; readonly length: number }
  | { readonly kind: 'markov-chain'; readonly states: number }
  | OwnText;

export interface OwnText extends TextFile {
  readonly kind: 'own';
}

export type TextSourceKind = TextSource['kind'];

/** Settings that a reader, an attribute or a link may set. */
export const sourceSettings = {
  /** Characters of stories to write. */
  storyLength: number(200_000, {
    ...whole(1000, 5_000_000),
    label: 'storyLength',
    control: { step: 100_000, atEnd: true },
    applies: ({ textSource }) => textSource === 'stories',
  }),
  /** States of the built-in chain. */
  states: number(12, {
    ...whole(2, 64),
    label: 'markovStates',
    control: { atEnd: true },
    applies: ({ textSource }) => textSource === 'markov-chain',
  }),
};
/**
 * The number of tokens sampled from the chain: enough to bring the text's floors within a few thousandths of the
 * chain's.
 */
export const markovLength = 200_000;

export async function loadBuiltIn(id: string): Promise<{ title: string; text: string }> {
  const found = builtInTexts.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`There is no built-in text “${id}”.`);
  return { title: found.title, text: await found.load() };
}

/** The source that the settings name; null for 'own', whose text is not part of the settings. */
export function sourceOf(settings: {
  readonly textSource: string;
  readonly storyLength: number;
  readonly states: number;
}): TextSource | null {
  switch (settings.textSource) {
    case 'stories':
      return { kind: 'stories', length: settings.storyLength };
    case 'markov-chain':
      return { kind: 'markov-chain', states: settings.states };
    case 'own':
      return null;
    default:
      return { kind: 'built-in', id: settings.textSource };
  }
}
