import { html, LitElement, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Announcer } from '../../../elements/shared/announcer.js';
import { copyToClipboard } from '../../../elements/shared/clipboard.js';
import { button, segmented } from '../../../elements/shared/controls.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { type Content } from '../../../elements/shared/figure.js';
import { figureStyles } from '../../../elements/shared/figure.styles.js';
import { keepInView } from '../../../elements/shared/keep-in-view.js';
import { encodeLinkState } from '../../../elements/shared/link-state.js';
import { LinkWatcher } from '../../../elements/shared/link-watcher.js';
import { commonStrings } from '../../../elements/shared/strings.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import type { RoleVector, VectorEvent } from '../../../elements/shared/vector-plane-view.js';
import { followingBars, wallBars } from './bars.js';
import { nextColumns, ownColumns } from './columns.js';
import { roadTable, wordTable } from './numbers.js';
import { textOf, turned, type Arrows, type Chain } from './chain.js';
import { glide } from './glide.js';
import { linkOf, readLink, type GameState } from './link.js';
import { after, noProgress, storedProgress, storeProgress, type Progress } from './progress.js';
import { repeatGameStyles } from './repeat-game.styles.js';
import { howToRead, howToReadRoad, mapNote, proof } from './proof.js';
import { apart, letters, roadReach, rowsOf, type Road } from './road.js';
import { hints, markOf, reasons, taskTexts, verdictOf, type Face } from './says.js';
import {
  alphabet,
  chainOfTask,
  goesRound,
  impossible,
  isDone,
  namesOf,
  reach,
  startingRows,
  taskNumbers,
  tokenNames,
  witnesses,
  type TaskNumber,
} from './tasks.js';

/** After so many moves, or so long a time with at least a few, the last task is given up for the reader. */
const patience = { moves: 12, fewest: 4, ms: 20_000 };
/** Moves after which a task's hint appears. */
const hintAfter = 6;
const textLength = 60;
/** How much of it a screen reader says: as much as a line shows. Nobody wants to hear more. */
const heardLengths = { words: 12, letters: letters.length + 2 };

interface PlaneOptions {
  readonly title: string;
  readonly vectors: readonly RoleVector[];
  /** How far the plane goes in each direction. */
  readonly most: number;
  /** How far an arrow key moves a tip. */
  readonly step: number;
  readonly label: string;
}

/**
 * `<article-repeat-game link-state="repeat">`: rows of one shared table as arrows, and three tasks of which one cannot be done.
 */
