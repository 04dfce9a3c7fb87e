import type { ReactiveControllerHost } from 'lit';

/** An element, as the controllers here see it. */
export type Host = ReactiveControllerHost & { readonly isConnected: boolean };

/**
 * Calls `gone` when the element has left its page. An element that is only moved is connected again before the microtask
 * runs, and keeps what it holds. `gone` may be called twice for one departure.
 */
export function whenGone(host: Host, gone: () => void): void {
  host.addController({
    hostDisconnected() {
      queueMicrotask(() => {
        if (!host.isConnected) gone();
      });
    },
  });
}

/** Stands in for an element where there is none; it never leaves. */
export const noElement: Host = {
  isConnected: true,
  addController: () => undefined,
  removeController: () => undefined,
  requestUpdate: () => undefined,
  updateComplete: Promise.resolve(true),
};
