import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../../charts/number-format.js';
import type { CheckpointTensor } from '../../../core/types.js';
import { button, select, textField } from '../../shared/controls.js';
import type { Content } from '../../shared/figure.js';
import type { CommonStrings } from '../../shared/strings.js';
import type { CheckpointStrings } from '../checkpoint.strings.js';
import type { OpenedModel } from '../opening.js';
import { bytesInWords } from '../refusal.js';
import { shapeInWords } from '../table-choice.js';
import type { TensorMeasure } from './tensor-findings.js';
import type { TensorReader } from './tensor-reader.js';

/** How many tensors are offered at once. */
const offered = 100;

export interface TensorView {
  readonly texts: CheckpointStrings & CommonStrings;
  readonly opened: OpenedModel;
  readonly reader: TensorReader;
  readonly tensor: CheckpointTensor;
  /** What the reader has typed to find one. */
  readonly search: string;
  readonly view: 'blocks' | 'window';
  readonly measure: TensorMeasure;
  readonly width: number;
  /** The settings. */
  readonly panel: Content;
  readonly onSearch: (search: string) => void;
  readonly onChoose: (name: string) => void;
  readonly onRead: () => void;
  /** Shows the elements from this row and column on. */
  readonly onWindow: (row: number, col: number) => void;
}

/** Tensors whose names have all of these parts, in the order of the file. */
function fittingTensors(tensors: readonly CheckpointTensor[], search: string): readonly CheckpointTensor[] {
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean);
  return parts.length === 0
    ? tensors
    : tensors.filter(({ name }) => parts.every((part) => name.toLowerCase().includes(part)));
}

/** The part of the figure that shows one tensor, chosen from all. */
export function tensorView(view: TensorView): TemplateResult {
  const { texts, reader, panel } = view;
  return html`<section class="card tensor" aria-label=${texts.tensors}>
    <p class="section-title">${texts.tensors}</p>
    ${finder(view)} ${panel}
    <div class="row card-actions">${actions(view)}</div>
    ${reader.reading.stopped ? html`<p class="aside">${texts.tensorCancelled}</p>` : nothing} ${drawings(view)}
  </section>`;
}

function finder({ texts, opened, tensor, search, onSearch, onChoose }: TensorView): TemplateResult {
  const { tensors } = opened.checkpoint;
  const fitting = fittingTensors(tensors, search);
  const first = fitting.slice(0, offered);
  const shown = first.includes(tensor) ? first : [tensor, ...first];
  const more = fitting.length - first.length;
  return html`<div class="finder">
    ${textField({ label: texts.findTensor, value: search, onInput: onSearch })}
    ${select({
      label: texts.tensorList(formatWhole(first.length), formatWhole(tensors.length)),
      value: tensor.name,
      choices: shown.map(({ name, shape, dtype, bytes }) => ({
        value: name,
        label: `${name}: ${shapeInWords(shape)}, ${dtype}, ${bytesInWords(bytes)}`,
      })),
      onChoose,
    })}
    ${fitting.length === 0 ? html`<p class="aside">${texts.noTensors}</p>` : nothing}
    ${more > 0 ? html`<p class="aside">${texts.moreTensors(formatWhole(more))}</p>` : nothing}
  </div>`;
}

function actions({ texts, reader, tensor, onRead }: TensorView): Content {
  const { reading, report } = reader;
  if (reading.pending) {
    const share = reading.fraction ?? 0;
    return html`<span class="progress">${texts.readingTensor(formatNumber(100 * share, { decimals: 0 }))}</span>
      <progress max="1" .value=${share} aria-label=${texts.tensors}></progress>
      ${button({ label: texts.cancel, onPress: () => reading.stop() })}`;
  }
  if (report !== null && report.name === tensor.name) return nothing;
  return button({ label: texts.readAll(bytesInWords(tensor.bytes)), kind: 'primary', onPress: onRead });
}

function drawings(view: TensorView): TemplateResult | typeof nothing {
  const { texts, reader, tensor, opened, measure, width, onWindow } = view;
  const { views, cell, isPointing } = reader;
  if (views === null) return nothing;
  const report = reader.report?.name === tensor.name ? reader.report : null;
  const window = reader.window?.name === tensor.name ? reader.window : null;
  const map = { texts, cell: isPointing ? cell : null, onCell: (found: typeof cell) => reader.point(found) };
  const { input, output } = opened.checkpoint.tables;
  const isTable = tensor.name === input?.name || tensor.name === output?.name;
  const tokens = isTable ? opened.checkpoint.tokens : null;
  const ends = report?.blocks ?? null;
  const isOfBlock = view.view === 'blocks' && ends !== null && cell !== null;
  return html`<div class="drawings">
    <div class="map">
      ${
        view.view === 'window'
          ? window === null
            ? nothing
            : views.windowMap(window, tokens, map)
          : report === null
            ? nothing
            : views.blocksMap(report, measure, map)
      }
      ${
        isOfBlock
          ? button({
              label: texts.openBlock,
              onPress: () => onWindow(ends.rowEnds[cell.row] ?? 0, ends.colEnds[cell.col] ?? 0),
            })
          : nothing
      }
    </div>
    ${report === null ? nothing : html`<div>${views.statisticsTable(report, texts)}${views.histogramView(report, texts, width)}</div>`}
  </div>`;
}
