import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatWhole } from '../../../charts/index.js';
import { codeOf } from '../../shared/error-code.js';
import type { Content } from '../../shared/figure.js';
import type { Listening } from '../../shared/model-twins.js';
import type { OwnModels } from '../../shared/own-models.js';
import type { Values } from '../../shared/settings/setting.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import { FinishedPlayback } from '../finished-playback.js';
import type { ControllerOptions } from '../running.js';
import { Later } from '../later.js';
import { Mode } from '../mode.js';
import { transformerPlan } from '../run-plan.js';
import type { Own } from '../shown-run.js';
import type { Phrase } from '../views/phrase.js';
import { historyRow } from '../views/step-chart.js';
import { finishedTransformerArms, kinshipOf, type FinishedTransformerRun } from './finished-run.js';
import type { Cards } from './model-cards.js';
import { heldOutAt, lossAt } from './drawn-values.js';
import { TransformerRun } from './run.js';
import { newestSample, type Sample } from './samples.js';
import { hasSize, isSmallDevice, partsOf, type TransformerSettings } from './settings.js';
import { lossChart, shareChart, type Shown } from './views/charts.js';
import { transformerSummary } from './views/summary.js';
import { SamplesView } from './views/samples.js';
import { transformerSettingsPanel } from './views/settings-panel.js';
import { transformerTables } from './views/tables.js';

/** Multiply-adds of a step of both models from which on the lab says what they take: a second and more. */
const largeWork = 1e10;

/** A record of a step describes its batch, before the update; any step can be viewed. */
const drawnAs = { first: 1, everyStep: true } as const;

const stepsOf = (samples: readonly Sample[]): number[] => samples.map(({ step }) => step);

