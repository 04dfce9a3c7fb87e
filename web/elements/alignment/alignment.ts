import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatNumber } from '../../charts/number-format.js';
import { button } from '../shared/controls.js';
import { dataTable, type Content, type FigureParts } from '../shared/figure.js';
import { ModelsFileError } from '../shared/models-file-error.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { fetchingText, startButton, withAbsoluteWeights } from '../shared/weights.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { alignmentSettings, settingsPanel, wordPanel, type Method } from './alignment.settings.js';
import { alignmentStrings, type AlignmentStrings } from './alignment.strings.js';
import { alignmentStyles } from './alignment.styles.js';
import { cosine, cosineAxis } from './cosine-axis.js';
import { readOutOf } from './read-out.js';
import {
  fetchTables,
  measureTables,
  neighborsListed,
  neighborsOf,
  openTables,
  pairs,
  tableNames,
  tokenOf,
  type Measured,
  type Neighbors,
  type Tables,
} from './tables.js';

/** What `tied-change` of this element carries: mean cosines with the tied table. */
export interface AlignmentChange {
  readonly method: Method;
  readonly writing: number;
  readonly reading: number;
  readonly word: string;
}

/**
 * `<tied-alignment weights="models.safetensors">`: the table of a tied model beside the reading and the writing table of
 * its untied twin, measured when the reader asks for it. Attributes: `weights` (the URL of the trained models), `method`
 * (`linear`, `orthogonal`, `identity`), `center` (`centered`, `as-is`), `hold-out` (`fifth`, `none`),
 * `chance` (`shown`, `hidden`), `word`.
 *
 * @fires {CustomEvent<AlignmentChange>} tied-change - The reader has measured, or has chosen another word.
 */
