import { formatCompact, formatNumber } from '../../charts/number-format.js';

/** Formats bytes, seconds and large counts. */

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** In powers of 1000, with three digits: 65536000 -> "65.5 MB". */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Values that would round up to 1000 use the next unit.
  while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = value >= 999.5 ? formatNumber(value, { decimals: 0 }) : formatNumber(value, { significant: 3 });
  return `${text}\u00a0${byteUnits[unit] ?? ''}`;
}

const timeUnits = [
  [365.25 * 86_400, 'years'],
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
] as const;

/** 0.0134 -> "13.4 ms". */
export function secondsText(seconds: number): string {
  const [size, name] = timeUnits.find(([unit]) => seconds >= unit * 0.9995) ??
    timeUnits[timeUnits.length - 1] ?? [1, 's'];
  // "90 s" is easier to read than "1.5 minutes".
  const [unit, label] = size === 60 && seconds < 120 ? [1, 's'] : [size, name];
  return `${formatNumber(seconds / unit, { significant: 3 })}\u00a0${label}`;
}

/** "67.1B", "3.46T", "0". */
export function macsText(macs: number): string {
  const decimals = macs >= 1e15 || macs < 1000 ? 0 : 1;
  return macs >= 1e18 ? formatNumber(macs) : formatCompact(macs, { decimals });
}

/** Percentages that may be tiny: "31.2", "2", "0.03", "< 0.01". */
export function percentText(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '0';
  if (percent < 0.01) return '<\u00a00.01';
  return formatNumber(percent, { significant: percent >= 10 ? 3 : 2 });
}
