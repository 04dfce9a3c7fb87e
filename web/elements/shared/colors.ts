import type { LitElement, ReactiveController } from 'lit';
import { luminance, parseColor, type Rgb } from '../../charts/color-scale.js';
import { colorProperty, palette, type ColorName } from './palette.js';

/**
 * The current colors of an element's custom properties, for canvases, which cannot use CSS. Reads them from a probe,
 * because the property itself contains text such as `light-dark(...)`.
 */
export function resolveColors<Name extends ColorName>(host: HTMLElement, names: readonly Name[]): Record<Name, Rgb> {
  const probe = document.createElement('span');
  probe.hidden = true;
  // With forced colors, all text would have the same color; the tokens use system colors instead.
  probe.style.setProperty('forced-color-adjust', 'none');
  (host.shadowRoot ?? host).append(probe);
  const style = getComputedStyle(probe);
  const resolved = (color: string): string => {
    probe.style.color = color;
    return style.color;
  };
  const found = Object.fromEntries(
    names.map((name) => {
      const text = resolved(`var(${colorProperty(name)})`);
      return [name, readColor(text) ?? parseColor(palette[name][isDark(resolved) ? 1 : 0])];
    }),
  ) as Record<Name, Rgb>;
  probe.remove();
  return found;
}

/** Any color that the browser knows; null for other text. */
function readColor(text: string): Rgb | null {
  try {
    return parseColor(text);
  } catch {
    // Browsers return some notations unconverted, such as oklch(); a canvas converts them.
    return paintedColor(text);
  }
}

function paintedColor(text: string): Rgb | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null || !CSS.supports('color', text)) return null;
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha === 0 ? null : [red, green, blue];
}

/** Whether the surroundings are dark, by what `light-dark()` makes of black and white. */
function isDark(resolved: (color: string) => string): boolean {
  const color = readColor(resolved('light-dark(#000000, #ffffff)'));
  return color !== null && luminance(color) > 0.5;
}

/** Colors that depend on the surroundings, each on a property of the probe that can have a transition. */
const probed = {
  color: 'paper',
  'background-color': 'ink',
  'border-top-color': 'positive',
  'outline-color': 'negative',
} as const satisfies Record<string, ColorName>;

/** Colors of an element that is updated whenever they change. */
export class ColorWatcher<Name extends ColorName> implements ReactiveController {
  private found: Record<Name, Rgb> | null = null;
  private stop: (() => void) | null = null;

  constructor(
    private readonly host: LitElement,
    private readonly names: readonly Name[],
  ) {
    host.addController(this);
  }

  /** The element must be in the page. */
  get colors(): Record<Name, Rgb> {
    return (this.found ??= resolveColors(this.host, this.names));
  }

  readonly refresh = (): void => {
    this.found = null;
    this.host.requestUpdate();
  };

  hostConnected(): void {
    // They may differ at the element's new place.
    if (this.found !== null) this.refresh();
    this.stop = watchColorScheme(this.host, this.refresh);
  }

  hostDisconnected(): void {
    this.stop?.();
  }
}

/**
 * Calls back when the element's colors change for any reason: the system, a class or style of any ancestor, a style
 * sheet. Returns a function that stops it.
 *
 * Browsers report changed colors only through transitions, so a probe has one of a millisecond.
 */
function watchColorScheme(host: HTMLElement, changed: () => void): () => void {
  const probe = document.createElement('span');
  probe.ariaHidden = 'true';
  const style = { position: 'absolute', visibility: 'hidden', 'pointer-events': 'none', 'forced-color-adjust': 'none' };
  for (const [name, value] of Object.entries(style)) probe.style.setProperty(name, value);
  for (const [property, name] of Object.entries(probed))
    probe.style.setProperty(property, `var(${colorProperty(name)})`);
  probe.style.transition = Object.keys(probed)
    .map((property) => `${property} 1ms`)
    .join(', ');
  probe.addEventListener('transitionrun', changed);
  (host.shadowRoot ?? host).append(probe);

  // Elements that are not displayed have no transitions.
  const observer = new MutationObserver(changed);
  const options = { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'hidden'] };
  for (let at: Node | null = host; at !== null; at = at.parentNode ?? (at as Partial<ShadowRoot>).host ?? null) {
    if (at instanceof HTMLElement) observer.observe(at, options);
  }
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', changed);
  return () => {
    probe.remove();
    observer.disconnect();
    dark.removeEventListener('change', changed);
  };
}
