import { html, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import { select } from '../shared/controls.js';
import type { NumberEvent } from '../shared/number-field.js';
import type { ComputeCalculatorStrings } from './compute-calculator.strings.js';
import { optimizers, precisions, type ComputeSettings } from './compute-settings.js';

/** Controls of the batch, the number format, the optimizer and the machine. */
export interface BatchControls {
  readonly texts: ComputeCalculatorStrings;
  readonly settings: ComputeSettings;
  readonly onChange: (change: Partial<ComputeSettings>) => void;
}

const tera = 1e12;
const giga = 1e9;

export function batchControls({ texts, settings, onChange }: BatchControls): TemplateResult {
  const { sequences, tokens, precision, optimizer } = settings;
  const count = (name: 'sequences' | 'tokens', label: string, value: number, sliderMax: number): TemplateResult => html`
    <tied-number-field
      id=${name}
      slider="log"
      whole
      .label=${label}
      .value=${value}
      .min=${1}
      .max=${Number.MAX_SAFE_INTEGER}
      .sliderMin=${1}
      .sliderMax=${sliderMax}
      @tied-number=${(event: NumberEvent) => {
        event.stopPropagation();
        onChange({ [name]: event.detail.value });
      }}
    ></tied-number-field>
  `;
  const rate = (
    name: 'flopPerSecond' | 'bytesPerSecond',
    label: string,
    unitName: string,
    unit: number,
  ): TemplateResult => {
    const value = settings[name] / unit;
    return html`
      <tied-number-field
        id=${name}
        .label=${label}
        .unit=${unitName}
        .value=${value}
        .min=${0.001}
        .max=${1e9}
        .decimals=${decimalsOf(value)}
        .step=${Math.max(0.001, Number((value / 50).toPrecision(1)))}
        @tied-number=${(event: NumberEvent) => {
          event.stopPropagation();
          onChange({ [name]: event.detail.value * unit });
        }}
      ></tied-number-field>
    `;
  };
  return html`
    <div class="batch">
      ${count('sequences', texts.sequences, sequences, 4096)} ${count('tokens', texts.tokens, tokens, 131_072)}
    </div>
    <div class="choices">
      ${select({
        label: texts.precision,
        value: precision,
        choices: precisions.map((value) => ({ value, label: texts.precisionName(value) })),
        onChoose: (value) => {
          onChange({ precision: value });
        },
      })}
      ${select({
        label: texts.optimizer,
        value: optimizer,
        choices: optimizers.map((value) => ({ value, label: texts.optimizerName(value) })),
        onChoose: (value) => {
          onChange({ optimizer: value });
        },
      })}
      ${rate('flopPerSecond', texts.flopPerSecond, texts.flopUnit, tera)}
      ${rate('bytesPerSecond', texts.bytesPerSecond, texts.bytesUnit, giga)}
    </div>
  `;
}

/** As many as three digits need. */
const decimalsOf = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);

/** "100 TFLOP/s" */
export const rateText = (flopPerSecond: number, texts: ComputeCalculatorStrings): string =>
  `${formatNumber(flopPerSecond / tera)}\u00a0${texts.flopUnit}`;
