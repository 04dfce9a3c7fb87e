/** What a trainer's model computes for given tokens. */
import { checkIdsBelow, checkLayer, checkPredictsNext } from '../model/options.js';
import type { ReadSequences } from '../diagnostics/read-sequences.js';
import { beforeNorm } from '../diagnostics/readout.js';
import { sizedBy, type Answer } from '../runtime/answer.js';
import type { Handle } from '../runtime/runtime.js';
import { attentionOf, matricesOf } from './trainer-answers.js';
import type { Attention, HiddenStatesOptions, LogitsOptions, Matrix, ModelConfig, NextTokenOptions } from '../types.js';
import { checkBoolean, checkOptions, checkTokenIds } from '../runtime/validate.js';
import type { Address, CoreModule, HandleAddress } from '../runtime/wasm-module.js';

/** How many ids the model reads: for one that predicts hidden tokens, the vocabulary size is the id of the mask. */
const readableIds = ({ vocabSize, objective }: Readonly<ModelConfig>): number =>
  objective === undefined || objective === 'next-token' ? vocabSize : vocabSize + 1;

/** At least `atLeast` ids, all below the vocabulary size. */
export function checkIdsOf(
  { vocabSize }: Pick<ModelConfig, 'vocabSize'>,
  argument: string,
  given: Uint32Array,
  atLeast: number,
): Uint32Array {
  const ids = checkTokenIds(argument, given, atLeast);
  checkIdsBelow(argument, ids, vocabSize);
  return ids;
}

/** The ids of a sequence, which may have masks if the model reads them. */
const checkSequence = (model: Readonly<ModelConfig>, given: Uint32Array): Uint32Array =>
  checkIdsOf({ vocabSize: readableIds(model) }, 'tokenIds', given, 1);

export class TrainerTokens {
  readonly #handle: Handle<CoreModule>;
  readonly #model: Readonly<ModelConfig>;
  readonly #sequences: ReadSequences;

  constructor(handle: Handle<CoreModule>, model: Readonly<ModelConfig>, sequences: ReadSequences) {
    this.#handle = handle;
    this.#model = model;
    this.#sequences = sequences;
  }

  /** Logits or probabilities after each of `options.from`. */
  nextToken(options: NextTokenOptions, probabilities: boolean): Matrix {
    const given = checkOptions('options', options, ['from', 'to']);
    checkPredictsNext(this.#model);
    const from = checkIdsOf(this.#model, 'options.from', given.from, 1);
    const to = given.to === undefined ? undefined : checkIdsOf(this.#model, 'options.to', given.to, 1);
    const rows = from.length;
    const cols = to?.length ?? this.#model.vocabSize;
    return this.#handle.call(
      [from, to],
      (module, trainer, [fromAddress, toAddress]) =>
        module.nextToken(trainer, fromAddress!, rows, toAddress!, to?.length ?? 0, probabilities),
      (answer) => ({ rows, cols, data: answer.read('floats') }),
      sizedBy('options.from'),
    );
  }

  logits(tokenIds: Uint32Array, options: LogitsOptions = {}): Matrix {
    const { withoutLayer } = checkOptions('options', options, ['withoutLayer']);
    const left = withoutLayer === undefined ? -1 : checkLayer('options.withoutLayer', withoutLayer, this.#model);
    return this.readLogits(tokenIds, left, false, ({ data, ...shape }) => ({ ...shape, data: data.slice() }));
  }

  /** See ReadTokens; -1 leaves no layer out. */
  readLogits<R>(tokenIds: Uint32Array, layer: number, resumes: boolean, read: (logits: Matrix) => R): R {
    const { vocabSize } = this.#model;
    return this.#sequence(
      tokenIds,
      (module, trainer, ids, count) => module.logits(trainer, ids, count, layer, resumes),
      (answer, count) => read({ rows: count, cols: vocabSize, data: answer.floatView() }),
    );
  }

  hiddenStates(tokenIds: Uint32Array, options: HiddenStatesOptions = {}): Matrix[] {
    const { finalNorm = false } = checkOptions('options', options, ['finalNorm']);
    checkBoolean('options.finalNorm', finalNorm);
    const ids = checkSequence(this.#model, tokenIds);
    const block = this.#sequences.find('states', [ids], () => this.stateBlock(ids));
    const states = finalNorm ? block : beforeNorm(block, ids.length, this.#model);
    return matricesOf(states, ids.length, this.#model.dModel);
  }

  /** See ReadTokens. */
  stateBlock(tokenIds: Uint32Array): Float32Array {
    return this.#states(tokenIds, true, (states) => states.slice());
  }

  /** See ReadTokens. */
  readStates<R>(tokenIds: Uint32Array, read: (states: Float32Array) => R): R {
    return this.#states(tokenIds, false, read);
  }

  #states<R>(tokenIds: Uint32Array, finalNorm: boolean, read: (states: Float32Array) => R): R {
    return this.#sequence(
      tokenIds,
      (module, trainer, ids, count) => module.hiddenStates(trainer, ids, count, finalNorm),
      (answer) => read(answer.floatView()),
    );
  }

  attention(tokenIds: Uint32Array): Attention[] {
    return this.#sequence(
      tokenIds,
      (module, trainer, ids, count) => module.attention(trainer, ids, count),
      (answer, count) => attentionOf(answer.read('floats'), count, count, this.#model),
    );
  }

  #sequence<R>(
    tokenIds: Uint32Array,
    verb: (module: CoreModule, trainer: HandleAddress, ids: Address, count: number) => boolean,
    read: (answer: Answer, count: number) => R,
  ): R {
    const ids = checkSequence(this.#model, tokenIds);
    return this.#handle.call(
      [ids],
      (module, trainer, [address]) => verb(module, trainer, address!, ids.length),
      (answer) => read(answer, ids.length),
      sizedBy('tokenIds'),
    );
  }
}
