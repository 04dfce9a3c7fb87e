import { svg, type TemplateResult } from 'lit';
import { barsPicture } from '../shared/bars.js';

/** Bars of several segments, with the segments' names below if they fit. */

export interface StackedBar {
  readonly name: string;
  readonly number: string;
  /** 'tied' and so on; determines the color. */
  readonly role: string;
  /** `under`: the label under the part; '' = none. */
  readonly parts: readonly { readonly id: string; readonly value: number; readonly under: string }[];
}

export interface SegmentLabel {
  readonly text: string;
  readonly x: number;
  readonly anchor: 'start' | 'end';
}

const characterWidth = 6.6;
/** Between two labels, in pixels. */
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

/** Height of the labels under the last bar. */
const labelRoom = 20;

export function stackedBars(bars: readonly StackedBar[], width: number, label: string): TemplateResult {
  const total = ({ parts }: StackedBar): number => parts.reduce((sum, { value }) => sum + value, 0);
  return barsPicture({
    label,
    width,
    nameHeight: 44,
    axis: false,
    max: Math.max(...bars.map(total)),
    leastWidth: 1,
    room: labelRoom,
    bars: bars.map(({ name, number, role, parts }) => ({
      name,
      number,
      numberLook: `number words-${role}`,
      parts: parts.map(({ id, value }) => ({ look: `segment part-${id} of-${role}`, value })),
    })),
    above: (drawing) =>
      svg`${drawing.bars.map(({ y, segments }, at) => {
        const names = bars[at]?.parts.map(({ under }) => under) ?? [];
        return segmentLabels(segments, names, width).map(
          ({ x, anchor, text }) =>
            svg`<text class="under" x=${x} y=${y + drawing.barHeight + 14} text-anchor=${anchor}>${text}</text>`,
        );
      })}`,
  });
}
