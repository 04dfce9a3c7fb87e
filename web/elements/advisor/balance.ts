import { svg, type TemplateResult } from 'lit';
import { circle } from '../../charts/drawing.js';
import type { Mark, Marks } from '../../charts/marks.js';
import { plot } from '../../charts/plot.js';
import type { TyingAdvice, TyingReason } from '../../core/accounting/types.js';
import { inFull } from '../../core/accounting/advice-sentences.js';
import type { AdvisorStrings } from './advisor.strings.js';

/** These reasons restate the saving: they have no vote and no row. */
const retold: readonly TyingReason['kind'][] = ['depth', 'width', 'memory'];

export const weighing = (advice: TyingAdvice): TyingReason[] =>
  advice.reasons.filter(({ kind }) => !retold.includes(kind));

/** Number of votes that fill a side. */
const fullSide = 2;

/** "Settles it" | "2 votes" | "no vote" */
export function weight(reason: TyingReason, texts: AdvisorStrings): string {
  if (reason.decisive) return texts.decisive;
  return reason.votes === 0 ? texts.noVote : texts.votes(inFull(reason.votes), reason.votes === 1);
}

/** Votes toward one table are left of 0. A reason that decides alone is longer than all others; null: neither side. */
function weightOf({ favours, decisive, votes }: TyingReason): number | null {
  const length = decisive ? fullSide + 1 : Math.min(votes, fullSide);
  return favours === 'neither' ? null : favours === 'tied' ? -length : length;
}

/**
 * One row per reason that may have votes: a bar toward its side, as long as its votes; a ring where it favors neither.
 */
export function balance(advice: TyingAdvice, width: number, texts: AdvisorStrings): TemplateResult {
  const narrow = width < 460;
  const end = fullSide + 1;
  /** Words are beside short bars, and in long ones. */
  const votes = (words: Marks<TyingReason>['words'], side: 'tied' | 'untied', inside: boolean): Mark<TyingReason> => {
    const toTheRight = (side === 'untied') !== inside;
    return words({
      x: (reason) => {
        const value = weightOf(reason);
        return reason.favours === side && Math.abs(value ?? 0) >= 0.6 * end === inside ? value : null;
      },
      dx: toTheRight ? 8 : -8,
      anchor: toTheRight ? 'start' : 'end',
      look: inside ? `votes in-${side}` : 'votes',
      text: (reason) => weight(reason, texts),
    });
  };
  return plot({
    rows: weighing(advice),
    width,
    margin: { left: narrow ? 4 : 136, right: 4, top: 28 },
    x: { domain: [-end, end], ticks: [] },
    y: { each: narrow ? 46 : 28, name: ({ kind }) => texts.reasons[kind], ...(narrow ? { above: 16 } : {}) },
    marks: ({ bars, dots, words }) => [
      ...(['tied', 'untied'] as const).flatMap((side) => [votes(words, side, false), votes(words, side, true)]),
      bars({ x: weightOf, look: 'weight', rowLook: ({ favours }) => `weight-${favours}` }),
      dots({ x: ({ favours }) => (favours === 'neither' ? 0 : null), look: 'ring', sign: circle(5) }),
      {
        draw: ({ x, height }) => svg`
          <text class="side words-tied" x=${x(0) - 12} y="14" text-anchor="end">${texts.scales.tied}</text>
          <text class="side words-untied" x=${x(0) + 12} y="14">${texts.scales.untied}</text>
          <line class="beam" x1=${x(0)} x2=${x(0)} y1="4" y2=${height}></line>`,
      },
    ],
    describe: (reason) => `${texts.reasons[reason.kind]}: ${texts.sides[reason.favours]}, ${weight(reason, texts)}`,
    between: '. ',
    label: (rows) => `${texts.balance}. ${rows}`,
  }).drawing;
}
