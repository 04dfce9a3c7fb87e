import { html, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole, type Cell } from '../../charts/index.js';
import type { Lab, Tying } from '../../core/types.js';
import { builtInTexts } from '../../texts/index.js';
import { resolveColors, watchColorScheme } from '../shared/colors.js';
import type { FigureParts } from '../shared/figure.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { failureText, NoLabError } from './failures.js';
import { FileDrop } from './file-drop.js';
import { keyAction } from './keys.js';
import { LabController, type LabFailure } from './lab-controller.js';
import type { LabSettings } from './settings.js';
import { otherSources, SettingsElement, type OtherSource } from './settings-element.js';
import { readTextFile, type OwnText, type TextSource } from './text-source.js';
import type { Pair, TokenOrder } from './token-choice.js';
import { trainingLabStyles } from './training-lab.styles.js';
import { curves } from './views/curves.js';
import { maps, type MapColors, type MapQuantity } from './views/maps.js';
import { mapsLayout, shownPositions, tokenNames, type MapsLayout } from './views/painting.js';
import { pairProbe } from './views/pair.js';
import { pairInText, plain, preparing, rendered, spokenLoss, standing, type Words } from './views/read-out.js';
import { settingsPanel } from './views/settings-panel.js';
import { tables } from './views/tables.js';
import { ownText, textRow } from './views/text-panel.js';
import { stepsPerSecond, transport } from './views/transport.js';

/** What `tied-step` carries: after every chunk of steps. */
export interface TrainingLabStep {
  readonly step: number;
  /** Nats per token, of the whole text where it was measured, else of the newest batches. */
  readonly losses: Readonly<Partial<Record<Tying, number>>>;
}

/** What `tied-change` carries: everything that a run depends on. */
export interface TrainingLabChange extends LabSettings {
  readonly textSource: string;
}

/**
 * `<tied-training-lab text-source="a-year-in-new-york" tokenizer="word" arms="tied untied" d-model="32">`: direct-path
 * models trained side by side on a text of the reader's choice, against the floors that the text sets.
 *
 * Attributes (and properties of the same names in camelCase): `text-source` (a built-in text's id, `built-in`,
 * `stories`, `markov-chain`, `own`), `story-length`, `states`, `tokenizer`, `vocab-size`, `d-model`, `arms`, `seed`,
 * `learning-rate`, `batch-size` (a number or `whole-table`), `optimizer`, `output-bias`, `steps`, `speed`
 * (`slow`, `medium`, `fast`). Property `text`: a text of the page's own. Events: `tied-step`, `tied-change`.
 * Nothing trains before the reader asks; the worker is started when the figure comes near the screen.
 */
export class TrainingLab extends SettingsElement {
  static override properties: PropertyDeclarations = {
    runToStep: { state: true },
    logarithmic: { state: true },
    quantity: { state: true },
    shown: { state: true },
    order: { state: true },
    pointed: { state: true },
    settingsOpen: { state: true },
    ownOpen: { state: true },
    draft: { state: true },
    textProblem: { state: true },
    pairProblem: { state: true },
    offering: { state: true },
    restarted: { state: true },
  };

  static override styles: CSSResultGroup = [SettingsElement.styles, trainingLabStyles];

  declare private runToStep: number;
  declare private logarithmic: boolean;
  declare private quantity: MapQuantity;
  declare private shown: number;
  declare private order: TokenOrder;
  /** The cell of the maps that pointer or keyboard is on. */
  declare private pointed: Cell | null;
  declare private settingsOpen: boolean;
  declare private ownOpen: boolean;
  declare private draft: string;
  declare private textProblem: string | null;
  declare private pairProblem: string | null;
  /** The reader is choosing a token, so that all of them must be offered. */
  declare private offering: boolean;
  declare private restarted: boolean;

