// The subset of SVG that the picture needs.
import { colors } from './colors.mjs';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => String(text).replace(/[&<>"]/g, (character) => escapes[character]);

/** An element: `element('rect', { x: 0 })`. Numbers are rounded to a tenth of a pixel. */
export function element(name, attributes, ...children) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? Number(value.toFixed(1)) : value)}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('\n')}</${name}>`;
}

/**
 * Text at a place; `anchor` is start, middle or end.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {{ anchor?: string, kind?: string }} [options]
 */
export const text = (x, y, words, { anchor = 'start', kind } = {}) =>
  element('text', { x, y, 'text-anchor': anchor === 'start' ? undefined : anchor, class: kind }, escaped(words));

const classes = (shade) => {
  const at = (name) => colors[name][shade];
  return `
    .paper { fill: ${at('paper')} }
    text { fill: ${at('ink')} }
    .muted { fill: ${at('muted')} }
    .rule { stroke: ${at('rule')} }
    .limit { stroke: ${at('muted')} }
    .ours { fill: ${at('accent')}; stroke: ${at('accent')} }
    .ours-other { fill: ${at('paper')}; stroke: ${at('accent')} }
    .peer { fill: ${at('floor')}; stroke: ${at('floor')} }
    .native { fill: none; stroke: ${at('floor')} }
    .ours-text { fill: ${at('accent')} }`;
};

/**
 * A whole picture with its own background, so that it is legible anywhere, in the reader's light or dark scheme.
 * `title` is its name, `description` its content in words.
 */
export function drawing({ width, height, title, description }, ...children) {
  const style = `
    text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
      font-variant-numeric: tabular-nums }
    .heading { font-size: 16px; font-weight: 600 }
    .strong { font-weight: 600 }
    .small { font-size: 12px }
    line { stroke-width: 1 }
    .limit { stroke-dasharray: 4 3 }
    .ours, .ours-other, .native, .peer { stroke-width: 1.5 }${classes(0)}
    @media (prefers-color-scheme: dark) {${classes(1)} }
  `;
  const box = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: String(width),
    height: String(height),
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-labelledby': 'title description',
  };
  return `${element(
    'svg',
    box,
    element('title', { id: 'title' }, escaped(title)),
    element('desc', { id: 'description' }, escaped(description)),
    element('style', {}, style),
    element('rect', { width: '100%', height: '100%', class: 'paper', rx: '6' }),
    ...children,
  )}\n`;
}
