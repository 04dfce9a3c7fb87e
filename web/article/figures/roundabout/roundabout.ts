import { css, html, LitElement, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { button, icon } from '../../../elements/shared/controls.js';
import { controlStyles } from '../../../elements/shared/controls.styles.js';
import { randomNumbers } from '../../../elements/shared/shuffled.js';
import { base, tokens } from '../../../elements/shared/tokens.styles.js';
import { Roads } from './road.js';
import { noTurns, restingWalk, turned, Walk, type Direction, type Joint, type Step, type Turns } from './walk.js';

const stepMs = 850;

/** One chain of the drawing: its walk, its dot, and the words below it. */
class Panel {
  readonly #names: readonly string[];
  readonly #walk: Walk;
  readonly #roads: Roads;
  readonly #trail: Element;
  readonly #count: Element;
  #turns: Turns = noTurns;
  #step: Step | null = null;

  constructor(panel: Element, joint: Joint) {
    this.#names = [...panel.querySelectorAll('.node-label')].map((label) => label.textContent);
    this.#walk = new Walk(joint, randomNumbers(restingWalk.seed), restingWalk.steps);
    this.#roads = new Roads(panel.querySelector('svg')!);
    this.#trail = panel.querySelector('.trail')!;
    this.#count = panel.querySelector('.turns')!;
  }

  /** A new direction counts from the beginning. */
  turn(): void {
    this.#turns = noTurns;
  }

  begin(direction: Direction): void {
    this.#step = this.#walk.advance(direction);
  }

  /** The dot between two words, from 0 to 1. */
  show(way: number): void {
    if (this.#step !== null) this.#roads.move(this.#step, way);
  }

  end(direction: Direction): void {
    if (this.#step === null) return;
    this.#turns = turned(this.#turns, this.#step);
    this.#step = null;
    this.#roads.stand(this.#walk.current);
    const names = this.#walk.trail(direction).map((index) => this.#names[index]!);
    const last = document.createElement('b');
    last.textContent = names.pop()!;
    this.#trail.replaceChildren(names.map((name) => `${name} `).join(''), last);
    this.#count.textContent = this.words;
  }

  get words(): string {
    const { clockwise, counterclockwise } = this.#turns;
    return `Clockwise ${clockwise}, counterclockwise ${counterclockwise}`;
  }
}

/**
 * `<article-roundabout data-joints="[[…], …]">` around the drawing of two chains: a dot walks along the arrows of both, forward
 * and backward, and writes down where it has been.
 */
export class Roundabout extends LitElement {
  static override styles: CSSResultGroup = [
    tokens,
    base,
    controlStyles,
    css`
      .row {
        grid-area: 2 / 3;
        align-self: start;
        margin-block-start: var(--t-space-2);
        gap: var(--t-space-2);
      }

      .button[aria-pressed='true'],
      .button[aria-pressed='true']:hover {
        background: var(--t-ink);
        border-color: var(--t-ink);
        color: var(--t-paper);
      }

      /* Three in a row on the narrowest phone. */
      @media (max-width: 359px) {
        .row {
          gap: 4px;
        }

        .row .button {
          gap: 4px;
          padding-inline: 6px;
        }
      }

      .back svg {
        transform: scaleX(-1);
      }

      @media print {
        .row {
          display: none;
        }
      }
    `,
  ];

  @state() private direction: Direction = 'forward';
  @state() private playing = false;
  @state() private said = '';
  #panels: readonly Panel[] = [];
  #frame = 0;
  #began = 0;
  #onScreen: IntersectionObserver | null = null;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  readonly #stillness = (): void => {
    if (this.#still.matches) this.#pause();
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#panels.length === 0) {
      const joints = JSON.parse(this.dataset['joints'] ?? '[]') as Joint[];
      this.#panels = [...this.querySelectorAll('.panel')].map((panel, index) => new Panel(panel, joints[index]!));
    }
    this.#still.addEventListener('change', this.#stillness);
    this.#onScreen = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting === false) this.#pause();
    });
    this.#onScreen.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#pause();
    this.#onScreen?.disconnect();
    this.#still.removeEventListener('change', this.#stillness);
  }

  #turnTo(direction: Direction): void {
    if (direction === this.direction) return;
    this.#finishStep();
    this.direction = direction;
    for (const panel of this.#panels) panel.turn();
  }

  #play(direction: Direction): void {
    const pauses = this.playing && direction === this.direction;
    this.#pause();
    if (pauses) {
      this.#say();
      return;
    }
    this.#turnTo(direction);
    this.playing = true;
    this.#begin();
    this.#frame = requestAnimationFrame(this.#run);
  }

  #step(direction: Direction): void {
    this.#pause();
    this.#turnTo(direction);
    this.#begin();
    this.#finishStep();
    this.#say();
  }

  #pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#finishStep();
    this.playing = false;
  }

  #begin(): void {
    this.#began = performance.now();
    for (const panel of this.#panels) panel.begin(this.direction);
  }

  #finishStep(): void {
    for (const panel of this.#panels) panel.end(this.direction);
  }

  readonly #run = (now: number): void => {
    const way = Math.max(0, (now - this.#began) / stepMs);
    if (way < 1) for (const panel of this.#panels) panel.show(way);
    else {
      this.#finishStep();
      this.#begin();
    }
    this.#frame = requestAnimationFrame(this.#run);
  };

  /** What the walks have written, for readers who do not see them. */
  #say(): void {
    const panels = [...this.querySelectorAll('.panel')];
    const parts = panels.map((panel, index) => {
      const [title, trail] = ['.panel-title', '.trail'].map((part) => panel.querySelector(part)?.textContent ?? '');
      return `${title}: ${trail}. ${this.#panels[index]!.words}.`;
    });
    this.said = `${this.direction === 'forward' ? 'Forward' : 'Backward'}. ${parts.join(' ')}`;
  }

  #playButton(direction: Direction, label: string): TemplateResult {
    const pressed = this.playing && this.direction === direction;
    const back = direction === 'backward' && !pressed;
    return html`<button
      type="button"
      class="button ${back ? 'back' : ''}"
      aria-pressed=${pressed ? 'true' : 'false'}
      @click=${() => this.#play(direction)}
    >
      ${icon(pressed ? 'pause' : 'play')}${label}
    </button>`;
  }

  protected override render(): TemplateResult {
    const buttons = this.#still.matches
      ? html`${button({ label: 'One step backward', onPress: () => this.#step('backward') })}
        ${button({ label: 'One step forward', onPress: () => this.#step('forward') })}`
      : html`${this.#playButton('backward', 'Backward')} ${this.#playButton('forward', 'Forward')}
        ${button({ label: 'Step', icon: 'step', onPress: () => this.#step(this.direction) })}`;
    return html`<slot></slot>
      <div class="row" role="group" aria-label="Walk">${buttons}</div>
      <div class="visually-hidden" role="status">${this.said}</div>`;
  }
}
