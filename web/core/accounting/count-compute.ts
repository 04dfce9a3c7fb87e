/** The cost of a batch (multiply-accumulates, bytes, seconds), of serving, and of other kinds of heads. */
import { BATCH, COMPUTE_COUNT, HEAD_COSTS, type HEAD_OPTIONS, type MACS, type SERVING } from '../generated/records.js';
import { PRECISION } from '../generated/words.js';
import type { Architecture, Batch, CompleteArchitecture, ComputeCount, HeadCost, Macs, TableTying } from './types.js';
import {
  ARCHITECTURE_NAMES,
  architectureNumbers,
  checkSize,
  completeArchitecture,
  completeTying,
} from './architecture-options.js';
import { givenNumbers } from '../model/option-codec.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { Read } from '../runtime/answer.js';
import type { Runtime } from '../runtime/runtime.js';
import { checkAbsent, checkChoice, checkOptions, checkRange, LARGEST_RATE, readList } from '../runtime/validate.js';
import type { AccountingModule } from '../runtime/wasm-module.js';

/** Values stored per parameter. */
export const OPTIMIZER_NUMBERS = { adamw: 2, 'sgd-momentum': 1, sgd: 0 } as const;

const BATCH_OPTIONS: readonly (keyof Batch)[] = [
  'sequences',
  'tokens',
  'encoderTokens',
  'tying',
  'precision',
  'optimizer',
  'flopPerSecond',
  'bytesPerSecond',
  'heads',
];
const HEAD_KINDS = Object.keys(HEAD_COSTS) as (keyof typeof HEAD_COSTS)[];
const OTHER_HEADS = HEAD_KINDS.filter((kind) => kind !== 'full');

/** Default ratio of widths in an adaptive softmax, as in its paper. */
const DIVISOR = 4;
/** Far more clusters than any head has. */
const MAX_CUTOFFS = 100_000;

type Heads = NonNullable<Batch['heads']>;

interface CompleteBatch {
  tying: TableTying;
  numbers: Float64Array;
  /** Of an adaptive head. */
  cutoffs: BigUint64Array;
  flopPerSecond: number | undefined;
  bytesPerSecond: number | undefined;
  /** The heads to count. */
  heads: HeadCost['kind'][];
}

/** What listed tensors are multiplied with, and what is kept of it, is not in the list. */
function checkDescribed({ family }: CompleteArchitecture): void {
  if (family !== 'listed') return;
  const what = "architecture.family is 'listed': work and memory are counted only for models that the fields describe";
  throw new TiedError('unsupported', what);
}

export function countCompute(
  accounting: Runtime<AccountingModule>,
  architecture: Architecture,
  batch: Batch,
): ComputeCount {
  const complete = completeArchitecture(architecture);
  checkDescribed(complete);
  const { numbers, cutoffs, ...given } = completeBatch(complete, batch);
  return accounting.call(
    [architectureNumbers(complete), numbers, cutoffs],
    (module, [model, work, ends]) => module.countCompute(model!, work!, ends!, cutoffs.length),
    (answer) => computeOf(answer.read(COMPUTE_COUNT), complete, given),
    ARCHITECTURE_NAMES,
  );
}

// ---------------------------------------------------------------- what is asked

function completeBatch(complete: CompleteArchitecture, batch: Batch): CompleteBatch {
  const given = checkOptions('batch', batch, BATCH_OPTIONS);
  const { encoderTokens = given.tokens, precision = 'float32', optimizer = 'adamw' } = given;
  const { heads: givenHeads = {} } = given;
  const heads: Heads = checkOptions('batch.heads', givenHeads, OTHER_HEADS);
  if (complete.stack !== 'encoder-decoder') {
    checkAbsent('batch.encoderTokens', given.encoderTokens, "stack 'encoder-decoder'");
  }
  const tying = completeTying(complete, given.tying, 'batch.tying');
  const { flopPerSecond, bytesPerSecond } = given;
  if (flopPerSecond !== undefined) checkRate('batch.flopPerSecond', flopPerSecond);
  if (bytesPerSecond !== undefined) checkRate('batch.bytesPerSecond', bytesPerSecond);
  const optimizers = Object.keys(OPTIMIZER_NUMBERS) as (keyof typeof OPTIMIZER_NUMBERS)[];
  const work = {
    sequences: checkSize('batch.sequences', given.sequences),
    tokens: checkSize('batch.tokens', given.tokens),
    encoderTokens: checkSize('batch.encoderTokens', encoderTokens),
    tying,
    precision: checkChoice('batch.precision', precision, PRECISION),
    optimizerStates: OPTIMIZER_NUMBERS[checkChoice('batch.optimizer', optimizer, optimizers)],
  };
  const [options, cutoffs] = headOptions(heads, complete);
  // The expected number of tokens per cluster is rounded in double precision.
  if (heads.adaptive !== undefined && !Number.isSafeInteger(given.sequences * given.tokens)) {
    throw invalidArgument('batch.tokens', given.tokens, 'at most 2^53 - 1 tokens in all with an adaptive head');
  }
  return {
    tying,
    numbers: Float64Array.from(givenNumbers(BATCH, { ...work, heads: options })),
    cutoffs: BigUint64Array.from(cutoffs, BigInt),
    flopPerSecond,
    bytesPerSecond,
    heads: HEAD_KINDS.filter((kind) => kind === 'full' || heads[kind] !== undefined),
  };
}

