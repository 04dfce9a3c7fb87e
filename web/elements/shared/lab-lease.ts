import { TiedError } from '../../core/errors.js';
import { isSupported } from '../../core/support.js';
import type { Lab } from '../../core/types.js';
import { holdLab, type HeldLab } from './page-labs.js';
import { whenGone, type Host } from './when-gone.js';

/** Where a figure's lab comes from; what runs models needs no more of a lease than this. */
export interface LabSource {
  /** Opens it where it is not open. */
  lab: () => Promise<Lab>;
  /** After a failure: whether the lab has died of it. It is replaced when next asked for. */
  lost: (error: unknown) => Promise<boolean>;
}

/** A lab that somebody else opens, watches and disposes of. */
export const givenLab = (lab: Lab): LabSource => ({
  lab: () => Promise.resolve(lab),
  lost: () => Promise.resolve(false),
});

/** An error does not name the lab that has stopped, so both parts of each core are asked something tiny. */
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
 * A figure's claim on the page's lab, from its first use until the element leaves the page. A lab that dies is replaced: what
 * was asked of it is asked again. An author's own lab is used as it is, and never disposed of.
 */
export class LabLease implements LabSource {
  readonly #host: Host;
  readonly #own: () => Lab | null;
  #held: HeldLab | null = null;

  /** `own` gives the lab that the author has set, if any. */
  constructor(host: Host, own: () => Lab | null = () => null) {
    this.#host = host;
    this.#own = own;
    whenGone(host, () => {
      this.release();
    });
  }

  /** Rejects where this browser has no labs, and for an element that has left the page. */
  async lab(): Promise<Lab> {
    const own = this.#own();
    if (own !== null) return own;
    const { supported, reason } = isSupported();
    if (!supported) throw new TiedError('unsupported', reason ?? '');
    // Nobody would ever release it.
    if (!this.#host.isConnected) throw new TiedError('cancelled', 'the element has left the page');
    if (this.#held?.ended !== false) this.#held = holdLab();
    return this.#held.opened;
  }

  /** Asks the lab; where it has died, the next one. */
  async ask<Answer>(question: (lab: Lab) => Promise<Answer>): Promise<Answer> {
    const lab = await this.lab();
    try {
      return await question(lab);
    } catch (error) {
      if (!(await this.lost(error)) || this.#own() !== null) throw error;
      return question(await this.lab());
    }
  }

  async lost(error: unknown): Promise<boolean> {
    const code = (error as { code?: unknown } | null)?.code;
    // 'disposed': of a handle, or of a lab that another figure found dead.
    if (code !== 'stopped' && code !== 'disposed') return false;
    const own = this.#own();
    if (own !== null) return isDead(own);
    const held = this.#held;
    const lab = await held?.opened.catch(() => null);
    if (!held || !lab || !(held.ended || (await isDead(lab)))) return false;
    held.end();
    return true;
  }

  release(): void {
    this.#held?.release();
    this.#held = null;
  }
}
