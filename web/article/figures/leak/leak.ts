import { css, html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { dataTable } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { looks } from '../../../elements/shared/looks.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';
import { StoryTraining } from '../story-training.js';
import { valuesPlot } from './drawings.js';
import { plan, trainAndRead, type FinishedLeak, type Leak } from './measure.js';
import { leakPlan, tiedSentence, trainedBeforehand, untiedSentence } from './sentences.js';

const styles = css`
  .row {
    margin-block-start: var(--t-space-2);
  }

  .read-out {
    margin-block: var(--t-space-2) 0;
    font-size: 1rem;
  }

  @media print {
    .row {
      display: none;
    }
  }

  ${looks({
    '.level': { fill: 'none', stroke: 'floor', 'stroke-width': 1.25, 'stroke-dasharray': '2 4' },
  })}
`;

/**
 * `<article-leak>`: two direct paths that the reader trains on the built-in story, of a width that is not shown, and what their logits alone tell
 * of it and of their tables.
 */
export class TableLeak extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, figureStyles, styles];

  /** A run that was trained beforehand, shown until the reader trains. */
  @property({ attribute: false }) finished: FinishedLeak | null = null;
  @state() private own: readonly Leak[] = [];
  private readonly width = new WidthWatcher(this, '.part', 560);
  private readonly training = new StoryTraining(this, {
    train: async (lab, pairs, run, signal) => {
      const leaks = await trainAndRead(lab, pairs, run, signal);
      if (!signal.aborted) this.own = leaks;
    },
    words: () => this.#sentences.join(' '),
  });

  private get leaks(): readonly Leak[] {
    return this.own.length > 0 ? this.own : (this.finished?.leaks ?? []);
  }

  get #sentences(): readonly string[] {
    const [tied, untied] = this.leaks;
    return tied === undefined || untied === undefined ? [] : [tiedSentence(tied), untiedSentence(untied)];
  }

  protected override render(): TemplateResult {
    const drawn = valuesPlot(this.leaks, Math.min(640, this.width.width));
    const { training } = this;
    const label = training.pending
      ? 'Training …'
      : training.runs === 0
        ? 'Train both, and read their logits'
        : 'Another width, another start';
    return html`<div class="frame">
      <div class="part">
        ${drawn.key} ${drawn.drawing} ${training.button(label)}
        ${this.own.length === 0 && this.leaks.length > 0 ? html`<p class="note">${trainedBeforehand}</p>` : nothing}
        ${this.#sentences.length === 0 ? html`<p class="read-out">${leakPlan}</p>` : this.#sentences.map((words) => html`<p class="read-out">${words}</p>`)}
        <details>
          <summary>Numbers and set-up</summary>
          <p>
            Story’s ${training.pairs?.size ?? ''} characters, closed to a circle; ${plan.steps} steps of AdamW on all
            pairs at once, at a rate of ${plan.learningRate}. Rounding: what single precision leaves of a singular value
            that is 0.
          </p>
          ${drawn.table.rows.length === 0 ? nothing : html`<div class="data" tabindex="0" role="region" aria-label="Numbers">${dataTable(drawn.table)}</div>`}
        </details>
      </div>
      ${training.messages()}
    </div>`;
  }
}
