import type { IdentityCard } from '../../../core/types.js';

/** The card, and how the text was split. */
export interface Card extends IdentityCard {
  readonly split: 'tokenizer' | 'longest-match' | null;
  /** How many words of the text the model does not know: all share one token. */
  readonly unknownWords: number;
  /** Tokens that the reader has named. */
  readonly named: ReadonlySet<number>;
}
