/** The parts of a model card that are measured on the tables: how they relate, diagnostics of each, and how symmetric their path is. */
import { square } from '../../runtime/elementary.js';
import { cardNumber, unlessUndetermined } from './numbers.js';
import { meanCosineDeviation } from '../cosine-by-chance.js';
import { checkAlign, checkIsotropy, measure, normFrequency } from '../diagnostics.js';
import { readPath } from '../../direct-path/direct-path-report.js';
import { directPathSymmetry } from '../../direct-path/direct-path.js';
import { link, linkOf, type Link } from '../../runtime/work-chain.js';
import type { ReadTrainer } from '../readout.js';
import type { Runtime } from '../../runtime/runtime.js';
import type { Work } from '../../runtime/work.js';
import type { PathStage } from '../../direct-path/transformer-path.js';
import type {
  Alignment,
  CardAlignment,
  CardDirectPath,
  CardNumber,
  CardTable,
  CardTables,
  Isotropy,
  Matrix,
  NormFrequency,
  NotMeasured,
  Symmetry,
} from '../../types.js';
import type { DiagnosticsModule, ReadoutModule } from '../../runtime/diagnostics-modules.js';
import type { AnalysisModule } from '../../runtime/wasm-module.js';

const METHODS = ['identity', 'orthogonal', 'linear'] as const;

/** Rows of a derived table at a time. */
const ROWS_PER_PART = 16;

/** Rows of `from` [V, k] times the transpose of `map` [d, k], added to those of `base`. */
function* derivedTable({ rows, data: from }: Matrix, map: Matrix, base: Matrix | null): Work<Matrix> {
  const { rows: cols, cols: inner } = map;
  const data = base ? base.data.slice() : new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) {
    if (row % ROWS_PER_PART === 0) yield row / rows;
    for (let i = 0; i < cols; i++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += from[row * inner + k]! * map.data[i * inner + k]!;
      data[row * cols + i]! += sum;
    }
  }
  return { rows, cols, data };
}

export interface TableTask {
  trainer: ReadTrainer;
  diagnostics: Runtime<DiagnosticsModule>;
  analysis: Runtime<AnalysisModule>;
  readout: Runtime<ReadoutModule>;
  /** How often each token occurs. */
  counts: Uint32Array;
  nullRuns: number;
  seed: number;
}

/** The placeholder before anything is measured. */
const nothing = (): NotMeasured => ({ notMeasured: 'It was not measured.' });

const noLayers = (): NotMeasured => ({ notMeasured: 'A direct path has no layers and no final norm.' });
const asymmetryOf = (asymmetry: number): CardNumber => cardNumber(asymmetry, 'fraction', Math.SQRT1_2);

export class TableReports {
  readonly tables: CardTables;
  directPath: CardDirectPath | NotMeasured = nothing();
  readonly #task: TableTask;
  readonly #names: readonly string[];
  /** The output embedding, if it is not the input embedding itself. */
  #unembedding: Matrix | null = null;

  constructor(task: TableTask) {
    this.#task = task;
    const parameters = task.trainer.parameters();
    this.#names = parameters.map(({ name }) => name);
    const shared = parameters.some(({ name, tiedTo }) => name === 'unembedding' && tiedTo !== null);
    const mapped = this.#has('between') || this.#has('low_rank.a');
    this.tables = {
      relation: mapped ? 'derived' : shared ? 'shared' : 'separate',
      alignments: { notMeasured: 'Aligned with itself, a table has a mean cosine of 1.' },
      input: nothing(),
      output: { notMeasured: 'It is the input embedding.' },
    };
  }

