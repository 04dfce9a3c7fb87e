/**
 * An evaluation of a long text, in parts of a few sequences; the synchronous verb and the lab's time slices both
 * advance one.
 */
import { exp } from '../runtime/elementary.js';
import { TiedError } from '../runtime/errors.js';
import type { Job } from '../runtime/pace.js';
import type { EvaluateOptions, Evaluation } from '../types.js';
import { checkOptions, checkSignal } from '../runtime/validate.js';

/** The core's result for one part. */
export type PartEvaluation = Omit<Evaluation, 'bitsPerByte'>;

/** Approximate tokens per part: as many sequences as the core processes at once. */
const TOKENS_PER_PART = 1024;

export interface EvaluationParts {
  /** Number of predicted tokens; 1 if only the core knows. */
  tokens: number;
  /** Sequence length, to which parts are aligned; Infinity if everything is one part. */
  sequenceLength: number;
  evaluate(first: number, tokens: number): PartEvaluation;
  /** Bytes of the predicted tokens, where known. */
  bytes(tokens: number): number | null;
}

export class EvaluationRun implements Job<Evaluation, [fraction: number]> {
  readonly #parts: EvaluationParts;
  readonly #part: number;
  #done = 0;
  /** The number of tokens that the head can predict, and the sum of their losses. */
  #tokens = 0;
  #sum = 0;
  #lost = 0;
  /** The core's result if one part was everything. */
  #whole: PartEvaluation | null = null;

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
    const { sequenceLength, tokens } = parts;
    const part = Math.max(1, Math.floor(TOKENS_PER_PART / sequenceLength)) * sequenceLength;
    this.#part = Math.min(part, tokens);
  }

  get finished(): boolean {
    return this.#done === this.#parts.tokens;
  }

  takePart(): void {
    const { tokens, evaluate } = this.#parts;
    const part = Math.min(this.#part, tokens - this.#done);
    const evaluation = evaluate(this.#done, part);
    this.#done += part;
    this.#tokens += evaluation.tokens;
    this.#sum += evaluation.loss * evaluation.tokens;
    this.#lost += evaluation.lostTokens ?? 0;
    if (part === tokens) this.#whole = evaluation;
  }

  takeFor(milliseconds: number): void {
    const start = performance.now();
    do this.takePart();
    while (!this.finished && performance.now() - start < milliseconds);
  }

  news(): null {
    return null;
  }

  result(): Evaluation {
    const evaluation = this.#whole ?? this.#ofParts();
    const size = evaluation.lostTokens === undefined ? this.#parts.bytes(evaluation.tokens) : null;
    const bits = (evaluation.loss * evaluation.tokens) / Math.LN2;
    return { ...evaluation, bitsPerByte: size ? bits / size : null };
  }

  #ofParts(): PartEvaluation {
    const loss = this.#tokens === 0 ? 0 : this.#sum / this.#tokens;
    const culled = this.#tokens !== this.#parts.tokens;
    return {
      ...{ loss, perplexity: exp(loss), tokens: this.#tokens },
      ...(culled ? { lostTokens: this.#lost } : {}),
    };
  }

  cancelled(cause?: unknown): TiedError {
    const { tokens } = this.#parts;
    return new TiedError('cancelled', `the evaluation was cancelled after ${this.#done} of ${tokens} tokens`, {
      cause,
    });
  }

  end(): void {}
}

export function checkEvaluate(options: EvaluateOptions = {}): EvaluateOptions {
  const given = checkOptions('options', options, ['signal']);
  if (given.signal !== undefined) checkSignal('options.signal', given.signal);
  return given;
}
