import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { button, checkbox } from '../../shared/controls.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import type { LabProperties, Mode, ModeHost, RunState } from '../mode.js';
import { failureText } from '../failures.js';
import type { OtherSource, Refusal } from '../settings-element.js';
import type { TextSource } from '../text-source.js';
import { preparing, type Phrase } from '../views/read-out.js';
import type { TransformerArm } from './run.js';
import { PromptError, TransformerRun } from './run.js';
import { finishedTransformerArms, kinshipOf, type FinishedTransformerRun, type TextFacts } from './finished-run.js';
import { lossAt } from './readings.js';
import type { Sample } from './samples.js';
import { hasSize, isSmallDevice, smallDevice, transformerProblems, type TransformerSettings } from './settings.js';
import { kebab } from '../../shared/settings/setting.js';
import { lossChart, shareChart, type ChartsOptions } from './views/charts.js';
import { transformerReadOut } from './views/read-out.js';
import { samples } from './views/samples.js';
import { transformerSettingsPanel } from './views/settings-panel.js';
import { transformerTables } from './views/tables.js';

/** What is drawn: the reader's run, or one that was finished before. */
interface Shown {
  arms: readonly TransformerArm[];
  bounds: { readonly unigram: number; readonly bigram: number };
  text: TextFacts;
  step: number;
  plannedSteps: number;
  viewedStep: number;
  viewsNewest: boolean;
  samples: readonly Sample[];
  /** Null: the reader's own. */
  finished: FinishedTransformerRun | null;
}

const newestSample = (samples: readonly Sample[], step: number): Sample | null =>
  samples.filter((sample) => sample.step <= step).at(-1) ?? null;

/** Small GPTs in the training lab: losses, who moves the embedding, and what both write, step by step. */
export class TransformerMode implements Mode {
  readonly kind = 'transformer';
  readonly hasSpeeds = false;
  readonly controller: TransformerRun;
  readonly #host: ModeHost;
  readonly #width: WidthWatcher;
  /** The reader has begun a run: from then on only such are shown. */
  #started = false;
  /** The step of a finished run that is looked at; null: its last. */
  #finishedView: number | null = null;
  /** How often the reader wanted another sample: each has a seed of its own. */
  #again = 0;

