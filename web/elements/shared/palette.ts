/**
 * Every color of the elements: [in light surroundings, in dark ones].
 *
 * Hues carry meaning and come from the color-blind-safe set of Okabe and Ito; each role also differs by dash, marker
 * or label. `…Text` is the same hue, dark (or light) enough for text: contrast of at least 4.5 : 1, tested.
 */
export const palette = {
  paper: ['#fdfcf9', '#15171b'],
  raised: ['#f5f3ee', '#1e2126'],
  ink: ['#1d1f22', '#e9e7e2'],
  muted: ['#5b5f66', '#a5a9b0'],
  rule: ['#dcd8cf', '#363a41'],
  control: ['#85817a', '#7d838c'],
  accent: ['#0065a0', '#6db9f0'],
  focus: ['#0065a0', '#8cc9f7'],
  error: ['#a3262a', '#ff9d97'],

  tied: ['#0072b2', '#4ba3e3'],
  tiedText: ['#0065a0', '#6db9f0'],
  untied: ['#d55e00', '#f58439'],
  untiedText: ['#ad4b00', '#ff9a57'],
  through: ['#009e73', '#2fbf95'],
  throughText: ['#00714f', '#46cfa6'],
  input: ['#56b4e9', '#9bd6fb'],
  inputText: ['#1f6f9c', '#9bd6fb'],
  output: ['#cc79a7', '#e5a3c8'],
  outputText: ['#97406f', '#eab1d0'],
  floor: ['#74777d', '#949aa3'],
  floorText: ['#5b5f66', '#a5a9b0'],

  // Matrices have separate hues, so that a positive entry is never mistaken for "tied".
  positive: ['#43388c', '#b3a8ff'],
  negative: ['#a06a00', '#e3ac4a'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type ColorName = keyof typeof palette;

/** 'tiedText' -> 'tied-text' */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The property with which a page changes a color: `--tied-color-paper`. */
export const publicColorProperty = (name: ColorName): string => `--tied-color-${kebab(name)}`;

/** The property that the elements' styles use: `--t-paper`. */
export const colorProperty = (name: ColorName): string => `--t-${kebab(name)}`;
