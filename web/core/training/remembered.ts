/** The last measurements of a trainer, for a model card with the same weights and text. */
import type { GradientReport, LayerAblation, LensReading, LossByFrequency } from '../types.js';
import type { Work } from '../runtime/work.js';

/** What a card takes from a reading of the layers, without the values per token. */
export interface LensSummary extends Pick<LensReading, 'chance' | 'leftOut'> {
  layers: Pick<LensReading['layers'][number], 'divergence' | 'loss'>[];
}

export const summaryOf = ({ chance, leftOut, layers }: LensReading): LensSummary => ({
  chance,
  leftOut,
  layers: layers.map(({ divergence, loss }) => ({ divergence, loss })),
});

export interface Measures {
  lens: LensSummary;
  ablation: LayerAblation;
  /** Cards do not use its bands, so it is stored whatever the counts were. */
  gradient: GradientReport;
  losses: LossByFrequency;
}

interface Kept {
  readonly changes: number;
  readonly data: readonly Uint32Array[];
  readonly found: unknown;
}

const same = (one: Uint32Array, other: Uint32Array): boolean =>
  one.length === other.length && one.every((element, i) => element === other[i]);

export class Remembered {
  readonly #changes: () => number;
  readonly #kept = new Map<keyof Measures, Kept>();

  /** `changes`: how often the trainer's parameters have been written. */
  constructor(changes: () => number) {
    this.#changes = changes;
  }

  /**
   * The work; its result, made smaller, is stored.
   * @param data - what it reads besides the weights; must not change
   */
  *keeping<M extends keyof Measures, R>(
    measure: M,
    data: readonly Uint32Array[],
    work: Work<R>,
    small: (result: R) => Measures[M],
  ): Work<R> {
    const changes = this.#changes();
    const found = yield* work;
    // A copy, because the result belongs to the caller.
    if (changes === this.#changes()) {
      this.#kept.set(measure, { changes, data, found: structuredClone(small(found)) });
    }
    return found;
  }

  /** The measurement for these weights and `data`. */
  find<M extends keyof Measures>(measure: M, data: readonly Uint32Array[]): Measures[M] | undefined {
    const kept = this.#kept.get(measure);
    if (kept?.changes !== this.#changes() || !kept.data.every((array, i) => same(array, data[i]!))) return undefined;
    return structuredClone(kept.found) as Measures[M];
  }
}
