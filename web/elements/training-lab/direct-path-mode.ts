import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole, type Cell } from '../../charts/index.js';
import type { BigramBounds } from '../../core/types.js';
import { resolveColors, watchColorScheme } from '../shared/colors.js';
import { button } from '../shared/controls.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { textMeasure } from '../shared/text-width.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { pairIn, type Arm, type PairValue, type Snapshot } from './direct-path-run.js';
import type { LabProperties, Mode, ModeHost, RunState } from './mode.js';
import { failureText } from './failures.js';
import { FinishedPlayback } from './finished-playback.js';
import {
  finishedArms,
  finishedSnapshot,
  finishedValues,
  isRunOf,
  knowsTokens,
  type FinishedRun,
} from './finished-run.js';
import { storedSteps } from './history.js';
import { DirectPathRun } from './direct-path-run.js';
import { settingProblems, type LabSettings } from './settings.js';
import { kebab } from '../shared/settings/setting.js';
import type { OtherSource, Refusal, ViewState } from './settings-element.js';
import type { TextSource } from './text-source.js';
import type { TokenPair } from '../../core/types.js';
import { curves, nearestStop } from './views/curves.js';
import { maps, type MapColors } from './views/maps.js';
import { fittingTokens, mapsLayout, shownPositions, tokenNames, type MapsLayout } from './views/painting.js';
import { pairProbe } from './views/pair.js';
import { pairInText, preparing, spokenLoss, standing, type Phrase } from './views/read-out.js';
import { settingsPanel } from './views/settings-panel.js';
import { tables } from './views/tables.js';

/** What is drawn: the reader's run, or one that was finished before. */
interface Shown {
  readonly arms: readonly Arm[];
  readonly bounds: BigramBounds;
  readonly settings: LabSettings;
  readonly step: number;
  readonly viewedStep: number;
  readonly viewsNewest: boolean;
  /** Steps that can be looked back at, ascending; the last is the newest. */
  readonly stops: readonly number[];
  /** What the models think at the viewed step, of the tokens that are shown; null where that was not kept. */
  readonly snapshot: Snapshot | null;
  /** Null: the reader's own. */
  readonly finished: FinishedRun | null;
}

/** Direct paths in the training lab: curves against three floors, one pair both ways round, and maps of all pairs. */
export class DirectPathMode implements Mode {
  readonly kind = 'direct-path';
  readonly hasSpeeds = true;
  readonly needsText = true;
  readonly controller: DirectPathRun;
  readonly #host: ModeHost;
  readonly #width: WidthWatcher;
  readonly #curvesWidth: WidthWatcher;
  readonly #pairWidth: WidthWatcher;
  readonly #playback: FinishedPlayback;
  /** The map that is shown where there is room for one: the tied model's. */
  #panel = 1;
  /** The cell of the maps that pointer or keyboard is on. */
  #pointed: Cell | null = null;
  #pairProblem: string | null = null;
  /** The reader is choosing a token, so that all of them must be offered. */
  #offering = false;
  #colors: MapColors | null = null;
  #mapsLayout: MapsLayout | null = null;
  #stopWatching: (() => void) | null = null;

