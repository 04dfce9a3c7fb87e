import { html, svg, type SVGTemplateResult } from 'lit';
import type { Content } from '../shared/figure.js';

/**
 * Texts say h⊥ and h∥, for screen readers and as plain text; figures set the sign as a subscript, as the article does.
 * A lone h before a colon is a token.
 */
const symbols = /(h[⊥∥]|\bh\b(?!:))/;

const isSymbol = (piece: string): boolean => symbols.test(piece);

export const symbolsInHtml = (text: string): Content =>
  text
    .split(symbols)
    .map((piece) =>
      isSymbol(piece) ? html`<var>h</var>${piece.length > 1 ? html`<sub>${piece.slice(1)}</sub>` : ''}` : piece,
    );

/** How far below the line a subscript is, in pixels. */
const drop = 3;

/** The same as spans of an SVG text. */
export const symbolsInSvg = (text: string): SVGTemplateResult[] => {
  let lowered = false;
  return text
    .split(symbols)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const back = lowered ? -drop : 0;
      lowered = isSymbol(piece) && piece.length > 1;
      if (!isSymbol(piece)) return svg`<tspan dy=${back}>${piece}</tspan>`;
      const letter = svg`<tspan class="symbol" dy=${back}>h</tspan>`;
      return lowered ? svg`${letter}<tspan class="sub" dy=${drop}>${piece.slice(1)}</tspan>` : letter;
    });
};
