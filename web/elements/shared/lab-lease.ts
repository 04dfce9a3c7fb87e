import { TiedError } from '../../core/errors.js';
import { isSupported } from '../../core/support.js';
import type { Lab } from '../../core/types.js';
import { holdLab, holdSecondLab, type HeldLab } from './page-labs.js';
import { whenGone, type Host } from './when-gone.js';

/** Where the labs of a figure come from; what runs models needs no more of a lease than this. */
export interface LabSource {
  /** Opens it where it is not open. */
  lab: () => Promise<Lab>;
  /** The labs to deal `models` models out to: `first`, and another where that helps. Never rejects. */
  beside: (first: Lab, models: number) => Promise<readonly Lab[]>;
  /** After a failure: which labs have died of it. They are replaced when next asked for. */
  lost: (error: unknown) => Promise<readonly Lab[]>;
}

/** Labs that somebody else opens, watches and disposes of. */
export function givenLabs(first: Lab, ...others: readonly Lab[]): LabSource {
  return {
    lab: () => Promise.resolve(first),
    beside: () => Promise.resolve([first, ...others]),
    lost: () => Promise.resolve([]),
  };
}

/** Each takes a core, and the page needs part of one too. */
const mostLabs = 2;

/** How many labs `models` models are dealt out to, where `first` is one of them. */
export function labsWanted(models: number, first: Pick<Lab, 'mode'>, cores: number | undefined): number {
  // Without a worker of its own a lab has the page's thread, and a second one would share it.
  // A browser that does not report its cores is treated as having one.
  return first.mode === 'worker' ? Math.max(1, Math.min(models, cores ?? 1, mostLabs)) : 1;
}

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
 * A figure's claim on the page's labs, from its first use until the element leaves the page. A lab that dies is replaced: what
 * was asked of it is asked again. An author's own lab is used as it is, and never disposed of.
 */
export class LabLease implements LabSource {
  readonly #host: Host;
  readonly #own: () => Lab | null;
  #first: HeldLab | null = null;
  #second: HeldLab | null = null;

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
    this.#first = living(this.#first) ?? holdLab();
    return this.#first.opened;
  }

  /** Asks the lab; where it has died, the next one. */
  async ask<Answer>(question: (lab: Lab) => Promise<Answer>): Promise<Answer> {
    const lab = await this.lab();
    try {
      return await question(lab);
    } catch (error) {
      const lost = await this.lost(error);
      if (lost.length === 0 || this.#own() !== null) throw error;
      return question(await this.lab());
    }
  }

  async beside(first: Lab, models: number): Promise<readonly Lab[]> {
    const wanted = this.#own() === null ? labsWanted(models, first, navigator.hardwareConcurrency) : 1;
    if (wanted < 2 || !this.#host.isConnected) return [first];
    this.#second = living(this.#second) ?? holdSecondLab();
    try {
      return [first, await this.#second.opened];
    } catch (error) {
      // One worker will do.
      console.warn(error);
      return [first];
    }
  }

  async lost(error: unknown): Promise<readonly Lab[]> {
    const code = (error as { code?: unknown } | null)?.code;
    // 'disposed': of a handle, or of a lab that another figure found dead.
    if (code !== 'stopped' && code !== 'disposed') return [];
    const own = this.#own();
    if (own !== null) return (await isDead(own)) ? [own] : [];
    const held = [this.#first, this.#second].filter((one) => one !== null);
    const dead = await Promise.all(held.map(lostOf));
    return dead.flat();
  }

  /** The second lab is no longer needed, as nothing is trained. */
  releaseSecond(): void {
    this.#second?.release();
    this.#second = null;
  }

  release(): void {
    this.releaseSecond();
    this.#first?.release();
    this.#first = null;
  }
}

const living = (held: HeldLab | null): HeldLab | null => (held?.ended === false ? held : null);

/** The lab, where it is dead; it may be another figure that found so and ended it. */
async function lostOf(held: HeldLab): Promise<Lab[]> {
  const lab = await held.opened.catch(() => null);
  if (lab === null || !(held.ended || (await isDead(lab)))) return [];
  held.end();
  return [lab];
}
