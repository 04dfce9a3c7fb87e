/** Hands a model to other elements of the page, the calculator above all. */

/** Our figures about one model: takes back what was changed of the model before, or of the same one. */
interface OpensModels {
  openModel(id: string): void;
}

const opensModels = (element: Element): element is Element & OpensModels =>
  typeof (element as Partial<OpensModels>).openModel === 'function';

/**
 * Opens `model` in the elements of these ids, by their attribute `model` where they have no way of their own, and puts the
 * reader in front of the first; false where there is none.
 */
export function openModelIn(from: Element, ids: string, model: string): boolean {
  const root = from.getRootNode() as Document | ShadowRoot;
  const targets = ids
    .split(/\s+/)
    .filter(Boolean)
    .map((id) => root.getElementById(id) ?? document.getElementById(id))
    .filter((target) => target !== null);
  for (const target of targets) {
    if (opensModels(target)) target.openModel(model);
    else target.setAttribute('model', model);
  }
  const [first] = targets;
  if (first === undefined) return false;
  moveFocusTo(first);
  return true;
}

/** To the figure's title, so that it is read out, and the next Tab reaches its first control. */
function moveFocusTo(target: HTMLElement): void {
  const place = target.shadowRoot?.getElementById('title') ?? target;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' });
}

/** The author's pattern with the model in it: 'calculator.html#model={model}'. */
export const linkToModel = (pattern: string, model: string): string =>
  pattern.replaceAll('{model}', encodeURIComponent(model));
