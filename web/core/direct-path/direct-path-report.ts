/** The direct path of a transformer as logits, as its symmetry, or compared with the bigrams of a text; a block of rows at a time. */
import { checkSymmetryOptions } from './direct-path.js';
import { TiedError } from '../runtime/errors.js';
import { checkListening } from '../diagnostics/logit-lens.js';
import { PartJob } from '../runtime/pace.js';
import { stretches, type ReadTrainer, type Stretch, type TransformerSizes } from '../diagnostics/readout.js';
import { allocateResult, Handle, sizedBy, type Runtime } from '../runtime/runtime.js';
import { TokenLosses } from '../diagnostics/token-losses.js';
import { ROWS_PER_PART, TransformerPath, type PathStage } from './transformer-path.js';
import type {
  DiagnosticOptions,
  DirectPathFactors,
  DirectPathReport,
  DirectPathReportOptions,
  Matrix,
  PathMeasures,
  PathOptions,
  Symmetry,
  SymmetryOptions,
} from '../types.js';
import { checkBoolean, checkOptions, checkTokenIds } from '../runtime/validate.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';

const MAX_PARTS = 2 ** 10;

/** Measures symmetry; the analysis module does. */
export type SymmetryOf = (factors: DirectPathFactors, options: SymmetryOptions) => Symmetry;

interface CheckedListening extends Pick<DiagnosticOptions, 'onProgress'> {
  signal: AbortSignal | undefined;
}
export interface CheckedPath extends CheckedListening {
  stage: PathStage;
  /** Null: returns the logits. */
  symmetry: Required<SymmetryOptions> | null;
}

/** Checks of the options of `directPath`, for every model. */
export function checkPath(options: PathOptions & { symmetry?: boolean | SymmetryOptions } = {}): CheckedPath {
  const given = checkOptions('options', options, ['finalNorm', 'mlp0', 'symmetry', 'onProgress', 'signal']);
  const { finalNorm = false, mlp0 = false, symmetry = false } = given;
  return {
    stage: {
      finalNorm: checkBoolean('options.finalNorm', finalNorm),
      mlp0: checkBoolean('options.mlp0', mlp0),
    },
    symmetry: checkSymmetryAsked(symmetry),
    ...checkListening(given),
  };
}

function checkSymmetryAsked(asked: boolean | SymmetryOptions): CheckedPath['symmetry'] {
  if (typeof asked === 'boolean') return asked ? checkSymmetryOptions({}) : null;
  return checkSymmetryOptions(asked, 'options.symmetry');
}

export interface CheckedPathReport extends CheckedListening {
  bigramsOf: Uint32Array | null;
}

/** Checks of the options of `directPathReport`, for every model. */
export function checkPathReport(options: DirectPathReportOptions = {}): CheckedPathReport {
  const given = checkOptions('options', options, ['bigramsOf', 'onProgress', 'signal']);
  const bigramsOf =
    given.bigramsOf === undefined ? null : checkTokenIds('options.bigramsOf', given.bigramsOf, 2).slice();
  return { bigramsOf, ...checkListening(given) };
}

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

export class DirectPathRun extends PartJob<Matrix | Symmetry> {
  readonly #path: TransformerPath;
  readonly #logits: Matrix | null;
  readonly #measure: () => Symmetry;
  #rows = 0;

  constructor(
    runtime: Runtime<ReadoutModule>,
    trainer: ReadTrainer,
    { stage, symmetry }: CheckedPath,
    symmetryOf: SymmetryOf,
  ) {
    super('reading of the direct path', MAX_PARTS);
    const sizes = pathSizes(trainer);
    const { vocabSize: rows } = sizes;
    this.#logits =
      symmetry === null ? allocateResult(() => ({ rows, cols: rows, data: new Float32Array(rows * rows) })) : null;
    this.#path = new TransformerPath(runtime, trainer, sizes, stage);
    this.#measure = () => this.#path.symmetry((factors) => symmetryOf(factors, symmetry!));
  }

  protected take(parts: number): void {
    for (let part = 0; part < parts && !this.finished; part++) {
      const logits = this.#path.readBlock(null);
      if (this.#logits !== null) this.#logits.data.set(logits!, this.#rows * this.#logits.cols);
      this.#rows += ROWS_PER_PART;
      this.fraction = this.#path.fraction;
      this.finished = this.fraction === 1;
    }
  }

  result(): Matrix | Symmetry {
    return this.#logits ?? this.#measure();
  }

  end(): void {
    this.#path.end();
  }
}

/** In the order in which they are measured. */
const STAGES = {
  embeddings: { finalNorm: false, mlp0: false },
  finalNorm: { finalNorm: true, mlp0: false },
  mlp0: { finalNorm: true, mlp0: true },
} as const satisfies Record<keyof DirectPathReport['paths'], PathStage>;

export class DirectPathReportRun extends PartJob<DirectPathReport> {
  readonly #runtime: Runtime<ReadoutModule>;
  readonly #trainer: ReadTrainer;
  readonly #sizes: TransformerSizes;
  readonly #symmetryOf: SymmetryOf;
  readonly #inputs: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #bigrams: Handle<ReadoutModule>;
  readonly #stages: (keyof typeof STAGES)[];
  readonly #paths: Record<keyof typeof STAGES, PathMeasures | null> = { embeddings: null, finalNorm: null, mlp0: null };
  readonly #sequences: Stretch[];
  readonly #tokenLosses: TokenLosses;
  readonly #losses: Float32Array;
  readonly #parts: number;
  #path: TransformerPath | null = null;
  /** Tokens of the text without a loss, so far. */
  #leftOut: number;
  #sequence = 0;
  #done = 0;

