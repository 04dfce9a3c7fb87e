/** Display names of a word tokenizer's special tokens. */
export interface TokenNames {
  readonly rareWord: string;
  readonly noSpace: string;
}

const nameOf: Readonly<Record<string, keyof TokenNames>> = { '<unk>': 'rareWord', '<join>': 'noSpace' };

/** Whether a token represents a rare word, or the absence of a space between two pieces, and is not text itself. */
export const isInternalToken = (kind: string, token: string): boolean => kind === 'word' && token in nameOf;

/** A token as readers see it. */
export const readableToken = (kind: string, token: string, names: TokenNames): string => {
  const name = kind === 'word' ? nameOf[token] : undefined;
  return name === undefined ? token : names[name];
};

/** Text that a model wrote, as readers see it. */
export const readableText = (kind: string, text: string, { rareWord }: TokenNames): string =>
  kind === 'word' ? text.replaceAll('<unk>', rareWord) : text;
