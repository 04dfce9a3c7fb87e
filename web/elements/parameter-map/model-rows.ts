import type { ImportedModel, KnownModel, ParameterCount } from '../../core/accounting/types.js';
import type { Lab } from '../../core/types.js';
import { oncePer } from '../shared/once-per.js';

export type Roles = ParameterCount['roles'];

export interface MapRow {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  /** Null: a model from the reader's file, which comes after all others. */
  readonly year: number | null;
  readonly total: number;
  readonly roles: Roles;
}

/** The roles of the parts of a bar, in their order. */
export const parts = ['readsAndWrites', 'reads', 'writes', 'computes'] as const satisfies readonly (keyof Roles)[];

/** The lab verbs that the map uses. */
export type CountingLab = Pick<Lab, 'knownModels' | 'countParameters'>;

const rowOf = (
  { id, name, organization, year }: Pick<MapRow, 'id' | 'name' | 'organization' | 'year'>,
  { stored: total, roles }: ParameterCount,
): MapRow => ({ id, name, organization, year, total, roles });

/** Every known model with its counts. */
export const loadRows = oncePer(async (lab: CountingLab): Promise<readonly MapRow[]> => {
  const models = await lab.knownModels();
  const row = async (model: KnownModel): Promise<MapRow> =>
    rowOf(model, await lab.countParameters(model.architecture, model.tying));
  return Promise.all(models.map(row));
});

/** A model of the reader. If its file does not tell how it is tied, it is counted with two tables. */
export async function ownRow(lab: CountingLab, { name, architecture, tying }: ImportedModel): Promise<MapRow> {
  const counts = await lab.countParameters(architecture, tying ?? 'untied');
  return rowOf({ id: 'own', name: name ?? '', organization: '', year: null }, counts);
}

/** Shown at first: some of each kind, and the extremes. */
const selection: readonly string[] = [
  ...['gpt2', 'pythia-70m', 'mamba-130m', 'gemma-2b', 'llama-3.1-8b', 'llama-3.2-1b', 'deepseek-v3', 'gemma-3-270m'],
  ...['gemma-3n-e4b', 'gpt-oss-20b', 'nanochat-d12-values', 'longcat-flash-lite', 'gemma-4-e2b', 'gemma-4-31b'],
  ...['qwen3.5-4b', 'qwen3.8-flash-next', 'diffusiongemma-26b-a4b', 'mistral-medium-3.5'],
];

export const tablesShare = ({ roles, total }: MapRow): number => 1 - roles.computes / total;
export const readOnlyShare = ({ roles, total }: MapRow): number => roles.reads / total;

export const orders = ['year', 'tables', 'size'] as const;
export type Order = (typeof orders)[number];

const compare: Readonly<Record<Order, (one: MapRow, other: MapRow) => number>> = {
  year: (one, other) => (one.year ?? 9999) - (other.year ?? 9999),
  tables: (one, other) => tablesShare(other) - tablesShare(one),
  size: (one, other) => one.total - other.total,
};

/** The rows that are chosen, in their order; those of the reader in any case. */
export function shownRows(
  rows: readonly MapRow[],
  { order, search, all }: { readonly order: Order; readonly search: string; readonly all: boolean },
): MapRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ name, organization, year }: MapRow): string => `${name} ${organization} ${year}`.toLowerCase();
  const isChosen = (row: MapRow): boolean =>
    row.year === null ||
    (words.length > 0 ? words.every((word) => text(row).includes(word)) : all || selection.includes(row.id));
  return rows.filter(isChosen).sort(compare[order]);
}
