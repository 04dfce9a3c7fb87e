import type { Lab } from '../../core/types.js';
import type { LabSource } from '../shared/lab-lease.js';
import type { Host } from '../shared/when-gone.js';
import type { PreparationStage } from './prepare-text.js';
import type { TextSource } from './text-source.js';

/**
 * - `idle`: nothing is loaded, nothing is held
 * - `preparing`: the text is being read (`stage` says how far)
 * - `ready`: models exist and have done no step
 * - `running`, `paused`
 * - `finished`: the planned number of steps is done; it can be run on
 * - `failed`: `failure` says why; a changed source or setting starts again
 */
export type Phase = 'idle' | 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

export interface LabFailure {
  /** Which part of the work went wrong, and so where it is said. */
  where: 'text' | 'training';
  error: unknown;
  /** The run of before stands as it stood: a text or a setting could not be used. */
  kept: boolean;
  /** A lab has died, and the models with it, on their way to this step; null where no lab has. */
  lostAt: number | null;
}

/** What a controller needs of the element around it. */
export interface ControllerOptions {
  host: Host;
  labs: LabSource;
  loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** Called after every change of what the getters return; several times a frame at worst. */
  onChange: () => void;
  /** Called when a chunk of steps is done. */
  onSteps?: () => void;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
}

/** Models that train side by side, always at the same step. */
export interface Models {
  /** Steps that every one of them has done. */
  readonly step: number;
  /** After an abort they may be at different steps. */
  run(steps: number, signal: AbortSignal): Promise<void>;
  rewind(step: number): Promise<void>;
  dispose(): void;
}

/** What the settings of any kind of model say. */
export interface RunSettings {
  readonly arms: readonly unknown[];
  /** Where play stops. */
  readonly steps: number;
}

/** What there is to read a text with. */
export interface Preparation<Settings> {
  readonly lab: Lab;
  readonly source: TextSource;
  readonly settings: Settings;
  readonly loadBuiltIn: ControllerOptions['loadBuiltIn'];
  readonly onStage: (stage: PreparationStage) => void;
  readonly signal: AbortSignal;
}
