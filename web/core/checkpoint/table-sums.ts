/** What an identity card takes from the rows of two tables, gathered where the rows are decoded: results alone go on. */
import { SampleFindings, type FoundInSample, type Sampled } from './sample-findings.js';
import {
  TableMoments,
  type MomentAlignment,
  type MomentAsymmetry,
  type MomentTable,
  type StoredRows,
} from './table-moments.js';
import { TiedError } from '../errors.js';
import type { Runtime } from '../runtime.js';
import type { CheckpointModule } from '../wasm-module.js';

export interface TableSumsOptions {
  readonly cols: number;
  readonly tied: boolean;
  readonly norm?: Float32Array | undefined;
  /** Tokens that are looked at, with their rows of both tables. */
  readonly sampled?: Sampled | undefined;
  /** Rows of the input table whose probabilities are wanted. */
  readonly text?: Float32Array | undefined;
}

export interface SumsResults {
  readonly asymmetry: MomentAsymmetry;
  readonly folded: MomentAsymmetry | null;
  readonly input: MomentTable;
  readonly output: MomentTable;
  /** Why there is none, in words; null of one table. */
  readonly alignment: MomentAlignment | { readonly problem: string } | null;
  readonly sample: FoundInSample | null;
  /** ln Σ exp(e · u) over all rows u, of each row of `text`. */
  readonly logSums: Float64Array | null;
}

/** The same where it is in a worker. */
export interface TableSums {
  /** -> lengths of the rows of both tables */
  add(rows: number, input: StoredRows, output?: StoredRows): Lengths | Promise<Lengths>;
  results(seed: number): SumsResults | Promise<SumsResults>;
  dispose(): void;
}

export interface Lengths {
  readonly input: Float32Array;
  readonly output: Float32Array;
}

export class CoreTableSums implements TableSums {
  readonly #moments: TableMoments;
  readonly #findings: SampleFindings | null;
  readonly #options: TableSumsOptions;

  constructor(runtime: Runtime<CheckpointModule>, options: TableSumsOptions) {
    const { cols, tied, norm, sampled, text } = options;
    this.#options = options;
    this.#moments = new TableMoments(runtime, { cols, tied, ...(norm ? { norm } : {}) });
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
    const { inputNorms, outputNorms } = this.#moments.add(rows, input, output, (part) => this.#findings?.add(part));
    return { input: inputNorms, output: outputNorms };
  }

  results(seed: number): SumsResults {
    const moments = this.#moments;
    const { tied, norm, text } = this.#options;
    return {
      asymmetry: moments.asymmetry(),
      folded: norm ? moments.asymmetry(true) : null,
      input: moments.table('input'),
      output: moments.table('output'),
      alignment: tied ? null : alignmentOf(moments, seed),
      sample: this.#findings?.found() ?? null,
      logSums: text ? moments.logSums() : null,
    };
  }

  dispose(): void {
    this.#moments.dispose();
  }
}

/** Tables whose rows are all the same have none, and the rest of the card. */
function alignmentOf(moments: TableMoments, seed: number): MomentAlignment | { readonly problem: string } {
  try {
    return moments.alignment({ seed });
  } catch (error) {
    if (error instanceof TiedError && error.code === 'invalid-argument') return { problem: error.message };
    throw error;
  }
}
