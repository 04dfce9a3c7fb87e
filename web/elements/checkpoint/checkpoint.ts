import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import { button, fileButton } from '../shared/controls.js';
import { barsPicture, type NamedBar } from '../shared/bars.js';
import { FileDrop } from '../shared/file-drop.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import { mostDeaths } from '../shared/lab-lease.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { whenGone } from '../shared/when-gone.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import {
  CheckpointFileError,
  kindOf,
  largestFile,
  readBytes,
  type CheckpointFiles,
  type NamedBytes,
} from './checkpoint-files.js';
import { writingPanel, writingSettings } from './checkpoint.settings.js';
import { checkpointStrings, type CheckpointStrings } from './checkpoint.strings.js';
import { checkpointStyles } from './checkpoint.styles.js';
import { openCheckpoint, tokenCount, type OpenedCheckpoint } from './opened-checkpoint.js';
import { architectureRows } from './architecture-rows.js';
import { Story, type UseModel } from './story.js';

/** Detail of `tied-change` when a model has been opened. */
export interface CheckpointChange {
  readonly name: string;
  readonly tied: boolean;
  readonly parameters: number;
}

/**
 * `<tied-checkpoint>`: opens a trained model and its tokenizer from dropped files, shows its architecture and whether
 * its tables are tied, and generates text.
 *
 * @fires {CustomEvent<CheckpointChange>} tied-change - A model has been opened.
 */
