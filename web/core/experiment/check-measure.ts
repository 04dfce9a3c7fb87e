/** Checks `measure`: which metric, of what, and when. */
import { invalidArgument } from '../runtime/errors.js';
import type { ExperimentMeasure } from './types.js';
import { checkChoice, checkOptions, checkString, isRecord, readList, readRecord } from '../runtime/validate.js';
import { checkMeasureOptions } from './check-measure-options.js';
import { TABLES, type Reads, type TableName } from './metric-kinds.js';
import { METRICS, metricsOf } from './metrics.js';
import { stepsOf } from './schedule.js';

/** Maximum values in an option that is a list. */
const MAX_OPTION_VALUES = 1e6;
/** The tables of models that read a text; models that read pairs have all tables. */
const TEXT_TABLES = ['embedding', 'unembedding'] as const satisfies readonly TableName[];
const ENCODER_DECODER_TABLES = Object.keys(TABLES) as TableName[];
const tablesOf = (reads: Reads): readonly TableName[] => (reads === 'pairs' ? ENCODER_DECODER_TABLES : TEXT_TABLES);

/** A table of an arm. */
export interface ArmTable {
  readonly arm: string;
  readonly table: TableName;
}

/** Returns a checked copy of the measure. */
export function checkMeasure(
  argument: string,
  value: unknown,
  arms: readonly string[],
  steps: number,
  { reads, moves }: { reads: Reads; moves: boolean },
): ExperimentMeasure {
  if (!isRecord(value)) throw invalidArgument(argument, value, 'an object with metric');
  const { metric: given } = readRecord(argument, value);
  const name = checkChoice(`${argument}.metric`, given, Object.keys(METRICS));
  const metric = METRICS[name]!;
  if (metric.reads !== undefined && metric.reads !== reads) {
    const models = reads === 'pairs' ? 'an encoder-decoder, which reads pairs' : 'a model that reads a text';
    const fitting = metricsOf(reads).map((one) => `'${one}'`);
    throw invalidArgument(`${argument}.metric`, name, `a metric of ${models}: ${fitting.join(', ')}`);
  }
  const own = metric.of === 'step' ? [] : metric.options;
  const when = metric.of === 'two tables' ? ['at'] : ['every', 'until', 'at'];
  const where = metric.of === 'table' ? ['table'] : metric.of === 'two tables' ? ['between'] : [];
  const measure: ExperimentMeasure = checkOptions<ExperimentMeasure>(argument, value as unknown as ExperimentMeasure, [
    'metric',
    ...when,
    ...where,
    ...(moves && readsTokens(name) ? ['on'] : []),
    ...own,
  ]);
  for (const option of own) {
    if (measure[option] !== undefined) measure[option] = plainOption(`${argument}.${option}`, measure[option]);
  }
  if (metric.of === 'two tables') {
    if (measure.at !== undefined && measure.at !== 'end')
      throw invalidArgument(`${argument}.at`, measure.at, "'end', when both arms have ended");
    checkBetween(`${argument}.between`, measure.between, arms, reads);
    checkMeasureOptions(argument, name, own, measure);
    return measure;
  }
  if (measure.on !== undefined) checkChoice(`${argument}.on`, measure.on, ['first', 'second']);
  if (metric.of === 'table' && measure.table !== undefined)
    checkChoice(`${argument}.table`, measure.table, tablesOf(reads));
  checkMeasureOptions(argument, name, own, measure);
  stepsOf(measure, argument, steps, metric.of === 'step' ? 1 : 0);
  return measure;
}

/** Metrics of a model alone. */
const WITHOUT_TOKENS = ['parameters', 'symmetry', 'tying-changes', 'work'];
const readsTokens = (metric: string): boolean => METRICS[metric]!.of === 'model' && !WITHOUT_TOKENS.includes(metric);

/** A copy of a value that JSON can hold. */
function plainOption(argument: string, value: unknown): unknown {
  const expected = 'a number, a text, true or false, or a list of these';
  const isPlain = (one: unknown): boolean => one === null || ['number', 'string', 'boolean'].includes(typeof one);
  const list = readList(value, 0, MAX_OPTION_VALUES);
  if (!(list?.every(isPlain) ?? isPlain(value))) throw invalidArgument(argument, value, expected);
  return list ?? value;
}

/** The two tables of a measure. */
export function checkBetween(
  argument: string,
  value: unknown,
  arms: readonly string[],
  reads: Reads,
): [ArmTable, ArmTable] {
  const list = readList(value, 2, 2);
  if (list === null) throw invalidArgument(argument, value, "two tables, each as 'arm.embedding' or 'arm.unembedding'");
  return list.map((one, i) => tableNamed(`${argument}[${i}]`, one, arms, tablesOf(reads))) as [ArmTable, ArmTable];
}

function tableNamed(argument: string, value: unknown, arms: readonly string[], tables: readonly TableName[]): ArmTable {
  const text = checkString(argument, value);
  const dot = text.lastIndexOf('.');
  if (dot < 0) throw invalidArgument(argument, value, "a table as 'arm.embedding' or 'arm.unembedding'");
  return {
    arm: checkChoice(`${argument}, its arm,`, text.slice(0, dot), arms),
    table: checkChoice(`${argument}, its table,`, text.slice(dot + 1), tables),
  };
}

/** Fields that are not options of the verb. */
const ABOUT = ['metric', 'every', 'until', 'at', 'table', 'between'];

/** The options of a measure's verb. */
export const optionsOf = (measure: ExperimentMeasure): Record<string, unknown> =>
  Object.fromEntries(Object.entries(measure).filter(([name]) => !ABOUT.includes(name)));

/** The name of a measure in records and claims: the metric with its arguments, where `part` is one of its values. */
export function nameOf(measure: ExperimentMeasure): (part: string) => string {
  const { metric, table, between } = measure;
  const named = Object.entries(optionsOf(measure))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const isOfTable = METRICS[metric]?.of === 'table';
  const given = [...(between ?? []), ...(isOfTable ? [table ?? 'embedding'] : []), ...named];
  const whole = given.length === 0 ? metric : `${metric}(${given.join(', ')})`;
  return (part) => (part === '' ? whole : `${whole}.${part}`);
}
