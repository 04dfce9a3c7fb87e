import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/**
 * Source Serif 4 for prose (roman and italic), Source Sans 3 for interface and numbers: designed as a family,
 * maintained, under the SIL Open Font License, and subset to what English prose, digits and our drawings use. Noto Sans
 * Math, subset to the signs of our formulas, has the metrics by which browsers place subscripts and fractions; many
 * systems have no font that includes them.
 */
const require = createRequire(import.meta.url);

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
const characters = [...range(0x20, 0x7e), ...' –—‘’“”…·×−°½é'].join('');

/** Typographic features that the style sheets use, and those that shaping needs. */
const keepFeatures = ['kern', 'liga', 'lnum', 'tnum', 'pnum', 'mark', 'mkmk', 'ccmp', 'locl'];

const faces = [
  {
    family: 'Source Serif 4',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
    output: 'source-serif-4.woff2',
    style: 'normal',
    weight: { min: 400, max: 600 },
  },
  {
    family: 'Source Serif 4',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2',
    output: 'source-serif-4-italic.woff2',
    style: 'italic',
    weight: 400,
  },
  {
    family: 'Source Sans 3',
    file: '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
    output: 'source-sans-3.woff2',
    style: 'normal',
    weight: { min: 400, max: 650 },
  },
];

const mathFace = {
  family: 'Article Math',
  file: '@fontsource/noto-sans-math/files/noto-sans-math-latin-400-normal.woff2',
  output: 'math.woff2',
  style: 'normal',
  weight: 400,
};

/** Sources of the faces. */
export const fontPackages = [
  ...new Set([...faces, mathFace].map(({ file }) => file.split('/').slice(0, 2).join('/'))),
].sort();

/**
 * Font metrics in units of the em, as Capsize publishes them: ascent, descent and the average width of a letter of
 * English text.
 */
const metrics = {
  'Source Serif 4': { ascent: 1.036, descent: 0.335, width: 0.479 },
  'Source Sans 3': { ascent: 1.024, descent: 0.4, width: 0.418 },
  'Times New Roman': { width: 832 / 2048 },
  Arial: { width: 913 / 2048 },
};

/**
 * System fonts, scaled to the same widths and heights, so nothing moves when our fonts arrive. The wide ones are for
 * systems that have only DejaVu; their widths were measured on this page's text.
 */
const fallbacks = [
  {
    name: 'Source Serif 4 fallback',
    for: 'Source Serif 4',
    adjust: metrics['Source Serif 4'].width / metrics['Times New Roman'].width,
    local: ['Times New Roman', 'Liberation Serif', 'Tinos'],
  },
  { name: 'Source Serif 4 wide fallback', for: 'Source Serif 4', adjust: 0.93, weight: '200 500', local: ['DejaVu Serif'] },
  {
    name: 'Source Serif 4 wide fallback',
    for: 'Source Serif 4',
    style: 'italic',
    adjust: 0.841,
    weight: '200 500',
    local: ['DejaVu Serif Italic', 'DejaVu Serif'],
  },
  { name: 'Source Serif 4 wide fallback', for: 'Source Serif 4', adjust: 0.826, weight: '600 900', local: ['DejaVu Serif Bold'] },
  {
    name: 'Source Sans 3 fallback',
    for: 'Source Sans 3',
    adjust: metrics['Source Sans 3'].width / metrics.Arial.width,
    local: ['Arial', 'Liberation Sans', 'Arimo'],
  },
  { name: 'Source Sans 3 wide fallback', for: 'Source Sans 3', adjust: 0.817, local: ['DejaVu Sans'] },
];

const percentage = (value) => `${(100 * value).toFixed(2)}%`;

function fallbackFace(fallback) {
  const ours = metrics[fallback.for];
  const sizeAdjust = fallback.adjust;
  const style = fallback.style === undefined ? '' : `\n  font-style: ${fallback.style};`;
  return `@font-face {
  font-family: '${fallback.name}';
  src: ${fallback.local.map((name) => `local('${name}')`).join(', ')};${style}${fallback.weight === undefined ? '' : `\n  font-weight: ${fallback.weight};`}
  size-adjust: ${percentage(sizeAdjust)};
  ascent-override: ${percentage(ours.ascent / sizeAdjust)};
  descent-override: ${percentage(ours.descent / sizeAdjust)};
  line-gap-override: 0%;
}`;
}

function ownFace(face) {
  const weight = typeof face.weight === 'number' ? `${face.weight}` : `${face.weight.min} ${face.weight.max}`;
  return `@font-face {
  font-family: '${face.family}';
  src: url('fonts/${face.output}') format('woff2');
  font-style: ${face.style};
  font-weight: ${weight};
  font-display: swap;
}`;
}

async function cut(face, text, options) {
  const original = await readFile(require.resolve(face.file));
  return { name: face.output, bytes: await subsetFont(original, text, { targetFormat: 'woff2', ...options }) };
}

/**
 * @param {string} signs every character that the page's formulas hold
 * @returns {Promise<{ files: { name: string, bytes: Buffer }[], css: string }>}
 */
export async function makeFonts(signs) {
  const files = [];
  for (const face of faces) files.push(await cut(face, characters, { variationAxes: { wght: face.weight }, keepFeatures }));
  files.push(await cut(mathFace, signs));
  return { files, css: [...[...faces, mathFace].map(ownFace), ...fallbacks.map(fallbackFace)].join('\n\n') };
}
