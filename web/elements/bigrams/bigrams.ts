import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Plot } from '../../charts/plot.js';
import { builtInTexts } from '../../texts/index.js';
import { dataTable, said, titled, type Code, type FigureParts } from '../shared/figure.js';
import { matrixData } from '../shared/tables.js';
import { button } from '../shared/controls.js';
import { codeOf } from '../shared/error-code.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { wholePercent } from '../shared/in-words.js';
import { Measurement } from '../shared/measurement.js';
import { newestModels, OwnModelsWatcher, type OwnModels } from '../shared/own-models.js';
import { OwnText, ownTextStyles } from '../shared/own-text.js';
import { textOfModels } from '../shared/saved-models.js';
import type { TextFile } from '../shared/text-file.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { bigramsPanel, bigramsSettings, type TextOrder } from './bigrams.settings.js';
import { bigramsStrings, type BigramsStrings } from './bigrams.strings.js';
import { readableToken } from '../shared/token-names.js';
import { bigramsStyles } from './bigrams.styles.js';
import { cycleData, cycleList, cyclesInWords } from './cycle-list.js';
import { irreversibilityAxis, nats, plusMinus } from './irreversibility-axis.js';
import { hasOneToken, measureText, part, storyLength } from './measured-text.js';
import type { MeasuredOrder, MeasuredText, TextQuestion } from './measured-text.js';
import { pairList, pairSentence, type Pointed } from './pair-list.js';

/** What the settings ask for. */
type Asked = Omit<TextQuestion, 'name' | 'text'> & {
  readonly textSource: string;
  /** The reader's own text; null: another one, or none yet. */
  readonly text: TextFile | string | null;
};

const areSame = (one: Asked, other: Asked): boolean =>
  (Object.keys(one) as (keyof Asked)[]).every((name) => one[name] === other[name]);

/** Detail of this element's `tied-change`. */
export interface BigramsChange {
  readonly text: string;
  readonly tokens: number;
  readonly textOrder: TextOrder;
  /** For the text as written: JS, its null and its share. */
  readonly js: number;
  readonly null: MeasuredOrder['null'];
  readonly share: number;
}

/**
 * `<tied-bigrams text-source="a-year-in-new-york" tokenizer="character">`: which token follows which in a text, in
 * which direction pairs and cycles of three run, and how far the text is from one that reads the same backwards.
 * Attributes: `text-source` (a built-in text's id, `stories`, `own`), `tokenizer` (`character`, `word`), `vocab-size`,
 * `text-order` (`written`, `backwards`, `shuffled`), `map-values` (`flow`, `counts`, `probabilities`), `map-tokens`,
 * `chance` (`shown`, `hidden`), `null-runs`, `seed`. Property: `text`, a text that the page provides.
 *
 * @fires {CustomEvent<BigramsChange>} tied-change - The reader has chosen another text, or another view of it.
 */
