import { css, html, LitElement, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Announcer } from '../../../elements/shared/announcer.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { dataTable } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { LabLease } from '../../../elements/shared/lab-lease.js';
import { looks } from '../../../elements/shared/looks.js';
import { OwnText, ownTextProblems, ownTextStrings, ownTextStyles } from '../../../elements/shared/own-text.js';
import { positionSlider, positionSliderStyles } from '../../../elements/shared/position-slider.js';
import { Task } from '../../../elements/shared/task.js';
import type { TextFile } from '../../../elements/shared/text-file.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { WidthWatcher } from '../../../elements/shared/width-watcher.js';
import { languagesPlot } from './drawings.js';
import { leastLetters, lettersOf, mostLetters, mostSymbols, oneWayOf, type OneWay } from './measure.js';
import { found, languagesOf, type LanguagesFile, type Language } from './record.js';
import { languageSentence, ownSentence, ownTexts } from './sentences.js';

const styles = css`
  .row {
    margin-block: var(--t-space-2) 0;
  }

  .row.note {
    margin-block: 0 var(--t-space-1);
  }

  .field {
    max-inline-size: 100%;
  }

  .find {
    inline-size: 14em;
    min-inline-size: 0;
  }

  .read-out {
    --read-out: 3lh;
    --read-out-narrow: 5lh;

    margin-block-start: var(--t-space-2);
    font-size: 1rem;
  }

  .placed {
    --read-out: 0lh;
    --read-out-narrow: 0lh;
  }

  details {
    margin-block-start: var(--t-space-2);
  }

  .part {
    position: relative;
  }

  .position-slider {
    cursor: ew-resize;
  }

  @media print {
    .row:not(.note),
    details {
      display: none;
    }
  }

  ${looks({
    '.interval': { fill: 'accent', 'fill-opacity': 0.16 },
    '.text': { fill: 'none', stroke: 'ink', 'stroke-width': 3, 'stroke-linecap': 'round' },
    '.by-chance': { fill: 'none', stroke: 'floor', 'stroke-width': 2, 'stroke-linecap': 'round' },
    '.cursor': { stroke: 'accent', 'stroke-width': 1 },
    '.chosen-interval': { stroke: 'accent', 'stroke-width': 3 },
    '.handle': { fill: 'accent', stroke: 'paper', 'stroke-width': 2 },
    '.named': { halo: 5 },
    '.own': { fill: 'untied', stroke: 'paper', 'stroke-width': 1.5 },
    '.own-line': { stroke: 'untied', 'stroke-width': 1.25, 'stroke-dasharray': '5 4' },
  })}
`;

/** What is shown first. */
const first = 'English';

interface Placed {
  readonly name: string;
  readonly measured: OneWay;
}

/**
 * `<article-languages>`: how one-way the letters of recorded texts are, each with its interval and what chance alone would give. The reader finds a language, and
 * places a text of their own among them.
 */
export class Languages extends LitElement {
  static override styles: CSSResultGroup = [
    tokens,
    base,
    controlStyles,
    figureStyles,
    positionSliderStyles,
    ownTextStyles,
    styles,
  ];

  /** The record, from `languages.json`; without it the page's table stays. */
  @property({ attribute: false }) finished: LanguagesFile | null = null;

  @state() private at = 0;
  @state() private own: Placed | null = null;
  @state() private problem: string | null = null;
  /** What was typed and names no language. */
  @state() private unknown: string | null = null;
  @state() private showsNumbers = false;
  private languages: readonly Language[] = [];
  private readonly labs = new LabLease(this);
  private readonly announcer = new Announcer(this);
  private readonly width = new WidthWatcher(this, '.part', 640);
  private readonly ownText = new OwnText(this, {
    texts: () => ({ ...ownTextStrings, ...ownTextProblems, emptyText: ownTexts.emptyText }),
    opened: () => {
      this.problem = null;
      this.placing.cancel();
    },
    use: (text) => this.#use(text),
  });
  private readonly placing = new Task<{ readonly name: string; readonly letters: string }, OneWay>(this, {
    order: 'replace',
    run: ({ letters }) => this.labs.ask((lab) => oneWayOf(letters, lab)),
    done: (measured, { name }) => {
      this.own = { name, measured };
      this.announcer.announce(this.#ownWords);
    },
    failed: (error) => {
      this.problem = error instanceof Error ? error.message : String(error);
    },
  });

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('finished') || this.finished === null) return;
    this.languages = languagesOf(this.finished);
    this.at = Math.max(0, found(this.languages, first));
  }

  get #ownWords(): string {
    return this.own === null ? '' : ownSentence(this.own.name, this.own.measured, this.languages);
  }

  get #words(): string {
    const language = this.languages[this.at];
    return language === undefined ? '' : languageSentence(language, this.at, this.languages.length);
  }

  #choose(at: number): void {
    this.at = at;
    this.unknown = null;
  }

  #find(typed: string): void {
    const at = found(this.languages, typed);
    this.unknown = at < 0 && typed.trim() !== '' ? typed.trim() : null;
    if (at < 0) return;
    this.at = at;
    this.announcer.announce(this.#words);
  }

  #use({ name, text }: TextFile): void {
    const letters = [...lettersOf(text)].slice(0, mostLetters).join('');
    const length = [...letters].length;
    const symbols = new Set(letters).size;
    this.own = null;
    if (length < leastLetters) this.problem = ownTexts.tooShort(name, length, leastLetters);
    else if (symbols > mostSymbols) this.problem = ownTexts.tooMany(name, symbols, mostSymbols);
    else void this.placing.request({ name, letters });
  }

  #drawing(): TemplateResult {
    const { languages, at, own } = this;
    const drawn = languagesPlot(languages, at, own?.measured ?? null, Math.min(900, this.width.width));
    const sentence =
      this.unknown === null ? this.#words : `None of the ${languages.length} texts is named ${this.unknown}.`;
    const placed = this.placing.pending ? ownTexts.measuring : this.#ownWords;
    return html`${drawn.key}
      ${positionSlider({
        label: 'Texts, the least one-way first',
        at,
        count: languages.length,
        words: this.#words,
        positionAt: (x) => drawn.rowAt(x),
        onChoose: (chosen) => this.#choose(chosen),
        drawing: drawn.drawing,
      })}
      <div class="row">
        <label class="field">
          Find a language
          <input
            class="text-field find"
            type="search"
            list="names"
            autocomplete="off"
            spellcheck="false"
            @input=${(event: Event) => this.#find((event.target as HTMLInputElement).value)}
          />
        </label>
        <datalist id="names">${languages.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
      </div>
      <p class="read-out">${sentence}</p>
      <details>
        <summary>${ownTexts.opening}</summary>
        ${this.ownText.render()}
        <p class="read-out placed">${placed}</p>
      </details>
      <details @toggle=${(event: Event) => (this.showsNumbers = (event.target as HTMLDetailsElement).open)}>
        <summary>Numbers</summary>
        ${this.showsNumbers ? html`<div class="data" tabindex="0" role="region" aria-label="Numbers">${dataTable(drawn.table)}</div>` : nothing}
      </details>`;
  }

  protected override render(): TemplateResult {
    return html`<div class="frame">
      <div class="part">
        ${this.finished === null ? html`<slot></slot>` : this.#drawing()} ${this.ownText.renderDropZone()}
      </div>
      <div role="alert">${this.problem === null ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
      <div class="visually-hidden" role="status">${this.announcer.text}</div>
    </div>`;
  }
}
