import { css, html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Code, Content, FigureParts } from './figure.js';
import { button } from './controls.js';
import { wholePercent } from './in-words.js';
import { openTwins, type OpenedTwins } from './model-twins.js';
import { saidOf, TwinMeasurement, type TwinFigure } from './twin-measurement.js';
import { positionSlider, positionSliderStyles } from './position-slider.js';
import { examplePrompts, promptChips, promptChipsStyles, promptProblem } from './prompt-chips.js';
import { promptSetting, type promptStrings } from './prompt.js';
import { leftOutText } from './unknown-words.js';
import { group, type Panel } from './settings/panel-parts.js';
import type { Values } from './settings/setting.js';
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
  readonly leftOut?: readonly string[];
}

/** A figure that measures a tied model and its untied twin on a prompt of the reader, who then chooses a position of it. */
export abstract class PromptElement<
  Strings extends PromptFigureStrings,
  Question extends { readonly prompt: string },
  Measured extends MeasuredPrompt & Question,
> extends TiedElement<Strings> {
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
  abstract weights: string | null;
  abstract position: number | null;
  /** Earlier measurements, shown until the reader asks for another prompt. */
  abstract finished: Measured | readonly Measured[] | null;

  /** Whether the reader has a prompt of their own: its text box stays in view from then on. */
  @state() private ownPrompt = false;
  /** Why the models cannot read a prompt. */
  @state() private refused: { readonly prompt: string; readonly reason: string } | null = null;

  protected readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly models = new TwinMeasurement<Question, Measured, OpenedTwins>(this, {
    ...this.ofFigure,
    weights: () => this.weights,
    openModels: openTwins,
    question: () => this.question,
    questionOf: (measured) => {
      const names = Object.keys(this.question) as (keyof Question)[];
      return Object.fromEntries(names.map((name) => [name, measured[name]])) as unknown as Question;
    },
    unasked: () => this.measuresUnasked(),
    measure: (...given) => this.measureWith(...given),
    working: (fraction) => {
      const { measuring, training } = this.texts;
      return fraction === null || training === undefined ? measuring : training(wholePercent(fraction));
    },
    finished: () => [this.finished ?? []].flat() as readonly Measured[],
    otherQuestion: (shown) => this.otherQuestion(shown),
    refuse: (reason) => {
      this.refused = reason === null ? null : { prompt: this.question.prompt, reason };
    },
    report: (shown) => {
      this.changed(this.changeOf(shown));
      return true;
    },
  });

  // ------------------------------------------------------------ for the figure to fill in

  protected abstract readonly controls: Panel;
  /** What the current settings ask for, as plain data. */
  protected abstract get question(): Question;
  protected abstract measureWith(
    ...given: Parameters<TwinFigure<Question, Measured, OpenedTwins>['measure']>
  ): Promise<Measured | null>;
  /** Says of which prompt the shown measurement is, if it is not the one that is asked for. */
  protected abstract otherQuestion(shown: Measured): string;
  /** The detail of `tied-change`. */
  protected abstract changeOf(shown: Measured): unknown;
  /** Contains an element of the class `bench`. */
  protected abstract renderDrawing(shown: Measured): TemplateResult;
  protected abstract renderData(shown: Measured): Content;
  protected abstract wordsOf(shown: Measured): { readonly claim: string; readonly rest: string };

  /** Whether a new prompt is measured without the reader asking for it. */
  protected measuresUnasked(): boolean {
    return false;
  }

  /** How the words of the read-out look, if they contain symbols. */
  protected typeset(words: string): Content {
    return words;
  }

  // ------------------------------------------------------------ the measurement

  protected override wake(): void {
    this.models.wake();
  }

  protected override changeSettings(changes: Values): void {
    this.models.change(() => super.changeSettings(changes));
  }

  protected override command(): (Code & { readonly label: string }) | null {
    const models = this.models.commandOption;
    return models === null ? null : this.replayCommand(this.texts.repeatMeasureHint, models);
  }

  // ------------------------------------------------------------ for the figure to use

  /** Prompts to choose from; the start button and what is wrong with the reader's own, whose place is kept. */
  private startRow(): TemplateResult {
    const { texts, refused, question, models } = this;
    const own = button({ label: texts.ownPrompt, onPress: () => void this.askOwn() });
    const chips = promptChips(texts.examples, (prompt) => this.changeSettings({ prompt, position: null }), own);
    const reason = refused?.prompt === question.prompt ? refused.reason : null;
    const { shown } = models;
    const unread = shown?.prompt === question.prompt ? leftOutText(texts, shown.leftOut) : null;
    return html`${models.measuresOwn ? nothing : chips}
      <div class="prompt-start">${models.startButton()}${promptProblem(reason, unread)}</div>`;
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
    return html`<p class="note" role="status">${this.models.noteOr(rest)}</p>`;
  }

  protected parts(): FigureParts {
    const { texts, models } = this;
    const { shown } = models;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(
        [group(this.ownPrompt || models.measuresOwn ? 'own-prompt' : 'own-prompt rest', 'prompt'), ...this.controls],
        {
          models: models.modelsControl(),
          start: this.startRow(),
        },
      ),
      caption: this.typeset(texts.caption),
    };
    if (shown === null) {
      const waiting = models.canMeasure ? texts.waiting : texts.noWeights;
      return {
        ...frame,
        drawing: html`<div class="bench"></div>`,
        readOut: models.status ?? waiting,
        hasPicture: false,
      };
    }
    return {
      ...frame,
      drawing: this.renderDrawing(shown),
      ...saidOf(this.wordsOf(shown), models.origin, (words) => this.typeset(words)),
      data: () => this.renderData(shown),
    };
  }

  protected override pictureNote(): string {
    return [this.models.shown?.prompt ?? '', this.models.origin].join(' ').trim();
  }
}
