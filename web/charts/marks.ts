import { nothing, svg, type SVGTemplateResult } from 'lit';
import { circle, type Sign } from './drawing.js';
import { polyline, type Point } from './paths.js';
import type { Scale } from './scale.js';

/** What `plot` draws: each function makes a mark, which draws all rows. */

/** A row's numbers on an axis; what is not finite is not drawn. */
export type Channel<Row> = (row: Row, at: number) => number | null | readonly (number | null)[];

/** Where things are, in CSS pixels. */
export interface Frame<Row> {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly height: number;
  /** The plotting area. */
  readonly plot: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly x: Scale;
  readonly y: Scale;
  /** On the axis that has the rows: the space for a row, its middle, and the row at a position, from 0. */
  readonly step: number;
  readonly place: (at: number) => number;
  readonly rowAt: (position: number) => number;
}

/** An entry of the key. Its sign is 14 pixels high, and `width` wide: by default as many. */
interface Key {
  readonly sign: SVGTemplateResult;
  readonly words: unknown;
  readonly width?: number;
  /** Whether it is something to compare the others with. */
  readonly level?: boolean;
}

export interface Mark<Row> {
  readonly draw: (frame: Frame<Row>) => unknown;
  /** What it needs to have on an axis: a domain that is not given contains it. */
  readonly x?: readonly Channel<Row>[];
  readonly y?: readonly Channel<Row>[];
  readonly key?: Key | readonly Key[] | undefined;
}

interface Drawn {
  /** Classes. */
  readonly look: string;
  /** Its words in the key; without, it has no entry. */
  readonly key?: unknown;
}

/** On an axis that has the rows, a mark is at the middle of its row, or so many pixels beside it. */
interface Placed<Row> extends Drawn {
  readonly x?: Channel<Row>;
  readonly y?: Channel<Row>;
  readonly dx?: number;
  readonly dy?: number;
}

interface Across<Row> extends Drawn {
  /** Further classes of the row. */
  readonly rowLook?: (row: Row, at: number) => string;
  readonly dy?: number;
  /** Height in pixels. */
  readonly height?: number;
  readonly x: Channel<Row>;
}

export function numbersOf(values: ReturnType<Channel<unknown>>): number[] {
  const list = typeof values === 'object' && values !== null ? values : [values];
  return list.filter((value): value is number => value !== null && Number.isFinite(value));
}

const looks = (look: string, more: string): string => `${look} ${more}`.trim();

const keyOf = (words: unknown, sign: SVGTemplateResult, { level = false, width = 14 } = {}): Key | undefined =>
  words === undefined ? undefined : { sign, words, width, level };

const swatch = (look: string): SVGTemplateResult => svg`<rect class=${look} y="2" width="14" height="10"></rect>`;

/** Positions of a row: one for each number. */
function pointsOf<Row>(
  frame: Frame<Row>,
  { x, y, dx = 0, dy = 0 }: Omit<Placed<Row>, 'look'>,
  row: Row,
  at: number,
): Point[] {
  const on = (channel: Channel<Row> | undefined, scale: Scale): number[] =>
    channel === undefined ? [frame.place(at)] : numbersOf(channel(row, at)).map(scale).filter(Number.isFinite);
  return on(x, frame.x).flatMap((px) => on(y, frame.y).map((py): Point => [px + dx, py + dy]));
}

const channels = <Row>({ x, y }: Pick<Placed<Row>, 'x' | 'y'>): Pick<Mark<Row>, 'x' | 'y'> => ({
  x: x === undefined ? [] : [x],
  y: y === undefined ? [] : [y],
});

/** A sign for each number. Different kinds have different signs, for readers who can't tell the colors apart. */
const dots = <Row>({
  look,
  rowLook = () => '',
  key,
  sign = circle(4),
  ...placed
}: Placed<Row> & {
  readonly sign?: Sign;
  /** Further classes of the row. */
  readonly rowLook?: (row: Row, at: number) => string;
}): Mark<Row> => ({
  ...channels(placed),
  key: keyOf(key, sign(look, 7, 7)),
  draw: (frame) =>
    frame.rows.map((row, at) =>
      pointsOf(frame, placed, row, at).map(([x, y]) => sign(looks(look, rowLook(row, at)), x, y)),
    ),
});

/**
 * A line through all rows, with a sign at each number; several lines, if rows have lists of numbers. Rows without a number
 * are skipped.
 */
