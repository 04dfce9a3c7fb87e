/**
 * Saves what an element has drawn as one SVG file that needs nothing else: styles are written into it, canvases become
 * images, and the drawings keep their places.
 */

const copiedProperties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
  'display',
] as const;

const namespace = 'http://www.w3.org/2000/svg';

/** Every svg and canvas under `root`, shadow roots included, that is marked `data-picture`. */
function* drawings(root: ParentNode): Generator<SVGSVGElement | HTMLCanvasElement> {
  for (const element of root.querySelectorAll('*')) {
    if (
      element.hasAttribute('data-picture') &&
      (element instanceof SVGSVGElement || element instanceof HTMLCanvasElement)
    ) {
      yield element;
    }
    if (element.shadowRoot !== null) yield* drawings(element.shadowRoot);
  }
}

function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of copiedProperties) {
    const value = style.getPropertyValue(name);
    if (value !== '') to.setAttribute(name, value);
  }
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (let at = 0; at < from.children.length; at++) {
    const source = from.children[at];
    const target = to.children[at];
    if (source !== undefined && target !== undefined) copyStyles(source, target);
  }
}

/** Of what stands between two drawings on the page, this much stays in the picture. */
const mostGap = 32;

/**
 * Tops of drawings without the empty bands between them, where there were tables and words: boxes that stand beside each
 * other stay so.
 */
export function withoutGaps(boxes: readonly { readonly top: number; readonly bottom: number }[]): number[] {
  const tops = new Array<number>(boxes.length).fill(0);
  const order = boxes.map((_, index) => index).sort((a, b) => (boxes[a]?.top ?? 0) - (boxes[b]?.top ?? 0));
  let end: number | null = null;
  let removed = 0;
  for (const index of order) {
    const { top, bottom } = boxes[index] ?? { top: 0, bottom: 0 };
    if (end === null) removed = top;
    else if (top - end > mostGap) removed += top - end - mostGap;
    tops[index] = top - removed;
    end = Math.max(end ?? bottom, bottom);
  }
  return tops;
}

/** Null where nothing has been drawn. */
export function pictureOf(
  host: HTMLElement,
  options: { title: string; background: string; ink: string },
): string | null {
  const root = host.shadowRoot;
  if (root === null) return null;
  const found = [...drawings(root)].filter((drawing) => drawing.getBoundingClientRect().width > 0);
  if (found.length === 0) return null;
  const boxes = found.map((drawing) => drawing.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const tops = withoutGaps(boxes);
  // The title must fit as well; 9 pixels a character is on the safe side.
  const drawn = Math.max(...boxes.map((box) => box.right)) - left;
  const width = Math.ceil(Math.max(drawn, [...options.title].length * 9)) + 32;
  const height = Math.ceil(Math.max(...boxes.map((box, at) => (tops[at] ?? 0) + box.height))) + 64;

  const picture = document.createElementNS(namespace, 'svg');
  picture.setAttribute('xmlns', namespace);
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
  const add = (name: string, attributes: Record<string, string>): SVGElement => {
    const child = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
    picture.append(child);
    return child;
  };
  add('rect', { width: '100%', height: '100%', fill: options.background });
  add('text', {
    x: '16',
    y: '28',
    fill: options.ink,
    'font-family': getComputedStyle(host).fontFamily,
    'font-size': '16',
    'font-weight': '600',
  }).textContent = options.title;
  found.forEach((drawing, at) => {
    const box = boxes[at];
    if (box === undefined) return;
    const place = {
      x: String(Math.round(box.left - left + 16)),
      y: String(Math.round((tops[at] ?? 0) + 48)),
      width: String(Math.round(box.width)),
      height: String(Math.round(box.height)),
    };
    if (drawing instanceof HTMLCanvasElement) {
      add('image', { ...place, href: drawing.toDataURL('image/png') });
      return;
    }
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    copyStyles(drawing, copy);
    for (const [key, value] of Object.entries(place)) copy.setAttribute(key, value);
    picture.append(copy);
  });
  return new XMLSerializer().serializeToString(picture);
}

/** Offers text as a file to keep. */
export function saveText(text: string, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = fileName;
  anchor.click();
  // The download has been handed over by then; at once would be too early in some browsers.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}
