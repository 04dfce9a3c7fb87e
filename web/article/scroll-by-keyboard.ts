/**
 * Tables and formulas that are wider than their place scroll by themselves. While they do, and only then, Tab reaches
 * them, so that arrow keys can scroll them.
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
