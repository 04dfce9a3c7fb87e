import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { button } from '../shared/controls.js';
import { dataTable, type Content, type FigureParts } from '../shared/figure.js';
import { ModelsFileError } from '../shared/models-file-error.js';
import { ModelPair, pairKinds, type PairKind } from '../shared/model-pair.js';
import { positionSlider, positionSliderStyles } from '../shared/position-slider.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { fetchingText, startButton, withAbsoluteWeights } from '../shared/weights.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { bits, divergenceBars } from './divergence-bars.js';
import { lensPanel, lensSettings } from './lens.settings.js';
import { lensStrings, type LensStrings } from './lens.strings.js';
import { lensStyles } from './lens.styles.js';
import { measureLens, type LensKind, type Measured, type PerModel } from './measure.js';
import { positionAt, tokenGrid, type GridView } from './token-grid.js';

/** What `tied-change` of this element carries. */
export interface LensChange {
  readonly prompt: string;
  readonly lens: LensKind;
  /** In tokens, from 1. */
  readonly position: number;
  /** The mean divergence after the embedding, in bits. */
  readonly embedding: PerModel<number>;
}

interface Question {
  readonly url: string;
  readonly prompt: string;
  readonly kind: LensKind;
}

/**
 * `<tied-lens weights="models.safetensors">`: what each layer of a tied model and of its untied twin would predict if it were
 * the last. Attributes: `weights` (the URL of the trained models), `prompt`, `lens` (`logit`, `tuned`),
 * `chance` (`shown`, `hidden`), `position`.
 * Property: `finished`, what was measured of a prompt earlier, by kind of lens.
 *
 * @fires {CustomEvent<LensChange>} tied-change - The reader has measured a prompt, or has chosen a lens or a position.
 */