export class Alignment extends withSettings(TiedElement<AlignmentStrings>, alignmentSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, alignmentStyles];

  @state() private measured: Measured | null = null;
  @state() private listed: { readonly row: number; readonly neighbors: Neighbors } | null = null;
  /** Bytes that have arrived, or the fraction that is measured. */
  @state() private progress: { readonly bytes: number } | { readonly fraction: number } = { bytes: 0 };
  @state() private cancelled = false;

  protected readonly ownStrings = alignmentStrings;
  private tables: { readonly url: string; readonly of: Tables } | null = null;
  /** The reader has asked for the measurement; until then nothing is fetched. */
  private asked = false;
  /** The measurement begins with the next update. */
  private due = false;
  private byReader = false;
  private readonly width = new WidthWatcher(this, '.axis', 600);
  private readonly measuring = this.task<string>({
    order: 'replace',
    run: (url, signal) => this.measureFrom(url, signal),
    failed: (error) => {
      this.asked = false;
      if (error instanceof ModelsFileError) this.problem = this.texts.failed(error.reason);
      else this.fail(error);
    },
  });
  private readonly listing = this.task<number, Neighbors | null>({
    run: (row) => {
      const { tables } = this;
      return tables === null
        ? Promise.resolve(null)
        : this.askLab((lab) => neighborsOf(lab, tables.of, row, this.center === 'centered'));
    },
    done: (neighbors, row) => {
      this.listed = neighbors === null ? null : { row, neighbors };
    },
  });

  // ------------------------------------------------------------ measuring

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('weights') && this.tables?.url !== this.weights) this.forget();
    if (!this.asked) return;
    if (this.due || ['weights', 'method', 'center', 'holdOut'].some((name) => changed.has(name))) this.measure();
    if (['center', 'word'].some((name) => changed.has(name))) this.list();
  }

  protected override wake(): void {
    if (this.asked) this.measure();
  }

  private forget(): void {
    this.tables = null;
    this.measured = null;
    this.listed = null;
  }

  private measure(): void {
    const { weights } = this;
    if (weights === null) return;
    this.asked = true;
    this.due = false;
    this.cancelled = false;
    void this.measuring.request(weights);
  }

  private async measureFrom(url: string, signal: AbortSignal): Promise<void> {
    if (this.tables?.url !== url) {
      this.progress = { bytes: 0 };
      const onBytes = (bytes: number): void => {
        if (!signal.aborted) this.progress = { bytes };
      };
      const bytes = await fetchTables(url, { signal, onBytes });
      const tables = await this.askLab((lab) => openTables(lab, bytes, this.texts.otherFile));
      if (signal.aborted) return;
      this.tables = { url, of: tables };
    }
    const { of: tables } = this.tables;
    const question = {
      method: this.method,
      center: this.center === 'centered',
      holdOut: this.holdOut === 'fifth' && this.method !== 'identity',
    };
    const onProgress = (fraction: number): void => {
      if (!signal.aborted) this.progress = { fraction };
    };
    onProgress(0);
    const measured = await this.askLab((lab) => measureTables(lab, tables, question, { signal, onProgress }));
    if (signal.aborted) return;
    this.measured = measured;
    if (this.listed === null) this.list();
  }

  private list(): void {
    const row = tokenOf(this.tables?.of.names ?? [], this.word);
    if (row === -1) {
      this.listing.cancel();
      this.listed = null;
    } else void this.listing.request(row);
  }

  private stop(): void {
    this.asked = false;
    this.cancelled = true;
    this.measuring.cancel();
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.byReader = true;
    // The first use of a control asks for the measurement, too.
    if (this.asked || this.weights === null) return;
    this.asked = this.due = true;
    this.requestUpdate();
  }

  protected override updated(): void {
    const { measured } = this;
    if (!this.byReader || measured === null || this.measuring.pending || this.listing.pending) return;
    this.byReader = false;
    const { writing, reading } = measured.pairs;
    const change: AlignmentChange = {
      method: measured.question.method,
      writing: writing.alignment.meanCosine,
      reading: reading.alignment.meanCosine,
      word: this.word,
    };
    this.changed(change);
  }

  protected override settings(): Record<string, string> {
    return withAbsoluteWeights(super.settings());
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, measured } = this;
    const words = measured === null ? null : readOutOf(texts, measured, this.chance === 'shown');
    return {
      title: texts.title,
      controls: this.panel([...settingsPanel, 'start'], { start: this.renderStart() }),
      drawing: measured === null ? nothing : this.renderDrawing(measured),
      readOut: words === null ? this.waitingWords() : html`<strong>${words.claim}</strong> ${words.rest}`,
      announcement: words === null ? (this.cancelled ? texts.cancelled : '') : `${words.claim} ${words.rest}`,
      caption: texts.caption,
      hasPicture: measured !== null,
      ...(measured === null ? {} : { data: () => this.renderData(measured) }),
    };
  }

  private waitingWords(): string {
    const { texts, progress } = this;
    if (this.weights === null) return texts.noWeights;
    if (!this.measuring.pending) return this.cancelled ? texts.cancelled : texts.waiting;
    return 'bytes' in progress
      ? fetchingText(texts, progress.bytes)
      : texts.measuring(formatNumber(100 * progress.fraction, { decimals: 0 }));
  }

  private renderStart(): Content {
    if (this.measured !== null) return nothing;
    if (this.measuring.pending) return button({ label: this.texts.cancel, onPress: () => this.stop() });
    return startButton(this.texts, this.weights, () => {
      this.problem = null;
      this.byReader = true;
      this.measure();
    });
  }

  private renderDrawing(measured: Measured): TemplateResult {
    const { texts } = this;
    return html`
      <div class="axis">
        ${cosineAxis({ texts, measured, chance: this.chance === 'shown', width: this.width.width })}
      </div>
      <div class="words">
        <div class="row">${this.panel(wordPanel)}</div>
        ${this.renderNeighbors()}
      </div>
    `;
  }

  private nameOf(row: number): string {
    return this.tables?.of.names[row] ?? '';
  }

  private renderNeighbors(): Content {
    const { texts, listed } = this;
    if (listed === null) {
      const unknown = this.word.trim() !== '' && !this.listing.pending;
      return unknown ? html`<p class="note" role="status">${texts.noToken(this.word)}</p>` : nothing;
    }
    return html`
      <p class="part-title">${texts.wordTitle(this.nameOf(listed.row))}</p>
      <div class="lists">
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
                        @click=${() => {
                          this.changeSettings({ word: this.nameOf(one.row) });
                        }}
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
    const { texts, listed } = this;
    return html`
      ${dataTable({
        caption: texts.dataPairs,
        head: texts.dataPairsHead,
        rows: pairs.map(({ id }) => {
          const { alignment, overlap } = measured.pairs[id];
          const cells = [alignment.meanCosine, alignment.null.meanCosine, alignment.heldOut?.meanCosine];
          const numbers = [...cells, overlap.overlap, overlap.null];
          const shown = numbers.map((one) => (one === undefined ? '–' : formatNumber(one, { decimals: 3 })));
          return [texts.pairs[id], ...shown];
        }),
      })}
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
    `;
  }
}
