/** The parts of a model card that are known without a measurement: coupling and parameters. */
import { cardNumber, finite } from './numbers.js';
import { factorAt } from '../../model/factor-schedule.js';
import type { CompleteTraining } from '../../training/training-options.js';
import type {
  CardParameters,
  CardSchedule,
  CardTraining,
  CouplingPolicy,
  FactorSchedule,
  ModelConfig,
  ParameterInfo,
  TrainingConfig,
  Tying,
  TyingSchedule,
} from '../../types.js';

/** What a trainer reports about itself. */
export interface PolicyFacts {
  readonly model: Readonly<ModelConfig>;
  readonly training: Readonly<TrainingConfig>;
  readonly step: number;
  readonly tyingChangedAt: number | null;
  readonly tyingChanges: readonly number[];
  /** Whether it has data to train on. */
  readonly trains: boolean;
  parameters(): ParameterInfo[];
}

/** Parameters between a table and its second role. */
const isMap = ({ name }: ParameterInfo): boolean => /^(between$|low_rank\.|mlp\.)/.test(name);

export function couplingPolicy(trainer: PolicyFacts): CouplingPolicy {
  const { kind, vocabSize, dModel, nLayers, tying, embeddingScale } = trainer.model;
  return {
    kind,
    vocabSize,
    dModel,
    nLayers: nLayers ?? null,
    // Only models with two tables have cards.
    tying: structuredClone(tying) as Tying | TyingSchedule,
    tyingChangedAt: trainer.tyingChangedAt,
    tyingChanges: [...trainer.tyingChanges],
    shared: trainer.parameters().flatMap(({ name, tiedTo }): [string, string][] => (tiedTo ? [[name, tiedTo]] : [])),
    embeddingScale: embeddingScale === 'sqrt-d-model' ? Math.sqrt(dModel) : 1,
    training: trainer.trains
      ? trainingPolicy(trainer.training as CompleteTraining, trainer.step)
      : { notMeasured: 'The model has no training data.' },
  };
}

function trainingPolicy(training: CompleteTraining, step: number): CardTraining {
  const { optimizer, learningRate, learningRateMultipliers, warmupSteps, decay, totalSteps } = training;
  const { inputGradientScale, outputGradientScale, weightDecay, decayEmbeddings, seed, initSeed } = training;
  const cardSchedule = (factor: FactorSchedule): CardSchedule => {
    const schedule: [number, number][] =
      typeof factor === 'number' ? [[0, factor]] : factor.map(([at, value]): [number, number] => [at, value]);
    return { now: factorAt(factor, step), schedule };
  };
  const rate = ({ schedule }: CardSchedule): number =>
    finite(learningRate * Math.max(...schedule.map(([, value]) => value))) ?? Number.MAX_VALUE;
  const embedding = cardSchedule(learningRateMultipliers.embedding);
  const unembedding = cardSchedule(learningRateMultipliers.unembedding);
  const inner = cardSchedule(learningRateMultipliers.inner);
  return {
    optimizer,
    inputGradientScale: cardSchedule(inputGradientScale),
    ...(outputGradientScale !== undefined && { outputGradientScale: cardSchedule(outputGradientScale) }),
    learningRates: { embedding: rate(embedding), unembedding: rate(unembedding), inner: rate(inner) },
    learningRateMultipliers: { embedding, unembedding, inner },
    warmupSteps,
    decay,
    totalSteps: decay === 'constant' ? null : (totalSteps ?? null),
    tableWeightDecay: decayEmbeddings ? weightDecay : 0,
    seed,
    initSeed,
  };
}

export function cardParameters(trainer: PolicyFacts): CardParameters {
  const list = trainer.parameters();
  const sum = (some: ParameterInfo[]): number => some.reduce((total, { count }) => total + count, 0);
  const stored = sum(list);
  const table = trainer.model.vocabSize * trainer.model.dModel;
  const tables = list.filter(({ name, tiedTo }) => /^(un)?embedding$/.test(name) && tiedTo === null).length;
  const map = sum(list.filter(isMap));
  const untied = stored - map + (2 - tables) * table;
  const saved = untied - stored;
  return {
    stored: cardNumber(stored, 'parameters'),
    tables,
    tableParameters: cardNumber(tables * table, 'parameters'),
    mapParameters: cardNumber(map, 'parameters'),
    untied: cardNumber(untied, 'parameters'),
    saved: cardNumber(saved, 'parameters'),
    savedOfStored: cardNumber(saved / stored, 'fraction'),
    savedOfUntied: cardNumber(saved / untied, 'fraction'),
  };
}
