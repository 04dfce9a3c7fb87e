/** The direct path of a transformer as logits, as its symmetry, or compared with the bigrams of a text; a block of rows at a time. */
import { BIGRAM_FACTS, CORRELATION } from '../generated/records.js';
import { checkSymmetryOptions, directPathSymmetry } from './direct-path.js';
import { TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import { readIds, readoutOf, stretches, type ReadTrainer, type TransformerSizes } from '../diagnostics/readout.js';
import { sizedBy } from '../runtime/answer.js';
import { allocateResult, Handle, type Runtime } from '../runtime/runtime.js';
import { TokenLosses } from '../diagnostics/token-losses.js';
import { ROWS_PER_PART, TransformerPath, type PathStage } from './transformer-path.js';
import type {
  DirectPathReport,
  DirectPathReportOptions,
  Matrix,
  PathMeasures,
  PathOptions,
  Symmetry,
  SymmetryOptions,
} from '../types.js';
import { checkBoolean, checkOptions, checkTokenIds, LISTENING } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import type { Work } from '../runtime/work.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

export interface CheckedPath {
  stage: PathStage;
  /** Null: returns the logits. */
  symmetry: Required<SymmetryOptions> | null;
}

export const directPath = verb({
  what: 'reading of the direct path',
  optionsAt: 0,
  modules: ['readout'],
  check(options: PathOptions & { symmetry?: boolean | SymmetryOptions } = {}): CheckedPath {
    const given = checkOptions('options', options, ['finalNorm', 'mlp0', 'symmetry', ...LISTENING]);
    const { finalNorm = false, mlp0 = false, symmetry = false } = given;
    return {
      stage: {
        finalNorm: checkBoolean('options.finalNorm', finalNorm),
        mlp0: checkBoolean('options.mlp0', mlp0),
      },
      symmetry:
        typeof symmetry !== 'boolean'
          ? checkSymmetryOptions(symmetry, 'options.symmetry')
          : symmetry
            ? checkSymmetryOptions({})
            : null,
    };
  },
  work: (trainer: ReadTrainer, checked) => readPath(readoutOf(trainer, 'rows'), trainer, checked),
});

export const directPathReport = verb({
  what: 'report on the direct path',
  optionsAt: 1,
  modules: ['readout'],
  check(tokenIds: unknown, options: DirectPathReportOptions = {}) {
    const { bigramsOf } = checkOptions('options', options, ['bigramsOf', ...LISTENING]);
    return {
      tokenIds,
      bigramsOf: bigramsOf === undefined ? null : checkTokenIds('options.bigramsOf', bigramsOf, 2).slice(),
    };
  },
  work(trainer: ReadTrainer, { tokenIds, bigramsOf }): Work<DirectPathReport> {
    if (bigramsOf !== null) checkIdsBelow('options.bigramsOf', bigramsOf, trainer.model.vocabSize);
    return reportPath(readoutOf(trainer, 'rows'), trainer, readIds(trainer, tokenIds, 2), bigramsOf);
  },
});

function pathSizes({ model }: ReadTrainer): TransformerSizes {
  if (model.kind !== 'transformer') {
    throw new TiedError(
      'unsupported',
      `the model is of kind '${model.kind}'; expected 'transformer': nextTokenLogits gives the logits of a direct path`,
    );
  }
  return {
    vocabSize: model.vocabSize,
    width: model.dModel,
    layers: model.nLayers!,
    contextLength: model.contextLength!,
  };
}

const symmetryOf = ({ modules }: ReadTrainer, path: TransformerPath, options: SymmetryOptions): Symmetry =>
  path.symmetry((factors) => directPathSymmetry(modules.get('analysis'), factors, options));

export function* readPath(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  { stage, symmetry }: CheckedPath,
): Work<Matrix | Symmetry> {
  const sizes = pathSizes(trainer);
  const { vocabSize: rows } = sizes;
  const logits =
    symmetry === null ? allocateResult(() => ({ rows, cols: rows, data: new Float32Array(rows * rows) })) : null;
  const path = new TransformerPath(runtime, trainer, sizes, stage);
  try {
    for (let row = 0; row < rows; row += ROWS_PER_PART) {
      yield path.fraction;
      const block = path.readBlock(null);
      logits?.data.set(block!, row * rows);
    }
    return logits ?? symmetryOf(trainer, path, symmetry!);
  } finally {
    path.end();
  }
}

/** In the order in which they are measured. */
const STAGES = {
  embeddings: { finalNorm: false, mlp0: false },
  finalNorm: { finalNorm: true, mlp0: false },
  mlp0: { finalNorm: true, mlp0: true },
} as const satisfies Record<keyof DirectPathReport['paths'], PathStage>;

/** `ids`: at least two, below the size of the vocabulary; they do not change. */
function* reportPath(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  ids: Uint32Array,
  bigramsOf: Uint32Array | null,
): Work<DirectPathReport> {
  const sizes = pathSizes(trainer);
  const { vocabSize, contextLength } = sizes;
  const [inputs, targets] = [ids.subarray(0, -1), ids.subarray(1)];
  const { length: tokens } = inputs;
  const losses = new Float32Array(tokens);
  const tokenLosses = new TokenLosses(runtime, trainer);
  const sequences = stretches(tokens, contextLength);
  const hasNorm = trainer.model.finalNorm !== false;
  const stages = (['embeddings', 'finalNorm', 'mlp0'] as const).filter((stage) => hasNorm || stage !== 'finalNorm');
  const paths: Record<keyof typeof STAGES, PathMeasures | null> = { embeddings: null, finalNorm: null, mlp0: null };
  const all = stages.length * Math.ceil(vocabSize / ROWS_PER_PART) + sequences.length;
  let done = 0;
  /** Tokens of the text without a loss, so far. */
  let leftOut = ids.length;
  const reference = bigramsOf ?? ids;
  const address = runtime.call(
    [ids, reference],
    (module, [text, other]) => module.startBigrams(text!, ids.length, other!, reference.length, vocabSize),
    (_, made) => made,
    { ...sizedBy('tokenIds'), tokenIds: 'tokenIds' },
  );
  const bigrams = new Handle(runtime, 'bigrams', address, (module, made) => module.deleteBigrams(made));
  try {
    for (const stage of stages) {
      yield done / all;
      const path = new TransformerPath(runtime, trainer, sizes, STAGES[stage]);
      try {
        path.startMeasuring(bigrams);
        while (path.fraction < 1) {
          path.readBlock(bigrams);
          if (path.fraction < 1) yield ++done / all;
        }
        done++;
        const measured = path.measured(bigrams);
        paths[stage] = { asymmetry: symmetryOf(trainer, path, {}).asymmetry, ...measured };
      } finally {
        path.end();
      }
    }
    for (const { first, count } of sequences) {
      yield done++ / all;
      const end = first + count;
      losses.set(tokenLosses.of(inputs.subarray(first, end), targets.subarray(first, end)), first);
      leftOut -= count;
    }
    const names = sizedBy('tokenIds');
    const facts = bigrams.call(
      [],
      (module, at) => module.bigramFacts(at),
      (answer) => answer.read(BIGRAM_FACTS),
      names,
    );
    const { mean, value: correlation } = bigrams.call(
      [losses, inputs, targets],
      (module, at, [found, from, to]) => module.lossCorrelation(at, found!, from!, to!, tokens),
      (answer) => answer.read(CORRELATION),
      names,
    );
    const { embeddings, finalNorm, mlp0 } = paths;
    return {
      tokens,
      leftOut,
      paths: { embeddings: embeddings!, finalNorm, mlp0: mlp0! },
      model: { loss: -mean, correlation },
      bigrams: { selfPrediction: facts.selfPrediction, breaking: facts.breaking, loss: facts.loss },
      chance: {
        asymmetry: Math.SQRT1_2,
        selfPrediction: 1 / vocabSize,
        breaking: 0.5,
        loss: facts.unigramLoss,
        correlation: facts.unigramCorrelation,
      },
    };
  } finally {
    bigrams.dispose();
    tokenLosses.end();
  }
}
