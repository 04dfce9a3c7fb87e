import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** Templates of small controls; their styles are in controls.styles.ts. */

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * One choice among a few, as native radio buttons that look like a bar: Tab reaches it, arrow keys choose. `name` must
 * be unique within the shadow root.
 */
export function segmented<Value extends string>(options: {
  legend: string;
  hideLegend?: boolean;
  name: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
}): TemplateResult {
  const { legend, hideLegend = false, name, value, choices, onChoose } = options;
  return html`
    <div class="segmented" role="radiogroup" aria-label=${legend}>
      ${hideLegend ? nothing : html`<span class="legend" aria-hidden="true">${legend}</span>`}
      <div class="segments">
        ${repeat(
          choices,
          ({ value }) => value,
          (choice) => html`
            <label
              ><input
                type="radio"
                name=${name}
                value=${choice.value as string}
                .checked=${choice.value === value}
                ?disabled=${choice.disabled ?? false}
                @change=${() => onChoose(choice.value)}
              />${choice.label}</label
            >
          `,
        )}
      </div>
    </div>
  `;
}

/** One set of icons for everything that plays: play, pause, step, run to the end, rewind. */
const iconPaths = {
  play: 'M5 3.2v11.6L14.6 9z',
  pause: 'M4.5 3.5h3v11h-3zM10.5 3.5h3v11h-3z',
  step: 'M3.5 3.2v11.6L11 9zM12 3.5h2.5v11H12z',
  'run-to': 'M2.5 3.6v10.8L8 9zM8 3.6v10.8L13.5 9zM13.7 3.5h1.8v11h-1.8z',
  rewind: 'M14.5 3.6v10.8L9 9zM9 3.6v10.8L3.5 9zM2.5 3.5h1.8v11H2.5z',
  remove: 'M4.6 3.5 9 7.9l4.4-4.4 1.1 1.1L10.1 9l4.4 4.4-1.1 1.1L9 10.1l-4.4 4.4-1.1-1.1L7.9 9 3.5 4.6z',
  more: 'M3 7.5h3v3H3zM7.5 7.5h3v3h-3zM12 7.5h3v3h-3z',
  add: 'M8.2 3.5h1.6v4.7h4.7v1.6H9.8v4.7H8.2V9.8H3.5V8.2h4.7z',
} as const;

export type IconName = keyof typeof iconPaths;

/** Decorative: the button has the name. */
export const icon = (name: IconName): TemplateResult =>
  html`<svg viewBox="0 0 18 18" aria-hidden="true" focusable="false">${iconPath(name)}</svg>`;

const iconPath = (name: IconName): SVGTemplateResult => svg`<path d=${iconPaths[name]}></path>`;

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  /** Icon only; the label becomes accessible name and tooltip. */
  readonly iconOnly?: boolean;
  readonly kind?: 'plain' | 'primary' | 'quiet';
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly onPress: (event: Event) => void;
}

/** A disabled one keeps the focus, so that a reader who uses the keyboard doesn't lose the place. */
export function button(options: ButtonOptions): TemplateResult {
  const { label, iconOnly = false, kind = 'plain', disabled = false, onPress } = options;
  return html`
    <button
      type="button"
      class="button ${kind === 'plain' ? '' : kind} ${iconOnly ? 'icon' : ''}"
      aria-disabled=${disabled ? 'true' : nothing}
      aria-label=${iconOnly ? label : nothing}
      title=${iconOnly ? label : nothing}
      aria-expanded=${options.expanded === undefined ? nothing : options.expanded ? 'true' : 'false'}
      @click=${disabled ? null : onPress}
    >
      ${options.icon === undefined ? nothing : icon(options.icon)}${iconOnly ? nothing : label}
    </button>
  `;
}

