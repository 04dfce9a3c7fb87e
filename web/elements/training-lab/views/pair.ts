import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { formatNumber, formatWhole } from '../../../charts/index.js';
import { plot } from '../../../charts/plot.js';
import type { TokenPair } from '../../../core/types.js';
import { WidthWatcher } from '../../shared/width-watcher.js';
import type { DirectPathRun, PairValue } from '../direct-path-run.js';
import type { ModeLab } from '../mode-lab.js';
import { button } from '../../shared/controls.js';
import type { PairNames } from '../token-choice.js';
import { armClass } from './arm-style.js';
import { four } from './four.js';
import type { Shown } from './shown.js';

/** The pair that the reader looks at, at the viewed step. */
export interface LookedPair extends TokenPair {
  readonly names: PairNames;
  /** Null if not known yet. */
  readonly inText: PairValue | null;
  /** Null if not known at the viewed step. */
  readonly values: readonly PairValue[] | null;
}

const [lineHeight, rowHeight, barHeight] = [16, 18, 12];
/** If the panel is narrower than the first, groups of bars are stacked; narrower than the second, they have heads of two lines. */
const [narrowest, roomy] = [280, 520];

/**
 * The questions about a pair: [the token before, the token after, the index of the value]. A token paired with itself
 * has only one.
 */
function questionsOf({ from, to }: PairNames): [string, string, keyof PairValue][] {
  const itself: [string, string, keyof PairValue] = [from, from, 'repeated'];
  return from === to ? [itself] : [[from, to, 'forward'], [to, from, 'backward'], itself];
}

/** The text's and the models' answers to every question, one plot each, all on the same scale from 0 to 1. */
export function pairPlots({ texts, arms, viewedStep }: Shown, { names, inText, values }: LookedPair, width: number) {
  const rows = [
    { name: texts.textMap, color: 'is-text', value: inText },
    ...arms.map(({ kind }, at) => ({ name: texts.arms[kind], color: armClass[kind], value: values?.[at] ?? null })),
  ];
  const questions = questionsOf(names);
  const titleOf = ([before, after]: (typeof questions)[number]): string => texts.cell(before, after);
  const stacked = width < narrowest;
  const tight = !stacked && width < roomy;
  const [namesWidth, numberWidth] = tight ? [70, 36] : [96, 44];
  const groupWidth = Math.floor((width - namesWidth) / (stacked ? 1 : questions.length));
  // "P(York | New)" is broken before the second token.
  const headOf = (title: string): string[] => (tight ? title.split(/(?<=\| )/) : [title]);
  return questions.map((question, at) => {
    const [, , key] = question;
    const left = stacked || at === 0 ? namesWidth : 0;
    const number = (value: PairValue | null): string =>
      value === null ? '–' : formatNumber(value[key], { decimals: 2 });
    return plot({
      rows,
      width: left + groupWidth,
      margin: { left, right: numberWidth, top: 8 + lineHeight * (tight ? 2 : 1) },
      x: { domain: [0, 1], ticks: [] },
      y: {
        each: rowHeight,
        name: ({ name }) => (left === 0 ? '' : name),
        look: ({ color }) => `bar-name ${color}`,
      },
      marks: ({ bars, rules, words }) => [
        {
          draw: () =>
            svg`<text class="bar-title">${headOf(titleOf(question)).map(
              (line, row) => svg`<tspan x=${left} y=${14 + lineHeight * row}>${line}</tspan>`,
            )}</text>`,
        },
        words({ x: () => 1, dx: 6, look: 'bar-number', text: ({ value }) => number(value) }),
        bars({
          x: ({ value }) => value?.[key] ?? 0,
          rowLook: ({ color }) => color,
          ...{ look: 'bar', height: barHeight, least: 1 },
        }),
        rules({ x: () => [0, 1], look: 'bar-track' }),
      ],
      describe: ({ name, value }) => `${name}: ${number(value)}`,
      between: '; ',
      label: (answers) => `${titleOf(question)}. ${answers}`,
      caption: texts.tablePair(formatWhole(viewedStep)),
      head: [texts.model, ...questions.map(titleOf)],
      cells: ({ name, value }) => [name, ...questions.map(([, , of]) => four(value?.[of]))],
    });
  });
}

/** P(second | first), P(first | second) and P(first | first): in the text and in every model. */
export class PairView {
  /** What is wrong with a token that the reader typed, or null. */
  problem: string | null = null;
  readonly #width: WidthWatcher;
  /** The reader is choosing a token. The list of all tokens is long, so it is created only then. */
  #offering = false;

  constructor(
    private readonly lab: ModeLab,
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
      <div class="row tight rest">
        ${this.#field(texts.pairFirst, 'from', pair)} ${this.#field(texts.pairSecond, 'to', pair)}
        ${button({ label: texts.swap, onPress: () => void this.choose({ from: to, to: from }) })}
        <datalist id="tokens">
          ${this.#offering ? guard([tokens], () => tokens.map((token) => html`<option value=${token}></option>`)) : nothing}
        </datalist>
      </div>
      <div role="alert">${this.problem === null ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
      ${
        width > 0
          ? html`<div class="pair-bars">${pairPlots(shown, pair, width).map(({ drawing }) => drawing)}</div>`
          : nothing
      }
      <p class="note pair-missing rest">${pair.values === null ? texts.pairMissing : nothing}</p>
    `;
  }
}
