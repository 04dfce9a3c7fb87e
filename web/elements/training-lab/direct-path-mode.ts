import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatWhole, type Cell } from '../../charts/index.js';
import type { BigramBounds, TokenPair } from '../../core/types.js';
import { ColorWatcher } from '../shared/colors.js';
import { button } from '../shared/controls.js';
import type { Content } from '../shared/figure.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import type { Values } from '../shared/settings/setting.js';
import { textMeasure } from '../shared/text-width.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { DirectPathRun, pairIn, type Arm, type PairValue, type Snapshot } from './direct-path-run.js';
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
import { Mode, type Own, type ShownRun } from './mode.js';
import { stepsPerSecond } from './pace.js';
import type { LabSettings } from './settings.js';
import type { TextSource } from './text-source.js';
import { curves } from './views/curves.js';
import { maps } from './views/maps.js';
import { fittingTokens, mapsLayout, shownPositions, tokenNames, type MapsLayout } from './views/painting.js';
import { pairProbe, type LookedPair } from './views/pair.js';
import { pairInText, spokenLoss, standing, type Phrase } from './views/read-out.js';
import { directPathSettingsPanel } from './views/settings-panel.js';
import { nearestStop } from './views/step-chart.js';
import { tables } from './views/tables.js';

/** A run of direct paths to draw: the reader's, or a finished one. */
export interface Shown extends ShownRun<Arm> {
  readonly bounds: BigramBounds;
  readonly settings: LabSettings;
  /** Whether losses are of single batches, so that a smoothed line is drawn over them. */
  readonly batches: boolean;
  /** The models' predictions at the viewed step for the shown tokens; null if they were not stored. */
  readonly snapshot: Snapshot | null;
  readonly finished: FinishedRun | null;
}

/** Losses are of the weights after a step; only stored steps can be viewed. */
const drawnAs = { first: 0, everyStep: false } as const;

/** Direct paths in the training lab: curves against three floors, one pair in both orders, and maps of all pairs. */
export class DirectPathMode extends Mode<DirectPathRun, LabSettings, Shown, FinishedRun> {
  readonly hasSpeeds = true;
  readonly needsText = true;
  readonly controller = new DirectPathRun(this.controllerOptions());
  protected readonly playback = new FinishedPlayback(this.controller, () => this.findFinished());
  protected readonly keys = {
    title: 'title',
    titleFinished: 'titleFinished',
    caption: 'caption',
    computed: 'computed',
  } as const;
  readonly #width = new WidthWatcher(this.lab, '.lab', 640);
  readonly #curvesWidth = new WidthWatcher(this.lab, '.curves', 640);
  readonly #pairWidth = new WidthWatcher(this.lab, '.probe', 320);
  readonly #scheme = new ColorWatcher(this.lab, ['paper', 'positive', 'negative']);
  /** The cell of the maps under the pointer or the keyboard focus. */
  #pointed: Cell | null = null;
  #pairProblem: string | null = null;
  /** The reader is choosing a token, so all of them are offered. */
  #offering = false;
  #mapsLayout: MapsLayout | null = null;

  override configure(source: TextSource): void {
    const { pairFrom, pairTo } = this.lab;
    // The pair of the finished run is shown before any text is read; a text dropped meanwhile keeps it.
    const run = this.controller.text === null ? this.findFinished() : null;
    const from = pairFrom ?? run?.tokens[0];
    const to = pairTo ?? run?.tokens[1];
    if (from !== undefined && to !== undefined) this.controller.wantPair({ from, to });
    super.configure(source);
  }

  /** Multiply-adds of `steps` steps: each pair times the vocabulary, once forwards and twice backwards. */
  work(steps: number): number {
    const { batchSize, dModel, arms } = this.settings;
    const vocabSize = this.controller.text?.corpus.vocabSize ?? 0;
    const pairs = batchSize === 'whole-table' ? vocabSize : batchSize;
    return 3 * steps * arms.length * pairs * vocabSize * dModel;
  }

  override reset(): void {
    super.reset();
    this.#pairProblem = null;
    this.#offering = false;
    this.#pointed = null;
  }

  /** Trains again what a finished run did not store of an earlier step. */
  override view(step: number | null): void {
    const kept = step === null || !this.showsFinished ? step : nearestStop(this.shown()?.stops ?? [], step);
    super.view(kept);
    if (this.playback.viewedStep !== null) this.playback.trainAgain();
  }

  /** Trains again what the finished run did not store of the maps. */
  override looked(changes: Values): void {
    if ('speed' in changes) void this.controller.changeSpeed(stepsPerSecond[this.lab.speed]);
    const drawnAnew = ['mapTokens', 'mapOrder', 'mapValues'].some((name) => name in changes);
    if (drawnAnew && this.shown()?.snapshot === null) this.playback.trainAgain();
  }

