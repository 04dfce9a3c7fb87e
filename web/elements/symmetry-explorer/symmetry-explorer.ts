import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Cell } from '../../charts/heat-map.js';
import type { Matrix } from '../../core/types.js';
import { button } from '../shared/controls.js';
import type { FigureParts } from '../shared/figure.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { directPathOf, type DirectPath } from './direct-path-of.js';
import { explorerData } from './explorer-data.js';
import { planeDrawing, resultDrawing } from './explorer-drawings.js';
import {
  completeRows,
  formatRows,
  freeName,
  mostDraws,
  nameProblem,
  startingTokens,
  toMatrix,
  withName,
  withoutToken,
  withRow,
  withToken,
  type ExplorerMode,
  type Rows,
  type Tokens,
} from './explorer-state.js';
import { explorerTables } from './explorer-tables.js';
import type { NameRefusal } from './matrix-table.js';
import { pairChecks } from './pair-checks.js';
import { drawMore, drawnEmbedding, noDraws, type DrawCounts } from './random-draws.js';
import { readOut, readOutContent, type ReadOut } from './summary.js';
import type { EntryProblem, Shown, TableActions } from './shown.js';
import { explorerPanel, explorerSettings } from './symmetry-explorer.settings.js';
import { symmetryExplorerStrings, type SymmetryExplorerStrings } from './symmetry-explorer.strings.js';
import { symmetryExplorerStyles } from './symmetry-explorer.styles.js';

/** Detail of the explorer's `tied-change`. */
export interface SymmetryExplorerChange {
  readonly mode: ExplorerMode;
  readonly tokens: readonly string[];
  readonly embedding: Matrix;
  /** Null if the embedding is also the output table. */
  readonly unembedding: Matrix | null;
  readonly logits: Matrix;
  /** Equal to the last bit, in every pair. */
  readonly symmetric: boolean;
}

const manyDraws = 100;

/** A question to the lab. */
interface ExplorerQuestion {
  readonly mode: ExplorerMode;
  readonly tokens: readonly string[];
  readonly embedding: Rows;
  readonly unembedding: Rows | null;
}

/** Matrices to draw, for as many tokens and with the seed that the figure had when they were asked for. */
interface Draws {
  readonly count: number;
  readonly byReader: boolean;
  readonly tokens: number;
  readonly seed: number;
}

/**
 * `<tied-symmetry-explorer mode="tied" tokens="New, York, City" embedding="1 0.5; 0.8 0.9; 0.3 1.2">`: a small editable
 * embedding, as numbers and as arrows, and its direct path. Modes: tied, untied (attribute `unembedding`), random
 * (attributes `seed` and `draws`). Attribute `view`: logits or probabilities.
 *
 * @fires {CustomEvent<SymmetryExplorerChange>} tied-change - The reader has changed tokens, vectors, mode or view.
 */
