import { css, html, svg, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Mark } from '../../../charts/marks.js';
import { plot, type Plot } from '../../../charts/plot.js';
import { segmented } from '../../../elements/shared/controls.js';
import { looks } from '../../../elements/shared/looks.js';
import { TableFigure } from './table-figure.js';

/** Losses after a step: with both tables, without the one that writes, and without the one that reads. */
interface Losses {
  readonly step: number;
  readonly both: number;
  readonly writing: number;
  readonly reading: number;
}
export type Missing = 'nothing' | 'writing' | 'reading';

/** Short, so that a phone has them side by side. */
const choices = [
  { value: 'nothing', label: 'none' },
  { value: 'writing', label: 'writing' },
  { value: 'reading', label: 'reading' },
] as const;
/** What the model has then. */
const left: Readonly<Record<Missing, string>> = {
  nothing: 'both tables',
  writing: 'no writing table',
  reading: 'no reading table',
};

const without = (losses: Losses, missing: Missing): number => losses[missing === 'nothing' ? 'both' : missing];

/** The end of the training, in words. */
export function sentenceOf(rows: readonly Losses[], missing: Missing, guessing: number): string {
  const last = rows.at(-1)!;
  const { step, both } = last;
  if (missing === 'nothing')
    return `After ${step} steps the model with its two tables has a loss of ${both.toFixed(2)} nats. Now lose one of them.`;
  const [lost, kept] = missing === 'writing' ? ['writes', 'reads'] : ['reads', 'writes'];
  const loss = without(last, missing);
  const beside = loss > guessing ? 'worse than' : loss < guessing ? 'better than' : 'as bad as';
  return `Without the table that ${lost}, the one that ${kept} does both, and the loss is ${loss.toFixed(2)} nats: ${beside} guessing (${guessing.toFixed(2)}).`;
}

const guessingLine = (guessing: number): Mark<Losses> => ({
  draw: ({ x, y, plot: { right } }) =>
    svg`<text class="faint named" x=${right} y=${y(guessing) - 6} text-anchor="end">guessing</text>
      <path class="level" d="M${x(0)} ${y(guessing)}H${right}"></path>`,
});

export const lostPlot = (
  rows: readonly Losses[],
  missing: Missing,
  { width, guessing }: { width: number; guessing: number },
): Plot<Losses> =>
  plot({
    rows,
    width,
    plotHeight: 200,
    margin: { left: 34, right: 14 },
    x: {
      domain: [0, rows.at(-1)!.step],
      ticks: [0, 200, 400, 600],
      lines: 'below',
      format: (tick) => (tick === 0 ? 'step 0' : String(tick)),
    },
    y: { domain: [2.5, 9.5], ticks: [3, 5, 7, 9], title: 'loss, nats per token' },
    marks: (marks) => [
      missing !== 'nothing' &&
        marks.line({
          look: 'lost',
          key: left[missing],
          x: ({ step }) => step,
          y: (losses) => without(losses, missing),
        }),
      marks.line({ look: 'untied', key: 'both tables', x: ({ step }) => step, y: ({ both }) => both }),
      guessingLine(guessing),
    ],
    describe: (losses) => `Step ${losses.step}: ${without(losses, missing).toFixed(2)}.`,
    label: (words) => `Loss of the model with ${left[missing]}. ${words}`,
  });

/**
 * `<article-lost-table>`: an untied model in training, and what is left of it if a program drops one of its tables and gives the other
 * one both roles. Draws the table that it holds.
 */
export class LostTable extends TableFigure {
  static override styles: CSSResultGroup = [
    TableFigure.styles,
    css`
      .read-out {
        --read-out-narrow: 4lh;
      }

      ${looks({
        '.line.untied': { fill: 'none', stroke: 'untied', 'stroke-width': 2.25, 'stroke-dasharray': '7 3' },
        '.line.lost': { fill: 'none', stroke: 'accent', 'stroke-width': 2.5 },
        '.level': { fill: 'none', stroke: 'floor', 'stroke-width': 1.25, 'stroke-dasharray': '2 4' },
      })}
    `,
  ];

  @state() private missing: Missing = 'nothing';

  protected override render(): TemplateResult {
    const read = this.rows;
    if (read.length === 0) return html`<slot></slot>`;
    const guessing = read[0]!.numbers[3]!;
    const rows = read.map(({ name, numbers: [both, writing, reading] }): Losses => {
      return { step: Number(name), both: both!, writing: writing!, reading: reading! };
    });
    return this.frame(
      segmented({
        legend: 'Table lost',
        name: 'missing',
        value: this.missing,
        choices,
        onChoose: (chosen) => {
          this.missing = chosen;
        },
      }),
      lostPlot(rows, this.missing, { width: this.width, guessing }),
      sentenceOf(rows, this.missing, guessing),
    );
  }
}
