import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/index.js';
import type { TokenizerKind } from '../../core/types.js';
import { builtInTexts } from '../../texts/index.js';
import { button, segmented, select } from '../shared/controls.js';
import type { FigureParts } from '../shared/figure.js';
import type { NumberEvent, NumberField } from '../shared/number-field.js';
import { OwnText, ownTextStyles, type TextFile } from '../shared/own-text.js';
import { TiedElement } from '../shared/tied-element.js';
import type { LabProperties } from './mode.js';
import { speeds, stepsPerSecond, timeLeft } from './pace.js';
import { mostSteps } from './settings.js';
import { modelKinds, otherSources, SettingsElement, type Changes, type ModelKind } from './settings-element.js';
import { trainingLabStyles } from './training-lab.styles.js';
import { transformerStyles } from './transformer/transformer.styles.js';
import { plain, rendered, type Phrase } from './views/read-out.js';

const tokenizers: readonly TokenizerKind[] = ['word', 'character', 'bpe'];

/** A point in a run: its newest step, and the viewed earlier one. */
export interface Moment {
  readonly step: number;
  readonly viewStep: number | null;
}

/** The frame of the training lab: transport, text, settings and sentences, around the drawings of its models. */
export abstract class LabFrame extends SettingsElement {
  static override styles: CSSResultGroup = [TiedElement.styles, ownTextStyles, trainingLabStyles, transformerStyles];

  /** Finished runs. One is shown while its settings are set and until the reader starts a run. */
  @property({ attribute: false }) finished: LabProperties['finished'] = null;

  @state() protected settingsOpen = false;
  @state() protected ownOpen = false;
  /** Why a setting of the reader was refused. */
  @state() protected refused: string | null = null;
  @state() protected restarted = false;
  /** The step of the run that a change of settings ended and that can be restored; null if there is none. */
  @state() protected undoStep: number | null = null;
  /** The run that is being trained again, for a link or an undo. */
  @state() protected restoring: Moment | null = null;
  /** A sentence about a step that a link asks for and that takes too long to train unasked; null if there is none. */
  @state() protected notice: string | null = null;
  /** Whether the lab uses the relaxed build. The caption then says that links reproduce runs less exactly. */
  @state() protected relaxed = false;

  protected readonly ownText = new OwnText(this, {
    texts: () => ({ ...this.texts, ...this.texts.problems }),
    opened: () => {
      this.ownOpen = true;
    },
    use: (text) => {
      this.useOwn(text);
    },
  });

  // ------------------------------------------------------------ to be implemented by the element

  /** False until the controller has received a request. */
  protected abstract get asked(): boolean;
  protected abstract play(): Promise<void>;
  protected abstract step(): Promise<void>;
  protected abstract goTo(): Promise<void>;
  protected abstract rewind(): Promise<void>;
  protected abstract cancel(): void;
  /** Restores the run that a change of settings ended. */
  protected abstract undo(): Promise<void>;
  /** The reader changed a setting of the run. */
  protected abstract change(changes: Changes): void;
  protected abstract chooseModel(model: ModelKind): void;
  protected abstract chooseSource(source: string): void;
  /** The reader gave a text of their own. */
  protected abstract useOwn(text: TextFile): void;

  protected override updated(): void {
    this.mode.drawn();
  }

