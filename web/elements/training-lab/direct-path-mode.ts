import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatWhole, type Cell } from '../../charts/index.js';
import type { TokenPair } from '../../core/types.js';
import { button } from '../shared/controls.js';
import type { Content } from '../shared/figure.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import type { Values } from '../shared/settings/setting.js';
import { DirectPathRun, pairIn, type MappedText, type PairValue } from './direct-path-run.js';
import { FinishedPlayback } from './finished-playback.js';
import {
  finishedArms,
  finishedSnapshot,
  finishedValues,
  isRunOf,
  knowsTokens,
  restingText,
  type FinishedRun,
} from './finished-run.js';
import { storedSteps } from './history.js';
import { Mode } from './mode.js';
import { stepsPerSecond } from './pace.js';
import type { Own } from './shown-run.js';
import type { LabSettings } from './settings.js';
import type { TextSource } from './text-source.js';
import { curves } from './views/curves.js';
import { MapsView } from './views/maps.js';
import { PairView, type LookedPair } from './views/pair.js';
import type { Phrase } from './views/phrase.js';
import type { Shown } from './views/shown.js';
import { pairInText, spokenLoss, standing } from './views/summary.js';
import { tables } from './views/tables.js';
import { directPathSettingsPanel } from './views/settings-panel.js';
import { nearestStop } from './views/step-chart.js';

/** Losses are of the weights after a step; only stored steps can be viewed. */
const drawnAs = { first: 0, everyStep: false } as const;

/** Direct paths in the training lab: curves with three floors, one pair in both orders, and maps of all pairs. */
export class DirectPathMode extends Mode<DirectPathRun, LabSettings, Shown, FinishedRun> {
  readonly hasSpeeds = true;
  readonly controller = new DirectPathRun(this.controllerOptions(), () => this.#resting());
  protected readonly playback = new FinishedPlayback(this.controller, () => this.findFinished());
  readonly #maps = new MapsView(this.lab, this.controller);
  readonly #pair = new PairView(this.lab, this.controller, (pair) => this.#choosePair(pair));
  /** The cell of the maps under the pointer or the keyboard focus. */
  #pointed: Cell | null = null;
  /** The text of a finished run, and what it is of. */
  #rests: { readonly of: readonly unknown[]; readonly text: MappedText | null } | null = null;
  /** What the drawn run does not have was asked for before there were models: they are created, and train to it. */
  #asked: { readonly viewStep: number | null } | null = null;

  get title(): string {
    return this.texts.title;
  }
  get caption(): string {
    return this.texts.caption;
  }
  protected computed(steps: string): string {
    return this.texts.computed(steps);
  }

  /** The text of the finished run that is drawn. */
  #resting(): MappedText | null {
    const { run } = this.playback;
    const { pairFrom, pairTo } = this.lab;
    if (run === null) return null;
    const of = [run, pairFrom, pairTo];
    if (this.#rests?.of.every((one, at) => one === of[at]) !== true) {
      const pair = { ...(pairFrom === null ? {} : { from: pairFrom }), ...(pairTo === null ? {} : { to: pairTo }) };
      this.#rests = { of, text: restingText(run, pair) };
    }
    return this.#rests.text;
  }

  get rests(): boolean {
    return this.controller.settings === null && this.#resting() !== null;
  }

  get needsText(): boolean {
    const pair = this.controller.pair;
    const isMapped = pair !== null && this.controller.inText(pair) !== null;
    return !this.rests || !isMapped || this.#asked !== null;
  }

  override configure(source: TextSource): void {
    const { pairFrom, pairTo } = this.lab;
    // The pair of the finished run is shown before any text is read. A text dropped in the meantime keeps it.
    const run = this.controller.settings === null ? this.findFinished() : null;
    const from = pairFrom ?? run?.tokens[0];
    const to = pairTo ?? run?.tokens[1];
    if (from !== undefined && to !== undefined) this.controller.wantPair({ from, to });
    super.configure(source);
  }

  /** Multiply-adds of `steps` steps: each pair times the vocabulary, once forward and twice backward. */
  work(steps: number): number {
    const { batchSize, dModel, arms } = this.settings;
    const vocabSize = this.controller.text?.corpus.vocabSize ?? 0;
    const pairs = batchSize === 'whole-table' ? vocabSize : batchSize;
    return 3 * steps * arms.length * pairs * vocabSize * dModel;
  }

  override reset(): void {
    super.reset();
    if (this.#asked !== null && this.rests) super.view(this.#asked.viewStep);
    this.#pair.reset();
    this.#pointed = null;
  }

  /** Retrains the run if an earlier step is viewed that a finished run did not store. */
  override view(step: number | null): void {
    const kept = step === null || !this.showsFinished ? step : nearestStop(this.shown()?.stops ?? [], step);
    super.view(kept);
    if (this.playback.viewedStep !== null) this.#trainAgain();
  }

  /** Trains the finished run again, for what it did not store. */
  #trainAgain(): void {
    if (this.rests || this.controller.phase === 'preparing') this.#asked = { viewStep: this.playback.viewedStep };
    else this.playback.trainAgain();
    this.lab.requestUpdate();
  }