export class RepeatGame extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, controlStyles, figureStyles, repeatGameStyles];

  /** The figure's name in links. */
  @property({ type: String, attribute: 'link-state' }) linkState: string | null = null;

  @state() private game: GameState = { ...startingRows, turn: null, task: 1 };
  @state() private progress: Progress = noProgress;
  @state() private moves = 0;
  @state() private isOpen = false;
  @state() private note = '';

  private readonly announcer = new Announcer(this);
  private readonly links = new LinkWatcher(
    this,
    () => this.linkState,
    (found) => this.follow(found),
  );
  /** When the reader began to try the current task. */
  private began = 0;
  private gliding: AbortController | null = null;

  override connectedCallback(): void {
    if (!this.hasUpdated) {
      this.progress = storedProgress(() => localStorage);
      const found = this.links.read();
      if (found !== null) this.follow(found);
    }
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.gliding?.abort();
  }

  private follow(found: Readonly<Record<string, string>>): void {
    const game = readLink(found);
    this.moves = 0;
    this.game = game;
    // Others' arrows are not the reader's doing; a map is the page's.
    if (this.hasMap) this.proceed(after(this.progress, game));
    void this.updateComplete.then(() => keepInView(this));
  }

  // ------------------------------------------------------------ state

  private get chain(): Chain {
    return chainOfTask(this.game, this.task, this.game.turn);
  }

  /** A map is put in for the last task, whatever the link says. */
  private get task(): TaskNumber {
    return this.hasMap ? impossible : this.game.task;
  }

  private get isRoad(): boolean {
    return this.task === alphabet;
  }

  private get hasMap(): boolean {
    return this.game.turn !== null;
  }

  private change(changes: Partial<GameState>): void {
    if (changes.task !== undefined && changes.task !== this.game.task) this.moves = 0;
    this.game = { ...this.game, ...changes };
    this.proceed(after(this.progress, this.game));
  }

  private proceed(progress: Progress): void {
    if (progress === this.progress) return;
    this.progress = progress;
    storeProgress(() => localStorage, progress);
  }

  private readonly move = (event: VectorEvent): void => {
    this.gliding?.abort();
    const { id, x, y, final } = event.detail;
    const most = this.isRoad ? roadReach : reach;
    const inside = (value: number): number => Math.min(most, Math.max(-most, Math.round(value * 100) / 100));
    const moved = (arrows: Arrows): Arrows =>
      arrows.map((arrow, at) => (id === String(at) ? ([inside(x), inside(y)] as const) : arrow));
    if (this.isRoad) this.changeRoad(moved(this.game.road));
    else this.change({ arrows: moved(this.game.arrows) });
    if (final) this.count();
  };

  private count(): void {
    this.moves += 1;
    if (this.moves === 1) this.began = performance.now();
    const { moves, fewest, ms } = patience;
    const isPatient = this.moves < moves && (this.moves < fewest || performance.now() - this.began < ms);
    if (this.game.task !== impossible || this.hasMap || this.progress.guess === null || isPatient) return;
    this.proceed({ ...this.progress, shown: [...new Set([...this.progress.shown, impossible])] });
  }

  /** For readers who would rather not play. */
  private show(): void {
    this.proceed({ ...this.progress, shown: [...new Set([...this.progress.shown, impossible])] });
    this.change({ task: impossible });
    this.refocus();
  }

  private giveUp(): void {
    const { task } = this.game;
    this.proceed({ ...this.progress, shown: [...new Set([...this.progress.shown, task])] });
    if (task === alphabet) this.glideAlong(witnesses[task].road);
    else if (task !== impossible) this.glideTo(witnesses[task].arrows, null);
    this.refocus();
  }

  private changeRoad([first, last]: Arrows): void {
    this.change({ road: [first!, last!] });
  }

  private glideAlong(road: Road): void {
    this.gliding?.abort();
    const from = { arrows: this.game.road, turn: 0 };
    this.gliding = glide(from, { arrows: road, turn: 0 }, ({ arrows }) => this.changeRoad(arrows));
  }

  private glideTo(arrows: Arrows, turn: number | null): void {
    this.gliding?.abort();
    this.gliding = glide({ arrows: this.game.arrows, turn: this.game.turn ?? 0 }, { arrows, turn: turn ?? 0 }, (now) =>
      this.change({ arrows: now.arrows, turn: turn === null ? null : now.turn }),
    );
  }

  /** The reader's own arrows stay if the map brings down a wall for them. */
  private putMap(): void {
    const { arrows, turn } = witnesses[impossible];
    this.change({ turn: 0, task: impossible });
    const mine = isDone(chainOfTask(this.game, impossible, turn), impossible);
    this.glideTo(mine ? this.game.arrows : arrows, turn);
    this.refocus();
  }

  private removeMap(): void {
    this.gliding?.abort();
    this.change({ turn: null });
    this.refocus();
  }

  /** The pressed button is gone with its face; the words in its place have the focus. */
  private refocus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.face:not(.away)')?.focus());
  }

  private startOver(): void {
    this.gliding?.abort();
    this.moves = 0;
    this.proceed(noProgress);
    this.change({ ...startingRows, turn: null, task: 1 });
  }

  private async copyLink(): Promise<void> {
    const url = new URL(location.href);
    url.hash = encodeLinkState(this.linkState ?? '', linkOf(this.game));
    history.replaceState(history.state, '', url);
    this.links.wrote(url.href);
    this.note = (await copyToClipboard(url.href)) ? commonStrings.linkCopied : 'The link is in the address bar';
  }

  // ------------------------------------------------------------ drawing

  private get face(): Face {
    const { task, turn } = this.game;
    const { progress, chain } = this;
    if (turn !== null) return 'map';
    if (task === impossible && progress.shown.includes(impossible)) return 'proof';
    if (isDone(chain, task)) return 'done';
    return progress.guess === null && !this.isKnown ? 'guess' : 'play';
  }

  /** Whether the reader knows which task is the impossible one. */
  private get isKnown(): boolean {
    const { shown, withMap, done } = this.progress;
    return withMap || shown.includes(impossible) || done.length === taskNumbers.length - 1;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.announcer.announce(verdictOf(this.face, this.game, this.progress));
  }

  /** The page keeps what it says of the law until the impossible task is known (guesses.css). */
  protected override updated(): void {
    this.toggleAttribute('data-asks', !this.isKnown);
  }

  protected override render(): TemplateResult {
    const { chain, face } = this;
    return html`
      <div class="frame" lang="en">
        <figure aria-labelledby="title" class=${this.isOpen ? nothing : 'at-rest'}>
          <div class="title-row">
            <div class="title" id="title" role="heading" aria-level="3">Three tasks, one impossible</div>
            ${button({
              label: commonStrings.options,
              icon: 'more',
              iconOnly: true,
              kind: 'quiet',
              expanded: this.isOpen,
              onPress: () => (this.isOpen = !this.isOpen),
            })}
          </div>
          <div class="tasks" role="radiogroup" aria-label="Tasks">${taskNumbers.map((task) => this.card(task))}</div>
          <div class="bench task-${this.task} ${this.hasMap ? 'mapped' : ''} shows-${face}">
            <div class="plane">${this.isRoad ? this.roadPlane() : this.plane()}</div>
            <div class="bars following">${this.isRoad ? nextColumns(chain) : followingBars(chain, this.task)}</div>
            <div class="bars wall-bars">${this.isRoad ? ownColumns(chain) : wallBars(chain)}</div>
            <div class="writes">${this.text()}</div>
            ${this.guessFace(face)} ${this.playFace(face)} ${this.doneFace(face)} ${this.proofFace(face)}
            ${this.mapFace(face)}
          </div>
          <div class="visually-hidden" role="status" aria-live="polite">${this.announcer.text}</div>
          ${this.more()}
        </figure>
      </div>
    `;
  }

  private card(task: TaskNumber): TemplateResult {
    const { progress, game } = this;
    const mark = markOf(progress, task);
    return html`
      <label class="card ${mark.kind}">
        <input
          type="radio"
          name="task"
          value=${task}
          .checked=${game.task === task}
          @change=${() => this.change({ task })}
        />
        <span class="number" aria-hidden="true">${mark.sign === '' ? task : mark.sign}</span>
        <span class="wanted">${taskTexts[task]}</span>
        <span class="mark">${mark.text}${progress.guess === task ? html`<span>your guess</span>` : nothing}</span>
      </label>
    `;
  }

  private plane(): TemplateResult {
    const { arrows, turn } = this.game;
    const rows = arrows.map(([x, y], at): RoleVector => ({
      id: String(at),
      label: tokenNames[at]!,
      name: tokenNames[at]!,
      x,
      y,
      role: 'tied',
    }));
    const turnedRows = arrows.map((arrow, at): RoleVector => {
      const [x, y] = turned(arrow, turn ?? 0);
      return { id: `turned${at}`, label: '', name: '', x, y, role: 'output', fixed: true };
    });
    return this.planeOf({
      title: 'The table’s rows: drag the arrows',
      vectors: turn === null ? rows : [...turnedRows, ...rows],
      most: reach,
      step: 0.1,
      label: 'The rows of three tokens as arrows',
    });
  }

  private roadPlane(): TemplateResult {
    const rows = rowsOf(this.game.road);
    const last = rows.length - 1;
    const named = apart(rows);
    const vectors = rows.map(([x, y], letter): RoleVector => {
      const name = letters[letter]!;
      if (letter === 0 || letter === last) {
        return { id: letter === 0 ? '0' : '1', label: name, name, x, y, role: 'tied' };
      }
      return { id: name, label: named.has(letter) ? name : '·', name, x, y, role: 'tied', bare: true };
    });
    return this.planeOf({
      title: 'A row for each letter: drag a and z',
      vectors,
      most: roadReach,
      step: 0.5,
      label: 'The rows of 26 letters; those between a and z follow from theirs',
    });
  }

  private planeOf({ title, vectors, most, step, label }: PlaneOptions): TemplateResult {
    return html`
      <p class="part-title">${title}</p>
      <tied-vector-plane
        .vectors=${vectors}
        .domain=${{ x: [-most, most], y: [-most, most] }}
        .step=${step}
        .largest=${250}
        .label=${label}
        .roleDescription=${'draggable arrow'}
        .axes=${['first number', 'second number']}
        @tied-vector=${this.move}
      ></tied-vector-plane>
    `;
  }

  /** The map as a third handle. */
  private turnSlider(): TemplateResult {
    const turn = this.game.turn ?? 0;
    return html`
      <label class="turn">
        <span>Map <var>M</var>: turn by</span>
        <input
          type="range"
          min="0"
          max="180"
          step="5"
          aria-valuetext=${`${Math.round(turn)} degrees`}
          .value=${String(turn)}
          @input=${(event: Event) => {
            this.gliding?.abort();
            this.change({ turn: (event.target as HTMLInputElement).valueAsNumber });
          }}
        />
        <output aria-live="off">${Math.round(turn)}°</output>
      </label>
    `;
  }

  private text(): TemplateResult {
    const text = textOf(this.chain, textLength);
    const names = namesOf(this.task);
    const heard = this.isRoad ? heardLengths.letters : heardLengths.words;
    const words = text.map((token, at) =>
      token === text[at - 1] ? html`<b>${names[token]}</b> ` : html`${names[token]} `,
    );
    return html`
      <p class="part-title">What it writes</p>
      <p class="text">${words.slice(0, heard)}<span aria-hidden="true">${words.slice(heard)}</span></p>
    `;
  }

  // ------------------------------------------------------------ what is said; all faces share one place

  private faceOf(name: Face, shown: Face, acts: Content, detail: Content = nothing): TemplateResult {
    return html`
      <div class="face ${name} ${name === shown ? '' : 'away'}" tabindex="-1">
        <div>
          <p class="says">${verdictOf(name, this.game, this.progress)}</p>
          ${acts}
        </div>
        <div class="detail">${detail}</div>
      </div>
    `;
  }

  /** Words of the task, with the place of every task's: the figure is as high in all of them. */
  private ofTask(words: (task: TaskNumber) => Content, isShown = true): TemplateResult {
    const look = (task: TaskNumber): string => (isShown && task === this.game.task ? '' : 'away');
    return html`<div class="of-task">
      ${taskNumbers.map((task) => html`<p class="aside ${look(task)}">${words(task)}</p>`)}
    </div>`;
  }

  private guessFace(shown: Face): TemplateResult {
    const guess = segmented({
      legend: 'The impossible task is',
      name: 'guess',
      value: '',
      choices: taskNumbers.map((task) => ({ value: String(task), label: String(task) })),
      onChoose: (value) => {
        const guess = taskNumbers.find((task) => String(task) === value) ?? null;
        this.proceed({ ...this.progress, guess });
        this.refocus();
      },
    });
    return this.faceOf('guess', shown, html`<div class="acts">${guess} ${this.skip()}</div>`, this.howTo);
  }

  private skip(): TemplateResult {
    return button({ label: 'Just show it', kind: 'quiet', onPress: () => this.show() });
  }

  private get howTo(): TemplateResult {
    return this.isRoad ? howToReadRoad : howToRead;
  }

  private playFace(shown: Face): TemplateResult {
    return this.faceOf(
      'play',
      shown,
      html`<div class="acts">
        ${button({ label: 'This cannot be done', onPress: () => this.giveUp() })} ${this.skip()}
      </div>`,
      html` ${this.howTo} ${this.ofTask((task) => html`Hint: ${hints[task]}`, this.moves >= hintAfter)} `,
    );
  }

  private doneFace(shown: Face): TemplateResult {
    const next = taskNumbers.find((task) => markOf(this.progress, task).kind === '') ?? impossible;
    const go = (): void => {
      this.change({ task: next });
      this.refocus();
    };
    return this.faceOf(
      'done',
      shown,
      button({ label: `To task ${next}`, kind: 'primary', onPress: go }),
      this.ofTask((task) => reasons[task]),
    );
  }

  private proofFace(shown: Face): TemplateResult {
    const put = button({ label: 'Put a map in between', kind: 'primary', onPress: () => this.putMap() });
    return this.faceOf('proof', shown, put, proof);
  }

  private mapFace(shown: Face): TemplateResult {
    return this.faceOf(
      'map',
      shown,
      html` ${this.turnSlider()} ${button({ label: 'Take the map away', onPress: () => this.removeMap() })} `,
      mapNote(this.hasMap && goesRound(this.chain)),
    );
  }

  private more(): TemplateResult {
    const { chain } = this;
    return html`
      <div class="footer row rest">
        ${button({ label: 'Start over', kind: 'quiet', onPress: () => this.startOver() })}
        ${
          this.linkState === null
            ? nothing
            : button({ label: commonStrings.copyLink, kind: 'quiet', onPress: () => void this.copyLink() })
        }
        <span class="note" role="status">${this.note}</span>
      </div>
      <div class="data rest">${this.isRoad ? roadTable(chain) : wordTable(chain)}</div>
    `;
  }
}
