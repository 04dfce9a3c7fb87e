import type { Lab, LabOptions } from '../../core/types.js';

/** The lab of a page, for all figures. It opens when the first figure holds it, and is disposed of when none does. */

let options: LabOptions = {};
let opener: (() => Promise<Lab>) | null = null;

/**
 * Where the worker and the wasm file are; call it before the first element comes into view.
 * Absent values keep the defaults of `createLab`.
 */
export function configureLabs(changes: LabOptions): void {
  options = { ...options, ...changes };
}

/**
 * Another way to open a lab than `createLab` with the options above, such as one that fetches its wasm; where it fails,
 * the usual way is tried.
 */
export function setLabOpener(open: (() => Promise<Lab>) | null): void {
  opener = open;
}

async function openLab(): Promise<Lab> {
  if (opener !== null) {
    try {
      return await opener();
    } catch (error) {
      console.warn(error);
    }
  }
  // The core is fetched only now: a page whose figures nobody scrolls to never loads it.
  const { createLab } = await import('../../worker/lab.js');
  return createLab(options);
}

/** A lab and how many hold it. */
export class HeldLab {
  readonly opened: Promise<Lab>;
  #holders = 0;
  #ended = false;

  constructor(opened: Promise<Lab>) {
    this.opened = opened;
    // Disposed of, dead, or never opened.
    void opened
      .then((lab) => lab.closed)
      .catch(() => undefined)
      .then(() => (this.#ended = true));
  }

  /** It answers no more: whoever needs a lab holds another one. */
  get ended(): boolean {
    return this.#ended;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.end();
  }

  /** Disposes of it, whoever holds it: because nobody does, or because it is dead. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.opened.then(
      (lab) => {
        lab.dispose();
      },
      () => undefined,
    );
  }
}

let pageLab: HeldLab | null = null;

/** The page's lab; another one where the last has ended. */
export function holdLab(): HeldLab {
  if (pageLab === null || pageLab.ended) pageLab = new HeldLab(openLab());
  return pageLab.hold();
}
