import { html, nothing, type TemplateResult } from 'lit';
import { checkbox, segmented, select, textArea, textField } from '../controls.js';
import type { NumberEvent } from '../number-field.js';
import {
  attributeName,
  type ChoiceControl,
  type Control,
  type Key,
  type Settings,
  type Texts,
  type Values,
} from './setting.js';

/** Options that the controls of an element's settings share. */
export interface ControlsOptions {
  readonly texts: object;
  readonly values: Values;
  /** Called with the reader's changes, by property name. */
  readonly change: (changes: Record<string, never>) => void;
}

/** What a control needs besides its own options. */
interface Field {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly values: Values;
  readonly texts: Texts;
  readonly set: (value: unknown) => void;
}

type Of<Kind extends Control['kind']> = Extract<Control, { readonly kind: Kind }>;

const textOf = (texts: Texts, key: Key, values: Values): string =>
  String(texts[typeof key === 'string' ? key : key(values)]);

function choiceName(texts: Texts, names: string | undefined, value: string): string {
  if (names === undefined) return String(texts[value]);
  const found = texts[names];
  if (typeof found === 'function') return String((found as (value: string) => string)(value));
  return (found as Readonly<Record<string, string>>)[value] ?? value;
}

/** The controls of `declared`, by name. Settings that do not apply have none. */
export function controlsOf<Declared extends Settings>(
  declared: Declared,
  { texts: given, values, change }: ControlsOptions,
): (name: keyof Declared & string) => TemplateResult | typeof nothing {
  const texts = given as Texts;
  return (name) => {
    const setting = declared[name];
    const control = setting?.control ?? null;
    if (setting === undefined || control === null || !setting.applies(values) || control.shown?.(values) === false) {
      return nothing;
    }
    const field: Field = {
      name,
      id: attributeName(declared, name),
      label: textOf(texts, control.label, values),
      value: values[name],
      values,
      texts,
      set: (value) => change({ [name]: value } as Record<string, never>),
    };
    const help = control.help?.(values) ?? null;
    const content = contentOf(control, field);
    return help === null ? content : html`${content}<span class="note">${texts[help]}</span>`;
  };
}

function contentOf(control: Control, field: Field): TemplateResult {
  const { label, value, texts, set } = field;
  switch (control.kind) {
    case 'flag':
      return checkbox({ label, checked: value === true, onChange: set });
    case 'number':
      return control.options.optional === undefined ? numberField(control, field) : optionalNumber(control, field);
    case 'choice':
      return choiceControl(control.options, control.of, field);
    case 'text': {
      const { as = 'search', hint, offered, names } = control.options;
      if (offered !== undefined) {
        return choiceControl({ offered, ...(names === undefined ? {} : { names }) }, [], field);
      }
      const placeholder = hint === undefined ? '' : String(texts[hint]);
      const options = { label, value: String(value), placeholder, onInput: set };
      return as === 'search' ? textField(options) : textArea({ ...options, isPrompt: as === 'prompt' });
    }
  }
}

function choiceControl(options: ChoiceControl, of: readonly string[], field: Field): TemplateResult {
  const { name, label, value, values, texts, set } = field;
  const { as = 'select', names, hideLabel: hideLegend = false, offered, disabled } = options;
  const unavailable = disabled?.(values) ?? [];
  const choices = (offered?.(values) ?? of).map((one) => ({
    value: one,
    label: choiceName(texts, names, one),
    disabled: unavailable.includes(one),
  }));
  const shown = unavailable.includes(String(value)) ? choices.find((one) => !one.disabled)?.value : String(value);
  return as === 'select'
    ? select({ label, value: shown ?? '', choices, onChoose: set })
    : segmented({ legend: label, hideLegend, name, value: shown ?? '', choices, onChoose: set });
}

/** A number that may be unset. */
function optionalNumber(control: Of<'number'>, field: Field): TemplateResult {
  const { values, texts, set } = field;
  const { label = '', start, disabled } = control.options.optional ?? {};
  const isDisabled = disabled?.(values) ?? false;
  const isSet = !isDisabled && field.value !== null && field.value !== undefined;
  return html`<div class="optional row">
    ${checkbox({
      label: String(texts[label]),
      checked: isSet,
      disabled: isDisabled,
      onChange: (checked) => set(checked ? start?.(values) : null),
    })}
    ${isSet ? numberField(control, field) : nothing}
  </div>`;
}

function numberField(control: Of<'number'>, { name, id, label, value, values, texts, set }: Field): TemplateResult {
  const { slider, between, typed, unit, atEnd = false, hideLabel = false, step = 1, decimals = 0 } = control.options;
  const [min, max] = typed ?? control.limits(values);
  const [least, most] = between ?? [min, max];
  const shown = Number(value ?? 0) / (unit?.size ?? 1);
  return html`
    <tied-number-field
      id=${id}
      data-setting=${name}
      slider=${slider ?? nothing}
      ?whole=${control.whole}
      ?hide-label=${hideLabel}
      .label=${label}
      .unit=${unit === undefined ? '' : String(texts[unit.name])}
      .value=${shown}
      .min=${min}
      .max=${Math.min(max, Number.MAX_SAFE_INTEGER)}
      .step=${typeof step === 'number' ? step : step(shown, values)}
      .decimals=${decimals}
      .sliderMin=${least}
      .sliderMax=${most}
      @tied-number=${(event: NumberEvent) => {
        event.stopPropagation();
        const { value: chosen, final } = event.detail;
        // During a drag, most events bring the value that is already shown.
        if (chosen === shown ? !atEnd && final : !atEnd || final) set(chosen * (unit?.size ?? 1));
      }}
    ></tied-number-field>
  `;
}
