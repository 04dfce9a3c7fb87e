/** Where the reader is, and what the drawing must not cover. Measured from the page as it is, since chapters and figures arrive late. */

/** The section or chapter that spans `y`, in pixels below the top of the window; or null. */
export function placeAt(main: Element, y: number): HTMLElement | null {
  for (const one of main.querySelectorAll<HTMLElement>(':scope > section[id], .chapter')) {
    const { top, bottom } = one.getBoundingClientRect();
    if (top <= y && y < bottom) return one;
  }
  return null;
}

/** What is in a row of the page's grid: text, notes and figures. */
const blocks = ':is(section, .hero, .title-block, .contents, .part, .chapter > summary, .chapter-page) > *';

/** Free space around the drawing. */
const marginPx = 8;

/** Whether something of the page is in the box of `drawing`. */
export function isTaken(main: Element, drawing: Element): boolean {
  const own = drawing.getBoundingClientRect();
  for (const block of main.querySelectorAll(blocks)) {
    const { left, right, top, bottom } = block.getBoundingClientRect();
    if (right <= own.left - marginPx || left >= own.right + marginPx || top >= own.bottom + marginPx) continue;
    // Beside its paragraph, a note is higher than its box, which has no height.
    if (Math.max(bottom, top + block.scrollHeight) > own.top - marginPx && block.checkVisibility()) return true;
  }
  return false;
}
