import { css, html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { dataTable } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { looks } from '../../../elements/shared/looks.js';
import { positionSlider, positionSliderStyles } from '../../../elements/shared/position-slider.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';
import { apartPlot, placesOf, positions, tentPlot, type Layout } from './drawings.js';
import { StoryTraining } from '../story-training.js';
import { floorsAlong, type Floors, type PairCounts } from './floors.js';
import { costSentence, trainedSentence, trainingPlan } from './sentences.js';
import { runPlan, trainAll, type Moment } from './train.js';

/** From this width on, `.halves` has two columns (shared/figure.styles.ts). */
const sideBySide = 800;

const styles = css`
  .charts {
    row-gap: var(--t-space-2);
  }

  .row.note {
    min-block-size: 22px;
    margin-block: 0 var(--t-space-1);
  }

  .row {
    margin-block-start: var(--t-space-2);
    gap: var(--t-space-2) var(--t-space-3);
  }

  .read-out {
    --read-out: 1lh;
    --read-out-narrow: 1lh;

    margin-block-start: 0;
    font-size: 1rem;
  }

  /* Kept for the sentence that a run ends with. */
  .trained {
    --read-out: 3lh;
    --read-out-narrow: 3lh;

    margin-block-start: var(--t-space-2);
  }

  @container (max-width: 340px) {
    .read-out {
      --read-out-narrow: 2lh;
    }

    .trained {
      --read-out-narrow: 4lh;
    }
  }

  .position-slider {
    cursor: ew-resize;
  }

  @media print {
    .row:not(.note) {
      display: none;
    }
  }

  ${looks({
    '.named': { halo: 5 },
    '.price': { fill: 'accent', 'fill-opacity': 0.12 },
    '.bigram': { fill: 'none', stroke: 'ink', 'stroke-width': 2 },
    '.level': { fill: 'none', stroke: 'floor', 'stroke-width': 1.25, 'stroke-dasharray': '2 4' },
    '.cost': { stroke: 'accent', 'stroke-width': 4 },
    '.cursor': { stroke: 'accent', 'stroke-width': 1 },
    '.rounding': { fill: 'floor', 'fill-opacity': 0.12 },
    '.handle': { fill: 'accent', stroke: 'paper', 'stroke-width': 2 },
    '.line.tied': { fill: 'none', stroke: 'tied', 'stroke-width': 2.25 },
    '.line.untied': { fill: 'none', stroke: 'untied', 'stroke-width': 2.25, 'stroke-dasharray': '7 3' },
  })}
`;

/**
 * `<article-direction>`: the floors of the built-in story while more and more of its pairs are read backward, and ten models trained
 * on such mixtures. Those with one table cannot notice.
 */
export class ArticleDirection extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, figureStyles, positionSliderStyles, styles];

  @state() private at = 0;
  @state() private moments: readonly Moment[] = [];
  private readonly width = new WidthWatcher(this, '.part', 460);
  private readonly frame = new WidthWatcher(this, '.frame', 900);
  private readonly training = new StoryTraining(this, {
    train: async (lab, pairs, seed, signal) => {
      this.moments = [];
      for await (const moment of trainAll(lab, pairs, seed)) {
        if (signal.aborted) return;
        this.moments = [...this.moments, moment];
      }
    },
    words: () => this.#trained,
  });
  /** Computed once: the dot is dragged over them. */
  #floors: readonly Floors[] | null = null;

  get #isTrained(): boolean {
    return this.moments.at(-1)?.step === runPlan.steps;
  }

  get #trained(): string {
    return this.#isTrained ? trainedSentence(this.moments.at(-1)!) : '';
  }

  get #button(): string {
    const last = this.moments.at(-1);
    if (this.training.pending)
      return `Step ${(last?.step ?? 0).toLocaleString('en')} of ${runPlan.steps.toLocaleString('en')}`;
    return this.training.runs === 0 ? 'Train ten models' : 'Train again, from another start';
  }

  #charts(pairs: PairCounts): TemplateResult {
    const { at, moments } = this;
    const width = Math.min(560, this.width.width);
    const layout: Layout = this.frame.width < sideBySide ? 'narrow' : 'wide';
    this.#floors ??= floorsAlong(pairs, positions);
    const places = placesOf(this.#floors, moments.at(-1) ?? null);
    const tent = tentPlot(places, at, width, layout);
    const apart = apartPlot(moments, runPlan.steps, width, layout);
    return html`<div class="charts halves">
      <div class="part">
        ${tent.key}
        ${positionSlider({
          label: 'Share of pairs read backward',
          at,
          count: positions,
          words: costSentence(places[at]!),
          positionAt: (x) => Math.round(tent.frame.x.invert(x) * (positions - 1)),
          onChoose: (chosen) => (this.at = chosen),
          drawing: tent.drawing,
        })}
      </div>
      <div class="part">
        <p class="read-out">${costSentence(places[at]!)}</p>
        ${this.training.button(this.#button)}
        <p class="read-out trained">${this.#isTrained ? this.#trained : trainingPlan}</p>
        <details>
          <summary>How far apart, numbers and set-up</summary>
          ${apart.key} ${apart.drawing}
          <p>
            Story’s ${pairs.size} characters, closed to a circle; ${runPlan.dModel} dimensions; gradient descent at a
            rate of ${runPlan.learningRate} on all pairs at once, in single precision. All five models of a kind start
            alike.
          </p>
          <div class="data" tabindex="0" role="region" aria-label="Numbers">
            ${dataTable(tent.table)} ${apart.table.rows.length === 0 ? nothing : dataTable(apart.table)}
          </div>
        </details>
      </div>
    </div>`;
  }

  protected override render(): TemplateResult {
    const { pairs } = this.training;
    return html`<div class="frame">
      ${pairs === null ? html`<div class="part"></div>` : this.#charts(pairs)} ${this.training.messages()}
    </div>`;
  }
}
