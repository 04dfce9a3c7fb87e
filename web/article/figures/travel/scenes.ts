import type { PartId } from './lit.js';

/**
 * What some sections add to the drawing, in its coordinates (build/transformer-drawing.mjs): the line is at x = 58, the tables
 * are 48 x 36 at (34, 36) and (34, 268), the layers between 86 and 196 from 98 to 234.
 */

const scene = (names: string, content: string): string => `<g class="scene" data-scene="${names}">${content}</g>`;
const text = (x: number, y: number, content: string, className = ''): string =>
  `<text x="${x}" y="${y}" class="${className}">${content}</text>`;

/** The middles of a table's six rows. */
const rowsOf = (top: number): number[] => Array.from({ length: 6 }, (_, row) => top + 3 + 6 * row);
const readRow = 1;
const filled = (y: number, className: string): string => `<path class="row ${className}" d="M35 ${y}h46"/>`;
const rows = scene(
  'rows',
  filled(rowsOf(36)[readRow]!, 'input') +
    rowsOf(268)
      .map((y) => filled(y, 'output'))
      .join(''),
);

/**
 * The one table, larger, with both parts of its gradient: from the line into the rows of tokens that were read, and from the logits
 * into every row.
 */
function gradients(): string {
  const [left, top, width, step, n] = [106, 116, 50, 12, 9];
  const right = left + width;
  const middle = (row: number): number => top + (row + 0.5) * step;
  const center = middle((n - 1) / 2);
  const band = (row: number, className: string, x: number): string =>
    `<rect class="band ${className}" x="${x}" y="${top + row * step}" width="${width / 2}" height="${step}"/>`;
  const read = [1, 6];
  const all = Array.from({ length: n }, (_, row) => row);
  const lines = all.slice(1).map((row) => `M${left} ${top + row * step}h${width}`);
  return scene(
    'gradients',
    read.map((row) => band(row, 'input', left)).join('') +
      all.map((row) => band(row, 'output', left + width / 2)).join('') +
      `<path class="rows" d="${lines.join('')}"/><rect class="outline" x="${left}" y="${top}" width="${width}" height="${n * step}" rx="3"/>` +
      read
        .map((row) => {
          const y = middle(row);
          return `<path class="stroke input" d="M60 ${center}C84 ${center} 80 ${y} ${left - 6} ${y}"/><path class="tip input" d="M${left - 8} ${y - 4}v8l8-4z"/>`;
        })
        .join('') +
      `<path class="stroke output" d="M114 286H188q8 0 8-8V${center}"/>` +
      all
        .map((row) => {
          const y = middle(row);
          return `<path class="stroke output" d="M196 ${center}C178 ${center} 184 ${y} ${right + 6} ${y}"/><path class="tip output" d="M${right + 7} ${y - 3}v6l-7-3z"/>`;
        })
        .join('') +
      text(left + width / 2, top - 7, 'one table') +
      text(left - 2, top + n * step + 16, 'reading', 'input') +
      text(right + 8, top + n * step + 16, 'writing', 'output'),
  );
}

/** The matrix of scores of every token after every other, where the layers are otherwise. */
function matrix(): string {
  const [left, top, size, n] = [96, 120, 17, 5];
  const cell = (row: number, col: number, className: string): string =>
    `<rect class="cell ${className}" x="${left + col * size}" y="${top + row * size}" width="${size}" height="${size}"/>`;
  const [newAt, yorkAt] = [1, 3];
  const edge = n * size;
  const lines = Array.from({ length: n - 1 }, (_, i) => (i + 1) * size);
  const grid = `<path class="grid" d="${lines.map((at) => `M${left + at} ${top}v${edge}M${left} ${top + at}h${edge}`).join('')}"/>`;
  const frame = `<rect class="grid" x="${left}" y="${top}" width="${edge}" height="${edge}"/>`;
  const fold = `<path class="fold" d="M${left} ${top}l${edge} ${edge}"/>`;
  const diagonal = Array.from({ length: n }, (_, i) => cell(i, i, 'lit')).join('');
  const middle = (index: number): number => left + (index + 0.5) * size;
  const labels =
    text(left - 5, top + (newAt + 0.5) * size + 4, 'New', 'word end') + text(middle(yorkAt), top - 5, 'York', 'word');
  return (
    scene(
      'pairs mirror diagonal',
      frame +
        labels +
        text(
          left + edge / 2,
          top + edge + 17,
          '<tspan class="symbol">A</tspan>, <tspan class="word">V</tspan> × <tspan class="word">V</tspan>',
        ),
    ) +
    scene('pairs mirror', cell(newAt, yorkAt, 'lit')) +
    scene('mirror', cell(yorkAt, newAt, 'lit') + fold) +
    scene('diagonal', diagonal) +
    scene('pairs mirror diagonal', grid)
  );
}

