import { html, svg, type TemplateResult } from 'lit';
import type { TwinKind } from '../shared/model-twins.js';
import type { View } from './layer-bars.js';

const [cellWidth, cellHeight, gap, head] = [66, 24, 2, 22];
/** The number of letters that fit into a cell. */
const letters = 8;

const leftOf = (width: number): number => (width < 420 ? 38 : 74);

/** The visible positions: as many as fit, including the chosen one. */
export function positionsInView({ measured: { tokens }, at, width }: View): { first: number; count: number } {
  const count = Math.max(1, Math.min(tokens.length, Math.floor((width - leftOf(width)) / (cellWidth + gap))));
  // The last positions, unless the chosen one comes before them.
  return { first: Math.min(tokens.length - count, at), count };
}

/** The position at a point in the drawing. */
export function positionAt(x: number, view: View): number {
  const { first, count } = positionsInView(view);
  const column = Math.floor((x - leftOf(view.width)) / (cellWidth + gap));
  return first + Math.max(0, Math.min(count - 1, column));
}

const shortened = (token: string): string => (token.length > letters ? `${token.slice(0, letters - 1)}…` : token);

/** The most probable token of every layer, with the last layer on top, as transformers are usually drawn. */
export function tokenGrid(kind: TwinKind, view: View): TemplateResult {
  const { texts, measured, at, width } = view;
  const layers = measured.layers[kind];
  const { first, count } = positionsInView(view);
  const left = leftOf(width);
  const last = layers.length - 1;
  const height = head + layers.length * (cellHeight + gap);
  const columns = Array.from({ length: count }, (_, column) => first + column);
  const x = (position: number): number => left + (position - first) * (cellWidth + gap);
  const y = (layer: number): number => head + (last - layer) * (cellHeight + gap);
  const name = (layer: number): string => (width < 420 ? texts.shortLayer(layer) : texts.layer(layer, Infinity));
  return html`
    <svg class=${kind} data-picture aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
      ${layers.map(
        (_, layer) =>
          svg`<text class="faint" x=${left - 6} y=${y(layer) + cellHeight / 2} text-anchor="end" dominant-baseline="central">${name(layer)}</text>`,
      )}
      ${columns.map((position) => {
        const answer = layers[last]!.tokens[position];
        return svg`
          <text class="faint" x=${x(position) + cellWidth / 2} y=${head - 8} text-anchor="middle">${shortened(measured.tokens[position] ?? '')}</text>
          ${layers.map((layer, index) => {
            const token = layer.tokens[position] ?? '';
            return svg`
              <rect class="cell" x=${x(position)} y=${y(index)} width=${cellWidth} height=${cellHeight} fill-opacity=${0.06 + 0.4 * layer.probability[position]!}></rect>
              <text class=${token === answer ? 'same' : ''} x=${x(position) + cellWidth / 2} y=${y(index) + cellHeight / 2} text-anchor="middle" dominant-baseline="central">${shortened(token)}</text>`;
          })}`;
      })}
      ${[
        ...(first > 0 ? [left - gap] : []),
        ...(first + count < measured.tokens.length ? [x(first + count) - gap] : []),
      ].map((edge) => svg`<line class="cut" x1=${edge} x2=${edge} y1=${head} y2=${height}></line>`)}
      <rect class="chosen" x=${x(at) - 1} y=${head - 1} width=${cellWidth + 2} height=${height - head} rx="2"></rect>
    </svg>
  `;
}
