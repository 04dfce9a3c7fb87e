import { escapeHtml } from './format.mjs';
import { drawNames, namedRow } from './model-names.mjs';

/**
 * Rows of marks on one axis, in which every run is a dot. Positions are percentages of the width, so letters and dots
 * have the same size at every screen width.
 */

const at = (value, [low, high]) => `${Number(((100 * (value - low)) / (high - low)).toFixed(1))}%`;

const plainRow = { height: 26, middle: 13 };

/** Shapes differ, so nothing depends on color alone. */
const shapes = {
  dot: (x, y, className) => `<circle class="dot ${className}" cx="${x}" cy="${y}"/>`,
  ring: (x, y, className) => `<circle class="ring ${className}" cx="${x}" cy="${y}" r="5.5"/>`,
  zero: (x) => `<line class="rail" x1="${x}" x2="${x}" y1="0" y2="100%"/>`,
  bar: (x, y, className) => `<line class="bar ${className}" x1="${x}" x2="${x}" y1="${y - 9}" y2="${y + 9}"/>`,
};

function line({ marks, span, names, side }, domain) {
  const { height, middle } = names === undefined ? plainRow : namedRow[side];
  const parts = [`<line class="rail" x1="0" x2="100%" y1="${middle}" y2="${middle}"/>`];
  if (span !== undefined) {
    const [from, to] = span.map((value) => at(value, domain));
    parts.push(`<line class="span" x1="${from}" x2="${to}" y1="${middle}" y2="${middle}"/>`);
  }
  if (names !== undefined) parts.push(drawNames(names, side));
  for (const { shape, value, className = '', title } of marks) {
    const mark = shapes[shape](at(value, domain), middle, className);
    parts.push(title === undefined ? mark : mark.replace('/>', `><title>${escapeHtml(title)}</title></circle>`));
  }
  return `<svg class="strip-line" height="${height}" aria-hidden="true">${parts.join('')}</svg>`;
}

function axis({ ticks, domain, write, title }) {
  const anchor = (index) => (index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle');
  const labels = ticks.map((tick, index) => {
    const x = at(tick, domain);
    return `<line class="rail" x1="${x}" x2="${x}" y1="0" y2="5"/><text x="${x}" y="20" text-anchor="${anchor(index)}">${write(tick)}</text>`;
  });
  return `<div class="strip-axis"><svg class="strip-line" height="26" aria-hidden="true">${labels.join('')}</svg><p>${title}</p></div>`;
}

const keyOf = (entries) =>
  `<p class="strip-key">${entries
    .map(
      ({ shape, className = '', text }) =>
        `<span><svg class="strip-sign" width="20" height="26" aria-hidden="true">${shapes[shape]('50%', plainRow.middle, className)}</svg>${text}</span>`,
    )
    .join(' ')}</p>`;

/**
 * `rows`: { label, note?, value, marks: { shape, value, className?, title? }[], span?: [from, to], names?, side? }[]; `label`, `note` and `value`
 * are HTML, a note is a sentence about its row, and `names` are drawn by `model-names.mjs`, on one side of the dots.
 * `summary` replaces the drawing for screen readers; its numbers belong in a table beside it.
 */
export function strips({ rows, domain, ticks, write, title, key = [], summary }) {
  const body = rows.map(
    (row) =>
      `<div class="strip${row.side === undefined ? '' : ` named ${row.side}`}"><p class="strip-label">${row.label}${row.note === undefined ? '' : ` <span class="strip-note">${row.note}</span>`}</p>${line(row, domain)}<p class="strip-value">${row.value}</p></div>`,
  );
  return `<div class="strips" role="img" aria-label="${escapeHtml(summary)}">
${key.length === 0 ? '' : keyOf(key)}
${body.join('\n')}
${axis({ ticks, domain, write, title })}
</div>`;
}