/** Small GPTs in the training lab: losses, which role changes the embedding, and samples, step by step. */
export class TransformerMode extends Mode<TransformerRun, TransformerSettings, Shown, FinishedTransformerRun> {
  readonly hasSpeeds = false;
  readonly rests: boolean = false;
  readonly controller = new TransformerRun({
    ...this.controllerOptions(),
    prompting: () => ({
      prompt: this.lab.prompt,
      temperature: this.lab.temperature,
      seed: this.lab.sampleSeed ?? this.lab.seed,
    }),
  });
  protected readonly playback = new FinishedPlayback(this.controller, () => this.findFinished());
  readonly #width = new WidthWatcher(this.lab, '.gpt-charts', 640);
  readonly #samples = new SamplesView(this.lab, this.controller);
  readonly #large = new Later(
    async () => new (await import('./large-models.js')).LargeModels(this.lab, transformerPlan.armOptions),
    () => this.lab.redraw(),
  );

  protected override keeping(): Pick<ControllerOptions, 'keep'> {
    const { lab } = this;
    return {
      keep: async (models) => {
        const keeper = await lab.keeper().catch(() => null);
        await keeper?.keep({ ...models, samples: this.controller.samples });
      },
    };
  }

  get title(): string {
    return this.texts.gptTitle;
  }
  get caption(): string {
    return this.texts.gptCaption;
  }
  protected computed(steps: string): string {
    return this.texts.gptComputed(steps);
  }
  get needsText(): boolean {
    return !this.showsFinished;
  }

  override beginOwn(): void {
    super.beginOwn();
    this.#samples.close();
  }

  /** Multiply-adds of `steps` steps: every token through the layers and the head, once forward and twice backward. */
  work(steps: number): number {
    const { arms, batchSize, contextLength, dModel, nLayers, vocabSize } = this.settings;
    const layer = 12 * dModel * dModel + 2 * contextLength * dModel;
    return 3 * steps * arms.length * batchSize * contextLength * (nLayers * layer + vocabSize * dModel);
  }

  override get cannotHandOver(): string | null | undefined {
    const { texts, controller, showsFinished } = this;
    const { settings, text, step } = controller;
    if (showsFinished || settings === null || text === null || step === 0) return undefined;
    if (!settings.arms.includes('tied') || !settings.arms.includes('untied')) return texts.handOverArms;
    if (text.corpus.tokenizer === null) return texts.handOverWords;
    return text.heldOutTokens < 2 ? texts.handOverHeldOut : null;
  }

  override async handOver(): Promise<OwnModels | null> {
    const { controller } = this;
    const text = controller.text?.name ?? this.sourceName;
    // In full precision, so other figures measure exactly what was trained.
    const written = await controller.writeModels({ precision: 'F32', withText: true });
    return written === null ? null : { ...written, text };
  }

  override get cannotHaveCards(): string | null | undefined {
    const { texts, controller, showsFinished } = this;
    const { text, step, phase } = controller;
    if (showsFinished || text === null || step === 0) return undefined;
    if (phase === 'running') return texts.cardsPause;
    return text.heldOutTokens < 2 ? texts.cardsHeldOut : null;
  }

  override cards(listening: Listening): Promise<Cards | null> {
    return this.controller.cards(listening);
  }

  override trainingFailure(error: unknown, step: number): string | null {
    const code = codeOf(error);
    if (code === 'not-finite' && error instanceof Error) return this.texts.gptDiverged(error.message);
    return super.trainingFailure(error, step);
  }

  /** When the figure is near the screen, the finished models generate what the run did not record. */
  override drawn(): void {
    const { run } = this.playback;
    const { atStep, viewStep, awake } = this.lab;
    // A link to a step shows that step first.
    if (run === null || !awake || atStep !== null || viewStep !== null) return;
    if (this.playback.viewedStep === null) this.#samples.follow(run);
  }

  /** A new run gets as many parts as cores can share; one that was recorded keeps its bits. */
  override changed(): void {
    const { lab } = this;
    lab.shards = 1;
    if (this.findFinished() === null) lab.shards = partsOf(this.settings);
  }

  // ------------------------------------------------------------ the drawn run

  /** An earlier sample keeps its own prompt, temperature and seed. */
  override readBack(): Values {
    const { viewsNewest, viewedStep, samples: book, text } = this.controller;
    const sample = this.showsFinished || viewsNewest ? null : newestSample(book.list, viewedStep);
    if (sample === null) return {};
    const { prompt, temperature, seed } = sample;
    return {
      prompt: prompt === text?.prompt ? null : prompt,
      temperature,
      sampleSeed: seed === this.settings.seed ? null : seed,
    };
  }

  protected isCurrent(run: object): boolean {
    return 'model' in run && kinshipOf(run as FinishedTransformerRun, this.lab, this.settings) !== null;
  }

  protected finishedRun(run: FinishedTransformerRun): Own<Shown> {
    const written = this.#samples.written(run);
    return {
      ...drawnAs,
      arms: finishedTransformerArms(run),
      text: run.text,
      samples: written,
      stops: stepsOf(written),
    };
  }

  protected ownRun(): Own<Shown> | null {
    const { text, arms, samples: book } = this.controller;
    if (text === null) return null;
    const { name, corpus, trainingTokens, heldOutTokens } = text;
    const { characters, vocabSize } = corpus;
    const facts = { name, characters, vocabSize, trainingTokens, heldOutTokens };
    return { ...drawnAs, arms, text: facts, samples: book.list, stops: stepsOf(book.list) };
  }

  protected spokenLosses(): Record<string, number> {
    const { arms, step } = this.controller;
    return Object.fromEntries(arms.map((arm) => [arm.kind, lossAt(arm, step) ?? Number.NaN]));
  }

  protected override heldOutLosses(): Record<string, number> | undefined {
    const { arms, step } = this.controller;
    const measured = arms.map((arm) => [arm.kind, heldOutAt(arm, step)] as const);
    if (measured.length === 0 || measured.some(([, one]) => one?.step !== step)) return undefined;
    return Object.fromEntries(measured.map(([kind, one]) => [kind, one!.loss]));
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): Content {
    return transformerSettingsPanel(this.lab);
  }

  protected textFacts(): string | null {
    const { text } = this.shown() ?? {};
    if (text === undefined) return null;
    return this.texts.gptFacts({
      name: text.name ?? this.sourceName,
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.trainingTokens),
      vocabulary: formatWhole(text.vocabSize),
      heldOut: text.heldOutTokens === 0 ? null : formatWhole(text.heldOutTokens),
    });
  }

  /** What the models take, if they are large. */
  #size(): string | null {
    const { settings } = this.controller;
    if (this.showsFinished || settings === null || this.work(1) < largeWork) return null;
    return this.#large.code?.sentence(this.controller, this.work(settings.steps)) ?? null;
  }

  protected override moreFacts(): string | null {
    const size = this.#size();
    if (size !== null) return size;
    const { run } = this.playback;
    const drawnFull = run !== null && kinshipOf(run, this.lab, this.settings) === 'full-size';
    if (!drawnFull && !(isSmallDevice() && hasSize(this.settings, 'small'))) return null;
    return this.texts.smallPreset(drawnFull ? formatWhole(run.arms[0]?.parameters ?? 0) : null);
  }

  drawings(): TemplateResult {
    const shown = this.shown();
    if (shown === null) return html`<div class="placeholder"></div>`;
    const { texts } = this;
    const height = this.#width.width < 480 ? 200 : 320;
    return html`
      <div class="gpt" tabindex="0" role="group" aria-label=${texts.gptTitle} aria-describedby="keys">
        <p id="keys" class="note keys">${texts.keys}</p>
        ${this.#samples.render(shown)}
        <div class="gpt-charts">
          ${lossChart(shown, height)} ${shareChart(shown, height, this.lab.panel(['shareBy']))}
        </div>
        ${historyRow(shown)}
      </div>
    `;
  }

  /** The models write again if the reader has changed what they write from. */
  override looked(changes: Values): void {
    if (!['prompt', 'temperature', 'sampleSeed'].some((name) => name in changes)) return;
    if (this.showsFinished) this.view(null);
    else void this.controller.writeAgain();
    this.lab.redraw();
  }

  protected standing(shown: Shown): Phrase[] {
    return transformerSummary(shown, this.invites);
  }

  tables(): TemplateResult {
    const shown = this.shown();
    if (shown === null) return html``;
    const { phase } = this.controller;
    const { arms, step, viewedStep, samples: written } = shown;
    // During a run the tables are updated when something was generated or measured, and name their last step.
    const measured = [written.length, written.at(-1), arms[0]?.heldOut.steps.length];
    const moment = phase === 'running' && shown.viewsNewest ? measured : [step, viewedStep, ...measured];
    return html`${guard([phase, shown.finished, this.lab.shareBy, ...moment], () => transformerTables(shown))}`;
  }
}
