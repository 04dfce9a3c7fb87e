import { html, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { CellDetail, CellEvent } from '../shared/heat-map-view.js';
import type { CommonStrings } from '../shared/strings.js';
import { attendedOf } from './data-tables.js';
import type { History, Moment } from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';
import { percent } from './tables-drawing.js';

/** What the model reads of an example for each letter that it writes, as a heat map. */
export function attentionMap(options: {
  readonly texts: Seq2seqStrings & CommonStrings;
  readonly history: History;
  readonly at: Moment;
  readonly example: number;
  readonly cell: CellDetail['cell'];
  readonly onCell: (cell: CellDetail['cell']) => void;
}): TemplateResult {
  const { texts, history, at, example, cell, onCell } = options;
  const { source, attention, read, written } = attendedOf(texts, history, at, example);
  const title = texts.attentionTitle(source, formatWhole(at.step));
  return html`
    <p class="part-title" data-picture>${title}</p>
    <tied-heat-map
      .keys=${texts.gridKeys}
      .values=${attention.data}
      .rowLabels=${written}
      .colLabels=${read}
      .label=${`${title}.`}
      .rowTitle=${texts.writes}
      .colTitle=${texts.reads}
      .kind=${'sequential'}
      .limit=${1}
      .maxCell=${32}
      .describe=${({ row, col }: { row: number; col: number }, value: number) => {
        const letter = row === written.length - 1 ? texts.endName : written[row]!;
        return texts.looks(letter, read[col]!, percent(value));
      }}
      .cell=${cell}
      @tied-cell=${({ detail }: CellEvent) => onCell(detail.cell)}
    ></tied-heat-map>
  `;
}
