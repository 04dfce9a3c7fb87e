import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import type { TableTying } from '../../core/accounting/types.js';
import {
  nominalSizes,
  shareOfNominal,
  type Comparison,
  type CountedConfiguration,
  type CountedState,
} from './calculator-counts.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** The read-out. */

/** One decimal; two significant digits below a tenth of a percent, three above a million. */
export function percentText(share: number, decimals = 1): string {
  const value = share * 100;
  if (Math.abs(value) >= 1e6) return formatNumber(value);
  const small = value !== 0 && Math.abs(value) < 0.1;
  return formatNumber(value, small ? { significant: 2 } : { decimals });
}

export const percentOf = (texts: ParameterCalculatorStrings, share: number): string =>
  texts.percent(percentText(share));

export const wayName = (texts: ParameterCalculatorStrings, tying: TableTying, twoStacks: boolean): string =>
  (twoStacks ? texts.waysOfThree[tying] : undefined) ?? texts.ways[tying];

/** The formula's counts differ from GPT-2's, so its rows are named by their sizes. */
export const configurationName = (
  texts: ParameterCalculatorStrings,
  as: Comparison,
  { id, vocabSize, dModel, nLayers }: Pick<CountedConfiguration, 'id' | 'vocabSize' | 'dModel' | 'nLayers'>,
): string =>
  as === 'gpt-2'
    ? texts.configurations[id]
    : texts.bySizes(formatWhole(nLayers), formatWhole(dModel), formatWhole(vocabSize));

export interface Sentence {
  /** The main finding, emphasized. */
  readonly claim: string;
  readonly rest: string;
  /** With a leading space; not shown at rest. */
  readonly totals: string;
}

/** The read-out of the counts. `tablesAlone`: there are only tables, so fractions of a model do not apply. */
export function readOut(texts: ParameterCalculatorStrings, counted: CountedState, tablesAlone: boolean): Sentence {
  const { shared, untied, state, chosen } = counted;
  const { count } = shared;
  const experts =
    chosen.count.active < chosen.count.stored
      ? ` ${texts.experts(formatCompact(chosen.count.active), formatCompact(chosen.count.stored))}`
      : '';
  if (count.saved === 0) return { claim: texts.notShared, rest: experts, totals: '' };
  if (count.saved < 0) return { claim: `${texts.costs(formatCompact(-count.saved))}.`, rest: experts, totals: '' };
  const saved = formatCompact(count.saved);
  const claim = state.tying === 'untied' ? texts.wouldSave(saved) : texts.saves(saved);
  if (!tablesAlone) {
    const both = texts.both(percentOf(texts, count.savedOfStored), percentOf(texts, count.savedOfUntied));
    const totals = texts.totals(formatCompact(count.stored), formatCompact(untied.count.stored));
    return { claim, rest: `, ${both}.`, totals: ` ${totals}${experts}` };
  }
  const ofAll = untied.count.tables === 3 ? texts.ofThree : texts.half;
  const shares = [
    ofAll(percentText(count.savedOfUntied, untied.count.tables === 3 ? 1 : 0)),
    texts.ofOne(percentText(count.savedOfStored, 0)),
  ];
  return { claim, rest: `, ${shares.join(', ')}.`, totals: nominalShares(texts, count.saved) };
}

/** The saving as a share of models of nominal size, of those that can hold it; with a leading space. */
function nominalShares(texts: ParameterCalculatorStrings, saved: number): string {
  const list = nominalSizes
    .filter(({ size }) => size >= saved)
    .map(({ name, size }) => texts.shareOf(percentText(shareOfNominal(saved, size)), name));
  if (list.length === 0) return '';
  const last = list.pop()!;
  return ` ${texts.shares(list.length === 0 ? last : `${list.join(', ')} ${texts.and} ${last}`)}`;
}
