import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import { button, checkboxes, segmented } from '../shared/controls.js';
import { said, type Code, type FigureParts } from '../shared/figure.js';
import type { CellDetail } from '../shared/heat-map-view.js';
import { Measurement } from '../shared/measurement.js';
import { OwnText, ownTextStyles } from '../shared/own-text.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import type { TextFile } from '../shared/text-file.js';
import { TiedElement } from '../shared/tied-element.js';
import { whenGone } from '../shared/when-gone.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { apartCharts } from './apart.js';
import { attentionMap } from './attention-map.js';
import { pullSeries, qualitySeries, stepsChart } from './curves.js';
import { dataTables, formatMetric } from './data-tables.js';
import { exampleList } from './examples.js';
import {
  samePlan,
  spread,
  stepOf,
  tyings,
  type History,
  type ModelHistory,
  type Moment,
  type Plan,
  type Tying,
} from './history.js';
import { divided, refusalWords } from './own-pairs.js';
import { Seq2seqRun, type Asked } from './run.js';
import { hasLength, inOrder, seq2seqPanel, seq2seqSettings, stepsOf, type Task } from './seq2seq.settings.js';
import { seq2seqStrings, type Seq2seqStrings } from './seq2seq.strings.js';
import { seq2seqStyles } from './seq2seq.styles.js';
import { summaryOf } from './summary.js';
import { percent, tablesDrawing } from './tables-drawing.js';

/** Detail of this element's `tied-change`. */
export interface Seq2seqChange {
  readonly task: string;
  readonly running: boolean;
  /** Training steps done; 0 before the first. */
  readonly step: number;
  /** For each model, on pairs that it is not trained on; empty before the first measurement. */
  readonly models: readonly (Pick<Moment, 'exactMatch' | 'characterErrorRate' | 'loss'> & { readonly tying: Tying })[];
}

/** The number of moments shown for each example, one fewer on phones. */
const mostMoments = 5;
/** From this width on, the drawings of the tables are side by side. */
const sideBySide = 640;

/**
 * `<tied-seq2seq task="reversal" length="8">`: trains encoder-decoders that differ in how their three tables of tokens
 * are shared: as one table, as two, or not at all. Shows which roles pull on the tables, whether separate tables become
 * alike, how far each has moved, what the models write and what they attend to. Attributes: `task` (`reversal`,
 * `sorting`, `transliteration`, `numbers`, `plurals`, `past-tense`, `own`), `length`, `tyings` (some of `all`,
 * `decoder`, `none`), `steps`, `seed`, `metric` (`exact-match`, `character-error-rate`, `loss`), `model` (one of the
 * tyings), `example`. Properties: `pairs`, pairs that the page provides, for `task="own"`; `finished`, a run that was
 * trained earlier.
 *
 * @fires {CustomEvent<Seq2seqChange>} tied-change - The reader has started or stopped the training, the training is complete, or another view was chosen.
 */
