import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Chain } from './chain.js';
import { percent } from './percent.js';
import { demandsOf, isMet, tokenNames, wallOf, type Demand, type TaskNumber } from './tasks.js';

const part = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** Pairs of different tokens, each once. */
const pairs = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

interface Side {
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly demand: Demand | undefined;
  readonly met: boolean;
}

const sideLabel = (side: Side): TemplateResult => html`
  <span class="side ${side.demand === undefined ? '' : side.met ? 'met' : 'unmet'}">
    <span class="pair">${tokenNames[side.to]} after ${tokenNames[side.from]}</span> <b>${percent(side.share)}</b>
  </span>
`;

/** A bar from the middle to one side; the mark of a demand stands where the bar has to end beyond, or before. */
function halfBar({ share, demand, met }: Side, toTheLeft: boolean): SVGTemplateResult {
  const at = (value: number): string => part(0.5 + ((toTheLeft ? -1 : 1) * value) / 2);
  const mark = demand === undefined ? undefined : (demand.least ?? demand.below);
  return svg`
    <rect class="bar" x=${toTheLeft ? at(share) : '50%'} y="3" width=${part(share / 2)} height="8"></rect>
    ${
      mark === undefined
        ? nothing
        : svg`<line class="goal ${met ? 'met' : ''}" x1=${at(mark)} x2=${at(mark)} y1="0" y2="14"></line>`
    }
  `;
}

/** Each pair's two orders, facing each other; the demands of a task are marked. */
export function followingBars(chain: Chain, task: TaskNumber): TemplateResult {
  const side = (from: number, to: number): Side => {
    const demand = demandsOf(task).find((one) => one.from === from && one.to === to);
    return { from, to, share: chain.next[from]![to]!, demand, met: demand !== undefined && isMet(chain, demand) };
  };
  return html`
    <p class="part-title">Who follows whom</p>
    <ul class="facing">
      ${pairs.map(([one, other]) => {
        const [left, right] = [side(one, other), side(other, one)];
        return html`
          <li>
            <div class="sides">${sideLabel(left)} ${sideLabel(right)}</div>
            <svg width="100%" height="14" aria-hidden="true">
              <line class="rail" x1="0" x2="100%" y1="7" y2="7"></line>
              ${halfBar(left, true)} ${halfBar(right, false)}
              <line class="middle" x1="50%" x2="50%" y1="0" y2="14"></line>
            </svg>
          </li>
        `;
      })}
    </ul>
  `;
}

/** Each token's repetition, and the wall at its share. */
export function wallBars(chain: Chain): TemplateResult {
  return html`
    <p class="part-title">Who follows itself; the wall: how often it occurs</p>
    <ul class="walls">
      ${tokenNames.map((name, token) => {
        const [own, share] = [chain.next[token]![token]!, chain.share[token]!];
        const state = wallOf(chain, token);
        return html`
          <li class=${state}>
            <div class="sides">
              <span class="side"><span class="pair">${name} after ${name}</span> <b>${percent(own)}</b></span>
              <span class="side"
                >${state === 'thud' ? html`<span class="sound">thud</span>` : nothing}<span class="pair"
                  >${name} occurs</span
                >
                <b>${percent(share)}</b></span
              >
            </div>
            <svg width="100%" height="14" aria-hidden="true">
              <line class="rail" x1="0" x2="100%" y1="7" y2="7"></line>
              <rect class="block" x="0" y="0" width=${part(share)} height="14"></rect>
              <rect class="bar" x="0" y="3" width=${part(own)} height="8"></rect>
              <line class="wall" x1=${part(share)} x2=${part(share)} y1="0" y2="14"></line>
            </svg>
          </li>
        `;
      })}
    </ul>
  `;
}
