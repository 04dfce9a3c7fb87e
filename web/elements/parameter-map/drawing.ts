import { svg } from 'lit';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
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

/** A part has its share in words if there is space. */
const spaceOfWords = 40;

export function drawingOf(
  rows: readonly MapRow[],
  { texts, width, scale }: { readonly texts: ParameterMapStrings; readonly width: number; readonly scale: Scale },
): Plot<MapRow> {
  const inWords = (row: MapRow): string =>
    parts
      .filter((part) => row.roles[part] > 0)
      .map((part) => texts.part(percent(row.roles[part] / row.total), texts.parts[part]))
      .join(', ');
  const nameOf = ({ name, year }: MapRow): string => (year === null ? texts.own(name) : name);
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
      name: nameOf,
      end: ({ total, year }) => (year === null ? formatCompact(total) : texts.totalAndYear(formatCompact(total), year)),
      look: ({ year }) => (year === null ? 'own' : 'name'),
      endLook: () => 'number',
    },
    marks: ({ stack }) => [
      stack({
        height: 15,
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
    ],
    describe: (row) => texts.row(nameOf(row), formatCompact(row.total), inWords(row)),
    caption: texts.data,
    head: [texts.model, texts.year, texts.total, ...parts.map((part) => texts.parts[part])],
    cells: (row) => [
      nameOf(row),
      row.year === null ? '' : String(row.year),
      formatWhole(row.total),
      ...parts.map((part) => formatWhole(row.roles[part])),
    ],
  });
}