export class Seq2seq extends withSettings(TiedElement<Seq2seqStrings>, seq2seqSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, ownTextStyles, seq2seqStyles];

  /** One pair per line: the source, a tab and the target; for `task="own"`. */
  @property({ attribute: false }) pairs: TextFile | string | null = null;
  /** An earlier run, shown until the reader trains or asks for something else. */
  @property({ attribute: false }) finished: History | null = null;
  /** The step of the chosen moment; null: the newest. */
  @state() private moment: number | null = null;
  @state() private cell: CellDetail['cell'] = null;

  protected readonly ownStrings = seq2seqStrings;
  private readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly run = new Seq2seqRun();
  private readonly training = new Measurement<Asked, History>(this, {
    order: 'replace',
    question: () => ({ plan: this.plan, steps: this.steps }),
    possible: () => !this.lacksPairs,
    // It rests while it is out of view.
    ready: () => this.screen.visible,
    same: (one, other) => one.steps === other.steps && samePlan(one.plan, other.plan),
    answers: (history, { plan, steps }) => samePlan(history.plan, plan) && stepOf(history) >= steps,
    given: () => [],
    measure: (asked, reporting) => this.askLab((lab) => this.run.train(lab, asked, reporting)),
    failed: (error) => this.refuse(error, this.plan.lines),
    report: () => {
      this.report();
      return true;
    },
  });
  private readonly own = new OwnText(this, {
    texts: () => this.texts,
    opened: () => {
      this.problem = null;
      this.pairTask = 'own';
    },
    use: (pairs) => void this.checking.request(pairs),
  });
  /** Immediately reports what is wrong with the reader's pairs. */
  private readonly checking = this.task<TextFile, TextFile>({
    order: 'replace',
    run: async (file) => {
      divided(await this.askLab((lab) => lab.parsePairs(file.text)));
      return file;
    },
    done: (file) => {
      this.problem = null;
      this.pairs = file;
    },
    failed: (error, { text }) => this.refuse(error, text),
  });

  constructor() {
    super();
    whenGone(this, () => void this.run.release());
  }

  /** Explains in the figure's words why the reader's pairs, if there are any, are refused. */
  private refuse(error: unknown, lines: string | null): void {
    const words = refusalWords(this.texts, error, lines);
    if (words === null) this.fail(error);
    else this.problem = words;
  }

  // ------------------------------------------------------------ the run

  private get plan(): Plan {
    const { pairTask: task, length, seed, tyings: chosen, pairs } = this;
    const ofOwn = typeof pairs === 'string' ? pairs : (pairs?.text ?? null);
    return {
      ...{ task, seed, tyings: chosen },
      length: hasLength({ pairTask: task }) ? length : null,
      lines: task === 'own' ? ofOwn : null,
    };
  }

  /** The reader's run, as far as it has come. */
  private get trained(): History | null {
    return this.training.taken?.result ?? null;
  }

  /** The drawn run: the reader's, or the finished one if it has the same plan. */
  private get history(): History | null {
    const { finished } = this;
    return this.trained ?? (finished !== null && samePlan(finished.plan, this.plan) ? finished : null);
  }

  private get running(): boolean {
    const { state } = this.training;
    return state === 'asked' || state === 'working';
  }

  private get lacksPairs(): boolean {
    return this.pairTask === 'own' && this.pairs === null;
  }

  protected override settingsChanged(changed: PropertyValues): void {
    const decisive = ['pairTask', 'length', 'seed', 'tyings'];
    if (decisive.some((name) => changed.has(name))) this.reset();
    // A run continues to another number of steps; one that is over does not start again by itself.
    else if (changed.has('steps') && !this.running) this.training.dismiss();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('pairs') && this.pairTask === 'own') this.reset();
  }

  protected override changeSettings(changes: Values): void {
    const { pairTask } = changes;
    super.changeSettings(pairTask === undefined ? changes : { steps: stepsOf[pairTask as Task], ...changes });
    this.report();
  }

  protected override visibilityChanged(visible: boolean): void {
    if (visible) this.requestUpdate();
    else if (this.training.pending) this.training.cancel();
  }

  private start(): void {
    this.problem = null;
    this.moment = null;
    this.training.ask();
    this.report();
  }

  private pause(): void {
    this.training.stop();
    this.report();
  }

  private reset(): void {
    this.moment = null;
    this.cell = null;
    this.training.stop();
    this.training.forget();
    void this.run.release();
  }

  private report(): void {
    const { trained } = this;
    const measured = trained?.models.every(({ moments }) => moments.length > 0) === true ? trained.models : [];
    this.changed({
      task: this.pairTask,
      running: this.running,
      step: trained === null ? 0 : stepOf(trained),
      models: measured.map(({ tying, moments }) => {
        const { exactMatch, characterErrorRate, loss } = moments.at(-1)!;
        return { tying, exactMatch, characterErrorRate, loss };
      }),
    } satisfies Seq2seqChange);
  }

  // ------------------------------------------------------------ drawing

  /** The chosen model and moment; null before the model was measured. */
  private lookAt({ models }: History): { readonly model: ModelHistory; readonly at: Moment } | null {
    const model = models.find(({ tying }) => tying === this.model) ?? models[0]!;
    const at = model.moments.find(({ step }) => step === this.moment) ?? model.moments.at(-1);
    return at === undefined ? null : { model, at };
  }

  protected parts(): FigureParts {
    const { texts, history } = this;
    const own = this.pairTask === 'own' ? this.own.render() : nothing;
    const controls = html`${this.panel(seq2seqPanel, { trained: this.renderTyings(), ownPairs: own })}
    ${this.renderButtons(history)}`;
    const look = history === null ? null : this.lookAt(history);
    const drawing = html`<div class="bench">
      ${history === null || look === null ? nothing : this.renderBench(history, look)} ${this.own.renderDropZone()}
    </div>`;
    if (history === null || look === null) {
      const waiting = this.running ? texts.starting : this.lacksPairs ? texts.waitingForPairs : texts.waiting;
      return { title: texts.title, controls, drawing, readOut: waiting, hasPicture: false };
    }
    return {
      ...{ title: texts.title, controls, drawing, caption: texts.caption },
      ...this.words(history),
      data: () => dataTables(texts, history, look.at, this.chosenExample(history)),
    };
  }

  protected override pictureNote(): string {
    const { texts, history, pairTask, seed } = this;
    return history === null ? '' : `${texts.tasks[pairTask]}. ${texts.seed} ${String(seed)}.`;
  }

  protected override command(): Code & { readonly label: string } {
    return this.replayCommand(this.texts.repeatHint, this.pairTask === 'own' ? ' --text FILE' : '');
  }

  private renderTyings(): TemplateResult {
    const { texts, tyings: chosen } = this;
    return checkboxes({
      legend: texts.tyings,
      values: tyings,
      chosen,
      label: (tying) => texts.models[tying],
      onChoose: (some) => this.changeSettings({ tyings: inOrder(some) }),
    });
  }

  private renderButtons(history: History | null): TemplateResult {
    const { texts, trained, running, steps } = this;
    const step = trained === null ? 0 : stepOf(trained);
    const count =
      step > steps ? texts.stepDone(formatWhole(step)) : texts.stepOf(formatWhole(step), formatWhole(steps));
    const press = (label: string, icon: 'play' | 'pause', disabled: boolean, onPress: () => void): TemplateResult =>
      button({ label, icon, kind: 'primary', disabled, onPress });
    const begun = running || trained !== null;
    const note = html`${texts.finishedNote} <span class="rest">${texts.finishedHint}</span>`;
    // What was trained already can be looked at without training.
    return html`<div class="row tight state">
      <div class=${history === null || begun ? '' : 'rest'}>
        ${
          running
            ? press(texts.pause, 'pause', false, () => this.pause())
            : press(step === 0 ? texts.train : texts.goOn, 'play', this.lacksPairs || step >= steps, () => this.start())
        }
        ${button({
          label: texts.reset,
          icon: 'rewind',
          disabled: !begun,
          onPress: () => {
            this.problem = null;
            this.own.cancel();
            this.reset();
            this.report();
          },
        })}
      </div>
      <span class="note">${begun ? count : history === null ? nothing : note}</span>
    </div>`;
  }

  private words(history: History): Pick<FigureParts, 'readOut' | 'announcement'> {
    const { claim, rest } = summaryOf(this.texts, history);
    return this.running ? { readOut: `${claim} ${rest}`, announcement: claim } : said(claim, rest);
  }

  private renderBench(history: History, { model, at }: { model: ModelHistory; at: Moment }): TemplateResult {
    const { texts, metric } = this;
    const { models, examples, heldOut } = history;
    const { width: all } = this.width;
    const width = Math.min(320, all < sideBySide ? all : (all - 40 * (models.length - 1)) / models.length);
    const most = all < 420 ? mostMoments - 1 : mostMoments;
    const moments = spread(model.moments.length, most, model.moments.indexOf(at)).map((index) => model.moments[index]!);
    const name = texts.models[model.tying];
    return html`
      <div class="across">
        <p class="part-title" data-picture>${texts.tablesTitle(formatWhole(at.step))}</p>
        ${segmented({
          ...{ legend: texts.moment, name: 'moment', value: String(at.step) },
          choices: moments.map(({ step }) => ({ value: String(step), label: formatWhole(step) })),
          onChoose: (step) => {
            const newest = Number(step) === model.moments.at(-1)?.step;
            this.moment = newest ? null : Number(step);
          },
        })}
        <div class="tables">
          ${models.map(
            (one) =>
              html`<div>
                <p class="model-name" data-picture>
                  ${texts.models[one.tying]} <small>${texts.inTables(formatWhole(one.tableParameters))}</small>
                </p>
                ${tablesDrawing(texts, history, one, at.step, width)}
              </div>`,
          )}
        </div>
      </div>
      <div>
        <div class="row tight rest">${this.panel(['metric'])}</div>
        ${stepsChart(texts, {
          title: texts.quality[metric](formatWhole(heldOut)),
          yTitle: metric === 'loss' ? texts.nats : '%',
          series: qualitySeries(texts, history, metric),
          yDomain: metric === 'exact-match' ? [0, 100] : null,
          cursor: at.step,
          decimals: metric === 'loss' ? 3 : 0,
          words: (value) => formatMetric(metric, metric === 'loss' ? value : value / 100),
        })}
      </div>
      <div>
        <div class="row tight rest">${this.panel(['model'])}</div>
        ${stepsChart(texts, {
          ...{ title: texts.pullTitle(name), yTitle: '%', series: pullSeries(texts, model), yDomain: [0, 100] },
          ...{ cursor: Math.max(1, at.step), decimals: 0, words: (value) => percent(value / 100) },
        })}
      </div>
      ${apartCharts(texts, history, at)}
      <div class="rest">
        <p class="part-title" data-picture>${texts.examplesTitle(name)}</p>
        ${exampleList({
          ...{ texts, examples, moments, moment: at, chosen: this.chosenExample(history) },
          onChoose: (chosen) => {
            this.cell = null;
            this.changeSettings({ example: chosen + 1 });
          },
        })}
      </div>
      <div class="rest">
        ${attentionMap({
          ...{ texts, history, at, example: this.chosenExample(history), cell: this.cell },
          onCell: (cell) => {
            this.cell = cell;
          },
        })}
      </div>
    `;
  }

  private chosenExample({ examples }: History): number {
    return Math.min(this.example, examples.length) - 1;
  }
}
