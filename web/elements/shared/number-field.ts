import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { controlStyles } from './controls.styles.js';
import { numberFieldStyles } from './number-field.styles.js';
import { parseNumber } from './parse-number.js';
import { base, tokens } from './tokens.styles.js';

export interface NumberDetail {
  readonly value: number;
  /** False while a drag is going on. */
  readonly final: boolean;
}

/** `<tied-number-field>` tells its owner so; does not leave the owner's shadow root. */
export type NumberEvent = CustomEvent<NumberDetail>;

const defaultFieldStrings = {
  notANumber: (text: string) => `“${text}” is not a number.`,
  notWhole: (text: string) => `${text} is not a whole number.`,
  tooSmall: (text: string, least: string) => `${text} is too small; the least is ${least}.`,
  tooLarge: (text: string, most: string) => `${text} is too large; the most is ${most}.`,
};

export type NumberFieldStrings = typeof defaultFieldStrings;

/** Pixels of movement that make a press a drag, and that make one step of it. */
const dragStart = 4;
const pixelsPerStep = 3;
/** Positions of a slider on a log scale. */
const logPositions = 1000;

/**
 * A number to drag, to type and to step: drag sideways; click and type; arrow keys step, with Shift (or Page keys) ten
 * steps; Escape takes back what was typed. With `slider` there is a slider under it. Internal to our elements.
 */
export class NumberField extends LitElement {
  static override properties: PropertyDeclarations = {
    label: { type: String },
    hideLabel: { type: Boolean, attribute: 'hide-label' },
    value: { type: Number },
    min: { type: Number },
    max: { type: Number },
    step: { type: Number },
    decimals: { type: Number },
    whole: { type: Boolean },
    unit: { type: String },
    slider: { type: String, reflect: true },
    sliderMin: { type: Number, attribute: 'slider-min' },
    sliderMax: { type: Number, attribute: 'slider-max' },
    disabled: { type: Boolean },
    strings: { attribute: false },
    draft: { state: true },
    problem: { state: true },
  };

  static override styles = [tokens, base, controlStyles, numberFieldStyles];
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  declare label: string;
  declare hideLabel: boolean;
  declare value: number;
  /** Hard limits; what is typed beyond them is refused with a sentence. */
  declare min: number;
  declare max: number;
  declare step: number;
  /** Digits after the point. */
  declare decimals: number;
  /** Whole numbers only. */
  declare whole: boolean;
  declare unit: string;
  declare slider: 'linear' | 'log' | null;
  declare sliderMin: number;
  declare sliderMax: number;
  declare disabled: boolean;
  declare strings: Partial<NumberFieldStrings>;
  /** What is being typed, or null. */
  declare private draft: string | null;
  declare private problem: string | null;

  /** The value before typing began, for Escape. */
  private valueBeforeTyping = 0;
  private drag: { x: number; value: number; moved: boolean; pointer: number } | null = null;

  constructor() {
    super();
    this.label = '';
    this.hideLabel = false;
    this.value = 0;
    this.min = -Infinity;
    this.max = Infinity;
    this.step = 1;
    this.decimals = 0;
    this.whole = false;
    this.unit = '';
    this.slider = null;
    this.sliderMin = 0;
    this.sliderMax = 1;
    this.disabled = false;
    this.strings = {};
    this.draft = null;
    this.problem = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    // A value from outside replaces whatever was wrong.
    if (changed.has('value') && this.draft === null) this.problem = null;
  }

  protected override render(): TemplateResult {
    const shown = this.draft ?? this.format(this.value);
    const finite = (bound: number): number | typeof nothing => (Number.isFinite(bound) ? bound : nothing);
    return html`
      <div class="line" part="line">
        ${this.hideLabel ? nothing : html`<label for="box">${this.label}</label>`}
        <span>
          <input
            id="box"
            class="box"
            part="box"
            type="text"
            inputmode=${this.whole && this.min >= 0 ? 'numeric' : 'decimal'}
            autocomplete="off"
            spellcheck="false"
            role="spinbutton"
            aria-label=${this.hideLabel ? this.label : nothing}
            aria-valuenow=${this.value}
            aria-valuetext=${this.format(this.value)}
            aria-valuemin=${finite(this.min)}
            aria-valuemax=${finite(this.max)}
            aria-invalid=${this.problem === null ? nothing : 'true'}
            aria-describedby=${this.problem === null ? nothing : 'problem'}
            ?disabled=${this.disabled}
            .value=${shown}
            @input=${this.onType}
            @change=${this.onCommit}
            @blur=${this.onCommit}
            @keydown=${this.onKey}
            @pointerdown=${this.onPointerDown}
            @pointermove=${this.onPointerMove}
            @pointerup=${this.onPointerUp}
            @pointercancel=${this.onPointerUp}
          />${this.unit === '' ? nothing : html`<span class="unit">&nbsp;${this.unit}</span>`}
        </span>
        ${this.slider === null ? nothing : this.renderSlider()}
      </div>
      <div role="alert">
        ${this.problem === null ? nothing : html`<p class="problem" id="problem">${this.problem}</p>`}
      </div>
    `;
  }

