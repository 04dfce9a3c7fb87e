import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole, type Cell } from '../../charts/index.js';
import { resolveColors, watchColorScheme } from '../shared/colors.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { textMeasure } from '../shared/text-width.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import type { Face, FaceHost } from './face.js';
import { failureText } from './failures.js';
import {
  finishedArms,
  finishedSnapshot,
  finishedValues,
  isRunOf,
  knowsTokens,
  type FinishedRun,
} from './finished-run.js';
import { LabController } from './lab-controller.js';
import { settingProblems, type LabSettings } from './settings.js';
import type { OtherSource, Refusal } from './settings-element.js';
import type { TextSource } from './text-source.js';
import type { Pair, TokenOrder } from './token-choice.js';
import { curves } from './views/curves.js';
import { maps, type MapColors, type MapQuantity } from './views/maps.js';
import { fittingTokens, mapsLayout, shownPositions, tokenNames, type MapsLayout } from './views/painting.js';
import { pairProbe } from './views/pair.js';
import { pairInText, preparing, spokenLoss, standing, type Words } from './views/read-out.js';
import { settingsPanel } from './views/settings-panel.js';
import { tables } from './views/tables.js';

/** Direct paths in the training lab: curves against three floors, one pair both ways round, and maps of all pairs. */
export class DirectPathFace implements Face {
  readonly kind = 'direct-path';
  readonly hasSpeeds = true;
  readonly needsText = true;
  readonly controller: LabController;
  readonly #host: FaceHost;
  readonly #width: WidthWatcher;
  readonly #curvesWidth: WidthWatcher;
  readonly #pairWidth: WidthWatcher;
  /** The reader has begun a run: from then on only such are shown. */
  #started = false;
  #logarithmic = true;
  #quantity: MapQuantity = 'probabilities';
  /** How many tokens the maps show; null = as many as can be named. */
  #shown: number | null = null;
  #order: TokenOrder = 'one-way';
  /** The cell of the maps that pointer or keyboard is on. */
  #pointed: Cell | null = null;
  #pairProblem: string | null = null;
  /** The reader is choosing a token, so that all of them must be offered. */
  #offering = false;
  #colors: MapColors | null = null;
  #mapsLayout: MapsLayout | null = null;
  #stopWatching: (() => void) | null = null;

  constructor(host: FaceHost) {
    this.#host = host;
    this.#width = new WidthWatcher(host.element, '.lab', 640);
    this.#curvesWidth = new WidthWatcher(host.element, '.curves', 640);
    this.#pairWidth = new WidthWatcher(host.element, '.probe', 320);
    this.controller = new LabController({
      lab: host.lab,
      labsFor: host.labsFor,
      loadBuiltIn: host.loadBuiltIn,
      onChange: () => {
        this.#started ||= this.controller.step > 0 || this.controller.phase === 'running';
        host.redraw();
      },
      onSteps: () => {
        host.stepped(this.#spokenLosses());
      },
    });
  }

  get title(): string {
    return this.#texts.title;
  }
  get caption(): string {
    return this.#texts.caption;
  }
  get keys(): string {
    return this.#texts.keys;
  }

  configure(source: TextSource): void {
    void this.controller.configure(source, this.#settings);
  }

  reset(): void {
    this.#pairProblem = null;
    this.#offering = false;
    this.#pointed = null;
  }

  refusal(settings: LabSettings): Refusal | null {
    const [problem] = settingProblems(settings);
    if (problem === undefined) return null;
    const { setting } = problem;
    return { setting, sentence: this.#texts.settingProblem(this.#texts.settingNames[setting], problem) };
  }

  trainingFailure(error: unknown): string | null {
    return failureText(error, this.#texts);
  }

  lookBack(): void {
    const steps = this.controller.stops.map(({ step }) => step);
    const at = steps.indexOf(this.controller.viewed?.step ?? -1);
    this.controller.view(steps[Math.max(0, at - 1)] ?? null);
  }

  viewNewest(): void {
    this.controller.view(null);
  }

  connected(): void {
    this.#stopWatching = watchColorScheme(this.#host.element, () => {
      this.#colors = null;
      this.#host.redraw();
    });
  }

  disconnected(): void {
    this.#stopWatching?.();
  }

  drawn(): void {
    const grid = this.#host.element.renderRoot.querySelector<HTMLElement>('.maps');
    if (grid === null) return;
    const widths = this.#mapsLayout?.widths ?? null;
    grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
    // The names over the maps begin where the cells do.
    const [first = 0, second = first] = widths ?? [];
    grid.style.setProperty('--row-names', `${String(first - second)}px`);
  }

  // ------------------------------------------------------------ what there is to draw

  get #texts(): ReturnType<FaceHost['texts']> {
    return this.#host.texts();
  }

  get #settings(): LabSettings {
    return this.#host.settings() as LabSettings;
  }

