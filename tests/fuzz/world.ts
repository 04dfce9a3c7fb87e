/** Targets and arguments of calls: live and disposed handles, and files that they saved. */
import type { BigramTable } from '../../web/core/text/bigram-table.js';
import type { Comparison, Core, Corpus, ParameterInfo, Tokenizer, Trainer } from '../../web/index.js';
import type { Draw } from './draw.js';
import { markSpoiled } from './hostile/tricks.js';

const MAX_HANDLES = 6;
const MAX_FILES = 4;

/** Handles of one kind; disposed ones remain for a while, since calls on them must be refused. */
export class Pool<T extends object> {
  readonly all: T[] = [];
  readonly #end: (handle: T) => void;

  constructor(end: (handle: T) => void = () => undefined) {
    this.#end = end;
  }

  add(handle: T): void {
    // Its contents must not be changed by an argument.
    this.all.push(markSpoiled(handle));
    if (this.all.length > MAX_HANDLES) this.#end(this.all.shift()!);
  }

  clear(): void {
    for (const handle of this.all.splice(0)) this.#end(handle);
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
  /** The trainer's last list of parameters. */
  readonly parameters = new WeakMap<object, readonly ParameterInfo[]>();

  /** A lab's handles have the same verbs, so a lab can replace the core if promises are awaited. */
  constructor(core: Core) {
    this.core = core;
  }

  clear(): void {
    for (const pool of [this.trainers, this.tokenizers, this.tables, this.corpora, this.comparisons]) pool.clear();
  }

  keepFile(files: Uint8Array[], file: Uint8Array): void {
    files.push(file.slice());
    if (files.length > MAX_FILES) files.shift();
  }
}
