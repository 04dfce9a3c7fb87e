import { keepLength, measured, plainColor, standaloneCopy, svgNamespace } from './picture-styles.js';

/**
 * Converts HTML to SVG: text, swatches and lines of a key or a heading, at the page's positions. A foreignObject would
 * be shorter, but only browsers render it.
 */

interface Origin {
  readonly left: number;
  readonly top: number;
}

const controls = new Set(['BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'TIED-NUMBER-FIELD']);

function append(to: Element, name: string, attributes: Readonly<Record<string, string | number>>): Element {
  const child = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) {
    child.setAttribute(key, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
  }
  to.append(child);
  return child;
}

const isTransparent = (color: string): boolean =>
  color === '' || color === 'transparent' || color === 'rgba(0, 0, 0, 0)';

/** Background and border of a box; `inside` is the position of a pseudo-element that covers it. */
function drawBox(to: Element, style: CSSStyleDeclaration, box: DOMRect, origin: Origin): void {
  const place = { x: box.left - origin.left, y: box.top - origin.top, width: box.width, height: box.height };
  const { opacity } = style;
  if (!isTransparent(style.backgroundColor)) {
    append(to, 'rect', { ...place, fill: plainColor(style.backgroundColor), opacity });
  }
  const sides = (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) => ({
    width: style[`border${side}Style`] === 'none' ? 0 : parseFloat(style[`border${side}Width`]) || 0,
    color: plainColor(style[`border${side}Color`]),
  }));
  const lines: readonly [number, number, number, number][] = [
    [place.x, place.y, place.x + place.width, place.y],
    [place.x + place.width, place.y, place.x + place.width, place.y + place.height],
    [place.x, place.y + place.height, place.x + place.width, place.y + place.height],
    [place.x, place.y, place.x, place.y + place.height],
  ];
  sides.forEach(({ width, color }, at) => {
    const line = lines[at];
    if (width === 0 || line === undefined || isTransparent(color)) return;
    const [x1, y1, x2, y2] = line;
    append(to, 'line', { x1, y1, x2, y2, stroke: color, 'stroke-width': width });
  });
}

/** The lines of a wrapped text, each with its box. */
function linesOf(text: Text): { words: string; box: DOMRect }[] {
  const lines: { words: string; box: DOMRect }[] = [];
  const range = document.createRange();
  const characters = text.data;
  let start = 0;
  let top: number | null = null;
  const finish = (end: number): void => {
    range.setStart(text, start);
    range.setEnd(text, end);
    const words = characters.slice(start, end).replace(/\s+/g, ' ');
    if (words.trim() !== '') lines.push({ words, box: range.getBoundingClientRect() });
  };
  for (let at = 0; at < characters.length; at++) {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const [box] = range.getClientRects();
    if (box === undefined || box.width === 0) continue;
    if (top !== null && Math.abs(box.top - top) > box.height / 2) {
      finish(at);
      start = at;
    }
    top = box.top;
  }
  if (top !== null) finish(characters.length);
  return lines;
}

function drawText(to: Element, text: Text, style: CSSStyleDeclaration, origin: Origin): void {
  const size = parseFloat(style.fontSize) || 16;
  for (const { words, box } of linesOf(text)) {
    // Leading spaces have no width at the start of a line.
    const line = words.trim();
    const drawn = append(to, 'text', {
      x: box.left - origin.left,
      y: box.top - origin.top + box.height / 2 + size * 0.35,
      fill: plainColor(style.color),
      'font-family': style.fontFamily,
      'font-size': style.fontSize,
      'font-weight': style.fontWeight,
      'font-style': style.fontStyle,
    });
    drawn.textContent = line;
    keepLength(drawn, measured(line, style));
  }
}

function drawElement(to: Element, element: Element, origin: Origin): void {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.display === 'none' || style.visibility === 'hidden' || controls.has(element.tagName)) return;
  const place = { x: box.left - origin.left, y: box.top - origin.top, width: box.width, height: box.height };
  if (element instanceof SVGSVGElement) {
    const whole = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]));
    to.append(standaloneCopy(element, whole));
    return;
  }
  if (element instanceof HTMLCanvasElement) {
    append(to, 'image', { ...place, preserveAspectRatio: 'none', href: element.toDataURL('image/png') });
    return;
  }
  // Text for screen readers only takes no space.
  if (box.width <= 1 || box.height <= 1) return;
  drawBox(to, style, box, origin);
  const before = getComputedStyle(element, '::before');
  if (before.content !== 'none' && before.position === 'absolute') drawBox(to, before, box, origin);
  for (const child of element.childNodes) {
    if (child instanceof Text) drawText(to, child, style, origin);
    else if (child instanceof Element) drawElement(to, child, origin);
  }
}

/** `element` as a group with its origin at the element's top left corner. */
export function htmlAsSvg(element: HTMLElement): SVGGElement {
  const group = document.createElementNS(svgNamespace, 'g');
  const { left, top } = element.getBoundingClientRect();
  drawElement(group, element, { left, top });
  return group;
}
