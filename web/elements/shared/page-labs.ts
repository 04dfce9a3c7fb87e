import type { Lab, LabOptions } from '../../core/types.js';

/**
 * The labs of a page: one for all figures, and a second one that models are trained in beside it. A lab opens when the first
 * figure holds it and is disposed of when the last one lets go.
 */

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

async function openWorker(): Promise<Lab> {
  const lab = await openLab();
  if (lab.mode === 'worker') return lab;
  lab.dispose();
  throw new Error('A second lab has no worker of its own.');
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

/** Gives the lab of one role, opening it where there is none that lives. */
function place(open: () => Promise<Lab>): () => HeldLab {
  let held: HeldLab | null = null;
  return () => {
    if (held === null || held.ended) held = new HeldLab(open());
    return held.hold();
  };
}

export const holdLab = place(openLab);
/** Its `opened` rejects where a second worker cannot be had. */
export const holdSecondLab = place(openWorker);
