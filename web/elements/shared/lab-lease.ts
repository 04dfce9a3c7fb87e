import { TiedError } from '../../core/runtime/errors.js';
import { isSupported } from '../../core/runtime/support.js';
import type { Lab } from '../../core/types.js';
import { codeOf } from './error-code.js';
import { holdLab, isLabHeld, recordedLab, unrecorded, type HeldLab } from './page-labs.js';
import { whenGone, type Host } from './when-gone.js';

/** The source of a figure's lab: the part of a lease that is enough for code that runs models. */
export interface LabSource {
  /** Opens the lab on first use. */
  lab: () => Promise<Lab>;
  /** After a failure of a question to the lab `asked`: whether that lab has died. If so, it is replaced on next use. */
  lost: (error: unknown, asked?: Lab) => Promise<boolean>;
}

/** If more labs than this die in a row, what they were asked may be the reason. */
export const mostDeaths = 3;

/** A lab that somebody else opens, watches and disposes of. */
export const givenLab = (lab: Lab): LabSource => ({
  lab: () => Promise.resolve(lab),
  lost: () => Promise.resolve(false),
});

/** An error does not name the lab that stopped, so a tiny question goes to each part of the core. */
async function isDead(lab: Lab): Promise<boolean> {
  try {
    await lab.symmetry({ rows: 1, cols: 1, data: new Float32Array(1) });
    await lab.estimateMemory(
      { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
      { learningRate: 1, seed: 0 },
    );
    return false;
  } catch {
    return true;
  }
}

/**
 * A figure's claim on the page's lab, from first use until the element leaves the page. A dead lab is replaced, and the
 * question asked again. A lab that the author sets is used as it is and never disposed of.
 */
export class LabLease implements LabSource {
  readonly #host: Host;
  readonly #own: () => Lab | null;
  #held: HeldLab | null = null;

  /** `own` returns the author's lab, if any. */
  constructor(host: Host, own: () => Lab | null = () => null) {
    this.#host = host;
    this.#own = own;
    whenGone(host, () => this.release());
  }

  /** Rejects if this browser has no labs, and for an element that has left the page. */
  async lab(): Promise<Lab> {
    const own = this.#own();
    if (own !== null) return own;
    const { supported, reason } = isSupported();
    if (!supported) throw new TiedError('unsupported', reason ?? '');
    // There would be nobody to release it.
    if (!this.#host.isConnected) throw new TiedError('cancelled', 'the element has left the page');
    if (this.#held?.ended !== false) this.#held = holdLab();
    return this.#held.opened;
  }

  /**
   * Asks the lab, and a new one if it has died, up to `mostDeaths` times in a row. If the lab is alive, another of its
   * workers has stopped, and the same lab is asked again. As long as the page has no lab, what it has recorded is asked first.
   */
  async ask<Answer>(question: (lab: Lab) => Promise<Answer>): Promise<Answer> {
    const answers = this.#own() === null && isSupported().supported ? recordedLab() : null;
    const recorded = answers && (await answers);
    if (recorded !== null && !isLabHeld()) {
      try {
        return await question(recorded);
      } catch (error) {
        if (error !== unrecorded) throw error;
      }
    }
    for (let deaths = 1; ; deaths++) {
      const lab = await this.lab();
      try {
        return await question(lab);
      } catch (error) {
        const again = (await this.lost(error, lab)) ? this.#own() === null : codeOf(error) === 'stopped';
        if (deaths > mostDeaths || !again) throw error;
      }
    }
  }

  async lost(error: unknown, asked?: Lab): Promise<boolean> {
    const code = codeOf(error);
    // 'disposed' may refer to a handle, or to a lab that another figure found dead.
    if (code !== 'stopped' && code !== 'disposed') return false;
    const own = this.#own();
    if (own !== null) return isDead(own);
    const held = this.#held;
    const lab = await held?.opened.catch(() => null);
    if (!held || !lab) return false;
    // Another question of this figure found the lab dead, and it has been replaced.
    if (asked !== undefined && asked !== lab) return true;
    if (!held.ended && !(await isDead(lab))) return false;
    held.end();
    return true;
  }

  release(): void {
    this.#held?.release();
    this.#held = null;
  }
}
