import { svg, type TemplateResult } from 'lit';
import { placeParts } from '../../charts/marks.js';
import { plot } from '../../charts/plot.js';

/** Bars of several segments, with the segments' names below if they fit. */

export interface StackedBar {
  readonly name: string;
  readonly number: string;
  /** The bar in words. */
  readonly spoken: string;
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

/** Height of a bar, and the distance of its labels from its middle. */
const [barHeight, labelDistance] = [18, 23];

export function stackedBars(bars: readonly StackedBar[], width: number): TemplateResult {
  return plot({
    rows: bars,
    width,
    margin: { left: 1, right: 1, top: 0, bottom: 20 },
    x: { ticks: [] },
    y: {
      each: 70,
      above: 38,
      look: '',
      name: ({ name }) => name,
      end: ({ number }) => number,
      endLook: ({ role }) => `number words-${role}`,
    },
    marks: ({ stack }) => [
      {
        draw: ({ x, place }) =>
          bars.map(({ parts }, at) => {
            const placed = placeParts(
              parts.map(({ value }) => value),
              x,
            );
            const names = parts.map(({ under }) => under);
            return segmentLabels(placed, names, width).map(
              ({ x: left, anchor, text }) =>
                svg`<text class="under" x=${left} y=${place(at) + labelDistance} text-anchor=${anchor}>${text}</text>`,
            );
          }),
      },
      stack({
        parts: ({ role, parts }) => parts.map(({ id, value }) => ({ look: `segment part-${id} of-${role}`, value })),
        ...{ height: barHeight, least: 1 },
      }),
    ],
    describe: ({ spoken }) => spoken,
    between: '. ',
  }).drawing;
}
