const whatReadersDo = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Browsers round scroll positions to device pixels. */
const roundingPx = 2;

/** The current anchor: a page has at most one. */
let kept: AbortController | null = null;

/**
 * Scrolls the top of `element` to `wantedTop` pixels below the window's top, again whenever the page's height changes
 * because figures above load. Ends when the reader scrolls, clicks or types, or when another element is anchored; never
 * by a timeout, because machines may be slow.
 */
export function keepAt(element: HTMLElement, wantedTop: () => number): void {
  kept?.abort();
  const ended = new AbortController();
  const { signal } = ended;
  kept = ended;

  let topInPage = 0;
  let topInWindow = 0;
  let pageHeight = 0;
  const show = (): void => {
    scrollTo({ top: scrollY + element.getBoundingClientRect().top - wantedTop(), behavior: 'instant' });
    topInWindow = element.getBoundingClientRect().top;
    topInPage = topInWindow + scrollY;
    pageHeight = document.body.offsetHeight;
  };
  const growth = new ResizeObserver(show);
  const end = (): void => ended.abort();
  signal.addEventListener('abort', () => growth.disconnect());
  for (const name of whatReadersDo) addEventListener(name, end, { capture: true, passive: true, signal });
  // Readers also scroll with scroll bars, find in page or screen readers. A move in the window but not in the page is
  // scrolling; a move in the page was caused by layout. So was one that comes with a page that has become lower, whose end it meets, or
  // with one that has grown if the address names a target: browsers, too, scroll to that while the page grows, and a script that asks for
  // a position makes that happen before `growth` knows. Without a target, what grows below leaves the element where it is.
  addEventListener(
    'scroll',
    () => {
      const { top } = element.getBoundingClientRect();
      const growthPx = document.body.offsetHeight - pageHeight;
      const isByLayout =
        Math.abs(top + scrollY - topInPage) > roundingPx ||
        growthPx < 0 ||
        (growthPx > 0 && document.querySelector(':target') !== null);
      if (isByLayout) show();
      else if (Math.abs(top - topInWindow) > roundingPx) end();
    },
    { passive: true, signal },
  );
  show();
  growth.observe(document.body);
}

/** Keeps `element` in the middle of the window, or at its top if it is taller than the window. */
export function keepInView(element: HTMLElement): void {
  keepAt(element, () => Math.max(0, (innerHeight - element.offsetHeight) / 2));
}
