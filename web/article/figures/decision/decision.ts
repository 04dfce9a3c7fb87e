import { html, LitElement, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { Announcer } from '../../../elements/shared/announcer.js';
import { button } from '../../../elements/shared/controls.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { dataTable, figureFrame, type Content } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { positionSlider, positionSliderStyles } from '../../../elements/shared/position-slider.js';
import { commonStrings } from '../../../elements/shared/strings.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';
import { decisionStyles } from './decision.styles.js';
import { guessDrawing, layoutOf, revealedDrawing, widthIndexAt } from './drawing.js';
import {
  chosenVocabularies,
  chosenWidths,
  decisionSentence,
  guessedOf,
  guessSentence,
  intervalText,
  ownSentence,
  placeOf,
  revealSentence,
  type DecisionRun,
  type OwnRun,
  type Sizes,
} from './facts.js';
import { followOwnRuns } from './own-runs.js';

const chosenLayers = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];

/**
 * `<article-decision>`: what one table costs and what it saves, by width. The reader guesses, sees every run, and then asks for a model of
 * another size. A figure of the article only: its numbers are those of the article's runs.
 */
export class Decision extends LitElement {
  static override styles: CSSResultGroup = [
    tokens,
    base,
    controlStyles,
    figureStyles,
    positionSliderStyles,
    decisionStyles,
  ];

  /** The recorded runs, from `decision.json`; without them the page's table stays. */
  @property({ attribute: false }) finished: DecisionRun | null = null;

  @state() private guesses: readonly [number, number] = [0.15, 0.15];
  @state() private hasGuessed = false;
  /** Whether the figure still asks for a guess. */
  @state() private asked = true;
  /** On paper there is nothing to guess. */
  @state() private onPaper = false;
  /** Whether the reader has asked for a size since the reveal. */
  @state() private hasMoved = false;
  @state() private dModel = 64;
  @state() private vocabSize = 512;
  @state() private nLayers = 4;
  @state() private own: OwnRun | null = null;
  @state() private open: 'data' | null = null;
  /** Whether what is behind the button in the corner is shown. */
  @state() private more = false;

