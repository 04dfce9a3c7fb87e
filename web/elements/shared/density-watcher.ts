import type { LitElement, ReactiveController } from 'lit';

/** Requests an update when the device pixel ratio changes, through page zoom or another screen. */
export class DensityWatcher implements ReactiveController {
  private query: MediaQueryList | null = null;
  private queried = 0;

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  get density(): number {
    return globalThis.devicePixelRatio || 1;
  }

  hostConnected(): void {
    this.watch();
    // Zooming changes the window's size in CSS pixels too, and some browsers report only one of the two.
    addEventListener('resize', this.changed);
  }

  hostDisconnected(): void {
    removeEventListener('resize', this.changed);
    this.query?.removeEventListener('change', this.changed);
    this.query = null;
  }

  /** A media query matches one density, so each needs a new one. */
  private watch(): void {
    this.query?.removeEventListener('change', this.changed);
    this.queried = this.density;
    this.query = matchMedia(`(resolution: ${String(this.queried)}dppx)`);
    this.query.addEventListener('change', this.changed);
  }

  private readonly changed = (): void => {
    if (this.density === this.queried) return;
    this.watch();
    this.host.requestUpdate();
  };
}
