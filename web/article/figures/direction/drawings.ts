import { nothing, svg } from 'lit';
import { circle, square } from '../../../charts/drawing.js';
import type { Mark } from '../../../charts/marks.js';
import { polygon, type Point } from '../../../charts/paths.js';
import { plot, type Plot } from '../../../charts/plot.js';
import { shares, type Moment } from './train.js';
import type { Floors } from './floors.js';

/** What the text allows at one share of pairs that are read backward, and what trained models reach there. */
export interface Place extends Floors {
  readonly backward: number;
  readonly tied: number | null;
  readonly untied: number | null;
}

/** Positions of the slider, from all forward to all backward. */
export const positions = 41;

/** `floors`: one of each position. */
export function placesOf(floors: readonly Floors[], moment: Moment | null): Place[] {
  return floors.map((floor, at) => {
    const backward = at / (positions - 1);
    const trained = shares.findIndex((share) => share === backward);
    return {
      backward,
      ...floor,
      tied: moment?.tied.losses[trained] ?? null,
      untied: moment?.untied.losses[trained] ?? null,
    };
  });
}

const losses = { domain: [2.2, 3.15], ticks: [2.4, 2.6, 2.8, 3] } as const;
const plotHeights = { wide: [180, 140], narrow: [150, 120] } as const;
export type Layout = keyof typeof plotHeights;
const left = 40;

/** What symmetry costs, as an area, and at the chosen share as a line. */
const price = (chosen: number): Mark<Place> => ({
  draw: ({ rows, x, y, plot: { bottom } }) => {
    const upper = rows.map((row): Point => [x(row.backward), y(row.symmetric)]);
    const lower = rows.map((row): Point => [x(row.backward), y(row.bigram)]);
    const { backward, symmetric, bigram } = rows[chosen]!;
    const at = x(backward);
    return svg`<path class="price" d=${polygon([...upper, ...lower.reverse()])}></path>
      <path class="cursor" d="M${at} ${y(bigram)}V${bottom}"></path>
      <path class="cost" d="M${at} ${y(symmetric)}V${y(bigram)}"></path>
      <circle class="handle" cx=${at} cy=${bottom} r="9"></circle>`;
  },
});

/** Names of the lines, where nothing else is drawn. */
const lineNames: Mark<Place> = {
  draw: ({ rows, x, y }) => {
    const middle = rows[(rows.length - 1) / 2]!;
    return svg`<text class="faint named" x=${x(0) + 6} y=${y(middle.unigram) - 7}>unigram floor</text>
      <text class="faint named" x=${x(0) + 6} y=${y(middle.symmetric) - 7}>symmetric floor</text>
      <text class="faint named" x=${x(0.5)} y=${y(middle.bigram) + 40} text-anchor="middle">bigram floor</text>`;
  },
};

const ends: Readonly<Record<number, string>> = { 0: 'forward', 0.5: 'either way', 1: 'backward' };

export const tentPlot = (places: readonly Place[], chosen: number, width: number, layout: Layout): Plot<Place> =>
  plot({
    rows: places,
    width,
    plotHeight: plotHeights[layout][0],
    margin: { left, right: 12 },
    x: { domain: [0, 1], ticks: [0, 0.5, 1], format: (tick) => ends[tick] ?? '', lines: 'below' },
    y: { ...losses, title: 'loss, nats per character' },
    marks: (marks) => [
      marks.dots({ look: 'mark tied', key: 'one table', sign: circle(5.5), y: ({ tied }) => inView(tied), x: share }),
      marks.dots({
        look: 'mark untied',
        key: 'two tables',
        sign: square(5),
        y: ({ untied }) => inView(untied),
        x: share,
      }),
      lineNames,
      price(chosen),
      marks.line({ look: 'bigram', y: ({ bigram }) => bigram, x: share }),
      marks.line({ look: 'level', y: ({ symmetric }) => symmetric, x: share }),
      marks.line({ look: 'level', y: ({ unigram }) => unigram, x: share }),
    ],
    caption: 'Losses by the share of pairs that are read backward, nats per character',
    head: ['Read backward', 'Unigram floor', 'Symmetric floor', 'Bigram floor', 'One table', 'Two tables'],
    cells: ({ backward, unigram, symmetric, bigram, tied, untied }) =>
      shares.some((one) => one === backward)
        ? [`${100 * backward}%`, ...[unigram, symmetric, bigram, tied, untied].map((loss) => loss?.toFixed(4) ?? '–')]
        : [],
  });

const share = ({ backward }: Place): number => backward;

/** A loss above the drawing waits at its upper edge. */
const inView = (loss: number | null): number | null => (loss === null ? null : Math.min(loss, losses.domain[1]));

/** 0.000001, without the e of small numbers. */
export const decimal = (value: number): string =>
  value === 0 ? '0' : value.toFixed(Math.max(0, Math.min(9, -Math.floor(Math.log10(value)))));

/** The same sums in another order differ by as much in single precision. */
const rounding: Mark<Moment> = {
  draw: ({ rows, x, y, plot: { right } }) =>
    svg`<text class="faint" x=${right - 6} y=${y(6e-8)} text-anchor="end">rounding</text>
      ${rows.length === 0 ? svg`<text class="faint named" x=${(x(0) + right) / 2} y=${y(1e-3)} text-anchor="middle">not trained yet</text>` : nothing}
      <rect class="rounding" x=${x(0)} y=${y(1e-6)} width=${right - x(0)} height=${y(1e-8) - y(1e-6)}></rect>`,
};

export const apartPlot = (moments: readonly Moment[], steps: number, width: number, layout: Layout): Plot<Moment> =>
  plot({
    rows: moments,
    width,
    plotHeight: plotHeights[layout][1],
    margin: { left: 66, right: 12 },
    x: {
      domain: [0, steps],
      ticks: [0, steps / 2, steps],
      lines: 'below',
      format: (tick) => (tick === 0 ? 'step 0' : tick.toLocaleString('en')),
    },
    y: {
      kind: 'log',
      domain: [1e-8, 10],
      ticks: [1e-6, 1e-4, 1e-2, 1],
      format: decimal,
      title: 'largest difference, forward against backward',
    },
    marks: (marks) => [
      rounding,
      marks.line({ look: 'tied', key: 'one table', x: ({ step }) => step, y: ({ tied }) => tied.apart }),
      marks.line({ look: 'untied', key: 'two tables', x: ({ step }) => step, y: ({ untied }) => untied.apart }),
    ],
    describe: ({ step, tied, untied }) =>
      step === steps
        ? `After ${step} steps: one table ${decimal(tied.apart)}, two tables ${decimal(untied.apart)}.`
        : '',
    label: (words) => `Largest difference between a model trained forward and one trained backward. ${words}`,
    caption: 'Largest difference of a number between the model trained forward and the one trained backward',
    head: ['Step', 'One table', 'Two tables', 'One table, moved'],
    cells: ({ step, tied, untied }) =>
      step % (steps / 5) === 0
        ? [String(step), tied.apart.toExponential(1), untied.apart.toExponential(1), tied.moved.toFixed(2)]
        : [],
  });
