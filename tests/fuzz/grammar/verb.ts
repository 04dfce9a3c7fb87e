/** The fuzzer's description of a verb. */
import type { BigramTable } from '../../../web/core/text/bigram-table.js';
import type { Comparison, Core, Corpus, Tokenizer, Trainer } from '../../../web/index.js';
import type { Draw } from '../draw.js';
import type { Shape } from '../shapes.js';
import type { World } from '../world.js';

export interface Targets {
  core: Core;
  trainer: Trainer;
  tokenizer: Tokenizer;
  bigrams: BigramTable;
  corpus: Corpus;
  comparison: Comparison;
}

export interface Verb<T = object> {
  /** The name of each argument: sizes are spoiled with care. */
  names: readonly string[];
  /** Valid arguments for `on`, from which invalid ones are made. */
  args(draw: Draw, world: World, on: T): unknown[];
  gives: Shape;
  /** Stores the result for later calls. */
  keep?(world: World, result: never, on: T): void;
}

export type Verbs<T> = Readonly<Record<string, Verb<T>>>;