export class Bigrams extends withSettings(TiedElement<BigramsStrings>, bigramsSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, ownTextStyles, bigramsStyles];

  /** A text that the page provides, for `text-source="own"`. */
  @property({ attribute: false }) text: TextFile | string | null = null;
  @state() private pointed: Pointed | null = null;

  protected readonly ownStrings = bigramsStrings;
  private readonly width = new WidthWatcher(this, '.axis', 600);
  private readonly own = new OwnText(this, {
    texts: () => this.texts,
    opened: () => {
      this.problem = null;
      this.textSource = 'own';
    },
    use: (text) => this.useText(text),
  });
  private readonly openingModels = this.task<OwnModels>({
    order: 'replace',
    run: async ({ bytes, text: name }, signal) => {
      const text = await this.askLab((lab) => textOfModels(lab, bytes));
      if (!signal.aborted) this.useText({ name, text });
    },
  });
  private readonly measuring = new Measurement<Asked, MeasuredText>(this, {
    order: 'replace',
    question: () => {
      const { tokenizer, vocabSize, nullRuns, seed, textSource, text } = this;
      return { tokenizer, vocabSize, nullRuns, seed, textSource, text: textSource === 'own' ? text : null };
    },
    same: areSame,
    possible: () => !this.isWaiting,
    ready: () => this.screen.woken,
    unasked: () => true,
    given: () => [],
    answers: (_, asked, of) => of !== null && areSame(asked, of),
    measure: async (asked, { onPart: onOrder, ...listening }) => {
      this.pointed = null;
      const question = await this.questionOf(asked);
      return question && this.askLab((lab) => measureText(lab, question, { ...listening, onOrder }));
    },
    failed: (error) => this.refuse(error),
    report: ({ name: text, tokens, orders: { written } }) => {
      const { js, null: chance, share } = written!;
      this.changed({ text, tokens, textOrder: this.textOrder, js, null: chance, share } satisfies BigramsChange);
      return true;
    },
  });

  constructor() {
    super();
    new OwnModelsWatcher(this);
  }

  // ------------------------------------------------------------ the text

  /** Explains in the figure's words why a text is refused. */
  private refuse(error: unknown): void {
    const { text: own, texts, tokenizer } = this;
    const text = typeof own === 'string' ? own : (own?.text ?? '');
    const refused = codeOf(error) === 'invalid-argument';
    if (refused && this.textSource === 'own' && hasOneToken(text, tokenizer)) this.problem = texts.oneToken[tokenizer];
    else this.fail(error);
  }

  private useText(text: TextFile): void {
    this.problem = null;
    this.text = text;
    this.textSource = 'own';
    this.measuring.change(false);
  }

  protected override wake(): void {
    this.measuring.wake();
  }

  /** Whether the reader has chosen a text of their own but not given it. */
  private get isWaiting(): boolean {
    return this.textSource === 'own' && this.text === null;
  }

  /** What the text is; null if there is no such text. */
  private async questionOf({ textSource: source, text: own, ...settings }: Asked): Promise<TextQuestion | null> {
    const name = this.texts.textSources[source] ?? source;
    if (source === 'stories') return { ...settings, name, text: { stories: storyLength } };
    if (source !== 'own') {
      const text = await builtInTexts.find(({ id }) => id === source)?.load();
      return text === undefined ? null : { ...settings, name, text };
    }
    return own === null ? null : { ...settings, ...(typeof own === 'string' ? { name, text: own } : own) };
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.measuring.change(false);
  }

  /** The text as far as it is measured. Until there is another one, the last drawing stays, grayed. */
  private get measured(): MeasuredText | null {
    return this.measuring.shown;
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, measured } = this;
    const found = measured?.orders[this.textOrder];
    const current = this.isWaiting ? undefined : found;
    return {
      title: texts.title,
      controls: this.panel(bigramsPanel, {
        modelsText: this.renderModelsText(),
        ownText: this.textSource === 'own' ? this.own.render() : nothing,
      }),
      drawing: html`<div class="charts bench">
        ${found === undefined || measured === null ? nothing : this.renderBench(measured, found)}
        ${this.own.renderDropZone()}
      </div>`,
      ...(current === undefined ? { readOut: this.waitingWords() ?? '' } : this.readOut(current)),
      caption: texts.caption,
      data: () => (measured === null || current === undefined ? nothing : this.renderData(measured, current)),
      hasPicture: current !== undefined,
    };
  }

  /** If the reader has trained models on this page: a button for the text that they learned from. */
  private renderModelsText(): TemplateResult | typeof nothing {
    const models = newestModels();
    if (models === null) return nothing;
    return button({ label: this.texts.useModelsText, onPress: () => void this.openingModels.request(models) });
  }

  protected override pictureNote(): string {
    const { texts, measured } = this;
    if (measured === null) return '';
    const facts = texts.facts(formatWhole(measured.tokens), formatWhole(measured.frequent.length));
    return `${measured.name}: ${facts}. ${texts.textOrder}: ${texts.textOrders[this.textOrder]}.`;
  }

  protected override command(): Code & { readonly label: string } {
    return this.replayCommand(this.texts.repeatHint, this.textSource === 'own' ? ' --text FILE' : '');
  }

  private waitingWords(): string | null {
    const { texts } = this;
    if (this.measuring.pending) return texts.counting(wholePercent(this.measuring.fraction ?? 0));
    return this.isWaiting ? texts.waitingForText : null;
  }

  private readonly name = (id: number): string => {
    const name = this.measured?.names[id] ?? '';
    if (this.tokenizer !== 'word') return name === ' ' ? '␣' : name.replace(/\s/g, '↵');
    return readableToken(this.tokenizer, name, this.texts);
  };

  private readOut(found: MeasuredOrder): Pick<FigureParts, 'readOut' | 'announcement'> {
    const [claim, ...parts] = this.wordsOf(found);
    const { readOut, announcement } = said(claim, parts.filter((part) => part !== '').join(' '));
    if (this.pointed === null) return { readOut, announcement: announcement! };
    const pointed = `${this.sentenceOf(found, this.pointed)}.`;
    return { readOut: html`${readOut} ${pointed}`, announcement: `${announcement} ${pointed}` };
  }

  private wordsOf({ js, null: chance, share, cycles }: MeasuredOrder): [claim: string, ...rest: string[]] {
    const { texts, textOrder, measured } = this;
    const withChance = this.chance === 'shown';
    const mean = withChance ? texts.byChance(plusMinus(chance)) : '';
    const token = texts.tokenWords[this.tokenizer];
    const around = cyclesInWords({ texts, cycles }, token, withChance);
    // By chance, a reversible text exceeds this about once in forty times.
    const directed = js > chance.mean + 2 * chance.standardDeviation;
    if (textOrder === 'shuffled') {
      return [texts.noOrder, texts.shuffledFound(nats(js)), mean, withChance && directed ? texts.sparse : '', around];
    }
    if (!directed) return [texts.noDirection, texts.found(nats(js)), mean, around];
    if (textOrder === 'backwards') return [texts.irreversible, texts.backwardsFound];
    const shuffled = measured?.orders.shuffled;
    const control = shuffled === undefined ? '' : texts.control(nats(shuffled.js));
    const cost = withChance ? texts.cost(texts.share(wholePercent(share)), token) : '';
    return [texts.irreversible, texts.found(nats(js)), mean, control, cost, around];
  }

  private sentenceOf({ table: { counts } }: MeasuredOrder, { from, to }: Pointed): string {
    const [, forward = 0, backward = 0] = part(counts, [from, to]);
    return pairSentence(this.texts, this.name, { from, to, forward, backward });
  }

  private renderBench(measured: MeasuredText, found: MeasuredOrder): TemplateResult {
    const { texts } = this;
    const title = (this.isWaiting ? null : this.waitingWords()) ?? texts.axisTitle;
    return html`
      <div class="axis" ?inert=${this.isWaiting}>${titled(title, this.axisOf(measured))}</div>
      <div class="map" ?inert=${this.isWaiting}>${this.renderMap(measured, found)}</div>
      <div class="strongest" ?inert=${this.isWaiting}>
        ${pairList({
          texts,
          pairs: found.pairs,
          name: this.name,
          pointed: this.pointed,
          onPoint: (pair) => {
            this.pointed = pair;
          },
        })}
        <div class="rest">${cycleList({ texts, cycles: found.cycles, name: this.name })}</div>
      </div>
    `;
  }

  private axisOf({ orders }: MeasuredText): Plot {
    const { texts, textOrder: order } = this;
    const width = Math.min(760, this.width.width);
    return irreversibilityAxis({ texts, orders, order, width, chance: this.chance === 'shown' });
  }

  /** The values of the map. */
  private values(found: MeasuredOrder, ids: readonly number[]): Float32Array {
    const { table, netFlow } = found;
    if (this.mapValues === 'counts') return part(table.counts, ids);
    if (this.mapValues === 'flow') return part(netFlow, ids).map((flow) => 100 * flow);
    return Float32Array.from(ids.flatMap((row) => Array.from(ids, (col) => table.conditional(row)[col] ?? 0)));
  }

  private renderMap(measured: MeasuredText, found: MeasuredOrder): TemplateResult {
    const { texts, mapValues, pointed } = this;
    const ids = measured.frequent.slice(0, this.mapTokens);
    const names = ids.map(this.name);
    const [row, col] = pointed === null ? [-1, -1] : [ids.indexOf(pointed.from), ids.indexOf(pointed.to)];
    const pairAt = (cell: { row: number; col: number }) => ({ from: ids[cell.row] ?? 0, to: ids[cell.col] ?? 0 });
    return html`
      <p class="part-title" data-picture>${texts.mapTitles[mapValues]}</p>
      <tied-heat-map
        .keys=${texts.gridKeys}
        .values=${this.values(found, ids)}
        .rowLabels=${names}
        .colLabels=${names}
        .label=${`${texts.mapTitles[mapValues]}.`}
        .rowTitle=${texts.current}
        .colTitle=${texts.next}
        .kind=${mapValues === 'flow' ? 'diverging' : 'sequential'}
        .limit=${this.limit(measured, ids)}
        .decimals=${mapValues === 'counts' ? 0 : 2}
        .maxCell=${40}
        .describe=${(cell: { row: number; col: number }) => this.sentenceOf(found, pairAt(cell))}
        .cell=${row < 0 || col < 0 ? null : { row, col }}
        @tied-cell=${({ detail: { cell } }: CellEvent) => {
          this.pointed = cell === null ? null : pairAt(cell);
        }}
      ></tied-heat-map>
    `;
  }

  /** The scale is that of the text as written, so a shuffled one fades. */
  private limit({ orders: { written } }: MeasuredText, ids: readonly number[]): number {
    return written === undefined ? 0 : Math.max(0, ...this.values(written, ids).map(Math.abs));
  }

  private renderData(measured: MeasuredText, found: MeasuredOrder): TemplateResult {
    const { texts, mapValues } = this;
    const ids = measured.frequent.slice(0, this.mapTokens);
    const values = this.values(found, ids);
    return html`
      ${dataTable(this.axisOf(measured).table)}
      ${dataTable({
        caption: texts.dataPairs,
        head: texts.dataPairsHead,
        rows: found.pairs.map(({ from, to, forward, backward }) => [
          texts.arrow(this.name(from), this.name(to)),
          formatWhole(forward),
          formatWhole(backward),
        ]),
      })}
      ${cycleData({ texts, cycles: found.cycles, name: this.name })}
      ${matrixData(
        `${texts.mapTitles[mapValues]} (${texts.current} ↓, ${texts.next} →)`,
        ids.map(this.name),
        (row, col) => formatNumber(values[row * ids.length + col] ?? 0, { decimals: mapValues === 'counts' ? 0 : 3 }),
      )}
    `;
  }
}
