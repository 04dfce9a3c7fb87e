import { estimatedWidth, type MeasureText } from '../../charts/heat-map.js';

let context: CanvasRenderingContext2D | null = null;
/** By font and text, at 100 pixels. */
const widths = new Map<string, number>();
/** More texts than a page shows. Beyond this, the cache is cleared. */
const mostKnown = 5000;

/** Called when a font has loaded after texts were measured in its fallback; returns a function that stops it. */
export function whenFontsLoad(changed: () => void): () => void {
  const { fonts } = document as Partial<Document>;
  if (fonts === undefined) return () => {};
  const loaded = (): void => {
    widths.clear();
    changed();
  };
  fonts.addEventListener('loadingdone', loaded);
  return () => fonts.removeEventListener('loadingdone', loaded);
}

/** Measures texts in the font of `host`, bold, as highlighted labels are. */
export function textMeasure(host: Element): MeasureText {
  const family = getComputedStyle(host).fontFamily;
  context ??= document.createElement('canvas').getContext('2d');
  const found = context;
  if (found === null || family === '') return estimatedWidth;
  return (text, size) => {
    const key = `${family} ${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      found.font = `650 100px ${family}`;
      ({ width } = found.measureText(text));
      if (widths.size >= mostKnown) widths.clear();
      widths.set(key, width);
    }
    return (width * size) / 100;
  };
}
