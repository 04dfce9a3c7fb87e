import { parseColor, type Rgb } from '../../charts/color-scale.js';
import { colorProperty, palette, type ColorName } from './palette.js';

/**
 * The colours that an element's custom properties stand for right now, for canvases, which know no CSS.
 * A probe is asked because a custom property itself holds text such as `light-dark(...)`, not a colour.
 */
export function resolveColors<Name extends ColorName>(host: HTMLElement, names: readonly Name[]): Record<Name, Rgb> {
  const probe = document.createElement('span');
  probe.hidden = true;
  (host.shadowRoot ?? host).append(probe);
  const style = getComputedStyle(probe);
  const found = {} as Record<Name, Rgb>;
  for (const name of names) {
    probe.style.color = `var(${colorProperty(name)})`;
    try {
      found[name] = parseColor(style.color);
    } catch {
      // A page may set a colour in a notation that the browser reports unconverted, such as oklch().
      found[name] = parseColor(palette[name][0]);
    }
  }
  probe.remove();
  return found;
}

/** Calls back when the surroundings may have turned light or dark; returns the way to stop. */
export function watchColorScheme(host: HTMLElement, changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', changed);
  // A page's own switch sets an attribute or a class at the root; the element's own is `data-theme`.
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  for (let at: Node | null = host; at !== null; at = (at.getRootNode() as Partial<ShadowRoot>).host ?? null) {
    if (at instanceof HTMLElement) observer.observe(at, { attributes: true, attributeFilter: ['data-theme', 'style'] });
  }
  return () => {
    dark.removeEventListener('change', changed);
    observer.disconnect();
  };
}
