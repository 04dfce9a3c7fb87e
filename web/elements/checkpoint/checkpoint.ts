import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { TableCandidate } from '../../core/runtime/errors.js';
import { Comparer } from './compare/comparer.js';
import { compareView } from './compare/compare-view.js';
import { modelsIn } from './compare/models-in.js';
import { button } from '../shared/controls.js';
import { FileDrop } from '../shared/file-drop.js';
import type { FigureParts } from '../shared/figure.js';
import type { TwinKind } from '../shared/model-twins.js';
import { saveFile } from '../shared/save-file.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { webLink } from '../shared/web-link.js';
import { whenGone } from '../shared/when-gone.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { CardMaker } from './card/card-maker.js';
import { cardView } from './card/card-view.js';
import { namedTokens } from './card/named-tokens.js';
import { cardPanel, checkpointSettings, tablePanel, tensorPanel, writingPanel } from './checkpoint.settings.js';
import { checkpointStrings, type CheckpointStrings } from './checkpoint.strings.js';
import { checkpointStyles } from './checkpoint.styles.js';
import { dataView } from './data-view.js';
import { chosenFolder, droppedFolders, filesInFolder, modelInFolder, type FolderFile } from './folder.js';
import { notesOf, tablesTable, tokenSample, whyNotInWords } from './facts.js';
import { LinkAbout } from './link-about.js';
import { modelBars } from './model-bars.js';
import { Opener } from './opener.js';
import type { OpenedModel, Wanted } from './opening.js';
import { nameOf, problemOf } from './refusal.js';
import { sourceControls, wayOn, type SourceView } from './source-controls.js';
import { Story } from './story.js';
import { tableChoice } from './table-choice.js';
import { TensorPart } from './tensor/tensor-part.js';
import { verdictOf } from './verdict.js';
import { writingView } from './writing-view.js';

/** Detail of `tied-change` when the reader has opened a model. */
export interface CheckpointChange {
  readonly name: string;
  /** Null if the file does not tell. */
  readonly tied: boolean | null;
  /** The model's if it runs here, otherwise the sum over the tensors in the opened files. */
  readonly parameters: number;
}

/**
 * `<tied-checkpoint>`: opens a trained model from dropped files or a URL, shows its tables and the evidence that they
 * are one or two, and generates text with models that run here. Attributes: `src` (the URL of a model, opened at once
 * if it has the page's origin), `weights` (the URL of a file of trained models), `model` (`tied`, `untied`: which of
 * them to open), `prompt`, `temperature`, `tokens`, `seed`, `text` (for the identity card), `look-at` (tokens for its
 * lists, with spaces between them).
 *
 * @fires {CustomEvent<CheckpointChange>} tied-change - The reader has opened a model.
 */
