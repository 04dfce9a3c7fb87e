import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import { dataTable, type Content, type FigureParts } from '../shared/figure.js';
import { ModelsFileError } from '../shared/models-file-error.js';
import { ModelPair } from '../shared/model-pair.js';
import { positionSlider, positionSliderStyles } from '../shared/position-slider.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { fetchingText, startButton, withAbsoluteWeights } from '../shared/weights.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { anglePlot, plotKey, positionAt, type View } from './angle-plot.js';
import { hiddenStatesPanel, hiddenStatesSettings } from './hidden-states.settings.js';
import { hiddenStatesStrings, type HiddenStatesStrings } from './hidden-states.strings.js';
import { hiddenStatesStyles } from './hidden-states.styles.js';
import { measurePrompt, perTable, tableNames, type Measured, type PerTable } from './measure.js';
import { readOutOf } from './read-out.js';
import { cosine, ratio, triangles, trianglesInWords } from './triangles.js';

/** What `tied-change` of this element carries. */
export interface HiddenStatesChange {
  readonly prompt: string;
  /** In tokens, from 1. */
  readonly position: number;
  /** |h⊥| / |h∥| there, beside the row of each table. */
  readonly ratios: PerTable<number>;
}

/**
 * `<tied-hidden-states weights="models.safetensors">`: how far the last hidden state of a prompt is from the row of the
 * predicted token, in a tied model and in both tables of its untied twin. Attributes: `weights` (the URL of the trained
 * models), `prompt`, `target` (`predicted`, `next`), `place` (`after`, `before`), `chance` (`shown`, `hidden`), `position`.
 * Property: `finished`, what was measured of the prompt earlier.
 *
 * @fires {CustomEvent<HiddenStatesChange>} tied-change - The reader has measured a prompt, or looks at something else in it.
 */