const line = <Row>({ look, key, sign, ...placed }: Placed<Row> & { readonly sign?: Sign }): Mark<Row> => {
  const signAt = (x: number, y: number): unknown => sign?.(`mark ${look}`, x, y);
  return {
    ...channels(placed),
    key: keyOf(key, svg`<path class="line ${look}" d="M0 7L26 7"></path>${signAt(13, 7)}`, { width: 26 }),
    draw: (frame) => {
      const [of, channel] = placed.x === undefined ? (['y', placed.y] as const) : (['x', placed.x] as const);
      const lists = frame.rows.map((row, at) => [channel?.(row, at) ?? null].flat());
      const lines = Math.max(0, ...lists.map(({ length }) => length));
      return Array.from({ length: lines }, (_, index) => {
        const one = { ...placed, [of]: (_: Row, at: number) => lists[at]![index] ?? null };
        const through = frame.rows.flatMap((row, at) => pointsOf(frame, one, row, at));
        return svg`<path class="line ${look}" d=${polyline(through)}></path>${through.map(([x, y]) => signAt(x, y))}`;
      });
    },
  };
};

/** A horizontal bar from 0 to the number, or between two numbers; never narrower than `least` pixels. */
const bars = <Row>({
  x,
  look,
  rowLook = () => '',
  key,
  dy = 0,
  height = 14,
  least = 0,
}: Across<Row> & { readonly least?: number }): Mark<Row> => {
  const ends: Channel<Row> = (row, at) => {
    const values = numbersOf(x(row, at));
    return values.length === 1 ? [0, ...values] : values;
  };
  return {
    x: [ends],
    key: keyOf(key, swatch(look)),
    draw: (frame) =>
      frame.rows.map((row, at) => {
        const [from, to] = numbersOf(ends(row, at))
          .map(frame.x)
          .sort((a, b) => a - b);
        if (from === undefined || to === undefined) return nothing;
        const width = Math.max(least, to - from);
        return svg`<rect class=${looks(look, rowLook(row, at))} x=${(from + to - width) / 2} y=${frame.place(at) + dy - height / 2} width=${width} height=${height}></rect>`;
      }),
  };
};

/** Where a part of a whole is, and whether it exceeds the axis and is cut at its end. */
export interface PlacedPart {
  readonly x: number;
  readonly width: number;
  readonly cut: boolean;
}

/** A part of a whole. */
export interface StackPart {
  readonly look: string;
  readonly value: number;
  readonly title?: string;
  /** Drawn over the part, around this height. */
  readonly over?: (part: PlacedPart, middle: number) => unknown;
}

/** Gap between two parts, in pixels. */
const seam = 2;

/** Parts one after another from 0. */
export function placeParts(values: readonly number[], x: Scale): PlacedPart[] {
  const most = Math.max(...x.domain());
  let from = 0;
  return values.map((value, at) => {
    const to = from + value;
    const [edge, end] = [x(Math.min(from, most)), x(Math.min(to, most))];
    // A thin part keeps half of its width.
    const start = edge + (at > 0 ? Math.min(seam, (end - edge) / 2) : 0);
    from = to;
    return { x: start, width: Math.max(0, end - start), cut: to > most * (1 + 1e-9) };
  });
}

/** Bars made of parts. `track`: a frame shows how long a bar can be; `least`: the smallest width of a part that is not 0. */
const stack = <Row>({
  parts,
  dy = 0,
  height = 18,
  track = false,
  least = 0,
  key = [],
}: {
  readonly parts: (row: Row, at: number) => readonly StackPart[];
  readonly dy?: number;
  readonly height?: number;
  readonly track?: boolean;
  readonly least?: number;
  /** Looks of parts, with their words. */
  readonly key?: readonly (readonly [look: string, words: unknown])[];
}): Mark<Row> => ({
  x: [(row, at) => [0, parts(row, at).reduce((sum, { value }) => sum + value, 0)]],
  key: key.map(([look, words]) => keyOf(words, swatch(look))!),
  draw: ({ rows, plot: { left, right }, x, place }) =>
    rows.map((row, at) => {
      const list = parts(row, at);
      const middle = place(at) + dy;
      const top = middle - height / 2;
      const placed = placeParts(
        list.map(({ value }) => value),
        x,
      );
      return svg`
        ${track ? svg`<rect class="track" x=${left - 0.5} y=${top + 0.5} width=${right - left + 1} height=${height - 1}></rect>` : nothing}
        ${list.map(({ look, value, title, over }, part) => {
          const place = placed[part]!;
          const width = Math.max(value > 0 ? least : 0, place.width);
          return svg`<rect class="${look} ${place.cut ? 'cut' : ''}" x=${place.x} y=${top} width=${width} height=${height}>${
            title === undefined ? nothing : svg`<title>${title}</title>`
          }</rect>${over?.(place, middle) ?? nothing}`;
        })}`;
    }),
});

/** A horizontal line between two numbers of a row. */
const rules = <Row>({ x, look, rowLook = () => '', dy = 0 }: Omit<Across<Row>, 'key' | 'height'>): Mark<Row> => ({
  x: [x],
  draw: (frame) =>
    frame.rows.map((row, at) => {
      const [from, to] = numbersOf(x(row, at)).map(frame.x);
      const y = frame.place(at) + dy;
      return to === undefined
        ? nothing
        : svg`<line class=${looks(look, rowLook(row, at))} x1=${from} x2=${to} y1=${y} y2=${y}></line>`;
    }),
});

