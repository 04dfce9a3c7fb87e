import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { mostSeed, type Values } from '../../shared/settings/setting.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import { failureText } from '../failures.js';
import { FinishedPlayback } from '../finished-playback.js';
import { Mode, type ModeHost } from '../mode.js';
import type { SettingProblem } from '../settings.js';
import type { OtherSource } from '../settings-element.js';
import { preparing, type Phrase } from '../views/read-out.js';
import { TransformerRun } from './run.js';
import { FinishedWriter, isWrittenFrom } from './finished-writer.js';
import { historyRow } from '../views/step-chart.js';
import { finishedTransformerArms, kinshipOf, type FinishedTransformerRun } from './finished-run.js';
import { lossAt } from './readings.js';
import { newestSample, type Sample } from './samples.js';
import { hasSize, isSmallDevice, smallDevice, transformerProblems, type TransformerSettings } from './settings.js';
import { lossChart, shareChart, type Shown } from './views/charts.js';
import { transformerReadOut } from './views/read-out.js';
import { finishedSample } from './views/finished-sample.js';
import { promptProblem, samples } from './views/samples.js';
import { transformerSettingsPanel } from './views/settings-panel.js';
import { transformerTables } from './views/tables.js';
import type { Prompting } from './writer.js';

/** Small GPTs in the training lab: losses, which role changes the embedding, and samples, step by step. */
export class TransformerMode extends Mode<TransformerRun, TransformerSettings, Shown> {
  readonly hasSpeeds = false;
  readonly controller: TransformerRun;
  protected readonly playback: FinishedPlayback<FinishedTransformerRun>;
  readonly #width: WidthWatcher;
  readonly #finishedWriter: FinishedWriter;

