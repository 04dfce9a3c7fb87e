import { nothing, svg, type TemplateResult } from 'lit';
import { makeScale } from '../../charts/scale.js';
import { drawing } from '../shared/drawing.js';
import { wholePercent } from '../shared/in-words.js';
import { pairKinds } from '../shared/model-pair.js';
import type { Curve, View } from './step-plot.js';

export const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${wholePercent(share)}%`);

const [left, right, rowHeight, barHeight, levelRoom] = [52, 50, 26, 16, 20];

/** Keeps the name of a level inside the drawing. */
function anchorOf(level: number): 'start' | 'middle' | 'end' {
  if (level < 0.3) return 'start';
  return level > 0.7 ? 'end' : 'middle';
}

/** A share of each trained model, with the level to compare it with. */
export function modelBars(
  { texts, measured, chance, at, width }: View,
  { valueOf, level, levelName }: Pick<Curve, 'valueOf' | 'level' | 'levelName'>,
): TemplateResult {
  const x = makeScale('linear', [0, 1], [left, width - right]);
  const bottom = pairKinds.length * rowHeight;
  const height = bottom + (chance ? levelRoom : 0);
  const bars = pairKinds.map((kind) => ({ kind, value: valueOf(measured.reports[kind][at]!) }));
  const described = bars.map(({ kind, value }) => `${texts.names[kind]}: ${percent(value)}`);
  return drawing(
    { label: [...described, ...(chance ? [levelName] : [])].join('. '), width, height },
    svg`
      <line class="grid" x1=${left} x2=${left} y1="0" y2=${bottom}></line>
      ${bars.map(({ kind, value }, row) => {
        const middle = (row + 0.5) * rowHeight;
        return svg`<g class=${kind}>
          <text class="name" x=${left - 8} y=${middle} text-anchor="end" dominant-baseline="central">${texts.names[kind]}</text>
          <rect class="bar" x=${left} y=${middle - barHeight / 2} width=${x(value) - left} height=${barHeight}></rect>
        </g>`;
      })}
      ${
        chance
          ? svg`<line class="level" x1=${x(level)} x2=${x(level)} y1="0" y2=${bottom + 4}></line>
            <text class="level-name" x=${x(level)} y=${bottom + 17} text-anchor=${anchorOf(level)}>${levelName}</text>`
          : nothing
      }
      ${bars.map(
        ({ value }, row) =>
          svg`<text class="value" x=${x(value) + 5} y=${(row + 0.5) * rowHeight} dominant-baseline="central">${percent(value)}</text>`,
      )}
    `,
  );
}
