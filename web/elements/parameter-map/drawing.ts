import { html, svg, type TemplateResult } from 'lit';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import { shorten } from '../../charts/heat-map.js';
import type { Mark } from '../../charts/marks.js';
import { plot, type Plot } from '../../charts/plot.js';
import { parts, type MapRow } from './model-rows.js';
import type { ParameterMapStrings } from './parameter-map.strings.js';

export const scales = ['share', 'count'] as const;
export type Scale = (typeof scales)[number];

export const percent = (share: number): string => formatNumber(100 * share, { decimals: 100 * share < 10 ? 1 : 0 });

/** A bar by count begins at ten million parameters; smaller models have a bar of the least length. */
const decade = 7;
const leastLength = 0.1;
const lengthOf = ({ total }: MapRow): number => Math.max(leastLength, Math.log10(total) - decade);

const barHeight = 15;
/** Around a bar that is pointed at. */
const ringHeight = barHeight + 5;

/** A part has its share in words if there is space. */
const spaceOfWords = 40;

/** Which bar the reader is at: under the pointer or with the focus, pressed, and the one that Tab comes to. */
export interface Pointing {
  readonly pointed: MapRow | null;
  readonly chosen: MapRow | null;
  readonly stop: MapRow | null;
  readonly onPoint: (row: MapRow | null) => void;
  readonly onChoose: (row: MapRow) => void;
}

interface MapView {
  readonly texts: ParameterMapStrings;
  readonly width: number;
  readonly scale: Scale;
  readonly pointing?: Pointing;
}

const nameOf = ({ name, year }: MapRow, texts: ParameterMapStrings): string => (year === null ? texts.own(name) : name);

/** What the total and the year at the end of a name's line take, and a letter of the name. */
const [endRoom, letter] = [90, 6.6];

/** As much of a name as fits above its bar; the words of the bar have all of it. */
export const drawnName = (row: MapRow, texts: ParameterMapStrings, width: number): string =>
  shorten(nameOf(row, texts), Math.floor((width - endRoom) / letter));

/** A model with its parts, in words. */
export function rowInWords(row: MapRow, texts: ParameterMapStrings): string {
  const inParts = parts
    .filter((part) => row.roles[part] > 0)
    .map((part) => texts.part(percent(row.roles[part] / row.total), texts.parts[part]));
  return texts.row(nameOf(row, texts), formatCompact(row.total), inParts.join(', '));
}

const stopOf = (rows: readonly MapRow[], { stop }: Pointing): MapRow | null =>
  stop !== null && rows.includes(stop) ? stop : (rows[0] ?? null);

/** The bars as buttons, behind what is drawn of them. */
const places = (texts: ParameterMapStrings, pointing: Pointing): Mark<MapRow> => ({
  draw: ({ rows, width, step, place, plot: { top } }) =>
    rows.map((row, at) => {
      const look = `place ${row === pointing.pointed ? 'pointed' : ''} ${row === pointing.chosen ? 'chosen' : ''}`;
      return svg`<g
        class=${look}
        role="button"
        aria-label=${rowInWords(row, texts)}
        aria-pressed=${String(row === pointing.chosen)}
        tabindex=${row === stopOf(rows, pointing) ? 0 : -1}
        @focus=${() => pointing.onPoint(row)}
        @blur=${() => pointing.onPoint(null)}
      >
        <rect class="hit" y=${top + at * step} width=${width} height=${step}></rect>
        <rect class="ring" x="1" y=${place(at) - ringHeight / 2} width=${width - 2} height=${ringHeight}></rect>
      </g>`;
    }),
});

export function drawingOf(rows: readonly MapRow[], { texts, width, scale, pointing }: MapView): Plot<MapRow> {
  return plot({
    rows,
    width,
    margin: { left: 1, right: 1, top: 0 },
    x:
      scale === 'share'
        ? {
            domain: [0, 1],
            ticks: [0, 0.25, 0.5, 0.75, 1],
            lines: 'below',
            format: (tick) => `${formatWhole(100 * tick)}%`,
          }
        : {
            ...{ include: [0], lines: 'below', ticks: [0, 1, 2, 3, 4, 5] },
            format: (tick) => (width < 420 && tick % 2 === 1 ? '' : formatCompact(10 ** (tick + decade))),
          },
    y: {
      each: 42,
      above: 17,
      name: (row) => drawnName(row, texts, width),
      end: ({ total, year }) => (year === null ? formatCompact(total) : texts.totalAndYear(formatCompact(total), year)),
      look: ({ year }) => (year === null ? 'own' : 'name'),
      endLook: () => 'number',
    },
    marks: ({ stack }) => [
      stack({
        height: barHeight,
        least: 1,
        key: parts.map((part) => [`part ${part}`, texts.parts[part]] as const),
        parts: (row) =>
          parts
            .filter((part) => row.roles[part] > 0)
            .map((part) => {
              const share = row.roles[part] / row.total;
              return {
                look: `part ${part}`,
                value: share * (scale === 'share' ? 1 : lengthOf(row)),
                title: `${texts.parts[part]}: ${formatCompact(row.roles[part])}, ${percent(share)}%`,
                over: ({ x, width: wide }, middle) =>
                  wide < spaceOfWords
                    ? ''
                    : svg`<text class="in-part on-${part}" x=${x + 6} y=${middle} dominant-baseline="central">${percent(share)}%</text>`,
              };
            }),
      }),
      pointing !== undefined && places(texts, pointing),
    ],
    describe: (row) => rowInWords(row, texts),
    caption: texts.data,
    head: [texts.model, texts.year, texts.total, ...parts.map((part) => texts.parts[part])],
    cells: (row) => [
      nameOf(row, texts),
      row.year === null ? '' : String(row.year),
      formatWhole(row.total),
      ...parts.map((part) => formatWhole(row.roles[part])),
    ],
  });
}

/** The drawing as a group of bars: arrow keys, Home and End go from one to the next, Enter or a click keeps its words. */
export function barsOf(rows: readonly MapRow[], view: MapView & { readonly pointing: Pointing }): Plot<MapRow> {
  const { texts, width, pointing } = view;
  const drawn = drawingOf(rows, view);
  const { content, frame, rowAt } = drawn;
  const under = (event: MouseEvent): MapRow | null => {
    const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    return rows[rowAt(event.clientY - box.top)] ?? null;
  };
  const choose = (row: MapRow | null): void => {
    if (row !== null) pointing.onChoose(row);
  };
  const onKey = (event: KeyboardEvent): void => {
    const stop = stopOf(rows, pointing);
    if (stop === null) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(stop);
      return;
    }
    const at = rows.indexOf(stop);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const next = to === undefined ? undefined : Math.min(rows.length - 1, Math.max(0, to));
    if (next === undefined) return;
    event.preventDefault();
    (event.currentTarget as SVGSVGElement).querySelectorAll<SVGGElement>('.place')[next]?.focus();
  };
  const drawing: TemplateResult = html`<svg
    class="bars"
    data-picture
    role="group"
    aria-label=${texts.bars(formatWhole(rows.length))}
    width=${width}
    height=${frame.height}
    viewBox="0 0 ${width} ${frame.height}"
    @pointermove=${(event: PointerEvent) => pointing.onPoint(under(event))}
    @pointerleave=${() => pointing.onPoint(null)}
    @click=${(event: MouseEvent) => choose(under(event))}
    @keydown=${onKey}
  >
    ${content}
  </svg>`;
  return { ...drawn, drawing };
}
