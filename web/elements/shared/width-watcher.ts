import type { LitElement, ReactiveController } from 'lit';

/**
 * Width in CSS pixels of the first element in the host's shadow root that matches, or of the host itself where the selector
 * is null; asks for an update when it changes.
 */
export class WidthWatcher implements ReactiveController {
  width: number;
  private observer: ResizeObserver | null = null;
  private watched: Element | null = null;

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
      const width = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
      if (width === 0 || width === this.width) return;
      this.width = width;
      this.host.requestUpdate();
    });
    // An element that comes back to the page is not updated for that.
    if (this.host.hasUpdated) this.hostUpdated();
  }

  hostUpdated(): void {
    const found = this.selector === null ? this.host : (this.host.shadowRoot?.querySelector(this.selector) ?? null);
    if (found === this.watched || this.observer === null) return;
    this.observer.disconnect();
    this.watched = found;
    if (found !== null) this.observer.observe(found);
  }

  hostDisconnected(): void {
    this.observer?.disconnect();
    this.observer = null;
    this.watched = null;
  }
}
