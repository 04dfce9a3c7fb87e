import { hypot } from '../../core/runtime/elementary.js';
import { nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Arrow } from '../../charts/arrow.js';
import { rightTriangle } from '../../charts/right-triangle.js';
import { drawing } from '../../charts/drawing.js';
import type { View } from './angle-plot.js';
import { degrees, ratio } from './in-words.js';
import { tableNames, type Beside, type TableName } from './measure.js';
import { symbolsInSvg } from './symbols.js';

const [gap, head] = [16, 38];
/** Length of h, in pixels. Below `short`, two words do not fit side by side under the base. */
const [longest, short] = [150, 140];

interface Drawn extends Pick<Beside, 'cosine' | 'ratio'> {
  readonly name: TableName | 'random';
  readonly row: string;
}

function drawnOf({ texts, here, baseline }: View): Drawn[] {
  const drawn = tableNames.map((name): Drawn => ({ ...here[name], name, row: texts.rowOf(here[name].target) }));
  if (baseline === null) return drawn;
  return [...drawn, { name: 'random', cosine: 1 / hypot(1, baseline), ratio: baseline, row: texts.anyRow }];
}

/** What the triangles show, for screen readers. */
export const trianglesInWords = (view: View): string =>
  drawnOf(view)
    .map((one) => view.texts.triangle(view.texts.tables[one.name], one.row, degrees(one.cosine), ratio(one.ratio)))
    .join(' ');

/** h with its two parts at their true angle, at one position: a triangle per table, and one for a random direction. */
export function triangles(view: View): TemplateResult {
  const { texts, width } = view;
  const drawn = drawnOf(view);
  const columns = width < 600 ? 2 : 4;
  const cell = (width - gap * (columns - 1)) / columns;
  // Space for the few states that point away from the row.
  const left = Math.max(0.3, ...drawn.map(({ cosine }) => 0.06 - cosine));
  const length = Math.min(longest, cell / (1.06 + left));
  const baseY = head + length;
  const row = baseY + (length < short ? 68 : 52);
  const height = row * Math.ceil(drawn.length / columns);
  return drawing(
    { label: trianglesInWords(view), width, height },
    svg`
      ${drawn.map(
        (one, index) =>
          svg`<g class="triangle ${one.name}" transform="translate(${(index % columns) * (cell + gap)} ${Math.floor(index / columns) * row})">
            ${triangle(one)}
          </g>`,
      )}
    `,
  );

  function triangle({ name, cosine: along, ratio: quotient, row: base }: Drawn): SVGTemplateResult {
    const originX = left * length;
    const drawing = rightTriangle(along, length, [originX, baseY]);
    const [[footX], [tipX, tipY], [angleX, angleY]] = [drawing.foot, drawing.tip, drawing.angle];
    return svg`
      <text class="name" x="0" y="14">${texts.tables[name]}</text>
      <path class="tint" d=${drawing.area}></path>
      ${arrow('base', drawing.base)}
      <path class="corner" d=${drawing.square}></path>
      <path class="across" d=${drawing.across}></path>
      <path class="along" d=${drawing.along}></path>
      <path class="corner" d=${drawing.arc}></path>
      ${arrow('state', drawing.vector)}
      <text class="faint" x=${angleX} y=${angleY}>${degrees(along)}</text>
      <text class="letter" x=${tipX} y=${tipY - 7} text-anchor="middle">${symbolsInSvg('h')}</text>
      <text class="letter" x=${footX + 6} y=${(baseY + tipY) / 2 - 12}>${symbolsInSvg('h⊥')}</text>
      ${Math.abs(along) < 0.15 ? nothing : svg`<text class="letter" x=${(originX + footX) / 2} y=${baseY + 17} text-anchor="middle">${symbolsInSvg('h∥')}</text>`}
      <text class="faint" x=${originX + 1.04 * length} y=${baseY + (length < short ? 33 : 17)} text-anchor="end">${base}</text>
      <text class="number" x="0" y=${row - 12}>${symbolsInSvg(texts.quotient(ratio(quotient)))}</text>`;
  }
}

const arrow = (kind: 'base' | 'state', { shaft, head: tip }: Arrow): SVGTemplateResult =>
  svg`<path class=${kind} d=${shaft}></path><path class="tip ${kind}" d=${tip}></path>`;
