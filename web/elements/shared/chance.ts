import type { Table } from './figure.js';
import { choice } from './settings/setting.js';

/** Whether a figure draws and says what chance alone would give. */
export const chanceSetting = choice(['shown', 'hidden'], {
  label: 'chance',
  control: { as: 'segmented', names: 'chances' },
});

/** A table without its chance levels, the `columns`, unless they are shown. */
export function tableBesideChance(shown: boolean, table: Table, columns: readonly number[]): Table {
  if (shown) return table;
  const kept = <Cell>(cells: readonly Cell[]): Cell[] => cells.filter((_, at) => !columns.includes(at));
  return { ...table, head: kept(table.head), rows: table.rows.map(kept) };
}

export const chanceStrings = {
  chance: 'Chance',
  chances: { shown: 'Shown', hidden: 'Hidden' } as Readonly<Record<string, string>>,
};
