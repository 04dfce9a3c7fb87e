import { makeScale, niceDomain } from './scale.js';
import { scaleTicks, type Tick } from './ticks.js';

/** Horizontal bars on one scale, each with its name and number above, as plain data in CSS pixels. */

export interface BarSegment {
  readonly id: string;
  readonly value: number;
}

export interface Bar {
  readonly id: string;
  readonly segments: readonly BarSegment[];
  /** Belongs to the bar above: close to it and without a name. */
  readonly joined?: boolean;
}

export interface BarChartOptions {
  readonly width: number;
  readonly bars: readonly Bar[];
  /** The end of the scale, which starts at 0; by default a round number at or above the longest bar. */
  readonly max?: number;
  readonly barHeight?: number;
  /** Height for each bar's name. */
  readonly nameHeight?: number;
  /** Draw an axis under the bars. Default true. */
  readonly axis?: boolean;
  /** Width right of the scale for numbers at the ends of bars. Default 0. */
  readonly endRoom?: number;
  /** Gap between a bar and the name of the next one. Default 8. */
  readonly gap?: number;
}

export interface DrawnSegment extends BarSegment {
  readonly x: number;
  readonly width: number;
  /** Exceeds the scale and is cut at its end. */
  readonly cut: boolean;
}

export interface BarChartDrawing {
  readonly width: number;
  readonly height: number;
  readonly barHeight: number;
  readonly max: number;
  readonly bars: readonly {
    readonly id: string;
    readonly y: number;
    readonly nameY: number;
    readonly segments: readonly DrawnSegment[];
    /** The bar's end. */
    readonly endX: number;
  }[];
  readonly ticks: readonly Tick[];
  readonly axisY: number;
}

/** Keeps the labels of the first and last tick inside. */
const side = 1;
/** Gap between two segments of a bar. */
const seam = 2;
/** Gap between two bars of a group. */
const joint = 2;

export function barChart(options: BarChartOptions): BarChartDrawing {
  const { width, bars, barHeight = 18, nameHeight = 26, axis = true, endRoom = 0, gap = 8 } = options;
  const total = (bar: Bar): number => bar.segments.reduce((sum, segment) => sum + segment.value, 0);
  const longest = bars.reduce((most, bar) => Math.max(most, total(bar)), 0);
  const max = options.max ?? niceDomain([0, longest === 0 ? 1 : longest], 4)[1];
  const scale = makeScale('linear', [0, max], [side, Math.max(side, width - side - endRoom)]);

  let top = 0;
  const drawn = bars.map((bar, row) => {
    let from = 0;
    const joined = bar.joined === true && row > 0;
    const y = top + (joined ? joint - gap : nameHeight);
    top = y + barHeight + gap;
    const segments = bar.segments.map((segment, at) => {
      const to = from + segment.value;
      const edge = scale(Math.min(from, max));
      const end = scale(Math.min(to, max));
      // A thin segment keeps half of its width.
      const start = edge + (at > 0 ? Math.min(seam, (end - edge) / 2) : 0);
      from = to;
      return { ...segment, x: start, width: Math.max(0, end - start), cut: to > max * (1 + 1e-9) };
    });
    return { id: bar.id, y, nameY: y - 7, segments, endX: scale(Math.min(from, max)) };
  });
  const axisY = top;
  return {
    width,
    height: axisY + (axis ? 26 : 0),
    barHeight,
    max,
    bars: drawn,
    ticks: axis ? scaleTicks(scale, Math.max(2, Math.round(width / 130))) : [],
    axisY,
  };
}
