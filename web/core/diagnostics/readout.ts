/** A trainer's head in the readout module, which reads hidden states. */
import { MODEL_FIELDS } from '../generated/fields.js';
import { TiedError } from '../runtime/errors.js';
import { checkIdsBelow } from '../model/options.js';
import type { ReadSequences } from './read-sequences.js';
import { checkReadable, type ReadKind } from './readable.js';
import type { Remembered } from '../training/remembered.js';
import type { FindModule } from '../runtime/running-modules.js';
import { sizedBy } from '../runtime/answer.js';
import { Handle, type Runtime } from '../runtime/runtime.js';
import type { GradientLedger, Matrix, ModelConfig, PairBatch, ParameterInfo, TrainingConfig } from '../types.js';
import type { ReadoutModule } from '../runtime/diagnostics-modules.js';
import { checkTokenIds } from '../runtime/validate.js';

/** What the model of a trainer computes for given tokens. */
export interface ReadTokens {
  /**
   * Returns what `read` makes of the logits without a layer. They stay in the core's memory and are not copied.
   * @param resumes - whether the previous call was this one, with the same tokens and a later layer
   */
  readLogits<R>(tokenIds: Uint32Array, layer: number, resumes: boolean, read: (logits: Matrix) => R): R;
  /** The hidden states of `hiddenStates` with `finalNorm`, in one block [layers + 2, tokens, d]. */
  stateBlock(tokenIds: Uint32Array): Float32Array;
  /** Returns what `read` makes of the states [layers + 1, tokens, d], which stay in the core's memory. */
  readStates<R>(tokenIds: Uint32Array, read: (states: Float32Array) => R): R;
}

/** What the readouts need from a trainer. */
export interface ReadTrainer {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  parameters(): ParameterInfo[];
  matrix(name: string): Matrix;
  logits(tokenIds: Uint32Array): Matrix;
  gradient(batch: PairBatch): GradientLedger;
  readonly tokens: ReadTokens;
  /** Whether its module computes different bits than the modules on demand; see decision 13. */
  readonly relaxed: boolean;
  /** Sequences computed with the current weights. */
  readonly sequences: ReadSequences;
  readonly modules: FindModule;
  readonly remembered: Remembered;
}

/** The module that reads a head, for a verb that begins; refuses models that it cannot read. */
export function readoutOf(trainer: ReadTrainer, reads: ReadKind): Runtime<ReadoutModule> {
  checkReadable(trainer, reads);
  trainer.sequences.begin();
  return trainer.modules.get('readout');
}

/** At least `atLeast` ids of the model's tokens: a copy that no listener can change. */
export function readIds({ model }: ReadTrainer, given: unknown, atLeast: number): Uint32Array {
  const ids = checkTokenIds('tokenIds', given, atLeast).slice();
  checkIdsBelow('tokenIds', ids, model.vocabSize);
  return ids;
}

/** A block without its last state, which is after the final norm. */
export const beforeNorm = (block: Float32Array, tokens: number, { dModel }: ReadTrainer['model']): Float32Array =>
  block.subarray(0, block.length - tokens * dModel);

/** The states [layers + 1, tokens, d] of a sequence of a text that several verbs read; not to be changed. */
export const statesOf = (trainer: ReadTrainer, tokenIds: Uint32Array): Float32Array =>
  beforeNorm(
    trainer.sequences.find('states', [tokenIds], () => trainer.tokens.stateBlock(tokenIds)),
    tokenIds.length,
    trainer.model,
  );

export interface TransformerSizes {
  vocabSize: number;
  width: number;
  layers: number;
  contextLength: number;
}

/** Refuses a direct path, which has no layers to read. */
export function transformerSizes(verb: string, { model }: Pick<ReadTrainer, 'model'>): TransformerSizes {
  if (model.kind !== 'transformer') {
    throw new TiedError(
      'unsupported',
      `the model is of kind '${model.kind}'; expected 'transformer': ${verb} reads layers`,
    );
  }
  const { vocabSize, dModel: width, nLayers, contextLength } = model;
  return { vocabSize, width, layers: nLayers!, contextLength: contextLength! };
}

/** Its index in diagnostics/readout.h, where 0 is none. */
export const normIndex = ({ norm = 'rms-norm' }: ReadTrainer['model']): number =>
  1 + MODEL_FIELDS.norm.words.indexOf(norm);

/** The parameters of a trainer by name; undefined for those that its model lacks. */
export function finderOf(trainer: ReadTrainer): (name: string) => Matrix | undefined {
  const names = new Set(trainer.parameters().map(({ name }) => name));
  return (name) => (names.has(name) ? trainer.matrix(name) : undefined);
}

/** Copies the head's matrices as they are now. `finalNorm`: whether the readout applies the model's, if there is one. */
export function openReadout(
  runtime: Runtime<ReadoutModule>,
  trainer: ReadTrainer,
  { finalNorm = true } = {},
): Handle<ReadoutModule> {
  const { model } = trainer;
  const find = finderOf(trainer);
  const unembedding = trainer.matrix('unembedding');
  const lowRank = find('low_rank.a');
  const arrays = [
    unembedding,
    find('between'),
    lowRank,
    find('low_rank.b'),
    find('output_bias'),
    find('final_norm.weight'),
    find('final_norm.bias'),
  ];
  const norm = finalNorm && model.finalNorm !== false ? normIndex(model) : 0;
  const address = runtime.call(
    arrays.map((matrix) => matrix?.data),
    (module, [u, m, a, b, bias, weight, shift]) =>
      module.startReadout(
        ...([u!, unembedding.rows, unembedding.cols, m!, a!, b!, lowRank?.cols ?? 0, bias!] as const),
        ...([norm, weight!, shift!, model.normEpsilon!] as const),
      ),
    (_, made) => made,
    sizedBy('the head of the model'),
  );
  return new Handle(runtime, 'readout', address, (module, made) => module.deleteReadout(made));
}

/** A sequence of a longer text. */
export interface Stretch {
  first: number;
  count: number;
}

/** Cuts `tokens` tokens into sequences of `length`; the last may be shorter. */
export function stretches(tokens: number, length: number): Stretch[] {
  return Array.from({ length: Math.ceil(tokens / length) }, (_, i) => ({
    first: i * length,
    count: Math.min(length, tokens - i * length),
  }));
}
