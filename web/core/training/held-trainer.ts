/** What the long verbs of a trainer need from it. */
import type { AttachedTokenizer } from '../text/attached-tokenizer.js';
import type { FindModule } from '../runtime/running-modules.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import type { ModelConfig } from '../types.js';
import type { CoreModule } from '../runtime/wasm-module.js';
import type { Work } from '../runtime/work.js';

export interface HeldTrainer {
  readonly runtime: Runtime<CoreModule>;
  readonly handle: Handle<CoreModule>;
  readonly modules: FindModule;
  readonly model: Readonly<ModelConfig>;
  readonly attached: AttachedTokenizer | null;
  /** 0 without data to train on. */
  readonly tokensPerStep: number;
  /** Ends with the trainer. */
  readonly generations: Set<Pick<Handle<CoreModule>, 'dispose'>>;
  /** How often the parameters have changed. */
  readonly changes: number;
  /** Call this before parameters change. */
  change(): void;
  /** Null if it trains alone. */
  readonly partners: Partners | null;
}

/** Trainers with the same state in other workers. The bits are the same whatever they compute. */
export interface Partners {
  /** How many are at work. */
  readonly size: number;
  /** Before steps: gives the trainer what they computed of the next one. False if it goes on alone, with as many steps as it likes. */
  give(): Work<boolean>;
  /** After so many steps that did not fail. */
  stepped(steps: number): void;
  /** Ends with the trainer. */
  end(): void;
}

/** Whether the model reads pairs instead of a text. */
export const readsPairs = ({ model }: Pick<HeldTrainer, 'model'>): boolean => model.kind === 'encoder-decoder';
