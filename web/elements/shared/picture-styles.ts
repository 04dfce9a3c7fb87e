/** Writes computed styles as attributes, so that a drawing looks the same without style sheets. */

export const svgNamespace = 'http://www.w3.org/2000/svg';

const copiedProperties = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor'],
  ...['dominant-baseline', 'paint-order', 'visibility', 'display'],
] as const;

export type FontStyle = Pick<CSSStyleDeclaration, 'fontStyle' | 'fontWeight' | 'fontSize' | 'fontFamily'>;

let converter: CanvasRenderingContext2D | null | undefined;

/** Viewers other than browsers support `rgb()`, but not the results of `color-mix()` and `oklch()`. */
export function plainColor(value: string): string {
  if (!/^(color|oklch|oklab|lch|lab|hwb)\(/.test(value)) return value;
  converter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (converter === null) return value;
  converter.clearRect(0, 0, 1, 1);
  converter.fillStyle = value;
  converter.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = converter.getImageData(0, 0, 1, 1).data;
  const parts = [red, green, blue].join(', ');
  return alpha === 255 ? `rgb(${parts})` : `rgba(${parts}, ${String(alpha / 255)})`;
}

/** Viewers rarely have the page's fonts, and other fonts may be wider: text keeps its width, so texts never overlap. */
export function keepLength(text: Element, length: number): void {
  if (!(length > 0)) return;
  text.setAttribute('textLength', String(Math.round(length * 100) / 100));
  text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
}

/** The width of HTML text in its own font. */
export function measured(text: string, { fontStyle, fontWeight, fontSize, fontFamily }: FontStyle): number {
  converter ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (converter === null) return 0;
  converter.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return converter.measureText(text).width;
}

function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  // Lines with their own positions have their own lengths.
  if (from instanceof SVGTextElement && from.querySelector('[x]') === null) {
    keepLength(to, from.getComputedTextLength());
  }
  for (const name of copiedProperties) {
    const value = style.getPropertyValue(name);
    if (value !== '') to.setAttribute(name, name === 'fill' || name === 'stroke' ? plainColor(value) : value);
  }
  for (const name of ['class', 'style', 'tabindex', 'data-picture']) to.removeAttribute(name);
  for (let at = 0; at < from.children.length; at++) {
    const source = from.children[at];
    const target = to.children[at];
    if (source !== undefined && target !== undefined) copyStyles(source, target);
  }
}

/** A copy of `drawing` at this position that needs no style sheet. */
export function standaloneCopy(drawing: SVGSVGElement, place: Readonly<Record<string, string>>): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  copyStyles(drawing, copy);
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (comments.nextNode() !== null) found.push(comments.currentNode);
  for (const comment of found) comment.parentNode?.removeChild(comment);
  for (const [key, value] of Object.entries(place)) copy.setAttribute(key, value);
  return copy;
}
