import type { TemplateResult } from 'lit';
import { formatCompact } from '../../charts/number-format.js';
import { plot } from '../../charts/plot.js';
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
  const shareOf = (size: number): number => (saved === null ? 0 : Math.max(0, shareOfNominal(saved, size)));
  const numberOf = (size: number): string => {
    if (saved === null) return texts.waiting;
    const share = shareOf(size);
    return share > 1 ? texts.doesNotFit(percentText(share)) : texts.percent(percentText(share));
  };
  return plot({
    rows: nominalSizes,
    width,
    margin: { left: 1, right: 1, top: 0 },
    x: { domain: [0, 1], ticks: [] },
    y: {
      each: 52,
      above: 20,
      look: '',
      name: ({ name }) => texts.model(name),
      end: ({ size }) => numberOf(size),
      endLook: () => 'number words-tied',
    },
    marks: ({ stack }) => [
      stack({ parts: ({ size }) => [{ look: 'bar bar-saved', value: shareOf(size) }], track: true }),
    ],
    describe: ({ name, size }) => `${texts.model(name)}: ${numberOf(size)}`,
    between: '. ',
  }).drawing;
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

/** A kind of bars of `savedBars`: what is drawn for a row, and the number at its end. */
interface SavedBar {
  readonly look: string;
  readonly numberLook: string;
  readonly value: (row: Row) => number | undefined;
  readonly number: (value: number) => string;
}

/** Bars of each model, below each other, with numbers at their ends. Rows are equally high, whatever their bars. */
const savedBars = (
  texts: ParameterCalculatorStrings,
  width: number,
  rows: readonly Row[],
  { kinds, height, endRoom }: { kinds: readonly SavedBar[]; height: number; endRoom: number },
): TemplateResult => {
  const numberOf = (row: Row, { value, number }: SavedBar): string => {
    const saved = value(row);
    return saved === undefined ? texts.waiting : number(saved);
  };
  return plot({
    rows,
    width,
    margin: { left: 1, right: endRoom, top: 0 },
    x: { nice: true, ticks: [] },
    y: { each: 56, above: 16, name: ({ name }) => name, look: ({ current }) => (current ? 'chosen' : '') },
    marks: ({ stack, words }) =>
      kinds.flatMap((kind, at) => {
        const least = (row: Row): number => Math.max(0, kind.value(row) ?? 0);
        const dy = (at - (kinds.length - 1) / 2) * (height + 2);
        return [
          words({ x: least, dx: 6, dy, look: kind.numberLook, text: (row) => numberOf(row, kind) }),
          stack({
            parts: (row) => [{ look: `bar ${kind.look} ${row.current ? '' : 'other'}`, value: least(row) }],
            ...{ dy, height },
          }),
        ];
      }),
    describe: (row) => `${row.name}: ${kinds.map((kind) => numberOf(row, kind)).join(', ')}`,
    between: '. ',
  }).drawing;
};

/** Saved parameters, one bar per model. */
export const renderSaved = (texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult =>
  savedBars(texts, width, rows, {
    ...{ height: 16, endRoom: 76 },
    kinds: [
      {
        ...{ look: 'bar-saved', numberLook: 'number words-tied' },
        value: ({ saving }) => saving?.saved,
        number: formatCompact,
      },
    ],
  });

/** The same, as fractions of the tied and of the untied model, two bars per model. */
export const renderShares = (texts: ParameterCalculatorStrings, width: number, rows: readonly Row[]): TemplateResult =>
  savedBars(texts, width, rows, {
    ...{ height: 12, endRoom: 130 },
    kinds: [
      {
        ...{ look: 'bar-of-tied', numberLook: 'share words-tied' },
        value: ({ saving }) => saving?.ofTied,
        number: (share) => texts.ofTiedShort(percentOf(texts, share)),
      },
      {
        ...{ look: 'bar-of-untied', numberLook: 'share words-untied' },
        value: ({ saving }) => saving?.ofUntied,
        number: (share) => texts.ofUntiedShort(percentOf(texts, share)),
      },
    ],
  });
