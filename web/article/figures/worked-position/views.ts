import { html, nothing, svg, type TemplateResult } from 'lit';
import type { NumberEvent } from '../../../elements/shared/number-field.js';
import { largest, similarities, tenthAt, width, type Place, type Position, type Worked } from './position.js';
import { exponential, hundredths, signed, signedThousandths, tenths, thousandths } from './steps.js';

/** What the table shows. */
export interface Shown {
  readonly position: Position;
  readonly worked: Worked;
  readonly step: number;
  /** The word whose arithmetic is written out. */
  readonly row: number;
  readonly change: (place: Place, value: number) => void;
  readonly point: (row: number) => void;
}

const columns = Array.from({ length: width }, (_, col) => col);

/** How strong a cell's color is, in tenths of the strongest, with the sign of the value. */
const level = (value: number, limit: number): string =>
  String(Math.sign(value) * Math.ceil(Math.min(1, Math.abs(value) / limit) * 10));

/** Of pulls the square root, so that a tenth is as visible as a whole. */
const pull = (value: number): string => level(Math.sign(value) * Math.sqrt(Math.abs(value)), 1);

/** A cell of a later step is empty. `look`: classes of the column's step, of its role and of its place. */
const cell = (
  { step }: Shown,
  from: number,
  look: string,
  content: TemplateResult | string,
  color?: string,
  other?: string,
): TemplateResult => html`
  <td
    class=${`${look} ${step < from ? 'later' : ''}`}
    data-level=${step < from ? nothing : (color ?? nothing)}
    data-other=${step < from ? nothing : (other ?? nothing)}
  >
    ${step < from ? nothing : content}
  </td>
`;

const field = ({ position, change }: Shown, place: Place): TemplateResult => {
  const name = place.row === 'h' ? 'h' : position.words[place.row]!;
  return html`<tied-number-field
    hide-label
    .label=${`${name}, ${place.col + 1} of ${width}`}
    .value=${tenthAt(position, place) / 10}
    .min=${-largest / 10}
    .max=${largest / 10}
    .step=${0.1}
    .decimals=${1}
    @tied-number=${(event: NumberEvent) => change(place, event.detail.value)}
  ></tied-number-field>`;
};

/** A share as a bar below its number. */
const bar = (text: string, share: number): TemplateResult => html`
  ${text}<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<path d=${`M0 2H${(100 * share).toFixed(1)}`}></path>`}
  </svg>
