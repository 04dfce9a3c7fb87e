import type { ReactiveController, ReactiveElement } from 'lit';
import { decodeLinkState } from './link-state.js';

/** Reports links to an element's state: the one that opened the page, and those followed while it is open. */
export class LinkWatcher implements ReactiveController {
  readonly #nameOf: () => string | null;
  readonly #follow: (settings: Readonly<Record<string, string>>) => void;
  /** The last link that was read or copied. Going back to it must not discard what the reader did since. */
  #known = '';

  constructor(
    host: ReactiveElement,
    nameOf: () => string | null,
    follow: (settings: Readonly<Record<string, string>>) => void,
  ) {
    this.#nameOf = nameOf;
    this.#follow = follow;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('hashchange', this.#onHash);
  }

  hostDisconnected(): void {
    removeEventListener('hashchange', this.#onHash);
  }

  /** The settings in the page's URL; null if it leads elsewhere. */
  read(): Record<string, string> | null {
    const name = this.#nameOf();
    const found = name === null ? null : decodeLinkState(location.hash, name);
    if (found !== null) this.#known = location.hash;
    return found;
  }

  /** The element has written this link itself. */
  wrote(link: string): void {
    this.#known = new URL(link).hash;
  }

  readonly #onHash = (): void => {
    const before = this.#known;
    const found = this.read();
    if (found !== null && location.hash !== before) this.#follow(found);
  };
}
