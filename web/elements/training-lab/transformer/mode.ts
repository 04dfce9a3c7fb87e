import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatWhole } from '../../../charts/index.js';
import type { Content } from '../../shared/figure.js';
import { mostSeed, type Values } from '../../shared/settings/setting.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import { FinishedPlayback } from '../finished-playback.js';
import { Mode, type Own } from '../mode.js';
import type { Phrase } from '../views/read-out.js';
import { historyRow } from '../views/step-chart.js';
import { finishedTransformerArms, kinshipOf, type FinishedTransformerRun } from './finished-run.js';
import { FinishedWriter, isWrittenFrom } from './finished-writer.js';
import { lossAt } from './readings.js';
import { TransformerRun } from './run.js';
import { newestSample, type Prompting, type Sample } from './samples.js';
import { hasSize, isSmallDevice, type TransformerSettings } from './settings.js';
import { lossChart, shareChart, type Shown } from './views/charts.js';
import { finishedSample } from './views/finished-sample.js';
import { transformerReadOut } from './views/read-out.js';
import { promptProblem, samples } from './views/samples.js';
import { transformerSettingsPanel } from './views/settings-panel.js';
import { transformerTables } from './views/tables.js';

/** A record of a step is of its batch, before its update; any step can be viewed. */
const drawnAs = { first: 1, everyStep: true } as const;

const stepsOf = (samples: readonly Sample[]): number[] => samples.map(({ step }) => step);

/** Small GPTs in the training lab: losses, which role changes the embedding, and samples, step by step. */
export class TransformerMode extends Mode<TransformerRun, TransformerSettings, Shown, FinishedTransformerRun> {
  readonly hasSpeeds = false;
  readonly controller = new TransformerRun({
    ...this.controllerOptions(),
    prompting: () => ({ prompt: this.lab.prompt, temperature: this.lab.temperature, seed: this.#sampleSeed }),
  });
  protected readonly playback = new FinishedPlayback(this.controller, () => this.findFinished());
  protected readonly keys = {
    title: 'gptTitle',
    titleFinished: 'gptTitle',
    caption: 'gptCaption',
    computed: 'gptComputed',
  } as const;
  readonly #width = new WidthWatcher(this.lab, '.gpt-charts', 640);
  readonly #finishedWriter = new FinishedWriter({
    host: this.lab,
    labs: this.lab.labSource,
    names: () => this.texts,
    onChange: () => {
      this.lab.redraw();
    },
  });

  get needsText(): boolean {
    return !this.showsFinished;
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

  override trainingFailure(error: unknown, step: number): string | null {
    const code = (error as { code?: unknown } | null)?.code;
    if (code === 'not-finite' && error instanceof Error) return this.texts.gptDiverged(error.message);
    return super.trainingFailure(error, step);
  }

  /** When the figure is near the screen, the finished models generate what the run did not record. */
  override drawn(): void {
    const { run } = this.playback;
    const { atStep, viewStep, awake } = this.lab;
    // A link to a step shows that step first.
    if (run === null || !awake || atStep !== null || viewStep !== null) return;
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

  protected isCurrent(run: object): boolean {
    return 'model' in run && kinshipOf(run as FinishedTransformerRun, this.lab, this.settings) !== null;
  }

  protected finishedRun(run: FinishedTransformerRun): Own<Shown> {
    const written = this.#samplesOf(run);
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

  protected override moreFacts(): string | null {
    const { run } = this.playback;
    const drawnFull = run !== null && kinshipOf(run, this.lab, this.settings) === 'full-size';
    if (!drawnFull && !(isSmallDevice() && hasSize(this.settings, 'small'))) return null;
    return this.texts.smallPreset(drawnFull ? formatWhole(run.arms[0]?.parameters ?? 0) : null);
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
        <div class="gpt-charts">
          ${lossChart(shown, height)} ${shareChart(shown, height, this.lab.panel(['shareBy']))}
        </div>
        ${historyRow(shown)}
      </div>
    `;
  }

  #renderSamples({ arms, samples: written, viewedStep, viewsNewest, finished }: Shown): TemplateResult {
    const { controller, texts, lab } = this;
    const kept = newestSample(written, viewedStep);
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
    const writer = this.#finishedWriter;
    const shown =
      finished === null || kept === null
        ? own
        : finishedSample({ texts, run: finished, kept, writer, wanted: this.#wanted(finished), viewsNewest });
    return samples({
      texts,
      arms,
      step: viewedStep,
      prompt: lab.prompt ?? controller.text?.prompt ?? kept?.prompt ?? '',
      temperature: lab.panel(['temperature']),
      ...shown,
      onPrompt: (text) => void lab.changeSettings({ prompt: text }),
      onAgain: () => {
        // A failed sample is tried again unchanged.
        const next = this.#sampleSeed === mostSeed ? 0 : this.#sampleSeed + 1;
        lab.changeSettings({
          sampleSeed: shown.sample === null && writer.retry() ? lab.sampleSeed : next,
        });
      },
    });
  }

  /** The models write again where the reader has changed what they write from. */
  override looked(changes: Values): void {
    if (!['prompt', 'temperature', 'sampleSeed'].some((name) => name in changes)) return;
    if (this.showsFinished) this.view(null);
    else void this.controller.writeAgain();
    this.lab.redraw();
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

  protected standing(shown: Shown): Phrase[] {
    return transformerReadOut(shown);
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
