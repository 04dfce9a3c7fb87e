import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { makeScale, type Scale } from '../../charts/scale.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
import type { GradientLedgerStrings } from './gradient-ledger.strings.js';
import { shownSteps, writingShare, type Definition, type Measured } from './measure.js';

export const percent = (share: number): string => `${formatNumber(100 * share, { decimals: 0 })} %`;

const [left, right, top, plotHeight, bottom] = [52, 14, 24, 170, 40];
const ticks = [0, 0.25, 0.5, 0.75, 1];

export interface View {
  readonly texts: GradientLedgerStrings;
  readonly measured: Measured;
  readonly definition: Definition;
  readonly model: PairKind;
  /** The chosen step, by its index. */
  readonly at: number;
  readonly width: number;
}

/** The steps are drawn at equal distances: most happens in the first ones. */
const stepScale = (width: number): Scale => makeScale('linear', [-0.5, shownSteps.length - 0.5], [left, width - right]);

export const stepAt = (x: number, { width }: View): number => Math.round(stepScale(width).invert(x));

export function sharePlot(view: View): TemplateResult {
  const { texts, measured, definition, at, width } = view;
  const x = stepScale(width);
  const y = makeScale('linear', [0, 1], [top + plotHeight, top]);
  const height = top + plotHeight + bottom;
  return html`
    <svg data-picture aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
      <text class="faint" x="0" y="12">${texts.shareAxis}</text>
      <rect class="chosen" x=${x(at - 0.5)} width=${x(1) - x(0)} y=${top} height=${plotHeight}></rect>
      ${ticks.map(
        (tick) => svg`
          <line class=${tick === 0.5 ? 'half' : 'grid'} x1=${left} x2=${width - right} y1=${y(tick)} y2=${y(tick)}></line>
          <text class="faint" x=${left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${percent(tick)}</text>`,
      )}
      <text class="half-name" x=${width - right} y=${y(0.5) + 15} text-anchor="end">${texts.half}</text>
      ${pairKinds.map((kind) => line(kind))}
      ${shownSteps.map(
        (step, index) =>
          svg`<text class="faint" x=${x(index)} y=${top + plotHeight + 17} text-anchor="middle">${formatWhole(step)}</text>`,
      )}
      <text class="faint" x=${(left + width - right) / 2} y=${height - 5} text-anchor="middle">${texts.stepAxis}</text>
    </svg>
  `;

  function line(kind: PairKind): SVGTemplateResult {
    const points = measured.reports[kind].map(
      (report, index) => [x(index), y(writingShare(report, definition))] as const,
    );
    return svg`<g class=${kind}>
      <path class="line" d=${points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${String(px)} ${String(py)}`).join('')}></path>
      ${points.map(([px, py]) => mark(kind, px, py))}
    </g>`;
  }
}

/** Each model has a shape of its own, for readers who do not tell the colours apart. */
export function mark(kind: PairKind, x: number, y: number): SVGTemplateResult {
  if (kind === 'tied') return svg`<circle class="mark" cx=${x} cy=${y} r="5"></circle>`;
  return svg`<path class="mark" d="M${x - 6} ${y}L${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}z"></path>`;
}
