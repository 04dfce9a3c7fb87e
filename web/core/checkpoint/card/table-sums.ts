/** The sums that an identity card takes from the rows of two tables, computed where the rows are decoded, so only results are sent on. */
import { SampleFindings, type FoundInSample, type Sampled } from './sample-findings.js';
import {
  TableMoments,
  type MomentAlignment,
  type MomentAsymmetry,
  type MomentDrift,
  type MomentTable,
  type PanelShare,
  type StoredRows,
} from './table-moments.js';
import { TiedError } from '../../runtime/errors.js';
import type { Runtime } from '../../runtime/runtime.js';
import type { CheckpointModule } from '../../runtime/wasm-module.js';

export interface TableSumsOptions {
  readonly cols: number;
  readonly tied: boolean;
  /** See MomentOptions. */
  readonly narrow?: boolean | undefined;
  readonly norm?: Float32Array | undefined;
  /** How many rows there will be, if known: many are worth a second worker. */
  readonly rows?: number | undefined;
  /** The share of the products of columns. */
  readonly share?: PanelShare | undefined;
  /** The inspected tokens, with their rows of both tables. */
  readonly sampled?: Sampled | undefined;
  /** Rows of the input table whose probabilities are needed. */
  readonly text?: Float32Array | undefined;
}

/** Results for the text and the sample, after the last row. */
export interface SumsFindings {
  readonly sample: FoundInSample | null;
  /** ln Σ exp(e · u) over all rows u, for each row of `text`. */
  readonly logSums: Float64Array | null;
}

/** `problem`: why there is none, in words. */
export type FoundAlignment = MomentAlignment | { readonly problem: string };

type Later<Answer> = Answer | Promise<Answer>;

/** The same in a worker. Each result is a separate call, so the caller can stop between two. */
export interface TableSums {
  /** -> lengths of the rows of both tables, and the products and distances of the two rows of each token */
  add(rows: number, input: StoredRows, output?: StoredRows): Later<Lengths>;
  asymmetry(folded: boolean): Later<MomentAsymmetry>;
  table(role: 'input' | 'output'): Later<MomentTable>;
  /** For two tables. */
  alignment(seed: number): Later<FoundAlignment>;
  drift(): Later<MomentDrift>;
  findings(): Later<SumsFindings>;
  dispose(): void;
}

/** One of several that add the same rows, each with a share of the products; one of them computes the results after it has joined the others. */
export interface SharedTableSums extends TableSums {
  /** Its part of a product, as the bytes of doubles. */
  product(which: number): Later<Uint8Array>;
  join(which: number, product: Uint8Array): Later<void>;
}

export interface Lengths {
  readonly input: Float32Array;
  readonly output: Float32Array;
  readonly products: Float32Array;
  readonly distances: Float32Array;
}

export class CoreTableSums implements SharedTableSums {
  readonly #moments: TableMoments;
  readonly #findings: SampleFindings | null;
  readonly #hasText: boolean;

  constructor(runtime: Runtime<CheckpointModule>, options: TableSumsOptions) {
    const { cols, tied, narrow, norm, share, sampled, text } = options;
    this.#hasText = text !== undefined;
    this.#moments = new TableMoments(runtime, { cols, tied, narrow, share, ...(norm ? { norm } : {}) });
    try {
      this.#findings = sampled ? new SampleFindings(sampled, tied) : null;
      if (sampled) this.#moments.sample(sampled.input, tied ? undefined : sampled.output);
      if (text) this.#moments.readText(text);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  add(rows: number, input: StoredRows, output?: StoredRows): Lengths {
    const { inputNorms, outputNorms, products, distances } = this.#moments.add(rows, input, output, (part) =>
      this.#findings?.add(part),
    );
    return { input: inputNorms, output: outputNorms, products, distances };
  }

  product(which: number): Uint8Array {
    return this.#moments.product(which);
  }

  join(which: number, product: Uint8Array): void {
    this.#moments.join(which, product);
  }

  asymmetry(folded: boolean): MomentAsymmetry {
    return this.#moments.asymmetry(folded);
  }

  table(role: 'input' | 'output'): MomentTable {
    return this.#moments.table(role);
  }

  /** Tables whose rows are all equal have no alignment, but still the rest of the card. */
  alignment(seed: number): FoundAlignment {
    try {
      return this.#moments.alignment({ seed });
    } catch (error) {
      if (error instanceof TiedError && error.code === 'invalid-argument') return { problem: error.message };
      throw error;
    }
  }

  drift(): MomentDrift {
    return this.#moments.drift();
  }

  findings(): SumsFindings {
    return {
      sample: this.#findings?.found() ?? null,
      logSums: this.#hasText ? this.#moments.logSums() : null,
    };
  }

  dispose(): void {
    this.#moments.dispose();
  }
}
