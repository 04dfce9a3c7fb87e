import type { GrowingSeries } from '../history.js';
import type { LabText } from '../text.js';
import type { ArmKind, ShareDefinition } from './settings.js';

/** What a run of small GPTs records, and its text. */

/** Losses on held-out text, of the weights after some steps. */
export interface HeldOut {
  readonly steps: readonly number[];
  readonly losses: readonly number[];
}

/** The records of a model: one value per step, starting with step 1, for the step's batch before its update. */
export interface TransformerArm {
  readonly kind: ArmKind;
  readonly parameters: number;
  /** Nats per token. */
  readonly losses: GrowingSeries;
  /** The input part's share of the norms of the embedding's gradient, 0 to 1. */
  readonly inputShares: Readonly<Record<ShareDefinition, GrowingSeries>>;
  readonly heldOut: HeldOut;
  /** The last step at which the model was tied, if it unties by itself; null before that. */
  readonly untiedAt: number | null;
  /** Null before the first step. */
  readonly tokensPerSecond: number | null;
}

export interface TransformerText extends LabText {
  readonly trainingTokens: number;
  /** The number of held-out tokens that measurements read; 0 if the text is too short. */
  readonly heldOutTokens: number;
  /** The first prompt, a few words. */
  readonly prompt: string;
}
