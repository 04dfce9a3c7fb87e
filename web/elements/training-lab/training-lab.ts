import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/index.js';
import { builtInTexts } from '../../texts/index.js';
import { button, select, type IconName } from '../shared/controls.js';
import type { Code, Content, FigureParts } from '../shared/figure.js';
import { hasTakers } from '../shared/own-models.js';
import { ownTextStyles } from '../shared/own-text.js';
import { TiedElement } from '../shared/tied-element.js';
import { timeLeft } from './pace.js';
import { RunningLab } from './running-lab.js';
import { otherSources } from './lab-settings.js';
import type { Cards } from './transformer/model-cards.js';
import { promptChipsStyles } from '../shared/prompt-chips.js';
import { trainingLabStyles } from './training-lab.styles.js';
import { cardPanel } from './views/card-panel.js';
import { plain, rendered, type Phrase } from './views/phrase.js';

/**
 * `<tied-training-lab text-source="a-year-in-new-york" tokenizer="word" arms="tied untied" d-model="32">`: direct-path
 * models trained together on a text of the reader's choice, compared with the floors of that text. `<tied-training-lab
 * model="transformer" arms="tied untied">`: two small GPTs, with each role's share of the gradient and text from both
 * models. With two cores, models train in two workers; otherwise they take turns in one.
 *
 * Attributes (and properties of the same names in camelCase): `model` (`direct-path`, `transformer`), `model-choice`
 * (the reader may switch), `text-source` (a built-in text's id, `built-in`, `stories`, `markov-chain`, `own`),
 * `story-length`, `states`, `tokenizer`, `vocab-size`, `d-model`, `arms`, `seed`, `learning-rate`, `batch-size` (a
 * number or, for direct paths, `whole-table`), `steps`, `run-to`, `speed` (`slow`, `medium`, `fast`), `linear-steps`.
 * In links: `at-step`, the step to train to on opening, and `view-step`, the earlier step to view. Direct paths:
 * `optimizer`, `output-bias`, `pair-from`, `pair-to`, `map-tokens`, `map-order` (`one-way`, `frequency`), `map-panel`
 * (the map drawn if only one fits), `map-values` (`probabilities`, `logits`). Transformers: `n-layers`, `n-heads`,
 * `context-length`, `low-rank`, `untie-at-step`, `untie-below`, `embedding-scale` (`none`, `sqrt-d-model`),
 * `input-gradient-scale`, `shards` (parts of each batch, which cores can share), `prompt`, `temperature`, `sample-seed`, `share-by` (`matrix`, `position`). Properties:
 * `text`, a text that the page provides; `finished`, runs to show until the reader plays. Nothing trains before the
 * reader starts it; the worker starts when the figure comes near the screen.
 *
 * @fires {CustomEvent<TrainingLabStep>} tied-step - A step has been trained in every model.
 * @fires {CustomEvent<TrainingLabChange>} tied-change - The reader has changed a setting.
 */
export class TrainingLab extends RunningLab {
  static override styles: CSSResultGroup = [TiedElement.styles, ownTextStyles, promptChipsStyles, trainingLabStyles];

  /** The newest model cards, and the run they belong to. */
  @state() private measured: { readonly run: object | undefined; readonly cards: Cards } | null = null;
  private readonly carding = this.task<object | undefined, Cards | null>({
    run: (_, signal, onProgress) => this.mode.cards({ signal, onProgress }),
    done: (cards, run) => {
      this.measured = cards && { run, cards };
    },
  });

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
      // Screen readers get the state only once it no longer changes.
      announcement:
        this.notice ??
        (mode.controller.phase === 'running' ? texts.training : plain(words.filter(({ more }) => more !== true))),
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

  protected override command(): Code & { readonly label: string } {
    return this.replayCommand(this.texts.repeatHint, this.textSource === 'own' ? ' --text FILE' : '');
  }

  protected override card(): ReturnType<typeof cardPanel> | null {
    const { texts, mode, carding, measured } = this;
    const reason = mode.cannotHaveCards;
    if (reason === undefined) return null;
    return cardPanel({
      texts,
      cards: measured !== null && measured.run === mode.controller.arms[0] ? measured.cards : null,
      progress: carding.pending ? (carding.fraction ?? 0) : null,
      reason,
      measure: () => void carding.request(mode.controller.arms[0]),
    });
  }

