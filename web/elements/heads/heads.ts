import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import { button } from '../shared/controls.js';
import { dataTable, said, titled, type Code, type Content, type FigureParts } from '../shared/figure.js';
import { wholePercent } from '../shared/in-words.js';
import { Measurement } from '../shared/measurement.js';
import { OwnText, ownTextStyles } from '../shared/own-text.js';
import type { TextFile } from '../shared/text-file.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { whenGone } from '../shared/when-gone.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { costPlot, costRows } from './cost-rows.js';
import { comparisonPanel, headsPanel } from './heads.panels.js';
import { headsSettings } from './heads.settings.js';
import { headsStrings, type HeadsStrings } from './heads.strings.js';
import { headsStyles } from './heads.styles.js';
import { questionOf, raceKey, sameText } from './race-question.js';
import { RaceRun, countHeads, type RaceQuestion } from './race-run.js';
import { armsOf, pointAt, targetOf, type ArmRun, type Comparison, type HeadMacs, type Race } from './race.js';
import { lossPlot, macsText, titleOf, type RaceView } from './scatter.js';
import { wordsOf } from './sentences.js';

/** The minimum width at which the drawings are side by side, and the gap between them. */
const [besideWidth, besideGap] = [880, 40];

/** Detail of this element's `tied-change`. */
export interface HeadsChange {
  readonly by: Comparison;
  /** What the models are compared at: seconds or steps. */
  readonly at: number;
  /** Whether every model has had all its steps and its time. */
  readonly complete: boolean;
  readonly models: readonly (Pick<ArmRun, 'head' | 'tying'> & {
    readonly steps: number;
    readonly seconds: number;
    readonly loss: number;
    /** The fraction of the held-out tokens that the head cannot predict. */
    readonly lost: number;
  })[];
}

/**
 * `<tied-heads>`: trains a tied and an untied model with every kind of head, for the same number of steps and for the
 * same time. Shows their losses over the work of their heads, and counted work beside measured time. Attributes:
 * `text-source` (`stories`, `own`), `tokenizer` (`bpe`, `word`), `vocab-size`, `d-model` (`16`, `32`, `64`), `steps`,
 * `seed`, `by` (`time`, `steps`), `share` (percent of the steps or the time). Properties: `text`, a text that the page
 * provides; `finished`, an earlier race.
 *
 * @fires {CustomEvent<HeadsChange>} tied-change - The reader has trained the models, or compares them at another point.
 */