  private readonly width = new WidthWatcher(this, '.lab', 640);
  private readonly curvesWidth = new WidthWatcher(this, '.curves', 640);
  private readonly pairWidth = new WidthWatcher(this, '.probe', 320);
  private readonly drop = new FileDrop(this, (files) => {
    void this.useFiles(files);
  });
  private readonly controller = new LabController({
    lab: () => this.needLab(),
    loadBuiltIn: (id) => this.loadBuiltIn(id),
    onChange: () => {
      this.redraw();
    },
    onSteps: () => {
      this.tellStep();
    },
  });
  private source: TextSource | null = null;
  /** Settings that were last given to the controller; empty = none. */
  private configured = '';
  private saidFailure: LabFailure | null = null;
  private frame: number | null = null;
  private colors: MapColors | null = null;
  private mapsLayout: MapsLayout | null = null;
  private stopWatching: (() => void) | null = null;

  constructor() {
    super();
    this.runToStep = 100;
    this.logarithmic = true;
    this.quantity = 'probabilities';
    this.shown = 16;
    this.order = 'one-way';
    this.pointed = null;
    this.settingsOpen = false;
    this.ownOpen = false;
    this.draft = '';
    this.textProblem = null;
    this.pairProblem = null;
    this.offering = false;
    this.restarted = false;
    this.addEventListener('keydown', this.onKey);
  }

