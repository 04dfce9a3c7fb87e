import { html, nothing } from 'lit';
import { dataTable, type Content } from '../shared/figure.js';
import { architectureRows } from './architecture-rows.js';
import type { CardMaker } from './card/card-maker.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import type { Comparer } from './compare/comparer.js';
import { tensorsTable } from './facts.js';
import type { OpenedModel } from './opening.js';
import type { TensorReader } from './tensor/tensor-reader.js';

interface Measurements {
  readonly card: CardMaker['card'];
  readonly comparison: Comparer['comparison'];
  readonly report: Pick<TensorReader, 'report' | 'views'>;
}

/** Everything that the figure draws, as tables. */
export function dataView(
  { checkpoint, running }: OpenedModel,
  { card, comparison, report: { report, views } }: Measurements,
  texts: CheckpointStrings,
): Content {
  const rows = running === null ? null : architectureRows(running, texts);
  return html`${rows === null ? nothing : dataTable({ caption: texts.dataCaption, head: [texts.quantity, texts.value], rows })}
  ${report === null || views === null ? nothing : views.tensorData(report, texts)}
  ${card === null ? nothing : card.views.cardData(card.data, texts)}
  ${comparison === null ? nothing : comparison.views.comparisonData(comparison, texts)}
  ${tensorsTable(checkpoint, texts)}`;
}
