import type { Lab, LabOptions } from '../../core/types.js';

/** One lab, and so one worker and one copy of the core, for all elements of a page. Made when first asked for. */

let options: LabOptions = {};
let opener: (() => Promise<Lab>) | null = null;
let shared: Promise<Lab> | null = null;
/** What `shared` has become, once it stands. */
let known: Lab | null = null;

/**
 * Where the worker and the wasm file are; call it before the first element comes into view.
 * Absent values keep the defaults of `createLab`.
 */
export function configureSharedLab(changes: LabOptions): void {
  options = { ...options, ...changes };
}

/**
 * Another way to make a lab than `createLab` with the options above, such as one with its wasm in a file of its own; where
 * it fails, the usual way is tried.
 */
export function setLabOpener(open: (() => Promise<Lab>) | null): void {
  opener = open;
}

/** The page's lab. A failure is not remembered: the next element to ask tries again. */
export function sharedLab(): Promise<Lab> {
  if (shared !== null) return shared;
  return keep(openOwnLab());
}

function keep(made: Promise<Lab>): Promise<Lab> {
  shared = made;
  known = null;
  made.then(
    (lab) => {
      if (shared === made) known = lab;
    },
    () => {
      if (shared === made) shared = null;
    },
  );
  return made;
}

/** Puts a lab of one's own in the place of the shared one; null = make a new one when next asked. */
export function setSharedLab(lab: Lab | Promise<Lab> | null): void {
  if (lab === null) {
    shared = null;
    known = null;
  } else {
    void keep(Promise.resolve(lab));
  }
}

/** A lab that answers nothing any more: its worker is ended, and where it was the shared one the next to ask gets a new one. */
export function discardSharedLab(lab: Lab): void {
  if (known === lab) {
    known = null;
    shared = null;
  }
  lab.dispose();
}

/** A lab, and so a worker, for one element alone, which disposes of it. */
export async function openOwnLab(): Promise<Lab> {
  if (opener !== null) {
    try {
      return await opener();
    } catch (error) {
      console.warn(error);
    }
  }
  // The core is fetched only now: a page with figures that nobody scrolls to never loads it.
  const { createLab } = await import('../../worker/lab.js');
  return createLab(options);
}