  // ------------------------------------------------------------ life

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = watchColorScheme(this, () => {
      this.colors = null;
      this.requestUpdate();
    });
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.controller.dispose();
    this.configured = '';
  }

  protected override wake(): void {
    // Attributes may still be on their way in; the text is read after the update that this asks for.
    this.requestUpdate();
  }

  protected override visibilityChanged(visible: boolean): void {
    if (visible) void this.controller.resume();
    else this.controller.suspend();
  }

  private async needLab(): Promise<Lab> {
    const lab = await this.useLab();
    if (lab === null) throw new NoLabError();
    return lab;
  }

  /** At most one drawing a frame, however often the models report. */
  private redraw(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.requestUpdate();
    });
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.textSource === 'own' && this.ownSource === null) this.ownOpen = true;
    this.sayFailure();
  }

  protected override updated(): void {
    const grid = this.renderRoot.querySelector<HTMLElement>('.maps');
    const widths = this.mapsLayout?.widths ?? null;
    if (grid !== null) {
      grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
      // The names over the maps begin where the cells do.
      const [first = 0, second = first] = widths ?? [];
      grid.style.setProperty('--row-names', `${String(first - second)}px`);
    }
    if (this.screen.woken && this.isConnected) this.configure();
  }

  /** Says what went wrong where it went wrong: at the text that the reader gave, or at the figure. */
  private sayFailure(): void {
    const { failure } = this.controller;
    if (failure === this.saidFailure) return;
    this.saidFailure = failure;
    this.problem = null;
    this.textProblem = null;
    if (failure === null) return;
    const sentence = failureText(failure.error, this.texts);
    if (failure.where === 'text' && this.ownOpen) this.textProblem = sentence;
    else this.problem = sentence;
  }

  private tellStep(): void {
    const { arms, step } = this.controller;
    const losses: Partial<Record<Tying, number>> = {};
    for (const arm of arms) {
      const spoken = spokenLoss(arm, step, this.batchSize !== 'whole-table');
      if (spoken !== null) losses[arm.tying] = spoken.loss;
    }
    const detail: TrainingLabStep = { step, losses };
    this.dispatchEvent(new CustomEvent('tied-step', { detail, bubbles: true, composed: true }));
  }

  // ------------------------------------------------------------ text and settings

  /** Hands text and settings to the controller where they differ from what it has. */
  private configure(): void {
    const wanted = this.wantedSource();
    if (wanted === null) return;
    // An own text is known by its object: comparing megabytes would take longer than drawing.
    const same = (a: TextSource | null, b: TextSource): boolean =>
      a === b || (a !== null && a.kind !== 'own' && JSON.stringify(a) === JSON.stringify(b));
    const key = JSON.stringify(this.runSettings());
    if (key === this.configured && same(this.source, wanted)) return;
    if (!same(this.source, wanted)) this.source = wanted;
    this.restarted = this.configured !== '' && this.controller.step > 0;
    this.configured = key;
    this.pairProblem = null;
    this.offering = false;
    this.pointed = null;
    if (this.source !== null) void this.controller.configure(this.source, this.runSettings());
  }

  /** The reader changed something: the page is told, and the run starts again once it is drawn. */
  private change(changes: Partial<LabSettings & { textSource: string; storyLength: number; states: number }>): void {
    this.problem = null;
    Object.assign(this, changes);
    const detail: TrainingLabChange = { ...this.runSettings(), textSource: this.textSource };
    this.changed(detail);
  }

  private chooseSource(source: string): void {
    this.textProblem = null;
    this.ownOpen = source === 'own';
    if (source !== 'own' || this.ownSource !== null) this.change({ textSource: source });
  }

  private useOwn(source: OwnText): void {
    this.ownSource = source;
    this.text = source.text;
    this.textProblem = null;
    this.change({ textSource: 'own' });
  }

  private usePasted(): void {
    if (this.draft.trim() === '') this.textProblem = this.texts.problems.emptyText;
    else this.useOwn({ kind: 'own', name: this.texts.pastedName, text: this.draft });
  }

  private async useFiles(files: readonly File[]): Promise<void> {
    const { problems } = this.texts;
    this.ownOpen = true;
    this.textProblem = null;
    const [file] = files;
    if (file === undefined) this.textProblem = problems.notAFile;
    else if (files.length > 1) this.textProblem = problems.severalFiles;
    else {
      try {
        this.useOwn(await readTextFile(file));
      } catch (error) {
        this.textProblem = failureText(error, this.texts);
      }
    }
  }

  // ------------------------------------------------------------ running

  private async play(): Promise<void> {
    this.restarted = false;
    this.problem = null;
    if (this.controller.phase === 'idle') {
      this.configured = '';
      this.configure();
      await this.controller.idle();
    }
    await this.controller.play(stepsPerSecond[this.speed]);
  }

  private step(): void {
    this.restarted = false;
    void this.controller.stepOnce();
  }

  private runTo(): void {
    this.restarted = false;
    void this.controller.runTo(this.runToStep);
  }

  private rewind(): void {
    this.restarted = false;
    this.problem = null;
    void this.controller.rewind();
  }

  private lookBack(): void {
    const steps = this.controller.stops.map(({ step }) => step);
    const at = steps.indexOf(this.controller.viewed?.step ?? -1);
    this.controller.view(steps[Math.max(0, at - 1)] ?? null);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const action = keyAction(event);
    if (action === null) return;
    event.preventDefault();
    if (action === 'step') this.step();
    else if (action === 'look-back') this.lookBack();
    else if (action === 'rewind') this.rewind();
    else if (action === 'newest') this.controller.view(null);
    else if (this.controller.phase === 'running') this.controller.pause();
    else void this.play();
  };

  // ------------------------------------------------------------ pairs and cells

  private positions(): readonly number[] {
    const { text } = this.controller;
    return text === null ? [] : shownPositions(text, this.order, this.shown);
  }

  private pairOf(cell: Cell): Pair | null {
    const positions = this.positions();
    const kept = this.controller.text?.kept;
    const from = kept?.[positions[cell.row] ?? -1];
    const to = kept?.[positions[cell.col] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** The pair that is looked at: the one pointed at, else the chosen one. */
  private lookedAt(): { pair: Pair; cell: Cell | null } | null {
    const { pair, text } = this.controller;
    const pointed = this.pointed === null ? null : this.pairOf(this.pointed);
    if (pointed !== null) return { pair: pointed, cell: this.pointed };
    if (pair === null || text === null) return null;
    const positions = this.positions();
    const row = positions.indexOf(text.kept.indexOf(pair.from));
    const col = positions.indexOf(text.kept.indexOf(pair.to));
    return { pair, cell: row >= 0 && col >= 0 ? { row, col } : null };
  }

  private readonly onCell = (event: CellEvent): void => {
    const { cell, pressed } = event.detail;
    this.pointed = cell;
    const pair = cell === null ? null : this.pairOf(cell);
    if (pressed && pair !== null) this.choosePair(pair);
  };

  private choosePair(pair: Pair): void {
    this.pairProblem = null;
    this.pointed = null;
    void this.controller.choosePair(pair);
  }

  private pickToken(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.controller;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.pairProblem = this.texts.problems.unknownToken(token);
    else this.choosePair({ ...pair, [role]: id });
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, controller } = this;
    const words = this.readOut();
    return {
      title: texts.title,
      controls: html`${this.renderTransport()}${this.renderText()}`,
      drawing: html`
        <div class="lab">
          ${this.renderFacts()} ${this.renderDrawings()}
          ${this.drop.hovering ? html`<div class="drop" aria-hidden="true">${texts.dropHere}</div>` : nothing}
        </div>
      `,
      readOut: rendered(words),
      // Numbers that run are for eyes; ears get the state when it stands still.
      announcement: controller.phase === 'running' ? texts.training : plain(words),
      caption: texts.caption,
      data: () => this.renderTables(),
    };
  }

  private renderTransport(): TemplateResult {
    const { controller } = this;
    return transport({
      texts: this.texts,
      phase: controller.phase,
      step: controller.step,
      plannedSteps: this.steps,
      runToStep: this.runToStep,
      speed: this.speed,
      onPlay: () => void this.play(),
      onPause: () => {
        controller.pause();
      },
      onStep: () => {
        this.step();
      },
      onRunTo: () => {
        this.runTo();
      },
      onRunToStep: (step) => {
        this.runToStep = step;
      },
      onRewind: () => {
        this.rewind();
      },
      onSpeed: (speed) => {
        this.speed = speed;
        void controller.changeSpeed(stepsPerSecond[speed]);
      },
      onCancel: () => {
        controller.cancel();
      },
    });
  }

  private renderText(): TemplateResult {
    const { texts } = this;
    return html`
      ${textRow({
        texts,
        sources: [
          ...builtInTexts.map(({ id, title }) => ({ value: id, label: title })),
          ...otherSources.map((kind) => ({ value: kind, label: texts.sources[kind] })),
        ],
        source: this.ownOpen ? 'own' : this.textSource,
        tokenizer: this.tokenizer,
        canTokenize: this.textSource !== 'markov-chain',
        settingsOpen: this.settingsOpen,
        onSource: (source) => {
          this.chooseSource(source);
        },
        onTokenizer: (tokenizer) => {
          const vocabSize = tokenizer === 'bpe' ? Math.max(this.vocabSize, 512) : this.vocabSize;
          this.change({ tokenizer, vocabSize });
        },
        onSettings: () => {
          this.settingsOpen = !this.settingsOpen;
        },
      })}
      ${this.ownOpen ? this.renderOwnText() : nothing} ${this.settingsOpen ? this.renderSettings() : nothing}
    `;
  }

  private renderOwnText(): TemplateResult {
    return ownText({
      texts: this.texts,
      draft: this.draft,
      problem: this.textProblem,
      onDraft: (draft) => {
        this.draft = draft;
      },
      onUse: () => {
        this.usePasted();
      },
      onFiles: (files) => void this.useFiles(files),
    });
  }

  private renderSettings(): TemplateResult {
    return settingsPanel({
      texts: this.texts,
      settings: this.runSettings(),
      sourceKind: this.wantedSource()?.kind ?? 'own',
      storyLength: this.storyLength,
      markovStates: this.states,
      onChange: (changes) => {
        this.change(changes);
      },
    });
  }

  private renderFacts(): TemplateResult {
    const { texts, controller } = this;
    const { text } = controller;
    if (text === null) return html`<p class="note facts"></p>`;
    const facts = texts.textFacts({
      name: text.name ?? texts.sources[this.textSource as OtherSource],
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.tokenIds.length),
      vocabulary: formatWhole(text.vocabSize),
    });
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    const chain = text.chainBounds;
    return html`
      <p class="note facts">
        ${facts} ${chain === null ? nothing : texts.chainFloor(nats(chain.bigram), nats(text.bounds.bigram))}
        ${this.restarted ? html`<strong>${texts.restarted}</strong>` : nothing}
      </p>
    `;
  }

  private renderDrawings(): TemplateResult {
    const looked = this.lookedAt();
    if (this.controller.text === null || looked === null) return html`<div class="placeholder"></div>`;
    return html`
      <div class="top">
        ${this.renderCurves()}
        <div class="probe">${this.renderPair(looked.pair)}</div>
      </div>
      ${this.renderMaps(looked.cell)}
    `;
  }

  private renderCurves(): TemplateResult | typeof nothing {
    const { texts, controller } = this;
    const { text, viewed } = controller;
    if (text === null) return nothing;
    return html`
      <div class="curves" tabindex="0" role="group" aria-label=${texts.curves} aria-describedby="keys">
        ${curves({
          texts,
          height: this.curvesWidth.width < 480 ? 280 : 360,
          arms: controller.arms,
          bounds: text.bounds,
          batches: this.batchSize !== 'whole-table',
          logarithmic: this.logarithmic,
          plannedSteps: this.steps,
          step: controller.step,
          stops: controller.stops.map(({ step }) => step),
          viewedStep: viewed?.step ?? 0,
          viewsNewest: controller.viewsNewest,
          onLogarithmic: (logarithmic) => {
            this.logarithmic = logarithmic;
          },
          onView: (step) => {
            controller.view(step);
          },
        })}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  private renderMaps(cell: Cell | null): TemplateResult | typeof nothing {
    const { texts, controller } = this;
    const { text } = controller;
    if (text === null) return nothing;
    this.colors ??= resolveColors(this, ['paper', 'positive', 'negative']);
    const names = tokenNames(text, this.positions());
    this.mapsLayout = mapsLayout(this.width.width, controller.arms.length + 1, names);
    return maps({
      texts,
      text,
      arms: controller.arms.map(({ tying }) => tying),
      snapshot: controller.viewed,
      quantity: this.quantity,
      shown: this.shown,
      order: this.order,
      layout: this.mapsLayout,
      cell,
      colors: this.colors,
      onQuantity: (quantity) => {
        this.quantity = quantity;
      },
      onShown: (shown) => {
        this.shown = shown;
      },
      onOrder: (order) => {
        this.order = order;
      },
      onCell: this.onCell,
    });
  }

  private renderPair(pair: Pair): TemplateResult {
    const { texts, controller } = this;
    return pairProbe({
      texts,
      width: this.pairWidth.width,
      tokens: controller.text?.tokens ?? [],
      pair,
      inText: controller.inText(pair),
      arms: controller.arms.map(({ tying }) => tying),
      values: controller.valuesOf(pair),
      problem: this.pairProblem,
      offering: this.offering,
      onOffer: () => {
        this.offering = true;
      },
      onPick: (role, token) => {
        this.pickToken(role, token);
      },
      onSwap: () => {
        this.choosePair({ from: pair.to, to: pair.from });
      },
    });
  }

  private readOut(): Words[] {
    const { texts, controller } = this;
    const { phase, stage, text, viewed, pair } = controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    if (phase === 'idle') return [{ text: this.configured === '' ? texts.waiting : texts.cancelled }];
    if (text === null || viewed === null) return [];
    if (phase === 'ready' && pair !== null) {
      const [from = '', to = ''] = [text.tokens[pair.from], text.tokens[pair.to]];
      return pairInText(texts, from, to, controller.inText(pair));
    }
    const words = standing({
      texts,
      arms: controller.arms,
      bounds: text.bounds,
      step: controller.step,
      viewedStep: viewed.step,
      viewsNewest: controller.viewsNewest,
      finished: phase === 'finished',
      dModel: this.dModel,
      vocabSize: text.vocabSize,
      batches: this.batchSize !== 'whole-table',
    });
    return controller.suspended ? [...words, { text: ` ${texts.outOfSight}` }] : words;
  }

  private renderTables(): TemplateResult {
    const { controller, texts } = this;
    const { text, viewed, pair, phase, stops, viewsNewest } = controller;
    // Thousands of cells: made anew when a run stands still, and each says of which step it is.
    const moment = phase === 'running' ? [] : [stops.length, pair, viewsNewest, viewed];
    const state = [text, phase, this.shown, this.order, ...moment];
    return html`${guard(state, () =>
      text === null
        ? nothing
        : tables({
            texts,
            text,
            arms: controller.arms,
            stops,
            viewed,
            pair,
            pairInText: pair === null ? null : controller.inText(pair),
            pairValues: pair === null ? null : controller.valuesOf(pair),
            positions: this.positions(),
          }),
    )}`;
  }
}
