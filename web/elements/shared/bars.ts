import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { barChart, type BarChartDrawing, type BarChartOptions, type DrawnSegment } from '../../charts/bar-chart.js';

/** A part of a bar; `look` is its class. */
export interface Part {
  readonly look: string;
  readonly value: number;
  readonly title?: string;
  /** Drawn over the part, around this height. */
  readonly over?: (part: DrawnSegment, middle: number) => SVGTemplateResult | string;
}

/** A bar with its name on the left and its number on the right. */
export interface NamedBar {
  readonly name: string;
  readonly number: string;
  /** Classes of the name and the number. */
  readonly nameLook?: string;
  readonly numberLook?: string;
  readonly parts: readonly Part[];
  /** Whether the bar belongs to the one above; it is then close to it and has no name. */
  readonly joined?: boolean;
}

export interface BarsOptions extends Omit<BarChartOptions, 'bars'> {
  readonly bars: readonly NamedBar[];
  /** For screen readers. Default: names and numbers. */
  readonly label?: string;
  /** Whether numbers are at the ends of the bars instead of above them. */
  readonly numbersAtEnds?: boolean;
  /** Whether a frame shows how long a bar can be. */
  readonly track?: boolean;
  /** The smallest width of a part that is not 0. */
  readonly leastWidth?: number;
  /** Height added at the bottom. */
  readonly room?: number;
  /** Drawn first, such as an axis. */
  readonly behind?: (drawing: BarChartDrawing) => SVGTemplateResult;
  /** Drawn last. */
  readonly above?: (drawing: BarChartDrawing) => SVGTemplateResult;
}

/** Bars on one scale as a picture. */
export function barsPicture(options: BarsOptions): TemplateResult {
  const { bars, room = 0, behind, above, ...chart } = options;
  const { label = bars.map(({ name, number }) => `${name}: ${number}`).join('. ') } = options;
  const drawing = barChart({
    ...chart,
    bars: bars.map(({ name, parts, joined = false }) => ({
      id: name,
      joined,
      segments: parts.map(({ look, value }) => ({ id: look, value })),
    })),
  });
  return html`
    <svg data-picture role="img" aria-label=${label} width=${drawing.width} height=${drawing.height + room}>
      ${behind?.(drawing)} ${bars.map((bar, at) => barOf(bar, at, drawing, options))} ${above?.(drawing)}
    </svg>
  `;
}

function barOf(bar: NamedBar, at: number, drawing: BarChartDrawing, options: BarsOptions): SVGTemplateResult {
  const { numbersAtEnds = false, track = false, leastWidth = 0 } = options;
  const { width, barHeight } = drawing;
  const { y, nameY, endX, segments } = drawing.bars[at] ?? { y: 0, nameY: 0, endX: 0, segments: [] };
  const { nameLook = '', numberLook = 'number' } = bar;
  const middle = y + barHeight / 2;
  return svg`
    ${track ? svg`<rect class="track" x="0.5" y=${y + 0.5} width=${width - 1} height=${barHeight - 1}></rect>` : ''}
    ${bar.joined === true ? '' : svg`<text class=${nameLook} x="0" y=${nameY}>${bar.name}</text>`}
    ${
      numbersAtEnds
        ? svg`<text class=${numberLook} x=${endX + 6} y=${middle} dominant-baseline="central">${bar.number}</text>`
        : svg`<text class=${numberLook} x=${width} y=${nameY} text-anchor="end">${bar.number}</text>`
    }
    ${segments.map((segment, of) => {
      const { look = '', value = 0, title, over } = bar.parts[of] ?? {};
      const drawn = Math.max(value > 0 ? leastWidth : 0, segment.width);
      return svg`<rect class="${look} ${segment.cut ? 'cut' : ''}" x=${segment.x} y=${y} width=${drawn} height=${barHeight}>${title === undefined ? '' : svg`<title>${title}</title>`}</rect>
        ${over?.(segment, middle)}`;
    })}`;
}
