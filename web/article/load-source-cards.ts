/** Cards of sources are loaded when a reader first approaches a citation. Until then, a tap waits for them instead of following the link. */
export function loadSourceCards(): void {
  const names = ['pointerover', 'pointerdown', 'focusin', 'click'] as const;
  let touched = false;
  let last: Event | null = null;
  const hear = (event: Event): void => {
    if (!(event.target instanceof Element) || event.target.closest('a.cite') === null) return;
    if (event.type === 'pointerdown') touched = (event as PointerEvent).pointerType === 'touch';
    if (event.type === 'click' && touched) event.preventDefault();
    const isFirst = last === null;
    last = event;
    if (!isFirst) return;
    const loaded = import('./source-cards.js').then(
      ({ setUpSourceCards }) => setUpSourceCards(last ?? event),
      console.warn,
    );
    void loaded.then(() => {
      for (const name of names) removeEventListener(name, hear);
    });
  };
  for (const name of names) addEventListener(name, hear);
}
