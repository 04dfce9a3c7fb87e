import type { LitElement, ReactiveController } from 'lit';

/** Milliseconds between two announcements: about the time it takes to hear one. */
const pause = 1200;

/** What a reader does who uses a figure, by mouse, finger, keyboard or screen reader. */
const touches = ['pointerdown', 'keydown', 'click', 'focusin', 'input', 'drop'] as const;

/**
 * Text for a polite live region, updated at most once per `pause` and always to the newest: during a drag, a screen
 * reader announces some intermediate values and the final one. What a figure says before its reader has touched it, as it
 * wakes below the text that is being read, is not announced.
 */
export class Announcer implements ReactiveController {
  /** The live region's current text. */
  text = '';
  private next: string | null = null;
  /** What the figure said last, whether announced or not. */
  private said = '';
  private isTouched = false;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  announce(text: string): void {
    if (!this.isTouched) {
      this.said = text;
      return;
    }
    if (text === this.said && this.next === null) return;
    this.next = text;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (this.next === null) return;
      this.text = this.said = this.next;
      this.next = null;
      this.host.requestUpdate();
    }, pause);
  }

  hostConnected(): void {
    for (const name of touches) this.host.addEventListener(name, this.touch, { passive: true, once: true });
  }

  private readonly touch = (): void => {
    this.isTouched = true;
  };

  hostDisconnected(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.next = null;
  }
}
