import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { TyingAdvice, TyingReason } from '../../core/accounting/types.js';
import { inFull } from '../../core/accounting/advice-sentences.js';
import type { AdvisorStrings } from './advisor.strings.js';

/** These reasons restate the saving: they have no vote and no row. */
const retold: readonly TyingReason['kind'][] = ['depth', 'width', 'memory'];

export const weighing = (advice: TyingAdvice): TyingReason[] =>
  advice.reasons.filter(({ kind }) => !retold.includes(kind));

const rowHeight = 28;
const top = 28;
const barHeight = 14;
/** Number of votes that fill a side. */
const fullSide = 2;

/** "Settles it" | "2 votes" | "no vote" */
export function weight(reason: TyingReason, texts: AdvisorStrings): string {
  if (reason.decisive) return texts.decisive;
  return reason.votes === 0 ? texts.noVote : texts.votes(inFull(reason.votes), reason.votes === 1);
}

/**
 * One row per reason that may have votes: a bar toward its side, as long as its votes; a ring where it favors neither.
 */
export function balance(advice: TyingAdvice, width: number, texts: AdvisorStrings): TemplateResult {
  const reasons = weighing(advice);
  const names = width < 460 ? 0 : 132;
  const middle = names + (width - names) / 2;
  const side = (width - names) / 2 - 4;
  const rows = width < 460 ? rowHeight + 18 : rowHeight;
  const height = top + rows * reasons.length;
  const label = reasons
    .map((reason) => `${texts.reasons[reason.kind]}: ${texts.sides[reason.favours]}, ${weight(reason, texts)}`)
    .join('. ');
  return html`
    <svg data-picture role="img" aria-label="${texts.balance}. ${label}" width=${width} height=${height}>
      <text class="side words-tied" x=${middle - 12} y="14" text-anchor="end">${texts.scales.tied}</text>
      <text class="side words-untied" x=${middle + 12} y="14">${texts.scales.untied}</text>
      <line class="beam" x1=${middle} x2=${middle} y1="4" y2=${height}></line>
      ${reasons.map((reason, at) => row(reason, top + at * rows, { names, middle, side, rows, texts }))}
    </svg>
  `;
}

function row(
  reason: TyingReason,
  y: number,
  frame: { names: number; middle: number; side: number; rows: number; texts: AdvisorStrings },
): SVGTemplateResult {
  const { names, middle, side, rows, texts } = frame;
  const bar = y + rows - barHeight - 7;
  const centre = bar + barHeight / 2;
  const name = svg`<text class="name" x="0" y=${names === 0 ? y + 14 : centre} dominant-baseline=${names === 0 ? 'auto' : 'central'}>${texts.reasons[reason.kind]}</text>`;
  if (reason.favours === 'neither') {
    return svg`${name}<circle class="ring" cx=${middle} cy=${centre} r="5"></circle>`;
  }
  const length = reason.decisive ? side : (side * Math.min(reason.votes, fullSide)) / (fullSide + 1);
  const left = reason.favours === 'tied';
  const x = left ? middle - length : middle;
  const outside = length < side * 0.6;
  const wordsAt = outside ? (left ? x - 8 : x + length + 8) : left ? x + 8 : x + length - 8;
  const anchor = left === outside ? 'end' : 'start';
  return svg`${name}
    <rect class="weight weight-${reason.favours}" x=${x} y=${bar} width=${length} height=${barHeight}></rect>
    <text class=${outside ? 'votes' : `votes in-${reason.favours}`} x=${wordsAt} y=${centre} text-anchor=${anchor} dominant-baseline="central">${weight(reason, texts)}</text>`;
}
