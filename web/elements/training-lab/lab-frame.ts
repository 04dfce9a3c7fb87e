import { html, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit';
import { builtInTexts } from '../../texts/index.js';
import { formatWhole } from '../../charts/index.js';
import { button, segmented } from '../shared/controls.js';
import type { FigureParts } from '../shared/figure.js';
import type { NumberField } from '../shared/number-field.js';
import type { Mode } from './mode.js';
import type { FinishedRun } from './finished-run.js';
import { modelKinds, otherSources, SettingsElement, type Changes, type ModelKind } from './settings-element.js';
import { trainingLabStyles } from './training-lab.styles.js';
import type { FinishedTransformerRun } from './transformer/finished-run.js';
import { transformerStyles } from './transformer/transformer.styles.js';
import { plain, rendered, type Phrase } from './views/read-out.js';
import { dropZone, ownText, ownTextStyles } from '../shared/own-text.js';
import { textRow } from './views/text-panel.js';
import { stepsPerSecond, transport } from './views/transport.js';

/** A moment of a run: its newest step, and the earlier one that is looked at. */
export interface Moment {
  readonly step: number;
  readonly viewStep: number | null;
}

/** The frame of the training lab: transport, text, settings and words, around whatever its models have to show. */
export abstract class LabFrame extends SettingsElement {
  static override properties: PropertyDeclarations = {
    finished: { attribute: false },
    settingsOpen: { state: true },
    ownOpen: { state: true },
    draft: { state: true },
    textProblem: { state: true },
    refused: { state: true },
    restarted: { state: true },
    undoStep: { state: true },
    restoring: { state: true },
    notice: { state: true },
    relaxed: { state: true },
  };

  static override styles: CSSResultGroup = [
    SettingsElement.styles,
    ownTextStyles,
    trainingLabStyles,
    transformerStyles,
  ];

  /** Runs of before, each shown until the reader's own begins and while the lab is set as it was. */
  declare finished: FinishedRun | FinishedTransformerRun | readonly (FinishedRun | FinishedTransformerRun)[] | null;

  declare protected settingsOpen: boolean;
  declare protected ownOpen: boolean;
  declare protected draft: string;
  declare protected textProblem: string | null;
  /** Why a setting that the reader chose was not taken. */
  declare protected refused: string | null;
  declare protected restarted: boolean;
  /** The step of the run that a change of settings has ended, which can be brought back; null where there is none. */
  declare protected undoStep: number | null;
  /** What is being trained again, for a link or an undo. */
  declare protected restoring: Moment | null;
  /** What a link asked for that the lab does not do by itself. */
  declare protected notice: string | null;
  /** The lab is of the relaxed build: a link with a seed then promises less, which the caption says. */
  declare protected relaxed: boolean;

  constructor() {
    super();
    this.finished = null;
    this.settingsOpen = false;
    this.ownOpen = false;
    this.draft = '';
    this.textProblem = null;
    this.refused = null;
    this.restarted = false;
    this.undoStep = null;
    this.restoring = null;
    this.notice = null;
    this.relaxed = false;
  }

  // ------------------------------------------------------------ for the element to fill in

  /** What is shown for the present kind of model. */
  protected abstract get mode(): Mode;
  /** True while a file hovers over the figure. */
  protected abstract get dropping(): boolean;
  /** False before anything was asked of the controller. */
  protected abstract get asked(): boolean;
  protected abstract play(): Promise<void>;
  protected abstract step(): Promise<void>;
  protected abstract goTo(): Promise<void>;
  protected abstract rewind(): Promise<void>;
  protected abstract cancel(): void;
  /** Brings back the run that a change of settings has ended. */
  protected abstract undo(): void;
  /** The reader changed what a run depends on. */
  protected abstract change(changes: Changes): void;
  protected abstract chooseModel(model: ModelKind): void;
  protected abstract chooseSource(source: string): void;
  protected abstract usePasted(): void;
  protected abstract useFiles(files: readonly File[]): Promise<void>;

  protected override updated(): void {
    this.mode.drawn();
  }

  /** Fields hold what was typed; after a refusal they show again what is set. */
  protected resetFields(): void {
    const values = this as unknown as Record<string, number>;
    for (const field of this.renderRoot.querySelectorAll<NumberField>('.settings tied-number-field')) {
      const value = values[field.dataset['setting'] ?? ''];
      if (value !== undefined) field.value = value;
    }
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, mode } = this;
    const words = [...this.restoringPhrases(), ...mode.readOut(this.asked)];
    return {
      title: mode.title,
      controls: html`${this.renderTransport()}${this.renderText()}`,
      drawing: html`
        <div class="lab">
          ${mode.facts()} ${this.renderState()} ${mode.drawings()} ${dropZone(this.dropping, texts)}
        </div>
      `,
      readOut: rendered(words),
      // Numbers that run are for eyes; ears get the state when it stands still.
      announcement: mode.controller.phase === 'running' ? texts.training : plain(words),
      caption: this.relaxed ? `${mode.caption} ${texts.relaxed}` : mode.caption,
      data: () => mode.tables(),
    };
  }

  protected override pictureNote(): string {
    const { texts, mode, seed, dModel } = this;
    const facts = this.renderRoot.querySelector('.facts')?.textContent.replace(/\s+/g, ' ').trim() ?? '';
    const step = mode.viewedStep ?? mode.shownStep;
    if (step === null) return facts;
    return `${facts} ${texts.pictureMoment(formatWhole(step), formatWhole(this.steps), String(seed), formatWhole(dModel))}`;
  }

  /** How far a run is that is being trained again. */
  private restoringPhrases(): Phrase[] {
    if (this.restoring === null || this.mode.controller.phase === 'preparing') return [];
    const [done, target] = [this.mode.controller.step, this.restoring.step].map((step) => formatWhole(step));
    return [{ text: `${this.texts.restoring(done ?? '', target ?? '')} ` }];
  }

  /** Whose run is drawn, and what became of the one before. */
  private renderState(): TemplateResult {
    const { texts } = this;
    const { finished, words } = this.mode.state();
    return html`<p class="run-state">
      <span class="badge ${finished ? 'is-finished' : ''}">${finished ? texts.finishedRun : texts.yourRun}</span>
      <span>${words}</span> ${this.restarted ? html`<strong>${texts.restarted}</strong>` : nothing}
      ${
        this.undoStep === null
          ? nothing
          : button({
              label: texts.undo(formatWhole(this.undoStep)),
              kind: 'quiet',
              onPress: () => {
                this.undo();
              },
            })
      }
      ${this.notice === null ? nothing : html`<strong role="status">${this.notice}</strong>`}
    </p>`;
  }

  private renderTransport(): TemplateResult {
    const { controller, hasSpeeds, needsText, shownStep } = this.mode;
    const lost = (controller.failure?.lostAt ?? null) !== null;
    return transport({
      texts: this.texts,
      // Models that went with their worker are made anew when the reader plays.
      phase: lost ? 'idle' : controller.phase,
      step: shownStep,
      plannedSteps: this.steps,
      secondsLeft: hasSpeeds ? null : controller.secondsLeft,
      runToStep: this.runTo,
      speed: hasSpeeds ? this.speed : null,
      canWake: !needsText,
      onPlay: () => void this.play(),
      onPause: () => {
        controller.pause();
      },
      onStep: () => void this.step(),
      onRunTo: () => void this.goTo(),
      onRunToStep: (step) => {
        this.runTo = step;
      },
      onRewind: () => void this.rewind(),
      onSpeed: (speed) => {
        this.speed = speed;
        void controller.changeSpeed(stepsPerSecond[speed]);
      },
      onCancel: () => {
        this.cancel();
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
        before: this.modelChoice ? this.renderModelChoice() : nothing,
        onSource: (source) => {
          this.chooseSource(source);
        },
        onTokenizer: (tokenizer) => {
          // Byte pairs of direct paths begin with all 256 bytes.
          const least = tokenizer === 'bpe' && this.model === 'direct-path' ? 512 : 0;
          this.change({ tokenizer, vocabSize: Math.max(this.vocabSize, least) });
        },
        onSettings: () => {
          this.settingsOpen = !this.settingsOpen;
        },
      })}
      ${this.ownOpen ? this.renderOwnText() : nothing} ${this.settingsOpen ? this.renderSettings() : nothing}
    `;
  }

  private renderModelChoice(): TemplateResult {
    return segmented({
      legend: this.texts.modelChoice,
      name: 'model',
      value: this.model,
      choices: modelKinds.map((value) => ({ value, label: this.texts.modelChoices[value] ?? value })),
      onChoose: (model) => {
        this.chooseModel(model);
      },
    });
  }

  private renderSettings(): TemplateResult {
    return html`
      ${this.mode.settingsPanel()}
      <div role="alert">${this.refused === null ? nothing : html`<p class="problem">${this.refused}</p>`}</div>
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
}
