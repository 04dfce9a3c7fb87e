import { nothing, svg } from 'lit';
import { diamond } from '../../../charts/drawing.js';
import type { Mark } from '../../../charts/marks.js';
import { polygon, type Point } from '../../../charts/paths.js';
import { plot, type Plot } from '../../../charts/plot.js';
import type { OneWay } from './measure.js';
import { placeOf, type Language } from './record.js';
import { nats } from './sentences.js';

/** A path of points, which a round stroke makes visible: one element for all texts. */
const points = (at: readonly Point[]): string => at.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('');

/** The 95% interval of every text, as a band. */
const band: Mark<Language> = {
  y: [({ price, halfWidth }) => [price - halfWidth, price + halfWidth]],
  key: { sign: svg`<rect class="interval" y="2" width="14" height="10"></rect>`, words: '95% interval' },
  draw: ({ rows, y, place }) => {
    const edge = (side: 1 | -1): Point[] =>
      rows.map(({ price, halfWidth }, at): Point => [place(at), y(price + side * halfWidth)]);
    return svg`<path class="interval" d=${polygon([...edge(1), ...edge(-1).reverse()])}></path>`;
  },
};

const dots = (look: string, of: (row: Language) => number, words: string): Mark<Language> => ({
  y: [of],
  key: { sign: svg`<path class=${look} d="M7 7h0"></path>`, words },
  draw: ({ rows, y, place }) =>
    svg`<path class=${look} d=${points(rows.map((row, at): Point => [place(at), y(of(row))]))}></path>`,
});

/** The chosen text, with its name where there is room for it. */
const chosenMark = (chosen: number): Mark<Language> => ({
  draw: ({ rows, y, place, plot: { left, right, bottom } }) => {
    const row = rows[chosen];
    if (row === undefined) return nothing;
    const [x, top] = [place(chosen), y(row.price)];
    const isRight = x > (left + right) / 2;
    return svg`<path class="cursor" d="M${x} ${top}V${bottom}"></path>
      <path class="chosen-interval" d="M${x} ${y(row.price - row.halfWidth)}V${y(row.price + row.halfWidth)}"></path>
      <circle class="handle" cx=${x} cy=${top} r="6"></circle>
      <text class="named" x=${isRight ? x - 10 : x + 10} y=${top - 12} text-anchor=${isRight ? 'end' : 'start'}>${row.name}</text>`;
  },
});

/** The reader's text: as high as its price, in its place among the others. */
const ownMark = (own: OneWay): Mark<Language> => ({
  y: [() => own.price],
  key: { sign: diamond(5)('own', 7, 7), words: 'your text' },
  draw: ({ rows, y, step, plot: { left, right } }) => {
    const at = y(own.price);
    return svg`<path class="own-line" d="M${left} ${at}H${right}"></path>
      ${diamond(7)('own', left + step * placeOf(rows, own.price), at)}`;
  },
});

export const languagesPlot = (
  rows: readonly Language[],
  chosen: number,
  own: OneWay | null,
  width: number,
): Plot<Language> =>
  plot({
    rows,
    width,
    plotHeight: 240,
    margin: { left: 34, right: 12, bottom: 26 },
    x: { each: 'fit' },
    y: {
      domain: [0, Math.max(0.65, own?.price ?? 0)],
      ticks: [0, 0.2, 0.4, 0.6],
      format: (tick) => tick.toFixed(1),
      title: 'price of symmetry, nats per letter',
    },
    marks: () => [
      chosenMark(chosen),
      own !== null && ownMark(own),
      dots('text', ({ price }) => price, 'a text'),
      dots('by-chance', ({ chance }) => chance, 'what chance alone gives'),
      band,
      ends,
    ],
    caption: 'The price of symmetry of texts, nats per letter, the least one-way first',
    head: ['Text', 'Price', 'Plus or minus', 'By chance', 'Of what a letter tells', 'Hundred letters', 'Signs'],
    cells: ({ name, price, halfWidth, chance, share, characters, symbols }) => [
      name,
      nats(price),
      nats(halfWidth),
      nats(chance),
      `${Math.round(100 * share)}%`,
      String(Math.round(characters / 100)),
      String(symbols),
    ],
  });

/** What the two ends mean, below the drawing. */
const ends: Mark<Language> = {
  draw: ({ plot: { left, right, bottom } }) =>
    svg`<text class="faint" x=${left} y=${bottom + 17}>least one-way</text>
      <text class="faint" x=${right} y=${bottom + 17} text-anchor="end">most</text>`,
};
