/** Opens a model in other elements of the page, usually the calculator. */
import { unfold } from '../shared/unfold.js';

/** Implemented by our elements: also discards edits of the previous model. */
interface OpensModels {
  openModel(id: string): void;
}

const opensModels = (element: Element): element is Element & OpensModels =>
  typeof (element as Partial<OpensModels>).openModel === 'function';

/**
 * Opens `model` in the elements with these ids, through the attribute `model` if they have no method for it, and
 * focuses the first one; returns false if there is none.
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

/** Focuses the figure's title, so it is read out and the next Tab reaches the figure's first control. */
function moveFocusTo(target: HTMLElement): void {
  unfold(target);
  const place = target.shadowRoot?.getElementById('title') ?? target;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  target.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' });
}

/** Inserts the model into the author's pattern: 'calculator.html#model={model}'. */
export const linkToModel = (pattern: string, model: string): string =>
  pattern.replaceAll('{model}', encodeURIComponent(model));