export class Checkpoint extends withSettings(TiedElement<CheckpointStrings>, checkpointSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, checkpointStyles];

  @state() private url: string | null = null;
  @state() private comparedUrls = '';
  /** What was left out of a folder, or how the open model is not what a link is about, in words. */
  @state() private remark: string | null = null;

  protected readonly ownStrings = checkpointStrings;
  /** Whether the figure opens something before the reader asks for it. */
  private unasked = false;
  private readonly opener = new Opener(this, {
    ask: (question) => this.askLab(question),
    lost: (error) => this.labs.lost(error),
    texts: () => this.texts,
    showProblem: (problem) => {
      this.problem = problem;
    },
    fail: (error) => this.fail(error),
    shown: (opened, again, beside) => this.shown(opened, again, beside),
  });
  private readonly barWidth = new WidthWatcher(this, '.bar-picture', 560);
  private readonly story = new Story(this, (error) => this.fail(error));
  private readonly cards = new CardMaker(this, {
    failed: (error) => this.refused(error, this.texts.cardFailed),
    done: (card) => this.announcer.announce(this.texts.cardReady(card.views.cardInWords(card, this.texts))),
  });
  private readonly comparer = new Comparer(this, {
    use: (act) => this.opener.useOpened(act),
    ask: (question) => this.askLab(question),
    texts: () => this.texts,
    failed: (error) => this.refused(error, this.texts.compareFailed),
  });
  private readonly cardWidth = new WidthWatcher(this, '.card .profile', 420);
  private readonly tensorPart = new TensorPart(this, {
    use: (act) => this.opener.useOpened(act),
    texts: () => this.texts,
    panel: () => this.panel(tensorPanel),
    announce: (words) => this.announcer.announce(words),
    show: (error) => {
      if (error === null) this.problem = null;
      else this.refused(error, this.texts.tensorFailed);
    },
  });
  private readonly about = new LinkAbout(this);
  private readonly drop = new FileDrop(this, (files, data) => {
    const [folder] = droppedFolders(data);
    void (folder === undefined ? this.useFiles(files) : filesInFolder(folder).then((all) => this.useFolder(all)));
  });

  constructor() {
    super();
    whenGone(this, () => this.story.clear());
  }

  protected override wake(): void {
    const { opened, pending, wanted, refusal } = this.opener;
    if (opened !== null || pending || refusal !== null) return;
    // The element returned to the page after its model was disposed of.
    if (wanted !== null) void this.opener.again();
    else this.openUnasked();
  }

  /** Opens what the page's author has set; nothing else is fetched before the reader asks for it. */
  private openUnasked(): void {
    const { src, weights, model } = this;
    const awaited = this.about.model;
    if (awaited !== null) {
      if (awaited.kind === 'url' && this.openGiven) void this.ask({ place: { kind: 'url', url: awaited.url } });
      return;
    }
    if (src !== null) {
      if (new URL(src, document.baseURI).origin !== location.origin) return;
      this.unasked = true;
      void this.opener.use({ place: { kind: 'url', url: src } });
    } else if (weights !== null) {
      this.unasked = true;
      void this.opener.use({ place: { kind: 'page', url: weights, model } });
    }
  }

  protected override visibilityChanged(visible: boolean): void {
    if (!visible) this.story.stop();
  }

  protected override settingsChanged(changed: PropertyValues): void {
    const place = this.opener.wanted?.place;
    if (changed.has('given')) this.followGiven();
    if (changed.has('model') && place?.kind === 'page' && place.model !== this.model) this.openPageModel(this.model);
  }

  /** A link to another model was followed while the figure is in use. */
  private followGiven(): void {
    const { opened, pending } = this.opener;
    if (pending || !this.screen.woken) return;
    if (opened === null) this.openUnasked();
    else if (!this.about.isOf(opened)) {
      const { model } = this.about;
      if (model?.kind === 'url' && this.openGiven) void this.ask({ place: { kind: 'url', url: model.url } });
      else this.remark = this.about.inWords(this.texts);
    }
  }

  // ------------------------------------------------------------ opening

  /** The error of the last refused file, with the core's error as `cause`; null if none was refused. */
  get lastError(): Error | null {
    return this.opener.error;
  }

  /**
   * Opens the files of a model, in any order and over several calls: weights, a tokenizer, a configuration. Files that
   * arrive meanwhile are opened next.
   */
  useFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) {
      this.problem = this.texts.notFiles;
      return Promise.resolve();
    }
    this.unasked = false;
    return this.opener.useFiles(files);
  }

  /** Opens the model in a folder: its weights, and the files beside them that belong to it. */
  private async useFolder(files: readonly FolderFile[]): Promise<void> {
    const found = modelInFolder(files);
    if (found === null) {
      this.problem = this.texts.noModelInFolder;
      return;
    }
    await this.useFiles(found.files);
    const { texts } = this;
    const named = found.others.slice(0, 4);
    const more = found.others.length - named.length;
    if (named.length > 0 && this.opener.refusal === null)
      this.remark = texts.restOfFolder([...named, ...(more > 0 ? [texts.andMore(formatWhole(more))] : [])].join(', '));
  }

  /** Opens a model at a URL. If the server can send parts of files, only the tables are read. */
  useUrl(url: string): Promise<void> {
    this.url = url;
    if (url.trim() === '' || webLink(url.trim()) === null) {
      this.problem = this.texts.badUrl;
      return Promise.resolve();
    }
    return this.ask({ place: { kind: 'url', url: url.trim() } });
  }

  /** Reads the rest of a model at a URL, and runs it if its architecture and its size allow that. */
  runHere(): Promise<void> {
    return this.opener.runHere();
  }

  private ask(wanted: Wanted): Promise<void> {
    this.unasked = false;
    return this.opener.use(wanted);
  }

  private openPageModel(model: TwinKind): void {
    if (this.weights !== null) void this.ask({ place: { kind: 'page', url: this.weights, model } });
  }

  private shown(
    { name, wanted: { place }, checkpoint, running }: OpenedModel,
    again: boolean,
    beside: readonly Wanted[],
  ): void {
    if (place.kind === 'page') this.model = place.model;
    // A reopened model continues its story and keeps its card.
    if (again) return;
    this.story.clear();
    this.cards.clear();
    this.remark = this.about.opened({ name, wanted: { place } }, this.texts);
    this.tensorPart.begin(checkpoint.tensors);
    // The page's own models are small and already loaded, so their card is made without asking.
    if (place.kind === 'page') void this.measure();
    this.comparer.clear();
    if (beside.length > 0) void this.comparer.add(beside);
    else this.compareGiven();
    if (this.unasked) return;
    const elements = checkpoint.tensors.map(({ shape }) => shape.reduce((product, size) => product * size, 1));
    const parameters = running?.total ?? elements.reduce((sum, count) => sum + count, 0);
    const change: CheckpointChange = { name, tied: checkpoint.tying.tied, parameters };
    this.changed(change);
  }

  /** Compares with what a link names: URLs at once if the page allows it; files have to be given again. */
  private compareGiven(): void {
    const { urls, awaits } = this.about.compared(this.texts);
    if (awaits !== null) this.remark = awaits;
    if (urls.length > 0 && this.openGiven) void this.compareUrls(urls);
    else this.comparedUrls = urls.join(' ');
  }

  /** Embed code is about the page's own model: only links are about one that a reader has opened. */
  protected override settings(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(super.settings()).filter(([name]) => name !== 'given' && name !== 'beside'),
    );
  }

  /** A link also says what it is about, and with what that is compared. */
  protected override settingsOfLink(): Record<string, string> {
    return { ...this.settings(), ...this.about.settings(this.opener.opened, this.comparer.wanted, this.texts) };
  }

  // ------------------------------------------------------------ writing

  private async write(): Promise<void> {
    const { prompt, temperature, tokens, seed } = this;
    this.problem = null;
    await this.story.write((act) => this.opener.useOpened(async ({ running }) => running && act(running.trainer)), {
      prompt,
      temperature,
      tokens,
      seed,
    });
    // Keeps a seed that the reader typed meanwhile.
    if (this.story.ended !== null && this.seed === seed) this.seed = seed + 1;
  }

  // ------------------------------------------------------------ the card

  private measure(): Promise<void> {
    const { opened } = this.opener;
    const table = opened?.checkpoint.tables.input ?? opened?.checkpoint.tables.output;
    const { ids, unknown } = namedTokens(this.lookAt, opened?.checkpoint.tokens ?? null, table?.shape[0] ?? 0);
    this.problem = unknown.length > 0 ? this.texts.unknownTokens(unknown.join(' ')) : null;
    return this.cards.measure((act) => this.opener.useOpened(act), { text: this.text, named: ids });
  }

  private refused(error: unknown, sentence: (reason: string) => string): void {
    const problem = problemOf(error, this.texts, sentence);
    if (problem === null) this.fail(error);
    else this.problem = problem;
  }

  /** Compares the open model with the models in the reader's files. */
  async compareFiles(files: readonly File[]): Promise<void> {
    this.problem = null;
    try {
      const models = modelsIn(await this.opener.sort(files));
      await this.comparer.add(models.map((one) => ({ place: { kind: 'files', files: one } })));
    } catch (error) {
      this.refused(error, this.texts.compareFailed);
    }
  }

  /** Compares the open model with the models at these URLs, in this order. */
  async compareUrls(urls: readonly string[]): Promise<void> {
    this.problem = null;
    if (urls.length === 0 || urls.some((url) => webLink(url) === null)) {
      this.problem = this.texts.badUrl;
      return;
    }
    this.comparedUrls = '';
    await this.comparer.add(urls.map((url) => ({ place: { kind: 'url', url } })));
  }

  /** The page's other model, unless it is already compared. */
  private otherPageModel(opened: OpenedModel): Wanted | null {
    const { weights } = this;
    const { place } = opened.wanted;
    const isThere = this.comparer.wanted.some((one) => one.place.kind === 'page');
    if (weights === null || place.kind !== 'page' || isThere) return null;
    return { place: { kind: 'page', url: weights, model: place.model === 'tied' ? 'untied' : 'tied' } };
  }

  // ------------------------------------------------------------ the figure

  /** Embed code is for other pages, so URLs are absolute there. */
  protected parts(): FigureParts {
    const { texts } = this;
    const { opened } = this.opener;
    const view = this.sourceView();
    const controls = sourceControls(view);
    const { choice: offered } = this.opener;
    const choice = offered === null || view.busy !== null ? nothing : this.renderChoice(offered.tables);
    const next = html`${choice}${wayOn(view)}`;
    if (opened === null) return { title: texts.title, controls, drawing: next, hasPicture: false };
    const { tied } = opened.checkpoint.tying;
    const verdict = verdictOf(opened, texts);
    const name = opened.name;
    return {
      title: tied === null ? texts.titleUnknown(name) : tied ? texts.titleTied(name) : texts.titleUntied(name),
      controls,
      drawing: html`${next}${this.renderDrawing(opened, verdict)}`,
      announcement: this.story.summary(texts) ?? `${verdict.claim} ${verdict.rest} ${verdict.numbers}`,
      ...(opened.running?.canWrite === true ? { caption: texts.caption } : {}),
      data: () =>
        dataView(
          opened,
          { card: this.cards.card, comparison: this.comparer.comparison, report: this.tensorPart.reader },
          texts,
        ),
    };
  }

  private sourceView(): SourceView {
    const { texts, weights } = this;
    const { opened, yours, busy, refusal, wanted } = this.opener;
    const place = wanted?.place ?? null;
    const shown = place === null ? this.model : place.kind === 'page' ? place.model : 'yours';
    return {
      texts,
      busy,
      hovering: this.drop.hovering,
      isOpen: opened !== null,
      needsTokenizer: opened?.running?.canWrite === false,
      pageModel: weights === null ? null : { shown, yours: yours === null ? null : nameOf(yours, texts) },
      url: this.urlInField(),
      refusal,
      onFiles: (files) => void this.useFiles(files),
      onFolder: (files) => void this.useFolder(chosenFolder(files)),
      awaits: opened === null ? this.about.inWords(texts) : null,
      onUrl: (url) => {
        this.url = url;
      },
      onOpenUrl: () => void this.useUrl(this.urlInField()),
      onPageModel: (shown) => {
        if (shown === 'yours') void (yours !== null && this.ask(yours));
        else this.openPageModel(shown);
      },
      onCancel: () => this.opener.cancel(),
      onRetry: (wholeFile) => {
        this.unasked = false;
        this.opener.retry(wholeFile);
      },
    };
  }

  private urlInField(): string {
    const awaited = this.opener.opened === null ? this.about.model : null;
    return this.url ?? (awaited?.kind === 'url' ? awaited.url : (this.src ?? ''));
  }

  private renderChoice(tables: readonly TableCandidate[]): TemplateResult {
    return tableChoice({
      tables,
      chosen: this.opener.chosen,
      texts: this.texts,
      onChoose: (chosen) => {
        this.opener.chosen = chosen;
        this.requestUpdate();
      },
      onOpen: () => {
        this.unasked = false;
        this.opener.useChosenTables();
      },
    });
  }

  private renderDrawing(opened: OpenedModel, { claim, rest, numbers }: ReturnType<typeof verdictOf>): TemplateResult {
    const { texts } = this;
    const { checkpoint, running } = opened;
    // Who opens a model of their own has asked for all of this; of the page's model, it is there on request.
    const { place } = opened.wanted;
    const of = (asked: boolean): string => (asked || this.inside ? '' : 'rest');
    const isOwn = !(this.unasked || place.kind === 'page');
    return html`
      <p class="read-out" part="read-out">
        <strong>${claim}</strong> ${rest} <span class=${of(isOwn)}>${numbers}</span>
      </p>
      ${this.remark === null ? nothing : html`<p class="remark">${this.remark}</p>`} ${notesOf(checkpoint, texts)}
      ${tablesTable(checkpoint, texts)}
      <div class="show-inside ${of(isOwn)}">
        ${button({
          label: this.inside ? texts.hideInside : texts.showInside,
          expanded: this.inside,
          onPress: () => (this.inside = !this.inside),
        })}
      </div>
      <div class=${of(!isOwn)}>${this.renderWhyNot(opened)} ${modelBars(opened, texts, this.barWidth.width)}</div>
      ${this.inside ? this.tensorPart.render(opened) : nothing}
      <div class=${of(false)}>${tokenSample(checkpoint, texts)}</div>
      <div class=${of(this.story.started)}>
        ${running?.canWrite === true ? this.renderWriting(checkpoint.tying.tied === true) : nothing}
      </div>
      <div class=${of(false)}>${this.renderCard(opened)}</div>
      <div class=${of(this.comparer.wanted.length > 0)}>${this.renderComparison(opened)}</div>
    `;
  }

  private renderWhyNot(opened: OpenedModel): TemplateResult | typeof nothing {
    const { pending } = this.opener;
    return whyNotInWords(opened, this.texts, { disabled: pending, onRun: () => void this.runHere() });
  }

  private renderComparison(opened: OpenedModel): TemplateResult {
    const { texts, comparer } = this;
    return compareView({
      ...{ texts, comparer, pageModel: this.otherPageModel(opened), urls: this.comparedUrls },
      onUrls: (urls) => {
        this.comparedUrls = urls;
      },
      onAddUrls: () => void this.compareUrls(this.comparedUrls.split(/\s+/).filter(Boolean)),
      onFiles: (files) => void this.compareFiles(files),
      onCopy: (markdown) => void this.copyText(markdown, texts.copied),
      onSave: (content, extension, type) => this.save(opened, content, `comparison.${extension}`, type),
    });
  }

  private save(opened: OpenedModel, content: string, end: string, type: string): void {
    saveFile(content, `${opened.name.replace(/[^\p{L}\p{N}.-]+/gu, '-')}-${end}`, type);
  }

  private renderCard(opened: OpenedModel): TemplateResult {
    const { texts } = this;
    const { checkpoint, running } = opened;
    const { input, output } = checkpoint.tables;
    const canRead = checkpoint.tokens !== null || running?.canWrite === true;
    const hasPath = input !== null && output !== null;
    const why = html`<p class="aside">${hasPath ? texts.textNeedsTokens : texts.textNeedsTables}</p>`;
    return cardView({
      ...{ texts, opened, maker: this.cards, width: this.cardWidth.width },
      textField: html`${hasPath && canRead ? nothing : why}
      ${canRead ? this.panel(hasPath ? cardPanel : tablePanel) : nothing}`,
      onMeasure: () => void this.measure(),
      onCopy: (markdown) => void this.copyText(markdown, texts.copied),
      onSave: (content, extension, type) => this.save(opened, content, `card.${extension}`, type),
    });
  }

  private renderWriting(tied: boolean): TemplateResult {
    const { texts, story } = this;
    return writingView({
      ...{ texts, story, tied, canStart: !this.opener.pending && this.prompt !== '' },
      panel: (write) => this.panel(writingPanel, { write }),
      onWrite: () => void this.write(),
    });
  }
}
