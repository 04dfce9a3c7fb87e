import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/**
 * Two families, three files: Source Serif 4 for prose (roman and italic), Source Sans 3 for interface and numbers. They
 * were drawn to go together, are maintained, and are under the SIL Open Font License. They are cut to what English prose,
 * figures and our drawings use.
 */
const require = createRequire(import.meta.url);

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
const characters = [...range(0x20, 0x7e), ...' –—‘’“”…·×−°½é'].join('');

const faces = [
  {
    family: 'Source Serif 4',
    file: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
    output: 'source-serif-4.woff2',
    style: 'normal',
    weight: { min: 400, max: 700 },
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
    weight: { min: 400, max: 700 },
  },
];

/**
 * Measurements of fonts in units of the em, from the metrics that Capsize publishes: ascent, descent and the average width
 * of a letter of English text.
 */
const metrics = {
  'Source Serif 4': { ascent: 1.036, descent: 0.335, width: 0.479 },
  'Source Sans 3': { ascent: 1.024, descent: 0.4, width: 0.418 },
  'Times New Roman': { width: 832 / 2048 },
  Arial: { width: 913 / 2048 },
};

/** Fonts of the reader's system, stretched to the same widths and heights, so that nothing moves when ours arrive. */
const fallbacks = [
  { name: 'Source Serif 4 fallback', for: 'Source Serif 4', like: 'Times New Roman', local: ['Times New Roman', 'Liberation Serif', 'Tinos'] },
  { name: 'Source Sans 3 fallback', for: 'Source Sans 3', like: 'Arial', local: ['Arial', 'Liberation Sans', 'Arimo'] },
];

const percentage = (value) => `${(100 * value).toFixed(2)}%`;

function fallbackFace(fallback) {
  const ours = metrics[fallback.for];
  const sizeAdjust = ours.width / metrics[fallback.like].width;
  return `@font-face {
  font-family: '${fallback.name}';
  src: ${fallback.local.map((name) => `local('${name}')`).join(', ')};
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

/** @returns {Promise<{ files: { name: string, bytes: Buffer }[], css: string }>} */
export async function makeFonts() {
  const files = [];
  for (const face of faces) {
    const original = await readFile(require.resolve(face.file));
    const bytes = await subsetFont(original, characters, { targetFormat: 'woff2', variationAxes: { wght: face.weight } });
    files.push({ name: face.output, bytes });
  }
  return { files, css: [...faces.map(ownFace), ...fallbacks.map(fallbackFace)].join('\n\n') };
}
