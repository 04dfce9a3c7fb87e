/** The verbs of a trainer that reads pairs. */
import { GRADIENT_LEDGER, PAIR_EVALUATION, PAIR_WEIGHTS, TRANSLATED } from '../generated/records.js';
import { exp } from '../runtime/elementary.js';
import { kindOf } from '../runtime/arrays.js';
import type { AttachedTokenizer } from '../text/attached-tokenizer.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { PairLists } from './pair-lists.js';
import { sizedBy, type Answer, type ArgumentNames, type Read } from '../runtime/answer.js';
import type { Handle } from '../runtime/runtime.js';
import { attentionOf } from './trainer-answers.js';
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

/** Over pairs; `loss`: of all their losses. */
type PairSums = Read<typeof PAIR_EVALUATION>;

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
      const { exact, edits, targetTokens } = sums;
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
    result: (sums: PairSums, size: number) => R,
  ): Work<R> {
    this.#check();
    const pairs = given === undefined ? null : new PairLists('pairs', given);
    pairs?.checkFor(this.#trainer.model);
    const size =
      pairs?.size ?? this.#trainer.handle.get((module, trainer) => models(module).pairEvaluationSize(trainer));
    const sums: PairSums = { loss: 0, tokens: 0, exact: 0, edits: 0, targetTokens: 0 };
    let first = 0;
    do {
      yield first / Math.max(1, size);
      const [from, count] = [first, Math.min(PAIRS_PER_PART, size - first)];
      const part = this.#call(
        [pairs?.packed(from, count)],
        (module, trainer, [at]) => module.evaluatePairs(trainer, at!, from, count, translates),
        (answer) => answer.read(PAIR_EVALUATION),
        sizedBy('pairs'),
      );
      for (const [name, sum] of Object.entries(part)) sums[name as keyof PairSums] += sum;
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
        const { input, output, third: encoder, total, ...found } = answer.read(GRADIENT_LEDGER);
        const { inputRows, outputRows, thirdRows: encoderRows, inputPositionNorm } = found;
        const table = (data: Float32Array): Matrix => ({ rows: vocabSize, cols: dModel, data });
        return {
          ...{ input: table(input), output: table(output), encoder: table(encoder), total: table(total) },
          ...{ inputRows, outputRows, encoderRows, inputPositionNorm },
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
      (answer) => this.#translation(answer),
      { ...sizedBy('options.source'), source: 'options.source', temperature: 'options.temperature' },
    );
  }

  #translation(answer: Answer): Translation {
    const tokenizer = this.#trainer.tokenizer?.tokenizer;
    const candidates = answer
      .read([TRANSLATED])
      .map(({ tokens, ...found }) => ({ tokenIds: tokens, text: tokenizer?.decode(tokens) ?? null, ...found }));
    return { ...candidates[0]!, candidates };
  }

  logits(pair: PairInput): Matrix {
    const { vocabSize: cols } = this.#trainer.model;
    return this.#ofPair(
      pair,
      (module, ...args) => module.pairLogits(...args),
      (answer, _, rows) => ({ rows, cols, data: answer.read('floats') }),
    );
  }

  attention(pair: PairInput): PairAttentions {
    const { model } = this.#trainer;
    return this.#ofPair(
      pair,
      (module, ...args) => module.pairAttention(...args),
      (answer, source, inputs) => {
        const { encoder, decoder, cross } = answer.read(PAIR_WEIGHTS);
        return {
          encoder: attentionOf(encoder, source, source, model),
          decoder: attentionOf(decoder, inputs, inputs, model),
          cross: attentionOf(cross, inputs, source, model),
        };
      },
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

function lossOf({ loss: sum, tokens }: PairSums): Pick<Evaluation, 'loss' | 'perplexity' | 'tokens'> {
  const loss = sum / tokens;
  return { loss, perplexity: exp(loss), tokens };
}
