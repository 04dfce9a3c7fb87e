import type { ReactiveControllerHost } from 'lit';

/** An element, as its controllers see it. */
export type Host = ReactiveControllerHost & { readonly isConnected: boolean };

/**
 * Calls `gone` when the element has left its page. A moved element is connected again before the microtask runs, and
 * keeps its resources. `gone` may be called twice.
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

/** A host that never leaves, for use without an element. */
export const noElement: Host = {
  isConnected: true,
  addController: () => undefined,
  removeController: () => undefined,
  requestUpdate: () => undefined,
  updateComplete: Promise.resolve(true),
};