export class Checkpoint extends withSettings(TiedElement<CheckpointStrings>, writingSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, checkpointStyles];

  @state() private opened: OpenedCheckpoint | null = null;
  /** Name of the file being read. */
  @state() private reading: string | null = null;

  protected readonly ownStrings = checkpointStrings;
  private files: CheckpointFiles = { model: null, tokenizer: null };
  private refusal: Error | null = null;
  /** Weights and tokenizer may be dropped separately; neither replaces the other. */
  private readonly opening = this.task<readonly File[]>({
    order: 'queue',
    run: (files, signal) => this.openNext(files, signal),
    failed: (error) => {
      this.refusal = error instanceof Error ? error : new Error(String(error));
      if (error instanceof CheckpointFileError) this.problem = this.sentenceOf(error);
      else this.fail(error);
    },
  });
  private readonly barWidth = new WidthWatcher(this, '.bar-picture', 560);
  private readonly story = new Story(this, (error) => {
    this.fail(error);
  });
  private readonly drop = new FileDrop(this, (files) => {
    void this.useFiles(files);
  });

  constructor() {
    super();
    whenGone(this, () => {
      this.opened?.trainer.dispose();
      this.opened = null;
      this.story.clear();
    });
  }

  protected override wake(): void {
    // The element returned to the page after its model was disposed of; the files are still available.
    if (this.opened === null && this.files.model !== null) void this.opening.request([]);
  }

  protected override visibilityChanged(visible: boolean): void {
    if (!visible) this.story.stop();
  }

  // ------------------------------------------------------------ files

  /** The error of the last refused file, with the core's error as `cause`; null where none was refused. */
  get lastError(): Error | null {
    return this.refusal;
  }

  /**
   * Opens weights, a tokenizer, or both, in any order and in several calls. Files that arrive meanwhile are opened
   * next.
   */
  useFiles(files: readonly File[]): Promise<void> {
    if (files.length > 0) return this.opening.request(files);
    this.problem = this.texts.notFiles;
    return Promise.resolve();
  }

  /** Name of the file being opened. */
  private get busy(): string | null {
    return this.opening.pending ? this.reading : null;
  }

  private async openNext(files: readonly File[], signal: AbortSignal): Promise<void> {
    this.problem = null;
    this.refusal = null;
    this.reading = null;
    for (const file of files) {
      this.reading = file.name;
      const read = await readBytes(file);
      const kind = await this.askLab((lab) => kindOf(lab, read));
      this.files = { ...this.files, [kind]: read };
    }
    const { model, tokenizer } = this.files;
    if (model === null) {
      this.problem = tokenizer === null ? null : this.texts.needsModel(tokenizer.name);
      return;
    }
    // Reopening a model continues its story.
    if (files.length > 0) this.story.clear();
    await this.openFiles(model, tokenizer, signal);
  }

  private async openFiles(model: NamedBytes, tokenizer: NamedBytes | null, signal: AbortSignal): Promise<void> {
    try {
      this.show(await this.askLab((lab) => openCheckpoint(lab, model, tokenizer)), signal);
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== 'shape-mismatch' || tokenizer === null) throw error;
      // The weights remain open; the tokenizer that does not fit is dropped.
      this.files = { model, tokenizer: null };
      const opened = await this.askLab((lab) => openCheckpoint(lab, model, null));
      this.show(opened, signal);
      this.refusal = error as Error;
      const tokens = formatWhole(await this.askLab((lab) => tokenCount(lab, tokenizer)));
      this.problem = this.texts.wrongTokenizer(tokens, formatWhole(opened.model.vocabSize));
    }
  }

  private show(opened: OpenedCheckpoint, signal: AbortSignal): void {
    if (signal.aborted) {
      opened.trainer.dispose();
      return;
    }
    this.opened?.trainer.dispose();
    this.opened = opened;
    const change: CheckpointChange = { name: opened.name, tied: opened.tied, parameters: opened.total };
    this.changed(change);
  }

  private sentenceOf({ problem, fileName }: CheckpointFileError): string {
    const texts = this.texts;
    switch (problem.what) {
      case 'unreadable':
        return texts.unreadable(fileName);
      case 'too-large':
        return texts.tooLarge(fileName, `${formatWhole(largestFile / 2 ** 20)} MiB`);
      case 'foreign':
        return texts.foreign(fileName, problem.kind);
      case 'cut-short':
        return texts.cutShort(fileName, formatWhole(problem.bytes), formatWhole(problem.expected));
      case 'too-long':
        return texts.tooLong(fileName, formatWhole(problem.bytes), formatWhole(problem.expected));
      case 'broken-weights':
        return texts.brokenWeights(fileName);
      case 'broken-tokenizer':
        return texts.brokenTokenizer(fileName);
      case 'unknown':
        return texts.unknownFile(fileName);
    }
  }

  // ------------------------------------------------------------ writing

  private async write(): Promise<void> {
    const { prompt, temperature, tokens, seed } = this;
    this.problem = null;
    await this.story.write((act) => this.useModel(act), { prompt, temperature, tokens, seed });
    // Keeps a seed that the reader typed meanwhile.
    if (this.story.ended !== null && this.seed === seed) this.seed = seed + 1;
  }

  /** Reopens the model in a new lab where its lab has died. */
  private async useModel(act: Parameters<UseModel>[0]): Promise<unknown> {
    for (let deaths = 1; ; deaths++) {
      const { opened } = this;
      if (opened === null) return;
      try {
        return await act(opened.trainer);
      } catch (error) {
        if (deaths > mostDeaths || !(await this.labs.lost(error))) throw error;
        await this.opening.request([]);
        if (this.opened === null || this.opened === opened) throw error;
      }
    }
  }

  // ------------------------------------------------------------ the figure

  protected parts(): FigureParts {
    const { texts, opened } = this;
    const sentence = opened === null ? undefined : this.sentence(opened);
    const title =
      opened === null ? texts.title : opened.tied ? texts.titleTied(opened.name) : texts.titleUntied(opened.name);
    return {
      title,
      controls: html`${this.renderDrop()}${this.renderTechnical()}${opened?.canWrite === true ? this.panel(writingPanel, { write: this.renderWrite() }) : nothing}`,
      drawing: opened === null ? nothing : html`${this.renderStory(opened)}${this.renderBars(opened)}`,
      ...(sentence === undefined ? {} : { readOut: sentence, announcement: this.story.summary(texts) ?? sentence }),
      ...(opened?.canWrite === true ? { caption: texts.caption } : {}),
      ...(opened === null ? { hasPicture: false } : { data: () => this.renderData(opened) }),
    };
  }

  private sentence({ table, secondTable, total, tied, asymmetry }: OpenedCheckpoint): string {
    const texts = this.texts;
    const share = texts.percent(formatNumber(((table + secondTable) / total) * 100, { decimals: 1 }));
    const symmetry = tied ? texts.symmetric : texts.asymmetry(formatNumber(asymmetry, { decimals: 3 }));
    return `${texts.sentence(formatWhole(total), share)} ${symmetry}`;
  }

  private renderDrop(): TemplateResult {
    const { texts, opened, busy } = this;
    const hint =
      busy !== null
        ? texts.opening(busy)
        : this.drop.hovering
          ? texts.dropNow
          : opened === null
            ? texts.hint
            : opened.canWrite
              ? null
              : texts.needsTokenizer;
    return html`
      <div class="drop ${hint === null ? 'done' : ''} ${this.drop.hovering ? 'hovering' : ''}">
        ${hint === null ? nothing : html`<p>${hint}</p>`}
        ${opened === null && busy === null ? this.renderSample() : nothing}
        ${fileButton({
          label: opened === null ? texts.choose : texts.chooseOther,
          kind: opened === null ? 'primary' : 'quiet',
          disabled: busy !== null,
          multiple: true,
          onFiles: (files) => void this.useFiles(files),
        })}
      </div>
    `;
  }

  /** A link to a sample model, because the figure itself fetches nothing. */
  private renderSample(): TemplateResult {
    const { texts } = this;
    return html`<p class="sample">
      ${texts.sampleBefore}<a href=${texts.sampleUrl} target="_blank" rel="noopener noreferrer">${texts.sampleLink}</a
      >${texts.sampleAfter}
    </p>`;
  }

  /** The technical error, for authors of such files. */
  private renderTechnical(): TemplateResult | typeof nothing {
    const { refusal } = this;
    if (refusal === null || this.problem === null) return nothing;
    const words = refusal.cause instanceof Error ? refusal.cause.message : refusal.message;
    return refusal instanceof CheckpointFileError && refusal.cause === undefined
      ? nothing
      : html`<details class="technical minor">
          <summary>${this.texts.technical}</summary>
          <code>${words}</code>
        </details>`;
  }

  private renderWrite(): TemplateResult {
    const { texts, story } = this;
    return story.writing
      ? button({
          label: texts.stop,
          icon: 'pause',
          kind: 'primary',
          onPress: () => {
            story.stop();
          },
        })
      : button({
          label: story.text === '' ? texts.write : texts.again,
          icon: 'play',
          kind: 'primary',
          disabled: this.busy !== null || this.prompt === '',
          onPress: () => void this.write(),
        });
  }

  private renderStory({ canWrite, tied }: OpenedCheckpoint): TemplateResult | typeof nothing {
    if (!canWrite) return nothing;
    const { texts, story } = this;
    return html`<div class="story ${tied ? 'tied' : ''}" role="region" aria-label=${texts.story} dir="auto">
      ${
        story.started
          ? html`<span class="given">${story.prompt}</span><span class="written">${story.text}</span>`
          : html`<span class="nothing">${texts.empty}</span>`
      }
    </div>`;
  }

  private renderBars({ table, secondTable, total, tied }: OpenedCheckpoint): TemplateResult {
    const texts = this.texts;
    const bar = (id: string, name: string, value: number): NamedBar => ({
      name,
      number: formatCompact(value),
      numberLook: '',
      parts: [{ look: `bar-${id} ${tied ? '' : 'untied'}`, value }],
    });
    const rest = total - table - secondTable;
    const bars = [
      bar('table', texts.tableBar, table),
      ...(secondTable === 0 ? [] : [bar('second', texts.secondTableBar, secondTable)]),
      bar('rest', texts.restBar, rest),
    ];
    const label = texts.barLabel(
      bars.map(({ name, parts }) => `${name} ${formatWhole(parts[0]?.value ?? 0)}`).join(', '),
    );
    const { width } = this.barWidth;
    return html`<div class="bar-picture">${barsPicture({ width, max: total, axis: false, label, bars })}</div>`;
  }

  private renderData(opened: OpenedCheckpoint): TemplateResult {
    const texts = this.texts;
    return dataTable({
      caption: texts.dataCaption,
      head: [texts.quantity, texts.value],
      rows: architectureRows(opened, texts),
    });
  }
}
