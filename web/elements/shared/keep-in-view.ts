const whatReadersDo = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The browser rounds scroll positions to device pixels. */
const roundingPx = 2;

/** What is kept at present: a page has one place to be kept at. */
let kept: AbortController | null = null;

/**
 * Puts the top of `element` at `wantedTop` pixels below the top of the window, and puts it there again whenever the page
 * changes its height, as figures above it arrive. It ends when the reader scrolls, clicks or types, or when something
 * else is to be kept, and never by a clock: a slow machine may take any time.
 */
export function keepAt(element: HTMLElement, wantedTop: () => number): void {
  kept?.abort();
  const ended = new AbortController();
  const { signal } = ended;
  kept = ended;

  let topInPage = 0;
  let topInWindow = 0;
  const show = (): void => {
    scrollTo({ top: scrollY + element.getBoundingClientRect().top - wantedTop(), behavior: 'instant' });
    topInWindow = element.getBoundingClientRect().top;
    topInPage = topInWindow + scrollY;
  };
  const growth = new ResizeObserver(show);
  const end = (): void => {
    ended.abort();
  };
  signal.addEventListener('abort', () => {
    growth.disconnect();
  });
  for (const name of whatReadersDo) addEventListener(name, end, { capture: true, passive: true, signal });
  // Readers scroll by other means as well: a scroll bar, find in page, a screen reader. What moves in the window but not
  // in the page was scrolled; what moves in the page was pushed.
  addEventListener(
    'scroll',
    () => {
      const { top } = element.getBoundingClientRect();
      if (Math.abs(top + scrollY - topInPage) > roundingPx) show();
      else if (Math.abs(top - topInWindow) > roundingPx) end();
    },
    { passive: true, signal },
  );
  show();
  growth.observe(document.body);
}

/** Keeps `element` in the middle of the window, or at its top where it is taller. */
export function keepInView(element: HTMLElement): void {
  keepAt(element, () => Math.max(0, (innerHeight - element.offsetHeight) / 2));
}
