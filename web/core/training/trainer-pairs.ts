/** The verbs of a trainer that reads pairs. */
import { exp } from '../runtime/elementary.js';
import { kindOf } from '../runtime/arrays.js';
import type { AttachedTokenizer } from '../text/attached-tokenizer.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { PairLists } from './pair-lists.js';
import { sizedBy, type Answer, type ArgumentNames, type Handle } from '../runtime/runtime.js';
import { attentionOf, matricesOf } from './trainer-answers.js';
import type {
  Evaluation,
  EvaluatePairsOptions,
  GradientLedger,
  Matrix,
  ModelConfig,
  PairAttentions,
  PairEvaluation,
  PairInput,
  TokenPairs,
  TranslateOptions,
  Translation,
} from '../types.js';
import {
  checkBoolean,
  checkInteger,
  checkNotNegative,
  checkOptions,
  checkSeed,
  checkString,
  checkTokenIds,
  LISTENING,
} from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { Address, CoreModule, HandleAddress, ModelsModule } from '../runtime/wasm-module.js';

// Limit of the core, defined in model/translation.cpp.
const MOST_BEAMS = 64;
const PAIRS_PER_PART = 16;

export const evaluatePairs = verb({
  what: 'evaluation',
  optionsAt: 1,
  check(pairs?: TokenPairs, options: EvaluatePairsOptions = {}) {
    const { translate = true } = checkOptions('options', options, ['translate', ...LISTENING]);
    return { pairs, translates: checkBoolean('options.translate', translate) };
  },
  work: (trainer: { readonly pairs: TrainerPairs }, { pairs, translates }) =>
    trainer.pairs.evaluation(pairs, translates),
});

/** What they need from their trainer. */
export interface PairTrainer {
  readonly handle: Handle<CoreModule>;
  readonly model: Readonly<ModelConfig>;
  readonly tokenizer: AttachedTokenizer | null;
}

export class TrainerPairs {
  readonly #trainer: PairTrainer;

  constructor(trainer: PairTrainer) {
    this.#trainer = trainer;
  }

