import { boxOfText, overlap, type Box, type PlacedText } from './boxes.js';
import type { Point } from './paths.js';

/** Places names of arrows so that no name covers another one, an arrow, or the drawing's edge. */

/** A named arrow from `from` to `tip`. */
export interface NamedArrow {
  readonly name: string;
  readonly from: Point;
  readonly tip: Point;
}

/** Average width of a name's character, and its line height. */
const characterWidth = 8;
const lineHeight = 17;
/** Distances from a tip, in order of preference. */
const distances = [14, 22, 32, 44];
const turns = [0, 35, -35, 70, -70, 110, -110, 150, -150, 180].map((degrees) => (degrees * Math.PI) / 180);

export const labelBox = (label: PlacedText, name: string): Box =>
  boxOfText(label, [...name].length * characterWidth, lineHeight);

const holds = (box: Box, [x, y]: Point, margin: number): boolean =>
  x > box.left - margin && x < box.right + margin && y > box.top - margin && y < box.bottom + margin;

/** Points along an arrow, about three pixels apart. */
function pointsAlong({ from, tip }: NamedArrow): Point[] {
  const count = Math.max(1, Math.ceil(Math.hypot(tip[0] - from[0], tip[1] - from[1]) / 3));
  return Array.from({ length: count + 1 }, (_, at): Point => {
    const share = at / count;
    return [from[0] + (tip[0] - from[0]) * share, from[1] + (tip[1] - from[1]) * share];
  });
}

/** `avoid`: other text in the drawing, which is kept clear where possible. */
export function placeLabels(arrows: readonly NamedArrow[], size: number, avoid: readonly Box[] = []): PlacedText[] {
  const points = arrows.flatMap(pointsAlong);
  const taken: Box[] = [];
  return arrows.map(({ name, from, tip }) => {
    const length = Math.hypot(tip[0] - from[0], tip[1] - from[1]);
    // A vector of zero length has no direction; its name goes above.
    const angle = length < 0.5 ? -Math.PI / 2 : Math.atan2(tip[1] - from[1], tip[0] - from[0]);
    let best: PlacedText = { x: tip[0], y: tip[1], anchor: 'middle' };
    let least = Infinity;
    distances.forEach((distance, further) => {
      turns.forEach((turn, tried) => {
        const far = 3 * tried + 8 * further;
        // Nothing that it meets could make it better.
        if (far >= least) return;
        const along: Point = [Math.cos(angle + turn), Math.sin(angle + turn)];
        const place = inside(name, [tip[0] + along[0] * distance, tip[1] + along[1] * distance], along[0], size);
        const box = labelBox(place, name);
        const cost =
          far +
          taken.reduce((sum, other) => sum + 10 * overlap(box, other), 0) +
          avoid.reduce((sum, other) => sum + overlap(box, other) / 10, 0) +
          points.reduce((sum, point) => sum + (holds(box, point, 1) ? 20 : 0), 0);
        if (cost >= least) return;
        least = cost;
        best = place;
      });
    });
    taken.push(labelBox(best, name));
    return best;
  });
}

/** Beside the point, on the side the arrow points to, within the drawing. */
function inside(name: string, [x, y]: Point, alongX: number, size: number): PlacedText {
  const anchor = alongX > 0.4 ? 'start' : alongX < -0.4 ? 'end' : 'middle';
  const { left, right } = labelBox({ x, y, anchor }, name);
  const shift = left < 0 ? -left : right > size ? Math.max(-left, size - right) : 0;
  return { x: x + shift, y: Math.max(lineHeight / 2, Math.min(y, size - lineHeight / 2)), anchor };
}
