/** Runs the models of checkpoints: a core on this thread, or a lab in its worker. */
import type { TokenizerSource } from '../text/load-tokenizer.js';
import type { ModelConfig, Tokenizer, Trainer, TrainingConfig } from '../types.js';

export interface BlankOptions {
  readonly model: ModelConfig;
  readonly training?: TrainingConfig | undefined;
  readonly tokenIds?: Uint32Array | undefined;
  readonly validationTokenIds?: Uint32Array | undefined;
  readonly tokenizer?: Tokenizer | undefined;
}

/** A trainer whose values have yet to be filled in. */
export interface BlankTrainer {
  /** Name and shape of each parameter, including those that share storage. */
  readonly parameters: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly isTied: boolean;
  }[];
  /** Rows of a parameter, from `firstRow` on; a vector is one row. */
  fill(name: string, firstRow: number, data: Float32Array): void | Promise<void>;
  /** Returns the trainer, with these values at step 0. */
  finish(): Trainer | Promise<Trainer>;
  discard(): void;
}

/** In a lab, its trainers and tokenizers are handles of the lab. */
export interface ModelHost {
  startModel(options: BlankOptions): BlankTrainer | Promise<BlankTrainer>;
  loadTokenizer(source: TokenizerSource): Tokenizer | Promise<Tokenizer>;
}
