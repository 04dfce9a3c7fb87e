/** A stand-in for a trainer whose steps can be shared. Its numbers depend on the order of every addition and on every step before. */
import type { Pass, SharedSteps, WeightsAt } from '../../../../web/core/training/shared-steps.js';
import { TiedError } from '../../../../web/index.js';

const bytesOf = (number: number): Uint8Array => new Uint8Array(Float64Array.of(number).buffer);

export class FakeTrainer implements SharedSteps {
  readonly shards: number;
  step: number;
  changes = 0;
  disposed = false;
  /** Shards that it computed itself, by step. */
  readonly computed = new Map<number, number[]>();
  /** Which weights it got. */
  readonly followed: ('all' | 'changed')[] = [];
  /** What `compute` and `advance` throw from this step on. */
  fails: { at: number; code: TiedError['code'] } | null = null;
  #value: number;
  readonly #kept = new Map<string, number>();

  constructor(shards: number, value = 1, step = 0) {
    [this.shards, this.#value, this.step] = [shards, value, step];
  }

  static load(file: Uint8Array): FakeTrainer {
    const [shards, step] = new Float64Array(file.slice().buffer);
    return new FakeTrainer(shards!, Number.NaN, step);
  }

  get value(): number {
    return this.#value;
  }

  /** A change between two steps. */
  set(value: number): void {
    this.changes++;
    this.#kept.clear();
    this.#value = value;
  }

  #node(first: number, end: number): number {
    const kept = this.#kept.get(`${first}-${end}`);
    if (kept !== undefined) return kept;
    if (end - first === 1) {
      this.computed.set(this.step, [...(this.computed.get(this.step) ?? []), first]);
      return Math.sin(this.#value * (first + 1) + this.step) / 3;
    }
    const middle = first + Math.floor((end - first + 1) / 2);
    return this.#node(first, middle) + 1.25 * this.#node(middle, end);
  }

  #check(): void {
    if (this.disposed) throw new TiedError('disposed', 'the trainer has been disposed of');
    if (this.fails && this.step >= this.fails.at) throw new TiedError(this.fails.code, 'on purpose');
  }

  /** As the core does, it refuses what overlaps parts that it keeps, unless it contains them. */
  #checkNew(first: number, end: number, contains: boolean): void {
    for (const kept of this.#kept.keys()) {
      const [from, to] = kept.split('-').map(Number) as [number, number];
      const within = contains && first <= from && to <= end;
      if (from < end && first < to && !within) throw new TiedError('invalid-argument', `${kept} is kept`);
    }
  }

  compute(first: number, end: number): number {
    this.#check();
    if (!this.#kept.has(`${first}-${end}`)) this.#checkNew(first, end, true);
    const found = this.#node(first, end);
    for (const kept of [...this.#kept.keys()]) {
      const [from, to] = kept.split('-').map(Number) as [number, number];
      if (first <= from && to <= end) this.#kept.delete(kept);
    }
    this.#kept.set(`${first}-${end}`, found);
    return 16;
  }

  gradient(first: number, end: number, pass: Pass): void {
    // In two pieces, as the core has more than one.
    const found = this.#kept.get(`${first}-${end}`)!;
    pass([bytesOf(this.step), bytesOf(found)]);
  }

  give(first: number, end: number, gradient: Uint8Array): void {
    const [step, found] = new Float64Array(gradient.slice().buffer);
    this.#checkNew(first, end, false);
    if (step !== this.step) throw new TiedError('invalid-argument', 'a gradient of another step');
    this.#kept.set(`${first}-${end}`, found!);
  }

  weights(all: boolean, pass: (pieces: readonly Uint8Array[], at: WeightsAt) => void): void {
    pass([bytesOf(this.#value)], { runs: Uint32Array.of(all ? 0 : 1), joined: false });
  }

  follow(step: number, at: WeightsAt, weights: Uint8Array): void {
    this.#check();
    this.#kept.clear();
    this.step = step;
    [this.#value] = new Float64Array(weights.slice().buffer) as unknown as [number];
    this.followed.push(at.runs[0] === 0 ? 'all' : 'changed');
  }

  /** A step, as the core does it. */
  advance(): void {
    this.#check();
    this.changes++;
    this.#value += this.#node(0, this.shards);
    this.step++;
    this.#kept.clear();
  }

  *file(): Generator<number, Uint8Array<ArrayBuffer>, number> {
    yield 0;
    yield 0.5;
    return new Uint8Array(Float64Array.of(this.shards, this.step).buffer);
  }

  dispose(): void {
    this.disposed = true;
  }
}

/** The value after so many steps alone. */
export function alone(shards: number, steps: number, value = 1): number {
  const trainer = new FakeTrainer(shards, value);
  for (let step = 0; step < steps; step++) trainer.advance();
  return trainer.value;
}
