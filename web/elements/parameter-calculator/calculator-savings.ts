import type { TemplateResult } from 'lit';
import { formatCompact } from '../../charts/number-format.js';
import { barsPicture } from '../shared/bars.js';
import { configurations, nominalSizes, shareOfNominal, type Compared, type CountedState } from './calculator-counts.js';
import { configurationName, percentOf, percentText } from './calculator-words.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** What tying saves: for models of nominal size, and for a list of configurations that includes the reader's model. */

export function renderNominal(
  texts: ParameterCalculatorStrings,
  width: number,
  counted: CountedState | null,
): TemplateResult {
  const saved = counted?.shared.count.saved ?? null;
  const bars = nominalSizes.map(({ name, size }) => {
    const share = saved === null ? 0 : Math.max(0, shareOfNominal(saved, size));
    const number = share > 1 ? texts.doesNotFit(percentText(share)) : texts.percent(percentText(share));
    return {
      name: texts.model(name),
      number: saved === null ? texts.waiting : number,
      numberLook: 'number words-tied',
      parts: [{ look: 'bar bar-saved', value: share }],
    };
  });
  return barsPicture({ width, max: 1, axis: false, track: true, bars });
}

/** A model with its saving. */
interface Row {
  readonly name: string;
  readonly current: boolean;
  /** Null until counted. */
  readonly saving: { readonly saved: number; readonly ofTied: number; readonly ofUntied: number } | null;
}

export function savingRows(
  texts: ParameterCalculatorStrings,
  compared: Compared | null,
  counted: CountedState | null,
): Row[] {
  const own = counted?.shared.count ?? null;
  const current: Row = {
    name: texts.yourModel,
    current: true,
    saving: own === null ? null : savingOf(own),
  };
  const others = configurations.map((sizes): Row => {
    const found = compared?.rows.find(({ id }) => id === sizes.id);
    return {
      name: configurationName(texts, compared?.as ?? 'gpt-2', sizes),
      current: false,
      saving: found === undefined ? null : savingOf(found.count),
    };
  });
  return [current, ...others];
}

const savingOf = (count: {
  saved: number;
  savedOfStored: number;
  savedOfUntied: number;
}): NonNullable<Row['saving']> => ({
  saved: count.saved,
  ofTied: count.savedOfStored,
  ofUntied: count.savedOfUntied,
});

const nothingLess = (value: number): number => Math.max(0, value);

/** Highlights the row of the reader's model. */
const looks = (row: Row, bar: string): { nameLook: string; look: string } =>
  row.current ? { nameLook: 'chosen', look: `bar ${bar}` } : { nameLook: '', look: `bar ${bar} other` };

/** Saved parameters, one bar per model. */
export const renderSaved = (texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult =>
  barsPicture({
    width,
    barHeight: 16,
    axis: false,
    numbersAtEnds: true,
    endRoom: 76,
    // Rows are as high as in the other drawing, which has two bars of 12 and a gap.
    nameHeight: 22,
    gap: 18,
    bars: rows.map((row) => {
      const { nameLook, look } = looks(row, 'bar-saved');
      return {
        name: row.name,
        nameLook,
        number: row.saving === null ? texts.waiting : formatCompact(row.saving.saved),
        numberLook: 'number words-tied',
        parts: [{ look, value: nothingLess(row.saving?.saved ?? 0) }],
      };
    }),
  });

/** The same, as fractions of the tied and of the untied model, two bars per model. */
export function renderShares(texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult {
  const bars = rows.map((row) =>
    (['tied', 'untied'] as const).map((role) => {
      const { nameLook, look } = looks(row, `bar-of-${role}`);
      const share = role === 'tied' ? row.saving?.ofTied : row.saving?.ofUntied;
      const words = role === 'tied' ? texts.ofTiedShort : texts.ofUntiedShort;
      return {
        name: row.name,
        nameLook,
        joined: role === 'untied',
        number: share === undefined ? texts.waiting : words(percentOf(texts, share)),
        numberLook: `share words-${role}`,
        parts: [{ look, value: nothingLess(share ?? 0) }],
      };
    }),
  );
  return barsPicture({
    width,
    barHeight: 12,
    axis: false,
    numbersAtEnds: true,
    endRoom: 130,
    gap: 8,
    nameHeight: 22,
    label: rows.map(({ name }, at) => `${name}: ${(bars[at] ?? []).map(({ number }) => number).join(', ')}`).join('. '),
    bars: bars.flat(),
  });
}
