/** Diagnostics of two tables that are read once, in step, and not stored, so memory does not grow with the number of rows. */
import { PATH_ASYMMETRY, TABLE_ALIGNMENT, TABLE_DRIFT, TABLE_READING } from '../../generated/records.js';
import { TABLE_ROLE } from '../../generated/words.js';
import { argumentError, invalidArgument } from '../../runtime/errors.js';
import { allocateResult, Handle, type Runtime } from '../../runtime/runtime.js';
import type { CheckpointModule } from '../../runtime/wasm-module.js';
import { blockOf, ELEMENT_TYPES, type ElementType } from '../elements/element-types.js';
import type { PartOfProducts } from './sample-findings.js';

/** Decoded at a time, so each call is short and the module's memory stays small. */
const ELEMENTS_PER_CALL = 2 ** 18;

/** Rows of a table as a file stores them. */
export interface StoredRows {
  readonly type: ElementType;
  readonly bytes: Uint8Array;
}

/** For each row: the lengths of both vectors of a token, their product, the product with the final norm between them, and their distance. */
export interface RowMeasures {
  readonly inputNorms: Float32Array;
  readonly outputNorms: Float32Array;
  readonly products: Float32Array;
  readonly folded: Float32Array;
  readonly distances: Float32Array;
}

/** How far W_E W_Uᵀ is from its transpose. `null`: expected with the rows of W_U in a random order. */
export interface MomentAsymmetry {
  readonly asymmetry: number;
  readonly norm: number;
  readonly symmetricNorm: number;
  readonly skewNorm: number;
  readonly null: number;
}

/** Singular values, descending, and the effective number of dimensions. */
export interface MomentSpectrum {
  readonly values: Float64Array;
  readonly participationRatio: number;
  readonly effectiveRank: number;
}

export interface MomentTable {
  readonly spectrum: MomentSpectrum;
  /** The same for the table minus its mean row. */
  readonly centered: MomentSpectrum;
  readonly meanCosine: number;
  readonly isoScore: number;
  readonly meanShare: number;
  /** Rows of zeros. */
  readonly leftOut: number;
}

/** Residuals ‖E W − U‖ / ‖U‖ of maps of the centered tables; `linear` is null where columns of E are dependent. */
export interface MomentAlignment {
  readonly identity: number;
  readonly orthogonal: number;
  readonly linear: number | null;
  /** Expected residual of a linear map to rows in a random order. */
  readonly linearNull: number;
  /** Cosine between the whole matrices E W and U, for the orthogonal W; `null`: with rows in a random order. */
  readonly cosine: number;
  readonly null: { readonly mean: number; readonly runs: readonly number[] };
}

/** How far the output table is from the input table, for one table at two times. */
export interface MomentDrift {
  /** ‖U − E‖ / ‖E‖ */
  readonly distance: number;
  /** The mean cosine of rows, with the rows of W_U in a random order. */
  readonly cosineByChance: number;
}

/** The share that one of several cores multiplies: of every `of` panels of 16 columns, those from `first` up to but excluding `end`. */
export interface PanelShare {
  readonly first: number;
  readonly end: number;
  readonly of: number;
}
const ALL_PANELS: PanelShare = { first: 0, end: 1, of: 1 };

export interface MomentOptions {
  readonly cols: number;
  /** Tied tables have no output rows. */
  readonly tied: boolean;
  /** For both tables: whether sums use entries rounded to 16 bits instead of 24, which is faster. See `areNarrow`. */
  readonly narrow?: boolean | undefined;
  /** The weight of a final norm, `cols` elements. */
  readonly norm?: Float32Array;
  /** This core's share of the products; by default all of them. Results need the sums of every share: `join`. */
  readonly share?: PanelShare | undefined;
}

export class TableMoments {
  readonly #handle: Handle<CheckpointModule>;
  readonly #options: MomentOptions;
  /** Rows so far. */
  rows = 0;
  #samples = false;

  constructor(runtime: Runtime<CheckpointModule>, options: MomentOptions) {
    const { cols, tied, narrow = false, norm, share = ALL_PANELS } = options;
    if (norm && norm.length !== cols) {
      throw argumentError('shape-mismatch', 'norm.length', norm.length, `${cols}, one for each column`);
    }
    const address = runtime.call(
      [norm],
      (module, [at]) => module.startMoments(cols, tied, narrow, at!, share.first, share.end, share.of),
      (_, made) => made,
    );
    this.#handle = new Handle(runtime, 'sums over the rows', address, (module, made) => module.deleteMoments(made));
    this.#options = options;
  }

  /** Rows of both tables [tokens, cols], whose products with all rows added from now on are passed to `add`'s `onProducts`. */
  sample(input: Float32Array, output?: Float32Array): void {
    this.#handle.call(
      [input, output],
      (module, moments, [inputAt, outputAt]) =>
        module.sampleMoments(moments, input.length / this.#options.cols, inputAt!, outputAt!),
      () => undefined,
    );
    this.#samples = true;
  }

  /** Rows of the input table [tokens, cols], whose `logSums` run over all rows added from now on. */
  readText(input: Float32Array): void {
    this.#handle.call(
      [input],
      (module, moments, [at]) => module.readText(moments, input.length / this.#options.cols, at!),
      () => undefined,
    );
  }

