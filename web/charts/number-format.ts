/** Formats numbers for readers: true minus signs, grouped thousands, few significant digits. */

const minus = '\u2212';

export interface NumberFormat {
  /** Significant digits; default 3. Ignored if `decimals` is given. */
  significant?: number;
  /** Fixed digits after the decimal point. */
  decimals?: number;
  /** A plus sign before positive numbers. */
  plus?: boolean;
  /** BCP 47 tag for separators. Default 'en-US', so drawings do not depend on the machine. */
  locale?: string;
}

const cache = new Map<string, Intl.NumberFormat>();

function formatter(options: NumberFormat): Intl.NumberFormat {
  const { significant = 3, decimals, locale = 'en-US' } = options;
  const key = `${locale} ${String(decimals)} ${String(significant)}`;
  let found = cache.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat(
      locale,
      decimals === undefined
        ? { maximumSignificantDigits: significant }
        : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    );
    cache.set(key, found);
  }
  return found;
}

/** 0.05 -> "0.05", -1234.5 -> "−1,230", 1e-9 -> "1.00 × 10⁻⁹", NaN -> "not a number". */
export function formatNumber(value: number, options: NumberFormat = {}): string {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value < 0 ? `${minus}∞` : '∞';
  const size = Math.abs(value);
  let text =
    options.decimals === undefined && size !== 0 && (size < 1e-4 || size >= 1e15)
      ? scientific(size, options.significant ?? 3)
      : formatter(options).format(size);
  // Values that round to zero have no sign: "−0.00" would be confusing.
  const isZero = !/[1-9∞]/.test(text);
  if (value < 0 && !isZero) text = minus + text;
  else if (options.plus === true && !isZero) text = `+${text}`;
  return text;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(size: number, significant: number): string {
  const [digits = '0', exponent = '0'] = size.toExponential(significant - 1).split('e');
  const power = Number(exponent);
  const raised = [...String(Math.abs(power))].map((digit) => superscripts[Number(digit)] ?? '').join('');
  return `${digits} × 10${power < 0 ? '⁻' : ''}${raised}`;
}

/** Integers in full: 204800000 -> "204,800,000". Beyond 2^53, where a double lacks the last digits: "1.845 × 10¹⁹". */
export function formatWhole(value: number, locale = 'en-US'): string {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return formatNumber(value, { significant: 4, locale });
  return formatNumber(value, { decimals: 0, locale });
}

const units = [
  [1e15, ' quadrillion'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/**
 * 204,800,000 -> "204.8M", 786,432,000 -> "786.4M", 512 -> "512": one decimal of the largest fitting unit; beyond the
 * units, three digits and a power of ten.
 */
export function formatCompact(number: number, options: { decimals?: number; locale?: string } = {}): string {
  const { decimals = 1, locale = 'en-US' } = options;
  const size = Math.abs(number);
  if (size >= 1e18) return formatNumber(number, { locale });
  for (const [unit, suffix] of units) {
    // Half a digit less, so that 999,960 does not become "1000.0K".
    if (size >= unit - (unit / 1000) * 0.5 * 10 ** -decimals) {
      return formatNumber(number / unit, { decimals, locale }) + suffix;
    }
  }
  return formatNumber(number, { decimals: Number.isInteger(number) ? 0 : decimals, locale });
}
