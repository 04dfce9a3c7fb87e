/**
 * Maps numbers to colors. Colors are mixed in OKLab, where equal steps look equal; the caller supplies them, because
 * it knows whether the surroundings are light or dark. OKLab: B. Ottosson, "A perceptual color space for image
 * processing", 2020.
 */

export type Rgb = readonly [red: number, green: number, blue: number];

/** '#0072b2', '#07b', 'rgb(0, 114, 178)', 'rgb(0 114 178 / 1)', 'color(srgb 0 0.45 0.7)' -> channels 0 to 255. */
export function parseColor(text: string): Rgb {
  const trimmed = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(trimmed)?.[1];
  if (hex !== undefined) {
    const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const unit = trimmed.startsWith('color(srgb ') ? 255 : trimmed.startsWith('rgb') ? 1 : 0;
  const numbers = trimmed.replace('color(srgb', '').match(/[\d.]+(?:e-?\d+)?/g);
  if (unit === 0 || numbers === null || numbers.length < 3) {
    throw new RangeError(`color is ${JSON.stringify(text)}; expected #rgb, #rrggbb, rgb(...) or color(srgb ...)`);
  }
  return numbers.slice(0, 3).map((channel) => Number(channel) * unit) as unknown as Rgb;
}

const toLinear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const fromLinear = (light: number): number => {
  const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, share)) * 255);
};

type Lab = readonly [number, number, number];

function toOklab([red, green, blue]: Rgb): Lab {
  const r = toLinear(red);
  const g = toLinear(green);
  const b = toLinear(blue);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** `share` 0 = first, 1 = second. */
export function mixColors(first: Rgb, second: Rgb, share: number): Rgb {
  const from = toOklab(first);
  const to = toOklab(second);
  return fromOklab(
    [0, 1, 2].map((at) => (from[at] ?? 0) + ((to[at] ?? 0) - (from[at] ?? 0)) * share) as unknown as Lab,
  );
}

export const colorText = ([red, green, blue]: Rgb): string =>
  `rgb(${String(Math.round(red))}, ${String(Math.round(green))}, ${String(Math.round(blue))})`;

/** Relative luminance and contrast ratio as defined by WCAG 2. */
export const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);

export function contrast(first: Rgb, second: Rgb): number {
  const one = luminance(first);
  const two = luminance(second);
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

export interface ColorScale {
  readonly kind: 'diverging' | 'sequential';
  readonly domain: readonly [number, number];
  /** Not finite: the color of `missing`. Outside the domain: the color of its end. */
  color(value: number): Rgb;
}

/** Size of the lookup tables: more steps than an eye can distinguish. */
const steps = 128;

const table = (from: Rgb, to: Rgb): Rgb[] =>
  Array.from({ length: steps + 1 }, (_, at) => mixColors(from, to, at / steps));

/** Symmetric about zero: -limit is `negative`, 0 is `middle` (the background), +limit is `positive`. */
export function divergingScale(options: {
  limit: number;
  middle: Rgb;
  negative: Rgb;
  positive: Rgb;
  missing?: Rgb;
}): ColorScale {
  const { limit, middle, missing = middle } = options;
  const below = table(middle, options.negative);
  const above = table(middle, options.positive);
  return {
    kind: 'diverging',
    domain: [-limit, limit],
    color: (value) => {
      if (!Number.isFinite(value)) return missing;
      const share = limit > 0 ? Math.min(1, Math.abs(value) / limit) : 0;
      return (value < 0 ? below : above)[Math.round(share * steps)] ?? middle;
    },
  };
}

/** One hue from `from` at 0 (the background) to `to` at `limit`. */
export function sequentialScale(options: { limit: number; from: Rgb; to: Rgb; missing?: Rgb }): ColorScale {
  const { limit, from, missing = from } = options;
  const above = table(from, options.to);
  return {
    kind: 'sequential',
    domain: [0, limit],
    color: (value) => {
      if (!Number.isFinite(value)) return missing;
      const share = limit > 0 ? Math.min(1, Math.max(0, value / limit)) : 0;
      return above[Math.round(share * steps)] ?? from;
    },
  };
}

/**
 * The strongest mix from `paper` toward `end` on which `ink` has a contrast of at least `least`, so numbers on
 * all colors can share one ink.
 */
export function softened(paper: Rgb, end: Rgb, ink: Rgb, least = 4.5): Rgb {
  let share = 1;
  while (share > 0 && contrast(mixColors(paper, end, share), ink) < least) share -= 1 / 64;
  return mixColors(paper, end, Math.max(0, share));
}
