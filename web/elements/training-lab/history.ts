/** A growing series of values that can be read without a copy. */
export class GrowingSeries {
  #values = new Float32Array(1024);
  #length = 0;

  static of(values: ArrayLike<number>): GrowingSeries {
    const series = new GrowingSeries();
    series.append(values);
    return series;
  }

  get length(): number {
    return this.#length;
  }

  /** The last value, or null before the first. */
  get last(): number | null {
    return this.at(this.#length - 1);
  }

  append(values: ArrayLike<number>): void {
    const length = this.#length + values.length;
    if (length > this.#values.length) {
      const larger = new Float32Array(Math.max(length, 2 * this.#values.length));
      larger.set(this.values());
      this.#values = larger;
    }
    this.#values.set(values, this.#length);
    this.#length = length;
  }

  /** Drops everything from index `length` on. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, Math.max(0, length));
  }

  at(index: number): number | null {
    return index >= 0 && index < this.#length ? (this.#values[index] ?? null) : null;
  }

  /** A view that is valid until the next `append`. */
  values(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }
}

const stepsPerDecade = 12;

/**
 * The first step after `step` at which the state of all models is stored: every step to 10, then twelve a decade (11,
 * 12, 15, 18, 22, ...), so a run of any length has a few dozen stored steps.
 */
export function nextStoredStep(step: number): number {
  if (step < 10) return step + 1;
  let power = Math.floor(Math.log10(step) * stepsPerDecade);
  let stored = step;
  while (stored <= step) {
    stored = Math.round(10 ** (power / stepsPerDecade));
    power += 1;
  }
  return stored;
}

/** All stored steps of a run of `steps` steps, including the first and the last. */
export function storedSteps(steps: number): number[] {
  const stored = [0];
  for (let step = nextStoredStep(0); step < steps; step = nextStoredStep(step)) stored.push(step);
  return steps > 0 ? [...stored, steps] : stored;
}

/**
 * At most `most` indices into a series of `length` values, including the first and the last: evenly spaced, or evenly
 * spaced in the logarithm of the index.
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