export class Lens extends withSettings(TiedElement<LensStrings>, lensSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, positionSliderStyles, lensStyles];

  /** What was measured earlier, to show before the reader asks for another prompt. */
  @property({ attribute: false }) finished: readonly Measured[] = [];
  @state() private measured: Measured | null = null;
  @state() private trained: number | null = null;

  protected readonly ownStrings = lensStrings;
  /** The reader has asked for a measurement; until then nothing is fetched. */
  private asked = false;
  private byReader = false;
  private readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly pair = new ModelPair(this, this.labs);
  private readonly measuring = this.task<Question, Measured | null>({
    run: (question, signal) => this.measureFrom(question, signal),
    done: (measured) => {
      this.trained = null;
      if (measured === null) this.problem = this.texts.tooShort;
      else this.measured = measured;
    },
    failed: (error) => {
      this.trained = null;
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (error instanceof ModelsFileError) {
        this.asked = false;
        this.problem = this.texts.failed(error.reason);
      } else if (code === 'invalid-argument') this.problem = this.texts.badPrompt(String(message));
      else this.fail(error);
    },
  });

  // ------------------------------------------------------------ measuring

  /** What is there for these settings; else what was measured last, until the reader measures again. */
  private get shown(): Measured | null {
    const fits = (one: Measured | null): boolean => one?.prompt === this.prompt && one.kind === this.lens;
    if (fits(this.measured)) return this.measured;
    return this.finished.find(fits) ?? this.measured ?? this.finished[0] ?? null;
  }

  private get fits(): boolean {
    const { shown } = this;
    return shown?.prompt === this.prompt && shown.kind === this.lens;
  }

  private measureFrom({ url, prompt, kind }: Question, signal: AbortSignal): Promise<Measured | null> {
    const onProgress = (fraction: number): void => {
      if (!signal.aborted) this.trained = fraction;
    };
    return this.pair.ask(url, (lab, pair) => measureLens(lab, pair, { prompt, kind }, { signal, onProgress }), {
      signal,
      otherFile: this.texts.otherFile,
    });
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.screen.woken && ['weights', 'prompt', 'lens', 'finished'].some((name) => changed.has(name)))
      this.measure();
  }

  protected override wake(): void {
    this.measure();
  }

  /** Measures what the reader has asked for; what is there is shown at once. */
  private measure(): void {
    const { weights: url, prompt, lens: kind } = this;
    if (url === null || !this.asked) return;
    if (this.fits && !this.measuring.pending) return;
    void this.measuring.request({ url, prompt, kind });
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.byReader = true;
    if ('prompt' in changes || 'lens' in changes) this.asked = true;
    this.requestUpdate();
  }

  protected override updated(): void {
    const { shown } = this;
    if (!this.byReader || shown === null || this.measuring.pending || !this.fits) return;
    this.byReader = false;
    const change: LensChange = {
      prompt: shown.prompt,
      lens: shown.kind,
      position: this.viewOf(shown).at + 1,
      embedding: { tied: shown.means.tied[0]!, untied: shown.means.untied[0]! },
    };
    this.changed(change);
  }

  private stop(): void {
    this.asked = false;
    this.measuring.cancel();
    this.trained = null;
  }

  protected override settings(): Record<string, string> {
    return withAbsoluteWeights(super.settings());
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Measured): GridView {
    const { texts, position } = this;
    const count = measured.tokens.length;
    return { texts, measured, at: Math.min(position ?? count, count) - 1, width: this.width.width };
  }

  protected parts(): FigureParts {
    const { texts, shown } = this;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(lensPanel, { start: this.renderStart() }),
      caption: texts.caption,
    };
    if (shown === null) {
      const waiting = this.weights === null ? texts.noWeights : texts.waiting;
      return { ...frame, drawing: html`<div class="bench"></div>`, readOut: this.status ?? waiting, hasPicture: false };
    }
    const { tied, untied } = shown.means;
    const claim = texts.claim(bits(tied[0]!), bits(untied[0]!));
    const rest = [
      texts.afterFirst(bits(tied[1]!), bits(untied[1]!)),
      ...(this.chance === 'shown' ? [texts.byChance(bits(shown.chance.tied), bits(shown.chance.untied))] : []),
      shown.kind === 'logit' ? texts.logitNote : texts.tunedNote,
    ].join(' ');
    return {
      ...frame,
      drawing: html`<div class="bench">${this.renderBench(shown)}</div>`,
      readOut: html`<strong>${claim}</strong> ${rest}`,
      announcement: `${claim} ${rest}`,
      data: () => this.renderData(shown),
    };
  }

  protected override pictureNote(): string {
    return this.shown?.prompt ?? '';
  }

  private get status(): string | null {
    const { texts, trained } = this;
    const { fetched } = this.pair;
    if (fetched !== null) return fetchingText(texts, fetched);
    if (!this.measuring.pending) return null;
    return trained === null ? texts.measuring : texts.training(formatNumber(100 * trained, { decimals: 0 }));
  }

  private renderStart(): Content {
    if (this.measuring.pending) {
      return button({ label: this.texts.cancel, onPress: () => this.stop() });
    }
    if (this.fits) return nothing;
    return startButton(this.texts, this.weights, () => {
      this.problem = null;
      this.asked = this.byReader = true;
      this.measure();
    });
  }

  private wordsOf(kind: PairKind, { measured, at }: GridView): string {
    return measured.layers[kind].map(({ tokens }) => tokens[at] ?? '').join(', ');
  }

  private renderBench(shown: Measured): TemplateResult {
    const { texts } = this;
    const view = this.viewOf(shown);
    const token = shown.tokens[view.at] ?? '';
    const note = shown.cut ? texts.cutNote(formatWhole(shown.tokens.length)) : nothing;
    const grids = html`
      <p class="part-title" data-picture>${texts.gridTitle(texts.models.tied)}</p>
      ${tokenGrid('tied', view)}
      <p class="part-title" data-picture>${texts.gridTitle(texts.models.untied)}</p>
      ${tokenGrid('untied', view)}
    `;
    return html`
      <div>${divergenceBars({ texts, measured: shown, chance: this.chance === 'shown', width: view.width })}</div>
      <div>
        ${positionSlider({
          label: texts.slider,
          at: view.at,
          count: shown.tokens.length,
          words: texts.positionText(token, this.wordsOf('tied', view), this.wordsOf('untied', view)),
          positionAt: (x) => positionAt(x, view),
          onChoose: (chosen) => {
            this.changeSettings({ position: chosen + 1 });
          },
          drawing: grids,
        })}
        <p class="note">${texts.gridKey}</p>
        <p class="note" role="status">${this.status ?? (this.finished.includes(shown) ? texts.finishedNote : note)}</p>
      </div>
    `;
  }

  private renderData(shown: Measured): TemplateResult {
    const { texts } = this;
    const last = shown.means.tied.length - 1;
    const layers = shown.means.tied.map((_, layer) => texts.layer(layer, last));
    return html`
      ${dataTable({
        caption: texts.dataBits,
        head: ['', ...pairKinds.map((kind) => texts.models[kind])],
        rows: [
          ...layers.map((name, layer) => [name, ...pairKinds.map((kind) => bits(shown.means[kind][layer]!))]),
          [texts.dataChance, ...pairKinds.map((kind) => bits(shown.chance[kind]))],
        ],
      })}
      ${pairKinds.map((kind) =>
        dataTable({
          caption: `${texts.models[kind]}: ${texts.dataTokens}`,
          head: ['', ...layers],
          rows: shown.tokens.map((token, at) => [
            token,
            ...shown.layers[kind].map(({ tokens, probability }) =>
              texts.cell(tokens[at] ?? '', formatNumber(probability[at]!, { decimals: 2 })),
            ),
          ]),
        }),
      )}
    `;
  }
}
