import type { PropertyDeclarations } from 'lit';
import type { Cell } from '../../charts/index.js';
import type { Lab } from '../../core/types.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { NoLabError } from './failures.js';
import { isRunOf, type FinishedRun } from './finished-run.js';
import { LabController } from './lab-controller.js';
import { SettingsElement } from './settings-element.js';
import type { Pair, TokenOrder } from './token-choice.js';
import type { MapQuantity } from './views/maps.js';
import { fittingTokens, shownPositions } from './views/painting.js';

/** The part of the training lab that remembers: its controller, and what the reader looks at and points at. */
export abstract class LabState extends SettingsElement {
  static override properties: PropertyDeclarations = {
    finished: { attribute: false },
    logarithmic: { state: true },
    quantity: { state: true },
    shown: { state: true },
    order: { state: true },
    pointed: { state: true },
    settingsOpen: { state: true },
    ownOpen: { state: true },
    draft: { state: true },
    textProblem: { state: true },
    pairProblem: { state: true },
    offering: { state: true },
    restarted: { state: true },
  };

  /** A run of before, shown until the reader's own begins and while the lab is set as it was. */
  declare finished: FinishedRun | null;

  declare protected logarithmic: boolean;
  declare protected quantity: MapQuantity;
  /** How many tokens the maps show; null = as many as can be named. */
  declare protected shown: number | null;
  declare protected order: TokenOrder;
  /** The cell of the maps that pointer or keyboard is on. */
  declare protected pointed: Cell | null;
  declare protected settingsOpen: boolean;
  declare protected ownOpen: boolean;
  declare protected draft: string;
  declare protected textProblem: string | null;
  declare protected pairProblem: string | null;
  /** The reader is choosing a token, so that all of them must be offered. */
  declare protected offering: boolean;
  declare protected restarted: boolean;

  protected readonly width = new WidthWatcher(this, '.lab', 640);
  protected readonly curvesWidth = new WidthWatcher(this, '.curves', 640);
  protected readonly pairWidth = new WidthWatcher(this, '.probe', 320);
  protected readonly controller = new LabController({
    lab: () => this.needLab(),
    loadBuiltIn: (id) => this.loadBuiltIn(id),
    onChange: () => {
      this.started ||= this.controller.step > 0 || this.controller.phase === 'running';
      this.redraw();
    },
    onSteps: () => {
      this.stepped();
    },
  });
  private frame: number | null = null;
  /** The reader has begun a run: from then on only such are shown. */
  private started = false;

  constructor() {
    super();
    this.finished = null;
    this.logarithmic = true;
    this.quantity = 'probabilities';
    this.shown = null;
    this.order = 'one-way';
    this.pointed = null;
    this.settingsOpen = false;
    this.ownOpen = false;
    this.draft = '';
    this.textProblem = null;
    this.pairProblem = null;
    this.offering = false;
    this.restarted = false;
  }

  /** A chunk of steps is done. */
  protected abstract stepped(): void;

  // ------------------------------------------------------------ life

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  private async needLab(): Promise<Lab> {
    const lab = await this.useLab();
    if (lab === null) throw new NoLabError();
    return lab;
  }

  /** At most one drawing a frame, however often the models report. */
  private redraw(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.requestUpdate();
    });
  }

  /** The run of before, where it is what is shown. */
  protected finishedRun(): FinishedRun | null {
    const { finished } = this;
    if (finished === null || this.started) return null;
    return isRunOf(finished, this.textSource, this.runSettings()) ? finished : null;
  }

  protected get stepsDone(): number {
    return this.controller.step;
  }

  // ------------------------------------------------------------ pairs and cells

  protected positions(): readonly number[] {
    const { text } = this.controller;
    return text === null ? [] : shownPositions(text, this.order, this.shownTokens());
  }

  protected shownTokens(): number {
    const { text, arms } = this.controller;
    if (this.shown !== null || text === null) return this.shown ?? 0;
    return fittingTokens(this.width.width, arms.length + 1, text, this.order);
  }

  private pairOf(cell: Cell): Pair | null {
    const positions = this.positions();
    const kept = this.controller.text?.kept;
    const from = kept?.[positions[cell.row] ?? -1];
    const to = kept?.[positions[cell.col] ?? -1];
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** The pair that is looked at: the one pointed at, else the chosen one. */
  protected lookedAt(): { pair: Pair; cell: Cell | null } | null {
    const { pair, text } = this.controller;
    const pointed = this.pointed === null ? null : this.pairOf(this.pointed);
    if (pointed !== null) return { pair: pointed, cell: this.pointed };
    if (pair === null || text === null) return null;
    const positions = this.positions();
    const row = positions.indexOf(text.kept.indexOf(pair.from));
    const col = positions.indexOf(text.kept.indexOf(pair.to));
    return { pair, cell: row >= 0 && col >= 0 ? { row, col } : null };
  }

  protected readonly onCell = (event: CellEvent): void => {
    const { cell, pressed } = event.detail;
    this.pointed = cell;
    const pair = cell === null ? null : this.pairOf(cell);
    if (pressed && pair !== null) this.choosePair(pair);
  };

  protected choosePair(pair: Pair): void {
    this.pairProblem = null;
    this.pointed = null;
    void this.controller.choosePair(pair);
  }

  protected pickToken(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.controller;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.pairProblem = this.texts.problems.unknownToken(token);
    else this.choosePair({ ...pair, [role]: id });
  }
}
