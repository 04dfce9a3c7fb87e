/** How long a page may go on growing around a figure that it was opened at. */
const longestMs = 10_000;

const whatReadersDo = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Shows `element`, and shows it again whenever the page grows, as figures above it arrive: until the reader does
 * something, or ten seconds have passed. One that is taller than the window is shown from its top.
 */
export function keepInView(element: HTMLElement): void {
  const show = (): void => {
    element.scrollIntoView({ block: element.offsetHeight > innerHeight ? 'start' : 'center', behavior: 'instant' });
  };
  const ended = new AbortController();
  // Calls at once, too.
  const growth = new ResizeObserver(show);
  const end = (): void => {
    growth.disconnect();
    ended.abort();
    clearTimeout(timer);
  };
  const timer = setTimeout(end, longestMs);
  for (const name of whatReadersDo) {
    addEventListener(name, end, { capture: true, passive: true, signal: ended.signal });
  }
  growth.observe(document.body);
}
