/** What an identity card takes from the rows of two tables, gathered where the rows are decoded: results alone go on. */
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
import { TiedError } from '../errors.js';
import type { Runtime } from '../runtime.js';
import type { CheckpointModule } from '../wasm-module.js';

export interface TableSumsOptions {
  readonly cols: number;
  readonly tied: boolean;
  /** See MomentOptions. */
  readonly narrow?: boolean | undefined;
  readonly norm?: Float32Array | undefined;
  /** How many rows will come, if the caller knows: many are worth a second worker. */
  readonly rows?: number | undefined;
  /** Of the products of columns. */
  readonly share?: PanelShare | undefined;
  /** Tokens that are looked at, with their rows of both tables. */
  readonly sampled?: Sampled | undefined;
  /** Rows of the input table whose probabilities are wanted. */
  readonly text?: Float32Array | undefined;
}

/** What the text and the sample gave, after the last row. */
export interface SumsFindings {
  readonly sample: FoundInSample | null;
  /** ln Σ exp(e · u) over all rows u, of each row of `text`. */
  readonly logSums: Float64Array | null;
}

/** `problem`: why there is none, in words. */
export type FoundAlignment = MomentAlignment | { readonly problem: string };

type Later<Answer> = Answer | Promise<Answer>;

/** The same where it is in a worker. Each result is a call of its own, so that a caller can stop between two. */
export interface TableSums {
  /** -> lengths of the rows of both tables, and the products of the two rows of each token */
  add(rows: number, input: StoredRows, output?: StoredRows): Later<Lengths>;
  asymmetry(folded: boolean): Later<MomentAsymmetry>;
  table(role: 'input' | 'output'): Later<MomentTable>;
  /** Of two tables. */
  alignment(seed: number): Later<FoundAlignment>;
  drift(): Later<MomentDrift>;
  findings(): Later<SumsFindings>;
  dispose(): void;
}

/** Of several that add the same rows, each with a share of the products; one of them is asked for results, after it has joined the others. */
export interface SharedTableSums extends TableSums {
  /** The bytes of doubles. */
  product(which: number): Later<Uint8Array>;
  join(which: number, product: Uint8Array): Later<void>;
}

export interface Lengths {
  readonly input: Float32Array;
  readonly output: Float32Array;
  readonly products: Float32Array;
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
    const { inputNorms, outputNorms, products } = this.#moments.add(rows, input, output, (part) =>
      this.#findings?.add(part),
    );
    return { input: inputNorms, output: outputNorms, products };
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

  /** Tables whose rows are all the same have none, and the rest of the card. */
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
