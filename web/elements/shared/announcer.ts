import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Milliseconds between two announcements; a reader cannot listen faster. */
const pause = 1200;

/**
 * Text for a polite live region, at most one in `pause` and always the newest: while somebody drags, a screen reader
 * hears where they are now and then, and where they ended.
 */
export class Announcer implements ReactiveController {
  /** What the live region should hold. */
  text = '';
  private next: string | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  say(text: string): void {
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
