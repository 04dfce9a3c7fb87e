/** Where the reader is. Measured from the page as it is, since chapters and figures arrive late. */

/** The section or chapter that spans `y`, in pixels below the top of the window; or null. */
export function placeAt(main: Element, y: number): HTMLElement | null {
  for (const one of main.querySelectorAll<HTMLElement>(':scope > section[id], .chapter')) {
    const { top, bottom } = one.getBoundingClientRect();
    if (top <= y && y < bottom) return one;
  }
  return null;
}
