/**
 * Wide tables and formulas scroll by themselves. While they overflow, Tab can focus them, so the arrow keys scroll
 * them.
 */
export function letKeyboardScroll(selector: string): void {
  const update = (element: Element): void => {
    if (element.scrollWidth > element.clientWidth) element.setAttribute('tabindex', '0');
    else element.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  for (const element of document.querySelectorAll(selector)) observer.observe(element);
}