  constructor(host: ModeHost) {
    this.#host = host;
    this.#width = new WidthWatcher(host.element, '.gpt-charts', 640);
    this.controller = new TransformerRun({
      host: host.element,
      labs: host.labs,
      loadBuiltIn: host.loadBuiltIn,
      prompting: () => ({ prompt: host.element.prompt, temperature: host.element.temperature, seed: this.#sampleSeed }),
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
    return this.#texts.gptTitle;
  }
  get caption(): string {
    return this.#texts.gptCaption;
  }
  get keys(): string {
    return this.#texts.gptKeys;
  }
  get needsText(): boolean {
    return this.#finishedRun() === null;
  }

  get shownStep(): number | null {
    return this.#shown()?.step ?? null;
  }
  get viewedStep(): number | null {
    const shown = this.#shown();
    return shown === null || shown.viewsNewest ? null : shown.viewedStep;
  }
  get showsFinished(): boolean {
    return this.#finishedRun() !== null;
  }

  beginOwn(): void {
    this.#started = true;
    this.#finishedView = null;
  }

  /** Multiply-adds of so many steps: every token through the layers and against the vocabulary, and twice back. */
  work(steps: number): number {
    const { arms, batchSize, contextLength, dModel, nLayers, vocabSize } = this.#settings;
    const layer = 12 * dModel * dModel + 2 * contextLength * dModel;
    return 3 * steps * arms.length * batchSize * contextLength * (nLayers * layer + vocabSize * dModel);
  }

  configure(source: TextSource): void {
    void this.controller.configure(source, this.#settings);
  }

  reset(): void {
    this.#again = 0;
    this.#finishedView = null;
  }

  refusal(settings: TransformerSettings): Refusal | null {
    // Whether a text is long enough is known of the one that stands, cut as it is.
    const { text, settings: before } = this.controller;
    const sameTokens = before?.tokenizer === settings.tokenizer && before.vocabSize === settings.vocabSize;
    const tokens = text !== null && sameTokens ? text.trainingTokens : Number.POSITIVE_INFINITY;
    const [problem] = transformerProblems(settings, tokens);
    if (problem === undefined) return null;
    const { setting } = problem;
    return { setting, sentence: this.#texts.settingProblem(kebab(setting), problem) };
  }

  trainingFailure(error: unknown): string | null {
    const code = (error as { code?: unknown } | null)?.code;
    if (code === 'not-finite' && error instanceof Error) return this.#texts.gptDiverged(error.message);
    return failureText(error, this.#texts);
  }

  lookBack(): void {
    const { step, viewedStep, samples: written } = this.#shown() ?? { step: 0, viewedStep: 0, samples: [] };
    const stops = written.map((sample) => sample.step).filter((at) => at < viewedStep);
    if (step > 0) this.view(stops.at(-1) ?? 0);
  }

  viewNewest(): void {
    this.view(null);
  }

  drawn(): void {}
  connected(): void {}
  disconnected(): void {}

  // ------------------------------------------------------------ what there is to draw

  get #texts(): ReturnType<ModeHost['texts']> {
    return this.#host.texts();
  }

  get #lab(): LabProperties {
    return this.#host.element;
  }

  get #settings(): TransformerSettings {
    return this.#host.settings() as TransformerSettings;
  }

  get #sampleSeed(): number {
    return this.#settings.seed + this.#again;
  }

  #source(): { textSource: string; storyLength: number } {
    return { textSource: this.#lab.textSource, storyLength: this.#lab.storyLength };
  }

  /** The run of before, where it is what is shown. */
  #finishedRun(): FinishedTransformerRun | null {
    if (this.#started) return null;
    const runs = [this.#lab.finished ?? []].flat().filter((run): run is FinishedTransformerRun => 'model' in run);
    return runs.find((run) => kinshipOf(run, this.#source(), this.#settings) !== null) ?? null;
  }

  #shown(): Shown | null {
    const finished = this.#finishedRun();
    if (finished !== null) {
      const { steps } = finished.settings;
      return {
        arms: finishedTransformerArms(finished),
        bounds: finished.bounds,
        text: finished.text,
        step: steps,
        plannedSteps: steps,
        viewedStep: this.#finishedView ?? steps,
        viewsNewest: this.#finishedView === null,
        samples: finished.samples,
        finished,
      };
    }
    const { text, arms, step, settings, viewedStep, viewsNewest, samples: book } = this.controller;
    if (text === null || settings === null) return null;
    const facts = {
      name: text.name,
      characters: text.corpus.characters,
      vocabSize: text.corpus.vocabSize,
      trainingTokens: text.trainingTokens,
      heldOutTokens: text.heldOutTokens,
    };
    const { bounds } = text;
    const plannedSteps = settings.steps;
    return {
      arms,
      bounds,
      text: facts,
      step,
      plannedSteps,
      viewedStep,
      viewsNewest,
      samples: book.list,
      finished: null,
    };
  }

  view(step: number | null): void {
    const finished = this.#finishedRun();
    if (finished === null) {
      this.controller.view(step);
      return;
    }
    this.#finishedView = step === null || step >= finished.settings.steps ? null : Math.max(0, step);
    this.#host.redraw();
  }

  #spokenLosses(): Record<string, number> {
    const { arms, step } = this.controller;
    return Object.fromEntries(arms.map((arm) => [arm.kind, lossAt(arm, step) ?? Number.NaN]));
  }

  // ------------------------------------------------------------ drawing

  settingsPanel(): TemplateResult {
    return transformerSettingsPanel({
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
    const finished = this.#finishedRun();
    if (finished !== null) return { finished: true, words: texts.gptComputed(formatWhole(finished.settings.steps)) };
    return { finished: false, words: this.controller.step === 0 ? texts.notBegun : texts.ownRun };
  }

  facts(): TemplateResult {
    const texts = this.#texts;
    const shown = this.#shown();
    if (shown === null) return html`<p class="note facts"></p>`;
    const { text, finished } = shown;
    const facts = texts.gptFacts({
      name: text.name ?? texts.sources[this.#lab.textSource as OtherSource],
      characters: text.characters === null ? null : formatWhole(text.characters),
      tokens: formatWhole(text.trainingTokens),
      vocabulary: formatWhole(text.vocabSize),
      heldOut: text.heldOutTokens === 0 ? null : formatWhole(text.heldOutTokens),
    });
    const drawnFull = finished !== null && kinshipOf(finished, this.#source(), this.#settings) === 'full-size';
    const small = drawnFull || (isSmallDevice() && hasSize(this.#settings, smallDevice));
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
    const shown = this.#shown();
    if (shown === null) return html`<div class="placeholder"></div>`;
    const texts = this.#texts;
    const charts = this.#chartOptions(shown);
    return html`
      <div class="gpt" tabindex="0" role="group" aria-label=${texts.gptTitle} aria-describedby="keys">
        <p id="keys" class="note keys">${texts.gptKeys}</p>
        ${this.#renderSamples(shown)}
        <div class="gpt-charts">${lossChart(charts)} ${shareChart(charts)}</div>
        ${this.#renderHistory(shown)}
      </div>
    `;
  }

  #chartOptions({ arms, bounds, text, plannedSteps, step, viewedStep }: Shown): ChartsOptions {
    return {
      texts: this.#texts,
      arms,
      bounds,
      startLoss: Math.log(text.vocabSize),
      height: this.#width.width < 480 ? 260 : 320,
      logarithmic: !this.#lab.linearSteps,
      plannedSteps,
      step,
      viewedStep,
      definition: this.#lab.shareBy,
      onDefinition: (definition) => {
        Object.assign(this.#lab, { shareBy: definition });
      },
      onView: (at) => {
        this.view(at);
      },
    };
  }

  #renderHistory({ step, viewedStep, viewsNewest }: Shown): TemplateResult {
    const texts = this.#texts;
    const moment = texts.historyValue(formatWhole(viewedStep));
    return html`
      <div class="row tight history">
        <label class="scrubber">
          <span class="legend">${texts.drawnStep}</span>
          <input
            type="range"
            min="0"
            max=${Math.max(1, step)}
            step="1"
            ?disabled=${step === 0}
            .value=${String(step === 0 ? 1 : viewedStep)}
            aria-valuetext=${moment}
            @input=${(event: Event) => {
              this.view(Number((event.target as HTMLInputElement).value));
            }}
          />
          <span class="value">${moment}</span>
        </label>
        ${button({
          label: texts.newest,
          kind: 'quiet',
          disabled: viewsNewest,
          onPress: () => {
            this.view(null);
          },
        })}
        ${checkbox({
          label: texts.logSteps,
          checked: !this.#lab.linearSteps,
          onChange: (logarithmic) => {
            Object.assign(this.#lab, { linearSteps: !logarithmic });
          },
        })}
      </div>
    `;
  }

  #renderSamples({ arms, samples: written, viewedStep, viewsNewest, finished }: Shown): TemplateResult {
    const { controller } = this;
    const { prompt, temperature } = this.#lab;
    const live = finished === null && viewsNewest ? controller.samples.live : null;
    const kept = newestSample(written, viewedStep);
    // What a finished run wrote does not stand beside a prompt or a temperature that it was not written from.
    const waits =
      finished !== null &&
      kept !== null &&
      ((prompt !== null && prompt !== kept.prompt) || temperature !== kept.temperature);
    const write = (changes: { prompt?: string | null; temperature?: number }): void => {
      Object.assign(this.#lab, changes);
      void controller.writeAgain();
      this.#host.redraw();
    };
    return samples({
      texts: this.#texts,
      arms,
      step: viewedStep,
      sample: live ?? (waits ? null : kept),
      live: live !== null,
      seed: live === null ? (kept?.seed ?? this.#sampleSeed) : this.#sampleSeed,
      prompt: prompt ?? controller.text?.prompt ?? kept?.prompt ?? '',
      temperature,
      problem: this.#promptProblem(),
      canWrite: controller.arms.length > 0 && controller.phase !== 'preparing',
      promptWaits: waits,
      onPrompt: (text) => {
        write({ prompt: text });
      },
      onTemperature: (value) => {
        write({ temperature: value });
      },
      onAgain: () => {
        this.#again += 1;
        write({});
      },
    });
  }

  #promptProblem(): string | null {
    const { promptProblem } = this.controller;
    if (promptProblem === null) return null;
    if (promptProblem instanceof PromptError) return this.#texts.promptProblem(promptProblem.prompt);
    return this.#texts.promptFailed(promptProblem instanceof Error ? promptProblem.message : String(promptProblem));
  }

  readOut(asked: boolean): Phrase[] {
    const texts = this.#texts;
    const { phase, stage, suspended } = this.controller;
    if (phase === 'preparing') return preparing(texts, stage ?? 'loading');
    const shown = this.#shown();
    if (shown === null) return [{ text: asked ? texts.cancelled : texts.waiting }];
    const { seed } = shown.finished?.settings ?? this.controller.settings ?? this.#settings;
    const words = transformerReadOut({ texts, definition: this.#lab.shareBy, seed, ...shown });
    if (shown.finished !== null) return [...words, { text: ` ${texts.drawOver}` }];
    return suspended ? [...words, { text: ` ${texts.outOfSight}` }] : words;
  }

  tables(): TemplateResult {
    const shown = this.#shown();
    if (shown === null) return html``;
    const { phase } = this.controller;
    const { arms, step, viewedStep, samples: written } = shown;
    // While a run goes on they are made anew when something was written or measured, and say up to which step they go.
    const measured = [written.length, arms[0]?.heldOut.steps.length];
    const moment = phase === 'running' && shown.viewsNewest ? measured : [step, viewedStep, ...measured];
    return html`${guard([phase, shown.finished, this.#lab.shareBy, ...moment], () =>
      transformerTables({ texts: this.#texts, definition: this.#lab.shareBy, ...shown }),
    )}`;
  }
}