  private readonly announcer = new Announcer(this);
  private readonly width = new WidthWatcher(this, '.drawing', 640);
  private unfollow: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.unfollow = followOwnRuns((own) => (this.own = own));
    for (const name of ['beforeprint', 'afterprint']) addEventListener(name, this.toPaper);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
    for (const name of ['beforeprint', 'afterprint']) removeEventListener(name, this.toPaper);
  }

  private readonly toPaper = (event: Event): void => {
    this.onPaper = event.type === 'beforeprint';
    // Before the browser lays the page out for paper.
    this.performUpdate();
  };

  protected override render(): TemplateResult {
    const run = this.finished;
    if (run === null) return html`<slot></slot>`;
    const { sizes } = this;
    const { claim, rest } = this.said(run, sizes);
    if (this.revealed) this.announcer.announce(`${claim} ${rest}`);
    return figureFrame(
      {
        title: 'What does one table cost and save?',
        controls: this.revealed ? this.renderSizes() : this.renderAsk(run),
        drawing: this.renderDrawing(run, sizes),
        readOut: html`<strong>${claim}</strong> ${rest}`,
        caption: this.renderCaption(run),
        data: () => this.renderData(run),
      },
      {
        strings: commonStrings,
        headingLevel: 3,
        isEnglish: true,
        problem: null,
        announcement: this.announcer.text,
        open: this.open,
        options: { label: 'Layers and data', expanded: this.more, onPress: () => (this.more = !this.more) },
        buttons: this.revealed ? this.footer() : [],
        note: '',
        code: null,
        copy: () => undefined,
      },
    );
  }

  /** The page keeps what it says of the runs until then (guesses.css). */
  protected override updated(): void {
    this.toggleAttribute('data-asks', this.finished !== null && !this.revealed);
  }

  private get revealed(): boolean {
    return !this.asked || this.onPaper;
  }

  private get sizes(): Sizes {
    const { vocabSize, dModel, nLayers } = this;
    return { vocabSize, dModel, nLayers };
  }

  private said(run: DecisionRun, sizes: Sizes): { claim: string; rest: string } {
    if (!this.revealed) return guessSentence(run, this.guesses);
    return this.hasMoved ? decisionSentence(run, sizes) : revealSentence(run, this.hasGuessed ? this.guesses : null);
  }

  private renderCaption(run: DecisionRun): TemplateResult {
    const { vocabSize, nLayers } = run;
    const models = `Each dot is a pair of models of ${vocabSize} tokens and ${nLayers} layers, trained on the same batches of Plays; shaded: the 95% interval of their mean.`;
    const drag = this.revealed ? ' Drag the line to your width.' : '';
    return html`${models}${drag} <span role="status">${ownSentence(this.own)}</span>`;
  }

  private renderAsk(run: DecisionRun): TemplateResult {
    const [narrow, wide] = guessedOf(run);
    return html`<p class="ask">Guess the cost at width ${narrow.width} and at ${wide.width}: drag the two dots.</p>
      ${button({ label: 'Show the runs', kind: 'primary', onPress: () => this.reveal() })}`;
  }

  private reveal(): void {
    this.asked = false;
    // The button is gone; its place in the order of the keyboard is the drawing's.
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.position-slider')?.focus());
  }

  private ask(changes: Partial<Sizes>): void {
    this.hasMoved = true;
    Object.assign(this, changes);
  }

  private renderSizes(): Content {
    return [
      this.range('Vocabulary V', chosenVocabularies, this.vocabSize, (vocabSize) => this.ask({ vocabSize })),
      this.more ? this.range('Layers', chosenLayers, this.nLayers, (nLayers) => this.ask({ nLayers })) : '',
    ];
  }

  private range(
    name: string,
    values: readonly number[],
    value: number,
    choose: (value: number) => void,
  ): TemplateResult {
    return html`<label class="range">
      <span>${name}</span>
      <output aria-live="off">${formatWhole(value)}</output>
      <input
        type="range"
        min="0"
        max=${values.length - 1}
        .value=${String(values.indexOf(value))}
        aria-valuetext=${formatWhole(value)}
        @input=${(event: Event) => choose(values[(event.target as HTMLInputElement).valueAsNumber]!)}
      />
    </label>`;
  }

  private renderDrawing(run: DecisionRun, sizes: Sizes): TemplateResult {
    const layout = layoutOf(this.width.width, this.revealed ? this.own : null);
    if (!this.revealed) {
      return guessDrawing(layout, {
        run,
        sizes,
        guesses: this.guesses,
        onGuess: (at, value) => {
          this.hasGuessed = true;
          this.guesses = at === 0 ? [value, this.guesses[1]] : [this.guesses[0], value];
        },
      });
    }
    const place = { measured: 'measured', between: 'between measured widths', outside: 'not measured' };
    return positionSlider({
      label: 'Width of your model',
      at: chosenWidths.indexOf(this.dModel),
      count: chosenWidths.length,
      words: `${formatWhole(this.dModel)}, ${place[placeOf(run, this.dModel).kind]}`,
      positionAt: (x) => widthIndexAt(layout, x),
      onChoose: (at) => this.ask({ dModel: chosenWidths[at]! }),
      drawing: revealedDrawing(layout, { run, sizes, guesses: this.hasGuessed ? this.guesses : null, own: this.own }),
    });
  }

  private footer(): { label: string; expanded: boolean; onPress: () => void }[] {
    const isOpen = this.open === 'data';
    const label = isOpen ? commonStrings.hideData : commonStrings.showData;
    return [{ label, expanded: isOpen, onPress: () => (this.open = isOpen ? null : 'data') }];
  }

  private renderData(run: DecisionRun): TemplateResult {
    const most = Math.max(...run.widths.map(({ costs }) => costs.length));
    const runs = Array.from({ length: most }, (_, at) => at);
    return dataTable({
      caption: `Tied minus untied, nats per token of held-out text: ${run.vocabSize} tokens, ${run.nLayers} layers, 95% intervals`,
      head: ['width', 'mean', ...runs.map((at) => `run ${at + 1}`)],
      rows: run.widths.map((one) => [
        String(one.width),
        intervalText(one),
        ...runs.map((at) => (one.costs[at] === undefined ? '–' : formatNumber(one.costs[at], { decimals: 3 }))),
      ]),
    });
  }
}
