import type { Lab, LabTrainer } from '../../../core/types.js';
import type { PairCounts } from '../direction/floors.js';

/** What the logits of two direct paths tell of their tables, after the reader has trained them. */

export const kinds = ['tied', 'untied'] as const;
export type Kind = (typeof kinds)[number];

export const plan = { steps: 300, learningRate: 0.05, least: 4, widths: 17, chanceRuns: 10 } as const;

/** A width that the reader does not choose, so that the logits have something to tell. */
export function widthOf(run: number): number {
  // Steps through all of them in no obvious order: 7 and 17 have no common divisor.
  return plan.least + ((7 * run + 2) % plan.widths);
}

export interface Leak {
  readonly kind: Kind;
  /** The width of the model, and what its logits say. */
  readonly width: number;
  readonly found: number;
  readonly singularValues: readonly number[];
  readonly tolerance: number;
  /** Whether the logits are a Gram matrix. */
  readonly tied: boolean;
  /** The mean cosine of the recovered rows and those that read, after the best rotation, and with the rows in a random order; null without such rows. */
  readonly cosine: number | null;
  readonly chance: number | null;
  /** The overlap of the recovered space and that of the table that reads, and its level by chance. */
  readonly space: number;
  readonly spaceByChance: number;
}

/** The run that is shown before the reader trains; theirs begin with 1. */
export const finishedRun = 0;

/** `finished-leak.json`, written by tools/train-finished-leak.mjs. */
export interface FinishedLeak {
  readonly leaks: readonly Leak[];
}

const isZero = ({ rows, cols, data }: { rows: number; cols: number; data: Float32Array }): boolean =>
  Array.from({ length: cols }, (_, col) => Array.from({ length: rows }, (__, row) => data[row * cols + col])).some(
    (one) => one.every((value) => value === 0),
  );

async function read(lab: Lab, trainer: LabTrainer, kind: Kind): Promise<Leak> {
  const { vocabSize, dModel } = trainer.model;
  const from = Uint32Array.from({ length: vocabSize }, (_, token) => token);
  const logits = await trainer.nextTokenLogits({ from });
  const found = await lab.recoverTable(logits);
  // To compare with the table, as wide as it is, whatever the logits say.
  const { table, reading } = found.width === dModel ? found : await lab.recoverTable(logits, { width: dModel });
  const embedding = await trainer.matrix('embedding');
  const rotation = isZero(table)
    ? null
    : await lab.align(table, embedding, { method: 'orthogonal', holdOut: 0, nullRuns: plan.chanceRuns });
  const { subspaces } = await lab.cka(reading, embedding, { dimensions: dModel });
  return {
    kind,
    width: dModel,
    found: found.width,
    singularValues: [...found.singularValues],
    tolerance: found.tolerance,
    tied: found.tied,
    cosine: rotation?.meanCosine ?? null,
    chance: rotation?.null.meanCosine ?? null,
    space: subspaces.overlap,
    spaceByChance: subspaces.null,
  };
}

/** Trains one model of each kind, and reads its logits. */
export async function trainAndRead(lab: Lab, pairs: PairCounts, run: number, signal: AbortSignal): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for (const kind of kinds) {
    const trainer = await lab.createTrainer({
      model: { kind: 'direct-path', vocabSize: pairs.size, dModel: widthOf(run), tying: kind },
      training: { learningRate: plan.learningRate, seed: run },
      bigramCounts: { rows: pairs.size, cols: pairs.size, data: Float32Array.from(pairs.counts) },
    });
    try {
      await trainer.run(plan.steps, { recordEvery: plan.steps, signal });
      leaks.push(await read(lab, trainer, kind));
    } finally {
      trainer.dispose();
    }
  }
  return leaks;
}
