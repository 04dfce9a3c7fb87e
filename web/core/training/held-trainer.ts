/** What the long verbs of a trainer need from it. */
import type { AttachedTokenizer } from '../text/attached-tokenizer.js';
import type { FindModule } from '../runtime/running-modules.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import type { ModelConfig } from '../types.js';
import type { CoreModule } from '../runtime/wasm-module.js';

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
}

/** Whether the model reads pairs instead of a text. */
export const readsPairs = ({ model }: Pick<HeldTrainer, 'model'>): boolean => model.kind === 'encoder-decoder';
