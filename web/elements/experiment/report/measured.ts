/**
 * Every metric of an experiment, arranged for comparison: values by seed, chance levels, differences paired by seed.
 */
import type { Summary } from '../../../core/types.js';
import { summarise } from '../../../core/experiment/statistics.js';
import type { RoleSeries } from '../../shared/line-chart-view.js';
import type { ArmRoles } from '../roles.js';
import { isNumber, type SeedValues } from '../value-words.js';
import type { PackedMetric, Report } from './report-data.js';

export interface MeasuredDifference {
  readonly name: string;
  readonly seeds: readonly number[];
  readonly difference: Summary;
}

/** Values over steps, layers or bands: the mean of each arm, and every seed. */
export interface MeasuredLines {
  readonly over: 'step' | 'layer' | 'band';
  /** The arms, and a chance level for each. */
  readonly series: readonly RoleSeries[];
  /** Chance levels that do not vary along the x axis: the mean of each arm. */
  readonly levels: readonly { readonly name: string; readonly value: number }[];
}

export interface Measured {
  /** As in claims, but without the arms: 'alignment(method=linear).heldOut'. */
  readonly name: string;
  readonly metric: string;
  readonly part: string;
  readonly unit: string;
  readonly step: number;
  /** Of each arm, or each pair of tables, at the last step; empty if it is measured by layer or band. */
  readonly rows: readonly SeedValues[];
  /** Each row minus the first one. */
  readonly differences: readonly MeasuredDifference[];
  readonly lines: MeasuredLines | null;
}

interface Named {
  readonly packed: PackedMetric;
  readonly metric: string;
  readonly part: string;
  readonly options: readonly string[];
  /** The two tables that it compares, if any. */
  readonly tables: readonly string[];
}

