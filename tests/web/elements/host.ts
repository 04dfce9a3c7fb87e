// An element as seen by controllers, which a test can remove and put back.
import type { ReactiveController } from 'lit';
import type { Host } from '../../../web/elements/shared/when-gone.js';

export interface HostOfTests extends Host {
  isConnected: boolean;
  updates: number;
  /** Updates, as Lit does after `requestUpdate`. */
  update: () => void;
  remove: () => void;
  putBack: () => void;
}

export function hostOfTests(): HostOfTests {
  const controllers: ReactiveController[] = [];
  const host: HostOfTests = {
    isConnected: true,
    updates: 0,
    addController: (controller) => void controllers.push(controller),
    removeController: () => undefined,
    requestUpdate: () => (host.updates += 1),
    updateComplete: Promise.resolve(true),
    update: () => {
      for (const controller of controllers) controller.hostUpdate?.();
      for (const controller of controllers) controller.hostUpdated?.();
    },
    remove: () => {
      host.isConnected = false;
      for (const controller of controllers) controller.hostDisconnected?.();
    },
    putBack: () => {
      host.isConnected = true;
      for (const controller of controllers) controller.hostConnected?.();
    },
  };
  return host;
}

/** Resolves after everything that waits only for other promises. */
export const settled = (): Promise<void> => new Promise((done) => setTimeout(done));
