import type { Lab, LabOptions } from '../../core/types.js';

/**
 * One lab, and so one worker and one copy of the core, for all elements of a page. Made when first asked for, and again when
 * it has died: a worker can be ended by the browser, and a core can run out of memory.
 */

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

/** Whether a lab that has just refused something with `error` will never answer anything again. */
async function isDead(lab: Lab, error: unknown): Promise<boolean> {
  const code = (error as { code?: unknown } | null)?.code;
  // A disposed handle has the code of a disposed lab: a tiny question decides.
  if (code !== 'disposed' && code !== 'stopped') return false;
  try {
    await lab.symmetry({ rows: 1, cols: 1, data: new Float32Array(1) });
    return false;
  } catch {
    return true;
  }
}

/** Lets go of the page's lab where it has died, so that whoever asks next gets a new one; says whether it was so. */
async function letGoOfDead(lab: Lab, error: unknown): Promise<boolean> {
  if (!(await isDead(lab, error))) return false;
  // Another element may have replaced it meanwhile.
  if ((await shared?.catch(() => null)) === lab) shared = null;
  lab.dispose();
  return true;
}

/** After a failure of whatever lived in the page's lab. */
export async function checkSharedLab(error: unknown): Promise<void> {
  const lab = await shared?.catch(() => null);
  if (lab) await letGoOfDead(lab, error);
}

/** What the lab could not answer because it has died is asked of the next one, once. */
export async function askSharedLab<Answer>(question: (lab: Lab) => Promise<Answer>): Promise<Answer> {
  const lab = await sharedLab();
  try {
    return await question(lab);
  } catch (error) {
    if (!(await letGoOfDead(lab, error))) throw error;
    return question(await sharedLab());
  }
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
