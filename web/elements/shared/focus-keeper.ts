import type { LitElement, ReactiveController } from 'lit';

const controls = 'button, input, select, textarea, summary, a[href], [tabindex="0"]';

/** Whether an element takes part in Tab order: nothing that is folded, hidden or disabled does. */
const canTakeFocus = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(':disabled') && element.getClientRects().length > 0;

/**
 * Keeps the place of a reader who uses the keyboard: if an update removes the focused control, such as a "Cancel" whose work
 * is done, the focus moves to the control that takes its place, or else to its neighbor. Browsers would move it to the page.
 */
export class FocusKeeper implements ReactiveController {
  readonly #host: LitElement;
  #focused: HTMLElement | null = null;
  /** The controls before the focused one, in document order. */
  #before: readonly HTMLElement[] = [];

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    const focused = (this.#host.shadowRoot?.activeElement ?? null) as HTMLElement | null;
    const isBefore = (control: HTMLElement): boolean =>
      (focused!.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    this.#focused = focused;
    this.#before = focused === null ? [] : this.#controls().filter(isBefore);
  }

  hostUpdated(): void {
    const lost = this.#focused;
    this.#focused = null;
    // Something else may have taken the focus meanwhile.
    if (lost === null || this.#isElsewhere(lost)) return;
    if (canTakeFocus(lost)) {
      // A control that is moved among others loses the focus, too.
      if (this.#host.shadowRoot?.activeElement !== lost) lost.focus({ preventScroll: true });
      return;
    }
    const now = this.#controls().filter(canTakeFocus);
    const neighbor = this.#before.filter((control) => now.includes(control)).at(-1);
    const next = now[neighbor === undefined ? 0 : now.indexOf(neighbor) + 1] ?? neighbor;
    next?.focus({ preventScroll: true });
  }

  #controls(): HTMLElement[] {
    return [...(this.#host.shadowRoot?.querySelectorAll<HTMLElement>(controls) ?? [])];
  }

  #isElsewhere(lost: HTMLElement): boolean {
    const inside = this.#host.shadowRoot?.activeElement ?? null;
    if (inside !== null) return inside !== lost;
    const root = this.#host.getRootNode() as Document | ShadowRoot;
    const outside = root.activeElement;
    return outside !== null && outside !== this.#host && outside !== this.#host.ownerDocument.body;
  }
}
