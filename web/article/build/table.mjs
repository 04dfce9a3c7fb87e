import { escapeHtml, nats3 } from './format.mjs';

/** Building blocks of the page's tables. */

const cell = (content, { head = false, scope = 'col', className = '' } = {}) => {
  const attributes = `${head ? ` scope="${scope}"` : ''}${className === '' ? '' : ` class="${className}"`}`;
  return head ? `<th${attributes}>${content}</th>` : `<td${attributes}>${content}</td>`;
};

/**
 * `columns`: titles; all but the first are of numbers, unless `words` made the column. `rows`: content[][], where the first cell of each
 * row is its header.
 */
export function table({ name, columns, rows, className = '' }) {
  const column = (given, index) =>
    typeof given === 'string' ? { title: given, className: index === 0 ? '' : 'numeric' } : given;
  const made = columns.map(column);
  // An empty corner heads nothing.
  const head = made.map(({ title, className }) => cell(title, { head: title !== '', className })).join('');
  const body = rows
    .map((row) => {
      const cells = row.map((content, index) =>
        cell(content, { head: index === 0, scope: 'row', className: made[index].className }),
      );
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table-frame" role="region" aria-label="${escapeHtml(name)}">
<table${className === '' ? '' : ` class="${className}"`}><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

/** A decisive column. */
export const strong = (title) => ({ title, className: 'numeric strong' });
export const words = (title) => ({ title, className: '' });

export const token = (name) => `<i>${escapeHtml(name)}</i>`;

/** The losses of every seed and their mean; cells of seeds that were not run stay empty. */
export function seedTable({ name, head, rows }) {
  const most = Math.max(...rows.map(({ values }) => values.length));
  return table({
    name,
    className: 'seeds',
    columns: [
      head,
      strong('mean'),
      ...Array.from({ length: most }, (_, index) => `run ${index + 1}`),
    ],
    rows: rows.map(({ label, mean, values }) => [
      label,
      nats3(mean),
      ...Array.from({ length: most }, (_, index) => (values[index] === undefined ? '–' : nats3(values[index]))),
    ]),
  });
}