  /** Resets fields, which hold what was typed, to the current settings after a refusal. */
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
        <div class="lab">${mode.facts()} ${this.renderState()} ${mode.drawings()} ${this.ownText.renderDropZone()}</div>
      `,
      readOut: rendered(words),
      // Screen readers get the state only when it no longer changes.
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

  /** The progress of a run that is being trained again. */
  private restoringPhrases(): Phrase[] {
    if (this.restoring === null || this.mode.controller.phase === 'preparing') return [];
    const [done, target] = [this.mode.controller.step, this.restoring.step].map((step) => formatWhole(step));
    return [{ text: `${this.texts.restoring(done ?? '', target ?? '')} ` }];
  }

  /** Whose run is drawn, and what happened to the previous one. */
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
              onPress: () => void this.undo(),
            })
      }
      ${this.notice === null ? nothing : html`<strong role="status">${this.notice}</strong>`}
    </p>`;
  }

  /** Play or pause, step, run to a step, rewind, speed: in this order in every figure. */
  private renderTransport(): TemplateResult {
    const { texts, mode } = this;
    const { controller, shownStep } = mode;
    const lost = (controller.failure?.lostAt ?? null) !== null;
    // Models that were lost with their worker are created again when the reader plays.
    const phase = lost ? 'idle' : controller.phase;
    const running = phase === 'running';
    // If there is something to show without models, they are created when first needed.
    const standing =
      phase === 'ready' || phase === 'paused' || phase === 'finished' || (phase === 'idle' && !mode.needsText);
    return html`
      <div class="row transport">
        ${
          phase === 'preparing'
            ? button({ label: texts.cancel, icon: 'remove', onPress: () => void this.cancel() })
            : running
              ? button({ label: texts.pause, icon: 'pause', kind: 'primary', onPress: () => void controller.pause() })
              : button({
                  label: texts.play,
                  icon: 'play',
                  kind: 'primary',
                  disabled: !(standing || phase === 'idle'),
                  onPress: () => void this.play(),
                })
        }
        ${button({
          label: texts.stepOnce,
          icon: 'step',
          iconOnly: true,
          disabled: !standing,
          onPress: () => void this.step(),
        })}
        <span class="run-to">
          ${button({
            label: texts.runTo,
            icon: 'run-to',
            disabled: !(standing || running),
            onPress: () => void this.goTo(),
          })}
          <tied-number-field
            label=${texts.runToField}
            hide-label
            whole
            .value=${this.runTo}
            .min=${0}
            .max=${mostSteps}
            .step=${10}
            @tied-number=${({ detail }: NumberEvent) => {
              if (detail.final) this.runTo = detail.value;
            }}
          ></tied-number-field>
        </span>
        ${button({
          label: texts.rewind,
          icon: 'rewind',
          iconOnly: true,
          disabled: !(standing || running || phase === 'failed') || (shownStep ?? 0) === 0,
          onPress: () => void this.rewind(),
        })}
        ${
          mode.hasSpeeds
            ? segmented({
                legend: texts.speed,
                name: 'speed',
                value: this.speed,
                choices: speeds.map((speed) => ({ value: speed, label: texts.speeds[speed] ?? speed })),
                onChoose: (speed) => {
                  this.speed = speed;
                  void controller.changeSpeed(stepsPerSecond[speed]);
                },
              })
            : nothing
        }
        <output class="step-count">${this.renderStepCount(shownStep)}</output>
      </div>
    `;
  }

  private renderStepCount(step: number | null): TemplateResult {
    const { texts, steps, mode } = this;
    const count =
      step === null
        ? nothing
        : step <= steps
          ? texts.stepCount(formatWhole(step), formatWhole(steps))
          : texts.stepCountBeyond(formatWhole(step));
    const seconds = mode.hasSpeeds ? null : mode.controller.secondsLeft;
    return html`${count}${seconds === null ? nothing : html`, ${timeLeft(texts, seconds)}`}`;
  }

  /** The text, its tokens, and the button that opens all other settings. */
  private renderText(): TemplateResult {
    const { texts } = this;
    return html`
      <div class="row">
        ${this.modelChoice ? this.renderModelChoice() : nothing}
        ${select({
          label: texts.text,
          value: this.ownOpen ? 'own' : this.textSource,
          choices: [
            ...builtInTexts.map(({ id, title }) => ({ value: id, label: title })),
            ...otherSources.map((kind) => ({ value: kind, label: texts.sources[kind] })),
          ],
          onChoose: (source) => void this.chooseSource(source),
        })}
        ${
          // A chain consists of tokens already.
          this.textSource === 'markov-chain'
            ? nothing
            : segmented({
                legend: texts.tokenizer,
                name: 'tokenizer',
                value: this.tokenizer,
                choices: tokenizers.map((kind) => ({ value: kind, label: texts.tokenizers[kind] })),
                onChoose: (tokenizer) => {
                  // For direct paths, byte pairs start from all 256 bytes.
                  const least = tokenizer === 'bpe' && this.model === 'direct-path' ? 512 : 0;
                  this.change({ tokenizer, vocabSize: Math.max(this.vocabSize, least) });
                },
              })
        }
        ${button({
          label: texts.settings,
          kind: 'quiet',
          expanded: this.settingsOpen,
          onPress: () => (this.settingsOpen = !this.settingsOpen),
        })}
      </div>
      ${this.ownOpen ? this.ownText.render() : nothing} ${this.settingsOpen ? this.renderSettings() : nothing}
    `;
  }

  private renderModelChoice(): TemplateResult {
    return segmented({
      legend: this.texts.modelChoice,
      name: 'model',
      value: this.model,
      choices: modelKinds.map((value) => ({ value, label: this.texts.modelChoices[value] ?? value })),
      onChoose: (model) => void this.chooseModel(model),
    });
  }

  private renderSettings(): TemplateResult {
    return html`
      ${this.mode.settingsPanel()}
      <div role="alert">${this.refused === null ? nothing : html`<p class="problem">${this.refused}</p>`}</div>
    `;
  }
}