  /** The progress of a run that is being trained again. */
  private restoringPhrases(): Phrase[] {
    if (this.restoring === null || this.mode.controller.phase === 'preparing') return [];
    const [done, target] = [this.mode.controller.step, this.restoring.step].map((step) => formatWhole(step));
    return [{ text: `${this.texts.restoring(done ?? '', target ?? '')} ` }];
  }

  /** Whose run is drawn, and what happened to the previous run. */
  private renderState(): TemplateResult {
    const { texts } = this;
    const finished = this.mode.showsFinished;
    return html`<p class="row run-state">
      <span class="badge ${finished ? 'is-finished' : ''}">${finished ? texts.finishedRun : texts.yourRun}</span>
      <span>${this.mode.origin}</span> ${this.restarted ? html`<strong>${texts.restarted}</strong>` : nothing}
      ${
        this.undoStep === null
          ? nothing
          : button({
              label: texts.undo(formatWhole(this.undoStep)),
              kind: 'quiet',
              onPress: () => void this.undo(),
            })
      }
      ${this.keeping?.render()} ${this.renderHandOver()}
      ${this.notice === null ? nothing : html`<strong>${this.notice}</strong>`}
    </p>`;
  }

  private renderHandOver(): Content {
    const { texts, mode } = this;
    const reason = mode.cannotHandOver;
    if (reason === undefined || !hasTakers(this)) return nothing;
    if (reason !== null) return html`<span class="rest">${reason}</span>`;
    const { phase } = mode.controller;
    return html`<span class="rest">
      ${button({
        label: texts.handOver,
        disabled: phase !== 'paused' && phase !== 'finished',
        onPress: () => void this.handOver(),
      })}
    </span>`;
  }

  /** Play or pause, step, run to a step, rewind, speed: in this order in every figure. */
  private renderTransport(): TemplateResult {
    const { texts, mode } = this;
    const { controller, shownStep } = mode;
    const phase = this.canCreateAgain ? 'idle' : controller.phase;
    const running = phase === 'running';
    // If there is something to show without models, they are created when they are first needed.
    const standing =
      phase === 'ready' || phase === 'paused' || phase === 'finished' || (phase === 'idle' && !mode.needsText);
    const action = (
      label: string,
      icon: IconName,
      onPress: () => unknown,
      more: Partial<Parameters<typeof button>[0]>,
    ) => button({ label, icon, onPress: () => void onPress(), ...more });
    return html`
      <div class="row transport ${mode.hasSpeeds ? '' : 'timed'}">
        ${
          phase === 'preparing'
            ? action(texts.cancel, 'remove', () => this.cancel(), {})
            : running
              ? action(texts.pause, 'pause', () => controller.pause(), { kind: 'primary' })
              : action(texts.play, 'play', () => this.play(), {
                  kind: 'primary',
                  disabled: !standing && phase !== 'idle',
                })
        }
        ${action(texts.stepOnce, 'step', () => this.step(), { iconOnly: true, disabled: !standing })}
        <span class="run-to rest">
          ${action(texts.runTo, 'run-to', () => this.goTo(), { disabled: !(standing || running) })}
          ${this.panel(['runTo'])}
        </span>
        ${action(texts.rewind, 'rewind', () => this.rewind(), {
          iconOnly: true,
          disabled: !(standing || running || phase === 'failed') || (shownStep ?? 0) === 0,
        })}
        <span class="rest">${this.panel(['speed'])}</span>
        <output class="step-count" aria-live="off">${this.renderStepCount(shownStep)}</output>
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
      <div class="row rest">
        ${this.panel(['model'])}
        ${select({
          label: texts.text,
          value: this.ownOpen ? 'own' : this.textSource,
          choices: [
            ...builtInTexts.map(({ id, title }) => ({ value: id, label: title })),
            ...otherSources.map((kind) => ({ value: kind, label: texts.sources[kind] })),
          ],
          onChoose: (source) => void this.chooseSource(source),
        })}
        ${this.panel(['tokenizer'])}
        ${button({
          label: texts.settings,
          kind: 'quiet',
          expanded: this.settingsOpen,
          onPress: () => (this.settingsOpen = !this.settingsOpen),
        })}
      </div>
      ${this.ownOpen ? this.ownText.render() : nothing}
      ${
        this.settingsOpen
          ? html`<div class="settings rest">${this.mode.settingsPanel()}</div>
              <div class="rest" role="alert">
                ${this.refused === null ? nothing : html`<p class="problem">${this.refused}</p>`}
              </div>`
          : nothing
      }
    `;
  }
}
