import type { BigramBounds } from '../../../core/types.js';
import type { Arm, Snapshot } from '../direct-path-run.js';
import type { FinishedRun } from '../finished-run.js';
import type { LabSettings } from '../settings.js';
import type { ShownRun } from '../shown-run.js';

/** A run of direct paths to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun<Arm> {
  readonly bounds: Omit<BigramBounds, 'symmetricLogitsGap'>;
  readonly settings: LabSettings;
  /** Whether losses are of single batches; a smoothed line is then drawn over them. */
  readonly batches: boolean;
  /** The models' predictions at the viewed step for the shown tokens; null if they were not stored. */
  readonly snapshot: Snapshot | null;
  readonly finished: FinishedRun | null;
}
