import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../shared/controls.js';
import type { NumberEvent, RefusalEvent } from '../shared/number-field.js';
import { formatNumber } from '../../charts/number-format.js';
import { fewestTokens, largestEntry, longestName } from './explorer-state.js';
import type { Shown, TableActions, TableName } from './shown.js';

/** Why the name that was typed for a token is not used. */
export interface NameRefusal {
  readonly index: number;
  readonly text: string;
}

/** The editable table of one matrix: two entries per token, and a button that removes the token. */
export function matrixTable(options: {
  shown: Shown;
  which: TableName;
  /** Rows that the highlighted cell is computed from. */
  pointed: readonly number[];
  nameProblem: NameRefusal | null;
  /** A problem with a number of this table, or null. */
  entryProblem: string | null;
  actions: TableActions;
}): TemplateResult {
  const { shown, which, pointed, nameProblem, actions } = options;
  const { texts, names } = shown;
  const locked = shown.mode === 'random';
  // Only this table can add, remove and rename tokens.
  const ownsTokens = which === 'embedding';
  const rows = ownsTokens ? shown.embedding : shown.writing;
  const matrix = which === 'embedding' ? 'W_E' : 'W_U';
  const symbol = html`<var>W</var><sub>${which === 'embedding' ? 'E' : 'U'}</sub>`;
  const removable = ownsTokens && !locked && names.length > fewestTokens;
  return html`
    <table class="matrix ${which}">
      <caption class="part-title">
        ${symbol} ${ownsTokens ? texts.embeddingTitle : texts.unembeddingTitle}
      </caption>
      <thead>
        <tr>
          <th scope="col">${texts.token}</th>
          <th scope="col" class="number">${texts.dimension(0)}</th>
          <th scope="col" class="number">${texts.dimension(1)}</th>
          ${removable ? html`<td></td>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${names.map((name, index) => {
          const row = rows[index] ?? ([0, 0] as const);
          const field = (col: 0 | 1): TemplateResult =>
            locked
              ? html`<span class="fixed">${formatNumber(row[col], { decimals: 3 })}</span>`
              : html`<tied-number-field
                  hide-label
                  problem-elsewhere
                  @tied-refusal=${(event: RefusalEvent) => actions.refuse(event.detail === null ? null : { table: which, text: event.detail })}
                  .label=${texts.entry(matrix, name, col)}
                  .value=${row[col]}
                  .min=${-largestEntry}
                  .max=${largestEntry}
                  .step=${0.05}
                  .decimals=${3}
                  @tied-number=${(event: NumberEvent) => {
                    const { value } = event.detail;
                    actions.setRow(which, index, col === 0 ? [value, row[1]] : [row[0], value]);
                  }}
                ></tied-number-field>`;
          const invalid = nameProblem?.index === index;
          return html`
            <tr class=${pointed.includes(index) ? 'pointed' : ''}>
              <th scope="row">
                ${
                  ownsTokens && !locked
                    ? html`<input
                        class="name"
                        type="text"
                        autocomplete="off"
                        spellcheck="false"
                        maxlength=${longestName + 1}
                        aria-label=${texts.tokenName(index + 1)}
                        aria-invalid=${invalid ? 'true' : nothing}
                        aria-describedby=${invalid ? 'name-problem' : nothing}
                        .value=${name}
                        @change=${(event: Event) => {
                          const input = event.target as HTMLInputElement;
                          actions.rename(index, input.value.trim(), input);
                        }}
                      />`
                    : html`<span class="fixed-name">${name}</span>`
                }
              </th>
              <td class="number">${field(0)}</td>
              <td class="number">${field(1)}</td>
              ${
                removable
                  ? html`<td class="remove">
                      ${button({
                        label: texts.remove(name),
                        icon: 'remove',
                        iconOnly: true,
                        kind: 'quiet',
                        onPress: () => actions.remove(index),
                      })}
                    </td>`
                  : nothing
              }
            </tr>
          `;
        })}
      </tbody>
    </table>
    ${options.entryProblem === null ? nothing : html`<p class="problem">${options.entryProblem}</p>`}
    ${
      ownsTokens
        ? html`<div role="alert">
            ${nameProblem === null ? nothing : html`<p class="problem" id="name-problem">${nameProblem.text}</p>`}
          </div>`
        : nothing
    }
  `;
}
