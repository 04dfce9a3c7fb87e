import { css, unsafeCSS } from 'lit';
import { colorProperty, palette, publicColorProperty, type ColorName } from './palette.js';

const names = Object.keys(palette) as ColorName[];

/** One declaration per color; `value` computes the default. */
const colorDeclarations = (value: (light: string, dark: string) => string): string =>
  names
    .map((name) => {
      const [light, dark] = palette[name];
      return `${colorProperty(name)}: var(${publicColorProperty(name)}, ${value(light, dark)});`;
    })
    .join('\n');

/**
 * Custom properties that every element reads. The host page may set the `--tied-*` ones; others have defaults. Light or
 * dark follows the `color-scheme` that the element inherits from the page, so a page without one stays light;
 * `data-theme="dark"` or `"light"` on the element overrides it.
 */
export const tokens = css`
  :host {
    ${unsafeCSS(colorDeclarations((light) => light))}

    --t-font-ui: var(--tied-font-ui, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif);
    --t-font-text: var(--tied-font-text, Georgia, 'Times New Roman', serif);
    --t-font-mono: var(--tied-font-mono, ui-monospace, 'SF Mono', Menlo, Consolas, monospace);
    --t-size-small: var(--tied-size-small, 0.8125rem);
    --t-size: var(--tied-size, 0.9375rem);
    --t-size-large: var(--tied-size-large, 1.125rem);
    --t-size-title: var(--tied-size-title, 1.3125rem);

    --t-space-1: 4px;
    --t-space-2: 8px;
    --t-space-3: 16px;
    --t-space-4: 24px;
    --t-space-5: 40px;
    --t-space-6: 64px;
    --t-radius: var(--tied-radius, 4px);
    /* Smallest side of a target; 44 px for coarse pointers. */
    --t-target: 32px;
    --t-quick: 140ms;
  }

  @supports (color: light-dark(red, red)) {
    :host {
      ${unsafeCSS(colorDeclarations((light, dark) => `light-dark(${light}, ${dark})`))}
    }
  }

  :host([data-theme='light']) {
    color-scheme: light;
  }

  :host([data-theme='dark']) {
    color-scheme: dark;
  }

  /* The system's colors. Data colors remain, light or dark as the system is, whatever the page's scheme. */
  @media (forced-colors: active) {
    :host,
    :host([data-theme]) {
      color-scheme: light dark;
      --t-paper: Canvas;
      --t-raised: Canvas;
      --t-ink: CanvasText;
      --t-muted: CanvasText;
      --t-rule: GrayText;
      --t-control: CanvasText;
      --t-accent: Highlight;
      --t-focus: Highlight;
      --t-error: CanvasText;
      --t-floor: CanvasText;
    }
  }

  @media (pointer: coarse) {
    :host {
      --t-target: 44px;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    :host {
      --t-quick: 0s;
    }
  }
`;

/** The base of all our shadow roots. */
export const base = css`
  :host {
    display: block;
    box-sizing: border-box;
    color: var(--t-ink);
    font-family: var(--t-font-ui);
    font-size: var(--t-size);
    line-height: 1.45;
    font-variant-numeric: tabular-nums lining-nums;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }

  :focus {
    outline: none;
  }

  :focus-visible {
    outline: 2px solid var(--t-focus);
    outline-offset: 2px;
    border-radius: var(--t-radius);
  }

  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
    border: 0;
  }
`;