  /** An evaluation of given pairs, or of the trainer's own. */
  evaluation(given: TokenPairs | undefined, translates: boolean): Work<PairEvaluation> {
    const share = (of: number, all: number): number | null => (translates ? of / all : null);
    return this.#evaluation(given, translates, (sums, pairs) => {
      const [, , exact, edits, targetTokens] = sums as [number, number, number, number, number];
      return {
        ...{ ...lossOf(sums), pairs },
        ...{ exactMatch: share(exact, pairs), characterErrorRate: share(edits, targetTokens) },
      };
    });
  }

  /** The loss of the trainer's own pairs alone. */
  loss(): Work<Evaluation> {
    return this.#evaluation(undefined, false, (sums) => ({ ...lossOf(sums), bitsPerByte: null }));
  }

  /** In parts; the result of each pair does not depend on the others. */
  *#evaluation<R>(
    given: TokenPairs | undefined,
    translates: boolean,
    result: (sums: readonly number[], size: number) => R,
  ): Work<R> {
    this.#check();
    const pairs = given === undefined ? null : new PairLists('pairs', given);
    pairs?.checkFor(this.#trainer.model);
    const size =
      pairs?.size ?? this.#trainer.handle.get((module, trainer) => models(module).pairEvaluationSize(trainer));
    // Of the losses, tokens, exact, edits, tokens of the targets.
    const sums = [0, 0, 0, 0, 0];
    let first = 0;
    do {
      yield first / Math.max(1, size);
      const [from, count] = [first, Math.min(PAIRS_PER_PART, size - first)];
      const part = this.#call(
        [pairs?.packed(from, count)],
        (module, trainer, [at]) => module.evaluatePairs(trainer, at!, from, count, translates),
        (answer) => answer.numbers(0),
        sizedBy('pairs'),
      );
      part.forEach((sum, i) => (sums[i]! += sum));
      first += count;
    } while (first < size);
    return result(sums, size);
  }

  /** If `batch` is absent: the pairs of the next step. */
  gradient(batch: TokenPairs | undefined): GradientLedger {
    const pairs = batch === undefined ? null : new PairLists('batch', batch);
    const { vocabSize, dModel } = this.#trainer.model;
    return this.#call(
      [pairs?.packed()],
      (module, trainer, [at]) => module.pairGradient(trainer, at!, pairs?.size ?? 0),
      (answer) => {
        const [input, output, encoder, total] = matricesOf(answer.floats(0), vocabSize, dModel);
        const [inputRows, outputRows, encoderRows, inputPositionNorm] = answer.numbers(1);
        return {
          ...{ input: input!, output: output!, encoder: encoder!, total: total! },
          ...{ inputRows: inputRows!, outputRows: outputRows!, encoderRows: encoderRows! },
          inputPositionNorm: inputPositionNorm!,
        };
      },
      { ...sizedBy('batch'), pairs: 'batch' },
    );
  }

  translate(options: TranslateOptions): Translation {
    const names = ['source', 'maxTokens', 'beams', 'temperature', 'topK', 'seed'];
    const given = checkOptions('options', options, names);
    this.#check();
    const most = this.#trainer.model.contextLength! - 1;
    const source = this.#ids('options.source', given.source, 1);
    const { maxTokens = most, beams = 1, temperature = 0, topK, seed = 0 } = given;
    // A model whose context holds only the start token translates to nothing.
    checkInteger('options.maxTokens', maxTokens, Math.min(1, most), most);
    checkInteger('options.beams', beams, 1, MOST_BEAMS);
    checkNotNegative('options.temperature', temperature);
    if (topK !== undefined) checkInteger('options.topK', topK, 1);
    checkSeed('options.seed', seed);
    if (beams > 1 && temperature !== 0) {
      throw invalidArgument('options.temperature', temperature, '0: a beam search draws nothing');
    }
    return this.#call(
      [source],
      (module, trainer, [at]) =>
        module.translate(trainer, at!, source.length, maxTokens, beams, temperature, topK ?? 0, seed),
      (answer) => this.#translation(answer.numbers(0), answer.ids(1)),
      { ...sizedBy('options.source'), source: 'options.source', temperature: 'options.temperature' },
    );
  }

  #translation(facts: Float64Array, ids: Uint32Array): Translation {
    const tokenizer = this.#trainer.tokenizer?.tokenizer;
    let at = 0;
    const candidates = Array.from({ length: facts.length / 3 }, (_, i) => {
      const [length, logProbability, ended] = facts.subarray(3 * i) as unknown as [number, number, number];
      const tokenIds = ids.slice(at, (at += length));
      return { tokenIds, text: tokenizer?.decode(tokenIds) ?? null, logProbability, ended: ended === 1 };
    });
    return { ...candidates[0]!, candidates };
  }

  logits(pair: PairInput): Matrix {
    const { vocabSize: cols } = this.#trainer.model;
    return this.#ofPair(
      pair,
      (module, ...args) => module.pairLogits(...args),
      (answer, _, rows) => ({ rows, cols, data: answer.floats(0) }),
    );
  }

  attention(pair: PairInput): PairAttentions {
    const { model } = this.#trainer;
    return this.#ofPair(
      pair,
      (module, ...args) => module.pairAttention(...args),
      (answer, source, inputs) => ({
        encoder: attentionOf(answer.floats(0), source, source, model),
        decoder: attentionOf(answer.floats(1), inputs, inputs, model),
        cross: attentionOf(answer.floats(2), inputs, source, model),
      }),
    );
  }

  /** `read` gets the tokens of the source, and those that the decoder reads. */
  #ofPair<R>(
    pair: PairInput,
    verb: (module: ModelsModule, ...args: [HandleAddress, Address, number, Address, number]) => boolean,
    read: (answer: Answer, source: number, inputs: number) => R,
  ): R {
    const given = checkOptions('pair', pair, ['source', 'target']);
    this.#check();
    const source = this.#ids('pair.source', given.source, 1);
    const target = this.#ids('pair.target', given.target, 0);
    return this.#call(
      [source, target],
      (module, trainer, [from, to]) => verb(module, trainer, from!, source.length, to!, target.length),
      (answer) => read(answer, source.length, target.length + 1),
      { ...sizedBy('pair.source'), source: 'pair.source', target: 'pair.target' },
    );
  }

  #ids(argument: string, given: unknown, atLeast: number): Uint32Array {
    const { model, tokenizer } = this.#trainer;
    let ids: Uint32Array;
    if (typeof given === 'string') {
      const text = checkString(argument, given);
      if (!tokenizer) throw invalidArgument(argument, text, 'token ids: the trainer has no tokenizer');
      ids = text === '' ? new Uint32Array() : tokenizer.tokenizer.encodeAs(argument, text);
      if (ids.length < atLeast) throw invalidArgument(argument, text, 'at least one token');
    } else if (kindOf(given) === 'Uint32Array') {
      ids = checkTokenIds(argument, given, atLeast);
    } else {
      throw invalidArgument(argument, given, 'a text, or a Uint32Array of token ids');
    }
    checkIdsBelow(argument, ids, model.vocabSize);
    return ids;
  }

  /** Refuses other models: only models that read pairs are certain to run in the module that has these verbs. */
  #check(): void {
    this.#trainer.handle.check();
    const { kind } = this.#trainer.model;
    if (kind === 'encoder-decoder') return;
    throw new TiedError('unsupported', `the model is of kind '${kind}'; expected 'encoder-decoder', which reads pairs`);
  }

  #call<R>(
    arrays: readonly (Uint32Array | undefined)[],
    verb: (module: ModelsModule, trainer: HandleAddress, addresses: Address[]) => boolean,
    read: (answer: Answer) => R,
    names: ArgumentNames,
  ): R {
    this.#check();
    return this.#trainer.handle.call(arrays, (module, ...args) => verb(models(module), ...args), read, names);
  }
}

const models = (module: CoreModule): ModelsModule => module as ModelsModule;

function lossOf([sum, tokens]: readonly number[]): Pick<Evaluation, 'loss' | 'perplexity' | 'tokens'> {
  const loss = sum! / tokens!;
  return { loss, perplexity: exp(loss), tokens: tokens! };
}
