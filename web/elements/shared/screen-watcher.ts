import type { LitElement, ReactiveController } from 'lit';
import { whenGone } from './when-gone.js';

/**
 * Reports when an element comes near the screen and whether it is visible, so nothing loads before it is needed or
 * runs out of view.
 */
export class ScreenWatcher implements ReactiveController {
  /** On screen and in a visible tab. */
  visible = false;
  /** Whether it came near the screen since it was added to the page. */
  woken = false;
  private observers: IntersectionObserver[] = [];
  private onScreen = false;

  constructor(
    private readonly host: LitElement,
    private readonly changed: (visible: boolean) => void,
    private readonly wake: () => void,
  ) {
    host.addController(this);
    whenGone(host, () => {
      this.woken = false;
    });
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.update);
    if (typeof IntersectionObserver === 'undefined') {
      this.onScreen = true;
      this.wakeOnce();
      this.update();
      return;
    }
    const onScreen = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        // A figure that only touches the edge, as in a carousel, intersects with a ratio of 0.
        this.onScreen = entry?.isIntersecting === true && entry.intersectionRatio !== 0;
        this.update();
      },
      { threshold: [0, 0.001] },
    );
    this.observers = [onScreen, ...(this.woken ? [] : [this.whenNear()])];
    for (const observer of this.observers) observer.observe(this.host);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.update);
    for (const observer of this.observers) observer.disconnect();
    this.observers = [];
    this.onScreen = false;
    this.update();
  }

  private whenNear(): IntersectionObserver {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        this.wakeOnce();
      },
      { rootMargin: '50% 0px' },
    );
    return near;
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
