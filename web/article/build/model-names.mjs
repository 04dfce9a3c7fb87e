import { escapeHtml } from './format.mjs';

/**
 * Names above or below a row of dots, with lines to their dots. Positions are shares of a width that is not known here, and letters have one
 * size: names are placed for a narrow row first; wider rows, where all move apart, have room for more.
 */

/** Least widths of the row in pixels, with the class of the names that need it. */
const rooms = [
  { width: 285, className: '' },
  { width: 470, className: 'from-740' },
  { width: 760, className: 'from-1180' },
];
/** Lines of names, counted from the dots, the outer one first. */
const lanes = [2, 1];
const laneHeight = 17;
const [letter, gap] = [7.1, 12];

/** Height of a row with names, and of its dots. */
const height = lanes.length * laneHeight + 24;
export const namedRow = { above: { height, middle: height - 12 }, below: { height, middle: 12 } };

const anchorOf = (at) => (at < 0.2 ? 'start' : at > 0.82 ? 'end' : 'middle');

/** @returns {[from: number, to: number]} */
function spanOf({ name, at }, width) {
  const long = name.length * letter;
  const from = at * width - { start: 4, middle: long / 2, end: long - 4 }[anchorOf(at)];
  return [from, from + long];
}

/** Whether two names, or a name and another's line, would touch. */
function touch(one, other, width) {
  const [a, b] = [spanOf(one, width), spanOf(other, width)];
  const overlap = ([from, to], [low, high]) => from < high + gap && low < to + gap;
  if (one.lane === other.lane) return overlap(a, b);
  // The line of the outer name passes the inner one.
  const [inner, outer] = one.lane < other.lane ? [one, other] : [other, one];
  const x = outer.at * width;
  return overlap(spanOf(inner, width), [x - gap / 2, x - gap / 2]);
}

/**
 * `models`: { name, at }[], `at` from 0 to 1. Begins at both ends, then takes the model furthest from all that have a name.
 *
 * @returns {{ name: string, at: number, lane: number, className: string }[]}
 */
export function placeNames(models) {
  const placed = [];
  for (const { width, className } of rooms) {
    const left = models.filter(({ name }) => placed.every((one) => one.name !== name));
    while (left.length > 0) {
      const lonely = ({ at }) => (placed.length === 0 ? at : Math.min(...placed.map((one) => Math.abs(one.at - at))));
      left.sort((a, b) => lonely(b) - lonely(a));
      const next = left.shift();
      const lane = lanes.find((lane) => placed.every((one) => !touch({ ...next, lane }, one, width)));
      if (lane !== undefined) placed.push({ ...next, lane, className });
    }
  }
  return placed;
}

/** The names as SVG, for a row of `namedRow[side]`. @param {'above' | 'below'} side */
export const drawNames = (names, side) =>
  names
    .map(({ name, at, lane, className }) => {
      const x = `${Number((100 * at).toFixed(1))}%`;
      const { middle } = namedRow[side];
      const end = middle + (lane * laneHeight + 4) * (side === 'below' ? 1 : -1);
      const look = className === '' ? 'name' : `name ${className}`;
      const anchor = anchorOf(at);
      const baseline = side === 'below' ? end + 11 : end - 2;
      return `<g class="${look}"><line x1="${x}" x2="${x}" y1="${middle}" y2="${end}"/><text x="${x}" y="${baseline}"${anchor === 'start' ? ' dx="-4"' : ` text-anchor="${anchor}"${anchor === 'end' ? ' dx="4"' : ''}`}>${escapeHtml(name)}</text></g>`;
    })
    .join('');