  override drawn(): void {
    const grid = this.lab.renderRoot.querySelector<HTMLElement>('.maps');
    if (grid === null) return;
    const widths = this.#mapsLayout?.widths ?? null;
    grid.style.gridTemplateColumns = widths === null ? '' : widths.map((width) => `${String(width)}px`).join(' ');
    // The titles of the maps start where the cells start.
    const [first = 0, second = first] = widths ?? [];
    grid.style.setProperty('--row-names', `${String(first - second)}px`);
  }

  // ------------------------------------------------------------ the drawn run

  protected isCurrent(run: object): boolean {
    return !('model' in run) && isRunOf(run as FinishedRun, this.lab.textSource, this.settings);
  }

  protected finishedRun(run: FinishedRun): Own<Shown> {
    const { text, stops } = this.controller;
    const { steps, batchSize } = run.settings;
    const viewedStep = this.playback.viewedStep ?? steps;
    // The run itself has only the probabilities of some tokens at its end; training it again gives the rest.
    const knows = this.lab.mapValues === 'probabilities' && text !== null && knowsTokens(run, text, this.#positions());
    const again = text === null ? null : (stops.find(({ step }) => step === viewedStep) ?? null);
    return {
      ...drawnAs,
      arms: finishedArms(run),
      batches: batchSize !== 'whole-table',
      stops: storedSteps(steps),
      snapshot: knows && viewedStep === steps ? finishedSnapshot(run, text) : again,
    };
  }

  protected ownRun(): Own<Shown> | null {
    const { arms, viewed, settings, stops } = this.controller;
    return (
      viewed && {
        ...drawnAs,
        arms,
        batches: settings?.batchSize !== 'whole-table',
        viewedStep: viewed.step,
        stops: stops.map(({ step }) => step),
        snapshot: viewed,
      }
    );
  }

  protected spokenLosses(): Record<string, number> {
    const { arms, step, settings } = this.controller;
    const losses: Record<string, number> = {};
    for (const arm of arms) {
      const spoken = spokenLoss(arm, step, settings?.batchSize !== 'whole-table');
      if (spoken !== null) losses[arm.kind] = spoken.loss;
    }
    return losses;
  }

  #positions(): readonly number[] {
    const { text, arms } = this.controller;
    const { mapTokens, mapOrder } = this.lab;
    if (text === null) return [];
    const fitting = (): number =>
      fittingTokens(this.#width.width, arms.length + 1, text, mapOrder, textMeasure(this.lab));
    return shownPositions(text, mapOrder, mapTokens ?? fitting());
  }

  // ------------------------------------------------------------ the pair

  #pairOf(cell: Cell): TokenPair | null {
    const positions = this.#positions();
    const { mapIds } = this.controller.text ?? {};
    const from = mapIds?.[positions[cell.row] ?? -1];
    const to = mapIds?.[positions[cell.col] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** The viewed pair: the one under the pointer, otherwise the chosen one. */
  #lookedAt(shown: Shown): LookedPair | null {
    const { controller } = this;
    const { text } = controller;
    const pointed = this.#pointed && this.#pairOf(this.#pointed);
    const pair = pointed ?? controller.pair;
    if (pair === null || text === null) return null;
    const [from = '', to = ''] = [text.tokens[pair.from], text.tokens[pair.to]];
    return { ...pair, names: { from, to }, inText: controller.inText(pair), values: this.#valuesOf(shown, pair) };
  }

  /** Where the viewed pair is in the maps; null if it is not. */
  #cellOf(pair: TokenPair): Cell | null {
    const { mapIds } = this.controller.text ?? {};
    const positions = this.#positions();
    const [row, col] = [pair.from, pair.to].map((id) => positions.indexOf(mapIds?.indexOf(id) ?? -1));
    return row === undefined || col === undefined || row < 0 || col < 0 ? null : { row, col };
  }

  /** Each arm's predictions for a pair at the viewed step; null if not known. */
  #valuesOf({ finished, viewsNewest, viewedStep }: Shown, pair: TokenPair): readonly PairValue[] | null {
    const { text, stops } = this.controller;
    if (finished === null || text === null) return this.controller.valuesOf(pair);
    const atEnd = viewsNewest ? finishedValues(finished, text.tokens, pair) : null;
    const again = stops.find(({ step }) => step === viewedStep);
    return atEnd ?? (again === undefined ? null : pairIn(again, text.mapIds, pair));
  }

