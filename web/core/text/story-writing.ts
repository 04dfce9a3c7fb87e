/** Writes stories piece by piece. */
import { TiedError } from '../runtime/errors.js';
import { PartJob } from '../runtime/pace.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import { checkInteger, checkOptions, checkSeed } from '../runtime/validate.js';
import type { StoriesModule } from '../runtime/wasm-module.js';

const CHARACTERS_PER_PART = 1024;
const MAX_PARTS = 2 ** 10;

export interface CheckedStories {
  seed: number;
  length: number;
}

/** Checks of the options of `writeStories`, common to the core and the lab. */
export function checkStories(options: CheckedStories): CheckedStories {
  const { seed, length } = checkOptions('options', options, ['seed', 'length']);
  return { seed: checkSeed('options.seed', seed), length: checkInteger('options.length', length, 1) };
}

const NAMES = { atLeastCharacters: 'options.length' };

export class StoryWriting extends PartJob<string> {
  readonly #handle: Handle<StoriesModule>;
  readonly #length: number;
  readonly #pieces: string[] = [];

  constructor(runtime: Runtime<StoriesModule>, { seed, length }: CheckedStories) {
    super('writing', MAX_PARTS);
    const address = runtime.call(
      [],
      (module) => module.startStories(seed, length),
      (_, writing) => writing,
      NAMES,
    );
    this.#handle = new Handle(runtime, 'writing', address, (module, writing) => module.deleteStories(writing));
    this.#length = length;
  }

  protected take(parts: number): void {
    this.#handle.call(
      [],
      (module, writing) => module.advanceStories(writing, parts * CHARACTERS_PER_PART),
      (answer) => {
        [this.fraction] = answer.numbers(0) as unknown as [number];
        this.#pieces.push(answer.text(1, 'options.length', this.#length));
      },
      NAMES,
    );
    this.finished = this.fraction === 1;
  }

  result(): string {
    try {
      return this.#pieces.join('');
    } catch (cause) {
      const expected = 'a text that fits in a string';
      throw new TiedError('out-of-memory', `options.length is ${this.#length}; expected ${expected}`, { cause });
    }
  }

  end(): void {
    this.#handle.dispose();
  }
}
