import { htmlAsSvg } from './picture-html.js';
import { keepLength, measured, standaloneCopy, svgNamespace } from './picture-styles.js';

/**
 * Saves an element's drawings as one self-contained SVG file: styles are inlined, canvases become images, drawings keep
 * their positions, and title, key and source are included.
 */

type Drawing = SVGSVGElement | HTMLElement;

/** An element that can draw immediately in the current colors, because canvases do not follow style sheets. */
interface Repaintable {
  repaint: () => void;
}

const isRepaintable = (element: Element): element is Element & Repaintable =>
  typeof (element as Partial<Repaintable>).repaint === 'function';

function* elementsIn(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot !== null) yield* elementsIn(element.shadowRoot);
  }
}

/**
 * Everything under `root`, including shadow roots, that is marked `data-picture`: drawings, and HTML such as a key or a
 * heading.
 */
function drawings(root: ParentNode): Drawing[] {
  return [...elementsIn(root)].filter(
    (element): element is Drawing =>
      element.hasAttribute('data-picture') && (element instanceof SVGSVGElement || element instanceof HTMLElement),
  );
}

/** The largest gap that remains between two drawings. */
const mostGap = 32;

/** Tops of drawings after removing empty bands where tables and text were; boxes side by side stay side by side. */
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

export interface PictureOptions {
  readonly title: string;
  /** Below the title: what the picture shows. '' = nothing. */
  readonly note: string;
  /** The picture's source in words, and its URL, if any. */
  readonly source: { readonly text: string; readonly link: string | null };
  /** Colors by the names of the element's custom properties. */
  readonly colors: { readonly background: string; readonly ink: string; readonly muted: string };
}

const margin = 16;
const titleSize = 18;
const noteSize = 14;
const sourceSize = 12;
/** Narrower pictures have no space for a title. */
const leastWidth = 420;

/** Lines of at most `width` pixels, by an upper estimate of the width of bold characters. */
export function wrapped(text: string, width: number, size: number): string[] {
  const most = Math.max(8, Math.floor(width / (size * 0.56)));
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > most) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Truncates a long URL at its end. */
const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** In light colors, because pictures go into documents. Null if nothing has been drawn. */
export function pictureOf(host: HTMLElement, options: () => PictureOptions): string | null {
  const root = host.shadowRoot;
  if (root === null) return null;
  const scheme = host.style.colorScheme;
  const repaint = (): void => {
    for (const element of elementsIn(root)) if (isRepaintable(element)) element.repaint();
  };
  host.style.colorScheme = 'light';
  try {
    repaint();
    return drawPicture(host, root, options());
  } finally {
    host.style.colorScheme = scheme;
    if (host.getAttribute('style') === '') host.removeAttribute('style');
    repaint();
  }
}

/** What XML cannot hold, even escaped: a name in a file may contain it, and programs refuse the picture. */
// oxlint-disable-next-line no-control-regex
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

function drawPicture(
  host: HTMLElement,
  root: ShadowRoot,
  { title, note, source, colors }: PictureOptions,
): string | null {
  const found = drawings(root).filter((drawing) => drawing.getBoundingClientRect().width > 0);
  if (!found.some((drawing) => drawing instanceof SVGSVGElement || drawing instanceof HTMLCanvasElement)) return null;
  const boxes = found.map((drawing) => drawing.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const tops = withoutGaps(boxes);
  const inner = Math.ceil(Math.max(leastWidth, Math.max(...boxes.map((box) => box.right)) - left));
  const titleLines = wrapped(title, inner, titleSize);
  const noteLines = note === '' ? [] : wrapped(note, inner, noteSize);
  const noteTop = margin + titleLines.length * titleSize * 1.3;
  const top = noteTop + noteLines.length * noteSize * 1.4 + 12;
  const drawn = Math.ceil(Math.max(...boxes.map((box, at) => (tops[at] ?? 0) + box.height)));
  const sourceLines = source.link === null ? 1 : 2;
  const width = inner + 2 * margin;
  const height = Math.ceil(top + drawn + 20 + sourceLines * sourceSize * 1.5 + margin);

  const picture = document.createElementNS(svgNamespace, 'svg');
  picture.setAttribute('xmlns', svgNamespace);
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.setAttribute('viewBox', `0 0 ${String(width)} ${String(height)}`);
  const add = (to: Element, name: string, attributes: Record<string, string>): Element => {
    const child = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) child.setAttribute(key, value);
    to.append(child);
    return child;
  };
  const { fontFamily } = getComputedStyle(host);
  add(picture, 'title', {}).textContent = title;
  add(picture, 'rect', { width: '100%', height: '100%', fill: colors.background });
  const write = (to: Element, words: string, y: number, fill: string, size: number, weight = '400'): void => {
    const font = { 'font-family': fontFamily, 'font-size': String(size), 'font-weight': weight };
    const text = add(to, 'text', { x: String(margin), y: String(y), fill, ...font });
    text.textContent = words;
    keepLength(
      text,
      measured(words, { fontFamily, fontSize: `${String(size)}px`, fontWeight: weight, fontStyle: 'normal' }),
    );
  };
  titleLines.forEach((line, at) =>
    write(picture, line, margin + titleSize * (0.9 + at * 1.3), colors.ink, titleSize, '650'),
  );
  noteLines.forEach((line, at) => write(picture, line, noteTop + noteSize * (0.9 + at * 1.4), colors.ink, noteSize));
  found.forEach((drawing, at) => {
    const box = boxes[at];
    if (box === undefined) return;
    const [x, y] = [String(Math.round(box.left - left + margin)), String(Math.round((tops[at] ?? 0) + top))];
    const place = { x, y, width: String(Math.round(box.width)), height: String(Math.round(box.height)) };
    if (drawing instanceof HTMLCanvasElement) add(picture, 'image', { ...place, href: drawing.toDataURL('image/png') });
    else if (drawing instanceof SVGSVGElement) picture.append(standaloneCopy(drawing, place));
    else {
      const group = htmlAsSvg(drawing);
      group.setAttribute('transform', `translate(${x} ${y})`);
      picture.append(group);
    }
  });
  const sourceY = top + drawn + 20 + sourceSize;
  write(picture, source.text, sourceY, colors.muted, sourceSize);
  if (source.link !== null) {
    const link = shortened(source.link, Math.floor(inner / (sourceSize * 0.56)));
    write(add(picture, 'a', { href: source.link }), link, sourceY + sourceSize * 1.5, colors.muted, sourceSize);
  }
  return new XMLSerializer().serializeToString(picture).replace(notInXml, '\uFFFD');
}