  private renderSlider(): TemplateResult {
    const log = this.slider === 'log';
    return html`<input
      type="range"
      aria-label=${this.label}
      aria-valuetext=${this.format(this.value)}
      min=${log ? 0 : this.sliderMin}
      max=${log ? logPositions : this.sliderMax}
      step=${log ? 1 : this.step}
      ?disabled=${this.disabled}
      .value=${String(log ? this.toPosition(this.value) : this.value)}
      @input=${(event: Event) => {
        this.onSlide(event, false);
      }}
      @change=${(event: Event) => {
        this.onSlide(event, true);
      }}
    />`;
  }

  private format(value: number): string {
    return formatNumber(value, { decimals: this.decimals });
  }

  // ------------------------------------------------------------ slider

  private toPosition(value: number): number {
    const share = Math.log(value / this.sliderMin) / Math.log(this.sliderMax / this.sliderMin);
    return Math.round(Math.min(1, Math.max(0, share)) * logPositions);
  }

  private onSlide(event: Event, final: boolean): void {
    const position = Number((event.target as HTMLInputElement).value);
    this.draft = null;
    if (this.slider !== 'log') {
      this.set(position, final);
      return;
    }
    // The end of a drag lands where the drag was; without this a value typed exactly would jump to a slider position.
    if (position === this.toPosition(this.value)) {
      if (final) this.set(this.value, true);
      return;
    }
    const exact = this.sliderMin * (this.sliderMax / this.sliderMin) ** (position / logPositions);
    // Three digits: numbers that people would choose.
    this.set(position === logPositions ? this.sliderMax : Number(exact.toPrecision(3)), final);
  }

  // ------------------------------------------------------------ typing

  private onType(event: Event): void {
    if (this.draft === null) this.valueBeforeTyping = this.value;
    this.draft = (event.target as HTMLInputElement).value;
    const value = parseNumber(this.draft);
    this.problem = null;
    if (value !== null && this.refusal(value, this.draft) === null) this.tell(value, false);
  }

  private onCommit(): void {
    if (this.draft === null) return;
    const text = this.draft.trim();
    const value = parseNumber(text);
    const texts = { ...defaultFieldStrings, ...this.strings };
    this.problem = value === null ? texts.notANumber(text) : this.refusal(value, text);
    if (value === null || this.problem !== null) return;
    this.draft = null;
    this.set(value, true);
  }

  private refusal(value: number, text: string): string | null {
    const texts = { ...defaultFieldStrings, ...this.strings };
    if (this.whole && !Number.isInteger(value)) return texts.notWhole(text);
    if (value < this.min) return texts.tooSmall(text, this.format(this.min));
    if (value > this.max) return texts.tooLarge(text, this.format(this.max));
    return null;
  }

  private onKey(event: KeyboardEvent): void {
    const far = event.key.startsWith('Page') || event.shiftKey;
    const direction = { ArrowUp: 1, PageUp: 1, ArrowDown: -1, PageDown: -1 }[event.key];
    if (direction !== undefined) {
      event.preventDefault();
      this.draft = null;
      this.set(this.stepped(this.value, direction * (far ? 10 : 1)), true);
    } else if (event.key === 'Enter') {
      this.onCommit();
    } else if (event.key === 'Escape' && this.draft !== null) {
      event.stopPropagation();
      this.draft = null;
      this.set(this.valueBeforeTyping, true);
    }
  }

  /** On a log slider's field a step is one part in fifty; elsewhere `step`. */
  private stepped(value: number, steps: number): number {
    const size = this.slider === 'log' ? Math.max(this.step, Number((value / 50).toPrecision(1))) : this.step;
    return value + steps * size;
  }

  // ------------------------------------------------------------ dragging

  private onPointerDown(event: PointerEvent): void {
    const box = event.currentTarget as HTMLInputElement;
    // In a focused field a press places the caret.
    if (event.button !== 0 || this.disabled || this.shadowRoot?.activeElement === box) return;
    this.drag = { x: event.clientX, value: this.value, moved: false, pointer: event.pointerId };
    box.setPointerCapture(event.pointerId);
    // Focus waits for the release, so that a drag never opens a keyboard on a phone.
    event.preventDefault();
  }

  private onPointerMove(event: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    const distance = event.clientX - drag.x;
    if (!drag.moved && Math.abs(distance) < dragStart) return;
    drag.moved = true;
    this.draft = null;
    const steps = Math.round(distance / pixelsPerStep) * (event.shiftKey ? 10 : 1);
    this.set(this.stepped(drag.value, steps), false);
  }

  private onPointerUp(event: PointerEvent): void {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    if (drag.moved) {
      this.set(this.value, true);
    } else if (event.type === 'pointerup') {
      const box = event.currentTarget as HTMLInputElement;
      box.focus();
      box.select();
    }
  }

  // ------------------------------------------------------------ the value

  /** Takes a value within the limits and rounded to what is shown, and tells the owner. */
  private set(wanted: number, final: boolean): void {
    const limited = Math.min(this.max, Math.max(this.min, wanted));
    const value = this.whole ? Math.round(limited) : Number(limited.toFixed(this.decimals));
    this.value = value;
    this.problem = null;
    this.tell(value, final);
  }

  private tell(value: number, final: boolean): void {
    const detail: NumberDetail = { value, final };
    this.dispatchEvent(new CustomEvent('tied-number', { detail, bubbles: true }));
  }
}
