/**
 * Sets the parts of the strip side by side, with the same space between any two. Which parts it has changes with the section; a part moves
 * by a translation then, since what is laid out anew under the reader's eyes counts as a page that jumps.
 */
export function setSideBySide(list: HTMLElement): void {
  const shown = [...list.querySelectorAll<HTMLElement>('li')].filter((item) => item.offsetWidth > 0);
  const widths = shown.map((item) => item.offsetWidth);
  const space = (list.clientWidth - widths.reduce((sum, width) => sum + width, 0)) / shown.length;
  let x = space / 2;
  for (const [at, item] of shown.entries()) {
    item.style.setProperty('--x', `${x.toFixed(1)}px`);
    x += widths[at]! + space;
  }
}
