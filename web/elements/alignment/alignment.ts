import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Plot } from '../../charts/plot.js';
import type { Lab } from '../../core/types.js';
import { dataTable, titled, type Code, type Content, type FigureParts } from '../shared/figure.js';
import { wholePercent } from '../shared/in-words.js';
import type { Listening } from '../shared/model-twins.js';
import { saidOf, TwinMeasurement } from '../shared/twin-measurement.js';
import { withSettings } from '../shared/settings/with-settings.js';
import type { Values } from '../shared/settings/setting.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { alignmentSettings, settingsPanel, wordPanel, type Method } from './alignment.settings.js';
import { alignmentStrings, type AlignmentStrings } from './alignment.strings.js';
import { alignmentStyles } from './alignment.styles.js';
import { cosine, cosineAxis } from './cosine-axis.js';
import { measureOthers } from './other-measures.js';
import { othersData, othersView, othersWords, type OthersView } from './others-view.js';
import { summaryOf } from './summary.js';
import { tableNames, type Tables } from './compared-tables.js';
import {
  measureTables,
  neighborsListed,
  neighborsOf,
  openTables,
  tokenOf,
  type Measured,
  type Neighbors,
  type Question,
} from './tables.js';

/** Detail of this element's `tied-change`: mean cosines with the tied table. */
export interface AlignmentChange {
  readonly method: Method;
  readonly writing: number;
  readonly reading: number;
  readonly word: string;
}

/**
 * `<tied-alignment weights="models.safetensors">`: compares the table of a tied model with the input and the output
 * embedding of its untied twin, on the reader's request. Attributes: `weights` (the URL of the trained models),
 * `method` (`linear`, `orthogonal`, `identity`), `center` (`centered`, `as-is`), `hold-out` (`fifth`, `none`), `chance`
 * (`shown`, `hidden`), `word`, `other-measures` (if present, the section of other measures is open). Property:
 * `finished`, earlier measurements.
 *
 * @fires {CustomEvent<AlignmentChange>} tied-change - The reader has measured, or has chosen another word.
 */
