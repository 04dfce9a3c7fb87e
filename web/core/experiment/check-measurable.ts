/** Checks that every model of an experiment has what is to be measured, before the first one is trained. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { ExperimentMeasure } from './types.js';
import type { CompleteModel } from '../model/model-options.js';
import { checkReadable, checkReadsNgrams, type Configured, type ReadKind } from '../diagnostics/readable.js';
import { checkPredictsNext } from '../model/options.js';
import type { ArmTable } from './check-measure.js';
import type { TableName } from './metric-kinds.js';
import { architectureOf } from './model-work.js';
import { whyNotPacked } from './packed-tables.js';

/** The settings of an arm at a point of the grid. */
export interface Planned {
  readonly arm: string;
  readonly point: Readonly<Record<string, unknown>>;
  readonly steps: number;
  readonly model: CompleteModel;
  readonly training: Configured['training'];
}

type Check = (made: Configured, measure: ExperimentMeasure) => void;

const layered =
  (reads: ReadKind): Check =>
  (made) => {
    const { kind } = made.model;
    if (kind !== 'transformer')
      throw new TiedError('unsupported', `model.kind is '${kind}'; expected 'transformer', which has layers`);
    checkReadable(made, reads);
  };

/** Checks, by metric, of what its verb would refuse only after a model has been trained; other metrics measure any model. */
const CHECKS: Readonly<Record<string, Check>> = {
  calibration: (made) => checkReadable(made, 'losses'),
  'direct-path': layered('rows'),
  gradient: layered('gradient'),
  'gradient-split': ({ model }) => checkPredictsNext(model),
  'hidden-states': checkWholeRows,
  'layer-ablation': layered('losses'),
  'logit-lens': layered('rows'),
  'lost-table': checkWholeRows,
  'loss-by-frequency': (made) => checkReadable(made, 'losses'),
  'ngram-collisions': checkReadsNgrams,
  'packed-loss': (made, { packing }) => {
    checkWholeRows(made);
    const expected = whyNotPacked(String(packing), made.model.dModel);
    if (expected !== null)
      throw new TiedError('unsupported', `model.dModel is ${made.model.dModel}; expected ${expected}`);
  },
  'path-repetition': (made, { finalNorm, mlp0 }) => {
    if (made.model.kind === 'transformer') checkReadable(made, 'rows');
    else if (finalNorm === true || mlp0 === true)
      throw new TiedError(
        'unsupported',
        "model.kind is 'direct-path'; expected 'transformer', which has norms and layers",
      );
  },
  'recovered-table': (made) => {
    checkWholeRows(made);
    if (made.model.kind === 'transformer') checkReadable(made, 'rows');
  },
  'self-transitions': (made) => checkReadable(made, 'losses'),
  symmetry: (made) => {
    // The logits of a direct path are measured directly.
    if (made.model.kind === 'transformer') checkReadable(made, 'rows');
  },
  'tuned-lens': layered('rows'),
  work: ({ model }) => void architectureOf(model),
};

/** States are compared with rows of their own width. */
function checkWholeRows({ model: { head, tableRank, tying } }: Configured): void {
  if (tableRank !== undefined)
    throw new TiedError('unsupported', `model.tableRank is ${tableRank}; expected tables that are not factorized`);
  if (head?.kind === 'adaptive' && tying === 'untied')
    throw new TiedError(
      'unsupported',
      "model.head.kind is 'adaptive'; expected another, or a tied model: without tying, rare tokens have narrower rows",
    );
}

export function checkMeasurable(argument: string, measure: ExperimentMeasure, planned: readonly Planned[]): void {
  const check = CHECKS[measure.metric];
  if (check !== undefined) planned.forEach((made) => checkArm(argument, measure, check, made));
}

function checkArm(argument: string, measure: ExperimentMeasure, check: Check, { arm, ...made }: Planned): void {
  try {
    check(made as Configured, measure);
  } catch (error) {
    if (!(error instanceof TiedError)) throw error;
    const where = `${argument}.metric is '${measure.metric}', which arm '${arm}' does not have`;
    throw new TiedError('invalid-argument', `${where}: ${error.message}`, { cause: error });
  }
}

/** Methods of alignment that compare columns one by one. */
const OF_EQUAL_WIDTH: readonly unknown[] = ['identity', 'orthogonal'];

/** Refuses two tables whose shapes the verb would refuse. `planned`: by point, then by arm. */
export function checkShapes(
  argument: string,
  { metric, method, between }: ExperimentMeasure,
  tables: readonly ArmTable[],
  planned: readonly Planned[],
): void {
  const [source, target] = tables.map(({ arm, table }) =>
    planned.filter((made) => made.arm === arm).map((made) => ({ rows: rowsOf(made, table), cols: colsOf(made) })),
  );
  source!.forEach(({ rows, cols }, point) => {
    const other = target![point]!;
    if (rows !== other.rows)
      throw invalidArgument(
        `${argument}.between`,
        between,
        'tables of as many rows: an untied adaptive head has fewer',
      );
    if (metric === 'alignment' && OF_EQUAL_WIDTH.includes(method) && cols !== other.cols)
      throw invalidArgument(
        `${argument}.method`,
        method,
        `'linear' or 'ridge', since the tables have ${cols} and ${other.cols} columns`,
      );
  });
}

const colsOf = ({ model: { dModel, tableRank } }: Planned): number => tableRank ?? dModel;

/** Without tying, only the most frequent tokens have a row in the output table of an adaptive head. */
const rowsOf = ({ model: { head, tying, vocabSize } }: Planned, table: TableName): number =>
  table === 'unembedding' && tying === 'untied' && head?.kind === 'adaptive' ? head.cutoffs[0]! : vocabSize;

/** Arms and points may differ in depth; each layer must exist in at least one model. */
export function checkDepth(argument: string, { layers }: ExperimentMeasure, planned: readonly Planned[]): void {
  if (layers === undefined || layers === 'all') return;
  const deepest = Math.max(...planned.map(({ model }) => model.nLayers ?? 0));
  if ([layers].flat().some((layer) => Number(layer) > deepest))
    throw invalidArgument(`${argument}.layers`, layers, `layers from 0, what the first one reads, to ${deepest}`);
}
