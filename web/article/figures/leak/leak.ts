import { css, html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { Announcer } from '../../../elements/shared/announcer.js';
import { button } from '../../../elements/shared/controls.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { dataTable } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { LabLease } from '../../../elements/shared/lab-lease.js';
import { looks } from '../../../elements/shared/looks.js';
import { Task } from '../../../elements/shared/task.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';
import { builtInTexts } from '../../../texts/index.js';
import { characterPairs, type PairTable } from '../direction/floors.js';
import { valuesPlot } from './drawings.js';
import { plan, trainAndRead, type Reading } from './measure.js';
import { leakPlan, tiedSentence, untiedSentence } from './sentences.js';

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

  @state() private readings: readonly Reading[] = [];
  @state() private problem: string | null = null;
  @state() private pairs: PairTable | null = null;
  #runs = 0;
  private readonly labs = new LabLease(this);
  private readonly announcer = new Announcer(this);
  private readonly width = new WidthWatcher(this, '.part', 560);
  private readonly training = new Task<number, void>(this, {
    order: 'replace',
    run: (run, signal) => this.#train(run, signal),
    failed: (error) => {
      this.problem = error instanceof Error ? error.message : String(error);
    },
  });

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.pairs !== null) return;
    void builtInTexts[0]!.load().then((text) => {
      this.pairs = characterPairs(text);
    });
  }

  async #train(run: number, signal: AbortSignal): Promise<void> {
    const { pairs } = this;
    if (pairs === null) return;
    const readings = await this.labs.ask((lab) => trainAndRead(lab, pairs, run, signal));
    if (signal.aborted) return;
    this.#runs = run;
    this.readings = readings;
    this.announcer.announce(this.#sentences.join(' '));
  }

  get #sentences(): readonly string[] {
    const [tied, untied] = this.readings;
    return tied === undefined || untied === undefined ? [] : [tiedSentence(tied), untiedSentence(untied)];
  }

  #press(): void {
    if (this.training.pending) return;
    this.problem = null;
    void this.training.request(this.#runs + 1);
  }

  protected override render(): TemplateResult {
    const drawn = valuesPlot(this.readings, Math.min(640, this.width.width));
    const label = this.training.pending
      ? 'Training …'
      : this.#runs === 0
        ? 'Train both, and read their logits'
        : 'Another width, another start';
    return html`<div class="frame">
      <div class="part">
        ${drawn.key} ${drawn.drawing}
        <div class="row">
          ${button({ label, kind: 'primary', disabled: this.training.pending || this.pairs === null, onPress: () => this.#press() })}
        </div>
        ${this.#sentences.length === 0 ? html`<p class="read-out">${leakPlan}</p>` : this.#sentences.map((words) => html`<p class="read-out">${words}</p>`)}
        <details>
          <summary>Numbers and set-up</summary>
          <p>
            Story’s ${this.pairs?.size ?? ''} characters, closed to a circle; ${plan.steps} steps of AdamW on all pairs
            at once, at a rate of ${plan.learningRate}. Rounding: what single precision leaves of a singular value that
            is 0.
          </p>
          ${drawn.table.rows.length === 0 ? nothing : html`<div class="data" tabindex="0" role="region" aria-label="Numbers">${dataTable(drawn.table)}</div>`}
        </details>
      </div>
      <div role="alert">${this.problem === null ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
      <div class="visually-hidden" role="status">${this.announcer.text}</div>
    </div>`;
  }
}