  get #batches(): boolean {
    return this.#settings.batchSize !== 'whole-table';
  }

  /** The run of before, where it is what is shown. */
  #finishedRun(): FinishedRun | null {
    if (this.#started) return null;
    const source = this.#host.textSource();
    const runs = this.#host.finished().filter((run): run is FinishedRun => !('model' in run));
    return runs.find((run) => isRunOf(run, source, this.#settings)) ?? null;
  }

  #spokenLosses(): Record<string, number> {
    const { arms, step } = this.controller;
    const losses: Record<string, number> = {};
    for (const arm of arms) {
      const spoken = spokenLoss(arm, step, this.#batches);
      if (spoken !== null) losses[arm.tying] = spoken.loss;
    }
    return losses;
  }

  #positions(): readonly number[] {
    const { text } = this.controller;
    return text === null ? [] : shownPositions(text, this.#order, this.#shownTokens());
  }

  #shownTokens(): number {
    const { text, arms } = this.controller;
    if (this.#shown !== null || text === null) return this.#shown ?? 0;
    return fittingTokens(this.#width.width, arms.length + 1, text, this.#order, textMeasure(this.#host.element));
  }

  #pairOf(cell: Cell): Pair | null {
    const positions = this.#positions();
    const kept = this.controller.text?.kept;
    const from = kept?.[positions[cell.row] ?? -1];
    const to = kept?.[positions[cell.col] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** The pair that is looked at: the one pointed at, else the chosen one. */
  #lookedAt(): { pair: Pair; cell: Cell | null } | null {
    const { pair, text } = this.controller;
    const pointed = this.#pointed === null ? null : this.#pairOf(this.#pointed);
    if (pointed !== null) return { pair: pointed, cell: this.#pointed };
    if (pair === null || text === null) return null;
    const positions = this.#positions();
    const row = positions.indexOf(text.kept.indexOf(pair.from));
    const col = positions.indexOf(text.kept.indexOf(pair.to));
    return { pair, cell: row >= 0 && col >= 0 ? { row, col } : null };
  }

  readonly #onCell = (event: CellEvent): void => {
    const { cell, pressed } = event.detail;
    this.#pointed = cell;
    const pair = cell === null ? null : this.#pairOf(cell);
    if (pressed && pair !== null) this.#choosePair(pair);
    this.#host.element.requestUpdate();
  };

  #choosePair(pair: Pair): void {
    this.#pairProblem = null;
    this.#pointed = null;
    void this.controller.choosePair(pair);
  }

  #pickToken(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.controller;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.#pairProblem = this.#texts.problems.unknownToken(token);
    else this.#choosePair({ ...pair, [role]: id });
    this.#host.element.requestUpdate();
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): TemplateResult {
    return settingsPanel({
      texts: this.#texts,
      settings: this.#settings,
      sourceKind: this.#host.wantedSource()?.kind ?? 'own',
      storyLength: this.#host.storyLength(),
      markovStates: this.#host.states(),
      onChange: this.#host.change,
    });
  }

  facts(): TemplateResult {
    const texts = this.#texts;
    const { text } = this.controller;
    const run = this.#finishedRun();
    const marked =
      run === null
        ? nothing
        : html`<strong class="computed">${texts.computed(formatWhole(run.settings.steps))}</strong>`;
    if (text === null) return html`<p class="note facts">${marked}</p>`;
    const facts = texts.textFacts({
      name: text.name ?? texts.sources[this.#host.textSource() as OtherSource],
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.tokenIds.length),
      vocabulary: formatWhole(text.vocabSize),
    });
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    const chain = text.chainBounds;
    return html`
      <p class="note facts">
        ${facts} ${chain === null ? nothing : texts.chainFloor(nats(chain.bigram), nats(text.bounds.bigram))}
        ${this.#host.restarted() ? html`<strong>${texts.restarted}</strong>` : nothing} ${marked}
        ${run === null && this.controller.takesTurns ? texts.inTurns : nothing}
      </p>
    `;
  }

  drawings(): TemplateResult {
    const looked = this.#lookedAt();
    // Before the text is read there may be something to see already: a run that was finished before.
    if (this.controller.text === null || looked === null) {
      return html`<div class="placeholder">
        <div class="top">${this.#renderCurves()}</div>
      </div>`;
    }
    return html`
      <div class="top">
        ${this.#renderCurves()}
        <div class="probe">${this.#renderPair(looked.pair)}</div>
      </div>
      ${this.#renderMaps(looked.cell)}
    `;
  }

  #renderCurves(): TemplateResult | typeof nothing {
    const { controller } = this;
    const texts = this.#texts;
    const { text, viewed } = controller;
    const run = this.#finishedRun();
    const bounds = run?.bounds ?? text?.bounds;
    if (bounds === undefined) return nothing;
    return html`
      <div
        class="curves ${run === null ? '' : 'is-finished'}"
        tabindex="0"
        role="group"
        aria-label=${texts.curves}
        aria-describedby="keys"
      >
        ${curves({
          texts,
          height: this.#curvesWidth.width < 480 ? 280 : 360,
          arms: run === null ? controller.arms : finishedArms(run),
          bounds,
          finishedSteps: run?.settings.steps ?? null,
          batches: this.#batches,
          logarithmic: this.#logarithmic,
          plannedSteps: this.#settings.steps,
          step: controller.step,
          stops: controller.stops.map(({ step }) => step),
          viewedStep: viewed?.step ?? 0,
          viewsNewest: controller.viewsNewest,
          onLogarithmic: (logarithmic) => {
            this.#logarithmic = logarithmic;
            this.#host.element.requestUpdate();
          },
          onView: (step) => {
            controller.view(step);
          },
        })}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  #renderMaps(cell: Cell | null): TemplateResult | typeof nothing {
    const { controller } = this;
    const { text } = controller;
    if (text === null) return nothing;
    this.#colors ??= resolveColors(this.#host.element, ['paper', 'positive', 'negative']);
    const positions = this.#positions();
    const names = tokenNames(text, positions);
    const run = this.#finishedRun();
    const showsRun = run !== null && this.#quantity === 'probabilities' && knowsTokens(run, text, positions);
    this.#mapsLayout = mapsLayout(
      this.#width.width,
      controller.arms.length + 1,
      names,
      textMeasure(this.#host.element),
    );
    const drawn = maps({
      texts: this.#texts,
      text,
      arms: controller.arms.map(({ tying }) => tying),
      snapshot: showsRun ? finishedSnapshot(run, text) : controller.viewed,
      quantity: this.#quantity,
      shown: this.#shownTokens(),
      order: this.#order,
      layout: this.#mapsLayout,
      cell,
      colors: this.#colors,
      onQuantity: (quantity) => {
        this.#quantity = quantity;
        this.#host.element.requestUpdate();
      },
      onShown: (shown) => {
        this.#shown = shown;
        this.#host.element.requestUpdate();
      },
      onOrder: (order) => {
        this.#order = order;
        this.#host.element.requestUpdate();
      },
      onCell: this.#onCell,
    });
    return html`${drawn}${run === null || showsRun ? nothing : this.#renderNotKept()}`;
  }

  #renderPair(pair: Pair): TemplateResult {
    const { controller } = this;
    const run = this.#finishedRun();
    const tokens = controller.text?.tokens ?? [];
    const finished = run === null ? null : finishedValues(run, tokens, pair);
    const drawn = pairProbe({
      texts: this.#texts,
      width: this.#pairWidth.width,
      tokens,
      pair,
      inText: controller.inText(pair),
      arms: controller.arms.map(({ tying }) => tying),
      values: finished ?? controller.valuesOf(pair),
      paler: finished !== null,
      problem: this.#pairProblem,
      offering: this.#offering,
      onOffer: () => {
        this.#offering = true;
        this.#host.element.requestUpdate();
      },
      onPick: (role, token) => {
        this.#pickToken(role, token);
      },
      onSwap: () => {
        this.#choosePair({ from: pair.to, to: pair.from });
      },
    });
    return html`${drawn}${run === null || finished !== null ? nothing : this.#renderNotKept()}`;
  }

  /** Where the reader asks for what the finished run does not hold, the models show themselves as they are. */
  #renderNotKept(): TemplateResult {
    return html`<p class="note">${this.#texts.notKept}</p>`;
  }

  readOut(asked: boolean): Words[] {
    const { controller } = this;
    const texts = this.#texts;
    const { phase, stage, text, viewed, pair } = controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    if (phase === 'idle') return [{ text: asked ? texts.cancelled : texts.waiting }];
    if (text === null || viewed === null) return [];
    const run = this.#finishedRun();
    if (phase === 'ready' && run !== null) {
      const { bounds, settings } = run;
      const { steps, dModel } = settings;
      const end = {
        step: steps,
        viewedStep: steps,
        viewsNewest: true,
        finished: false,
        batches: settings.batchSize !== 'whole-table',
      };
      const words = standing({ texts, arms: finishedArms(run), bounds, dModel, vocabSize: text.vocabSize, ...end });
      return [{ text: `${texts.computedBefore} ` }, ...words, { text: ` ${texts.drawOver}` }];
    }
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
      dModel: this.#settings.dModel,
      vocabSize: text.vocabSize,
      batches: this.#batches,
    });
    return controller.suspended ? [...words, { text: ` ${texts.outOfSight}` }] : words;
  }

  tables(): TemplateResult {
    const { controller } = this;
    const { text, viewed, pair, phase, stops, viewsNewest } = controller;
    const run = this.#finishedRun();
    // Thousands of cells: made anew when a run stands still, and each says of which step it is.
    const moment = phase === 'running' ? [] : [stops.length, pair, viewsNewest, viewed];
    const state = [text, phase, run, this.#shownTokens(), this.#order, ...moment];
    return html`${guard(state, () =>
      text === null
        ? nothing
        : tables({
            texts: this.#texts,
            text,
            arms: controller.arms,
            stops,
            viewed,
            pair,
            pairInText: pair === null ? null : controller.inText(pair),
            pairValues: pair === null ? null : controller.valuesOf(pair),
            positions: this.#positions(),
            finished: run === null ? null : finishedArms(run),
          }),
    )}`;
  }
}
