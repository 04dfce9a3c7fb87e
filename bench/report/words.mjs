// Printed numbers: three digits, with their unit.

/** Three significant digits, with thousands separators from 10,000. */
export function number(value) {
  if (!Number.isFinite(value)) return '-';
  const digits = value === 0 ? 2 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(digits, 6));
  return Math.abs(value) >= 10000 ? Number(text).toLocaleString('en-US') : text;
}

/** A fraction as a percentage. */
export const percent = (value) => (Number.isFinite(value) ? `${Math.round(100 * value)}%` : '-');

/** Seconds in a suitable unit. */
export function time(seconds) {
  if (!Number.isFinite(seconds)) return '-';
  for (const [unit, size] of Object.entries({ s: 1, ms: 1e-3 })) {
    if (seconds >= size) return `${number(seconds / size)} ${unit}`;
  }
  return `${number(seconds / 1e-6)} us`;
}

/** Operations per second. */
export const giga = (rate) => `${number(rate / 1e9)} GFLOP/s`;

/** Aligned columns: the first to the left, the others to the right, each as wide as necessary. */
export function columns(rows) {
  const widths = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  );
}
