import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { formatNumber } from '../../charts/number-format.js';
import { controlStyles } from './controls.styles.js';
import { numberFieldStyles } from './number-field.styles.js';
import { parseNumber } from './parse-number.js';
import { base, tokens } from './tokens.styles.js';

export interface NumberDetail {
  readonly value: number;
  /** False during a drag. */
  readonly final: boolean;
}

/** Event of `<tied-number-field>`; does not leave the owner's shadow root. */
export type NumberEvent = CustomEvent<NumberDetail>;

const defaultFieldStrings = {
  empty: 'A number is needed.',
  notANumber: (text: string) => `“${text}” is not a number.`,
  notWhole: (text: string) => `${text} is not an integer.`,
  tooSmall: (text: string, least: string) => `${text} is too small; the least is ${least}.`,
  tooLarge: (text: string, most: string) => `${text} is too large; the most is ${most}.`,
  /** Follows the problem with the typed text. */
  stillUsing: (refusal: string, value: string) => `${refusal} Using ${value}.`,
};

export type NumberFieldStrings = typeof defaultFieldStrings;

/** `<tied-number-field problem-elsewhere>` reports the message to show, or null. */
export type RefusalEvent = CustomEvent<string | null>;

/** Pixels of movement that turn a press into a drag, and pixels per step. */
const dragStart = 4;
const pixelsPerStep = 3;
/** Positions of a logarithmic slider. */
const logPositions = 1000;

/** With every digit, for limits: 0.000001 -> "0.000001", 1000 -> "1,000". */
function exactly(value: number): string {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1]?.length ?? 0;
  return formatNumber(value, { decimals: Math.max(0, fraction - Number(exponent)) });
}

/**
 * A number to drag, type and step: drag sideways; click and type; arrow keys step, with Shift (or Page keys) by ten;
 * Escape undoes typing. With `slider`, a slider is below. Internal.
 *
 * The field always shows the value in use: on Enter or blur, invalid text is replaced by the previous value, and a
 * message names the problem and the value in use. The owner sets `value` to what it uses.
 */
