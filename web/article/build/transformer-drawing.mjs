/**
 * A transformer from tokens to the next token. The line from table to table is the residual stream and, without the
 * layers beside it, the direct path. The same drawing follows the reader (figures/travel/), which lights its parts.
 */

const [width, height] = [200, 412];
/** The line, and the left edge of everything that is centered on it. */
const line = 58;
const left = 34;
const rowHeight = 6;

const part = (id, content) => `<g data-part="${id}">${content}</g>`;
const box = (x, y, w, h) => `<rect class="box" x="${x}" y="${y}" width="${w}" height="${h}" rx="3"/>`;
const text = (x, y, content, more = '') => `<text x="${x}" y="${y}"${more}>${content}</text>`;
const down = (x, y) => `<path class="head" d="M${x - 4} ${y - 7}h8l-4 7z"/>`;
const toRight = (x, y) => `<path class="head" d="M${x - 7} ${y - 4}v8l7-4z"/>`;
const ring = (y) => `<circle class="box" cx="${line}" cy="${y}" r="5.5"/>`;
const plus = (y) => `M${line - 3} ${y}h6M${line} ${y - 3}v6`;

/** A table of vectors: one row per token. */
const table = (x, y) => {
  const rows = Array.from({ length: 5 }, (_, row) => `M${x} ${y + (row + 1) * rowHeight}h48`).join('');
  return `${box(x, y, 48, 6 * rowHeight)}<path class="rows" d="${rows}"/>`;
};
const symbol = (x, y, content) => text(x, y, content, ' class="symbol"');
const index = (letter) => `<tspan class="index" dy="3">${letter}</tspan>`;

/** Reads the line at its upper edge and adds its result below. */
const sublayer = (id, y, name) =>
  part(
    id,
    `${box(94, y, 74, 22)}${ring(y + 17)}${text(131, y + 15.5, name)}<path class="branch" d="M${line} ${y + 5}h31M94 ${y + 17}h-24${plus(y + 17)}"/><path class="head" d="M87 ${y + 1}v8l7-4zM72 ${y + 13}v8l-7-4z"/>`,
  );
const layer = (y, name) => `<rect class="frame" x="86" y="${y}" width="90" height="58" rx="5"/>
${text(-(y + 29), 190, name, ' class="side" transform="rotate(-90)"')}
${sublayer('attention', y + 4, 'attention')}${sublayer('mlp', y + 32, 'MLP')}`;

/** Heights of bars, of which the fourth is the largest. */
const bars = (y, heights) => `<path class="bars" d="${heights.map((h, i) => `M${left + 4 + 8 * i} ${y}v${-h}`).join('')}"/>`;

const label =
  'A transformer. Rows of tokens and positions enter a line. Attention and MLP of each layer read it and add to it. A norm, the second table, softmax and sampling lead to the next token. Without the layers, the line is the direct path.';

export const transformerDrawing = () => `<svg class="transformer" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<path class="tie" data-part="tie" d="M${left} 54H26q-6 0-6 6V280q0 6 6 6H${left}"/>${text(-170, 24, 'tied', ' class="side tie-name" transform="rotate(-90)"')}
${part('sample', `<path class="loop" d="M${left} 396H12q-6 0-6-6V20q0-6 6-6h-2"/>${toRight(17, 14)}${down(line, 386)}${box(left, 386, 48, 20)}${text(line, 400.5, '<tspan class="next">York</tspan>', ' class="word"')}${text(90, 400.5, 'sample', ' class="side start"')}`)}
${part('tokens', `${box(17, 4, 15, 20)}${text(24.5, 18.5, 'in', ' class="word"')}${box(left + 2, 4, 44, 20)}${text(line, 18.5, 'New', ' class="word"')}<path class="loop" d="M${line} 24v6"/>${down(line, 36)}`)}
${part('stream', `<path class="stream" d="M${line} 72V266"/>`)}${part('direct', `<path class="stream" d="M${line} 72V266"/>${text(-170, 45, 'direct path', ' class="path-name" transform="rotate(-90)"')}`)}
${part('positions', `${text(140, 18.5, 'position 2')}<path class="loop" d="M140 24v6"/>${down(140, 36)}${table(116, 36)}${symbol(180, 59, 'P')}${ring(86)}<path class="branch" d="M140 72v14H70${plus(86)}"/><path class="head" d="M72 82v8l-7-4z"/>`)}
${part('reads', `${table(left, 36)}${symbol(98, 59, `W${index('E')}`)}`)}
<g class="layers">${layer(98, 'layer 1')}<g class="later">${text(131, 170, '⋮')}${layer(176, 'layer 12')}</g></g>
${part('norm', `${box(left, 242, 48, 18)}${text(line, 255.5, 'norm')}`)}
${part('writes', `${table(left, 268)}${symbol(98, 291, `W${index('U')}`)}`)}
${part('logits', `<path class="loop" d="M${line} 304v5"/><path class="bars" d="M38 322v-3M46 322v5M54 322v-7M62 322v-12M70 322v4M78 322v-4"/><path class="branch" d="M${left} 322h48"/>${text(90, 327, 'logits', ' class="side start"')}`)}
${part('softmax', `${box(left, 332, 48, 18)}${text(line, 345.5, 'softmax')}${bars(375, [2, 1, 5, 20, 1, 3])}<path class="branch" d="M${left} 375.5h48"/>${text(90, 372, 'probabilities', ' class="side start"')}`)}
</svg>`;
