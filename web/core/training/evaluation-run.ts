/** An evaluation, of a long text in parts of a few sequences. */
import { EVALUATION } from '../generated/records.js';
import { exp } from '../runtime/elementary.js';
import { readsPairs, type HeldTrainer } from './held-trainer.js';
import type { TrainerPairs } from './trainer-pairs.js';
import { checkIdsOf } from './trainer-tokens.js';
import type { EvaluateOptions, Evaluation } from '../types.js';
import { checkOptions } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Progress, Work } from '../runtime/work.js';

/** Approximate tokens per part: as many sequences as the core processes at once. */
const TOKENS_PER_PART = 1024;

export interface EvaluatedTrainer extends HeldTrainer {
  readonly pairs: TrainerPairs;
}

export const evaluate = verb({
  what: 'evaluation',
  optionsAt: 1,
  listener: null,
  check(tokenIds?: Uint32Array, options: EvaluateOptions = {}) {
    checkOptions('options', options, ['signal']);
    return tokenIds;
  },
  work: (trainer: EvaluatedTrainer, tokenIds): Work<Evaluation, unknown[]> => evaluation(trainer, tokenIds),
});

/** Without ids, of the trainer's own data. */
export function evaluation(trainer: EvaluatedTrainer, given?: Uint32Array): Work<Evaluation, unknown[]> {
  return given === undefined && readsPairs(trainer) ? trainer.pairs.loss() : textEvaluation(trainer, given);
}

function* textEvaluation(trainer: HeldTrainer, given: Uint32Array | undefined): Work<Evaluation, []> {
  const { handle, model, attached } = trainer;
  const tokenIds = given === undefined ? undefined : checkIdsOf(model, 'tokenIds', given, 2);
  const size = tokenIds?.length ?? handle.get((module, at) => module.evaluationSize(at));
  const { kind, contextLength = 1, head, objective } = model;
  // Without ids the core evaluates everything: it reports why there are none.
  const byParts = kind === 'transformer' && size > 1;
  const tokens = Math.max(1, size - 1);
  const aligned = byParts ? Math.max(1, Math.floor(TOKENS_PER_PART / contextLength)) * contextLength : Infinity;
  let done = 0;
  const at = (): Progress<[]> => ({
    ...{ done: done / tokens, news: () => null },
    where: ` after ${done} of ${tokens} tokens`,
  });
  /** The number of tokens that the head can predict, the sum of their losses, and the others. */
  let [predicted, sum, lost] = [0, 0, 0];
  /** The core's own, if one part is everything. */
  let perplexity: number | null = null;
  let loss = 0;
  while (done < tokens) {
    yield at();
    const count = Math.min(aligned, tokens - done);
    const part = byParts ? tokenIds?.subarray(done, done + count + 1) : tokenIds;
    const first = done;
    const found = handle.call(
      [part],
      (module, of, [ids]) => module.evaluate(of, ids!, part?.length ?? 0, first, byParts ? count : 0),
      (answer) => answer.read(EVALUATION),
    );
    done += count;
    predicted += found.tokens;
    sum += found.loss * found.tokens;
    lost += found.lost;
    if (count === tokens) ({ loss, perplexity } = found);
  }
  if (perplexity === null) {
    loss = predicted === 0 ? 0 : sum / predicted;
    perplexity = exp(loss);
  }
  const culled = head?.kind === 'culled';
  const ids = (): Uint32Array =>
    handle.call(
      [],
      (module, of) => module.evaluationIds(of),
      (answer) => answer.ids(),
    );
  // The loss of hidden tokens at a fixed rate is no bound of what the text takes.
  const bytes =
    culled || objective === 'masked'
      ? null
      : tokenIds
        ? attached?.bytesPredicted(tokenIds, predicted)
        : attached?.bytesOfStream(ids, predicted);
  return {
    ...{ loss, perplexity, tokens: predicted },
    ...(culled ? { lostTokens: lost } : {}),
    bitsPerByte: bytes ? (loss * predicted) / Math.LN2 / bytes : null,
  };
}
