import { nothing, svg } from 'lit';
import { circle, diamond, type Sign } from '../../charts/drawing.js';
import { plot, type Plot } from '../../charts/plot.js';
import { angleOfCosine, angleOfRatio } from '../../charts/right-triangle.js';
import type { HiddenStatesStrings } from './hidden-states.strings.js';
import { perTable, tableNames, type Beside, type PerTable, type Split } from './measure.js';
import { symbolsInSvg } from './symbols.js';
import { cosine, ratio } from './in-words.js';

/** With fewer pixels per position than this, only the chosen token is written. */
const leastStep = 11;
/** Degrees between two lines of the grid. */
const spacing = 15;
/** Each table has its own sign, for readers who can't tell the colors apart. */
const signs: PerTable<Sign> = { tied: circle(4), writing: diamond(5), reading: diamond(5) };

/** What the drawings show for a prompt. */
export interface View {
  readonly texts: HiddenStatesStrings;
  readonly tokens: readonly string[];
  readonly splits: PerTable<Split>;
  /** The chosen position, from 0. */
  readonly at: number;
  readonly here: PerTable<Beside>;
  /** The ratio by chance; null: not drawn. */
  readonly baseline: number | null;
  readonly width: number;
}

const degrees = (angle: number): string => `${angle.toFixed(0)}°`;

/** Of the angles that are drawn; their sign is lost in ratios. */
function medianAngle({ positions }: Split): number {
  const angles = positions.map(({ cosine }) => angleOfCosine(cosine)).sort((a, b) => a - b);
  const middle = (angles.length - 1) / 2;
  return (angles[Math.floor(middle)]! + angles[Math.ceil(middle)]!) / 2;
}

/** The angle between h and its word's row at every position, in each table, with the medians over the prompt. */
export function anglePlot(view: View): Plot {
  const { texts, tokens, splits, at, baseline, width } = view;
  const rows = splits.tied.positions.map((_, index) => perTable((name) => splits[name].positions[index]!));
  const angles = rows.flatMap((row) => tableNames.map((name) => angleOfCosine(row[name].cosine)));
  const [least, most] = [Math.min(40, ...angles) - 4, Math.max(100, ...angles) + 4];
  const [first, last] = [Math.ceil(least / spacing), Math.floor(most / spacing)];
  const longestToken = Math.max(...tokens.map((token) => token.length));
  const [low, high] = [baseline ?? 0, -(baseline ?? 0)].map(angleOfRatio) as [number, number];
  return plot({
    rows,
    width,
    plotHeight: 210,
    margin: { left: 40, top: 26, bottom: 14 + 7.5 * longestToken },
    x: { each: 'fit' },
    y: {
      domain: [least, most],
      ticks: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * spacing),
      format: degrees,
      title: symbolsInSvg(texts.angleAxis),
    },
    marks: ({ dots, column, level, band }) => [
      ...tableNames.map((name) =>
        dots({
          y: (row) => angleOfCosine(row[name].cosine),
          ...{ look: `mark ${name}`, sign: signs[name] },
          key: texts.median(texts.tables[name], degrees(medianAngle(splits[name]))),
        }),
      ),
      column({ look: 'chosen', at }),
      baseline !== null && level({ y: low, look: 'baseline' }),
      baseline !== null &&
        band({ y: [low, high], look: 'by-chance', key: texts.chanceKey(degrees(low), degrees(high)) }),
      {
        draw: ({ plot: { bottom }, place, step }) =>
          tokens.slice(0, rows.length).map((token, index) =>
            step < leastStep && index !== at
              ? nothing
              : svg`<text class="token" font-weight=${index === at ? 650 : 400} text-anchor="end" dominant-baseline="central"
                    transform="translate(${place(index)} ${bottom + 8}) rotate(-90)">${token}</text>`,
          ),
      },
    ],
    caption: texts.dataPositions,
    head: ['', ...tableNames.map((name) => texts.tables[name])],
    cells: (row, index) => [
      tokens[index] ?? '',
      ...tableNames.map((name) => texts.cell(row[name].target, cosine(row[name].cosine), ratio(row[name].ratio))),
    ],
  });
}
