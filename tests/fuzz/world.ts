/** What calls are made on, and what they are made from: handles that live or are disposed of, and files saved by them. */
import type { BigramTable } from '../../web/core/bigram-table.js';
import type { Comparison, Core, Corpus, ParameterInfo, Tokenizer, Trainer } from '../../web/index.js';
import type { Draw } from './draw.js';
import { markSpoiled } from './hostile/tricks.js';

const MAX_HANDLES = 6;
const MAX_FILES = 4;

/** Handles of one kind; those disposed of stay for a while, as calls on them are to be refused. */
export class Pool<T extends object> {
  readonly all: T[] = [];
  readonly #end: (handle: T) => void;

  constructor(end: (handle: T) => void = () => undefined) {
    this.#end = end;
  }

  add(handle: T): void {
    // Nothing inside of it is an argument's to change.
    this.all.push(markSpoiled(handle));
    if (this.all.length > MAX_HANDLES) this.#end(this.all.shift()!);
  }

  of(draw: Draw): T | undefined {
    return this.all.length === 0 ? undefined : draw.of(this.all);
  }
}

export class World {
  core: Core;
  readonly trainers = new Pool<Trainer>((trainer) => trainer.dispose());
  readonly tokenizers = new Pool<Tokenizer>((tokenizer) => tokenizer.dispose());
  readonly tables = new Pool<BigramTable>();
  readonly corpora = new Pool<Corpus>((corpus) => corpus.dispose());
  readonly comparisons = new Pool<Comparison>((comparison) => comparison.dispose());
  readonly trainerFiles: Uint8Array[] = [];
  readonly tokenizerFiles: Uint8Array[] = [];
  /** What a trainer said of its parameters when it was last asked. */
  readonly parameters = new WeakMap<object, readonly ParameterInfo[]>();

  /** A lab's handles have the same verbs, so that it can stand for a core where promises are waited for. */
  constructor(core: Core) {
    this.core = core;
  }

  keepFile(files: Uint8Array[], file: Uint8Array): void {
    files.push(file.slice());
    if (files.length > MAX_FILES) files.shift();
  }
}