function read(packed: PackedMetric, arms: readonly string[]): Named {
  const [, metric = packed.metric, given = '', part = ''] =
    /^([^(.]+)(?:\((.*)\))?(?:\.([^()]*))?$/.exec(packed.metric) ?? [];
  const words = given === '' ? [] : given.split(', ');
  const isTable = (word: string): boolean => arms.some((arm) => word.startsWith(`${arm}.`)) && !word.includes('=');
  const tables = words.filter(isTable);
  return { packed, metric, part, options: words.filter((word) => !isTable(word)), tables };
}

/** Tables that every metric of the group compares with others. */
const sharedTables = (group: readonly Named[]): readonly string[] =>
  group.length < 2 ? [] : group[0]!.tables.filter((table) => group.every(({ tables }) => tables.includes(table)));

const nameOf = ({ metric, options, part }: Named): string =>
  `${metric}${options.length === 0 ? '' : `(${options.join(', ')})`}${part === '' ? '' : `.${part}`}`;

const kindOf = ({ packed }: Named): MeasuredLines['over'] =>
  packed.layer !== null ? 'layer' : packed.band !== null ? 'band' : 'step';

const chanceOf = (part: string): string => (part === '' ? 'chance' : `${part}.chance`);

/** All metrics at one point of the grid, in the order of the records. */
export function measuredAt(report: Report, point: string, roles: ArmRoles): Measured[] {
  const arms = Object.keys(report.spec.arms);
  const named = report.metrics.map((packed) => read(packed, arms));
  const groups = new Map<string, Named[]>();
  for (const one of named) {
    const key = `${kindOf(one)} ${nameOf(one)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const names = new Set(named.map(nameOf));
  /** Chance levels are shown beside the values that they belong to. */
  const isChance = (one: Named): boolean => {
    const part = /^(?:(.+)\.)?chance$/.exec(one.part);
    return part !== null && names.has(nameOf({ ...one, part: part[1] ?? '' }));
  };
  return [...groups.values()]
    .filter(([first]) => !isChance(first!))
    .flatMap((group) => {
      const chance = nameOf({ ...group[0]!, part: chanceOf(group[0]!.part) });
      // A lens has one level for all layers.
      const chances = groups.get(`${kindOf(group[0]!)} ${chance}`) ?? groups.get(`step ${chance}`) ?? [];
      const measured = measuredOf(report, point, roles, group, chances);
      return measured === null ? [] : [measured];
    });
}

function measuredOf(
  report: Report,
  point: string,
  roles: ArmRoles,
  group: readonly Named[],
  chances: readonly Named[],
): Measured | null {
  const [first] = group as readonly [Named];
  const over = kindOf(first);
  const cells = cellsOf(report, point, group, over);
  if (cells.size === 0) return null;
  const step = Math.max(...[...cells.values()].flatMap((cell) => [...cell.values()].map(({ last }) => last)));
  const { seeds } = report.spec;
  const rows = over === 'step' ? rowsOf(cells, cellsOf(report, point, chances, over), seeds) : [];
  const drawn = linesOf(cells, seeds, roles);
  const lines = drawn && { over, ...chanceLines(drawn, over === 'step' ? [] : chances, report, point, roles) };
  const { metric, part, packed } = first;
  const name = nameOf({ ...first, options: [...sharedTables(group), ...first.options] });
  const differences = rows.slice(1).flatMap((row) => differenceOf(row, rows[0]!, seeds));
  return { name, metric, part, unit: packed.unit, step, rows, differences, lines };
}

/** For one seed: values by step, layer or band; if there are several steps and layers, the values of the last step. */
interface Cell {
  readonly values: Map<number, number | null>;
  last: number;
}
type Cells = Map<string, Map<number, Cell>>;

/** By row and seed. */
function cellsOf(report: Report, point: string, group: readonly Named[], over: MeasuredLines['over']): Cells {
  const cells: Cells = new Map();
  const shared = sharedTables(group);
  for (const { packed, tables } of group) {
    for (const [run, step, value] of packed.rows) {
      const { arm, seed, point: at } = report.runs[run]!;
      if (at !== point) continue;
      const own = tables.filter((table) => !shared.includes(table));
      const name = tables.length === 0 ? arm : (own.length === 0 ? tables : own).join(' and ');
      const row = cells.get(name) ?? new Map<number, Cell>();
      cells.set(name, row);
      const cell = row.get(seed) ?? { values: new Map<number, number | null>(), last: -1 };
      row.set(seed, cell);
      if (over !== 'step' && step < cell.last) continue;
      cell.last = Math.max(cell.last, step);
      cell.values.set(over === 'step' ? step : (packed[over] ?? 0), value);
    }
  }
  return cells;
}

function rowsOf(cells: Cells, chances: Cells, seeds: readonly number[]): SeedValues[] {
  const valuesOf = (row: ReadonlyMap<number, Cell> | undefined): (number | null)[] =>
    seeds.map((seed) => {
      const cell = row?.get(seed);
      return cell?.values.get(cell.last) ?? null;
    });
  return [...cells].map(([name, row]) => {
    const chance = valuesOf(chances.get(name));
    return { name, values: valuesOf(row), chance: chance.some(isNumber) ? chance : null };
  });
}

function differenceOf(row: SeedValues, first: SeedValues, seeds: readonly number[]): MeasuredDifference[] {
  const pairs = seeds.flatMap((seed, at) => {
    const [value, other] = [row.values[at], first.values[at]];
    return isNumber(value) && isNumber(other) ? [{ seed, difference: value - other }] : [];
  });
  if (pairs.length === 0) return [];
  const difference = summarise(pairs.map((pair) => pair.difference));
  return [{ name: `${row.name} − ${first.name}`, seeds: pairs.map(({ seed }) => seed), difference }];
}

/** Null if there is only one step. */
function linesOf(cells: Cells, seeds: readonly number[], roles: ArmRoles): RoleSeries[] | null {
  const all = [...cells.values()].flatMap((row) => [...row.values()].flatMap(({ values }) => [...values.keys()]));
  const x = [...new Set(all)].sort((a, b) => a - b);
  if (x.length < 2) return null;
  return [...cells].map(([name, row]): RoleSeries => {
    const runs = seeds.flatMap((seed) => {
      const values = row.get(seed)?.values;
      return values === undefined ? [] : [x.map((at) => values.get(at) ?? Number.NaN)];
    });
    const y = x.map((_, at) => runs.reduce((sum, run) => sum + run[at]!, 0) / runs.length);
    return { id: name, label: name, role: roles.get(name) ?? 'ink', x, y, runs };
  });
}

function chanceLines(
  drawn: readonly RoleSeries[],
  chances: readonly Named[],
  report: Report,
  point: string,
  roles: ArmRoles,
): Pick<MeasuredLines, 'series' | 'levels'> {
  const [first] = chances;
  const { seeds } = report.spec;
  if (first === undefined) return { series: drawn, levels: [] };
  const cells = cellsOf(report, point, chances, kindOf(first));
  if (kindOf(first) === 'step') {
    const levels = rowsOf(cells, new Map(), seeds).flatMap(({ name, values }) => {
      const there = values.filter(isNumber);
      return there.length === 0 ? [] : [{ name, value: summarise(there).mean }];
    });
    return { series: drawn, levels };
  }
  const lines = (linesOf(cells, seeds, roles) ?? []).map(({ label, x, y }): RoleSeries => ({
    id: `${label} chance`,
    label,
    role: 'chance',
    x,
    y,
  }));
  // If chance depends on the text alone, it is the same for all arms.
  const same = lines.every(({ y }) => Array.from(y).every((value, at) => Object.is(value, lines[0]!.y[at])));
  return {
    series: [...drawn, ...(same ? lines.slice(0, 1).map((one) => ({ ...one, label: '' })) : lines)],
    levels: [],
  };
}
