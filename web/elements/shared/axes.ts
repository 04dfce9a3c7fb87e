import { css, nothing, svg, type CSSResult, type SVGTemplateResult } from 'lit';
import type { LineChartDrawing } from '../../charts/line-chart.js';
import { looks } from './looks.js';

/** What charts with two axes share. */
type Frame = Pick<LineChartDrawing, 'plot' | 'xTicks' | 'yTicks' | 'xTitle' | 'yTitle'> & {
  readonly references: readonly { readonly y: number }[];
};

export const axesStyles: CSSResult = css`
  svg.chart {
    display: block;
    overflow: visible;
    touch-action: pan-y;
  }

  ${looks({
    ':where(svg.chart) text': { fill: 'muted', 'font-size': '13px' },
    '.grid line': { stroke: 'rule' },
    '.axis': { stroke: 'control' },
  })}
`;

/** Gridlines, ticks, titles (unless empty) and reference levels. */
export function axes({ plot, xTicks, yTicks, xTitle, yTitle, references }: Frame): SVGTemplateResult {
  const { left, right, bottom } = plot;
  const across = (y: number, look: string): SVGTemplateResult =>
    svg`<line class=${look} x1=${left} x2=${right} y1=${y} y2=${y}></line>`;
  return svg`
    <g class="grid">${yTicks.map(({ position }) => across(position, ''))}</g>
    ${yTicks.map(({ position, label }) => svg`<text x=${left - 6} y=${position} text-anchor="end" dominant-baseline="central">${label}</text>`)}
    ${xTicks.map(
      ({ position, label }) => svg`
        <line class="axis" x1=${position} x2=${position} y1=${bottom} y2=${bottom + 4}></line>
        <text x=${position} y=${bottom + 18} text-anchor="middle">${label}</text>`,
    )}
    ${across(bottom, 'axis')}
    ${xTitle === '' ? nothing : svg`<text x=${(left + right) / 2} y=${bottom + 37} text-anchor="middle">${xTitle}</text>`}
    ${yTitle === '' ? nothing : svg`<text x="0" y="12">${yTitle}</text>`}
    ${references.map(({ y }) => across(y, 'reference'))}
  `;
}
