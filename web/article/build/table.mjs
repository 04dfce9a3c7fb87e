import { escapeHtml, nats3 } from './format.mjs';

/** Building blocks of the page's tables. */

const cell = (content, { head = false, scope = 'col', className = '' } = {}) => {
  const attributes = `${head ? ` scope="${scope}"` : ''}${className === '' ? '' : ` class="${className}"`}`;
  return head ? `<th${attributes}>${content}</th>` : `<td${attributes}>${content}</td>`;
};

/**
 * `columns`: { title, numeric?, className? }[]; `rows`: content[][], where the first cell of each row is its header.
 */
export function table({ name, columns, rows, className = '' }) {
  const classOf = (column) => [column.numeric ? 'numeric' : '', column.className ?? ''].filter(Boolean).join(' ');
  const head = columns.map((column) => cell(column.title, { head: true, className: classOf(column) })).join('');
  const body = rows
    .map((row) => {
      const cells = row.map((content, index) =>
        cell(content, { head: index === 0, scope: 'row', className: classOf(columns[index]) }),
      );
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="table-frame" role="region" aria-label="${escapeHtml(name)}">
<table${className === '' ? '' : ` class="${className}"`}><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

export const token = (name) => `<i>${escapeHtml(name)}</i>`;

/** The losses of every seed and their mean; cells of seeds that were not run stay empty. */
export function seedTable({ name, head, rows }) {
  const most = Math.max(...rows.map(({ values }) => values.length));
  return table({
    name,
    className: 'seeds',
    columns: [
      { title: head },
      { title: 'mean', numeric: true, className: 'strong' },
      ...Array.from({ length: most }, (_, index) => ({ title: `run ${index + 1}`, numeric: true })),
    ],
    rows: rows.map(({ label, mean, values }) => [
      label,
      nats3(mean),
      ...Array.from({ length: most }, (_, index) => (values[index] === undefined ? '–' : nats3(values[index]))),
    ]),
  });
}
