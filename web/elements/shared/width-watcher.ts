import type { LitElement, ReactiveController } from 'lit';

/** Less is nothing to draw in: a place that opens or closes, where drawings, whose margins alone are wider, would have negative widths. */
const narrowest = 100;

/**
 * The width in CSS pixels of the first element in the host's shadow root that matches the selector, or of the host
 * if the selector is null; requests an update when it changes. A width
 * of less than a hundred pixels is ignored.
 */
export class WidthWatcher implements ReactiveController {
  width: number;
  private observer: ResizeObserver | null = null;
  private watched: Element | null = null;
  private frame = 0;

  constructor(
    private readonly host: LitElement,
    private readonly selector: string | null,
    initial: number,
  ) {
    this.width = initial;
    host.addController(this);
  }

  hostConnected(): void {
    if (typeof ResizeObserver === 'undefined') return;
    this.observer = new ResizeObserver((entries) => {
      const width = entries.at(-1)?.contentRect.width ?? 0;
      cancelAnimationFrame(this.frame);
      if (!this.isNew(width)) return;
      // Drawing within the callback may resize the observed element, which browsers report as an error.
      this.frame = requestAnimationFrame(() => this.take(width));
    });
    // Returning to the page does not update an element.
    if (this.host.hasUpdated) this.hostUpdated();
  }

  hostUpdated(): void {
    const found = this.selector === null ? this.host : (this.host.shadowRoot?.querySelector(this.selector) ?? null);
    if (found === this.watched || this.observer === null) return;
    this.observer.disconnect();
    this.watched = found;
    if (found === null) return;
    // The first width is read at once, so nothing is painted at a different width.
    this.take(contentWidth(found));
    this.observer.observe(found);
  }

  hostDisconnected(): void {
    cancelAnimationFrame(this.frame);
    this.observer?.disconnect();
    this.observer = null;
    this.watched = null;
  }

  private isNew(width: number): boolean {
    const whole = Math.floor(width);
    return whole >= narrowest && whole !== this.width;
  }

  private take(width: number): void {
    if (!this.isNew(width)) return;
    this.width = Math.floor(width);
    this.host.requestUpdate();
  }
}

function contentWidth(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - (Number.parseFloat(paddingLeft) || 0) - (Number.parseFloat(paddingRight) || 0);
}
