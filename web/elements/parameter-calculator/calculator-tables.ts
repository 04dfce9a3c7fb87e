import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { columnsTable } from '../shared/tables.js';
import { nominalSizes, shareOfNominal, type Compared, type CountedState } from './calculator-counts.js';
import { configurationName, wayName } from './calculator-words.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** The exact numbers behind the drawings. */
export function renderTables(
  texts: ParameterCalculatorStrings,
  counted: CountedState,
  compared: Compared | null,
  options: { readonly tablesAlone: boolean; readonly twoStacks: boolean },
): TemplateResult {
  return html`
    ${totalsTable(texts, counted, options.twoStacks)}
    <p>${texts.effectiveNote}</p>
    ${tensorsTable(texts, counted, options.twoStacks)} ${options.tablesAlone ? nominalTable(texts, counted) : nothing}
    ${compared === null || options.tablesAlone ? nothing : configurationsTable(texts, compared)}
  `;
}

const percent = (texts: ParameterCalculatorStrings, share: number): string =>
  texts.percent(formatNumber(share * 100, { significant: 6 }));

const totalsTable = (texts: ParameterCalculatorStrings, { ways }: CountedState, twoStacks: boolean): TemplateResult =>
  columnsTable({
    caption: texts.totalsCaption,
    items: ways,
    columns: [
      [texts.way, ({ tying }) => wayName(texts, tying, twoStacks)],
      [texts.numberOfTables, ({ count }) => String(count.tables)],
      [texts.stored, ({ count }) => formatWhole(count.stored)],
      [texts.effective, ({ count }) => formatWhole(count.effective)],
      [texts.active, ({ count }) => formatWhole(count.active)],
      [texts.saved, ({ count }) => formatWhole(count.saved)],
      [texts.ofTiedHead, ({ count }) => percent(texts, count.savedOfStored)],
      [texts.ofUntiedHead, ({ count }) => percent(texts, count.savedOfUntied)],
      [texts.tableShare, ({ count }) => percent(texts, count.tableShare)],
    ],
  });

const tensorsTable = (
  texts: ParameterCalculatorStrings,
  { chosen }: CountedState,
  twoStacks: boolean,
): TemplateResult =>
  columnsTable({
    caption: texts.tensorsCaption(wayName(texts, chosen.tying, twoStacks)),
    items: chosen.count.tensors,
    columns: [
      [texts.tensor, ({ name }) => name],
      [texts.shape, ({ shape }) => `[${shape.map((size) => formatWhole(size)).join(' × ')}]`],
      [texts.copies, ({ copies }) => formatWhole(copies)],
      [texts.numbers, ({ count }) => formatWhole(count)],
      [texts.storedIn, ({ tiedTo }) => tiedTo ?? texts.own],
    ],
  });

const nominalTable = (texts: ParameterCalculatorStrings, { shared }: CountedState): TemplateResult =>
  columnsTable({
    caption: texts.nominalCaption,
    items: nominalSizes,
    columns: [
      [texts.quantity, ({ name }) => texts.shareRow(name)],
      [texts.value, ({ size }) => percent(texts, shareOfNominal(shared.count.saved, size))],
    ],
  });

const configurationsTable = (texts: ParameterCalculatorStrings, { as, rows }: Compared): TemplateResult =>
  columnsTable({
    caption: texts.configurationsCaption,
    items: rows,
    columns: [
      [texts.configuration, (sizes) => configurationName(texts, as, sizes)],
      [texts.vocabularyHead, ({ vocabSize }) => formatWhole(vocabSize)],
      [texts.widthHead, ({ dModel }) => formatWhole(dModel)],
      [texts.layersHead, ({ nLayers }) => formatWhole(nLayers)],
      [texts.tiedHead, ({ count }) => formatWhole(count.stored)],
      [texts.untiedHead, ({ count }) => formatWhole(count.untied)],
      [texts.saved, ({ count }) => formatWhole(count.saved)],
      [texts.percentOfTied, ({ count }) => texts.percent(formatNumber(count.savedOfStored * 100, { decimals: 1 }))],
      [texts.percentOfUntied, ({ count }) => texts.percent(formatNumber(count.savedOfUntied * 100, { decimals: 1 }))],
    ],
  });