/** A short vertical line at the number that a row is compared with. */
const ticks = <Row>({ x, look, key, dy = 0, height = 24 }: Across<Row>): Mark<Row> => ({
  x: [x],
  key: keyOf(key, svg`<line class=${look} x1="7" x2="7" y2="14"></line>`, { level: true }),
  draw: (frame) =>
    frame.rows.map((row, at) => {
      const y = frame.place(at) + dy;
      return pointsOf(frame, { x }, row, at).map(
        ([px]) => svg`<line class=${look} x1=${px} x2=${px} y1=${y - height / 2} y2=${y + height / 2}></line>`,
      );
    }),
});

/** Words at each number; at the right edge if `x` is 'end'. */
const words = <Row>({
  look,
  rowLook = () => '',
  text,
  x,
  anchor = x === 'end' ? 'end' : 'start',
  dx = 0,
  dy = 0,
  ...more
}: Omit<Placed<Row>, 'key' | 'x'> & {
  readonly x?: Channel<Row> | 'end';
  readonly text: (row: Row, at: number) => unknown;
  /** Further classes of the row. */
  readonly rowLook?: (row: Row, at: number) => string;
  readonly anchor?: 'start' | 'middle' | 'end';
}): Mark<Row> => {
  const placed = { ...more, ...(typeof x === 'function' ? { x } : {}) };
  const textAt = (content: unknown, classes: string, [left, top]: Point): SVGTemplateResult =>
    svg`<text class=${classes} x=${left + dx} y=${top + dy} text-anchor=${anchor} dominant-baseline="central">${content}</text>`;
  return {
    ...channels(placed),
    draw: (frame) =>
      frame.rows.map((row, at) => {
        const places = x === 'end' ? [[frame.width, frame.place(at)] as Point] : pointsOf(frame, placed, row, at);
        return places.map((place) => textAt(text(row, at), looks(look, rowLook(row, at)), place));
      }),
  };
};

type Level = Drawn &
  ({ readonly x: number } | { readonly y: number }) & {
    readonly name?: string;
    /** How far below a horizontal line its name is, in pixels: away from the other marks. */
    readonly below?: number;
  };

/** A line across the drawing, at a number to compare the others with. */
const level = <Row>({ look, key, name, below = -6, ...placed }: Level): Mark<Row> => ({
  ...('x' in placed ? { x: [() => placed.x] } : { y: [() => placed.y] }),
  key: keyOf(key, svg`<line class=${look} x2="26" y1="7" y2="7"></line>`, { level: true, width: 26 }),
  draw: ({ plot: { left, right, top, bottom }, x, y }) => {
    if ('x' in placed) {
      const at = x(placed.x);
      const share = (at - left) / (right - left);
      // Its name is below it, inside the drawing.
      const anchor = share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle';
      return svg`
        <line class=${look} x1=${at} x2=${at} y1=${top} y2=${bottom + 4}></line>
        ${name === undefined ? nothing : svg`<text class="${look}-name" x=${at} y=${bottom + 17} text-anchor=${anchor}>${name}</text>`}`;
    }
    const at = y(placed.y);
    return svg`
      <line class=${look} x1=${left} x2=${right} y1=${at} y2=${at}></line>
      ${name === undefined ? nothing : svg`<text class="${look}-name" x=${left + 8} y=${at + below}>${name}</text>`}`;
  },
});

/** The area between two numbers, across the drawing. */
const band = <Row>({ look, key, y: ends }: Drawn & { readonly y: readonly [number, number] }): Mark<Row> => ({
  y: [() => ends],
  key: keyOf(key, svg`<rect class=${look} width="14" height="14"></rect>`, { level: true }),
  draw: ({ plot: { left, right }, y }) => {
    const [low, high] = ends.map(y).sort((a, b) => a - b) as [number, number];
    return svg`<rect class=${look} x=${left} width=${right - left} y=${low} height=${high - low}></rect>`;
  },
});

/** The column of the row that the reader has chosen. */
const column = <Row>({ look, at }: { readonly look: string; readonly at: number }): Mark<Row> => ({
  draw: ({ plot: { top, bottom }, step, place }) =>
    svg`<rect class=${look} x=${place(at) - step / 2} width=${step} y=${top} height=${bottom - top}></rect>`,
});

/** The marks, for rows of one type. */
export const marksFor = <Row>() => ({
  dots: dots<Row>,
  line: line<Row>,
  bars: bars<Row>,
  stack: stack<Row>,
  rules: rules<Row>,
  ticks: ticks<Row>,
  words: words<Row>,
  level: level<Row>,
  band: band<Row>,
  column: column<Row>,
});

export type Marks<Row> = ReturnType<typeof marksFor<Row>>;