  readonly #onCell = (event: CellEvent): void => {
    const { cell, pressed } = event.detail;
    this.#pointed = cell;
    const pair = cell === null ? null : this.#pairOf(cell);
    if (pressed && pair !== null) this.#choosePair(pair);
    this.lab.requestUpdate();
  };

  #choosePair(pair: TokenPair): void {
    this.#pairProblem = null;
    this.#pointed = null;
    const { tokens = [] } = this.controller.text ?? {};
    Object.assign(this.lab, { pairFrom: tokens[pair.from] ?? null, pairTo: tokens[pair.to] ?? null });
    void this.controller.choosePair(pair);
    const shown = this.shown();
    if (shown !== null && this.#valuesOf(shown, pair) === null) this.playback.trainAgain();
  }

  #pickToken(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.controller;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.#pairProblem = this.texts.problems.unknownToken(token);
    else this.#choosePair({ ...pair, [role]: id });
    this.lab.requestUpdate();
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): Content {
    return directPathSettingsPanel(this.lab);
  }

  protected textFacts(): string | null {
    const { text } = this.controller;
    if (text === null) return null;
    const { characters, tokens, vocabSize } = text.corpus;
    return this.texts.textFacts({
      name: text.name ?? this.sourceName,
      characters: characters === null ? null : formatWhole(characters),
      tokens: formatWhole(tokens),
      vocabulary: formatWhole(vocabSize),
    });
  }

  drawings(): TemplateResult {
    const shown = this.shown();
    const looked = shown && this.#lookedAt(shown);
    // A finished run can be shown before the text is read.
    if (shown === null || looked === null) {
      return html`<div class="placeholder">
        <div class="top">${shown === null ? nothing : this.#renderCurves(shown)}</div>
      </div>`;
    }
    return html`
      <div class="top">
        ${this.#renderCurves(shown)}
        <div class="probe">${this.#renderPair(shown, looked)}</div>
      </div>
      ${this.#renderMaps(shown, looked)}
    `;
  }

  #renderCurves(shown: Shown): TemplateResult {
    const { texts } = this;
    return html`
      <div class="curves" tabindex="0" role="group" aria-label=${texts.curves} aria-describedby="keys">
        ${curves(shown, this.#curvesWidth.width < 480 ? 280 : 360)}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  #renderMaps(shown: Shown, looked: TokenPair): TemplateResult | typeof nothing {
    const { text } = this.controller;
    if (text === null) return nothing;
    const positions = this.#positions();
    const names = tokenNames(text, positions);
    this.#mapsLayout = mapsLayout(this.#width.width, shown.arms.length + 1, names, textMeasure(this.lab));
    const drawn = maps({
      shown,
      text,
      positions,
      layout: this.#mapsLayout,
      cell: this.#cellOf(looked),
      colors: this.#scheme.colors,
      chosen: Math.min(this.lab.mapPanel, shown.arms.length),
      panel: (parts) => this.lab.panel(parts),
      onCell: this.#onCell,
    });
    return html`${drawn}${shown.snapshot === null ? this.#renderNotKept(shown) : nothing}`;
  }

  #renderPair(shown: Shown, pair: LookedPair): TemplateResult {
    return pairProbe({
      shown,
      pair,
      width: this.#pairWidth.width,
      tokens: this.controller.text?.tokens ?? [],
      problem: this.#pairProblem,
      offering: this.#offering,
      onOffer: () => {
        this.#offering = true;
        this.lab.requestUpdate();
      },
      onPick: (role, token) => void this.#pickToken(role, token),
      onSwap: () => void this.#choosePair({ from: pair.to, to: pair.from }),
    });
  }

  /** Trains again what a finished run did not store, at once if the reader asked for it. */
  #renderNotKept({ finished, viewedStep }: Shown): TemplateResult | typeof nothing {
    if (finished === null) return nothing;
    const { texts } = this;
    const { step, phase } = this.controller;
    const target = formatWhole(this.playback.viewedStep === null ? finished.settings.steps : viewedStep);
    return html`<p class="note not-kept">
      ${
        this.playback.trainsAgain
          ? texts.trainingAgain(formatWhole(step), target)
          : html`${texts.notKept}
            ${button({
              label: texts.trainAgain,
              disabled: phase !== 'ready',
              onPress: () => void this.playback.trainAgain(),
            })}`
      }
    </p>`;
  }

  protected standing(shown: Shown): Phrase[] {
    const { phase, text, pair } = this.controller;
    if (text === null) return [];
    const inText = pair && this.controller.inText(pair);
    if (shown.finished === null && phase === 'ready' && pair !== null && inText !== null) {
      return pairInText(this.texts, text.tokens[pair.from] ?? '', text.tokens[pair.to] ?? '', inText);
    }
    const isWhole = shown.finished === null && phase === 'finished';
    return standing(shown, { isWhole, vocabSize: text.corpus.vocabSize });
  }

  tables(): TemplateResult {
    const { text, phase, storedCount } = this.controller;
    const shown = this.shown();
    if (text === null || shown === null) return html``;
    const pair = this.#lookedAt(shown);
    const { mapValues, mapOrder } = this.lab;
    const { stops, snapshot, viewedStep, viewsNewest, finished } = shown;
    const positions = this.#positions();
    // Thousands of cells: during a run they are updated only at stored steps, and name their step.
    const moment = phase === 'running' && viewsNewest ? [storedCount] : [stops.length, snapshot, viewedStep];
    const looks = [positions.length, mapOrder, mapValues, pair?.from, pair?.to];
    return html`${guard([text, phase, finished, ...looks, ...moment], () => tables({ shown, text, positions, pair }))}`;
  }
}
