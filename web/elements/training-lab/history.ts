/** A growing row of numbers that can be read without a copy. */
export class GrowingSeries {
  #values = new Float32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The last value, or null before the first. */
  get last(): number | null {
    return this.#length === 0 ? null : (this.#values[this.#length - 1] ?? null);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Forgets everything from index `length` on. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, Math.max(0, length));
  }

  at(index: number): number | null {
    return index >= 0 && index < this.#length ? (this.#values[index] ?? null) : null;
  }

  /** A view that is only good until the next push. */
  values(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }

  /** Mean of the last `window` values (of all where there are fewer), or null where there is none. */
  meanOfLast(window: number): number | null {
    const from = Math.max(0, this.#length - window);
    if (from === this.#length) return null;
    let sum = 0;
    for (let index = from; index < this.#length; index += 1) sum += this.#values[index] ?? 0;
    return sum / (this.#length - from);
  }
}

const stepsPerDecade = 12;

/**
 * The first step after `step` at which the state of all models is kept: every step to 10, then twelve a decade
 * (11, 12, 15, 18, 22, ...), so that a run of any length can be scrubbed through in some dozens of stops.
 */
export function nextKeptStep(step: number): number {
  if (step < 10) return step + 1;
  let power = Math.floor(Math.log10(step) * stepsPerDecade);
  let kept = step;
  while (kept <= step) {
    kept = Math.round(10 ** (power / stepsPerDecade));
    power += 1;
  }
  return kept;
}

/** All kept steps of a run of `steps` steps, the start and the end among them. */
export function keptSteps(steps: number): number[] {
  const kept = [0];
  for (let step = nextKeptStep(0); step < steps; step = nextKeptStep(step)) kept.push(step);
  return steps > 0 ? [...kept, steps] : kept;
}

/**
 * At most `most` indices into a series of `length` values, first and last among them: evenly spaced, or evenly
 * spaced in the logarithm of the index (where early steps are the wide ones).
 */
export function thinnedIndices(length: number, most: number, logarithmic: boolean): number[] {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  const indices: number[] = [];
  for (let position = 0; position < most; position += 1) {
    const share = position / (most - 1);
    const index = logarithmic ? Math.round(length ** share) - 1 : Math.round(share * (length - 1));
    if (index !== indices[indices.length - 1]) indices.push(index);
  }
  return indices;
}
