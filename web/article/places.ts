import { keepAt } from '../elements/shared/keep-in-view.js';
import { unfold } from '../elements/shared/unfold.js';
import { revealInChapter } from './chapters.js';

/**
 * Links within the page lead to their target and stay there while figures load; back, forward and reload return to the
 * reader's position. Browsers restore pixel positions, which are wrong once a figure above has grown, so positions here
 * are distances from a section, or from a heading within a long section.
 */
interface Place {
  readonly id: string;
  /** Its top edge, in pixels below the top of the window. */
  readonly top: number;
}

const storageName = 'tied-places';
/** The number of positions stored for the next visit. */
const mostPlaces = 50;

/** By the key of the history entry. */
const places = new Map<string, Place>();
let currentKey = '';

const keyOfEntry = (): string | null => {
  const state = history.state as { place?: unknown } | null;
  return typeof state?.place === 'string' ? state.place : null;
};

/** Names the history entry, and keeps the states that elements have stored in it. */
function nameEntry(): void {
  currentKey = `${String(Date.now())}-${String(history.length)}`;
  history.replaceState({ ...(history.state as object | null), place: currentKey }, '');
}

/**
 * Relative to the last section or heading that starts in the upper third of the window or above it; before the first
 * one, relative to the article.
 */
function placeNow(): Place | null {
  let found: Place | null = null;
  for (const section of document.querySelectorAll<HTMLElement>(
    'main[id], main > section[id], .chapter, section > h3[id]',
  )) {
    const { top } = section.getBoundingClientRect();
    if (found === null || top < innerHeight / 3) found = { id: section.id, top };
  }
  return found;
}

function rememberPlace(): void {
  const place = placeNow();
  if (place !== null) places.set(currentKey, place);
}

/** What crosses the upper third of the window, and the share of it that is above. */
let line: { readonly block: HTMLElement; readonly above: number } | null = null;

function rememberLine(): void {
  const found = document.elementFromPoint(innerWidth / 2, innerHeight / 3);
  const block = found?.closest<HTMLElement>('main :is(p, li, h2, figure, [link-state], .folds, section)');
  if (block === null || block === undefined) return;
  const { top, height } = block.getBoundingClientRect();
  line = { block, above: (innerHeight / 3 - top) / height };
}

/** Zoom, or a phone that is turned, changes all heights: the line that is read stays where it was, not the pixel position. */
function keepLineAtWidth(): void {
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    if (line === null || scrollY === 0) return;
    const { block, above } = line;
    keepAt(block, () => innerHeight / 3 - above * block.offsetHeight);
  });
}

/** The id in a hash, or '' if it is malformed. */
function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

function landOn(target: HTMLElement): void {
  unfold(target);
  const pixels = (length: string): number => Number.parseFloat(length) || 0;
  keepAt(
    target,
    () =>
      pixels(getComputedStyle(target).scrollMarginBlockStart) +
      pixels(getComputedStyle(document.documentElement).scrollPaddingBlockStart),
  );
}

/** Runs `then` with element `id`, at once if the page has it, or once its chapter has been fetched. */
function withElement(id: string, then: (element: HTMLElement) => void): void {
  const element = id === '' ? null : document.getElementById(id);
  if (element !== null) then(element);
  else if (id !== '') void revealInChapter(id).then((found) => (found === null ? undefined : then(found)));
}

const landOnHash = (hash: string): void => withElement(idOf(hash), landOn);

function returnTo(key: string | null): boolean {
  const place = key === null ? undefined : places.get(key);
  if (place === undefined) return false;
  withElement(place.id, (section) => keepAt(section, () => place.top));
  return true;
}

function readStoredPlaces(): void {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [string, Place][];
    for (const [key, place] of stored) places.set(key, place);
  } catch {
    // Storage may be forbidden; then positions last until the page closes.
  }
}

function storePlaces(): void {
  try {
    sessionStorage.setItem(storageName, JSON.stringify([...places].slice(-mostPlaces)));
  } catch {
    // As above.
  }
}

function startAt(): void {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const key = keyOfEntry();
  if (key === null) nameEntry();
  else currentKey = key;
  if (visit !== undefined && visit.type !== 'navigate' && returnTo(key)) return;
  landOnHash(location.hash);
}

export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  readStoredPlaces();
  startAt();
  addEventListener('scroll', rememberPlace, { passive: true });
  addEventListener('scroll', rememberLine, { passive: true });
  keepLineAtWidth();
  addEventListener('pagehide', storePlaces);

  // A second click on the same link does not change the URL, so only the click event reports it.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link !== null && plain && location.hash === link.getAttribute('href')) landOnHash(location.hash);
  });
  // Fires before `hashchange`, and also when two entries have the same URL, when `hashchange` does not.
  addEventListener('popstate', () => {
    const key = keyOfEntry();
    if (key === null) {
      nameEntry();
      landOnHash(location.hash);
      return;
    }
    currentKey = key;
    if (!returnTo(key)) landOnHash(location.hash);
  });
}
