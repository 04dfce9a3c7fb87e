import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Milliseconds between two announcements: about the time it takes to hear one. */
const pause = 1200;

/**
 * Text for a polite live region, updated at most once per `pause` and always to the newest: during a drag, a screen
 * reader announces some intermediate values and the final one.
 */
export class Announcer implements ReactiveController {
  /** The live region's current text. */
  text = '';
  private next: string | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  announce(text: string): void {
    if (text === this.text && this.next === null) return;
    this.next = text;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (this.next === null) return;
      this.text = this.next;
      this.next = null;
      this.host.requestUpdate();
    }, pause);
  }

  hostDisconnected(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.next = null;
  }
}