  constructor(host: ModeHost) {
    this.#host = host;
    this.#width = new WidthWatcher(host.element, '.lab', 640);
    this.#curvesWidth = new WidthWatcher(host.element, '.curves', 640);
    this.#pairWidth = new WidthWatcher(host.element, '.probe', 320);
    this.controller = new DirectPathRun({
      host: host.element,
      labs: host.labs,
      loadBuiltIn: host.loadBuiltIn,
      onChange: () => {
        this.#playback.follow();
        host.redraw();
      },
      onSteps: () => {
        host.stepped(this.#spokenLosses());
      },
    });
    this.#playback = new FinishedPlayback(this.controller, () => this.#finishedRun());
  }

  get title(): string {
    // A claim where what is drawn bears it out, whatever the reader does.
    return this.#playback.run === null ? this.#texts.title : this.#texts.titleFinished;
  }
  get caption(): string {
    return this.#texts.caption;
  }
  get keys(): string {
    return this.#texts.keys;
  }

  get shownStep(): number | null {
    return this.#shown()?.step ?? null;
  }
  get viewedStep(): number | null {
    const shown = this.#shown();
    return shown === null || shown.viewsNewest ? null : shown.viewedStep;
  }
  get showsFinished(): boolean {
    return this.#playback.run !== null;
  }

  configure(source: TextSource): void {
    const { pairFrom, pairTo } = this.#lab;
    if (pairFrom !== null && pairTo !== null) this.controller.wantPair({ from: pairFrom, to: pairTo });
    void this.controller.configure(source, this.#settings);
  }

  beginOwn(): void {
    this.#playback.end();
  }

  /** Multiply-adds of so many steps: the pairs of a step against the vocabulary, forwards and twice backwards. */
  work(steps: number): number {
    const { batchSize, dModel, arms } = this.#settings;
    const vocabSize = this.controller.text?.corpus.vocabSize ?? 0;
    const pairs = batchSize === 'whole-table' ? vocabSize : batchSize;
    return 3 * steps * arms.length * pairs * vocabSize * dModel;
  }

  reset(): void {
    this.#playback.reset();
    this.#pairProblem = null;
    this.#offering = false;
    this.#pointed = null;
  }

  refusal(settings: LabSettings): Refusal | null {
    const [problem] = settingProblems(settings);
    if (problem === undefined) return null;
    const { setting } = problem;
    return { setting, sentence: this.#texts.settingProblem(kebab(setting), problem) };
  }

  trainingFailure(error: unknown, step: number): string | null {
    return failureText(error, this.#texts, step);
  }

  lookBack(): void {
    const shown = this.#shown();
    if (shown === null) return;
    this.view(shown.stops[Math.max(0, shown.stops.indexOf(shown.viewedStep) - 1)] ?? null);
  }

  viewNewest(): void {
    this.view(null);
  }

  view(step: number | null): void {
    if (this.#playback.run === null) {
      this.controller.view(step);
      return;
    }
    this.#playback.view(step === null ? null : nearestStop(this.#shown()?.stops ?? [], step));
    if (this.#playback.viewedStep !== null) this.#playback.trainAgain();
    this.#host.redraw();
  }

  connected(): void {
    this.#stopWatching = watchColorScheme(this.#lab, () => {
      this.#colors = null;
      this.#host.redraw();
    });
  }

  disconnected(): void {
    this.#stopWatching?.();
  }

  drawn(): void {
    const grid = this.#lab.renderRoot.querySelector<HTMLElement>('.maps');
    if (grid === null) return;
    const widths = this.#mapsLayout?.widths ?? null;
    grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
    // The names over the maps begin where the cells do.
    const [first = 0, second = first] = widths ?? [];
    grid.style.setProperty('--row-names', `${String(first - second)}px`);
  }

  // ------------------------------------------------------------ what there is to draw

  get #texts(): ReturnType<ModeHost['texts']> {
    return this.#host.texts();
  }

  get #lab(): LabProperties {
    return this.#host.element;
  }

  get #settings(): LabSettings {
    return this.#host.settings() as LabSettings;
  }

  /** The finished run of the present settings, if there is one. */
  #finishedRun(): FinishedRun | null {
    const source = this.#lab.textSource;
    const runs = [this.#lab.finished ?? []].flat().filter((run): run is FinishedRun => !('model' in run));
    return runs.find((run) => isRunOf(run, source, this.#settings)) ?? null;
  }

  #shown(): Shown | null {
    const { controller } = this;
    const { text, viewed, viewsNewest, settings } = controller;
    const { run } = this.#playback;
    if (run !== null) {
      const { steps } = run.settings;
      const viewedStep = this.#playback.viewedStep ?? steps;
      return {
        arms: finishedArms(run),
        bounds: run.bounds,
        settings: run.settings,
        step: steps,
        viewedStep,
        viewsNewest: viewedStep === steps,
        stops: storedSteps(steps),
        snapshot: this.#finishedSnapshot(run, viewedStep),
        finished: run,
      };
    }
    if (text === null || settings === null || viewed === null) return null;
    return {
      arms: controller.arms,
      bounds: text.bounds,
      settings,
      step: controller.step,
      viewedStep: viewed.step,
      viewsNewest,
      stops: controller.stops.map(({ step }) => step),
      snapshot: viewed,
      finished: null,
    };
  }

  /** The run itself knows its end, and of that the probabilities of some tokens; the rest is known once it is trained again. */
  #finishedSnapshot(run: FinishedRun, step: number): Snapshot | null {
    const { text, stops } = this.controller;
    if (text === null) return null;
    const knows = this.#lab.mapValues === 'probabilities' && knowsTokens(run, text, this.#positions());
    if (step === run.settings.steps && knows) return finishedSnapshot(run, text);
    return stops.find((stop) => stop.step === step) ?? null;
  }

