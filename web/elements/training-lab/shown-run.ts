import type { BigramBounds, Tying } from '../../core/types.js';
import type { CommonStrings } from '../shared/strings.js';
import type { GrowingSeries } from './history.js';
import type { Look } from './lab-settings.js';
import type { TrainingLabStrings } from './training-lab.strings.js';
import type { ArmKind } from './transformer/settings.js';

/** What is drawn for any model. */
export interface ShownArm {
  readonly kind: Tying | ArmKind;
  /** Nats per token. */
  readonly losses: GrowingSeries;
}

/** The drawn run (the reader's, or a finished one) and the viewed step. */
export interface ShownRun<Arm extends ShownArm = ShownArm> {
  readonly texts: TrainingLabStrings & CommonStrings;
  readonly look: Readonly<Look>;
  readonly arms: readonly Arm[];
  /** Floors of the text; null if it has too many different tokens to compute them. */
  readonly bounds: Pick<BigramBounds, 'unigram' | 'bigram'> | null;
  readonly settings: { readonly steps: number };
  /** The number of steps done. */
  readonly step: number;
  readonly viewedStep: number;
  readonly viewsNewest: boolean;
  /** The step of the first value of the arms' losses. */
  readonly first: 0 | 1;
  /** Stored steps that the reader can go back to, ascending. */
  readonly stops: readonly number[];
  /** Whether the steps between them can also be viewed. */
  readonly everyStep: boolean;
  /** Null for the reader's own run. */
  readonly finished: object | null;
  readonly onLook: (changes: Partial<Look>) => void;
  /** Null for the newest step. */
  readonly onView: (step: number | null) => void;
}

/** The part of a drawn run that depends on the kind of model. */
export type Own<Shown extends ShownRun> = Omit<Shown, keyof ShownRun> &
  Pick<Shown, 'arms' | 'first' | 'stops' | 'everyStep'> &
  Partial<Shown>;
