/** The loss of each prediction of a text, a sequence at a time. */
import { LENS_READING } from '../generated/records.js';
import { openReadout, statesOf, stretches, type ReadTrainer, type Stretch } from './readout.js';
import { sizedBy } from '../runtime/answer.js';
import type { Handle, Runtime } from '../runtime/runtime.js';
import type { Matrix } from '../types.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';
import type { Work } from '../runtime/work.js';

/** For a direct path, which reads each token on its own. */
const TOKENS_PER_PART = 64;

/** `logits` [n, V], `targets` [n] -> [n], nats. */
export function lossesOf(runtime: Runtime<ReadoutModule>, logits: Matrix, targets: Uint32Array): Float32Array {
  const { rows, cols, data } = logits;
  return runtime.call(
    [data, targets],
    (module, [at, ids]) => module.tokenLosses(at!, rows, cols, ids!),
    (answer) => answer.read('floats'),
    sizedBy('tokenIds'),
  );
}

/**
 * Whether the readout gives the model's own losses, to the bit. The readout adds a low-rank correction to the table before multiplying, and
 * the relaxed build may round once where the readout rounds twice.
 */
function readsStates(trainer: ReadTrainer): boolean {
  const { kind, head, tableRank } = trainer.model;
  if (trainer.relaxed || kind !== 'transformer' || tableRank !== undefined) return false;
  if ((head?.kind ?? 'full') !== 'full') return false;
  const { temperature, labelSmoothing } = trainer.training;
  if (temperature !== undefined || labelSmoothing !== undefined) return false;
  return !trainer.parameters().some(({ name }) => name.startsWith('low_rank'));
}

export class TokenLosses {
  readonly #runtime: Runtime<ReadoutModule>;
  readonly #trainer: ReadTrainer;
  readonly #readsStates: boolean;
  /** The head of the model, opened at the first sequence whose losses are not known. */
  #readout: Handle<ReadoutModule> | null = null;

  constructor(runtime: Runtime<ReadoutModule>, trainer: ReadTrainer) {
    this.#runtime = runtime;
    this.#trainer = trainer;
    this.#readsStates = readsStates(trainer);
  }

  /** `inputs`, `targets` [n], n at most the model's context length -> [n], nats; not to be changed. */
  of(inputs: Uint32Array, targets: Uint32Array): Float32Array {
    const trainer = this.#trainer;
    return trainer.sequences.find('losses', [inputs, targets], () =>
      this.#readsStates
        ? this.#ofStates(trainer.model.nLayers!, inputs, targets)
        : lossesOf(this.#runtime, trainer.logits(inputs), targets),
    );
  }

  /** The same with the last layer left out; null if the readout gives other bits. */
  withoutLastLayer(inputs: Uint32Array, targets: Uint32Array): Float32Array | null {
    return this.#readsStates ? this.#ofStates(this.#trainer.model.nLayers! - 1, inputs, targets) : null;
  }

  /** Losses from the states before a layer, or after the last one. */
  #ofStates(layer: number, inputs: Uint32Array, targets: Uint32Array): Float32Array {
    const { length: tokens } = targets;
    const size = tokens * this.#trainer.model.dModel;
    const states = statesOf(this.#trainer, inputs).subarray(layer * size, (layer + 1) * size);
    this.#readout ??= openReadout(this.#runtime, this.#trainer);
    return this.#readout.call(
      [states, targets],
      (module, readout, [at, ids]) => module.readLens(readout, at!, 1, tokens, 0, 0, ids!),
      (answer) => answer.read(LENS_READING).loss,
      sizedBy('tokenIds'),
    );
  }

  end(): void {
    this.#readout?.dispose();
    this.#readout = null;
  }
}

/**
 * Reads all tokens of a text that have a next one, in sequences of the context length. Returns how many tokens were left out.
 * @param ids - at least two, below the size of the vocabulary; they do not change
 */
export function* inSequences(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
  read: (tokenLosses: TokenLosses, stretch: Stretch) => void,
): Work<number> {
  const sequences = stretches(ids.length - 1, trainer.model.contextLength ?? TOKENS_PER_PART);
  const tokenLosses = new TokenLosses(runtime, trainer);
  let leftOut = ids.length;
  try {
    for (const [i, stretch] of sequences.entries()) {
      yield i / sequences.length;
      read(tokenLosses, stretch);
      leftOut -= stretch.count;
    }
  } finally {
    tokenLosses.end();
  }
  return leftOut;
}
