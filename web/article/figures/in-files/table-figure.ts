import { css, html, LitElement, type CSSResultGroup, type TemplateResult } from 'lit';
import type { Plot } from '../../../charts/plot.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { looks } from '../../../elements/shared/looks.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';

/** The rows of the table that the build put into a figure: what the page shows without scripts is what the figure draws. */
interface TableRow {
  /** The header of the row. */
  readonly name: string;
  /** The other cells; one that has no number is NaN. */
  readonly numbers: readonly number[];
}

const numberIn = (text: string): number => Number.parseFloat(text.replace('−', '-').replaceAll(',', ''));

/** A figure that draws the table that it holds, with one choice above it and one sentence below. */
export abstract class TableFigure extends LitElement {
  static override styles: CSSResultGroup = [
    tokens,
    base,
    controlStyles,
    figureStyles,
    css`
      .read-out {
        --read-out: 2lh;
        --read-out-narrow: 5lh;

        margin-block: var(--t-space-2) 0;
        font-size: 1rem;
      }

      ${looks({ '.named': { halo: 5 } })}
    `,
  ];

  private readonly watcher = new WidthWatcher(this, '.frame', 640);

  /** Of the drawing. */
  protected get width(): number {
    return Math.min(720, this.watcher.width);
  }

  protected get rows(): TableRow[] {
    return [...this.querySelectorAll('tbody tr')].map((row) => {
      const [name, ...cells] = [...row.children].map((cell) => cell.textContent.trim());
      return { name: name ?? '', numbers: cells.map(numberIn) };
    });
  }

  protected frame(choice: TemplateResult, { key, drawing }: Plot, sentence: string): TemplateResult {
    return html`<div class="frame">
      ${choice} ${key} ${drawing}
      <p class="read-out" role="status">${sentence}</p>
      <details>
        <summary>Numbers</summary>
        <slot></slot>
      </details>
    </div>`;
  }
}
