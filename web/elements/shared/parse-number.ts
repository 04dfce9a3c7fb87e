/**
 * Parses typed numbers: "50,000", "50 000", "−0.5", "50k", "1.5M", "1e6". Null for anything else. A comma is a
 * thousands separator only at such a position, otherwise the decimal point.
 */
export function parseNumber(text: string): number | null {
  let cleaned = text
    .trim()
    .replace(/[\s\u00a0\u2009\u202f_']/g, '')
    .replace(/[\u2212\u2013]/g, '-');
  const suffix = /[kKmMbB]$/.exec(cleaned)?.[0].toLowerCase() ?? '';
  if (suffix !== '') cleaned = cleaned.slice(0, -1);
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(cleaned)) cleaned = cleaned.replace(/,/g, '');
  else cleaned = cleaned.replace(/^([-+]?\d*),(\d+)$/, '$1.$2');
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(cleaned)) return null;
  const value = Number(cleaned) * ({ k: 1e3, m: 1e6, b: 1e9 }[suffix] ?? 1);
  return Number.isFinite(value) ? value : null;
}