/** A button that lets the reader choose files. */
export function fileButton(options: {
  label: string;
  kind?: 'primary' | 'quiet';
  disabled?: boolean;
  accept?: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
}): TemplateResult {
  const { accept, multiple = false, onFiles, ...look } = options;
  return html`
    <input
      type="file"
      hidden
      accept=${accept ?? nothing}
      ?multiple=${multiple}
      aria-label=${look.label}
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const files = Array.from(input.files ?? []);
        // The same file can be chosen again after it was changed.
        input.value = '';
        onFiles(files);
      }}
    />
    ${button({
      ...look,
      onPress: (event) => ((event.currentTarget as HTMLElement).previousElementSibling as HTMLInputElement).click(),
    })}
  `;
}

export const checkbox = (options: {
  label: string | TemplateResult;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}): TemplateResult => html`
  <label class="check"
    ><input
      type="checkbox"
      .checked=${options.checked}
      ?disabled=${options.disabled ?? false}
      @change=${(event: Event) => options.onChange((event.target as HTMLInputElement).checked)}
    />${options.label}</label
  >
`;

/** A choice of one or more among a few values. */
export function checkboxes<Value extends string>(options: {
  legend: string;
  values: readonly Value[];
  chosen: readonly Value[];
  label: (value: Value) => string | TemplateResult;
  /** The class of a value. */
  look?: (value: Value) => string;
  /** In the order of `values`. */
  onChoose: (chosen: Value[]) => void;
}): TemplateResult {
  const { legend, values, chosen, label, look, onChoose } = options;
  const box = (value: Value): TemplateResult =>
    checkbox({
      label: label(value),
      checked: chosen.includes(value),
      disabled: chosen.length === 1 && chosen[0] === value,
      onChange: (on) => onChoose(values.filter((one) => (one === value ? on : chosen.includes(one)))),
    });
  return html`
    <fieldset class="row tight">
      <legend class="visually-hidden">${legend}</legend>
      <span class="legend" aria-hidden="true">${legend}</span>
      ${values.map((value) => (look === undefined ? box(value) : html`<span class=${look(value)}>${box(value)}</span>`))}
    </fieldset>
  `;
}

/** A native select with its label. */
export const select = <Value extends string>(options: {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
}): TemplateResult => html`
  <label class="field">
    <span class="legend">${options.label}</span>
    <select @change=${(event: Event) => options.onChoose((event.target as HTMLSelectElement).value as Value)}>
      ${options.choices.map(
        (choice) => html`
          <option
            value=${choice.value as string}
            ?disabled=${choice.disabled ?? false}
            .selected=${choice.value === options.value}
          >
            ${choice.label}
          </option>
        `,
      )}
    </select>
  </label>
`;

interface TextOptions {
  label: string;
  value: string;
  placeholder?: string;
  onInput: (value: string) => void;
}

/** One line of text, which the browser offers to clear. */
export const textField = ({ label, value, placeholder = '', onInput }: TextOptions): TemplateResult => html`
  <label class="field">
    <span class="legend">${label}</span>
    <input
      type="search"
      class="text-field"
      placeholder=${placeholder}
      autocomplete="off"
      spellcheck="false"
      .value=${value}
      @input=${(event: Event) => onInput((event.target as HTMLInputElement).value)}
    />
  </label>
`;

/** Many write a prompt and press Enter; it is read as it is written, and a line break at its end would be one more token. */
const keepsLine = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) event.preventDefault();
};

/** Text of several lines, as wide as its row; in a prompt, Shift and Enter begin a new one. */
export const textArea = ({
  label,
  value,
  placeholder = '',
  isPrompt,
  onInput,
}: TextOptions & { readonly isPrompt: boolean }): TemplateResult => html`
  <label class="field area">
    <span class="legend">${label}</span>
    <textarea
      class="text-field"
      rows="2"
      placeholder=${placeholder}
      .value=${value}
      @keydown=${isPrompt ? keepsLine : null}
      @input=${(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}
    ></textarea>
  </label>
`;
