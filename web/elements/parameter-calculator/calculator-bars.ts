import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { barChart, type BarChartDrawing, type DrawnSegment } from '../../charts/bar-chart.js';
import { formatCompact } from '../../charts/number-format.js';
import type { TableTying } from '../../core/accounting-types.js';
import { partsOf, type CountedState, type Part } from './calculator-counts.js';
import { percentOf, wayName } from './calculator-words.js';
import type { ParameterCalculatorStrings } from './parameter-calculator.strings.js';

/** One bar per way of tying, divided into its parts, and a key of the parts below. */

/** Patterns distinguish thin parts without colour; wide parts contain their name. */
export const partPatterns: SVGTemplateResult = svg`
  <defs>
    <pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse">
      <rect class="pattern-paper" width="4" height="4"></rect>
      <circle class="pattern-ink" cx="2" cy="2" r="1.1"></circle>
    </pattern>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="pattern-paper" width="5" height="5"></rect>
      <rect class="pattern-ink" width="2" height="5"></rect>
    </pattern>
  </defs>`;

/** Upper estimate of the width of a name inside a bar, in pixels. */
const widthOfName = (name: string): number => name.length * 7.2 + 10;

export interface BarsInput {
  readonly texts: ParameterCalculatorStrings;
  readonly width: number;
  /** The bars, known before they are counted. */
  readonly ways: readonly TableTying[];
  readonly twoStacks: boolean;
  readonly counted: CountedState | null;
}

export function renderWays({ texts, width, ways, twoStacks, counted }: BarsInput): TemplateResult {
  const bars = (counted?.ways ?? ways.map((tying) => ({ tying, count: null }))).map(({ tying, count }) => ({
    tying,
    count,
    parts: count === null ? [] : partsOf(count),
  }));
  const drawing = barChart({
    width,
    barHeight: 22,
    bars: bars.map(({ tying, parts }) => ({
      id: tying,
      segments: parts.map(({ id, count }) => ({ id, value: count })),
    })),
  });
  const names = bars.map(({ tying, count }) => ({
    tying,
    text: wayName(texts, tying, twoStacks),
    number: count === null ? texts.waiting : formatCompact(count.stored),
  }));
  const label = names.map(({ text, number }) => `${text}: ${number} ${texts.axis}`).join('. ');
  return html`
    <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height}>
      ${partPatterns}
      ${drawing.ticks.map(
        (tick) => svg`
          <line class="tick-line" x1=${tick.position} x2=${tick.position} y1=${drawing.axisY - 4} y2=${drawing.axisY + 2}></line>
          <text class="tick" x=${tick.position} y=${drawing.axisY + 15} text-anchor=${anchor(tick.position, drawing.width)}>${counted === null ? '' : tick.label}</text>`,
      )}
      ${drawing.bars.map((bar, at) => {
        const { parts = [] } = bars[at] ?? {};
        const { text = '', number = '', tying = 'tied' } = names[at] ?? {};
        const role = tying === 'untied' ? 'untied' : 'tied';
        return svg`
          <text class=${tying === counted?.state.tying ? 'chosen' : ''} x="0" y=${bar.nameY}>${text}</text>
          <text class="number words-${role}" x=${drawing.width} y=${bar.nameY} text-anchor="end">${number}</text>
          ${bar.segments.map((segment, of) => renderSegment(texts, drawing, bar.y, segment, parts[of]))}`;
      })}
    </svg>
  `;
}

function renderSegment(
  texts: ParameterCalculatorStrings,
  drawing: BarChartDrawing,
  y: number,
  segment: DrawnSegment,
  part: Part | undefined,
): SVGTemplateResult {
  if (part === undefined) return svg``;
  const { id, roles } = part;
  // W with its roles.
  const mark = roles.length === 0 ? undefined : roles.join(' = ');
  const name = texts.parts[id];
  const middle = y + drawing.barHeight / 2;
  const rect = svg`<rect class="bar bar-${id}" x=${segment.x} y=${y} width=${segment.width} height=${drawing.barHeight}><title>${name}: ${formatCompact(part.count)}</title></rect>`;
  if (mark !== undefined && segment.width > 20 + mark.length * 6) {
    return svg`${rect}<text class="in-bar on-${id}" x=${segment.x + 6} y=${middle} dominant-baseline="central">W<tspan class="index" dy="3">${mark}</tspan></text>`;
  }
  if (mark === undefined && segment.width > widthOfName(name)) {
    return svg`${rect}<text class="in-bar on-${id}" x=${segment.x + 6} y=${middle} dominant-baseline="central">${name}</text>`;
  }
  return rect;
}

/** Every part of the highlighted way, with its count and fraction. */
export function renderKey(
  texts: ParameterCalculatorStrings,
  counted: CountedState | null,
  twoStacks: boolean,
): TemplateResult {
  const way = counted?.chosen ?? null;
  const parts = way === null ? [] : partsOf(way.count);
  const item = ({ id, count }: Part): TemplateResult => html`
    <li>
      <svg class="swatch" width="14" height="14" aria-hidden="true">
        ${partPatterns}
        <rect class="bar bar-${id}" width="14" height="14"></rect>
      </svg>
      <span class="part">${texts.parts[id]}</span>
      <span class="part-number">${formatCompact(count)}</span>
      <span class="part-share"
        >${way === null ? nothing : percentOf(texts, shareOfStored(count, way.count.stored))}</span
      >
    </li>
  `;
  return html`
    <ul class="key" data-picture aria-label=${texts.keyTitle(way === null ? '' : wayName(texts, way.tying, twoStacks))}>
      ${parts.map(item)}
    </ul>
  `;
}

/** For display only: both may exceed what a double holds exactly. */
const shareOfStored = (count: number, stored: number): number => count / stored;

/** Keeps the outermost tick labels inside the drawing. */
const anchor = (position: number, width: number): 'start' | 'middle' | 'end' =>
  position < 20 ? 'start' : position > width - 20 ? 'end' : 'middle';
