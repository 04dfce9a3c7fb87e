/**
 * Elementary functions that have the same bits in every engine. JavaScript leaves the last bits of its own to the engine, except
 * for the square root; these use only operations that IEEE 754 rounds in one way. Errors are below one unit in the last place (sinh:
 * two), compared with values of more digits. Sums are nested Taylor series after an exact reduction of the argument, as in fdlibm
 * (Sun Microsystems, 1993), whose reductions and final sums these are.
 */

const bits = new DataView(new ArrayBuffer(8));

/** 2^n for whole n from -1022 to 1023. */
export function powerOfTwo(n: number): number {
  bits.setUint32(0, (n + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** x > 0, finite, as significand · 2^exponent, 1 <= significand < 2. */
function partsOf(x: number): { significand: number; exponent: number } {
  const isSubnormal = x < 2.2250738585072014e-308;
  bits.setFloat64(0, isSubnormal ? x * 18014398509481984 : x);
  const head = bits.getUint32(0);
  bits.setUint32(0, (head & 0xfffff) | 0x3ff00000);
  return { significand: bits.getFloat64(0), exponent: (head >>> 20) - (isSubnormal ? 1077 : 1023) };
}

/** The largest n with 2^n <= x, for a finite x > 0. */
export const exponentOf = (x: number): number => partsOf(x).exponent;

/** ln 2 in two parts; a product of the first, of 33 bits, with an integer below 2^20 is exact. */
const LN2_HIGH = 0.6931471804855391;
const LN2_LOW = 7.440617110012397e-11;

/** e^x. */
export function exp(x: number): number {
  if (!(x < 709.7827128933841)) return x + Infinity;
  if (x < -745.1332191019412) return 0;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const high = x - k * LN2_HIGH;
  const rest = high - k * LN2_LOW;
  const lost = high - rest - k * LN2_LOW;
  // 1 + r + r²/2 (1 + r/3 (1 + r/4 ...)), |r| <= 0.347.
  let series = 1;
  for (let n = 14; n > 2; n--) series = 1 + (rest / n) * series;
  const value = 1 + (rest + (lost + ((rest * rest) / 2) * series));
  // In two steps: 2^k itself may be no normal number.
  const half = k >> 1;
  return value * powerOfTwo(half) * powerOfTwo(k - half);
}

/** ln(x + lost), where `lost` is far below x. */
function logOfSum(x: number, lost: number): number {
  const { significand, exponent } = partsOf(x);
  const isLarge = significand > Math.SQRT2;
  const k = exponent + Number(isLarge);
  // ln(1 + f) = 2 artanh(s) with s = f / (2 + f), and 2 s = f - f²/2 + s f²/2.
  const f = (isLarge ? significand / 2 : significand) - 1;
  const s = f / (2 + f);
  const z = s * s;
  let series = 0;
  for (let n = 21; n > 1; n -= 2) series = z * (2 / n + series);
  const half = (f * f) / 2;
  return k * LN2_HIGH - (half - (s * (half + series) + (k * LN2_LOW + lost / x)) - f);
}

/** ln x; -Infinity for 0, NaN below. */
export function log(x: number): number {
  if (x === 0) return -Infinity;
  if (!(x > 0 && x < Infinity)) return x > 0 ? x : NaN;
  return logOfSum(x, 0);
}

/** ln(1 + x), also where 1 + x would round to 1. */
export function log1p(x: number): number {
  if (!(x > -1 && x < 9007199254740992)) return log(1 + x);
  const sum = 1 + x;
  // Zero keeps its sign.
  return x === 0 ? x : logOfSum(sum, x < 1 ? x - (sum - 1) : 1 - (sum - x));
}

/** (e^x - e^-x) / 2. */
export function sinh(x: number): number {
  const size = Math.abs(x);
  if (!(size < 3)) {
    // e^x may be too large where half of it is not.
    const value = size < 709 ? exp(size) / 2 - exp(-size) / 2 : exp(size - 1) * (Math.E / 2);
    return x < 0 ? -value : value;
  }
  let series = 0;
  for (let n = 32; n > 1; n -= 2) series = ((x * x) / (n * (n + 1))) * (1 + series);
  return x + x * series;
}

/** π/2 in three parts; products of the first two with an integer below 2^20 are exact. */
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;

/** x - q π/2 as the sum of two numbers, and q. Accurate to |x| = 2^19. */
function quadrantOf(x: number): { quadrant: number; rest: number; lost: number } {
  const quadrant = Math.floor((x * 2) / Math.PI + 0.5);
  const first = x - quadrant * HALF_PI[0];
  const second = first - quadrant * HALF_PI[1];
  const error = quadrant * HALF_PI[2] - (first - second - quadrant * HALF_PI[1]);
  const rest = second - error;
  return { quadrant, rest, lost: second - rest - error };
}

function sineOf(x: number, lost: number): number {
  const square = x * x;
  let series = 0;
  for (let n = 18; n > 1; n -= 2) series = (-square / (n * (n + 1))) * (1 + series);
  return x + (lost * (1 - square / 2) + x * series);
}

function cosineOf(x: number, lost: number): number {
  const square = x * x;
  let series = 0;
  for (let n = 20; n > 2; n -= 2) series = (-square / (n * (n - 1))) * (1 + series);
  const half = square / 2;
  const value = 1 - half;
  return value + (1 - value - half - (half * series + x * lost));
}

function turned(x: number, turns: number): number {
  // Beyond, the rest of the division by π/2 is not exact.
  if (!(Math.abs(x) <= 524288)) return NaN;
  const { quadrant, rest, lost } = quadrantOf(x);
  const place = (quadrant + turns) & 3;
  const value = place % 2 === 0 ? sineOf(rest, lost) : cosineOf(rest, lost);
  return place > 1 ? -value : value;
}

/** NaN if |x| is above 2^19. */
export const sin = (x: number): number => (x === 0 ? x : turned(x, 0));
/** NaN if |x| is above 2^19. */
export const cos = (x: number): number => turned(x, 1);

/** Centers c, and arctan c in two parts. */
const CENTERS = [
  [0, 0, 0],
  [0.5, 0.4636476090008061, 2.2698777452961687e-17],
  [1, 0.7853981633974483, 3.061616997868383e-17],
  [1.5, 0.982793723247329, 1.3903311031230998e-17],
  [2, 1.1071487177940904, 9.40447137356638e-17],
] as const;

/** arctan x. */
export function atan(x: number): number {
  const size = Math.abs(x);
  if (!(size > 0)) return x;
  const isFar = size >= 2.25;
  const [center, angle, angleLost] = isFar
    ? [0, 1.5707963267948966, 6.123233995736766e-17]
    : CENTERS[Math.round(size * 2)]!;
  // arctan x = arctan c + arctan((x - c) / (1 + c x)) = π/2 - arctan(1 / x).
  const t = isFar ? -1 / size : (size - center) / (1 + center * size);
  const square = t * t;
  let series = 0;
  for (let n = 51; n > 1; n -= 2) series = square * (1 / n - series);
  const value = angle - (t * series - angleLost - t);
  return x < 0 ? -value : value;
}

/** sqrt(x² + y²), for squares that are normal numbers or zero. */
export const hypot = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** x², whose bits `x ** 2` also leaves to the engine. */
export const square = (x: number): number => x * x;