export class Alignment extends withSettings(TiedElement<AlignmentStrings>, alignmentSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, alignmentStyles];

  /** Earlier measurements, shown until the reader measures. */
  @property({ attribute: false }) finished: readonly Measured[] = [];
  @state() private listed: { readonly row: number; readonly neighbors: Neighbors } | null = null;

  protected readonly ownStrings = alignmentStrings;
  /** The tables that were measured last. */
  private tables: Tables | null = null;
  private lastList: typeof this.listed = null;
  private readonly width = new WidthWatcher(this, '.axis', 600);
  private readonly models = new TwinMeasurement<Question, Measured, Tables>(this, {
    order: 'replace',
    ...this.ofFigure,
    weights: () => this.weights,
    openModels: openTables,
    question: () => this.question,
    // A measurement that includes the other measures also answers the question without them.
    questionOf: ({ question, others, words }) => ({
      ...question,
      others: others !== null && this.otherMeasures,
      tables: words === undefined && this.needsTables,
    }),
    measure: (...given) => this.measureWith(...given),
    working: (done) => this.texts.measuring(wholePercent(done ?? 0)),
    finished: () => this.finished,
    // A missing list of neighbors changes no number.
    otherQuestion: ({ question: shown }) => {
      const { method, center, holdOut } = this.question;
      const isSame = shown.method === method && shown.center === center && shown.holdOut === holdOut;
      return isSame ? null : this.texts.ofOtherSettings;
    },
    report: (shown) => {
      const settled = !this.listing.pending;
      if (settled) this.changed(this.changeOf(shown));
      return settled;
    },
  });
  private readonly listing = this.task<number, Neighbors | null>({
    run: (row) => {
      const { tables } = this;
      return tables === null
        ? Promise.resolve(null)
        : this.askLab((lab) => neighborsOf(lab, tables, row, this.center === 'centered'));
    },
    done: (neighbors, row) => {
      this.listed = neighbors === null ? null : { row, neighbors };
    },
  });

  // ------------------------------------------------------------ measuring

  private get question(): Question {
    const { method } = this;
    const holdOut = this.holdOut === 'fifth' && method !== 'identity';
    return {
      ...{ method, center: this.center === 'centered', holdOut, others: this.otherMeasures },
      tables: this.needsTables,
    };
  }

  /**
   * Whether the word's neighbors have to be looked up in the tables: the page's own measurement lists those of one word
   * only.
   */
  private get needsTables(): boolean {
    return this.finished[0]?.words?.word !== this.word;
  }

  protected override wake(): void {
    this.models.wake();
  }

  protected override changeSettings(changes: Values): void {
    this.models.change(() => super.changeSettings(changes));
  }

  protected override command(): (Code & { readonly label: string }) | null {
    const { commandOption: models } = this.models;
    return models === null ? null : this.replayCommand(this.texts.repeatMeasureHint, models);
  }

  private async measureWith(lab: Lab, tables: Tables, question: Question, listening: Listening): Promise<Measured> {
    const { shown } = this.models;
    const { center } = question;
    const { signal } = listening;
    // The other measures do not depend on the map.
    const known = tables === this.tables && shown?.question.center === center ? shown.others : null;
    const missing = question.others && known === null;
    // With the other measures still to come, agreement is a small part of the time.
    const first = missing ? { signal, onProgress: () => undefined } : listening;
    const measured = await measureTables(lab, tables, question, first);
    const others = missing ? await measureOthers(lab, tables, center, listening) : known;
    if (!signal.aborted && tables !== this.tables) {
      this.tables = tables;
      this.listed = null;
      this.list();
    }
    return { ...measured, others };
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.tables !== null && ['center', 'word'].some((name) => changed.has(name))) this.list();
  }

  private list(): void {
    const row = tokenOf(this.tables?.names ?? [], this.word);
    if (row === -1) {
      this.listing.cancel();
      this.listed = null;
    } else void this.listing.request(row);
  }

  private changeOf({ question, pairs: { writing, reading } }: Measured): AlignmentChange {
    return {
      method: question.method,
      writing: writing.alignment.meanCosine,
      reading: reading.alignment.meanCosine,
      word: this.word,
    };
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, models } = this;
    const { shown, cancelled } = models;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(settingsPanel, { models: models.modelsControl(), start: models.startButton() }),
      caption: texts.caption,
    };
    if (shown === null) {
      const announcement = cancelled ? texts.cancelled : '';
      return { ...frame, drawing: nothing, readOut: this.waitingWords(), announcement, hasPicture: false };
    }
    return {
      ...frame,
      drawing: this.renderDrawing(shown),
      ...saidOf(summaryOf(texts, shown, this.chance === 'shown'), models.origin),
      data: () => this.renderData(shown),
    };
  }

  protected override pictureNote(): string {
    return this.models.origin;
  }

  private waitingWords(): string {
    const { texts, models } = this;
    if (!models.canMeasure) return texts.noWeights;
    return models.status ?? (models.cancelled ? texts.cancelled : texts.waiting);
  }

  private axisOf(measured: Measured): Plot {
    return cosineAxis({ texts: this.texts, measured, chance: this.chance === 'shown', width: this.width.width });
  }

  private renderDrawing(measured: Measured): TemplateResult {
    const { texts } = this;
    return html`
      <div class="axis">${titled(texts.axisTitle, this.axisOf(measured))}</div>
      <p class="note" role="status">${this.otherMeasures ? nothing : this.models.noteOr(nothing)}</p>
      <div class="words rest">
        <div class="row">${this.panel(wordPanel)}</div>
        ${this.renderNeighbors()}
      </div>
      <details
        class=${this.otherMeasures ? 'others' : 'others rest'}
        ?open=${this.otherMeasures}
        @toggle=${this.onFold}
      >
        <summary>${texts.others}</summary>
        ${this.otherMeasures ? this.renderOthers(measured) : nothing}
      </details>
    `;
  }

  /** Also called when a link or an attribute opens it. */
  private onFold({ currentTarget }: Event): void {
    const { open } = currentTarget as HTMLDetailsElement;
    if (open !== this.otherMeasures) this.changeSettings({ otherMeasures: open });
  }

  private othersOf(measured: Measured): OthersView | null {
    const { texts, chance } = this;
    const { others } = measured;
    return others && { texts, measured, others, chance: chance === 'shown' };
  }

  private renderOthers(measured: Measured): TemplateResult {
    const view = this.othersOf(measured);
    const words = view === null ? (this.models.cancelled ? this.texts.cancelled : nothing) : othersWords(view);
    return html`
      <p role="status">${this.models.status ?? words}</p>
      ${view === null ? nothing : othersView(view)}
    `;
  }

  /** The available list: measured here, or when the page was built. */
  private get nearest(): { readonly row: number; readonly neighbors: Neighbors } | null {
    const words = this.models.shown?.words;
    return words?.word === this.word ? words : this.listed;
  }

  /** While the next list is computed, the last one stays: its words are buttons, one of which may have the focus. */
  private get shownList(): typeof this.listed {
    const { nearest } = this;
    if (nearest !== null) this.lastList = nearest;
    return nearest ?? (this.models.pending || this.listing.pending ? this.lastList : null);
  }

  private nameOf(row: number): string {
    const { tables, models } = this;
    return models.shown?.words?.names[row] ?? tables?.names[row] ?? '';
  }

  private renderNeighbors(): Content {
    const { texts, shownList: listed, lastList: last } = this;
    if (listed !== null) return this.renderLists(listed, texts.wordTitle(this.nameOf(listed.row)), true);
    const unknown = this.word.trim() !== '' && this.tables !== null && !this.listing.pending;
    const words = unknown ? texts.noToken(this.word) : '';
    // The last lists keep their place, unseen, so that nothing below moves.
    if (last !== null) return this.renderLists(last, html`<span role="status">${words}</span>`, false);
    return unknown ? html`<p class="note" role="status">${words}</p>` : nothing;
  }

  private renderLists(listed: NonNullable<typeof this.listed>, title: Content, seen: boolean): TemplateResult {
    const { texts } = this;
    return html`
      <p class="part-title">${title}</p>
      <div class="lists ${seen ? '' : 'unseen'}">
        ${tableNames.map(
          (table) =>
            html`<div>
              <p id=${table}>${texts.tables[table]}</p>
              <ol aria-labelledby=${table}>
                ${listed.neighbors[table].map(
                  (one) =>
                    html`<li>
                      <button
                        type="button"
                        class="line-button"
                        @click=${() => this.changeSettings({ word: this.nameOf(one.row) })}
                      >
                        <span>${this.nameOf(one.row)}</span> <span class="cosine">${cosine(one.cosine)}</span>
                      </button>
                    </li>`,
                )}
              </ol>
            </div>`,
        )}
      </div>
    `;
  }

  private renderData(measured: Measured): TemplateResult {
    const { texts, nearest: listed } = this;
    const view = this.othersOf(measured);
    return html`
      ${dataTable(this.axisOf(measured).table)}
      ${
        listed === null
          ? nothing
          : dataTable({
              caption: texts.dataNeighbors(this.nameOf(listed.row)),
              head: ['', ...tableNames.map((table) => texts.tables[table])],
              rows: Array.from({ length: neighborsListed }, (_, at) => [
                String(at + 1),
                ...tableNames.map((table) => {
                  const one = listed.neighbors[table][at];
                  return one === undefined ? '' : texts.neighbor(this.nameOf(one.row), cosine(one.cosine));
                }),
              ]),
            })
      }
      ${this.otherMeasures && view !== null ? othersData(view) : nothing}
    `;
  }
}
