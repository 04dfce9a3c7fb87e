/** A verb as the fuzzer knows it. */
import type { BigramTable } from '../../../web/core/bigram-table.js';
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
  /** What each argument is called: sizes among them are spoiled with care. */
  names: readonly string[];
  /** Right arguments for `on`, from which the wrong ones are made. */
  args(draw: Draw, world: World, on: T): unknown[];
  gives: Shape;
  /** Puts what the verb gave where later calls find it. */
  keep?(world: World, result: never, on: T): void;
}

export type Verbs<T> = Readonly<Record<string, Verb<T>>>;
