import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../charts/index.js';
import type { Tying } from '../../../core/types.js';
import type { PairValue } from '../direct-path-run.js';
import { button } from '../../shared/controls.js';
import type { TrainingLabStrings } from '../training-lab.strings.js';
import type { TokenPair } from '../../../core/types.js';
import { armClass } from './arm-style.js';

export interface PairOptions {
  texts: TrainingLabStrings;
  width: number;
  tokens: readonly string[];
  pair: TokenPair;
  /** Null: not known yet. */
  inText: PairValue | null;
  arms: readonly Tying[];
  /** Null: not known at the viewed step. */
  values: readonly PairValue[] | null;
  problem: string | null;
  /** The list of all tokens is long, and is made when somebody is about to use it. */
  offering: boolean;
  onOffer: () => void;
  onPick: (role: 'from' | 'to', token: string) => void;
  onSwap: () => void;
}

interface Row {
  name: string;
  color: string;
  value: PairValue | null;
}

const rowHeight = 26;
const headHeight = 26;
const numberWidth = 44;
const narrowest = 400;

/** One group of bars, all on the same scale from 0 to 1. */
function bars(
  title: string,
  rows: readonly Row[],
  of: keyof PairValue,
  place: { x: number; y: number; names: number; width: number },
): unknown {
  const { x, y, names, width } = place;
  const room = width - names - numberWidth;
  return svg`
    <text class="bar-title" x=${x + names} y=${y + 14}>${title}</text>
    ${rows.map(({ name, color, value }, index) => {
      const top = y + headHeight + index * rowHeight;
      const share = value?.[of] ?? 0;
      return svg`
        ${
          names === 0
            ? nothing
            : svg`<text class="bar-name ${color}" x=${x + names - 10} y=${top + 10} text-anchor="end"
          dominant-baseline="central">${name}</text>`
        }
        <line class="bar-track" x1=${x + names} x2=${x + names + room} y1=${top + 10} y2=${top + 10}></line>
        <rect class="bar ${color}" x=${x + names} y=${top + 2} width=${Math.max(1, room * share)} height="16"></rect>
        <text class="bar-number" x=${x + names + room + 6} y=${top + 10} dominant-baseline="central"
          >${value === null ? '–' : formatNumber(share, { decimals: 2 })}</text>`;
    })}`;
}

function drawing(options: PairOptions): TemplateResult {
  const { texts, width, tokens, pair, inText, arms, values } = options;
  const from = tokens[pair.from] ?? '';
  const to = tokens[pair.to] ?? '';
  const rows: Row[] = [
    { name: texts.textMap, color: 'is-text', value: inText },
    ...arms.map((tying, index) => ({
      name: texts.arms[tying],
      color: armClass[tying],
      value: values?.[index] ?? null,
    })),
  ];
  const names = 96;
  const stacked = width < narrowest;
  const groupHeight = headHeight + rows.length * rowHeight;
  const height = stacked ? groupHeight * 2 + 12 : groupHeight;
  const half = stacked ? width : Math.floor((width - names) / 2);
  const first = { x: 0, y: 0, names, width: stacked ? width : half + names };
  const second = stacked
    ? { x: 0, y: groupHeight + 12, names, width }
    : { x: half + names + 8, y: 0, names: 0, width: half - 8 };
  const label = rows
    .map(({ name, value }) =>
      value === null
        ? name
        : `${name}: ${formatNumber(value.forward, { decimals: 2 })}, ${formatNumber(value.backward, { decimals: 2 })}`,
    )
    .join('; ');
  return html`
    <svg
      class="pair-bars"
      data-picture
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${texts.cell(from, to)}, ${texts.cell(to, from)}. ${label}"
    >
      ${bars(texts.cell(from, to), rows, 'forward', first)} ${bars(texts.cell(to, from), rows, 'backward', second)}
    </svg>
  `;
}

const field = (options: PairOptions, role: 'from' | 'to', label: string): TemplateResult => html`
  <label class="field">
    <span class="legend">${label}</span>
    <input
      class="text-field token-field"
      list="tokens"
      autocomplete="off"
      spellcheck="false"
      .value=${options.tokens[options.pair[role]] ?? ''}
      @focus=${(event: Event) => {
        options.onOffer();
        (event.target as HTMLInputElement).select();
      }}
      @change=${(event: Event) => {
        options.onPick(role, (event.target as HTMLInputElement).value);
      }}
    />
  </label>
`;

/** P(second | first) against P(first | second): in the text and in every model. */
export function pairProbe(options: PairOptions): TemplateResult {
  const { texts, tokens } = options;
  return html`
    <div class="panel-name" data-picture>${texts.pair}</div>
    <div class="row tight">
      ${field(options, 'from', texts.pairFirst)} ${field(options, 'to', texts.pairSecond)}
      ${button({ label: texts.swap, onPress: options.onSwap })}
      <datalist id="tokens">
        ${
          options.offering
            ? guard([tokens], () => tokens.map((token) => html`<option value=${token}></option>`))
            : nothing
        }
      </datalist>
    </div>
    <div role="alert">${options.problem === null ? nothing : html`<p class="problem">${options.problem}</p>`}</div>
    ${options.width > 0 ? drawing(options) : nothing}
    <p class="note pair-missing">${options.values === null ? texts.pairMissing : nothing}</p>
  `;
}
