import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../charts/index.js';
import type { TokenPair } from '../../../core/types.js';
import type { PairValue } from '../direct-path-run.js';
import type { Shown } from '../direct-path-mode.js';
import { button } from '../../shared/controls.js';
import type { PairNames } from '../token-choice.js';
import { armClass } from './arm-style.js';

/** The pair that the reader looks at, at the viewed step. */
export interface LookedPair extends TokenPair {
  readonly names: PairNames;
  /** Null if not known yet. */
  readonly inText: PairValue | null;
  /** Null if not known at the viewed step. */
  readonly values: readonly PairValue[] | null;
}

export interface PairOptions {
  shown: Shown;
  pair: LookedPair;
  width: number;
  tokens: readonly string[];
  problem: string | null;
  /** The list of all tokens is long, so it is created only when the reader is about to use it. */
  offering: boolean;
  onOffer: () => void;
  onPick: (role: 'from' | 'to', token: string) => void;
  onSwap: () => void;
}

const rowHeight = 20;
const headHeight = 24;
const barHeight = 13;
const gap = 10;
const namesWidth = 96;
const numberWidth = 44;
/** In a panel narrower than this, groups of bars are stacked. */
const narrowest = 520;

/** The questions about a pair: [the token before, the token after, the index of the value]. A token paired with itself has one. */
export function questionsOf({ from, to }: PairNames): [string, string, keyof PairValue][] {
  const itself: [string, string, keyof PairValue] = [from, from, 'repeated'];
  return from === to ? [itself] : [[from, to, 'forward'], [to, from, 'backward'], itself];
}

/** A group of bars for each question, all on the same scale from 0 to 1; beside each other if they fit. */
function drawing({ shown, width, pair: { names, inText, values } }: PairOptions): TemplateResult {
  const { texts, arms } = shown;
  const rows = [
    { name: texts.textMap, color: 'is-text', value: inText },
    ...arms.map(({ kind }, at) => ({ name: texts.arms[kind], color: armClass[kind], value: values?.[at] ?? null })),
  ];
  const questions = questionsOf(names).map(([before, after, key]) => ({ title: texts.cell(before, after), key }));
  const number = (value: PairValue, key: keyof PairValue): string => formatNumber(value[key], { decimals: 2 });
  const answers = rows.map(({ name, value }) =>
    value === null ? name : `${name}: ${questions.map(({ key }) => number(value, key)).join(', ')}`,
  );
  const stacked = width < narrowest;
  const groupWidth = Math.floor((width - namesWidth) / (stacked ? 1 : questions.length));
  const groupHeight = headHeight + rows.length * rowHeight;
  const room = groupWidth - numberWidth;
  const height = stacked ? questions.length * (groupHeight + gap) - gap : groupHeight;
  return html`
    <svg
      class="pair-bars"
      data-picture
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${questions.map(({ title }) => title).join(', ')}. ${answers.join('; ')}"
    >
      ${questions.map(({ title, key }, at) => {
        const x = namesWidth + (stacked ? 0 : at * groupWidth);
        const y = stacked ? at * (groupHeight + gap) : 0;
        return svg`
          <text class="bar-title" x=${x} y=${y + 14}>${title}</text>
          ${rows.map(({ name, color, value }, row) => {
            const middle = y + headHeight + (row + 0.5) * rowHeight;
            const named = stacked || at === 0;
            return svg`
              ${named ? svg`<text class="bar-name ${color}" x=${x - 10} y=${middle} text-anchor="end" dominant-baseline="central">${name}</text>` : nothing}
              <line class="bar-track" x1=${x} x2=${x + room} y1=${middle} y2=${middle}></line>
              <rect class="bar ${color}" x=${x} y=${middle - barHeight / 2} width=${Math.max(1, room * (value?.[key] ?? 0))} height=${barHeight}></rect>
              <text class="bar-number" x=${x + room + 6} y=${middle} dominant-baseline="central">${value === null ? '–' : number(value, key)}</text>`;
          })}`;
      })}
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
      .value=${options.pair.names[role]}
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

/** P(second | first), P(first | second) and P(first | first): in the text and in every model. */
export function pairProbe(options: PairOptions): TemplateResult {
  const { tokens } = options;
  const { texts } = options.shown;
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
    <p class="note pair-missing">${options.pair.values === null ? texts.pairMissing : nothing}</p>
  `;
}
