import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber } from '../../../charts/index.js';
import type { TokenPair } from '../../../core/types.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import type { DirectPathRun, PairValue } from '../direct-path-run.js';
import type { RunningLab } from '../running-lab.js';
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

const rowHeight = 20;
const headHeight = 24;
const barHeight = 13;
const gap = 10;
const namesWidth = 96;
const numberWidth = 44;
/** If the panel is narrower than this, groups of bars are stacked. */
const narrowest = 520;

/**
 * The questions about a pair: [the token before, the token after, the index of the value]. A token paired with itself
 * has only one.
 */
export function questionsOf({ from, to }: PairNames): [string, string, keyof PairValue][] {
  const itself: [string, string, keyof PairValue] = [from, from, 'repeated'];
  return from === to ? [itself] : [[from, to, 'forward'], [to, from, 'backward'], itself];
}

/** One group of bars per question, all on the same scale from 0 to 1; side by side if they fit. */
function drawing({ texts, arms }: Shown, { names, inText, values }: LookedPair, width: number): TemplateResult {
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

/** P(second | first), P(first | second) and P(first | first): in the text and in every model. */
export class PairView {
  /** What is wrong with a token that the reader typed, or null. */
  problem: string | null = null;
  readonly #width: WidthWatcher;
  /** The reader is choosing a token. The list of all tokens is long, so it is created only then. */
  #offering = false;

  constructor(
    private readonly lab: RunningLab,
    private readonly run: DirectPathRun,
    private readonly choose: (pair: TokenPair) => void,
  ) {
    this.#width = new WidthWatcher(lab, '.probe', 320);
  }

  /** Another text or other models. */
  reset(): void {
    this.problem = null;
    this.#offering = false;
  }

  #pick(role: 'from' | 'to', token: string): void {
    const { pair, text } = this.run;
    if (pair === null || text === null) return;
    const exact = text.tokens.indexOf(token);
    const id = exact < 0 ? text.tokens.indexOf(token.trim()) : exact;
    if (id < 0) this.problem = this.lab.texts.problems.unknownToken(token);
    else this.choose({ ...pair, [role]: id });
    this.lab.requestUpdate();
  }

  #field(label: string, role: 'from' | 'to', { names }: LookedPair): TemplateResult {
    return html`
      <label class="field">
        <span class="legend">${label}</span>
        <input
          class="text-field token-field"
          list="tokens"
          autocomplete="off"
          spellcheck="false"
          .value=${names[role]}
          @focus=${(event: Event) => {
            this.#offering = true;
            this.lab.requestUpdate();
            (event.target as HTMLInputElement).select();
          }}
          @change=${(event: Event) => this.#pick(role, (event.target as HTMLInputElement).value)}
        />
      </label>
    `;
  }

  render(shown: Shown, pair: LookedPair): TemplateResult {
    const { texts } = shown;
    const { width } = this.#width;
    const { from, to } = pair;
    const tokens = this.run.text?.tokens ?? [];
    return html`
      <div class="panel-name" data-picture>${texts.pair}</div>
      <div class="row tight">
        ${this.#field(texts.pairFirst, 'from', pair)} ${this.#field(texts.pairSecond, 'to', pair)}
        ${button({ label: texts.swap, onPress: () => void this.choose({ from: to, to: from }) })}
        <datalist id="tokens">
          ${this.#offering ? guard([tokens], () => tokens.map((token) => html`<option value=${token}></option>`)) : nothing}
        </datalist>
      </div>
      <div role="alert">${this.problem === null ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
      ${width > 0 ? drawing(shown, pair, width) : nothing}
      <p class="note pair-missing">${pair.values === null ? texts.pairMissing : nothing}</p>
    `;
  }
}
