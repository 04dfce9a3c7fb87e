/** Checkpoints: files of models, of any program. */
import type { ElementType } from './checkpoint/element-types.js';
import type { Matrix } from './direct-path-types.js';
import type { TrainingConfig, TransformerConfig } from './config-types.js';
import type { CheckpointComparison, CompareCheckpointsOptions } from './checkpoint-comparison-types.js';
import type { IdentityCard, IdentityCardOptions } from './identity-card-types.js';
import type { Tokenizer } from './text-types.js';
import type { Trainer } from './trainer-types.js';

export type { ElementType };

export type CheckpointFormat = 'safetensors' | 'gguf' | 'llama2c' | 'rwkv.cpp' | 'json' | 'npy' | 'csv';

/** A tensor of a checkpoint, as its file describes it. */
export interface CheckpointTensor {
  readonly name: string;
  /** Row-major: the last dimension is contiguous. */
  readonly shape: readonly number[];
  /** 'F32', 'BF16', 'Q6_K' and so on, as safetensors and GGUF call them. */
  readonly dtype: string;
  /** In the file; of a text, as floats. */
  readonly bytes: number;
}

/**
 * By what it is known whether the tables are one:
 * - `missing-output`, `missing-input`: the file has one of the two tables
 * - `alias`: the file has one, and names it as the other too
 * - `equal-bytes`: the file has both, with the same bytes
 * - `equal-values`: the file has both in different types, with the same values within their rounding
 * - `different`: the file has both, and they differ
 */
export type TyingEvidence = 'missing-output' | 'missing-input' | 'equal-bytes' | 'equal-values' | 'different' | 'alias';

export interface CheckpointTying {
  /** Null where it cannot be known: a table of the caller's own, or a model without a head. */
  readonly tied: boolean | null;
  readonly evidence: TyingEvidence | null;
  /** What `config.json` says against it, in words; null if it agrees, is absent or does not say. */
  readonly conflict: string | null;
}

/** Which rows: from one to before another, or some by their ids. */
export type RowSelection = { readonly from: number; readonly to: number } | Uint32Array;

