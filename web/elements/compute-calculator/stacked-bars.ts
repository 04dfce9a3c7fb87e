import { svg, type SVGTemplateResult } from 'lit';
import type { BarChartDrawing } from '../../charts/bar-chart.js';

/** Bars of several segments, with the segments' names below where they fit. */

export interface BarWords {
  /** Above the bar, left and right. */
  readonly name: string;
  readonly number: string;
  /** 'tied' and so on: the text colour. */
  readonly role: string;
  /** The label under each segment; '' = none. */
  readonly segments: readonly string[];
}

export interface SegmentLabel {
  readonly text: string;
  readonly x: number;
  readonly anchor: 'start' | 'end';
}

const characterWidth = 6.6;
/** Between two labels. */
const air = 10;

/**
 * Labels of segments under one bar. The last segment has priority, because the figure is about it. A label starts where
 * its segment starts or ends where it ends; labels that would touch or leave the drawing are omitted.
 */
export function segmentLabels(
  segments: readonly { readonly x: number; readonly width: number }[],
  names: readonly string[],
  width: number,
): SegmentLabel[] {
  const taken: [number, number][] = [];
  const labels: SegmentLabel[] = [];
  for (let at = segments.length - 1; at >= 0; at--) {
    const segment = segments[at];
    const text = names[at] ?? '';
    if (segment === undefined || text === '' || segment.width < 1) continue;
    const length = [...text].length * characterWidth;
    const candidates: SegmentLabel[] = [
      { text, x: segment.x, anchor: 'start' },
      { text, x: segment.x + segment.width, anchor: 'end' },
    ];
    const placed = candidates.find(({ x, anchor }) => {
      const left = anchor === 'start' ? x : x - length;
      const free = taken.every(([from, to]) => left + length + air <= from || left >= to + air);
      return left >= 0 && left + length <= width && free;
    });
    if (placed === undefined) continue;
    const left = placed.anchor === 'start' ? placed.x : placed.x - length;
    taken.push([left, left + length]);
    labels.push(placed);
  }
  return labels.reverse();
}

/** Height for the labels under the last bar. */
export const labelRoom = 20;

export function stackedBars(drawing: BarChartDrawing, words: readonly BarWords[]): SVGTemplateResult {
  return svg`${drawing.bars.map((bar, at) => {
    const { name = '', number = '', role = '', segments = [] } = words[at] ?? {};
    const under = bar.y + drawing.barHeight + 14;
    return svg`
      <text x="0" y=${bar.nameY}>${name}</text>
      <text class="number words-${role}" x=${drawing.width} y=${bar.nameY} text-anchor="end">${number}</text>
      ${bar.segments.map(
        (segment) =>
          svg`<rect class="segment part-${segment.id} of-${role}" x=${segment.x} y=${bar.y} width=${Math.max(segment.value > 0 ? 1 : 0, segment.width)} height=${drawing.barHeight}></rect>`,
      )}
      ${segmentLabels(bar.segments, segments, drawing.width).map(
        (label) => svg`<text class="under" x=${label.x} y=${under} text-anchor=${label.anchor}>${label.text}</text>`,
      )}`;
  })}`;
}
