export type KeyAction = 'play-or-pause' | 'step' | 'look-back' | 'rewind' | 'newest';

const actions: Readonly<Record<string, KeyAction>> = {
  ' ': 'play-or-pause',
  ArrowRight: 'step',
  ArrowLeft: 'look-back',
  Home: 'rewind',
  End: 'newest',
};

/** What a key means to the figure as a whole; null where a part of it, or the page, has a use for the key itself. */
export function keyAction(event: KeyboardEvent): KeyAction | null {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null;
  const [target] = event.composedPath();
  if (target instanceof Element) {
    if (target.matches('input, select, textarea, [role="region"]')) return null;
    // A space presses the button that has the focus; Home and End go to the ends of the page from it.
    const isButton = target.matches('button, a, summary, [role="button"], [role="link"]');
    if (isButton && [' ', 'Home', 'End'].includes(event.key)) return null;
  }
  return actions[event.key] ?? null;
}