  #has(name: string): boolean {
    return this.#names.includes(name);
  }

  #matrix(name: string): Matrix {
    return this.#task.trainer.matrix(name);
  }

  links(): Link[] {
    const { vocabSize, dModel } = this.#task.trainer.model;
    const product = vocabSize * dModel * dModel;
    const { tables } = this;
    const links = [
      ...this.#outputTable(product),
      this.#symmetry(product),
      ...this.#readPaths(product),
      ...this.#table(product, 'input', () => this.#matrix('embedding')),
    ];
    if (tables.relation === 'shared') return links;
    const alignments = { identity: nothing(), orthogonal: nothing(), linear: nothing() } as Record<
      (typeof METHODS)[number],
      CardAlignment | NotMeasured
    >;
    tables.alignments = alignments;
    links.push(
      ...this.#table(product, 'output', () => this.#unembedding!),
      ...METHODS.map((method) => this.#alignment(product, method, (found) => (alignments[method] = found))),
    );
    return links;
  }

  #outputTable(cost: number): Link[] {
    const { relation } = this.tables;
    if (relation === 'shared') return [];
    const keep = (table: Matrix): void => {
      this.#unembedding = table;
    };
    if (relation === 'separate') return [linkOf(0, () => this.#matrix('unembedding'), keep)];
    const start = (): Work<Matrix> =>
      this.#has('between')
        ? derivedTable(this.#matrix('embedding'), this.#matrix('between'), null)
        : derivedTable(this.#matrix('low_rank.a'), this.#matrix('low_rank.b'), this.#matrix('embedding'));
    return [link(cost, start, keep)];
  }

  #symmetry(cost: number): Link {
    const find = (): CardDirectPath | NotMeasured => {
      if (this.#has('mlp.up.weight')) {
        return { notMeasured: 'A network lies between input and output: there is no matrix of logits W_E M W_Uᵀ.' };
      }
      const factors = {
        embedding: this.#matrix('embedding'),
        ...(this.#unembedding === null ? {} : { unembedding: this.#unembedding }),
      };
      const { symmetric, asymmetry } = directPathSymmetry(this.#task.analysis, factors);
      const { rows } = factors.embedding;
      return {
        ...{ rows, leftOut: 0, symmetric, asymmetry: asymmetryOf(asymmetry) },
        ...{ withFinalNorm: noLayers(), throughMlp0: noLayers() },
      };
    };
    return linkOf(cost, find, (found) => (this.directPath = found));
  }

  /** For a transformer: the path as its head reads it. */
  #readPaths(cost: number): Link[] {
    const { trainer, readout } = this.#task;
    if (trainer.model.kind !== 'transformer') return [];
    const symmetry = { tolerance: 0, worst: 0 };
    const path = (name: 'withFinalNorm' | 'throughMlp0', stage: PathStage): Link =>
      link(
        cost,
        () => readPath(readout, trainer, { stage, symmetry }),
        (found) => {
          const { asymmetry } = found as Symmetry;
          if (!('notMeasured' in this.directPath)) this.directPath[name] = asymmetryOf(asymmetry);
        },
      );
    return [
      path('withFinalNorm', { finalNorm: true, mlp0: false }),
      path('throughMlp0', { finalNorm: true, mlp0: true }),
    ];
  }

  #table(cost: number, role: 'input' | 'output', matrix: () => Matrix): Link[] {
    const { counts, seed, diagnostics } = this.#task;
    let isotropy: Isotropy | null = null;
    const refused = (error: unknown): void => {
      this.tables[role] = unlessUndetermined(error);
    };
    return [
      link(
        cost,
        () => measure(diagnostics, checkIsotropy(matrix(), { counts, seed })),
        (found) => (isotropy = found),
        refused,
      ),
      linkOf(
        0,
        () => isotropy && normFrequency(diagnostics, matrix(), counts),
        (norms) => {
          if (isotropy && norms) this.tables[role] = tableOf(matrix(), seed, isotropy, norms);
        },
        refused,
      ),
    ];
  }

  #alignment(cost: number, method: (typeof METHODS)[number], keep: (found: CardAlignment | NotMeasured) => void): Link {
    const { diagnostics, nullRuns, seed } = this.#task;
    return link(
      (2 + nullRuns) * (method === 'identity' ? 0.1 : 1) * cost,
      () => measure(diagnostics, checkAlign(this.#matrix('embedding'), this.#unembedding, { method, nullRuns, seed })),
      (alignment) => keep(alignmentOf(alignment, nullRuns, seed)),
      (error) => keep(unlessUndetermined(error)),
    );
  }
}

/** The sample standard deviation; NaN for a single run. */
function deviationOf(runs: readonly number[], mean: number): number {
  return Math.sqrt(runs.reduce((sum, run) => sum + square(run - mean), 0) / (runs.length - 1));
}

function alignmentOf(alignment: Alignment, nullRuns: number, seed: number): CardAlignment {
  const { meanCosine, residual, heldOut, leftOut, perToken } = alignment;
  const { meanCosine: chance, runs, theory } = alignment.null;
  return {
    rows: perToken.length - leftOut,
    leftOut,
    nullRuns,
    seed,
    meanCosine: cardNumber(meanCosine, 'cosine', chance, deviationOf(runs, chance)),
    chanceInTheory: theory,
    residual: cardNumber(residual, 'ratio'),
    heldOut: heldOut && {
      rows: heldOut.tokens,
      meanCosine: cardNumber(heldOut.meanCosine, 'cosine', 0),
      residual: cardNumber(heldOut.residual, 'ratio'),
    },
  };
}

function tableOf({ rows, cols }: Matrix, seed: number, isotropy: Isotropy, norms: NormFrequency): CardTable {
  const {
    meanCosine,
    centeredMeanCosine,
    isoScore,
    partition,
    participationRatio,
    effectiveRank,
    frequencyR2,
    leftOut,
    null: byChance,
  } = isotropy;
  return {
    rows: rows - leftOut,
    leftOut,
    seed,
    meanCosine: cardNumber(meanCosine, 'cosine', byChance.meanCosine, meanCosineDeviation(rows - leftOut, cols)),
    centeredMeanCosine: cardNumber(centeredMeanCosine, 'cosine', byChance.centeredMeanCosine),
    isoScore: cardNumber(isoScore, 'fraction', byChance.isoScore),
    partition: cardNumber(partition, 'ratio', byChance.partition),
    participationRatio: cardNumber(participationRatio, 'dimensions', byChance.participationRatio),
    effectiveRank: cardNumber(effectiveRank, 'dimensions', byChance.effectiveRank),
    frequencyR2: cardNumber(frequencyR2?.heldOut ?? NaN, 'fraction'),
    normSpearman: cardNumber(norms.spearman, 'correlation', 0, norms.null),
    meanNorm: cardNumber(norms.meanNorm, 'row norm'),
    normDeviation: cardNumber(norms.standardDeviation, 'row norm'),
  };
}