  /** ln Σ exp(e · u) for each token of the text. */
  logSums(): Float64Array {
    return this.#handle.call(
      [],
      (module, moments) => module.textLogSums(moments),
      (answer) => answer.read('numbers'),
    );
  }

  /** Adds the next rows of both tables. Throws if an element is not finite; some of the rows may then already be added. */
  add(rows: number, input: StoredRows, output?: StoredRows, onProducts?: (part: PartOfProducts) => void): RowMeasures {
    const { cols, tied } = this.#options;
    const inputRow = this.#rowBytes('input', input, rows);
    if (tied !== (output === undefined)) {
      throw invalidArgument('output', output, tied ? 'none for tied tables' : 'rows of the output table');
    }
    const outputRow = output ? this.#rowBytes('output', output, rows) : 0;
    const measures = allocateResult(() => Array.from({ length: 5 }, () => new Float32Array(rows)));
    const all = Math.max(1, Math.floor(ELEMENTS_PER_CALL / cols));
    // Products of whole blocks of rows are faster.
    const most = all < 64 ? all : all - (all % 64);
    for (let first = 0; first < rows; first += most) {
      const count = Math.min(most, rows - first);
      const e = input.bytes.subarray(first * inputRow, (first + count) * inputRow);
      const u = output?.bytes.subarray(first * outputRow, (first + count) * outputRow);
      this.#handle.call(
        [e, u],
        (module, moments, [inputAt, outputAt]) =>
          module.addMoments(
            ...([moments, count] as const),
            ...([ELEMENT_TYPES.indexOf(input.type), inputAt!, e.length] as const),
            ...([ELEMENT_TYPES.indexOf(output?.type ?? 'F32'), outputAt!, u?.length ?? 0] as const),
          ),
        (answer) => {
          const found = answer.read('floats');
          measures.forEach((of, k) => of.set(found.subarray(k * count, (k + 1) * count), first));
          const norms = found.subarray(0, count);
          if (this.#samples) onProducts?.({ first: this.rows, rows: count, products: answer.read('floats'), norms });
        },
      );
      this.rows += count;
    }
    const [inputNorms, outputNorms, products, folded, distances] = measures as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array]; // prettier-ignore
    return { inputNorms, outputNorms, products, folded, distances };
  }

  /** This share's part of a product [cols, cols], as the bytes of doubles, which can be sent to a worker. */
  product(which: number): Uint8Array {
    return this.#handle.call(
      [],
      (module, moments) => module.momentsProduct(moments, which),
      (answer) => new Uint8Array(answer.numbers().buffer),
    );
  }

  /** Adds another share's part for the same rows; the sums then have the same bits as from one core alone. */
  join(which: number, product: Uint8Array): void {
    const bytes = 8 * this.#options.cols * this.#options.cols;
    if (product.length !== bytes)
      throw argumentError('shape-mismatch', 'product.length', product.length, `${bytes}, of cols x cols doubles`);
    this.#handle.call(
      [product],
      (module, moments, [at]) => module.joinMoments(moments, which, at!),
      () => undefined,
    );
  }

  /** `folded`: with the final norm between the tables. */
  asymmetry(folded = false): MomentAsymmetry {
    return this.#handle.call(
      [],
      (module, moments) => module.momentsAsymmetry(moments, folded),
      (answer) => {
        const { byChance, ...path } = answer.read(PATH_ASYMMETRY);
        return { ...path, null: byChance };
      },
    );
  }

  /** For tied tables, both are the same. */
  table(role: (typeof TABLE_ROLE)[number]): MomentTable {
    return this.#handle.call(
      [],
      (module, moments) => module.momentsTable(moments, TABLE_ROLE.indexOf(role)),
      (answer) => {
        const { values, centered, dimensions, centeredDimensions, ...measures } = answer.read(TABLE_READING);
        const spectra = {
          spectrum: { values, ...dimensions },
          centered: { values: centered, ...centeredDimensions },
        };
        return { ...spectra, ...measures };
      },
    );
  }

  drift(): MomentDrift {
    return this.#handle.call(
      [],
      (module, moments) => module.momentsDrift(moments),
      (answer) => answer.read(TABLE_DRIFT),
    );
  }

  alignment({ nullRuns = 1, seed = 0 }: { nullRuns?: number; seed?: number } = {}): MomentAlignment {
    return this.#handle.call(
      [],
      (module, moments) => module.momentsAlignment(moments, nullRuns, seed),
      (answer) => {
        const { identity, orthogonal, linear, linearByChance, cosine, nullCosines } = answer.read(TABLE_ALIGNMENT);
        const runs = [...nullCosines];
        const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
        return { identity, orthogonal, linear, linearNull: linearByChance, cosine, null: { mean, runs } };
      },
    );
  }

  dispose(): void {
    this.#handle.dispose();
  }

  /** Bytes per row. Throws if the given bytes are not `rows` rows. */
  #rowBytes(name: string, { type, bytes }: StoredRows, rows: number): number {
    const { cols } = this.#options;
    const block = blockOf(type);
    if (cols % block.elements !== 0) {
      throw argumentError('shape-mismatch', 'cols', cols, `a multiple of ${block.elements}, the block of ${type}`);
    }
    const row = (cols / block.elements) * block.bytes;
    if (bytes.length === rows * row) return row;
    const expected = `${rows * row}, ${rows} rows of ${cols} elements of ${type}`;
    throw argumentError('shape-mismatch', `${name}.bytes.length`, bytes.length, expected);
  }
}
