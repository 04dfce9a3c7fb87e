/** The generations of a trainer: they read its model, notice when its parameters change, and end with it. */
import type { AttachedTokenizer } from '../text/attached-tokenizer.js';
import { promptIds, TextGeneration, type CheckedGenerate } from './generation.js';
import { Handle, sizedBy, type Runtime } from '../runtime/runtime.js';
import type { CoreModule } from '../runtime/wasm-module.js';

/** What a generation needs from its trainer. */
export interface GeneratingTrainer {
  readonly runtime: Runtime<CoreModule>;
  readonly handle: Handle<CoreModule>;
  readonly tokenizer: AttachedTokenizer | null;
  readonly vocabSize: number;
  /** How often the parameters have changed. */
  changes(): number;
}

export class TrainerGenerations {
  readonly #trainer: GeneratingTrainer;
  readonly #pending = new Set<TextGeneration>();

  constructor(trainer: GeneratingTrainer) {
    this.#trainer = trainer;
  }

  /** The caller advances and ends it. */
  start({ prompt, tokens, temperature, topK, seed }: CheckedGenerate): TextGeneration {
    const { runtime, handle: trainer, vocabSize, changes } = this.#trainer;
    const tokenizer = this.#trainer.tokenizer?.tokenizer ?? null;
    const ids = promptIds(prompt, tokenizer, vocabSize);
    const address = trainer.call(
      [ids],
      (module, of, [at]) => module.startGeneration(of, at!, ids.length, temperature, topK, seed),
      (_, made) => made,
      {
        ...sizedBy('options.prompt'),
        prompt: 'options.prompt',
        temperature: 'options.temperature',
        topK: 'options.topK',
      },
    );
    const handle = new Handle(runtime, 'generation', address, (module, made) => module.deleteGeneration(made));
    let seen = changes();
    const generation = new TextGeneration(
      {
        next: (count) => {
          trainer.check();
          const changed = seen !== changes();
          seen = changes();
          return handle.call(
            [],
            (module, made) => module.generate(made, count, changed),
            (answer) => answer.ids(0),
          );
        },
        end: () => {
          this.#pending.delete(generation);
          handle.dispose();
        },
      },
      ids,
      tokens,
      tokenizer,
    );
    this.#pending.add(generation);
    return generation;
  }

  endAll(): void {
    for (const generation of this.#pending) generation.end();
  }
}