export class SymmetryExplorer extends withSettings(TiedElement<SymmetryExplorerStrings>, explorerSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, symmetryExplorerStyles];

  @state() private cell: Cell | null = null;
  @state() private path: DirectPath | null = null;
  @state() private counts: DrawCounts = noDraws;
  @state() private wrongName: NameRefusal | null = null;
  @state() private wrongEntry: EntryProblem | null = null;

  protected readonly ownStrings = symmetryExplorerStrings;
  /** The state that Reset restores: the one set by attributes. */
  private start: Tokens = startingTokens;
  private said: ReadOut | null = null;
  private byReader = false;
  private readonly answer = this.task<ExplorerQuestion, DirectPath>({
    run: ({ embedding, unembedding }) => this.askLab((lab) => directPathOf(lab, embedding, unembedding)),
    done: (path, question) => this.take(path, question),
  });
  /** Every press of the button draws; no press replaces another. */
  private readonly drawing = this.task<Draws, DrawCounts | null>({
    order: 'queue',
    same: (one, other) => one.count === other.count && one.tokens === other.tokens && one.seed === other.seed,
    run: async ({ count }) => {
      const { seed, counts } = this;
      const after = await this.askLab((lab) => drawMore(lab, counts, { tokens: this.tokens.length, seed, count }));
      // If tokens or seed changed meanwhile, a new count has started.
      return this.counts === counts ? after : null;
    },
    done: (counts, { byReader }) => {
      if (counts === null) return;
      this.byReader ||= byReader;
      this.counts = counts;
      this.draws = Math.min(mostDraws, Math.max(this.draws, counts.drawn));
    },
  });

  // ------------------------------------------------------------ state

  protected override willUpdate(changed: PropertyValues): void {
    const first = !this.hasUpdated;
    super.willUpdate(changed);
    if (changed.has('tokens') || changed.has('embedding') || changed.has('unembedding')) this.completeTables(changed);
    if (first) this.start = this.state;
    // The reason for refusing a name is old news once something else has changed.
    if (Object.keys(explorerSettings).some((name) => changed.has(name))) this.wrongName = null;
    if (changed.has('seed') || changed.has('tokens')) {
      this.counts = noDraws;
      if (!changed.has('draws')) this.draws = 0;
    } else if (this.draws < Math.min(mostDraws, this.counts.drawn)) this.counts = noDraws;
    if (['mode', 'tokens', 'embedding', 'unembedding', 'seed', 'counts'].some((name) => changed.has(name))) {
      this.cell = this.cell !== null && Math.max(this.cell.row, this.cell.col) < this.tokens.length ? this.cell : null;
      this.recompute();
    }
  }

  /** Makes the tables as long as the list of tokens: extra rows are refused, missing ones added. */
  private completeTables(changed: PropertyValues): void {
    const { texts } = this;
    const count = this.tokens.length;
    const named = changed.has('tokens') && this.tokens !== startingTokens.names;
    const own = named && !changed.has('embedding') && changed.get('tokens') === undefined;
    for (const name of ['embedding', 'unembedding'] as const) {
      if (this[name].length > count) {
        // Naming fewer tokens than the default has rows is not an error.
        if (this[name] !== startingTokens[name]) {
          this.problem = texts.badAttribute(name, formatRows(this[name]), texts.expectedRows, texts.ownExample);
        }
        this[name] = startingTokens[name].slice(0, count);
      }
      if (own || this[name].length < count) {
        this[name] = completeRows(this[name], count, name === 'embedding' ? 1 : 1.5);
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

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    if ('mode' in changes) this.byReader = true;
  }

  protected override updated(): void {
    this.drawMissing();
  }

  /** Draws as often as the link says, and at least one matrix, which is shown. */
  private drawMissing(): void {
    if (this.mode !== 'random' || !this.screen.woken || this.drawing.pending) return;
    const missing = Math.max(1, this.draws) - this.counts.drawn;
    if (missing > 0) this.drawing.want(this.drawsOf(Math.min(manyDraws, missing), false));
  }

  private drawsOf(count: number, byReader: boolean): Draws {
    return { count, byReader, tokens: this.tokens.length, seed: this.seed };
  }

  /** The shown table: the reader's, or in random mode the last one drawn. */
  private get shownEmbedding(): Rows {
    if (this.mode !== 'random') return this.embedding;
    return drawnEmbedding(this.tokens.length, this.seed, Math.max(0, this.counts.drawn - 1));
  }

  private get shown(): Shown {
    const { texts, mode, view, tokens: names, shownEmbedding: embedding, path, cell, counts } = this;
    return {
      texts,
      mode,
      view,
      names,
      embedding,
      writing: mode === 'untied' ? this.unembedding : embedding,
      path: path?.logits.rows === names.length ? path : null,
      cell,
      counts,
    };
  }

  private readonly actions: TableActions = {
    setRow: (table, index, row) => this.setState(withRow(this.state, table, index, row)),
    rename: (index, name, field) => this.rename(index, name, field),
    remove: (index) => {
      this.wrongEntry = null;
      this.setState(withoutToken(this.state, index));
    },
    add: () => this.setState(withToken(this.state, freeName(this.tokens, this.texts.newToken))),
    refuse: (problem) => {
      this.wrongEntry = problem;
    },
  };

  // ------------------------------------------------------------ computing

  protected override wake(): void {
    this.recompute();
    this.drawMissing();
  }

  /** Asks the lab for the shown direct path. */
  private recompute(): void {
    if (!this.screen.woken) return;
    const { mode, tokens } = this;
    const embedding = this.shownEmbedding;
    void this.answer.request({ mode, tokens, embedding, unembedding: mode === 'untied' ? this.unembedding : null });
  }

  private take(path: DirectPath, { mode, tokens, embedding, unembedding }: ExplorerQuestion): void {
    this.path = path;
    if (!this.byReader || this.answer.pending) return;
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

  // ------------------------------------------------------------ drawing

  protected parts(): FigureParts {
    const { texts, shown } = this;
    const { path } = shown;
    // The read-out stays until the result for a new number of tokens arrives.
    if (path !== null) this.said = readOut({ ...shown, path });
    const { said } = this;
    const point = (cell: Cell | null): void => {
      this.cell = cell;
    };
    const problems = { name: this.wrongName, entry: this.wrongEntry };
    return {
      title: texts.title,
      controls: this.panel(explorerPanel, { buttons: this.renderButtons() }),
      drawing: html`
        <div class="bench">
          <div class="plane">${planeDrawing(shown, this.actions.setRow)}</div>
          <div class="result">${resultDrawing(shown, point)}</div>
          <div class="tables rest">${explorerTables(shown, problems, this.actions)}</div>
        </div>
        <div class="rest">${pairChecks(shown)}</div>
      `,
      ...(said !== null ? { readOut: readOutContent(said) } : this.problem === null ? { readOut: texts.loading } : {}),
      ...(said === null ? {} : { announcement: `${said.claim} ${said.rest}` }),
      caption: this.caption(),
      data: () => explorerData(shown),
    };
  }

  private caption(): string {
    const { texts } = this;
    if (this.mode === 'random') return texts.captionRandom;
    if (this.view === 'probabilities') return texts.captionProbabilities;
    return this.mode === 'untied' ? texts.captionUntied : texts.captionTied;
  }

  /** The buttons of the current mode. */
  private renderButtons(): readonly (TemplateResult | typeof nothing)[] {
    const { texts, mode } = this;
    const draw = (count: number) => (): void => void this.drawing.request(this.drawsOf(count, true));
    if (mode === 'random') {
      return [
        button({ label: texts.drawOne, kind: 'primary', onPress: draw(1) }),
        button({ label: texts.drawMany(manyDraws), onPress: draw(manyDraws) }),
      ];
    }
    const copy = (): void => this.setState({ ...this.state, unembedding: this.embedding });
    const reset = (): void => {
      this.wrongName = null;
      this.setState(this.start);
    };
    return [
      mode === 'untied' ? button({ label: texts.copyEmbedding, onPress: copy }) : nothing,
      // Always present: a button that appeared with the first change would move the plane under the reader's finger.
      button({ label: texts.reset, kind: 'quiet', onPress: reset }),
    ];
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
}
