import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { Chain } from './chain.js';
import { percentInWords } from './percent.js';
import { letters, nextLetters, weakestStep } from './road.js';
import { alphabet, demandsOf } from './tasks.js';

/** The alphabet's probabilities as columns, one for each letter. As high as the bars of the words: letters below, a title above. */

const height = 93;
const at = (column: number, of: number): string => `${((100 * (column + 0.5)) / of).toFixed(2)}%`;
const down = (share: number): string => (height * (1 - share)).toFixed(1);
const goal = demandsOf(alphabet)[0]!.least!;

/** A column for each letter of the alphabet; a letter without a share has none. */
function columns(shares: readonly number[], met: (share: number) => boolean, label: string): TemplateResult {
  const column = (share: number, letter: number): SVGTemplateResult => svg`
    <line class="column ${met(share) ? 'met' : ''}" x1=${at(letter, letters.length)} x2=${at(letter, letters.length)}
      y1=${height} y2=${down(share)}></line>
  `;
  return html`
    <svg class="columns" role="img" aria-label=${label} width="100%" height=${height + 17}>
      <line class="rail" x1="0" x2="100%" y1=${height} y2=${height}></line>
      ${shares.map(column)}
      ${letters.map(
        (letter, place) =>
          svg`<text x=${at(place, letters.length)} y=${height + 13} text-anchor="middle">${letter}</text>`,
      )}
    </svg>
  `;
}

/** How often the next letter follows, with the line that each has to reach. */
export function nextColumns(chain: Chain): TemplateResult {
  const steps = nextLetters(chain);
  const weakest = weakestStep(chain);
  const enough = steps.filter((share) => share >= goal).length;
  const label = `${enough} of ${steps.length} reach ${100 * goal}%; the least: ${letters[weakest + 1]!} after ${letters[weakest]!}, ${percentInWords(steps[weakest]!)}`;
  return html`
    <p class="part-title">How often the next letter follows</p>
    <div class="over">
      ${columns(steps, (share) => share >= goal, label)}
      <svg class="columns" aria-hidden="true" width="100%" height=${height + 17}>
        <line
          class="goal ${enough === steps.length ? 'met' : ''}"
          x1="0"
          x2="100%"
          y1=${down(goal)}
          y2=${down(goal)}
        ></line>
      </svg>
    </div>
  `;
}

/** How often each letter follows itself. */
export function ownColumns({ next }: Chain): TemplateResult {
  const own = letters.map((_, letter) => next[letter]![letter]!);
  const most = own.indexOf(Math.max(...own));
  return html`
    <p class="part-title">How often a letter follows itself</p>
    ${columns(own, () => false, `Most often ${letters[most]!}, ${percentInWords(own[most]!)}`)}
  `;
}
