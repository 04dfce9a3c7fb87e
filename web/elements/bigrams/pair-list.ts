import { html, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { BigramsStrings } from './bigrams.strings.js';
import type { OneWayPair } from './measured-text.js';

/** A pair of tokens, as ids. */
export type Pointed = Pick<OneWayPair, 'from' | 'to'>;

/** "q → u 100 times, u → q never" */
export function pairSentence(texts: BigramsStrings, name: (id: number) => string, pair: OneWayPair): string {
  const [there, back] = [pair.forward, pair.backward].map((count) => texts.times(formatWhole(count)));
  const [from, to] = [name(pair.from), name(pair.to)];
  if (pair.from === pair.to) return texts.twice(from, there!);
  return texts.pair(texts.arrow(from, to), there!, texts.arrow(to, from), back!);
}

/** The strongest one-way pairs: both counts as words and as bars; pressing a pair points at it in the map. */
export function pairList(options: {
  readonly texts: BigramsStrings;
  readonly pairs: readonly OneWayPair[];
  readonly name: (id: number) => string;
  readonly pointed: Pointed | null;
  readonly onPoint: (pair: Pointed) => void;
}): TemplateResult {
  const { texts, pairs, name, pointed, onPoint } = options;
  const most = Math.max(1, ...pairs.map(({ forward }) => forward));
  const bar = (count: number): number => (count === 0 ? 0 : Math.max(0.5, (100 * count) / most));
  const item = ({ from, to, forward, backward }: OneWayPair): TemplateResult =>
    html`<li>
      <button
        type="button"
        class="line-button"
        aria-pressed=${pointed?.from === from && pointed.to === to ? 'true' : 'false'}
        @click=${() => onPoint({ from, to })}
      >
        <b>${texts.arrow(name(from), name(to))}</b>
        <span class="times">${texts.times(formatWhole(forward))}, ${texts.back(formatWhole(backward))}</span>
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="there" width=${bar(forward)} height="4"></rect>
          <rect class="back" width=${bar(backward)} height="4"></rect>
        </svg>
      </button>
    </li>`;
  return html`
    <p class="part-title" id="pairs">${texts.pairsTitle}</p>
    ${
      pairs.length === 0
        ? html`<p>${texts.noPairs}</p>`
        : html`<ol class="pairs" aria-labelledby="pairs">
            ${pairs.map(item)}
          </ol>`
    }
  `;
}