export class NumberField extends LitElement {
  static override styles = [tokens, base, controlStyles, numberFieldStyles];
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };

  @property({ type: String }) label = '';
  @property({ type: Boolean, attribute: 'hide-label' }) hideLabel = false;
  @property({ type: Number }) value = 0;
  /** Limits; typed values beyond them are refused. */
  @property({ type: Number }) min = -Infinity;
  @property({ type: Number }) max = Infinity;
  @property({ type: Number }) step = 1;
  /** Digits after the decimal point, for every value or by value. Typed values are rounded to them. */
  @property({ type: Number }) decimals: number | ((value: number) => number) = 0;
  /** Integers only. */
  @property({ type: Boolean }) whole = false;
  @property({ type: String }) unit = '';
  @property({ type: String, reflect: true }) slider: 'linear' | 'log' | null = null;
  @property({ type: Number, attribute: 'slider-min' }) sliderMin = 0;
  @property({ type: Number, attribute: 'slider-max' }) sliderMax = 1;
  @property({ type: Boolean }) disabled = false;
  /** The owner shows the problem, for lack of space here; screen readers still read it here. */
  @property({ type: Boolean, attribute: 'problem-elsewhere' }) problemElsewhere = false;
  @property({ attribute: false }) strings: Partial<NumberFieldStrings> = {};
  /** The text being typed, or null. */
  @state() private draft: string | null = null;
  @state() private problem: string | null = null;

  /** The value before typing, for Escape and refusals. */
  private valueBeforeTyping = 0;
  /** The value last reported to the owner. */
  private reported: number | null = null;
  /** The value that the problem's message names. */
  private saidValue: number | null = null;
  private drag: { x: number; value: number; moved: boolean; pointer: number } | null = null;

  /** A field that leaves the page takes its problem along, and tells an owner that shows it. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.problem = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('value') || this.value === this.reported) return;
    // A value from outside clears the problem.
    if (this.value !== this.saidValue) this.problem = null;
    if (this.draft !== null) this.valueBeforeTyping = this.value;
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
            class="box ${this.problem === null ? '' : 'refused'}"
            part="box"
            type="text"
            inputmode=${this.keyboard}
            autocomplete="off"
            spellcheck="false"
            role="spinbutton"
            aria-label=${this.hideLabel ? this.label : nothing}
            aria-valuenow=${this.value}
            aria-valuetext=${this.format(this.value)}
            aria-valuemin=${finite(this.min)}
            aria-valuemax=${finite(this.max)}
            aria-invalid=${this.draft !== null && this.acceptable(this.draft) === null ? 'true' : nothing}
            aria-describedby=${this.problem === null ? nothing : 'problem'}
            ?disabled=${this.disabled}
            .value=${live(shown)}
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
        ${
          this.problem === null
            ? nothing
            : html`<p class=${this.problemElsewhere ? 'visually-hidden' : 'problem'} id="problem">${this.problem}</p>`
        }
      </div>
    `;
  }

  protected override updated(changed: PropertyValues): void {
    // A new field without a problem does not report.
    if (!changed.has('problem') || (changed.get('problem') ?? null) === this.problem) return;
    this.dispatchEvent(new CustomEvent('tied-refusal', { detail: this.problem, bubbles: true }));
  }

  /** The number pads of iPhones have no minus sign. */
  private get keyboard(): 'text' | 'numeric' | 'decimal' {
    if (this.min < 0) return 'text';
    return this.whole ? 'numeric' : 'decimal';
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
      @input=${(event: Event) => this.onSlide(event, false)}
      @change=${(event: Event) => this.onSlide(event, true)}
    />`;
  }

  private decimalsOf(value: number): number {
    return typeof this.decimals === 'number' ? this.decimals : this.decimals(value);
  }

  private format(value: number): string {
    return formatNumber(value, { decimals: this.decimalsOf(value) });
  }

  /** Without trailing zeros, for messages: "10", not "10.0000". */
  private spoken(value: number): string {
    return this.format(value)
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '');
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
    // A drag ends where it was; otherwise a typed value would jump to a slider position.
    if (position === this.toPosition(this.value)) {
      if (final) this.set(this.value, true);
      return;
    }
    const exact = this.sliderMin * (this.sliderMax / this.sliderMin) ** (position / logPositions);
    // Three significant digits, as in numbers that people choose.
    this.set(position === logPositions ? this.sliderMax : Number(exact.toPrecision(3)), final);
  }

  // ------------------------------------------------------------ typing

  private onType(event: Event): void {
    if (this.draft === null) {
      this.valueBeforeTyping = this.value;
      this.reported = this.value;
    }
    this.draft = (event.target as HTMLInputElement).value;
    this.problem = null;
    // While the text is invalid, the previous value is in use, not that of its first digits.
    const value = this.acceptable(this.draft) ?? this.valueBeforeTyping;
    if (value !== this.reported) this.report(value, false);
  }

  private onCommit(): void {
    if (this.draft === null) return;
    const text = this.draft.trim();
    const value = this.acceptable(text);
    this.draft = null;
    if (value !== null) {
      this.set(value, true);
      return;
    }
    const before = this.reported;
    this.value = this.valueBeforeTyping;
    this.saidValue = this.value;
    this.problem = this.texts.stillUsing(this.refusal(text), this.spoken(this.value));
    if (this.value !== before) this.report(this.value, true);
  }

  private get texts(): NumberFieldStrings {
    return { ...defaultFieldStrings, ...this.strings };
  }

  /** The number in the text, as displayed; null if it is invalid. */
  private acceptable(text: string): number | null {
    const value = parseNumber(text);
    if (value === null || value < this.min || value > this.max) return null;
    return this.whole && !Number.isInteger(value) ? null : this.usable(value);
  }

  /** Why the text is invalid. */
  private refusal(text: string): string {
    const { texts } = this;
    const value = parseNumber(text);
    if (text === '') return texts.empty;
    if (value === null) return texts.notANumber(text);
    if (this.whole && !Number.isInteger(value)) return texts.notWhole(text);
    return value < this.min ? texts.tooSmall(text, exactly(this.min)) : texts.tooLarge(text, exactly(this.max));
  }

  private onKey(event: KeyboardEvent): void {
    const far = event.key.startsWith('Page') || event.shiftKey;
    const direction = { ArrowUp: 1, PageUp: 1, ArrowDown: -1, PageDown: -1 }[event.key];
    if (direction !== undefined) {
      event.preventDefault();
      const from = this.draft === null ? this.value : (this.acceptable(this.draft) ?? this.valueBeforeTyping);
      this.draft = null;
      this.set(this.stepped(from, direction * (far ? 10 : 1)), true);
    } else if (event.key === 'Enter') {
      this.onCommit();
    } else if (event.key === 'Escape' && (this.draft !== null || this.problem !== null)) {
      event.stopPropagation();
      const value = this.draft === null ? this.value : this.valueBeforeTyping;
      this.draft = null;
      this.set(value, true);
    }
  }

  /** The step: a fiftieth of the value on a log slider's field, otherwise `step`. */
  private stepped(value: number, steps: number): number {
    const size = this.slider === 'log' ? Math.max(this.step, Number((value / 50).toPrecision(1))) : this.step;
    return value + steps * size;
  }

  // ------------------------------------------------------------ dragging

  private onPointerDown(event: PointerEvent): void {
    const box = event.currentTarget as HTMLInputElement;
    // In a focused field, a press moves the caret.
    if (event.button !== 0 || this.disabled || this.shadowRoot?.activeElement === box) return;
    this.drag = { x: event.clientX, value: this.value, moved: false, pointer: event.pointerId };
    box.setPointerCapture(event.pointerId);
    // Focus waits for the release, so a drag never opens a phone's keyboard.
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

  private limited(value: number): number {
    return Math.min(this.max, Math.max(this.min, value));
  }

  /** The value in use for a wanted one: within the limits and as displayed. */
  private usable(wanted: number): number {
    // Limited first, since the decimals depend on the value, and again, since rounding may leave the limits.
    const value = this.limited(wanted);
    return this.limited(this.whole ? Math.round(value) : Number(value.toFixed(this.decimalsOf(value))));
  }

  /** Limits and rounds a value, and reports it to the owner. */
  private set(wanted: number, final: boolean): void {
    const value = this.usable(wanted);
    this.value = value;
    this.problem = null;
    this.report(value, final);
  }

  private report(value: number, final: boolean): void {
    this.reported = value;
    const detail: NumberDetail = { value, final };
    this.dispatchEvent(new CustomEvent('tied-number', { detail, bubbles: true }));
  }
}
