import { html, nothing, type TemplateResult } from 'lit';
import { checkbox, segmented, select } from '../controls.js';
import type { NumberEvent } from '../number-field.js';
import {
  attributeName,
  type ChoiceControl,
  type NumberControl,
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

/** Options of a single control. */
export interface ControlChanges {
  /** Choices that are unavailable at present. */
  readonly disabled?: readonly string[];
  /** Replaces the setting's value. */
  readonly value?: unknown;
}

const textOf = (texts: Texts, key: string): string => String(texts[key]);

function choiceName(texts: Texts, names: string | undefined, value: string): string {
  if (names === undefined) return textOf(texts, value);
  const found = texts[names];
  if (typeof found === 'function') return String((found as (value: string) => string)(value));
  return (found as Readonly<Record<string, string>>)[value] ?? value;
}

/** The controls of `declared`, by name, for a panel to arrange. Settings that do not apply have none. */
export function controlsOf<Declared extends Settings>(
  declared: Declared,
  { texts: given, values, change }: ControlsOptions,
): (name: keyof Declared & string, changes?: ControlChanges) => TemplateResult | typeof nothing {
  const texts = given as Texts;
  return (name, { disabled = [], value = values[name] } = {}) => {
    const setting = declared[name];
    const control = setting?.control ?? null;
    if (setting === undefined || control === null || !setting.applies(values)) return nothing;
    const label = textOf(texts, control.label);
    const set = (chosen: unknown): void => {
      change({ [name]: chosen } as Record<string, never>);
    };
    if (control.kind === 'flag') return checkbox({ label, checked: value === true, onChange: set });
    if (control.kind === 'number') {
      const id = attributeName(declared, name);
      return numberControl({ name, id, label, value: Number(value), values, texts, control, set });
    }
    const { as = 'select', names, hideLabel } = control.options satisfies ChoiceControl;
    const choices = control.of.map((one) => ({
      value: one,
      label: choiceName(texts, names, one),
      disabled: disabled.includes(one),
    }));
    return as === 'select'
      ? select({ label, value: String(value), choices, onChoose: set })
      : segmented({
          legend: label,
          hideLegend: hideLabel ?? false,
          name,
          value: String(value),
          choices,
          onChoose: set,
        });
  };
}

function numberControl(field: {
  name: string;
  id: string;
  label: string;
  value: number;
  values: Values;
  texts: Texts;
  control: {
    readonly options: NumberControl;
    readonly whole: boolean;
    readonly limits: (values: Values) => readonly [number, number];
  };
  set: (value: number) => void;
}): TemplateResult {
  const { value, values, texts, control, set } = field;
  const { slider, between, typed, unit, atEnd = false, step = 1, decimals = 0 } = control.options;
  const [min, max] = typed ?? control.limits(values);
  const [least, most] = between ?? [min, max];
  const shown = value / (unit?.size ?? 1);
  return html`
    <tied-number-field
      id=${field.id}
      data-setting=${field.name}
      slider=${slider ?? nothing}
      ?whole=${control.whole}
      .label=${field.label}
      .unit=${unit === undefined ? '' : textOf(texts, unit.name)}
      .value=${shown}
      .min=${min}
      .max=${Math.min(max, Number.MAX_SAFE_INTEGER)}
      .step=${typeof step === 'number' ? step : step(shown, values)}
      .decimals=${typeof decimals === 'number' ? decimals : decimals(shown)}
      .sliderMin=${least}
      .sliderMax=${most}
      @tied-number=${(event: NumberEvent) => {
        event.stopPropagation();
        const { value: chosen, final } = event.detail;
        if (!atEnd || (final && chosen !== shown)) set(chosen * (unit?.size ?? 1));
      }}
    ></tied-number-field>
  `;
}
