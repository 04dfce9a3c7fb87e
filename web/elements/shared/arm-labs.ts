import type { Lab } from '../../core/types.js';
import { openOwnLab } from './shared-lab.js';

/**
 * Who trains where. Models that are to be compared train at the same time in two workers wherever the machine has two
 * cores; else they take turns in one. The second worker is one for all figures of a page, and lives while one of them
 * holds it.
 */

/** Each takes a core, and the page needs some of one too. */
const mostLabs = 2;

/** How many labs `arms` models are dealt out to, where `first` is one of them. */
export function labsWanted(arms: number, first: Pick<Lab, 'mode'>, cores: number | undefined): number {
  // A lab without a worker of its own has the page's thread, and a second one would have the same.
  // A browser that does not tell its cores counts as one that has a single one.
  return first.mode === 'worker' ? Math.max(1, Math.min(arms, cores ?? 1, mostLabs)) : 1;
}

/** The lab of arm `index`: dealt out in turn, so that all labs have as much to do as may be. */
export function labOfArm(labs: readonly Lab[], index: number): Lab {
  const lab = labs[index % labs.length];
  if (lab === undefined) throw new RangeError('There is no lab to train in.');
  return lab;
}

interface Second {
  /** Null where it cannot be had. */
  readonly lab: Promise<Lab | null>;
  figures: number;
}

let second: Second | null = null;

async function openSecond(): Promise<Lab | null> {
  try {
    const lab = await openOwnLab();
    if (lab.mode === 'worker') return lab;
    lab.dispose();
  } catch (error) {
    // One worker will do.
    console.warn(error);
  }
  return null;
}

/** The labs that one figure deals its arms out to. */
export class ArmLabs {
  #held: Second | null = null;

  /** `first`, and the page's second lab where it is of use. Never rejects. */
  async beside(first: Lab, arms: number): Promise<readonly Lab[]> {
    if (labsWanted(arms, first, navigator.hardwareConcurrency) < 2) return [first];
    if (this.#held === null) {
      second ??= { lab: openSecond(), figures: 0 };
      second.figures += 1;
      this.#held = second;
    }
    const lab = await this.#held.lab;
    return lab === null ? [first] : [first, lab];
  }

  /** Nothing of the figure lives in the second lab any more; the last figure to say so ends it. */
  release(): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    held.figures -= 1;
    if (held.figures > 0) return;
    if (second === held) second = null;
    void held.lab.then((lab) => lab?.dispose());
  }

  /** It cannot be trusted any more: whoever asks next gets a new one. */
  discard(): void {
    if (second === this.#held) second = null;
    this.release();
  }
}