export interface MatrixOptions {
  /** Default: all. */
  rows?: RowSelection;
  /** Called with the fraction that is read, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

export interface OpenCheckpointOptions {
  /** Names of the tensors to use as tables, where the known names are not the right ones. The same name twice: one table in both roles. */
  tables?: { readonly input?: string; readonly output?: string };
  /** Whether to look for `config.json` and token strings beside a URL. Default false; files that are given together are beside each other. */
  beside?: boolean;
  /** Whether to download the whole file from a server that does not send parts, or a text or JSON of more than 4 MB, which is read whole. Default false. */
  wholeFile?: boolean;
  /** Seconds without a byte after which a server counts as stalled. Default 20. */
  silenceSeconds?: number;
  /** Called with the fraction of the comparison of two tables, or of the download of a whole file, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** What the files of a model may leave unsaid. What they do say cannot be changed, but for a shorter context and the tying. */
export type ModelSettings = Partial<
  Pick<
    TransformerConfig,
    'nHeads' | 'nKeyValueHeads' | 'contextLength' | 'normEpsilon' | 'rotaryBase' | 'feedForward' | 'dropout'
  >
> & {
  /** Of one table as two, each with the same values at the start; or of two as one, the input table. */
  tying?: 'tied' | 'untied';
};

export interface ToTrainerOptions<AnyTokenizer = Tokenizer> {
  /** Where the files do not say them. */
  model?: ModelSettings;
  /** With `tokenIds`, the model trains on; without it, `run` throws 'unsupported'. */
  training?: TrainingConfig;
  tokenIds?: Uint32Array;
  validationTokenIds?: Uint32Array;
  /** Default: that of the checkpoint, where it has one for as many tokens as the table has rows. */
  tokenizer?: AnyTokenizer;
  /** Called with the fraction of the bytes that are read, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

export interface Checkpoint {
  readonly format: CheckpointFormat;
  readonly tensors: readonly CheckpointTensor[];
  /** The tensor that serves each role: the same one where it serves both. Null: there is none. */
  readonly tables: { readonly input: CheckpointTensor | null; readonly output: CheckpointTensor | null };
  readonly tying: CheckpointTying;
  /** Of each row of the input table, as the file spells them; '' where there is none. Plain text, never markup. */
  readonly tokens: readonly string[] | null;
  /** What was made of links and files that do not fit, in words. */
  readonly notes: readonly string[];
  /** Bytes that were read or received so far. */
  readonly bytesRead: number;
  /**
   * Rows of a tensor, decoded; only their bytes are read. After a failure the same call goes on from where it was.
   *
   * @param name - 'input', 'output', or the name of a tensor with two dimensions
   * @throws {TiedError} 'invalid-argument' if there is no such tensor or row; 'shape-mismatch' if it is no matrix; 'unsupported' if its type is not decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory' if the rows do not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const table = new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']);
   * const checkpoint = await core.openCheckpoint(table);
   * checkpoint.tokens; // → ["York","City"]
   * const { rows } = await checkpoint.matrix('input', { rows: Uint32Array.of(1) });
   * rows; // → 1
   * ```
   */
  matrix(name: string, options?: MatrixOptions): Promise<Matrix>;
  /**
   * What the two tables are like, beside what chance would give, from one pass over their rows: memory for d² numbers and a few rows,
   * however many tokens there are. What would take all pairs of tokens is told of a sample. After a failure of its server, or a cancel, the
   * same call goes on from where it was.
   *
   * @throws {TiedError} 'invalid-argument' for an id that the table does not have, other options, or a table of zeros; 'not-finite' where an entry is NaN or infinite, by tensor and row; 'unsupported' if a table's type is not decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory'; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const table = new Blob(['York,0.1,0.2\nCity,0.3,0.4\nNew,0.5,-0.6\n']);
   * const checkpoint = await core.openCheckpoint(table);
   * const { data, markdown } = await checkpoint.identityCard();
   * data.tables.input?.shape; // → [3,2]
   * data.asymmetry; // → null
   * markdown.includes('Tying: not known'); // → true
   * ```
   */
  identityCard(options?: IdentityCardOptions): Promise<IdentityCard>;
  /**
   * This checkpoint beside others, such as steps of one training: how far each table is from the same table before, row by row and after
   * the best rotation, beside what chance would give, and what becomes of asymmetry, lengths and spectra. One pass over the rows for each of
   * the others, with memory for d² numbers and a few of each token; the rows of the one that it is compared with are read again each time.
   * After a call that was cancelled or whose server failed, the same call goes on from where it was.
   *
   * @param others - opened by the same core or lab, in order; each with tables of the shape that this one has
   * @throws {TiedError} 'shape-mismatch' if their tables have other shapes, or no role in common; 'invalid-argument' for other arguments, or a table of zeros; 'not-finite' where an entry is NaN or infinite; 'unsupported' if a table's type is not decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory'; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const steps = ['York,1,0\nCity,0,2\nNew,1,1\n', 'York,1,0\nCity,2,0\nNew,1,1\n'];
   * const [first, second] = await Promise.all(steps.map((table) => core.openCheckpoint(new Blob([table]))));
   * const { data } = await first!.compareWith([second!], { names: ['step 0', 'step 100'] });
   * const [, { change }] = data.checkpoints as [unknown, (typeof data.checkpoints)[number]];
   * change.input?.turned[0]?.token.text; // → "City"
   * change.input?.turned[0]?.cosine; // → 0
   * ```
   */
  compareWith(others: readonly Checkpoint[], options?: CompareCheckpointsOptions): Promise<CheckpointComparison>;
  dispose(): void;
}

/** A checkpoint that can also run. `AnyTrainer`, `AnyTokenizer`: of a core, or of a lab. */
export interface RunnableCheckpoint<AnyTrainer = Trainer, AnyTokenizer = Tokenizer> extends Checkpoint {
  /**
   * The model, running: for logits, text, lenses, ablations and training. Of GPT-2's and Llama's architectures, in the names of Hugging
   * Face, GGUF and llama2.c, and of all that a trainer writes. Sizes come from shapes; what shapes do not tell, from `config.json`,
   * from the file's metadata or from `model`. Whatever this architecture does not have is refused by its name. All tensors are read.
   *
   * @throws {TiedError} 'unsupported' if a tensor or a setting belongs to another architecture; 'bad-file' if one is missing, contradicts another or cannot be read; 'invalid-argument' for other options, or if nothing says a setting that is needed; 'shape-mismatch' if a tensor or the tokenizer does not fit; 'not-finite' where a weight is NaN or infinite; 'unreachable'; 'out-of-memory' if the model does not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const model = { kind: 'transformer', vocabSize: 5, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 4, tying: 'tied' } as const;
   * const tokenIds = Uint32Array.of(0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
   * const trained = core.createTrainer({ model, training: { learningRate: 0.01, batchSize: 2, seed: 1 }, tokenIds });
   * const checkpoint = await core.openCheckpoint(trained.toSafetensors());
   * const trainer = await checkpoint.toTrainer();
   * trainer.model.nHeads; // → 2
   * trainer.logits(tokenIds.subarray(0, 4)).data[0] === trained.logits(tokenIds.subarray(0, 4)).data[0]; // → true
   * ```
   */
  toTrainer(options?: ToTrainerOptions<AnyTokenizer>): Promise<AnyTrainer>;
  /**
   * What speaks against running the model, as far as headers and `config.json` tell: with which words `toTrainer` would refuse it. Null if
   * nothing does; what is in the tensors, and in files that were not opened, may still. Nothing more is read, and no memory is taken.
   *
   * @param options - what the files leave unsaid, as for `toTrainer`
   * @throws {TiedError} 'invalid-argument' for other options; 'disposed' after `dispose`
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
   * checkpoint.obstacle()?.includes('expected GPT-2 or Llama'); // → true
   * ```
   */
  obstacle(options?: Pick<ToTrainerOptions, 'model'>): string | null;
  /**
   * The tokenizer of the files, if they have one that encodes: `tokenizer.json` of byte-level BPE, `vocab.json` with `merges.txt`, or
   * llama2.c's. Null where there is none; `notes` then say what is there instead.
   *
   * @throws {TiedError} 'unreachable' or 'bad-file' if its bytes cannot be read; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
   * await checkpoint.tokenizer(); // → null
   * ```
   */
  tokenizer(options?: { signal?: AbortSignal }): Promise<AnyTokenizer | null>;
}

/** What can be opened: bytes, a Blob or File, several Files of one model, or a URL. */
export type CheckpointSource = Uint8Array | ArrayBuffer | Blob | readonly Blob[] | URL | string;

/** Files of other programs: their tables, and whether they are one. */
export interface CheckpointVerbs {
  /**
   * Opens a checkpoint: safetensors (one file, or several with their index), GGUF (also split), a model of llama2.c or of rwkv.cpp, weights as JSON
   * (nested arrays of numbers by name), a matrix of NumPy, or a table as text. Reads its header and finds the two tables; of the rest only what `matrix` is asked for is ever read, also from a
   * URL. Bytes are not copied: do not change them meanwhile. In a lab the worker decodes.
   *
   * @param source - bytes, a Blob or File, all Files of one model, or an http(s) URL; a link to a file's page on the Hub is understood
   * @throws {TiedError} 'bad-file' if the file is damaged, cut off, of another kind, or does not tell which tensors are the tables; 'unsupported' if a table is packed or the server sends no parts; 'unreachable' if the URL cannot be read; 'invalid-argument' for other sources and options; 'shape-mismatch' if a chosen tensor is no matrix; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const model = { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' } as const;
   * const trainer = core.createTrainer({
   *   model,
   *   training: { learningRate: 0.1, seed: 1 },
   *   bigramCounts: { rows: 3, cols: 3, data: new Float32Array(9).fill(1) },
   * });
   * const checkpoint = await core.openCheckpoint(trainer.toSafetensors());
   * checkpoint.tying.tied; // → true
   * checkpoint.tying.evidence; // → "alias"
   * const { cols } = await checkpoint.matrix('output', { rows: { from: 0, to: 2 } });
   * cols; // → 2
   * ```
   */
  openCheckpoint(source: CheckpointSource, options?: OpenCheckpointOptions): Promise<RunnableCheckpoint>;
  /**
   * Elements as files store them, as floats. Exact, but for F64, which is rounded, and for blocks with a minimum, which round one sum as
   * ggml does.
   *
   * @param bytes - little-endian, whole blocks, no more than the elements take
   * @throws {TiedError} 'invalid-argument' if the type is unknown or the elements are no whole blocks; 'shape-mismatch' if there are more or fewer bytes
   * @example
   * ```ts
   * const floats = core.decodeElements('BF16', Uint8Array.of(0x80, 0x3f, 0x00, 0xc0), 2);
   * floats[1]; // → -2
   * ```
   */
  decodeElements(type: ElementType, bytes: Uint8Array, elements: number): Float32Array;
}