  /** `ids`: at least two, below the size of the vocabulary; they do not change. */
  constructor(
    runtime: Runtime<ReadoutModule>,
    trainer: ReadTrainer,
    ids: Uint32Array,
    { bigramsOf }: CheckedPathReport,
    symmetryOf: SymmetryOf,
  ) {
    super('report on the direct path', MAX_PARTS);
    this.#sizes = pathSizes(trainer);
    const { vocabSize, contextLength } = this.#sizes;
    this.#runtime = runtime;
    this.#trainer = trainer;
    this.#symmetryOf = symmetryOf;
    this.#inputs = ids.subarray(0, -1);
    this.#targets = ids.subarray(1);
    this.#losses = new Float32Array(this.#inputs.length);
    this.#leftOut = ids.length;
    this.#tokenLosses = new TokenLosses(runtime, trainer);
    this.#sequences = stretches(this.#inputs.length, contextLength);
    const hasNorm = trainer.model.finalNorm !== false;
    this.#stages = (['embeddings', 'finalNorm', 'mlp0'] as const).filter((stage) => hasNorm || stage !== 'finalNorm');
    this.#parts = this.#stages.length * Math.ceil(vocabSize / ROWS_PER_PART) + this.#sequences.length;
    const reference = bigramsOf ?? ids;
    const address = runtime.call(
      [ids, reference],
      (module, [text, other]) => module.startBigrams(text!, ids.length, other!, reference.length, vocabSize),
      (_, made) => made,
      { ...sizedBy('tokenIds'), tokenIds: 'tokenIds' },
    );
    this.#bigrams = new Handle(runtime, 'bigrams', address, (module, made) => module.deleteBigrams(made));
  }

  protected take(parts: number): void {
    for (let part = 0; part < parts && this.#done < this.#parts; part++) {
      if (this.#stages.length > 0) this.#readBlock(this.#stages[0]!);
      else this.#readSequence(this.#sequences[this.#sequence++]!);
      this.#done++;
    }
    this.fraction = this.#done / this.#parts;
    this.finished = this.fraction === 1;
  }

  #readBlock(stage: keyof typeof STAGES): void {
    if (this.#path === null) {
      this.#path = new TransformerPath(this.#runtime, this.#trainer, this.#sizes, STAGES[stage]);
      this.#path.startMeasuring(this.#bigrams);
    }
    this.#path.readBlock(this.#bigrams);
    if (this.#path.fraction < 1) return;
    const [selfPrediction, breaking, loss, correlation] = this.#path.measured(this.#bigrams);
    const { asymmetry } = this.#path.symmetry((factors) => this.#symmetryOf(factors, {}));
    this.#paths[stage] = {
      ...{ asymmetry, selfPrediction: selfPrediction!, breaking: breaking! },
      ...{ loss: loss!, correlation: correlation! },
    };
    this.#path.end();
    this.#path = null;
    this.#stages.shift();
  }

  #readSequence({ first, count }: Stretch): void {
    const [inputs, targets] = [this.#inputs, this.#targets].map((ids) => ids.subarray(first, first + count));
    this.#losses.set(this.#tokenLosses.of(inputs!, targets!), first);
    this.#leftOut -= count;
  }

  result(): DirectPathReport {
    const numbers = (
      arrays: readonly (Float32Array | Uint32Array)[],
      verb: Parameters<Handle<ReadoutModule>['call']>[1],
    ) => this.#bigrams.call(arrays, verb, (answer) => answer.numbers(0), sizedBy('tokenIds'));
    const tokens = this.#inputs.length;
    const facts = numbers([], (module, bigrams) => module.bigramFacts(bigrams));
    const [loss, unigramLoss, unigramCorrelation, selfPrediction, breaking] = facts;
    const model = numbers([this.#losses, this.#inputs, this.#targets], (module, bigrams, [losses, inputs, targets]) =>
      module.lossCorrelation(bigrams, losses!, inputs!, targets!, tokens),
    );
    const { embeddings, finalNorm, mlp0 } = this.#paths;
    return {
      tokens,
      leftOut: this.#leftOut,
      paths: { embeddings: embeddings!, finalNorm, mlp0: mlp0! },
      model: { loss: model[0]!, correlation: model[1]! },
      bigrams: { selfPrediction: selfPrediction!, breaking: breaking!, loss: loss! },
      chance: {
        asymmetry: Math.SQRT1_2,
        selfPrediction: 1 / this.#sizes.vocabSize,
        breaking: 0.5,
        loss: unigramLoss!,
        correlation: unigramCorrelation!,
      },
    };
  }

  end(): void {
    this.#path?.end();
    this.#path = null;
    this.#bigrams.dispose();
    this.#tokenLosses.end();
  }
}
