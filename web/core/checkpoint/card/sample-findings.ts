/** For some tokens: which tokens they predict, which are nearest, and with which ones the two orders differ most. */

export interface Sampled {
  readonly ids: Uint32Array;
  /** Their rows [ids, cols] of both tables; for one table, `output` is not read. */
  readonly input: Float32Array;
  readonly output?: Float32Array | undefined;
  /** Number of nearest rows per token, and of pairs in total. */
  readonly nearest: number;
  readonly pairs: number;
}

/** Products of the sampled tokens with `rows` rows from `first` on: [kinds x ids, rows]. */
export interface PartOfProducts {
  readonly first: number;
  readonly rows: number;
  readonly products: Float32Array;
  /** Lengths of these rows of the input table. */
  readonly norms: Float32Array;
}

export interface Near {
  readonly id: number;
  readonly cosine: number;
}

export interface OneWayIds {
  readonly from: number;
  readonly to: number;
  readonly forward: number;
  readonly backward: number;
}

export interface FoundInSample {
  /** The highest-scoring id after each token. */
  readonly predicted: Uint32Array;
  readonly nearest: readonly (readonly Near[])[];
  readonly pairs: readonly OneWayIds[];
}

/** The best items so far, at most `most`, best first. */
class Best<Item> {
  readonly items: { readonly score: number; readonly item: Item }[] = [];
  /** What a score must exceed. */
  floor = -Infinity;

  constructor(private readonly most: number) {
    if (most === 0) this.floor = Infinity;
  }

  add(score: number, item: Item): void {
    const { items, most } = this;
    const place = items.findIndex((one) => one.score < score);
    items.splice(place < 0 ? items.length : place, 0, { score, item });
    if (items.length > most) items.pop();
    if (items.length === most) this.floor = items.at(-1)!.score;
  }
}

export class SampleFindings {
  readonly #sampled: Sampled;
  readonly #tied: boolean;
  readonly #norms: Float64Array;
  readonly #places: ReadonlyMap<number, number>;
  readonly #predicted: Uint32Array;
  readonly #highest: Float64Array;
  readonly #nearest: Best<number>[];
  readonly #pairs: Best<OneWayIds>;

  constructor(sampled: Sampled, tied: boolean) {
    const { ids, input, nearest, pairs } = sampled;
    const cols = input.length / ids.length;
    this.#sampled = sampled;
    this.#tied = tied;
    this.#norms = Float64Array.from(ids, (_, i) =>
      Math.sqrt(input.subarray(i * cols, (i + 1) * cols).reduce((sum, value) => sum + value * value, 0)),
    );
    this.#places = new Map([...ids].map((id, i) => [id, i]));
    this.#predicted = new Uint32Array(ids.length);
    this.#highest = new Float64Array(ids.length).fill(-Infinity);
    this.#nearest = Array.from(ids, () => new Best<number>(nearest));
    this.#pairs = new Best<OneWayIds>(pairs);
  }

  add(part: PartOfProducts): void {
    for (let i = 0; i < this.#sampled.ids.length; i++) {
      this.#predict(i, part);
      this.#approach(i, part);
      if (!this.#tied) this.#compare(i, part);
    }
  }

  found(): FoundInSample {
    return {
      predicted: this.#predicted,
      nearest: this.#nearest.map(({ items }) => items.map(({ item: id, score: cosine }) => ({ id, cosine }))),
      pairs: this.#pairs.items.map(({ item }) => item),
    };
  }

  /** `kind`: 0 is e_i · u_j, 1 is u_i · e_j, 2 is e_i · e_j; for one table they are the same. */
  #row(kind: number, i: number, { products, rows }: PartOfProducts): Float32Array {
    const at = this.#tied ? i : kind * this.#sampled.ids.length + i;
    return products.subarray(at * rows, (at + 1) * rows);
  }

  #predict(i: number, part: PartOfProducts): void {
    const scores = this.#row(0, i, part);
    let highest = this.#highest[i]!;
    for (let j = 0; j < part.rows; j++) {
      if (scores[j]! > highest) {
        highest = scores[j]!;
        this.#predicted[i] = part.first + j;
      }
    }
    this.#highest[i] = highest;
  }

  #approach(i: number, part: PartOfProducts): void {
    const [products, best, length] = [this.#row(2, i, part), this.#nearest[i]!, this.#norms[i]!];
    if (length === 0) return;
    const own = this.#sampled.ids[i]! - part.first;
    for (let j = 0; j < part.rows; j++) {
      // Equivalent to cosine > floor, without a division per element.
      if (products[j]! > best.floor * length * part.norms[j]! && j !== own && part.norms[j]! > 0) {
        best.add(products[j]! / (length * part.norms[j]!), part.first + j);
      }
    }
  }

  #compare(i: number, part: PartOfProducts): void {
    const [forward, backward, best] = [this.#row(0, i, part), this.#row(1, i, part), this.#pairs];
    const id = this.#sampled.ids[i]!;
    for (let j = 0; j < part.rows; j++) {
      const difference = Math.abs(forward[j]! - backward[j]!);
      if (!(difference > best.floor)) continue;
      const other = part.first + j;
      // A pair of two sampled tokens occurs twice.
      if (other === id || (other < id && this.#places.has(other))) continue;
      const ahead = forward[j]! >= backward[j]!;
      best.add(difference, {
        ...(ahead ? { from: id, to: other } : { from: other, to: id }),
        forward: ahead ? forward[j]! : backward[j]!,
        backward: ahead ? backward[j]! : forward[j]!,
      });
    }
  }
}