export class HiddenStates extends withSettings(TiedElement<HiddenStatesStrings>, hiddenStatesSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, positionSliderStyles, hiddenStatesStyles];

  /** What was measured earlier, to show before the reader asks for another prompt. */
  @property({ attribute: false }) finished: Measured | null = null;
  @state() private measured: Measured | null = null;

  protected readonly ownStrings = hiddenStatesStrings;
  /** The reader has asked for a measurement; until then nothing is fetched. */
  private asked = false;
  private byReader = false;
  private readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly pair = new ModelPair(this, this.labs);
  private readonly measuring = this.task<{ url: string; prompt: string }, Measured | null>({
    run: ({ url, prompt }, signal) =>
      this.pair.ask(url, (lab, pair) => measurePrompt(lab, pair, prompt), { signal, otherFile: this.texts.otherFile }),
    done: (measured) => {
      if (measured === null) this.problem = this.texts.tooShort;
      else this.measured = measured;
    },
    failed: (error) => {
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (error instanceof ModelsFileError) {
        this.asked = false;
        this.problem = this.texts.failed(error.reason);
      } else if (code === 'invalid-argument') this.problem = this.texts.badPrompt(String(message));
      else this.fail(error);
    },
  });

  // ------------------------------------------------------------ measuring

  private get shown(): Measured | null {
    return this.measured ?? this.finished;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.screen.woken && ['weights', 'prompt', 'finished'].some((name) => changed.has(name))) this.measure();
  }

  protected override wake(): void {
    this.measure();
  }

  /** Measures another prompt than the one shown: at once where the page brought a finished one, else when asked to. */
  private measure(): void {
    const { weights: url, prompt } = this;
    if (url === null || !(this.asked || this.finished !== null)) return;
    // A pending request is for another prompt, even where the reader has returned to the one shown.
    if (this.shown?.prompt === prompt && !this.measuring.pending) return;
    void this.measuring.request({ url, prompt });
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.asked = this.byReader = true;
    this.requestUpdate();
  }

  protected override updated(): void {
    const { shown } = this;
    if (this.asked && shown === null && !this.measuring.pending && this.problem === null) this.measure();
    if (!this.byReader || shown === null || this.measuring.pending) return;
    this.byReader = false;
    const { at, here } = this.viewOf(shown);
    const change: HiddenStatesChange = {
      prompt: shown.prompt,
      position: at + 1,
      ratios: { tied: here.tied.ratio, writing: here.writing.ratio, reading: here.reading.ratio },
    };
    this.changed(change);
  }

  protected override settings(): Record<string, string> {
    return withAbsoluteWeights(super.settings());
  }

  // ------------------------------------------------------------ drawing

  private viewOf({ tokens, splits: all, baseline }: Measured): View {
    const { texts, place, target } = this;
    const splits = perTable((name) => all[name][place][target]);
    const count = splits.tied.positions.length;
    const at = Math.min(this.position ?? count, count) - 1;
    return {
      texts,
      tokens,
      splits,
      at,
      here: perTable((name) => splits[name].positions[at]!),
      baseline: this.chance === 'shown' ? baseline : null,
      width: this.width.width,
    };
  }

  protected parts(): FigureParts {
    const { texts, shown } = this;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(hiddenStatesPanel, { start: this.renderStart() }),
      caption: texts.caption,
    };
    if (shown === null) {
      const waiting = this.weights === null ? texts.noWeights : texts.waiting;
      return { ...frame, drawing: '', readOut: this.status ?? waiting, hasPicture: false };
    }
    const view = this.viewOf(shown);
    const { claim, rest, left } = readOutOf(view, shown.chance, this.target);
    return {
      ...frame,
      drawing: html`<div class="charts bench">${this.renderBench(shown, view, left)}</div>`,
      readOut: html`<strong>${claim}</strong> ${rest}`,
      announcement: `${claim} ${rest}`,
      data: () => this.renderData(view),
    };
  }

  protected override pictureNote(): string {
    return this.shown?.prompt ?? '';
  }

  private get status(): string | null {
    const { fetched } = this.pair;
    if (fetched !== null) return fetchingText(this.texts, fetched);
    return this.measuring.pending ? this.texts.measuring : null;
  }

  private renderStart(): Content {
    if (this.shown?.prompt === this.prompt || this.measuring.pending) return nothing;
    return startButton(this.texts, this.weights, () => {
      this.problem = null;
      this.asked = this.byReader = true;
      this.measure();
    });
  }

  private renderBench(shown: Measured, view: View, left: string): TemplateResult {
    const { texts } = this;
    const { tokens, at, splits } = view;
    const note = shown.cut ? texts.cutNote(formatWhole(tokens.length)) : nothing;
    return html`
      <div>
        <p class="part-title" data-picture>${texts.trianglesTitle(tokens[at] ?? '')}</p>
        ${triangles(view)}
      </div>
      <div>
        <p class="part-title" data-picture>${texts.plotTitle}</p>
        ${plotKey(view)}
        ${positionSlider({
          label: texts.slider,
          at,
          count: splits.tied.positions.length,
          words: texts.positionText(tokens[at] ?? '', trianglesInWords(view)),
          positionAt: (x) => positionAt(x, view),
          onChoose: (chosen) => {
            this.changeSettings({ position: chosen + 1 });
          },
          drawing: anglePlot(view),
        })}
        <p class="note" role="status">${this.status ?? (shown === this.finished ? texts.finishedNote : note)}</p>
      </div>
      <div>
        <p class="part-title">${texts.leftTitle}</p>
        ${this.renderLeft(shown, view)}
        <p class="aside">${left}</p>
      </div>
    `;
  }

  private renderLeft({ chance }: Measured, { texts, splits, here, baseline }: View): TemplateResult {
    const columns = baseline === null ? 3 : 4;
    return dataTable({
      look: 'numbers',
      head: texts.leftHead.slice(0, columns + 1),
      rows: (['tied', 'writing'] as const).map((name) => {
        const { other, centeredOther } = splits[name].median;
        const numbers = [here[name].other, other, centeredOther, chance[name].other];
        return [texts.tables[name], ...numbers.slice(0, columns).map(cosine)];
      }),
    });
  }

  private renderData({ texts, tokens, splits }: View): TemplateResult {
    return dataTable({
      caption: texts.dataPositions,
      head: ['', ...tableNames.map((name) => texts.tables[name])],
      rows: splits.tied.positions.map((_, at) => [
        tokens[at] ?? '',
        ...tableNames.map((name) => {
          const one = splits[name].positions[at]!;
          return texts.cell(one.target, cosine(one.cosine), ratio(one.ratio));
        }),
      ]),
    });
  }
}
