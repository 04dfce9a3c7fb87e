import { keepAt } from '../elements/shared/keep-in-view.js';
import { unfold } from './unfold.js';

/**
 * Links within the page land where they point and stay there while figures wake; back, forward and reload return to
 * where the reader was. A browser does both by pixels, which are wrong once a figure above has grown. Here a place is a
 * distance from a section.
 */
interface Place {
  readonly id: string;
  /** Of the section, in pixels below the top of the window. */
  readonly top: number;
}

const storageName = 'tied-places';
/** How many places outlive the visit. */
const mostPlaces = 50;

/** By key of the entry in the history. */
const places = new Map<string, Place>();
let currentKey = '';

const keyOfEntry = (): string | null => {
  const state = history.state as { place?: unknown } | null;
  return typeof state?.place === 'string' ? state.place : null;
};

/** Elements keep states of their own in an entry, which stay. */
function nameEntry(): void {
  currentKey = `${String(Date.now())}-${String(history.length)}`;
  history.replaceState({ ...(history.state as object | null), place: currentKey }, '');
}

/** Of the last section that has begun in the upper third of the window; above the first one, of the whole article. */
function placeNow(): Place | null {
  let found: Place | null = null;
  for (const section of document.querySelectorAll<HTMLElement>('main[id], main > section[id]')) {
    const { top } = section.getBoundingClientRect();
    if (found === null || top < innerHeight / 3) found = { id: section.id, top };
  }
  return found;
}

function rememberPlace(): void {
  const place = placeNow();
  if (place !== null) places.set(currentKey, place);
}

function targetOf(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    // Not everything behind # is a well-formed name.
    return null;
  }
}

function landOn(target: HTMLElement): void {
  unfold(target);
  keepAt(target, () => Number.parseFloat(getComputedStyle(target).scrollMarginBlockStart) || 0);
}

function returnTo(key: string | null): boolean {
  const place = key === null ? undefined : places.get(key);
  const section = place === undefined ? null : document.getElementById(place.id);
  if (place === undefined || section === null) return false;
  keepAt(section, () => place.top);
  return true;
}

function readStoredPlaces(): void {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [string, Place][];
    for (const [key, place] of stored) places.set(key, place);
  } catch {
    // Storage may be forbidden; then places last as long as the page.
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
  const target = targetOf(location.hash);
  if (target !== null) landOn(target);
}

export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  readStoredPlaces();
  startAt();
  addEventListener('scroll', rememberPlace, { passive: true });
  addEventListener('pagehide', storePlaces);

  // A second click on the same link changes no address, so that no event but the click tells of it.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const target = link === null || !plain ? null : targetOf(link.getAttribute('href') ?? '');
    if (target !== null && location.hash === link?.getAttribute('href')) landOn(target);
  });
  // Comes before `hashchange`, and alone where two entries have one address.
  addEventListener('popstate', () => {
    const key = keyOfEntry();
    if (key === null) {
      nameEntry();
      const target = targetOf(location.hash);
      if (target !== null) landOn(target);
      return;
    }
    currentKey = key;
    if (!returnTo(key)) {
      const target = targetOf(location.hash);
      if (target !== null) landOn(target);
    }
  });
}
