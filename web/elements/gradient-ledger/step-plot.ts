import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { polyline, type Point } from '../../charts/paths.js';
import { makeScale, type Scale } from '../../charts/scale.js';
import { diamond, keyEntry } from '../shared/drawing.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
import type { Drawn } from '../shared/seeded-pair-element.js';
import type { GradientLedgerStrings } from './gradient-ledger.strings.js';
import { shownSteps, writingShare, type Definition, type LedgerReport } from './measure.js';
import { modelBars, percent } from './model-bars.js';

const [left, right, top, bottom] = [52, 14, 24, 40];
const ticks = [0, 0.25, 0.5, 0.75, 1];

export interface View extends Drawn<LedgerReport> {
  readonly texts: GradientLedgerStrings;
  readonly definition: Definition;
  readonly model: PairKind;
  /** Whether the levels to compare numbers with are drawn. */
  readonly chance: boolean;
  readonly width: number;
}

/** What is plotted for the models: over the steps, or once for trained models. */
export interface Curve {
  readonly plotHeight: number;
  readonly valueOf: (report: LedgerReport) => number;
  /** The level to compare the values with. */
  readonly level: number;
  readonly levelName: string;
  /** How far below the level its name is, in pixels: away from the curves. */
  readonly levelNameBelow: number;
}

/** Steps are equally spaced: most happens in the first ones. */
const stepScale = (width: number): Scale => makeScale('linear', [-0.5, shownSteps.length - 0.5], [left, width - right]);

export const stepAt = (x: number, { width }: View): number => Math.round(stepScale(width).invert(x));

/** Writing's share of the gradient of the table, with an even split for comparison. */
export const sharePlot = (view: View): TemplateResult =>
  plot(view, {
    plotHeight: 170,
    valueOf: (report) => writingShare(report, view.definition),
    level: 0.5,
    levelName: view.texts.half,
    levelNameBelow: 17,
  });

/**
 * The share of the logits' gradient that reaches the hidden state, with the share of a random direction for comparison.
 */
export function reachPlot(view: View): TemplateResult {
  const { chance } = view.measured.reports.tied[0]!.reach;
  return plot(view, {
    plotHeight: 130,
    valueOf: ({ reach }) => reach.share,
    level: chance,
    levelName: view.texts.randomDirection(percent(chance)),
    levelNameBelow: -11,
  });
}

/** Whether that share is defined in both models. */
export const isReachKnown = ({ measured, at }: Pick<View, 'measured' | 'at'>): boolean =>
  pairKinds.every((kind) => !Number.isNaN(measured.reports[kind][at]!.reach.share));

const plot = (view: View, curve: Curve): TemplateResult =>
  view.steps === null ? modelBars(view, curve) : stepPlot(view, curve);

function stepPlot(view: View, { plotHeight, valueOf, level, levelName, levelNameBelow }: Curve): TemplateResult {
  const { texts, measured, chance, at, width } = view;
  const x = stepScale(width);
  const y = makeScale('linear', [0, 1], [top + plotHeight, top]);
  const height = top + plotHeight + bottom;
  return html`
    <svg data-picture aria-hidden="true" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
      <text class="faint" x="0" y="12">${texts.shareAxis}</text>
      <rect class="chosen" x=${x(at - 0.5)} width=${x(1) - x(0)} y=${top} height=${plotHeight}></rect>
      ${ticks.map(
        (tick) => svg`
          <line class="grid" x1=${left} x2=${width - right} y1=${y(tick)} y2=${y(tick)}></line>
          <text class="faint" x=${left - 6} y=${y(tick)} text-anchor="end" dominant-baseline="central">${percent(tick)}</text>`,
      )}
      ${
        chance
          ? svg`<line class="level" x1=${left} x2=${width - right} y1=${y(level)} y2=${y(level)}></line>
            <text class="level-name" x=${left + 8} y=${y(level) + levelNameBelow}>${levelName}</text>`
          : nothing
      }
      ${[...pairKinds].reverse().map((kind) => line(kind))}
      ${shownSteps.map(
        (step, index) =>
          svg`<text class="faint" x=${x(index)} y=${top + plotHeight + 17} text-anchor="middle">${formatWhole(step)}</text>`,
      )}
      <text class="faint" x=${(left + width - right) / 2} y=${height - 5} text-anchor="middle">${texts.stepAxis}</text>
    </svg>
  `;

  function line(kind: PairKind): SVGTemplateResult {
    const points = measured.reports[kind].map((report, index): Point => [x(index), y(valueOf(report))]);
    return svg`<g class=${kind}>
      <path class="line" d=${polyline(points)}></path>
      ${points.map(([px, py]) => mark(kind, px, py))}
    </g>`;
  }
}

/** Which mark belongs to which model. */
export const modelKeys = ({ names }: GradientLedgerStrings): TemplateResult[] =>
  pairKinds.map((kind) => keyEntry(svg`<g class=${kind}>${mark(kind, 7, 7)}</g>`, names[kind]));

/** Each model has its own shape, for readers who can't tell the colors apart; if two coincide, both are visible. */
export function mark(kind: PairKind, x: number, y: number): SVGTemplateResult {
  if (kind === 'tied') return svg`<circle class="mark" cx=${x} cy=${y} r="4"></circle>`;
  return diamond('mark', x, y, 7);
}
