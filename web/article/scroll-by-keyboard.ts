/**
 * Wide tables and formulas scroll by themselves. While they overflow, Tab can focus them, so the arrow keys scroll
 * them. So do those of chapters that arrive later.
 */
export function letKeyboardScroll(selector: string): void {
  const update = (element: Element): void => {
    if (element.scrollWidth > element.clientWidth) element.setAttribute('tabindex', '0');
    else element.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  const watch = (root: ParentNode): void => {
    for (const element of root.querySelectorAll(selector)) observer.observe(element);
  };
  watch(document);
  document.addEventListener('tied-chapter', ({ target }) => {
    if (target instanceof Element) watch(target);
  });
}
