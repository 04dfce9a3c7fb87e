import type { Lab, LabOptions, Simd } from '../../core/types.js';

/**
 * A page's lab, shared by all figures. It opens for the first figure that holds it, and is disposed of when no figure does.
 */

let options: LabOptions = {};
let opener: (() => Promise<Lab>) | null = null;

/**
 * Locations of the worker and the wasm file; call it before the first element comes into view. Absent values keep the
 * defaults of `createLab`.
 */
export function configureLabs(changes: LabOptions): void {
  options = { ...options, ...changes };
}

/** The build of the core that the page asks for. */
export const askedSimd = (): Simd => options.simd ?? 'simd128';

/**
 * Another way to open a lab than `createLab` with the options above, such as one that fetches its wasm; if it fails,
 * `createLab` is tried.
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
  // The core is fetched only now: a page never loads it if no figure comes into view.
  const { createLab } = await import('../../worker/lab.js');
  return createLab(options);
}

/** A lab and the number of its holders. */
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

  /** True once it is lost: figures must hold another one. */
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

  /** Disposes of it, because it has no lease or is dead. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.opened.then(
      (lab) => lab.dispose(),
      () => undefined,
    );
  }
}

let pageLab: HeldLab | null = null;

/** What a lab of recorded answers throws for other questions. */
export const unrecorded = new Error('not recorded');

let recorded: Promise<Lab | null> | null = null;

/** A lab of answers that the page has from its build, if they arrive (recorded-answers.ts). Figures ask it until one needs more. */
export function setRecordedLab(lab: Promise<Lab | null> | null): void {
  recorded = lab;
}
export const recordedLab = (): Promise<Lab | null> | null => recorded;

/** Whether a figure holds the page's lab. */
export const isLabHeld = (): boolean => pageLab?.ended === false;

/** The page's lab; a new one if the last one has ended. */
export function holdLab(): HeldLab {
  if (pageLab === null || pageLab.ended) pageLab = new HeldLab(openLab());
  return pageLab.hold();
}
