import type { ComparedArm, LabComparison, StepColumns, TokenizerKind } from '../../core/types.js';
import type { LabSource } from '../shared/lab-lease.js';
import type { Host } from '../shared/when-gone.js';

/**
 * - `idle`: nothing is loaded
 * - `preparing`: the text is being read and the models are made (`stage` says what)
 * - `ready`: models exist and have done no step
 * - `running`, `paused`
 * - `finished`: the planned number of steps is done; more are possible
 * - `failed`: `failure` says why; a changed source or setting starts again
 */
export type Phase = 'idle' | 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

export interface LabFailure {
  /** Which part of the work went wrong, and so where the sentence about it stands. */
  readonly where: 'text' | 'training';
  readonly error: unknown;
  /** The step after which it happened. */
  readonly step: number;
  /** The run of before goes on: a text or a setting could not be used. */
  readonly runStands: boolean;
  /** A worker has died, and the models with it, on their way to this step; null where none has. */
  readonly lostAt: number | null;
}

/** What a controller needs of the element around it. */
export interface ControllerOptions {
  readonly host: Host;
  readonly labs: LabSource;
  readonly loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** Called after every change of what the getters return; several times a frame at worst. */
  readonly onChange: () => void;
  /** Called after every frame of the run. */
  readonly onSteps?: () => void;
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** What the settings of every kind of model have. */
export interface RunSettings {
  readonly arms: readonly string[];
  readonly tokenizer: TokenizerKind;
  readonly vocabSize: number;
  readonly seed: number;
  /** Where play stops. */
  readonly steps: number;
}

/** What is known of one model. */
export interface RunArm {
  /** Its name in the comparison. */
  readonly name: string;
  /** Adds the records of the steps after `from`. */
  add: (from: number, columns: StepColumns) => void;
  /** Drops the records of later steps. */
  truncate: (step: number) => void;
}

export type ArmOptions = Readonly<Record<string, ComparedArm>>;

/** One result per arm, of the same step. */
export const ofArms = <Arm extends RunArm, Result>(
  comparison: LabComparison,
  arms: readonly Arm[],
  ask: (arm: ReturnType<LabComparison['arm']>, of: Arm, index: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(arms.map(async (arm, index) => ask(comparison.arm(arm.name), arm, index)));
