/** Values of an experiment, as readers see them. */
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Summary } from '../../core/types.js';
import type { ExperimentStrings } from './experiment.strings.js';

/** Values by seed, and what chance gives for each; null where there is none. */
export interface SeedValues {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly chance: readonly (number | null)[] | null;
}

/** Counts in full; other numbers to three digits. */
export const shown = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) >= 1000 ? formatWhole(value) : formatNumber(value);

export const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const listOf = (values: readonly (number | null)[]): string => values.filter(isNumber).map(shown).join(', ');

export function intervalInWords(texts: ExperimentStrings, { mean, halfWidth }: Summary): string {
  return halfWidth === null ? shown(mean) : texts.plusMinus(shown(mean), shown(halfWidth));
}

export const valuesInWords = (texts: ExperimentStrings, rows: readonly SeedValues[]): string =>
  rows
    .flatMap(({ name, values, chance }) => [
      texts.valueLabel(name, listOf(values)),
      ...(chance === null ? [] : [texts.chanceLabel(listOf(chance))]),
    ])
    .join(' ');

/** The last number of each line. */
export const endsInWords = (
  texts: ExperimentStrings,
  lines: readonly { readonly label: string; readonly y: ArrayLike<number> }[],
): string =>
  lines
    .flatMap(({ label, y }) => {
      const last = Array.from(y).filter(Number.isFinite).at(-1);
      return last === undefined ? [] : [texts.endsAt(label, shown(last))];
    })
    .join(' ');

/** The columns of a table by seed: each value, then what chance gives. */
export const columnsOf = (
  texts: ExperimentStrings,
  rows: readonly SeedValues[],
): Pick<SeedValues, 'name' | 'values'>[] =>
  rows.flatMap(({ name, values, chance }) => [
    { name, values },
    ...(chance === null ? [] : [{ name: texts.dataChance(name), values: chance }]),
  ]);