export class Heads extends withSettings(TiedElement<HeadsStrings>, headsSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, ownTextStyles, headsStyles];

  /** A text that the page provides, for `text-source="own"`. */
  @property({ attribute: false }) text: TextFile | string | null = null;
  /** An earlier race with these settings, shown until the reader trains. */
  @property({ attribute: false }) finished: Race | null = null;
  /** Counted before any training. */
  @state() private costs: readonly HeadMacs[] = [];

  protected readonly ownStrings = headsStrings;
  private readonly width = new WidthWatcher(this, '.bench', 600);
  private run: RaceRun | null = null;
  private readonly own = new OwnText(this, {
    texts: () => this.texts,
    opened: () => {
      this.problem = null;
      this.textSource = 'own';
    },
    use: (text) => {
      this.text = text;
      this.textSource = 'own';
    },
  });
  private readonly counting = this.task<null, readonly HeadMacs[]>({
    order: 'newest',
    run: () => this.askLab((lab) => countHeads(lab, { vocabSize: this.vocabSize, dModel: Number(this.dModel) })),
    done: (costs) => {
      this.costs = costs;
    },
  });
  private readonly training = new Measurement<RaceQuestion | null, Race>(this, {
    order: 'replace',
    question: () => questionOf(this),
    possible: () => !this.lacksText,
    same: (one, other) => one?.key === other?.key,
    answers: ({ key, complete }, question) => complete && key === question?.key,
    given: () => [],
    measure: (question, { signal, onPart }) => this.askLab((lab) => this.train(lab, question!, signal, onPart)),
    failed: (error) => this.fail(error),
    reported: () => this.shown,
    report: (race) => {
      this.changed(this.changeOf(race));
      return true;
    },
  });

  constructor() {
    super();
    whenGone(this, () => this.take(null));
  }

  // ------------------------------------------------------------ training

  /** Frees the models of the previous run. */
  private take(run: RaceRun | null): void {
    this.run?.dispose();
    this.run = run;
  }

  protected override wake(): void {
    void this.counting.request(null);
  }

  private async train(
    lab: Lab,
    question: RaceQuestion,
    signal: AbortSignal,
    changed: (race: Race) => void,
  ): Promise<Race | null> {
    if (signal.aborted) return null;
    if (this.run?.lab !== lab || this.run.key !== question.key) this.take(new RaceRun(lab, question));
    const race = await this.run!.run(signal, { changed, tooShort: () => new Error(this.texts.tooShort) });
    if (!signal.aborted) this.take(null);
    return race;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const decisive = ['text', 'textSource', 'tokenizer', 'vocabSize', 'dModel', 'steps', 'seed'];
    if (!decisive.some((name) => changed.has(name) && changed.get(name) !== undefined)) return;
    const otherText =
      changed.has('text') && this.textSource === 'own' && !sameText(changed.get('text') as typeof this.text, this.text);
    const { tried } = this.training;
    if (tried !== null && (otherText || tried.key !== raceKey(this))) this.startOver();
    if (this.screen.woken && (changed.has('vocabSize') || changed.has('dModel'))) void this.counting.request(null);
  }

  private get lacksText(): boolean {
    return this.textSource === 'own' && this.text === null;
  }

  private start(): void {
    this.problem = null;
    this.training.ask();
  }

  private startOver(): void {
    this.training.stop();
    this.training.forget();
    this.take(null);
    this.problem = null;
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.training.change(false);
  }

  private changeOf(race: Race): HeadsChange {
    const { by } = this;
    const at = targetOf(race, by, this.share / 100);
    return {
      by,
      at,
      complete: race.complete,
      models: race.arms.flatMap((arm) => {
        const point = pointAt(arm, by, at);
        return point === null ? [] : [{ head: arm.head, tying: arm.tying, ...point }];
      }),
    };
  }

  // ------------------------------------------------------------ drawing

  /** The reader's race, as far as it has come. */
  private get race(): Race | null {
    return this.training.taken?.result ?? null;
  }

  /** The shown race: the reader's, or the earlier one if it has the same settings. */
  private get shown(): Race | null {
    const { race, finished, training } = this;
    if (race !== null || training.pending) return race;
    return finished?.key === raceKey(this) ? finished : null;
  }

  private get view(): RaceView {
    const { texts, by, shown: race } = this;
    return {
      texts,
      race,
      by,
      costs: race?.costs ?? this.costs,
      share: this.share / 100,
      width: this.widths.scatterWidth,
    };
  }

  /** Side by side if there is space, as in the styles. */
  private get widths(): { readonly scatterWidth: number; readonly costsWidth: number } {
    const { width } = this.width;
    if (width < besideWidth) return { scatterWidth: Math.min(760, width), costsWidth: Math.min(760, width) };
    const scatterWidth = Math.floor(0.56 * (width - besideGap));
    return { scatterWidth, costsWidth: width - besideGap - scatterWidth };
  }

  protected parts(): FigureParts {
    const { texts, view } = this;
    const words = wordsOf(view);
    return {
      title: texts.title,
      controls: this.panel(headsPanel, {
        ownText: this.textSource === 'own' ? this.own.render() : nothing,
        transport: this.renderTransport(),
      }),
      drawing: html`<div class="row comparison">${view.race === null ? nothing : this.panel(comparisonPanel)}</div>
        <div class="bench">
          ${view.costs.length === 0 ? nothing : this.renderBench(view)} ${this.own.renderDropZone()}
        </div>`,
      ...this.saidOf(words, view.race),
      caption: this.captionOf(view),
      ...(view.costs.length === 0 ? {} : { data: () => this.renderData(view) }),
      hasPicture: view.costs.length > 0,
    };
  }

  protected override command(): Code & { readonly label: string } {
    return this.replayCommand(this.texts.repeatHint, this.textSource === 'own' ? ' --text FILE' : '');
  }

  /** Only the end is announced to screen readers: until then the verdict may change with every evaluation. */
  private saidOf(words: ReturnType<typeof wordsOf>, race: Race | null): Pick<FigureParts, 'readOut' | 'announcement'> {
    if (words === null) return { readOut: this.waitingWords };
    const { readOut, announcement } = said(words.claim, words.rest);
    return race?.complete === true ? { readOut, announcement: announcement! } : { readOut };
  }

  private get waitingWords(): string {
    const { texts } = this;
    if (this.race !== null) return texts.noVerdict;
    if (this.training.pending) return texts.preparing;
    if (this.lacksText) return texts.waitingForText;
    return texts.waiting(formatWhole(armsOf().length));
  }

  private captionOf({ race, texts }: RaceView): string {
    if (race === null) return texts.captionBefore;
    const { vocabSize, tokens, costs } = race;
    return texts.caption(formatWhole(vocabSize), formatWhole(tokens), macsText(costs[0]?.layers ?? 0));
  }

  private renderTransport(): TemplateResult {
    const { texts, training, race } = this;
    const done = this.run?.done ?? 0;
    const running = training.pending;
    const begun = race !== null;
    // What there is already can be looked at without training.
    const look = this.shown === null || begun ? '' : 'rest';
    const percent = wholePercent(done);
    const start = button({
      label: begun ? texts.resume : texts.start,
      icon: 'play',
      kind: 'primary',
      disabled: this.lacksText,
      onPress: () => this.start(),
    });
    const pause = button({ label: texts.pause, icon: 'pause', kind: 'primary', onPress: () => this.training.stop() });
    return html`
      <div class="row transport state">
        <div class=${look}>${running ? pause : race?.complete === true ? nothing : start}</div>
        ${begun || running ? button({ label: texts.reset, icon: 'rewind', onPress: () => this.startOver() }) : nothing}
        ${running ? html`<progress aria-label=${texts.training(percent, '')} max="1" .value=${done}></progress>` : nothing}
        <span class="note" role="status">${this.status(percent)}</span>
      </div>
    `;
  }

  private status(percent: string): Content {
    const { texts, race } = this;
    if (this.training.pending) {
      return race === null ? texts.preparing : texts.training(percent, formatWhole(armsOf().length));
    }
    if (race !== null) return race.complete ? nothing : texts.paused(percent);
    return this.shown === null ? nothing : html`${texts.finishedNote} <span class="rest">${texts.finishedHint}</span>`;
  }

  private renderBench(view: RaceView): TemplateResult {
    return html`
      <div>${titled(titleOf(view), lossPlot(view))}</div>
      <div class="costs">${costRows(view, this.widths.costsWidth)}</div>
    `;
  }

  private renderData(view: RaceView): TemplateResult {
    return html`${view.race === null ? nothing : dataTable(lossPlot(view).table)}
    ${dataTable(costPlot(view, this.widths.costsWidth).table)}`;
  }

  protected override pictureNote(): string {
    const { view } = this;
    return view.race === null ? '' : `${titleOf(view)}. ${this.captionOf(view)}`;
  }
}
