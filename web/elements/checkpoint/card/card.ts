import type { IdentityCard } from '../../../core/types.js';

/** The card, and how the text was split. */
export interface Card extends IdentityCard {
  readonly split: 'tokenizer' | 'longest-match' | null;
  /** Tokens that the reader has named. */
  readonly named: ReadonlySet<number>;
}
