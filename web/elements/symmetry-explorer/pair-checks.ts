import { html, nothing, type TemplateResult } from 'lit';
import { pairsOf } from './direct-path-of.js';
import type { ExplorerMode } from './explorer-state.js';
import { pairNumbers } from './pair-numbers.js';
import type { Shown } from './shown.js';

/** More pairs are listed only in the data table. */
const mostPairs = 6;

/** Colors stand for models: tied if one table makes pairs equal, untied if two tables make them differ. */
const signColor = (mode: ExplorerMode, equal: boolean): string => {
  if (mode === 'untied') return equal ? '' : 'is-untied';
  return equal ? 'is-tied' : '';
};

/** A name that stays on one line. */
const unbroken = (name = ''): string => name.replaceAll(' ', '\u00a0');

/** Each pair of tokens in both directions; equal means equal to the last bit. */
export function pairChecks({ texts, mode, names, view, path, cell }: Shown): TemplateResult {
  const count = names.length;
  const waiting = { rows: count, cols: count, data: new Float32Array(count * count).fill(Number.NaN) };
  const square = view === 'probabilities' ? path?.probabilities : path?.logits;
  const pairs = pairsOf(square ?? waiting);
  const name = (from: number, to: number): string =>
    (view === 'probabilities' ? texts.probability : texts.pair)(unbroken(names[from]), unbroken(names[to]));
  return html`
    <p class="part-title" id="checks">${texts.checksTitle}</p>
    <ul class="checks" aria-labelledby="checks">
      ${pairs.slice(0, mostPairs).map(({ from, to, forward, backward }) => {
        const known = !Number.isNaN(forward) && !Number.isNaN(backward);
        const equal = forward === backward;
        const [there, back] = known ? pairNumbers(forward, backward) : ['…', '…'];
        const pointed = cell !== null && Math.min(cell.row, cell.col) === from && Math.max(cell.row, cell.col) === to;
        return html`
          <li class=${pointed ? 'pointed' : ''}>
            <span class="side"><span class="pair minor">${name(from, to)}</span> <b>${there}</b></span>
            <span class="sign ${signColor(mode, equal)}" aria-hidden="true">${known ? (equal ? '=' : '≠') : ''}</span>
            <span class="visually-hidden">${known ? (equal ? texts.equal : texts.unequal) : ''}</span>
            <span class="side"><span class="pair minor">${name(to, from)}</span> <b>${back}</b></span>
          </li>
        `;
      })}
    </ul>
    ${pairs.length > mostPairs ? html`<p class="aside">${texts.more(pairs.length - mostPairs)}</p>` : nothing}
  `;
}
