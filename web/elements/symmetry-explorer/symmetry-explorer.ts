import {
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import type { Cell } from '../../charts/heat-map.js';
import { formatNumber } from '../../charts/number-format.js';
import type { Matrix } from '../../core/types.js';
import { button, segmented } from '../shared/controls.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { TiedElement } from '../shared/tied-element.js';
import { directPathOf, entry, pairsOf, type DirectPath } from './direct-path-of.js';
import {
  completeRows,
  fewestTokens,
  formatRows,
  freeName,
  isRows,
  mostTokens,
  nameProblem,
  parseNames,
  parseRows,
  startingTokens,
  toMatrix,
  withName,
  withoutToken,
  withRow,
  withToken,
  type ExplorerMode,
  type ExplorerView,
  type Rows,
  type Tokens,
} from './explorer-state.js';
import { matrixTable } from './matrix-table.js';
import { drawMore, drawnEmbedding, noDraws, type DrawCounts } from './random-draws.js';
import { readOut, readOutContent, type ReadOut } from './read-out.js';
import { symmetryExplorerStrings, type SymmetryExplorerStrings } from './symmetry-explorer.strings.js';
import { symmetryExplorerStyles } from './symmetry-explorer.styles.js';
import type { RoleVector, VectorEvent } from './vector-plane-view.js';

/** What `tied-change` of the explorer carries. */
export interface SymmetryExplorerChange {
  readonly mode: ExplorerMode;
  readonly tokens: readonly string[];
  readonly embedding: Matrix;
  /** Null while the embedding writes as well. */
  readonly unembedding: Matrix | null;
  readonly logits: Matrix;
  /** Equal to the last bit, in every pair. */
  readonly symmetric: boolean;
}

const modes: readonly ExplorerMode[] = ['tied', 'untied', 'random'];
const manyDraws = 100;
/** More pairs than these are left to the data table. */
const mostPairs = 6;

/**
 * `<tied-symmetry-explorer mode="tied" tokens="New, York, City" embedding="1 0.5; 0.8 0.9; 0.3 1.2">`: a small
 * embedding to play with, as numbers and as arrows, and the direct path that it makes. Modes: tied, untied (attribute
 * `unembedding`), random (attribute `seed`). Attribute `view`: logits or probabilities. Event: `tied-change`.
 */
export class SymmetryExplorer extends TiedElement<SymmetryExplorerStrings> {
  static override properties: PropertyDeclarations = {
    mode: { reflect: true },
    view: { reflect: true },
    tokens: { converter: { fromAttribute: (text) => parseNames(text ?? '') } },
    embedding: { converter: { fromAttribute: (text) => parseRows(text ?? '') } },
    unembedding: { converter: { fromAttribute: (text) => parseRows(text ?? '') } },
    seed: { type: Number },
    cell: { state: true },
    path: { state: true },
    counts: { state: true },
    wrongName: { state: true },
  };

  static override styles: CSSResultGroup = [TiedElement.styles, symmetryExplorerStyles];

  declare mode: ExplorerMode;
  declare view: ExplorerView;
  /** 2 to 12 different names. */
  declare tokens: readonly string[];
  /** Two numbers a token. */
  declare embedding: Rows;
  declare unembedding: Rows;
  /** Of the random draws. */
  declare seed: number;
  declare private cell: Cell | null;
  declare private path: DirectPath | null;
  declare private counts: DrawCounts;
  declare private wrongName: { index: number; text: string } | null;

  protected readonly ownStrings = symmetryExplorerStrings;
  /** The state that Reset returns to: what the attributes said. */
  private start: Tokens = startingTokens;
  private asked = 0;
  private answering = false;
  private byReader = false;

  constructor() {
    super();
    this.mode = 'tied';
    this.view = 'logits';
    this.tokens = startingTokens.names;
    this.embedding = startingTokens.embedding;
    this.unembedding = startingTokens.unembedding;
    this.seed = 1;
    this.cell = null;
    this.path = null;
    this.counts = noDraws;
    this.wrongName = null;
  }

  // ------------------------------------------------------------ state

  protected override willUpdate(changed: PropertyValues): void {
    const first = !this.hasUpdated;
    if (changed.has('tokens') || changed.has('embedding') || changed.has('unembedding')) this.checkTokens(changed);
    if (!modes.includes(this.mode)) {
      this.problem = this.texts.badMode(String(this.mode));
      this.mode = 'tied';
    }
    if (!Number.isSafeInteger(this.seed)) this.seed = 1;
    if (this.view !== 'probabilities') this.view = 'logits';
    if (first) this.start = this.state;
    if (changed.has('seed') || changed.has('tokens')) this.counts = noDraws;
    if (['mode', 'tokens', 'embedding', 'unembedding', 'seed', 'counts'].some((name) => changed.has(name))) {
      this.cell = this.cell !== null && Math.max(this.cell.row, this.cell.col) < this.tokens.length ? this.cell : null;
      void this.recompute();
    }
  }

  /** Attributes and properties may hold anything: what is wrong is named, and the figure's own takes its place. */
  private checkTokens(changed: PropertyValues): void {
    const { texts } = this;
    const names = this.tokens;
    const different = Array.isArray(names) ? new Set(names).size : 0;
    const named =
      different === names.length &&
      different >= fewestTokens &&
      different <= mostTokens &&
      names.every((name, index) => typeof name === 'string' && nameProblem(names, index, name) === null);
    if (!named) {
      this.problem = texts.badTokens(this.getAttribute('tokens') ?? String(names));
      this.tokens = startingTokens.names;
    }
    const own = named && changed.has('tokens') && !changed.has('embedding') && changed.get('tokens') === undefined;
    for (const name of ['embedding', 'unembedding'] as const) {
      if (!isRows(this[name]) || this[name].length > this.tokens.length) {
        // Fewer tokens than the default rows is no mistake of whoever named only the tokens.
        if (!(isRows(this[name]) && this[name] === startingTokens[name])) {
          this.problem = texts.badRows(name, this.getAttribute(name) ?? String(this[name]));
        }
        this[name] = startingTokens[name].slice(0, this.tokens.length);
      }
      if (own || this[name].length < this.tokens.length) {
        this[name] = completeRows(this[name], this.tokens.length, name === 'embedding' ? 1 : 1.5);
      }
    }
  }

  private get state(): Tokens {
    return { names: this.tokens, embedding: this.embedding, unembedding: this.unembedding };
  }

  private setState(tokens: Tokens): void {
    this.tokens = tokens.names;
    this.embedding = tokens.embedding;
    this.unembedding = tokens.unembedding;
    this.problem = null;
    this.byReader = true;
  }

  /** The table on show: the reader's own, or in random mode the last one drawn. */
  private get shownEmbedding(): Rows {
    if (this.mode !== 'random') return this.embedding;
    return drawnEmbedding(this.tokens.length, this.seed, Math.max(0, this.counts.drawn - 1));
  }

  private get writing(): Rows {
    return this.mode === 'untied' ? this.unembedding : this.shownEmbedding;
  }

  protected settings(): Record<string, string> {
    return {
      mode: this.mode,
      ...(this.view === 'logits' ? {} : { view: this.view }),
      tokens: this.tokens.join(', '),
      ...(this.mode === 'random' ? { seed: String(this.seed) } : { embedding: formatRows(this.embedding) }),
      ...(this.mode === 'untied' ? { unembedding: formatRows(this.unembedding) } : {}),
    };
  }

  // ------------------------------------------------------------ computing

  protected override wake(): void {
    void this.recompute();
  }

  /** Asks the lab for the direct path on show. While one question is out, newer ones wait, and only the newest is asked. */
  private async recompute(): Promise<void> {
    if (!this.screen.woken) return;
    this.asked++;
    if (this.answering) return;
    this.answering = true;
    try {
      for (let answered = -1; answered !== this.asked;) {
        answered = this.asked;
        const lab = await this.useLab();
        if (lab === null) return;
        const { mode, tokens } = this;
        const embedding = this.shownEmbedding;
        const unembedding = mode === 'untied' ? this.unembedding : null;
        const path = await directPathOf(lab, embedding, unembedding);
        this.path = path;
        if (!this.byReader || answered !== this.asked) continue;
        this.byReader = false;
        const change: SymmetryExplorerChange = {
          mode,
          tokens,
          embedding: toMatrix(embedding),
          unembedding: unembedding === null ? null : toMatrix(unembedding),
          logits: path.logits,
          symmetric: path.symmetric,
        };
        this.changed(change);
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.answering = false;
    }
  }

  private async draw(count: number): Promise<void> {
    try {
      const lab = await this.useLab();
      if (lab === null) return;
      const { seed, counts } = this;
      const after = await drawMore(lab, counts, { tokens: this.tokens.length, seed, count });
      // Whoever changed the tokens or the seed meanwhile started a count of their own.
      if (this.counts !== counts) return;
      this.byReader = true;
      this.counts = after;
    } catch (error) {
      this.fail(error);
    }
  }

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, path } = this;
    const said = path?.logits.rows === this.tokens.length ? this.readOut(path) : null;
    return {
      title: texts.title,
      controls: this.renderControls(),
      drawing: html`
        <div class="bench">
          <div class="tables">${this.renderTables()}</div>
          <div class="plane">${this.renderPlane()}</div>
          <div class="result">${this.renderResult()}</div>
        </div>
        ${this.renderChecks()}
      `,
      ...(said !== null ? { readOut: readOutContent(said) } : this.problem === null ? { readOut: texts.loading } : {}),
      ...(said === null ? {} : { announcement: `${said.claim} ${said.rest}` }),
      caption: this.caption(),
      data: () => this.renderData(),
    };
  }

  private readOut(path: DirectPath): ReadOut {
    return readOut({
      texts: this.texts,
      mode: this.mode,
      view: this.view,
      names: this.tokens,
      embedding: this.shownEmbedding,
      writing: this.writing,
      path,
      cell: this.cell,
      counts: this.counts,
    });
  }

  private caption(): string {
    const { texts } = this;
    if (this.mode === 'random') return texts.captionRandom;
    if (this.view === 'probabilities') return texts.captionProbabilities;
    return this.mode === 'untied' ? texts.captionUntied : texts.captionTied;
  }

  private renderControls(): TemplateResult {
    const { texts } = this;
    return html`
      ${segmented({
        legend: texts.mode,
        hideLegend: true,
        name: 'mode',
        value: this.mode,
        choices: modes.map((value) => ({ value, label: texts[value] })),
        onChoose: (mode) => {
          this.mode = mode;
          this.problem = null;
          this.byReader = true;
          if (mode === 'random' && this.counts.drawn === 0) void this.draw(1);
        },
      })}
      ${segmented({
        legend: texts.view,
        name: 'view',
        value: this.view,
        choices: [
          { value: 'logits', label: texts.logits },
          { value: 'probabilities', label: texts.probabilities },
        ],
        onChoose: (view) => {
          this.view = view;
        },
      })}
      ${this.renderModeButtons()}
    `;
  }

  private renderModeButtons(): TemplateResult | typeof nothing {
    const { texts } = this;
    if (this.mode === 'random') {
      return html`
        ${button({ label: texts.drawOne, kind: 'primary', onPress: () => void this.draw(1) })}
        ${button({ label: texts.drawMany(manyDraws), onPress: () => void this.draw(manyDraws) })}
      `;
    }
    const moved = JSON.stringify(this.state) !== JSON.stringify(this.start);
    return html`
      ${
        this.mode === 'untied'
          ? button({
              label: texts.copyEmbedding,
              onPress: () => {
                this.setState({ ...this.state, unembedding: this.embedding });
              },
            })
          : nothing
      }
      ${
        moved
          ? button({
              label: texts.reset,
              kind: 'quiet',
              onPress: () => {
                this.wrongName = null;
                this.setState(this.start);
              },
            })
          : nothing
      }
    `;
  }

  private renderTables(): TemplateResult {
    const { texts, mode, cell } = this;
    const locked = mode === 'random';
    const table = (which: 'embedding' | 'unembedding'): TemplateResult =>
      matrixTable({
        texts,
        which,
        title: which === 'embedding' ? texts.embeddingTitle : texts.unembeddingTitle,
        names: this.tokens,
        rows: which === 'embedding' ? this.shownEmbedding : this.unembedding,
        pointed:
          cell === null ? [] : mode === 'untied' ? [which === 'embedding' ? cell.row : cell.col] : [cell.row, cell.col],
        locked,
        ownsTokens: which === 'embedding',
        nameProblem: this.wrongName,
        onEntry: (index, row) => {
          this.setState(withRow(this.state, which, index, row));
        },
        onName: (index, name, field) => {
          this.rename(index, name, field);
        },
        onRemove: (index) => {
          this.wrongName = null;
          this.setState(withoutToken(this.state, index));
        },
      });
    return html`
      ${table('embedding')}
      ${
        locked
          ? nothing
          : button({
              label: texts.add,
              icon: 'add',
              kind: 'quiet',
              disabled: this.tokens.length >= mostTokens,
              onPress: () => {
                this.setState(withToken(this.state, freeName(this.tokens, texts.newToken)));
              },
            })
      }
      ${mode === 'untied' ? table('unembedding') : nothing}
    `;
  }

  private rename(index: number, name: string, field: HTMLInputElement): void {
    const problem = nameProblem(this.tokens, index, name);
    if (problem !== null) {
      this.wrongName = { index, text: this.texts.nameProblem(problem, name) };
      field.value = this.tokens[index] ?? '';
      return;
    }
    this.wrongName = null;
    this.setState(withName(this.state, index, name));
  }

  private renderPlane(): TemplateResult {
    const { texts, mode, cell } = this;
    const untied = mode === 'untied';
    const vectors = (rows: Rows, which: 'E' | 'U', role: RoleVector['role'], name: (token: string) => string) =>
      rows.map(([x, y], index) => {
        const label = this.tokens[index] ?? '';
        return { id: `${which}${String(index)}`, label, x, y, role, name: name(label) };
      });
    const all: RoleVector[] = untied
      ? [
          ...vectors(this.embedding, 'E', 'input', texts.reads),
          ...vectors(this.unembedding, 'U', 'output', texts.writes),
        ]
      : vectors(this.shownEmbedding, 'E', 'tied', (token) => token);
    return html`
      <p class="part-title">${mode === 'random' ? texts.planeTitleLocked : texts.planeTitle}</p>
      <tied-vector-plane
        .vectors=${all}
        .pointed=${cell === null ? [] : [`E${String(cell.row)}`, `${untied ? 'U' : 'E'}${String(cell.col)}`]}
        .label=${texts.planeLabel}
        .roleDescription=${texts.draggable}
        .locked=${mode === 'random'}
        @tied-vector=${(event: VectorEvent) => {
          const { id, x, y } = event.detail;
          this.setState(
            withRow(this.state, id.startsWith('U') ? 'unembedding' : 'embedding', Number(id.slice(1)), [x, y]),
          );
        }}
      ></tied-vector-plane>
      ${
        untied
          ? html`<p class="key">
              <span class="is-input">${texts.solid}</span> <span class="is-output">${texts.dashed}</span>
            </p>`
          : nothing
      }
    `;
  }

  private renderResult(): TemplateResult {
    const { texts, path, mode, view } = this;
    const fits = path?.logits.rows === this.tokens.length;
    const probabilities = view === 'probabilities';
    const title = probabilities ? texts.probabilityResult : mode === 'untied' ? texts.untiedResult : texts.tiedResult;
    return html`
      <p class="part-title">
        ${probabilities ? texts.probabilityTitle : html`${texts.logits} ${product(mode === 'untied')}`}
      </p>
      <tied-heat-map
        numbers
        hide-legend
        .values=${fits && path !== null ? (probabilities ? path.probabilities : path.logits).data : []}
        .rowLabels=${this.tokens}
        .colLabels=${this.tokens}
        .label=${`${title}.`}
        .rowTitle=${texts.current}
        .colTitle=${texts.next}
        .kind=${probabilities ? 'sequential' : 'diverging'}
        .decimals=${probabilities ? 3 : 2}
        .maxCell=${84}
        .cell=${this.cell}
        @tied-cell=${(event: CellEvent) => {
          this.cell = event.detail.cell;
        }}
      ></tied-heat-map>
    `;
  }

  private renderChecks(): TemplateResult | typeof nothing {
    const { texts, path } = this;
    if (path?.logits.rows !== this.tokens.length) return nothing;
    const probabilities = this.view === 'probabilities';
    const pairs = pairsOf(probabilities ? path.probabilities : path.logits);
    const number = (value: number): string => formatNumber(value, { decimals: 3 });
    const name = (from: number, to: number): string =>
      (probabilities ? texts.probability : texts.pair)(this.tokens[from] ?? '', this.tokens[to] ?? '');
    return html`
      <p class="part-title" id="checks">${texts.checksTitle}</p>
      <ul class="checks" aria-labelledby="checks">
        ${pairs.slice(0, mostPairs).map(({ from, to, forward, backward }) => {
          const equal = forward === backward;
          const pointed =
            this.cell !== null &&
            Math.min(this.cell.row, this.cell.col) === from &&
            Math.max(this.cell.row, this.cell.col) === to;
          return html`
            <li class=${pointed ? 'pointed' : ''}>
              <span class="side"><span class="pair">${name(from, to)}</span> <b>${number(forward)}</b></span>
              <span class="sign ${equal ? 'is-tied' : 'is-untied'}" aria-hidden="true">${equal ? '=' : '≠'}</span>
              <span class="visually-hidden">${equal ? texts.equal : texts.unequal}</span>
              <span class="side"><span class="pair">${name(to, from)}</span> <b>${number(backward)}</b></span>
            </li>
          `;
        })}
      </ul>
      ${pairs.length > mostPairs ? html`<p class="more">${texts.more(pairs.length - mostPairs)}</p>` : nothing}
    `;
  }

  private renderData(): TemplateResult {
    const { texts, path } = this;
    const dimensions = ['', texts.dimension(0), texts.dimension(1)];
    const rowsOf = (rows: Rows): string[][] =>
      rows.map((row, index) => [this.tokens[index] ?? '', ...row.map((value) => formatNumber(value, { decimals: 3 }))]);
    const square = (caption: string, matrix: Matrix): TemplateResult =>
      dataTable({
        caption: `${caption} (${texts.current} ↓, ${texts.next} →)`,
        head: ['', ...this.tokens],
        rows: this.tokens.map((name, row) => [
          name,
          ...this.tokens.map((_, col) => formatNumber(entry(matrix, row, col), { decimals: 4 })),
        ]),
      });
    return html`
      ${dataTable({ caption: texts.dataEmbedding, head: dimensions, rows: rowsOf(this.shownEmbedding) })}
      ${
        this.mode === 'untied'
          ? dataTable({ caption: texts.dataUnembedding, head: dimensions, rows: rowsOf(this.unembedding) })
          : nothing
      }
      ${
        path === null
          ? nothing
          : html`${square(this.mode === 'untied' ? texts.untiedResult : texts.tiedResult, path.logits)}
            ${square(texts.probabilityResult, path.probabilities)}`
      }
    `;
  }
}

/** W_E W_Eᵀ or W_E W_Uᵀ as readers of formulas write it. */
const product = (untied: boolean): TemplateResult =>
  html`<span class="product"><var>W</var><sub>E</sub> <var>W</var><sub>${untied ? 'U' : 'E'}</sub><sup>⊤</sup></span>`;