  override beginOwn(): void {
    this.#asked = null;
    super.beginOwn();
  }

  override startOver(): void {
    this.#asked = null;
    super.startOver();
  }

  /** Retrains the run if the maps need what a finished run did not store. */
  override looked(changes: Values): void {
    if ('speed' in changes) void this.controller.changeSpeed(stepsPerSecond[this.lab.speed]);
    const drawnAnew = ['mapTokens', 'mapOrder', 'mapValues'].some((name) => name in changes);
    if (drawnAnew && this.shown()?.snapshot === null) this.#trainAgain();
  }

  override drawn(): void {
    this.#maps.drawn();
    const asked = this.#asked;
    if (asked === null || this.rests || this.controller.phase === 'preparing') return;
    this.#asked = null;
    if (!this.showsFinished) return;
    super.view(asked.viewStep);
    this.playback.trainAgain();
  }

  // ------------------------------------------------------------ the drawn run

  protected isCurrent(run: object): boolean {
    return !('model' in run) && isRunOf(run as FinishedRun, this.lab.textSource, this.settings);
  }

  protected finishedRun(run: FinishedRun): Own<Shown> {
    const { text, stops } = this.controller;
    const { steps, batchSize } = run.settings;
    const viewedStep = this.playback.viewedStep ?? steps;
    // The run itself has only some tokens' probabilities at its end; training it again gives the rest.
    const knows =
      this.lab.mapValues === 'probabilities' && text !== null && knowsTokens(run, text, this.#maps.positions);
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

  // ------------------------------------------------------------ the pair

  /** The viewed pair: the one under the pointer, otherwise the chosen one. */
  #lookedAt(shown: Shown): LookedPair | null {
    const { controller } = this;
    const { text } = controller;
    const pair = this.#maps.pairOf(this.#pointed) ?? controller.pair;
    if (pair === null || text === null) return null;
    const [from = '', to = ''] = [text.tokens[pair.from], text.tokens[pair.to]];
    return { ...pair, names: { from, to }, inText: controller.inText(pair), values: this.#valuesOf(shown, pair) };
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
    const pair = this.#maps.pairOf(cell);
    if (pressed && pair !== null) this.#choosePair(pair);
    this.lab.requestUpdate();
  };

  #choosePair(pair: TokenPair): void {
    this.#pair.problem = null;
    this.#pointed = null;
    const { tokens = [] } = this.controller.text ?? {};
    Object.assign(this.lab, { pairFrom: tokens[pair.from] ?? null, pairTo: tokens[pair.to] ?? null });
    void this.controller.choosePair(pair);
    const shown = this.shown();
    if (shown !== null && this.#valuesOf(shown, pair) === null) this.#trainAgain();
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
      return html`<div class="placeholder bench">${shown === null ? nothing : this.#renderCurves(shown)}</div>`;
    }
    return html`
      <div class="bench">
        ${this.#renderCurves(shown)}
        <div class="probe">${this.#pair.render(shown, looked)} ${this.#maps.legend(shown)}</div>
        <div class="map-area">
          ${this.#maps.render(shown, looked, this.#onCell)}
          ${shown.snapshot === null ? this.#renderNotKept(shown) : nothing}
        </div>
      </div>
    `;
  }

  #renderCurves(shown: Shown): TemplateResult {
    const { texts } = this;
    return html`
      <div class="curves" tabindex="0" role="group" aria-label=${texts.curves} aria-describedby="keys">
        ${curves(shown, 200)}
        <p id="keys" class="note keys">${texts.keys}</p>
      </div>
    `;
  }

  /** Offers to retrain what a finished run did not store, or shows the progress of that. */
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
              disabled: phase !== 'ready' && !this.rests,
              onPress: () => this.#trainAgain(),
            })}`
      }
    </p>`;
  }

  protected standing(shown: Shown): Phrase[] {
    const { phase, text, pair } = this.controller;
    if (text === null) return [];
    const inText = pair && this.controller.inText(pair);
    if (shown.finished === null && phase === 'ready' && pair !== null && inText !== null) {
      const words = pairInText(this.texts, text.tokens[pair.from] ?? '', text.tokens[pair.to] ?? '', inText);
      return this.invites ? [...words, { text: ` ${this.texts.invite}` }] : words;
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
    const positions = this.#maps.positions;
    // The maps have thousands of cells, so during a run they are updated only at stored steps, and name their step.
    const moment = phase === 'running' && viewsNewest ? [storedCount] : [stops.length, snapshot, viewedStep];
    const looks = [positions.length, mapOrder, mapValues, pair?.from, pair?.to];
    return html`${guard([text, phase, finished, ...looks, ...moment], () => tables({ shown, text, positions, pair }))}`;
  }
}
