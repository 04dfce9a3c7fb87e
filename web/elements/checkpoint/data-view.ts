import { html, nothing } from 'lit';
import { dataTable, type Content } from '../shared/figure.js';
import { architectureRows } from './architecture-rows.js';
import type { CardMaker } from './card/card-maker.js';
import type { CheckpointStrings } from './checkpoint.strings.js';
import type { Comparer } from './compare/comparer.js';
import { tensorsTable } from './facts.js';
import type { OpenedModel } from './opening.js';

/** Everything that the figure draws, as tables. */
export function dataView(
  { checkpoint, running }: OpenedModel,
  { card }: Pick<CardMaker, 'card'>,
  { comparison }: Pick<Comparer, 'comparison'>,
  texts: CheckpointStrings,
): Content {
  const rows = running === null ? null : architectureRows(running, texts);
  return html`${rows === null ? nothing : dataTable({ caption: texts.dataCaption, head: [texts.quantity, texts.value], rows })}
  ${card === null ? nothing : card.views.cardData(card.data, texts)}
  ${comparison === null ? nothing : comparison.views.comparisonData(comparison, texts)}
  ${tensorsTable(checkpoint, texts)}`;
}