const map = scene(
  'map ways',
  `<g data-part="map"><rect class="box" x="42" y="206" width="32" height="28" rx="3"/>${text(58, 225.5, 'M', 'symbol')}</g>`,
);

/** From the line after the embedding and each layer to the readout. */
const exits = scene(
  'exits',
  `<path class="exit" d="M58 92H198V286H114M58 166H198M58 238H198"/><path class="exit-head" d="M119 282v8l-8-4z"/>${[
    92, 166, 238,
  ]
    .map((y) => `<circle class="exit-dot" cx="58" cy="${y}" r="4.5"/>`)
    .join('')}`,
);

/** A hidden state and a row at some 60 degrees, which is about what training leaves. */
const angle = scene(
  'angle',
  `<path class="arrow output" d="M104 214L180 190"/><path class="arrow-head output" d="M188 187.500l-9.500-1.500 3 8.500z"/>
<path class="arrow state" d="M104 214L117 132"/><path class="arrow-head state" d="M118.500 123l-6.500 8 9 1.500z"/>
<path class="arc" d="M108 189A25 25 0 0 1 128 206.500"/>${text(134, 193, 'θ', 'symbol')}${text(126, 116, 'h', 'symbol')}${text(150, 228, 'York’s row', 'side')}`,
);

/** One bar for all parameters of GPT-2 small, and the second table that it does without. */
function shares(shareOf: ReadonlyMap<PartId, number>): string {
  const [left, width, bottom, whole] = [90, 26, 244, 116];
  const share = (id: PartId): number => shareOf.get(id) ?? 0;
  const percent = (value: number): string => `${(100 * value).toFixed(0)}%`;
  let y = bottom;
  const part = (className: string, value: number, name: string): string => {
    const height = whole * value;
    y -= height;
    const label = name === '' ? '' : text(left + width + 6, y + height / 2 + 4, `${name} ${percent(value)}`, 'start');
    return `<rect class="share ${className}" x="${left}" y="${y}" width="${width}" height="${height}"/>${label}`;
  };
  const rest = share('positions') + share('norm');
  return scene(
    'shares',
    part('table', share('reads'), 'table') +
      part('', share('attention'), 'attention') +
      part('', share('mlp'), 'MLP') +
      part('', rest, '') +
      part('second', share('reads'), 'saved'),
  );
}

const encoder = scene(
  'encoder',
  `<g data-part="encoder">${text(140, 18.5, 'source')}<path class="loop" d="M140 24v10"/><rect class="box" x="116" y="36" width="48" height="36" rx="3"/>
<path class="rows" d="${[42, 48, 54, 60, 66].map((y) => `M116 ${y}h48`).join('')}"/><path class="loop" d="M140 72v6"/>
<rect class="box" x="104" y="78" width="72" height="18" rx="3"/>${text(140, 91.5, 'encoder')}<path class="branch" d="M140 96v5"/><path class="head" d="M136 96h8l-4 7z"/></g>`,
);

export const scenes = (shareOf: ReadonlyMap<PartId, number>): string =>
  [rows, gradients(), matrix(), map, exits, angle, shares(shareOf), encoder].join('');

/** What can be pointed at and focused, in the order of the arrow keys, in the drawing's coordinates: [x, y, width, height]. */
export const targets: Readonly<Record<Exclude<PartId, 'tie'>, readonly [number, number, number, number]>> = {
  tokens: [14, 0, 68, 26],
  reads: [31, 33, 78, 42],
  positions: [112, 2, 76, 73],
  encoder: [101, 2, 78, 95],
  stream: [51, 76, 14, 162],
  direct: [35, 132, 14, 76],
  attention: [68, 100, 104, 27],
  mlp: [68, 129, 104, 26],
  map: [39, 203, 38, 34],
  norm: [31, 240, 54, 22],
  writes: [31, 266, 78, 41],
  logits: [31, 309, 92, 20],
  softmax: [31, 331, 130, 47],
  sample: [31, 384, 92, 24],
};
