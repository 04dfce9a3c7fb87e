import { html, type TemplateResult } from 'lit';

const e = (index: string): TemplateResult => html`<var>e</var><sub>${index}</sub>`;
const f = (index: string): TemplateResult => html`<var>f</var><sub>${index}</sub>`;
const s = html`<var>s</var>`;

/**
 * With A = E Eᵀ, exp(A) is a matrix of dot products (Schur), f_i · f_j; then P(i|i) = f_i·f_i / f_i·s and π_i = f_i·s / s·s, where s
 * sums all f, and Cauchy and Schwarz do the rest. An output bias b only makes each f longer, by exp(b).
 */
export const proof = html`
  <ol class="lines">
    <li>
      Scores are dot products, and so are their exponentials:
      <span class="formula">exp(${e('i')} · ${e('j')}) = ${f('i')} · ${f('j')}</span> for some longer vectors
      <var>f</var>, because powers and sums of dot products are dot products again.
    </li>
    <li>
      With ${s} the sum of all <var>f</var>, token <var>i</var> follows itself
      <span class="formula">(${f('i')} · ${f('i')}) / (${f('i')} · ${s})</span> of the time and occurs
      <span class="formula">(${f('i')} · ${s}) / (${s} · ${s})</span> of the time.
    </li>
    <li>
      <span class="formula">(${f('i')} · ${s})<sup>2</sup> ≤ (${f('i')} · ${f('i')}) (${s} · ${s})</span>
      by Cauchy and Schwarz, so the first is never less than the second.
    </li>
  </ol>
`;

export const howToRead = html`
  <p class="aside how">
    The more two arrows point the same way, the higher their score, in both orders; length multiplies it. The upper bars
    say how often a token follows another, the lower ones how often it follows itself, with a wall at its share of the
    text.
  </p>
`;

export const howToReadRoad = html`
  <p class="aside how">
    Between <i>a</i> and <i>z</i>, each row is turned and lengthened as the one before. The more two rows point the same
    way, the higher their score, in both orders; length multiplies it.
  </p>
`;

/** What a map changes; with some arrows and turns, also that the tokens go round. */
export const mapNote = (goesRound: boolean): TemplateResult => html`
  <p class="aside">
    ${goesRound ? 'The three go around, as no symmetric scores let them.' : html`Dashed: the rows, turned by <var>M</var>.`}
    The score is now <span class="formula">${e('i')} · <var>M</var>${e('j')}</span>: the proof fails in its first line.
  </p>
`;