  constructor(host: ModeHost) {
    super(host);
    this.#width = new WidthWatcher(host.element, '.gpt-charts', 640);
    const { element, labs, texts, redraw } = host;
    this.#finishedWriter = new FinishedWriter({ host: element, labs, names: texts, onChange: redraw });
    this.controller = new TransformerRun({
      ...this.controllerOptions(),
      prompting: () => ({ prompt: host.element.prompt, temperature: host.element.temperature, seed: this.#sampleSeed }),
    });
    this.playback = new FinishedPlayback(this.controller, () => this.#finishedRun());
  }

  get title(): string {
    return this.texts.gptTitle;
  }
  get caption(): string {
    return this.texts.gptCaption;
  }
  get needsText(): boolean {
    return !this.showsFinished;
  }
  protected computed(steps: string): string {
    return this.texts.gptComputed(steps);
  }

  override beginOwn(): void {
    super.beginOwn();
    this.#finishedWriter.close();
  }

  /** Multiply-adds of `steps` steps: every token through the layers and the head, once forwards and twice backwards. */
  work(steps: number): number {
    const { arms, batchSize, contextLength, dModel, nLayers, vocabSize } = this.settings;
    const layer = 12 * dModel * dModel + 2 * contextLength * dModel;
    return 3 * steps * arms.length * batchSize * contextLength * (nLayers * layer + vocabSize * dModel);
  }

  protected problems(settings: TransformerSettings): SettingProblem[] {
    // The length is known only for the current text with its current tokenizer.
    const { text, settings: before } = this.controller;
    const sameTokens = before?.tokenizer === settings.tokenizer && before.vocabSize === settings.vocabSize;
    return transformerProblems(settings, text !== null && sameTokens ? text.trainingTokens : Number.POSITIVE_INFINITY);
  }

  trainingFailure(error: unknown): string | null {
    const code = (error as { code?: unknown } | null)?.code;
    if (code === 'not-finite' && error instanceof Error) return this.texts.gptDiverged(error.message);
    return failureText(error, this.texts);
  }

  /** When the figure is near the screen, the finished models generate what the run did not record. */
  override drawn(): void {
    const { run } = this.playback;
    const { atStep, viewStep } = this.lab;
    // A link to a step shows that step first.
    if (run === null || !this.host.awake() || atStep !== null || viewStep !== null) return;
    const [last, wanted] = [run.samples.at(-1), this.#wanted(run)];
    if (this.playback.viewedStep !== null || (last !== undefined && isWrittenFrom(last, wanted))) return;
    this.#finishedWriter.follow(run, wanted);
  }

  // ------------------------------------------------------------ the drawn run

  get #sampleSeed(): number {
    return this.lab.sampleSeed ?? this.settings.seed;
  }

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

  #source(): { textSource: string; storyLength: number } {
    return { textSource: this.lab.textSource, storyLength: this.lab.storyLength };
  }

  /** The finished run of the current settings, if there is one. */
  #finishedRun(): FinishedTransformerRun | null {
    const runs = [this.lab.finished ?? []].flat().filter((run): run is FinishedTransformerRun => 'model' in run);
    return runs.find((run) => kinshipOf(run, this.#source(), this.settings) !== null) ?? null;
  }

  protected shown(): Shown | null {
    const { run } = this.playback;
    if (run !== null) {
      const { steps } = run.settings;
      const viewed = this.playback.viewedStep;
      return {
        ...this.looking(),
        arms: finishedTransformerArms(run),
        bounds: run.bounds,
        text: run.text,
        settings: run.settings,
        step: steps,
        viewedStep: viewed ?? steps,
        viewsNewest: viewed === null,
        samples: this.#samplesOf(run),
        finished: run,
      };
    }
    const { text, arms, step, settings, viewedStep, viewsNewest, samples: book } = this.controller;
    if (text === null || settings === null) return null;
    const { name, corpus, bounds, trainingTokens, heldOutTokens } = text;
    const { characters, vocabSize } = corpus;
    return {
      ...this.looking(),
      arms,
      bounds,
      text: { name, characters, vocabSize, trainingTokens, heldOutTokens },
      settings,
      step,
      viewedStep,
      viewsNewest,
      samples: book.list,
      finished: null,
    };
  }

  protected stops({ samples: written }: Shown): readonly number[] {
    return written.map(({ step }) => step);
  }

  protected spokenLosses(): Record<string, number> {
    const { arms, step } = this.controller;
    return Object.fromEntries(arms.map((arm) => [arm.kind, lossAt(arm, step) ?? Number.NaN]));
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): TemplateResult {
    return transformerSettingsPanel(this.host);
  }

  facts(): TemplateResult {
    const { texts } = this;
    const shown = this.shown();
    if (shown === null) return html`<p class="note facts"></p>`;
    const { text, finished } = shown;
    const facts = texts.gptFacts({
      name: text.name ?? texts.sources[this.lab.textSource as OtherSource],
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.trainingTokens),
      vocabulary: formatWhole(text.vocabSize),
      heldOut: text.heldOutTokens === 0 ? null : formatWhole(text.heldOutTokens),
    });
    const drawnFull = finished !== null && kinshipOf(finished, this.#source(), this.settings) === 'full-size';
    const small = drawnFull || (isSmallDevice() && hasSize(this.settings, smallDevice));
    const chain = this.controller.text?.chainBounds ?? null;
    const nats = (value: number): string => formatNumber(value, { decimals: 3 });
    return html`
      <p class="note facts">
        ${facts} ${chain === null ? nothing : texts.chainFloor(nats(chain.bigram), nats(shown.bounds.bigram))}
        ${small ? texts.smallPreset(drawnFull ? formatWhole(shown.arms[0]?.parameters ?? 0) : null) : nothing}
        ${finished === null && this.controller.takesTurns ? texts.inTurns : nothing}
      </p>
    `;
  }

  drawings(): TemplateResult {
    const shown = this.shown();
    if (shown === null) return html`<div class="placeholder"></div>`;
    const { texts } = this;
    const height = this.#width.width < 480 ? 260 : 320;
    return html`
      <div class="gpt" tabindex="0" role="group" aria-label=${texts.gptTitle} aria-describedby="keys">
        <p id="keys" class="note keys">${texts.keys}</p>
        ${this.#renderSamples(shown)}
        <div class="gpt-charts">${lossChart(shown, height)} ${shareChart(shown, height)}</div>
        ${historyRow(shown, { count: shown.step + 1, at: shown.viewedStep, stepAt: (step) => step })}
      </div>
    `;
  }

  #renderSamples({ arms, samples: written, viewedStep, viewsNewest, finished }: Shown): TemplateResult {
    const { controller } = this;
    const { texts } = this;
    const { prompt, temperature } = this.lab;
    const kept = newestSample(written, viewedStep);
    const write = (changes: { prompt?: string; temperature?: number; sampleSeed?: number }): void => {
      Object.assign(this.lab, changes);
      if (finished === null) void controller.writeAgain();
      else this.view(null);
      this.host.redraw();
    };
    const live = viewsNewest && finished === null ? controller.samples.live : null;
    const own = {
      sample: live ?? kept,
      live: live !== null,
      note: texts.sampleNote(
        formatWhole((live ?? kept)?.step ?? 0),
        formatWhole(live === null ? (kept?.seed ?? 0) : this.#sampleSeed),
      ),
      problem: promptProblem(texts, controller.promptProblem),
      canWrite: controller.arms.length > 0 && controller.phase !== 'preparing',
      unwritten: texts.noSample,
      fetching: null,
    };
    const shown =
      finished === null || kept === null
        ? own
        : finishedSample({
            texts,
            run: finished,
            kept,
            writer: this.#finishedWriter,
            wanted: this.#wanted(finished),
            viewsNewest,
          });
    return samples({
      texts,
      arms,
      step: viewedStep,
      prompt: prompt ?? controller.text?.prompt ?? kept?.prompt ?? '',
      temperature,
      ...shown,
      onPrompt: (text) => void write({ prompt: text }),
      onTemperature: (value) => void write({ temperature: value }),
      onAgain: () => {
        // A failed sample is tried again unchanged.
        if (shown.sample !== null || !this.#finishedWriter.retry()) {
          write({ sampleSeed: this.#sampleSeed === mostSeed ? 0 : this.#sampleSeed + 1 });
        } else write({});
      },
    });
  }

  /** The sample that the reader wants while a finished run is drawn. */
  #wanted({ samples: written }: FinishedTransformerRun): Prompting {
    const { prompt, temperature } = this.lab;
    return { prompt: prompt ?? written.at(-1)?.prompt ?? '', temperature, seed: this.#sampleSeed };
  }

  /** The samples of a finished run; the last one is the reader's, if its models have generated that. */
  #samplesOf(run: FinishedTransformerRun): readonly Sample[] {
    const { sample } = this.#finishedWriter;
    if (sample === null || !isWrittenFrom(sample, this.#wanted(run))) return run.samples;
    return [...run.samples.filter(({ step }) => step !== sample.step), sample];
  }

  readOut(asked: boolean): Phrase[] {
    const { texts } = this;
    const { phase, stage } = this.controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    const shown = this.shown();
    if (shown === null) return [{ text: asked ? texts.cancelled : texts.waiting }];
    return [...transformerReadOut(shown), ...this.whatNext(shown)];
  }

  tables(): TemplateResult {
    const shown = this.shown();
    if (shown === null) return html``;
    const { phase } = this.controller;
    const { arms, step, viewedStep, samples: written } = shown;
    // During a run they are updated when something was generated or measured, and name their last step.
    const measured = [written.length, written.at(-1), arms[0]?.heldOut.steps.length];
    const moment = phase === 'running' && shown.viewsNewest ? measured : [step, viewedStep, ...measured];
    return html`${guard([phase, shown.finished, this.lab.shareBy, ...moment], () => transformerTables(shown))}`;
  }
}
