import { keepAt } from '../elements/shared/keep-in-view.js';

/** How much the article shows: the main text, every fold and chapter, or these with the mathematics. */
type Extent = 'short' | 'all' | 'mathematics';

const storageName = 'tied-reading';
const folds: Readonly<Record<Extent, string>> = {
  short: '',
  all: 'details.more, details.chapter',
  mathematics: 'details.more, details.chapter, details.maths',
};

/** Folds that a choice here has opened, and may close; those that the reader opens stay as they are. */
const opened = new Set<HTMLDetailsElement>();
let current: Extent = 'short';

function apply(): void {
  const wanted = new Set(folds[current] === '' ? [] : document.querySelectorAll<HTMLDetailsElement>(folds[current]));
  for (const fold of opened) {
    if (wanted.has(fold)) continue;
    fold.open = false;
    fold.removeAttribute('data-by-bar');
    opened.delete(fold);
  }
  for (const fold of wanted) {
    if (fold.open) continue;
    fold.open = true;
    fold.toggleAttribute('data-by-bar', true);
    opened.add(fold);
  }
}

const isExtent = (value: string | null | undefined): value is Extent =>
  value !== null && value !== undefined && value in folds;

export function setUpExtent(): void {
  const bar = document.querySelector<HTMLElement>('.reading');
  if (bar === null) return;
  const buttons = [...bar.querySelectorAll<HTMLButtonElement>('[data-show]')];
  const show = (extent: Extent): void => {
    current = extent;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset['show'] === extent));
    apply();
  };
  bar.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('button') : null;
    const extent = button?.dataset['show'];
    if (button === null || !isExtent(extent)) return;
    const { top } = button.getBoundingClientRect();
    show(extent);
    keepAt(button, () => top);
    try {
      localStorage.setItem(storageName, extent);
    } catch {
      // The choice lasts until the page closes.
    }
  });
  // In addition to what the others show.
  const plain = bar.querySelector('.plain-everywhere');
  plain?.addEventListener('click', () => {
    const isOn = plain.getAttribute('aria-pressed') !== 'true';
    plain.setAttribute('aria-pressed', String(isOn));
    void import('./learning/learning.js').then(({ showPlainWords }) => showPlainWords(isOn), console.warn);
  });
  document.addEventListener('tied-chapter', apply);
  bar.hidden = false;
  try {
    const stored = localStorage.getItem(storageName);
    if (isExtent(stored) && stored !== 'short') show(stored);
  } catch {
    // Storage may be forbidden; then the page starts with the main text.
  }
}
