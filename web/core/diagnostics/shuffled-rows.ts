/** The distribution of the product of two matrices [V, d], Σ a_v · b_v, with the rows of one in a random order. */

/** Sums over the rows of a matrix: of the rows, and of the products of their elements, of which only the lower half is stored. */
class RowSums {
  readonly sums: Float64Array;
  readonly products: Float64Array;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
    this.sums = new Float64Array(width);
    this.products = new Float64Array(width * width);
  }

  add(rows: Float32Array | Float64Array): void {
    const width = this.#width;
    for (let row = 0; row < rows.length; row += width) {
      for (let j = 0; j < width; j++) {
        const factor = rows[row + j]!;
        this.sums[j]! += factor;
        for (let k = 0; k <= j; k++) this.products[j * width + k]! += factor * rows[row + k]!;
      }
    }
  }
}

export class ShuffledRows {
  readonly #a: RowSums;
  readonly #b: RowSums;
  readonly #width: number;
  #rows = 0;

  constructor(width: number) {
    this.#width = width;
    this.#a = new RowSums(width);
    this.#b = new RowSums(width);
  }

  /** The same rows of both; V d² multiply-adds in all. */
  add(a: Float32Array | Float64Array, b: Float32Array | Float64Array): void {
    this.#rows += a.length / this.#width;
    this.#a.add(a);
    this.#b.add(b);
  }

  /**
   * Over all orders. Mean: Σ a_v · Σ b_v / V. Variance: tr(S_a S_b) / (V - 1), where S [d, d] has the products of centered columns.
   */
  moments(): { mean: number; standardDeviation: number } {
    const [rows, width] = [this.#rows, this.#width];
    const { sums: a, products: aa } = this.#a;
    const { sums: b, products: bb } = this.#b;
    const mean = a.reduce((sum, element, j) => sum + element * b[j]!, 0) / rows;
    let trace = 0;
    for (let j = 0; j < width; j++) {
      for (let k = 0; k <= j; k++) {
        const [inA, inB] = [aa[j * width + k]! - (a[j]! * a[k]!) / rows, bb[j * width + k]! - (b[j]! * b[k]!) / rows];
        trace += (j === k ? 1 : 2) * inA * inB;
      }
    }
    return { mean, standardDeviation: rows > 1 ? Math.sqrt(Math.max(0, trace) / (rows - 1)) : 0 };
  }

  /** The same for the cosine of matrices with the norms `a` and `b`; 0 if one is zero, like the cosine. */
  cosine(a: number, b: number): { mean: number; standardDeviation: number } {
    if (a * b === 0) return { mean: 0, standardDeviation: 0 };
    const { mean, standardDeviation } = this.moments();
    return { mean: mean / (a * b), standardDeviation: standardDeviation / (a * b) };
  }
}