`;

/** Whose pull a row of a gradient is. */
type Pulled = 'write' | 'read-part' | 'both';

const gradientCells = (shown: Shown, pulled: Pulled, row: number, matrix: readonly number[]): TemplateResult[] =>
  columns.map((col) => {
    const { writing, reading } = shown.worked;
    const at = (of: readonly number[]): number => of[row * width + col]!;
    const colors = pulled === 'both' ? [pull(at(writing)), pull(at(reading))] : [pull(at(matrix))];
    return cell(shown, 6, `s6 c${col} ${pulled}`, signed(at(matrix)), ...colors);
  });

const wordRow = (shown: Shown, word: string, row: number): TemplateResult => {
  const { position, worked } = shown;
  const { oneHot, logits, exponentials, sum, probabilities, wanted, residuals, total } = worked;
  const isRead = row === position.read;
  const of = (matrix: readonly number[], col: number): number => matrix[row * width + col]!;
  const looks = [isRead && 'read', row === position.target && 'target', row === shown.row && 'pointed'];
  return html`
    <tr
      class=${looks.filter(Boolean).join(' ')}
      @pointerenter=${() => shown.point(row)}
      @focusin=${() => shown.point(row)}
    >
      <th scope="row">${word}</th>
      ${cell(shown, 1, 's1', String(oneHot[row]!))}
      ${columns.map((col) => cell(shown, 1, `se element c${col}`, field(shown, { row, col }), level(of(position.table, col), 20)))}
      ${cell(shown, 3, 's3 first', hundredths(logits[row]!), level(logits[row]!, 4))}
      ${cell(shown, 4, 's4 first', bar(exponential(exponentials[row]!), exponentials[row]! / Math.max(...exponentials)))}
      ${cell(shown, 4, 's4 s5', bar(thousandths(probabilities[row]!), exponentials[row]! / sum))}
      ${cell(shown, 5, 's5 first', String(wanted[row]!))}
      ${cell(shown, 5, 's5 s6 write', signedThousandths(residuals[row]!), pull(residuals[row]!))}
      ${gradientCells(shown, isRead ? 'both' : 'write', row, total)}
    </tr>
  `;
};

/** The sums below the table: row + layers = h on the left, writing + reading = gradient on the right. */
const sumRows = (shown: Shown): TemplateResult => {
  const { position, worked } = shown;
  const { words, read, layers } = position;
  const { row, sum, writing, reading, total } = worked;
  const left = (
    from: number,
    look: string,
    content: (col: number) => TemplateResult | string,
    color: (col: number) => number,
  ) => columns.map((col) => cell(shown, from, `se ${look} c${col}`, content(col), level(color(col), 2)));
  const right = (look: Pulled, name: TemplateResult | string, matrix: readonly number[]) => html`
    <td class="s6 label ${shown.step < 6 ? 'later' : ''}">${shown.step < 6 ? nothing : name}</td>
    ${gradientCells(shown, look, read, matrix)}
  `;
  const between = (e: TemplateResult | typeof nothing, p: TemplateResult | typeof nothing) => html`
    <td class="s3 first"></td>
    <td class="s4 first sum">${shown.step < 4 ? nothing : e}</td>
    <td class="s4 s5 sum">${shown.step < 4 ? nothing : p}</td>
    <td class="s5 first"></td>
  `;
  const name = (from: number, text: TemplateResult | string) => html`
    <th scope="row" class="of-vector"><span class=${shown.step < from ? 'later' : ''}>${text}</span></th>
    <td class="s1"></td>
  `;
  return html`
    <tbody class="sums">
      <tr>
        ${name(1, html`row of <i>${words[read]!}</i>`)}
        ${left(
          1,
          'copied',
          (col) => tenths(row[col]!),
          (col) => row[col]!,
        )}
        ${between(nothing, nothing)} ${right('write', 'writing', writing)}
      </tr>
      <tr>
        ${name(2, '+ layers')}
        ${left(
          2,
          'added',
          (col) => tenths(layers[col]! / 10),
          (col) => layers[col]! / 10,
        )}
        ${between(nothing, nothing)} ${right('read-part', '+ reading', reading)}
      </tr>
      <tr class="hidden-state">
        ${name(2, html`= <var>h</var>`)}
        ${left(
          2,
          'element',
          (col) => field(shown, { row: 'h', col }),
          (col) => worked.hidden[col]!,
        )}
        ${between(html`Σ ${exponential(sum)}`, html`Σ 1`)} ${right('both', html`= <i>${words[read]!}</i>`, total)}
      </tr>
    </tbody>
  `;
};

/** All six steps in one table, from left to right; a narrow figure shows the columns of the step. */
export const workTable = (shown: Shown): TemplateResult => html`
  <table class="work" data-step=${shown.step}>
    <thead>
      <tr>
        <td rowspan="2"></td>
        <th scope="col" rowspan="2" class="s1 n1">one-hot</th>
        <th scope="colgroup" rowspan="2" class="se n2" colspan=${width}>
          table <var>W</var>, one row per word: drag a number
        </th>
        <th scope="col" rowspan="2" class="s3 first n3">logit <var>z</var></th>
        <th scope="col" rowspan="2" class="s4 first n4">
          e<sup><var>z</var></sup>
        </th>
        <th scope="col" rowspan="2" class="s4 s5 n4"><var>p</var></th>
        <th scope="col" rowspan="2" class="s5 first n5">target <var>y</var></th>
        <th scope="col" rowspan="2" class="s5 s6 n5"><var>p</var> − <var>y</var></th>
        <th scope="colgroup" class="s6 n6" colspan=${width}>gradient of <var>W</var>: times <var>h</var></th>
      </tr>
      <tr class="times">
        ${columns.map((col) =>
          shown.step < 6
            ? html`<td class=${`s6 c${col} later`}></td>`
            : html`<th scope="col" class=${`s6 c${col}`}>${tenths(shown.worked.hidden[col]!)}</th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${shown.position.words.map((word, row) => wordRow(shown, word, row))}
    </tbody>
    ${sumRows(shown)}
  </table>
`;

/** Rows of the table and h, each with each. */
export function similarityTable(position: Position, kind: 'dot' | 'cosine'): TemplateResult {
  const names = [...position.words, 'h'];
  const values = similarities(position, kind);
  const limit = kind === 'cosine' ? 1 : Math.max(0.01, ...values.map(Math.abs));
  const last = names.length - 1;
  const side = (row: number, col: number): string => (row === last || col === last ? 'of-h' : '');
  return html`
    <table class="similar">
      <caption>
        ${kind === 'dot' ? 'Dot products' : 'Cosines'} of all rows and of
        <var>h</var>
      </caption>
      <thead>
        <tr>
          <td></td>
          ${names.map((name, col) => html`<th scope="col" class=${side(-1, col)}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${names.map(
          (name, row) => html`
            <tr class=${side(row, -1)}>
              <th scope="row">${name}</th>
              ${names.map((_, col) => {
                const value = values[row * names.length + col]!;
                return html`<td
                  class=${`${side(row, col)} ${row === col ? 'diagonal' : ''}`}
                  data-level=${Number.isNaN(value) ? nothing : level(value, limit)}
                >
                  ${Number.isNaN(value) ? '–' : hundredths(value)}
                </td>`;
              })}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
