import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { makeScale } from '../../charts/scale.js';
import { diamond, drawing } from '../../charts/drawing.js';
import type { AlignmentStrings } from './alignment.strings.js';
import { pairs, type Measured, type MeasuredPair, type PairId } from './tables.js';

export const cosine = (value: number): string => formatNumber(value, { decimals: 2 });

const [margin, top, rowHeight, bottom] = [8, 4, 46, 66];
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * The agreement of each pair, its chance level if `chance`, and the agreement on held-out tokens, on one axis from 0 to
 * 1.
 */
export function cosineAxis(options: {
  readonly texts: AlignmentStrings;
  readonly measured: Measured;
  readonly chance: boolean;
  readonly width: number;
}): TemplateResult {
  const { texts, measured, chance: showsChance, width } = options;
  const scale = makeScale('linear', [0, 1], [margin, width - margin]);
  // A mean cosine below 0 is drawn at the end of the axis; the text states the number.
  const x = (value: number): number => scale(Math.max(0, Math.min(1, value)));
  const end = top + pairs.length * rowHeight;
  const height = end + bottom;
  const described = pairs.map(({ id }) => sentence(texts, id, measured.pairs[id], showsChance));
  const narrow = width < 400;
  return html`
    <p class="part-title" data-picture>${texts.axisTitle}</p>
    ${drawing(
      { label: texts.axisLabel(described.join(' ')), width, height },
      svg`
      ${ticks.map(
        (tick) => svg`
          <line class="grid" x1=${scale(tick)} x2=${scale(tick)} y1=${top} y2=${end}></line>
          <text class="faint" x=${scale(tick)} y=${end + 16} text-anchor="middle">${String(tick)}</text>`,
      )}
      ${pairs.map(({ id }, index) => row(id, measured.pairs[id], top + index * rowHeight))}
      ${key('fit', texts.fitKey, margin, height - 26)}
      ${measured.question.holdOut ? key('held-out', texts.heldOutKey, narrow ? 100 : 120, height - 26) : nothing}
      ${
        showsChance ? key('chance', texts.chanceKey, narrow ? margin : 250, narrow ? height - 7 : height - 26) : nothing
      }
      `,
    )}
  `;

  function row(id: PairId, { alignment }: MeasuredPair, y: number): SVGTemplateResult {
    const { meanCosine, null: chance, heldOut } = alignment;
    return svg`<g class=${id}>
      <text class="name" x=${margin} y=${y + 14}>${texts.pairs[id]}</text>
      ${showsChance ? mark('chance', x(chance.meanCosine), y + 30) : nothing}
      ${heldOut === null ? nothing : mark('held-out', x(heldOut.meanCosine), y + 30)}
      ${mark('fit', x(meanCosine), y + 30)}
    </g>`;
  }
}

/** Each kind of mark has its own shape, for readers who can't tell the colors apart. */
function mark(kind: 'fit' | 'held-out' | 'chance', x: number, y: number): SVGTemplateResult {
  if (kind === 'fit') return svg`<circle class="fit" cx=${x} cy=${y} r="6"></circle>`;
  if (kind === 'chance') return svg`<circle class="chance" cx=${x} cy=${y} r="5"></circle>`;
  return diamond(6)('held-out', x, y);
}

const key = (kind: 'fit' | 'held-out' | 'chance', name: string, x: number, y: number): SVGTemplateResult =>
  svg`${mark(kind, x + 6, y - 4)}<text class="faint" x=${x + 18} y=${y}>${name}</text>`;

function sentence(texts: AlignmentStrings, id: PairId, { alignment }: MeasuredPair, showsChance: boolean): string {
  const { meanCosine, null: chance, heldOut } = alignment;
  const more = [
    ...(showsChance ? [texts.rowChance(cosine(chance.meanCosine))] : []),
    ...(heldOut === null ? [] : [texts.rowHeldOut(cosine(heldOut.meanCosine))]),
  ];
  return texts.row(texts.pairs[id], cosine(meanCosine), more.join(''));
}
