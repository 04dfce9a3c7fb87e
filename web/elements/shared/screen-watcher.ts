import type { LitElement, ReactiveController } from 'lit';

/**
 * Tells an element when it comes near the screen, and whether it can be seen, so that nothing is loaded before it is
 * needed and nothing runs where nobody looks.
 */
export class ScreenWatcher implements ReactiveController {
  /** On screen and in a visible tab. */
  visible = false;
  /** Was near the screen at least once. */
  woken = false;
  private observer: IntersectionObserver | null = null;
  private onScreen = false;

  constructor(
    private readonly host: LitElement,
    private readonly changed: (visible: boolean) => void,
    private readonly wake: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.update);
    if (typeof IntersectionObserver === 'undefined') {
      this.onScreen = true;
      this.wakeOnce();
      this.update();
      return;
    }
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          near.disconnect();
          this.wakeOnce();
        }
      },
      { rootMargin: '50% 0px' },
    );
    near.observe(this.host);
    this.observer = new IntersectionObserver((entries) => {
      this.onScreen = entries.at(-1)?.isIntersecting ?? false;
      this.update();
    });
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.update);
    this.observer?.disconnect();
    this.observer = null;
    this.onScreen = false;
    this.update();
  }

  private wakeOnce(): void {
    if (this.woken) return;
    this.woken = true;
    this.wake();
  }

  private readonly update = (): void => {
    const visible = this.onScreen && document.visibilityState === 'visible';
    if (visible === this.visible) return;
    this.visible = visible;
    this.changed(visible);
  };
}
