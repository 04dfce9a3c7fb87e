import { unsafeCSS, type CSSResult } from 'lit';
import { colorProperty, palette, type ColorName } from './palette.js';

/**
 * A color of the palette by its name, or an expression. No `url(#…)`: if a style refers to an element, Chromium's style
 * cache keeps that element's whole figure in memory after it was removed.
 */
type Paint = ColorName | 'none' | 'transparent' | `#${string}` | `${'var' | 'color-mix'}(${string})`;
type Amount = number | `var(${string})`;

/** How a kind of mark is drawn. `halo`: the width of an outline that separates it from what is behind it. */
type Look = Readonly<
  Partial<
    Record<'fill' | 'stroke' | 'color' | 'border-color' | '--line' | '--words' | '--hue', Paint> &
      Record<
        'stroke-width' | 'stroke-opacity' | 'fill-opacity' | 'opacity' | 'font-weight' | '--tint' | 'halo',
        Amount
      > &
      Record<'stroke-dasharray' | 'stroke-linecap' | 'stroke-linejoin' | 'font-size' | 'font-style', string>
  >
>;

const written = (property: string, value: string | number): string => {
  if (property === 'halo') {
    return `paint-order: stroke; stroke: var(--t-paper); stroke-width: ${String(value)}; stroke-linejoin: round;`;
  }
  return `${property}: ${value in palette ? `var(${colorProperty(value as ColorName)})` : String(value)};`;
};

/** Looks of marks by their selectors: `{ '.grid': { stroke: 'rule' } }` is `.grid { stroke: var(--t-rule); }`. */
export const looks = (marks: Readonly<Record<string, Look>>): CSSResult =>
  unsafeCSS(
    Object.entries(marks)
      .map(([selector, look]) => {
        const rules = Object.entries(look).map(([property, value]) => written(property, value));
        return `${selector} { ${rules.join(' ')} }`;
      })
      .join('\n'),
  );
