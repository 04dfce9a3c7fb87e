/** Which measure of an experiment a value in a claim means, and whether that is ever measured. */
import { TiedError } from '../runtime/errors.js';
import type { ExperimentMeasure } from './types.js';
import { nameOf, optionsOf } from './check-measure.js';
import { valuesNamed, type Claim, type Wanted } from './claim-language.js';
import { partsOf, type Part } from './metric-parts.js';
import { METRICS } from './metrics.js';
import { nearest } from '../runtime/validate.js';
import { isMeasuredWithin } from './schedule.js';

type Grid = Readonly<Record<string, readonly unknown[]>>;
/** An arm at a point of the grid. */
interface Planned {
  readonly arm: string;
  readonly point: Readonly<Record<string, unknown>>;
  readonly steps: number;
  readonly model: { readonly nLayers?: number };
}

/** Values that a measure need not state. */
const DEFAULTS = { on: 'first', table: 'embedding' } as const;
const defaultOf = (name: string): unknown => (DEFAULTS as Readonly<Record<string, unknown>>)[name];

/** The value of the grid that a claim writes as `word`; undefined if there is none. Lists and objects have no word. */
export const gridValue = (word: string, values: readonly unknown[]): unknown =>
  values.find((value) =>
    typeof value === 'number' ? value === Number(word) : typeof value !== 'object' && String(value) === word,
  );

/** What a claim may call the arms or tables of a measure. */
function fitsSides({ metric, table = DEFAULTS.table, between }: ExperimentMeasure, of: readonly string[]): boolean {
  if (between !== undefined) return of.every((one) => between.includes(one));
  const [one = '', ...others] = of;
  const [arm, named] = one.split('.');
  return others.length === 0 && (one === arm || (METRICS[metric]!.of === 'table' && named === table));
}

/**
 * The measures that a claim's value may mean, of which one has no options but those that the claim names, if there is such a one: `loss(tied)` means
 * `loss`, though `loss(on=second)` is measured as well.
 */
export function measuresNamed(wanted: Wanted, measures: readonly ExperimentMeasure[], grid: Grid): ExperimentMeasure[] {
  const options = Object.entries(wanted.options).filter(([name]) => !(name in grid));
  const fitting = measures.filter(
    (one) =>
      one.metric === wanted.metric &&
      fitsSides(one, wanted.of) &&
      options.every(([name, word]) => String(one[name] ?? defaultOf(name)) === word),
  );
  const plain = fitting.filter((one) =>
    Object.entries({ ...optionsOf(one), table: one.table ?? DEFAULTS.table }).every(
      ([name, value]) =>
        value === defaultOf(name) ||
        name in wanted.options ||
        (name === 'table' && wanted.of.some((of) => of.includes('.'))),
    ),
  );
  return plain.length > 0 ? plain : fitting;
}

/** Refuses a claim about what is not measured, or measured in several ways, so it could not be judged when all is trained. */
export function checkClaimed(
  argument: string,
  claim: Claim,
  { measure, grid }: { readonly measure: readonly ExperimentMeasure[]; readonly grid: Grid },
  planned: readonly Planned[],
): void {
  for (const wanted of valuesNamed(claim)) {
    const refuse = (expected: string): never => {
      throw new TiedError('invalid-argument', `${argument} has '${wanted.text}'; expected ${expected}`);
    };
    const fields = Object.entries(wanted.options).flatMap(([name, word]) => {
      const values = grid[name];
      if (values === undefined) return [];
      const value = gridValue(word, values);
      if (value === undefined) refuse(`${name} to be one of ${values.map((one) => JSON.stringify(one)).join(', ')}`);
      return [[name, value] as const];
    });
    const named = measuresNamed(wanted, measure, grid);
    const names = (of: readonly ExperimentMeasure[]): string =>
      [...new Set(of.map((one) => nameOf(one)('')))].join(', ');
    if (named.length === 0) refuse(`a value of ${names(measure.filter(({ metric }) => metric === wanted.metric))}`);
    if (named.some((one) => !isAlike(one, named[0]!))) refuse(`one of ${names(named)}`);
    const unnamed = whyNoRow(wanted, named, planned);
    if (unnamed !== null) refuse(unnamed);
    if (wanted.steps === null) continue;
    const [from, to] = wanted.steps;
    const arm = (named[0]!.between ?? wanted.of)[0]!.split('.')[0]!;
    for (const run of planned) {
      if (run.arm !== arm || fields.some(([name, value]) => run.point[name] !== value)) continue;
      const first = METRICS[wanted.metric]!.of === 'step' ? 1 : 0;
      if (!named.some((one) => isMeasuredWithin(one, run.steps, first, from, to)))
        refuse(`a step at which ${names(named)} is measured`);
    }
  }
}

/** What a value lacks that would make it one of those that its measures have; null if it is one, as far as can be told before they are taken. */
function whyNoRow(
  { metric, part, layer, band, of }: Wanted,
  measures: readonly ExperimentMeasure[],
  planned: readonly Planned[],
): string | null {
  const parts = partsOf(metric);
  const fitting = parts.filter((one) => one.part === part);
  if (fitting.length === 0) {
    const names = [...new Set(parts.map((one) => one.part))];
    const near = nearest(part, names);
    const all = names.map((name) => (name === '' ? `${metric}(...)` : `.${name}`)).join(', ');
    return `one of ${all}${near === null ? '' : `; did you mean '.${near}'?`}`;
  }
  const has = (by: Part['by']): boolean => fitting.some((one) => one.by === by);
  if (layer !== null && !has('layer')) return 'no layer, since this value has none';
  if (band !== null && !has('band')) return 'no band, since this value has none';
  if (has('layer')) {
    const depth = Math.max(...planned.filter(({ arm }) => of.includes(arm)).map(({ model }) => model.nLayers ?? 0));
    // A lens also reads what the first layer reads.
    const deepest = metric === 'layer-ablation' ? depth - 1 : depth;
    const listed = measures.map(({ layers }) => (layers === undefined || layers === 'all' ? null : [layers].flat()));
    const all = Array.from({ length: deepest + 1 }, (_, at) => at);
    const layers = all.filter((one) => listed.some((some) => some === null || some.includes(one)));
    if (layer === null ? layers.length > 1 : !layers.includes(layer)) return `layer to be one of ${layers.join(', ')}`;
  }
  // How many bands a text has, only its counts tell.
  const isListed = BANDS_OF_TEXTS.includes(metric) || metric === 'spectrum';
  if (has('band') && !has(null) && band === null && isListed) return 'a band, such as band=1';
  return null;
}

/** Metrics with a row for each band of frequencies. */
const BANDS_OF_TEXTS = ['loss-by-frequency', 'self-transitions', 'path-repetition', 'gradient'];

/** Whether two measures have the same values, where both are taken. */
function isAlike(one: ExperimentMeasure, other: ExperimentMeasure): boolean {
  const [name, otherName] = [one, other].map(({ on = 'first', ...rest }) =>
    nameOf({ ...rest, on } as ExperimentMeasure)(''),
  );
  return name === otherName;
}
