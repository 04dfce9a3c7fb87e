/** A stand-in for a trainer whose steps can be shared. Its numbers depend on the order of every addition and on every step before. */
import type { SharedSteps } from '../../../../web/core/training/shared-steps.js';
import { TiedError } from '../../../../web/index.js';

export class FakeTrainer implements SharedSteps {
  readonly shards: number;
  step: number;
  changes = 0;
  disposed = false;
  /** Shards that it computed itself, by step. */
  readonly computed = new Map<number, number[]>();
  /** What `compute` and `advance` throw from this step on. */
  fails: { at: number; code: TiedError['code'] } | null = null;
  #value: number;
  readonly #kept = new Map<string, number>();

  constructor(shards: number, value = 1, step = 0) {
    [this.shards, this.#value, this.step] = [shards, value, step];
  }

  static load(file: Uint8Array): FakeTrainer {
    const [shards, value, step] = new Float64Array(file.slice().buffer);
    return new FakeTrainer(shards!, value, step);
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

  /** As the core does, it refuses what overlaps parts that it keeps. */
  #checkNew(first: number, end: number): void {
    for (const kept of this.#kept.keys()) {
      const [from, to] = kept.split('-').map(Number) as [number, number];
      if (from < end && first < to) throw new TiedError('invalid-argument', `${kept} is kept`);
    }
  }

  compute(first: number, end: number, pass: (gradient: Uint8Array) => void): void {
    this.#check();
    if (!this.#kept.has(`${first}-${end}`)) this.#checkNew(first, end);
    const found = this.#node(first, end);
    this.#kept.set(`${first}-${end}`, found);
    pass(new Uint8Array(Float64Array.of(this.step, found).buffer));
  }

  give(first: number, end: number, gradient: Uint8Array): void {
    const [step, found] = new Float64Array(gradient.slice().buffer);
    this.#checkNew(first, end);
    if (step !== this.step) throw new TiedError('invalid-argument', 'a gradient of another step');
    this.#kept.set(`${first}-${end}`, found!);
  }

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
    return new Uint8Array(Float64Array.of(this.shards, this.#value, this.step).buffer);
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
