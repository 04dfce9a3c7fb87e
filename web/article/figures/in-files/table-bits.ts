import { css, html, nothing, svg, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { circle, square } from '../../../charts/drawing.js';
import type { Mark } from '../../../charts/marks.js';
import { placeNames } from '../../../charts/place-names.js';
import { plot, type Plot } from '../../../charts/plot.js';
import { segmented } from '../../../elements/shared/controls.js';
import { looks } from '../../../elements/shared/looks.js';
import { TableFigure } from './table-figure.js';

/** Kilobytes of the tables and bits per byte of text, of both models in one kind of file. */
interface Packed {
  readonly packing: string;
  readonly tied: readonly [kilobytes: number, loss: number];
  readonly untied: readonly [kilobytes: number, loss: number];
  /** What tying saves of the bytes of two tables, in percent. */
  readonly saved: number;
}

const programs = [
  { value: 'llama.cpp', label: 'llama.cpp' },
  { value: 'MLX', label: 'MLX' },
] as const;
export type Program = (typeof programs)[number]['value'];

/** Of both models: the ends of what packing costs, and what tying saves of the bytes. */
export function sentenceOf(rows: readonly Packed[], program: Program): string {
  const shares = rows.map(({ saved }) => saved);
  const percent = (share: number): string => `${share.toFixed(0)}%`;
  const [most, least] = [Math.max(...shares), Math.min(...shares)];
  const saves = percent(most) === percent(least) ? percent(most) : `${percent(least)} to ${percent(most)}`;
  const last = rows.at(-1)!;
  const ahead = rows.every(({ tied, untied }) => untied[1] < tied[1]);
  return `In files of ${program}, tying saves ${saves} of the tables’ bytes. ${
    ahead ? 'In each, two tables predict better' : 'Not in all of them do two tables predict better'
  }; at ${last.packing}, ${last.untied[1].toFixed(3)} bits per byte against ${last.tied[1].toFixed(3)}.`;
}

/** What is between the two models of one kind of file. */
const pairs: Mark<Packed> = {
  draw: ({ rows, x, y }) =>
    rows.map(
      ({ tied, untied }) =>
        svg`<path class="pair" d="M${x(tied[0])} ${y(tied[1])}L${x(untied[0])} ${y(untied[1])}"></path>`,
    ),
};

/** The kinds of files, beside the models with two tables; on phones these are close together. */
const names: Mark<Packed> = {
  draw: ({ rows, x, y, plot: area }) => {
    const marks = rows.flatMap(({ packing, tied, untied }) => [
      { x: x(untied[0]), y: y(untied[1]), radius: 6, name: packing },
      { x: x(tied[0]), y: y(tied[1]), radius: 6 },
    ]);
    return placeNames(marks, [], area).names.map(
      ({ text, leader, ...at }) => svg`
        ${leader === undefined ? nothing : svg`<path class="leader" d="M${leader.x1} ${leader.y1}L${leader.x2} ${leader.y2}"></path>`}
        <text class="faint named packing" x=${at.x} y=${at.y} text-anchor=${at.anchor} dominant-baseline="central">${text}</text>`,
    );
  },
};

export function bitsPlot(rows: readonly Packed[], width: number): Plot<Packed> {
  const losses = rows.flatMap(({ tied, untied }) => [tied[1], untied[1]]);
  const room = 0.4 * (Math.max(...losses) - Math.min(...losses));
  return plot({
    rows,
    width,
    plotHeight: 260,
    margin: { left: 44, right: 30 },
    x: {
      kind: 'log',
      include: rows.flatMap(({ tied, untied }) => [0.9 * tied[0], 1.1 * untied[0]]),
      title: 'kilobytes of tables',
    },
    y: { domain: [Math.min(...losses) - room, Math.max(...losses) + room], title: 'bits per byte of text' },
    marks: (marks) => [
      marks.dots({
        look: 'mark tied',
        key: 'one table',
        sign: circle(5.5),
        x: ({ tied }) => tied[0],
        y: ({ tied }) => tied[1],
      }),
      marks.dots({
        look: 'mark untied',
        key: 'two tables',
        sign: square(5),
        x: ({ untied }) => untied[0],
        y: ({ untied }) => untied[1],
      }),
      names,
      pairs,
    ],
    describe: ({ packing, tied, untied }) =>
      `${packing}: one table ${tied[0].toFixed(0)} kilobytes, ${tied[1].toFixed(3)} bits per byte; two ${untied[0].toFixed(0)}, ${untied[1].toFixed(3)}.`,
    label: (words) => `Bits per byte of text by kilobytes of tables. ${words}`,
  });
}

/** `<article-table-bits>`: what one and two tables weigh in files, and how well the models predict. Draws the table that it holds. */
export class TableBits extends TableFigure {
  static override styles: CSSResultGroup = [
    TableFigure.styles,
    css`
      ${looks({
        '.pair': { stroke: 'floor', 'stroke-width': 1, 'stroke-dasharray': '2 4' },
        '.leader': { stroke: 'floor', 'stroke-width': 1 },
      })}

      /* As large as they are taken to be when they are placed. */
      .packing {
        font-size: 12px;
      }
    `,
  ];

  @state() private program: Program = 'llama.cpp';

  protected override render(): TemplateResult {
    const all = this.rows.map(({ name, numbers: [tiedBytes, tied, untiedBytes, untied, saved] }): Packed => {
      return { packing: name, tied: [tiedBytes!, tied!], untied: [untiedBytes!, untied!], saved: saved! };
    });
    const rows = all.filter(({ packing }) => packing.startsWith('mlx') === (this.program === 'MLX'));
    if (rows.length === 0) return html`<slot></slot>`;
    return this.frame(
      segmented({
        legend: 'Packed as by',
        name: 'program',
        value: this.program,
        choices: programs,
        onChoose: (chosen) => {
          this.program = chosen;
        },
      }),
      bitsPlot(rows, this.width),
      sentenceOf(rows, this.program),
    );
  }
}