/** The options of heads and the cutoffs of an adaptive one; 0 or none for heads that were not requested. */
function headOptions(
  given: Heads,
  { outputVocabSize, dModel, tableRank }: CompleteArchitecture,
): [Read<typeof HEAD_OPTIONS>, readonly number[]] {
  const { sampled, adaptive, culled, clustered } = given;
  if (tableRank > 0) checkAbsent('batch.heads.adaptive', adaptive, 'a model whose tables are not factorized');
  const { samples } = sampled === undefined ? {} : checkOptions('batch.heads.sampled', sampled, ['samples']);
  const { vocabSize } = culled === undefined ? {} : checkOptions('batch.heads.culled', culled, ['vocabSize']);
  const { clusters } = clustered === undefined ? {} : checkOptions('batch.heads.clustered', clustered, ['clusters']);
  const { cutoffs, divisor = DIVISOR } =
    adaptive === undefined ? {} : checkOptions('batch.heads.adaptive', adaptive, ['cutoffs', 'divisor']);
  const options = {
    samples: sampled === undefined ? 0 : checkSize('batch.heads.sampled.samples', samples, 1, outputVocabSize - 1),
    divisor: checkSize('batch.heads.adaptive.divisor', divisor),
    culledVocabSize:
      culled === undefined ? 0 : checkSize('batch.heads.culled.vocabSize', vocabSize, 1, outputVocabSize),
    clusters: clustered === undefined ? 0 : checkSize('batch.heads.clustered.clusters', clusters, 1, outputVocabSize),
  };
  return [options, adaptive === undefined ? [] : checkCutoffs(cutoffs, divisor, outputVocabSize, dModel)];
}

/** Increasing ids, for clusters whose vectors have at least one element. */
function checkCutoffs(given: unknown, divisor: number, vocabSize: number, dModel: number): number[] {
  const argument = 'batch.heads.adaptive.cutoffs';
  const cutoffs = readList(given, 1, MAX_CUTOFFS);
  if (!cutoffs) throw invalidArgument(argument, given, `an array of 1 to ${MAX_CUTOFFS} ids`);
  let [previous, width] = [0, dModel];
  return cutoffs.map((cutoff, i) => {
    previous = checkSize(`${argument}[${i}]`, cutoff, previous + 1, vocabSize - 1);
    if (divisor > width) {
      throw invalidArgument(
        'batch.heads.adaptive.divisor',
        divisor,
        `at most ${width}: cluster ${i + 1} has vectors of ${width} / divisor elements`,
      );
    }
    width = Math.floor(width / divisor);
    return previous;
  });
}

/** At least 1 per second, so every time is finite. */
function checkRate(argument: string, value: unknown): void {
  checkRange(argument, value, 1, LARGEST_RATE);
}

// ---------------------------------------------------------------- what comes back

function computeOf(
  found: Read<typeof COMPUTE_COUNT>,
  architecture: CompleteArchitecture,
  given: Omit<CompleteBatch, 'numbers' | 'cutoffs'>,
): ComputeCount {
  const parts: ComputeCount['parts'] = {
    lookup: macsOf(found.lookup),
    projections: macsOf(found.projections),
    scores: macsOf(found.scores),
    'feed-forward': macsOf(found.feedForward),
    head: macsOf(found.head),
  };
  const macs = macsOf({ forward: sum(Object.values(parts).map(({ forward }) => forward)) });
  const flop = macsOf({ forward: 2 * macs.forward });
  const { flopPerSecond } = given;
  const head = parts.head.forward;
  return {
    architecture,
    tying: given.tying,
    parts,
    macs,
    flop,
    headShare: share(head, macs.forward),
    headShareOfWeights: share(head, macs.forward - parts.scores.forward),
    bytes: withTotal(found.bytes),
    untiedBytes: withTotal(found.untiedBytes),
    seconds:
      flopPerSecond === undefined ? null : { forward: flop.forward / flopPerSecond, step: flop.total / flopPerSecond },
    serving: servingOf(found.serving, given),
    heads: headsOf(found.heads, given.heads),
  };
}

/** Each of a product's two gradients is a product of the same size, see accounting/heads.h. */
function macsOf({ forward }: Read<typeof MACS>): Macs {
  return { forward, backward: 2 * forward, total: 3 * forward };
}

const withTotal = (bytes: Omit<ComputeCount['bytes'], 'total'>): ComputeCount['bytes'] => ({
  ...bytes,
  total: sum(Object.values(bytes)),
});

function servingOf(
  counts: Read<typeof SERVING>,
  { flopPerSecond, bytesPerSecond }: Pick<CompleteBatch, 'flopPerSecond' | 'bytesPerSecond'>,
): ComputeCount['serving'] {
  const { weights, cache, logits, readPerToken, flopPerToken } = counts;
  const timed = flopPerSecond !== undefined && bytesPerSecond !== undefined && flopPerToken > 0;
  return {
    ...counts,
    total: weights + cache + logits,
    secondsPerToken: timed ? Math.max(readPerToken / bytesPerSecond, flopPerToken / flopPerSecond) : null,
  };
}

function headsOf(costs: Read<typeof HEAD_COSTS>, asked: readonly HeadCost['kind'][]): HeadCost[] {
  const full = macsOf(costs.full.macs).total;
  return asked.map((kind) => {
    const { macs: forward, atMost, ...counts } = costs[kind];
    const macs = macsOf(forward);
    return {
      ...{ kind, macs, atMost: macsOf(atMost), ...counts },
      shareOfFull: share(macs.total, full),
      exact: kind !== 'sampled' && kind !== 'culled',
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function share(part: number, whole: number): number {
  return part / whole;
}
