import { html, nothing, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { marksOf, type Example, type Moment } from './history.js';
import type { Seq2seqStrings } from './seq2seq.strings.js';

interface ExamplesOptions {
  readonly texts: Seq2seqStrings;
  readonly examples: readonly Example[];
  /** The moments that are shown, of one model. */
  readonly moments: readonly Moment[];
  /** The chosen example, from 0, and the chosen moment. */
  readonly chosen: number;
  readonly moment: Moment;
  readonly onChoose: (example: number) => void;
}

/** Each example, with what the model wrote after some steps. */
export const exampleList = ({ texts, examples, moments, chosen, moment, onChoose }: ExamplesOptions): TemplateResult =>
  html`<ul class="examples">
    ${examples.map(
      ({ source, target }, index) => html`
        <li>
          <button
            type="button"
            class="line-button"
            aria-pressed=${index === chosen ? 'true' : 'false'}
            @click=${() => onChoose(index)}
          >
            ${texts.example(source, target)}<span class="visually-hidden">${texts.showsAttention}</span>
          </button>
          <ol>
            ${moments.map(
              (one) =>
                html`<li class=${one === moment ? 'now' : nothing}>
                  <small>${texts.atStep(formatWhole(one.step))}</small>
                  ${writtenWords(texts, one.written[index]?.text ?? '', target)}
                </li>`,
            )}
          </ol>
        </li>
      `,
    )}
  </ul>`;

/** Wrong characters are underlined, and a sign says whether everything is right. */
function writtenWords(texts: Seq2seqStrings, written: string, target: string): TemplateResult {
  const right = written === target;
  return html`<span class="written"
      >${
        written === ''
          ? html`<i>${texts.nothing}</i>`
          : marksOf(written, target).map(({ text, right }) => (right ? text : html`<u>${text}</u>`))
      }</span
    >
    <span class=${right ? 'right' : 'wrong'} role="img" aria-label=${right ? texts.right : texts.wrong}
      >${right ? '✓' : '✗'}</span
    >`;
}
