import { circle, square } from '../../../charts/drawing.js';
import { plot, type Plot } from '../../../charts/plot.js';
import { kinds, type Kind, type Leak } from './measure.js';

/** Singular values that are shown, and the least of them: smaller ones are drawn there. */
const shown = 28;
const least = 1e-7;

interface Row {
  readonly at: number;
  readonly values: Readonly<Record<Kind, number | null>>;
}

const names: Readonly<Record<Kind, string>> = { tied: 'one table', untied: 'two tables' };

const drawn = (value: number | null): number | null => (value === null ? null : Math.max(value, least));

/** The singular values of both models' logits, with the means of rows and columns taken off. */
export function valuesPlot(leaks: readonly Leak[], width: number): Plot<Row> {
  const of = (kind: Kind): Leak | undefined => leaks.find((one) => one.kind === kind);
  const rows = Array.from({ length: leaks.length === 0 ? 0 : shown }, (_, index): Row => {
    const value = (kind: Kind): number | null => of(kind)?.singularValues[index] ?? null;
    return { at: index + 1, values: { tied: value('tied'), untied: value('untied') } };
  });
  const tolerance = Math.max(...leaks.map((one) => one.tolerance));
  return plot({
    rows,
    width,
    plotHeight: 170,
    margin: { left: 66, right: 12 },
    x: {
      domain: [0, shown + 1],
      ticks: [1, 10, 20],
      lines: 'below',
      format: (tick) => (tick === 1 ? '1st' : `${tick}th`),
    },
    y: {
      kind: 'log',
      domain: [least, 1e3],
      ticks: [1e-6, 1e-3, 1, 1e3],
      format: (tick) => (tick >= 1 ? tick.toLocaleString('en') : String(tick)),
      title: 'singular values of the logits',
    },
    marks: (marks) => [
      marks.dots({
        look: 'mark tied',
        key: names.tied,
        sign: circle(4.5),
        x: ({ at }) => at,
        y: ({ values }) => drawn(values.tied),
      }),
      marks.dots({
        look: 'mark untied',
        key: names.untied,
        sign: square(4),
        x: ({ at }) => at,
        y: ({ values }) => drawn(values.untied),
      }),
      rows.length > 0 && marks.line({ look: 'level', key: 'rounding', x: ({ at }) => at, y: () => tolerance }),
    ],
    describe: ({ at, values }) =>
      kinds.map((kind) => `${names[kind]}, ${at}: ${values[kind]?.toPrecision(2) ?? '–'}.`).join(' '),
    caption: 'Singular values of the logits, with the means of rows and columns taken off',
    head: ['', names.tied, names.untied],
    cells: ({ at, values }) => [String(at), ...kinds.map((kind) => values[kind]?.toExponential(1) ?? '–')],
  });
}
