export type KeyAction = 'play-or-pause' | 'step' | 'look-back' | 'rewind' | 'newest';

const actions: Readonly<Record<string, KeyAction>> = {
  ' ': 'play-or-pause',
  ArrowRight: 'step',
  ArrowLeft: 'look-back',
  Home: 'rewind',
  End: 'newest',
};

/** The figure's action for a key; null if a control inside the figure, or the page, uses the key. */
export function keyAction(event: KeyboardEvent): KeyAction | null {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const [target] = event.composedPath();
  if (target instanceof Element) {
    if (target.matches('input, select, textarea, [role="region"]')) return null;
    // A space presses the focused button; Home and End still scroll the page.
    const isButton = target.matches('button, a, summary, [role="button"], [role="link"]');
    if (isButton && [' ', 'Home', 'End'].includes(event.key)) return null;
  }
  return actions[event.key] ?? null;
}
