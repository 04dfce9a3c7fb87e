import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
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
  dataTable({
    caption: texts.totalsCaption,
    head: [
      texts.way,
      texts.numberOfTables,
      texts.stored,
      texts.effective,
      texts.active,
      texts.saved,
      texts.ofTiedHead,
      texts.ofUntiedHead,
      texts.tableShare,
    ],
    rows: ways.map(({ tying, count }) => [
      wayName(texts, tying, twoStacks),
      String(count.tables),
      formatWhole(count.stored),
      formatWhole(count.effective),
      formatWhole(count.active),
      formatWhole(count.saved),
      percent(texts, count.savedOfStored),
      percent(texts, count.savedOfUntied),
      percent(texts, count.tableShare),
    ]),
  });

const tensorsTable = (
  texts: ParameterCalculatorStrings,
  { chosen }: CountedState,
  twoStacks: boolean,
): TemplateResult =>
  dataTable({
    caption: texts.tensorsCaption(wayName(texts, chosen.tying, twoStacks)),
    head: [texts.tensor, texts.shape, texts.copies, texts.numbers, texts.storedIn],
    rows: chosen.count.tensors.map(({ name, shape, copies, count, tiedTo }) => [
      name,
      `[${shape.map((size) => formatWhole(size)).join(' × ')}]`,
      formatWhole(copies),
      formatWhole(count),
      tiedTo ?? texts.own,
    ]),
  });

const nominalTable = (texts: ParameterCalculatorStrings, { shared }: CountedState): TemplateResult =>
  dataTable({
    caption: texts.nominalCaption,
    head: [texts.quantity, texts.value],
    rows: nominalSizes.map(({ name, size }) => [
      texts.shareRow(name),
      percent(texts, shareOfNominal(shared.count.saved, size)),
    ]),
  });

const configurationsTable = (texts: ParameterCalculatorStrings, { as, rows }: Compared): TemplateResult =>
  dataTable({
    caption: texts.configurationsCaption,
    head: [
      texts.configuration,
      texts.vocabularyHead,
      texts.widthHead,
      texts.layersHead,
      texts.tiedHead,
      texts.untiedHead,
      texts.saved,
      texts.percentOfTied,
      texts.percentOfUntied,
    ],
    rows: rows.map(({ id, vocabSize, dModel, nLayers, count }) => [
      configurationName(texts, as, { id, vocabSize, dModel, nLayers }),
      formatWhole(vocabSize),
      formatWhole(dModel),
      formatWhole(nLayers),
      formatWhole(count.stored),
      formatWhole(count.untied),
      formatWhole(count.saved),
      texts.percent(formatNumber(count.savedOfStored * 100, { decimals: 1 })),
      texts.percent(formatNumber(count.savedOfUntied * 100, { decimals: 1 })),
    ]),
  });
