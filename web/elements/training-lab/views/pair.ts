import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../charts/index.js';
import type { TokenPair } from '../../../core/types.js';
import type { PairValue } from '../direct-path-run.js';
import type { Shown } from '../direct-path-mode.js';
import { button } from '../../shared/controls.js';
import { armClass } from './arm-style.js';

export interface PairOptions {
  shown: Shown;
  width: number;
  tokens: readonly string[];
  pair: TokenPair;
  /** Null if not known yet. */
  inText: PairValue | null;
  /** Null if not known at the viewed step. */
  values: readonly PairValue[] | null;
  problem: string | null;
  /** The list of all tokens is long, so it is created only when the reader is about to use it. */
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

const rowHeight = 20;
const headHeight = 24;
const barHeight = 13;
const gap = 10;
const namesWidth = 96;
const numberWidth = 44;
/** In a panel narrower than this, groups of bars are stacked. */
const narrowest = 520;

/** The questions about a pair: [the token before, the token after, the index of the value]. A token paired with itself has one. */
export function questionsOf({ from, to }: { from: string; to: string }): [string, string, keyof PairValue][] {
  const itself: [string, string, keyof PairValue] = [from, from, 'repeated'];
  return from === to ? [itself] : [[from, to, 'forward'], [to, from, 'backward'], itself];
}

/** One group of bars, all on the same scale from 0 to 1; without `names` if a group beside it has them. */
function bars(
  title: string,
  rows: readonly Row[],
  of: keyof PairValue,
  place: { x: number; y: number; names: boolean; width: number },
): unknown {
  const { y, names, width } = place;
  const x = place.x + (names ? namesWidth : 0);
  const room = width - numberWidth;
  return svg`
    <text class="bar-title" x=${x} y=${y + 14}>${title}</text>
    ${rows.map(({ name, color, value }, index) => {
      const middle = y + headHeight + (index + 0.5) * rowHeight;
      const share = value?.[of] ?? 0;
      return svg`
        ${
          names
            ? svg`<text class="bar-name ${color}" x=${x - 10} y=${middle} text-anchor="end"
          dominant-baseline="central">${name}</text>`
            : nothing
        }
        <line class="bar-track" x1=${x} x2=${x + room} y1=${middle} y2=${middle}></line>
        <rect class="bar ${color}" x=${x} y=${middle - barHeight / 2} width=${Math.max(1, room * share)}
          height=${barHeight}></rect>
        <text class="bar-number" x=${x + room + 6} y=${middle} dominant-baseline="central"
          >${value === null ? '–' : formatNumber(share, { decimals: 2 })}</text>`;
    })}`;
}

function drawing(options: PairOptions): TemplateResult {
  const { shown, width, tokens, pair, inText, values } = options;
  const { texts, arms } = shown;
  const from = tokens[pair.from] ?? '';
  const to = tokens[pair.to] ?? '';
  const rows: Row[] = [
    { name: texts.textMap, color: 'is-text', value: inText },
    ...arms.map(({ kind }, index) => ({
      name: texts.arms[kind],
      color: armClass[kind],
      value: values?.[index] ?? null,
    })),
  ];
  const questions = questionsOf({ from, to });
  const stacked = width < narrowest;
  const groupHeight = headHeight + rows.length * rowHeight;
  const height = stacked ? questions.length * (groupHeight + gap) - gap : groupHeight;
  const groupWidth = stacked ? width - namesWidth : Math.floor((width - namesWidth) / questions.length);
  const placeOf = (index: number): Parameters<typeof bars>[3] =>
    stacked
      ? { x: 0, y: index * (groupHeight + gap), names: true, width: groupWidth }
      : { x: index === 0 ? 0 : namesWidth + index * groupWidth, y: 0, names: index === 0, width: groupWidth };
  const titles = questions.map(([before, after]) => texts.cell(before, after));
  const answers = rows.map(({ name, value }) =>
    value === null
      ? name
      : `${name}: ${questions.map(([, , key]) => formatNumber(value[key], { decimals: 2 })).join(', ')}`,
  );
  return html`
    <svg
      class="pair-bars"
      data-picture
      width=${width}
      height=${height}
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${titles.join(', ')}. ${answers.join('; ')}"
    >
      ${questions.map(([, , key], index) => bars(titles[index] ?? '', rows, key, placeOf(index)))}
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
    <p class="note pair-missing">${options.values === null ? texts.pairMissing : nothing}</p>
  `;
}
