import { css, html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Content, FigureParts } from './figure.js';
import { button } from './controls.js';
import { wholePercent } from './in-words.js';
import { openTwins, type OpenedTwins } from './model-twins.js';
import { TwinElement } from './twin-element.js';
import { positionSlider, positionSliderStyles } from './position-slider.js';
import { examplePrompts, promptChips, promptChipsStyles, promptProblem } from './prompt-chips.js';
import { promptSetting, type promptStrings } from './prompt.js';
import { group, type Panel } from './settings/panel-parts.js';
import { TiedElement } from './tied-element.js';
import { WidthWatcher } from './width-watcher.js';

type PromptFigureStrings = typeof promptStrings & {
  readonly title: string;
  readonly caption: string;
  readonly waiting: string;
  readonly measuring: string;
  /** For measurements that report their progress. */
  readonly training?: (percent: string) => string;
};

/** The values of what was asked for, under the same names, and the prompt as the models read it. */
interface MeasuredPrompt {
  readonly tokens: readonly string[];
  readonly cut: boolean;
}

/** A figure that measures a tied model and its untied twin on a prompt of the reader, who then chooses a position of it. */
export abstract class PromptElement<
  Strings extends PromptFigureStrings,
  Question extends { readonly prompt: string },
  Measured extends MeasuredPrompt & Question,
> extends TwinElement<Strings, Question, Measured, OpenedTwins> {
  static override styles: CSSResultGroup = [
    TiedElement.styles,
    positionSliderStyles,
    promptChipsStyles,
    css`
      .field.area {
        flex-basis: 100%;
      }
    `,
  ];

  // Settings and properties of the figure.
  abstract position: number | null;
  /** Earlier measurements, shown until the reader asks for another prompt. */
  abstract finished: Measured | readonly Measured[] | null;

  /** Whether the reader has a prompt of their own: its text box stays in view from then on. */
  @state() private ownPrompt = false;
  /** Why the models cannot read a prompt. */
  @state() private refused: { readonly prompt: string; readonly reason: string } | null = null;

  protected readonly openModels = openTwins;
  protected readonly width = new WidthWatcher(this, '.bench', 600);

  // ------------------------------------------------------------ for the figure to fill in

  protected abstract readonly controls: Panel;
  /** Contains an element of the class `bench`. */
  protected abstract renderDrawing(shown: Measured): TemplateResult;
  protected abstract renderData(shown: Measured): Content;
  protected abstract wordsOf(shown: Measured): { readonly claim: string; readonly rest: string };

  // ------------------------------------------------------------ for the figure to use

  protected questionOf(measured: Measured): Question {
    const names = Object.keys(this.question) as (keyof Question)[];
    return Object.fromEntries(names.map((name) => [name, measured[name]])) as unknown as Question;
  }

  protected working(fraction: number | null): string {
    const { measuring, training } = this.texts;
    return fraction === null || training === undefined ? measuring : training(wholePercent(fraction));
  }

  protected override get finishedOnes(): readonly Measured[] {
    return [this.finished ?? []].flat() as readonly Measured[];
  }

  protected override refuse(reason: string | null): void {
    this.refused = reason === null ? null : { prompt: this.question.prompt, reason };
  }

  /** Prompts to choose from; the start button and what is wrong with the reader's own, whose place is kept. */
  private startRow(): TemplateResult {
    const { texts, refused, question, measuresOwn } = this;
    const own = button({ label: texts.ownPrompt, onPress: () => void this.askOwn() });
    const chips = promptChips(texts.examples, (prompt) => this.changeSettings({ prompt, position: null }), own);
    const reason = refused?.prompt === question.prompt ? refused.reason : null;
    return html`${measuresOwn ? nothing : chips}
      <div class="prompt-start">${this.startButton()}${promptProblem(reason)}</div>`;
  }

  private async askOwn(): Promise<void> {
    this.ownPrompt = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLTextAreaElement>('.own-prompt textarea')?.select();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { prompt } = this.question;
    this.ownPrompt ||= prompt !== promptSetting.initial && !(examplePrompts as readonly string[]).includes(prompt);
  }

  /** The chosen one of `count` positions, from 0. */
  protected chosenOf(count: number): number {
    return Math.min(this.position ?? count, count) - 1;
  }

  /** A drawing of the positions, in which the reader can choose one. */
  protected slider(options: Omit<Parameters<typeof positionSlider>[0], 'label' | 'onChoose'>): TemplateResult {
    const onChoose = (chosen: number): void => this.changeSettings({ position: chosen + 1 });
    return positionSlider({ ...options, label: this.texts.slider, onChoose });
  }

  /** What is being done; at rest, whether all of the prompt was read. */
  protected statusLine({ cut, tokens }: Measured): TemplateResult {
    const rest = cut ? this.texts.cutNote(formatWhole(tokens.length)) : nothing;
    return html`<p class="note" role="status">${this.noteOr(rest)}</p>`;
  }

  protected parts(): FigureParts {
    const { texts, shown } = this;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(
        [group(this.ownPrompt || this.measuresOwn ? 'own-prompt' : 'own-prompt rest', 'prompt'), ...this.controls],
        {
          models: this.modelsControl(),
          start: this.startRow(),
        },
      ),
      caption: this.typeset(texts.caption),
    };
    if (shown === null) {
      const waiting = this.canMeasure ? texts.waiting : texts.noWeights;
      return { ...frame, drawing: html`<div class="bench"></div>`, readOut: this.status ?? waiting, hasPicture: false };
    }
    return {
      ...frame,
      drawing: this.renderDrawing(shown),
      ...this.said(this.wordsOf(shown)),
      data: () => this.renderData(shown),
    };
  }

  protected override pictureNote(): string {
    return [this.shown?.prompt ?? '', this.origin].join(' ').trim();
  }
}