  /** What each arm thinks of a pair at the viewed step; null where that is not known. */
  #valuesOf(shown: Shown, pair: TokenPair): readonly PairValue[] | null {
    const { text } = this.controller;
    if (shown.finished === null || text === null) return this.controller.valuesOf(pair);
    const atEnd = shown.viewsNewest ? finishedValues(shown.finished, text.tokens, pair) : null;
    const again = this.controller.stops.find(({ step }) => step === shown.viewedStep);
    return atEnd ?? (again === undefined ? null : pairIn(again, text.mapIds, pair));
  }

  #spokenLosses(): Record<string, number> {
    const { arms, step, settings } = this.controller;
    const losses: Record<string, number> = {};
    for (const arm of arms) {
      const spoken = spokenLoss(arm, step, settings?.batchSize !== 'whole-table');
      if (spoken !== null) losses[arm.tying] = spoken.loss;
    }
    return losses;
  }

  #positions(): readonly number[] {
    const { text } = this.controller;
    return text === null ? [] : shownPositions(text, this.#lab.mapOrder, this.#shownTokens());
  }

  #shownTokens(): number {
    const { text, arms } = this.controller;
    const { mapTokens, mapOrder } = this.#lab;
    if (text === null) return 0;
    if (mapTokens !== null) return Math.min(mapTokens, text.mapIds.length);
    return fittingTokens(this.#width.width, arms.length + 1, text, mapOrder, textMeasure(this.#lab));
  }

  #pairOf(cell: Cell): TokenPair | null {
    const positions = this.#positions();
    const { mapIds } = this.controller.text ?? {};
    const from = mapIds?.[positions[cell.row] ?? -1];
    const to = mapIds?.[positions[cell.col] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** The pair that is looked at: the one pointed at, else the chosen one. */
  #lookedAt(): { pair: TokenPair; cell: Cell | null } | null {
    const { pair, text } = this.controller;
    const pointed = this.#pointed === null ? null : this.#pairOf(this.#pointed);
    if (pointed !== null) return { pair: pointed, cell: this.#pointed };
    if (pair === null || text === null) return null;
    const positions = this.#positions();
    const row = positions.indexOf(text.mapIds.indexOf(pair.from));
    const col = positions.indexOf(text.mapIds.indexOf(pair.to));
    return { pair, cell: row >= 0 && col >= 0 ? { row, col } : null };
  }

  readonly #onCell = (event: CellEvent): void => {
    const { cell, pressed } = event.detail;
    this.#pointed = cell;
    const pair = cell === null ? null : this.#pairOf(cell);
    if (pressed && pair !== null) this.#choosePair(pair);
    this.#lab.requestUpdate();
  };

  #choosePair(pair: TokenPair): void {
    this.#pairProblem = null;
    this.#pointed = null;
    const { tokens = [] } = this.controller.text ?? {};
    Object.assign(this.#lab, { pairFrom: tokens[pair.from] ?? null, pairTo: tokens[pair.to] ?? null });
    void this.controller.choosePair(pair);
    const shown = this.#shown();
    if (shown !== null && this.#valuesOf(shown, pair) === null) this.#playback.trainAgain();
  }

  /** How the maps are looked at; what the finished run has not kept is trained again. */
  #setMaps(changes: Partial<ViewState>): void {
    Object.assign(this.#lab, changes);
    if (this.#shown()?.snapshot === null) this.#playback.trainAgain();
  }

  #pickToken(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.controller;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.#pairProblem = this.#texts.problems.unknownToken(token);
    else this.#choosePair({ ...pair, [role]: id });
    this.#lab.requestUpdate();
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): TemplateResult {
    return settingsPanel({
      texts: this.#texts,
      settings: this.#settings,
      sourceKind: this.#host.wantedSource()?.kind ?? 'own',
      storyLength: this.#lab.storyLength,
      markovStates: this.#lab.states,
      onChange: this.#host.change,
    });
  }

  state(): RunState {
    const texts = this.#texts;
    const { run } = this.#playback;
    if (run !== null) return { finished: true, words: texts.computed(formatWhole(run.settings.steps)) };
    return { finished: false, words: this.controller.step === 0 ? texts.notBegun : texts.ownRun };
  }

  facts(): TemplateResult {
    const texts = this.#texts;
    const { text } = this.controller;
    if (text === null) return html`<p class="note facts"></p>`;
    const { characters, tokens, vocabSize } = text.corpus;
    const facts = texts.textFacts({
      name: text.name ?? texts.sources[this.#lab.textSource as OtherSource],
      characters: characters === null ? null : formatWhole(characters),
      tokens: formatWhole(tokens),
      vocabulary: formatWhole(vocabSize),
    });
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    const chain = text.chainBounds;
    return html`
      <p class="note facts">
        ${facts} ${chain === null ? nothing : texts.chainFloor(nats(chain.bigram), nats(text.bounds.bigram))}
        ${this.controller.takesTurns ? texts.inTurns : nothing}
      </p>
    `;
  }

  drawings(): TemplateResult {
    const looked = this.#lookedAt();
    const shown = this.#shown();
    // Before the text is read there may be something to see already: a run that was finished before.
    if (this.controller.text === null || looked === null || shown === null) {
      return html`<div class="placeholder">
        <div class="top">${shown === null ? nothing : this.#renderCurves(shown)}</div>
      </div>`;
    }
    return html`
      <div class="top">
        ${this.#renderCurves(shown)}
        <div class="probe">${this.#renderPair(shown, looked.pair)}</div>
      </div>
      ${this.#renderMaps(shown, looked.cell)}
    `;
  }

  #renderCurves({ arms, bounds, settings, step, stops, viewedStep, viewsNewest }: Shown): TemplateResult {
    const texts = this.#texts;
    return html`
      <div class="curves" tabindex="0" role="group" aria-label=${texts.curves} aria-describedby="keys">
        ${curves({
          texts,
          height: this.#curvesWidth.width < 480 ? 280 : 360,
          arms,
          bounds,
          batches: settings.batchSize !== 'whole-table',
          logarithmic: !this.#lab.linearSteps,
          plannedSteps: settings.steps,
          step,
          stops,
          viewedStep,
          viewsNewest,
          onLogarithmic: (logarithmic) => {
            Object.assign(this.#lab, { linearSteps: !logarithmic });
          },
          onView: (at) => {
            this.view(at);
          },
        })}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  #renderMaps(shown: Shown, cell: Cell | null): TemplateResult | typeof nothing {
    const { text } = this.controller;
    if (text === null) return nothing;
    this.#colors ??= resolveColors(this.#lab, ['paper', 'positive', 'negative']);
    const names = tokenNames(text, this.#positions());
    const measure = textMeasure(this.#lab);
    this.#mapsLayout = mapsLayout(this.#width.width, shown.arms.length + 1, names, measure);
    const drawn = maps({
      texts: this.#texts,
      text,
      arms: shown.arms.map(({ tying }) => tying),
      snapshot: shown.snapshot,
      quantity: this.#lab.mapValues,
      shown: this.#shownTokens(),
      order: this.#lab.mapOrder,
      layout: this.#mapsLayout,
      cell,
      colors: this.#colors,
      panel: Math.min(this.#panel, shown.arms.length),
      onPanel: (panel) => {
        this.#panel = panel;
        this.#lab.requestUpdate();
      },
      onQuantity: (mapValues) => {
        this.#setMaps({ mapValues });
      },
      onShown: (mapTokens) => {
        this.#setMaps({ mapTokens });
      },
      onOrder: (mapOrder) => {
        this.#setMaps({ mapOrder });
      },
      onCell: this.#onCell,
    });
    return html`${drawn}${shown.snapshot === null ? this.#renderNotKept(shown) : nothing}`;
  }

  #renderPair(shown: Shown, pair: TokenPair): TemplateResult {
    const { controller } = this;
    return pairProbe({
      texts: this.#texts,
      width: this.#pairWidth.width,
      tokens: controller.text?.tokens ?? [],
      pair,
      inText: controller.inText(pair),
      arms: shown.arms.map(({ tying }) => tying),
      values: this.#valuesOf(shown, pair),
      problem: this.#pairProblem,
      offering: this.#offering,
      onOffer: () => {
        this.#offering = true;
        this.#lab.requestUpdate();
      },
      onPick: (role, token) => {
        this.#pickToken(role, token);
      },
      onSwap: () => {
        this.#choosePair({ from: pair.to, to: pair.from });
      },
    });
  }

  /** What a finished run does not hold is trained again, at once where the reader asked for it. */
  #renderNotKept({ finished, viewedStep }: Shown): TemplateResult | typeof nothing {
    if (finished === null) return nothing;
    const texts = this.#texts;
    const { step, phase } = this.controller;
    const target = formatWhole(this.#playback.viewedStep === null ? finished.settings.steps : viewedStep);
    return html`<p class="note not-kept">
      ${
        this.#playback.trainsAgain
          ? texts.trainingAgain(formatWhole(step), target)
          : html`${texts.notKept}
            ${button({
              label: texts.trainAgain,
              disabled: phase !== 'ready',
              onPress: () => {
                this.#playback.trainAgain();
              },
            })}`
      }
    </p>`;
  }

  readOut(asked: boolean): Phrase[] {
    const { controller } = this;
    const texts = this.#texts;
    const { phase, stage, text, pair } = controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    if (phase === 'idle') return [{ text: asked ? texts.cancelled : texts.waiting }];
    const shown = this.#shown();
    if (text === null || shown === null) return [];
    const { finished, arms, bounds, settings, step, viewedStep, viewsNewest } = shown;
    const inText = pair && controller.inText(pair);
    if (finished === null && phase === 'ready' && inText !== null) {
      const [from = '', to = ''] = [text.tokens[pair?.from ?? -1], text.tokens[pair?.to ?? -1]];
      return pairInText(texts, from, to, inText);
    }
    const words = standing({
      texts,
      arms,
      bounds,
      step,
      viewedStep,
      viewsNewest,
      finished: finished === null && phase === 'finished',
      dModel: settings.dModel,
      vocabSize: text.corpus.vocabSize,
      batches: settings.batchSize !== 'whole-table',
    });
    if (finished !== null) return [...words, { text: ` ${texts.drawOver}` }];
    return controller.suspended ? [...words, { text: ` ${texts.outOfSight}` }] : words;
  }

  tables(): TemplateResult {
    const { controller } = this;
    const { text, phase } = controller;
    const shown = this.#shown();
    const pair = this.#lookedAt()?.pair ?? null;
    if (text === null || shown === null) return html``;
    const { mapValues, mapOrder } = this.#lab;
    const { stops, snapshot, viewedStep, viewsNewest, finished } = shown;
    // Thousands of cells: while a run goes on they are made anew at the kept steps only, and say of which step they are.
    const moment = phase === 'running' && viewsNewest ? [controller.storedCount] : [stops.length, snapshot, viewedStep];
    const looks = [this.#shownTokens(), mapOrder, mapValues, pair?.from, pair?.to];
    return html`${guard([text, phase, finished, ...looks, ...moment], () =>
      tables({
        texts: this.#texts,
        text,
        arms: shown.arms,
        bounds: shown.bounds,
        batches: shown.settings.batchSize !== 'whole-table',
        stops,
        viewedStep,
        snapshot,
        quantity: mapValues,
        pair,
        pairInText: pair === null ? null : controller.inText(pair),
        pairValues: pair === null ? null : this.#valuesOf(shown, pair),
        positions: this.#positions(),
        finished: finished !== null,
      }),
    )}`;
  }
}
