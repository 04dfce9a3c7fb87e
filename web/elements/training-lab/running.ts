import type {
  ComparedArm,
  CompareOptions,
  Lab,
  LabComparison,
  LabCorpus,
  StepColumns,
  TokenizerKind,
} from '../../core/types.js';
import type { LabSource } from '../shared/lab-lease.js';
import type { TokenNames } from '../shared/token-names.js';
import type { Host } from '../shared/when-gone.js';
import { GrowingSeries } from './history.js';
import type { TextSource } from './text-source.js';

/**
 * - `idle`: nothing is loaded
 * - `preparing`: the text is being read and the models are created (`stage` says which)
 * - `ready`: models exist but have done no step
 * - `running`, `paused`
 * - `finished`: the planned number of steps is done; more are possible
 * - `failed`: `failure` says why; a changed source or setting starts again
 */
export type Phase = 'idle' | 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

export interface LabFailure {
  /** The part of the work that failed, which decides where its sentence is shown. */
  readonly where: 'text' | 'training';
  readonly error: unknown;
  /** The step after which it happened. */
  readonly step: number;
  /** The previous run continues: a text or a setting could not be used. */
  readonly runStands: boolean;
  /** The step to which a worker was training when it died, with its models; null if none died. */
  readonly lostAt: number | null;
}

/** One model and its losses in nats per token: value s is for the data of step s + 1 and the weights after s steps. */
export class RunArm<Kind extends string = string> {
  readonly losses = new GrowingSeries();

  /** `kind` is also the arm's name in the comparison. */
  constructor(readonly kind: Kind) {}

  /** Adds the records of the steps after `from`, replacing those of the same steps. */
  add(from: number, { loss }: StepColumns): void {
    this.truncate(from);
    this.losses.append(loss);
  }

  /** Drops the records of later steps. */
  truncate(step: number): void {
    this.losses.truncate(step);
  }
}

/** The part of the element that a controller uses. */
export interface ControllerOptions {
  readonly host: Host;
  readonly labs: LabSource;
  readonly loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** Names of a word tokenizer's special tokens. Default: the English ones. */
  readonly names?: () => TokenNames;
  /** Called whenever what the getters return has changed; possibly several times per frame. */
  readonly onChange: () => void;
  /** Called after every frame of the run. */
  readonly onSteps?: () => void;
  /** Stores the models of a long run, which do not train meanwhile, outside the page; never rejects. */
  readonly keep?: (models: Standing<RunSettings, unknown, { readonly kind: string }>) => Promise<void>;
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Settings that all kinds of models have. */
export interface RunSettings {
  readonly arms: readonly string[];
  readonly tokenizer: TokenizerKind;
  readonly vocabSize: number;
  readonly seed: number;
  /** Where play stops. */
  readonly steps: number;
}

export type ArmOptions = Readonly<Record<string, ComparedArm>>;

/** The current models, with their text and settings. */
export interface Standing<Settings, Text, Arm> {
  /** The lab that has the text and the models. */
  readonly lab: Lab;
  readonly comparison: LabComparison;
  readonly arms: readonly Arm[];
  readonly text: Text;
  readonly source: TextSource;
  readonly settings: Settings;
}

/** One result per arm, all of the same step. */
export const ofArms = <Arm extends { readonly kind: string }, Result>(
  comparison: LabComparison,
  arms: readonly Arm[],
  ask: (arm: ReturnType<LabComparison['arm']>, of: Arm, index: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(arms.map(async (arm, index) => ask(comparison.arm(arm.kind), arm, index)));

/** A comparison that `signal` cancels only while it is created, because it outlives the task that creates it. */
export async function compareBeyond(
  signal: AbortSignal,
  lab: Lab,
  corpus: LabCorpus,
  options: CompareOptions,
): Promise<LabComparison> {
  const making = new AbortController();
  const abort = (): void => making.abort();
  signal.addEventListener('abort', abort);
  try {
    return await lab.compare(corpus, options, { signal: making.signal });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
