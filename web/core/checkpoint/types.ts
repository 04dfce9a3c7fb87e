/** Checkpoints: model files of any program. */
import type { ElementType } from './elements/element-types.js';
import type { Matrix } from '../direct-path/types.js';
import type { TrainingConfig, TransformerConfig } from '../model/types.js';
import type { CheckpointComparison, CompareCheckpointsOptions } from './comparison/comparison-types.js';
import type { CheckpointFormat, CheckpointTensor, CheckpointTying, LeftOutParts } from './file-types.js';
import type { IdentityCard, IdentityCardOptions } from './card/identity-card-types.js';
import type { TensorReport, TensorReportOptions, TensorWindowOptions } from './tensor/tensor-types.js';
import type { Tokenizer } from '../text/types.js';
import type { Trainer } from '../training/trainer-types.js';

export type { ElementType };
export type * from './file-types.js';
export type * from './tensor/tensor-types.js';

/** Which rows: a range (`to` is excluded), or a list of ids. */
export type RowSelection = { readonly from: number; readonly to: number } | Uint32Array;

export interface MatrixOptions {
  /** Default: all. */
  rows?: RowSelection;
  /** Called with the fraction read so far, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface OpenCheckpointOptions {
  /**
   * Names of the tensors to use as tables, if the known names do not apply. The same name twice: one table in both roles. Where the input is
   * in a file of its own, such as a NumPy matrix or word vectors, the names of the files: the output is the table of another file of any kind,
   * which is given together with the first, or at the URL that stands for its name. Rows that both name are paired by their names.
   */
  tables?: { readonly input?: string; readonly output?: string };
  /** Whether to look for `config.json` and token strings beside a URL. Default false. Files given together always see each other. */
  beside?: boolean;
  /**
   * Whether to download a whole file if the server does not send ranges, or if it is text or JSON of more than 4 MB,
   * which can only be read whole. Default false.
   */
  wholeFile?: boolean;
  /** Seconds without a byte after which a server counts as stalled. Default 20. */
  silenceSeconds?: number;
  /** Called with the fraction done, 0 to 1, while two tables are compared or a whole file is downloaded. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Settings that a model's files may not state. Settings that they do state cannot be changed, except for a shorter context and the tying. */
export type ModelSettings = Partial<
  Pick<
    TransformerConfig,
    'nHeads' | 'nKeyValueHeads' | 'contextLength' | 'normEpsilon' | 'rotaryBase' | 'feedForward' | 'dropout'
  >
> & {
  /** 'untied' turns one table into two that start with the same values; 'tied' turns two into one, the input table. */
  tying?: 'tied' | 'untied';
};

export interface ToTrainerOptions<AnyTokenizer = Tokenizer> {
  /** Settings that the files do not state. */
  model?: ModelSettings;
  /** With `tokenIds`, training can continue; without, `run` throws 'unsupported'. */
  training?: TrainingConfig;
  tokenIds?: Uint32Array;
  validationTokenIds?: Uint32Array;
  /** Default: the checkpoint's own, if it has one with as many tokens as the table has rows. */
  tokenizer?: AnyTokenizer;
  /** Called with the fraction of the bytes read so far, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface Checkpoint {
  readonly format: CheckpointFormat;
  readonly tensors: readonly CheckpointTensor[];
  /** Whether `tensors` has all tensors of the model; false if it has others in files that were not opened. */
  readonly isWhole: boolean;
  /** The tensor in each role; the same one if it has both. Null: there is none. */
  readonly tables: { readonly input: CheckpointTensor | null; readonly output: CheckpointTensor | null };
  readonly tying: CheckpointTying;
  /** What `W_E W_Uᵀ` leaves out of the model's direct path, as far as headers and `config.json` tell. */
  readonly leftOut: LeftOutParts;
  /** The token string of each row of the input table, as the file spells it; '' if it has none. Plain text, never markup. */
  readonly tokens: readonly string[] | null;
  /** How links were interpreted and which files did not fit, in words. */
  readonly notes: readonly string[];
  /** Bytes read or received so far. */
  readonly bytesRead: number;
  /**
   * Rows of a tensor, decoded; only their bytes are read. After a failure, repeating the call resumes where it
   * stopped.
   *
   * @param name - 'input', 'output', or the name of a tensor with two dimensions
   * @throws {TiedError} 'invalid-argument' if there is no such tensor or row; 'shape-mismatch' if it is not a matrix; 'unsupported' if its type cannot be decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory' if the rows do not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
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
   * Statistics of one tensor of any shape and any type that can be decoded, integers included: range, mean, norms, NaN, a histogram, the lengths of
   * rows, and blocks for a heat map. One pass over its bytes, with memory for a few pieces and for a number for each row.
   *
   * @param name - 'input', 'output', or the name of any tensor
   * @throws {TiedError} 'invalid-argument' if there is no such tensor, or an option is invalid; 'unsupported' if its type cannot be decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,3,4\nCity,0,-1\n']));
   * const { mean, norms, rowLengths, nan } = await checkpoint.tensorReport('input');
   * [mean, norms.sum, rowLengths?.longest.length, nan]; // → [1.5,8,5,0]
   * ```
   */
  tensorReport(name: string, options?: TensorReportOptions): Promise<TensorReport>;
  /**
   * The elements of a window of rows and columns of one tensor, read as `tensorReport` reads it. Only the bytes of these rows are read.
   *
   * @param name - 'input', 'output', or the name of any tensor
   * @throws {TiedError} as `tensorReport`; 'out-of-memory' if the window does not fit
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,3,4\nCity,0,-1\n']));
   * const { data } = await checkpoint.tensorWindow('input', { cols: { from: 1, to: 2 } });
   * [...data]; // → [4,-1]
   * ```
   */
  tensorWindow(name: string, options?: TensorWindowOptions): Promise<Matrix>;
  /**
   * Measures of the two tables, each with its chance level, from one pass over their rows. It needs memory for d² elements and a few rows,
   * however many tokens there are. What would need all pairs of tokens is measured on a sample. After a server failure or a cancellation,
   * repeating the call resumes where it stopped.
   *
   * @throws {TiedError} 'invalid-argument' for an id that the table does not have, an invalid option, or a table of zeros; 'not-finite' if an entry is NaN or infinite, naming tensor and row; 'unsupported' if a table's type cannot be decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory'; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
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
   * Compares this checkpoint with others, such as later steps of one training run: how far each table has moved, row by row and after the
   * best rotation, with chance levels, and how asymmetry, lengths and spectra change. Takes one pass over the rows per checkpoint, with
   * memory for d² elements and a few per token; the rows of the checkpoint that it is compared with are read again each time. After a
   * cancellation or a server failure, repeating the call resumes where it stopped.
   *
   * @param others - opened by the same core or lab, in order; with tables of the same shape as in this one
   * @throws {TiedError} 'shape-mismatch' if their tables have other shapes, or no role in common; 'invalid-argument' for an invalid argument, or a table of zeros; 'not-finite' if an entry is NaN or infinite; 'unsupported' if a table's type cannot be decoded; 'unreachable' or 'bad-file' if its bytes cannot be read; 'out-of-memory'; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
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

/** A checkpoint that can also run. `AnyTrainer` and `AnyTokenizer` belong to a core or to a lab. */
export interface RunnableCheckpoint<AnyTrainer = Trainer, AnyTokenizer = Tokenizer> extends Checkpoint {
  /**
   * The model as a trainer, for logits, text, lenses, ablations and training. Supports the GPT-2 and Llama architectures, with the
   * tensor names of Hugging Face, GGUF and llama2.c, and every file that a trainer writes. Sizes come from shapes; settings that shapes
   * do not reveal come from `config.json`, the file's metadata or `model`. A tensor or setting of another architecture is refused by
   * name. All tensors are read.
   *
   * @throws {TiedError} 'unsupported' if a tensor or a setting belongs to another architecture; 'bad-file' if one is missing, contradicts another or cannot be read; 'invalid-argument' for an invalid option, or if a required setting is stated nowhere; 'shape-mismatch' if a tensor or the tokenizer does not fit; 'not-finite' if a weight is NaN or infinite; 'unreachable'; 'out-of-memory' if the model does not fit; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
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
   * Why the model cannot run, as far as headers and `config.json` tell: the message with which `toTrainer` would refuse it. Null if they
   * tell of no reason; the contents of tensors, and files that were not opened, may still be one. Reads nothing more and allocates no
   * memory.
   *
   * @param options - settings that the files do not state, as for `toTrainer`
   * @throws {TiedError} 'invalid-argument' for an invalid option; 'disposed' after `dispose`
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
   * checkpoint.obstacle()?.includes('expected GPT-2 or Llama'); // → true
   * ```
   */
  obstacle(options?: Pick<ToTrainerOptions, 'model'>): string | null;
  /**
   * The tokenizer in the files, if it can encode: a `tokenizer.json` with byte-level BPE, `vocab.json` with `merges.txt`, or
   * llama2.c's. Null if there is none; `notes` then say what is there instead.
   *
   * @throws {TiedError} 'unreachable' or 'bad-file' if its bytes cannot be read; 'cancelled' after `signal` was aborted; 'disposed' after `dispose`
   * @example
   * ```ts
   * const checkpoint = await core.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
   * await checkpoint.tokenizer(); // → null
   * ```
   */
  tokenizer(options?: { signal?: AbortSignal | undefined }): Promise<AnyTokenizer | null>;
}

/** What can be opened: bytes, a Blob or File, several Files of one model, or a URL. */
export type CheckpointSource = Uint8Array | ArrayBuffer | Blob | readonly Blob[] | URL | string;

/** Files of other programs: their two tables, and whether these are one. */
export interface CheckpointVerbs {
  /**
   * Opens a checkpoint: safetensors or PyTorch (one file, or several with their index; nothing in a pickle runs), GGUF (also split), ONNX, a model of llama2.c, rwkv.cpp or fastText, weights as JSON
   * (nested arrays of numbers by name, or one matrix), arrays of NumPy (.npy, .npz or a pickle), word vectors of word2vec, or a table as text. Reads the header and finds the two tables; the rest is read only when
   * `matrix` asks for it, even from a URL. Bytes are not copied: do not change them while the checkpoint is open. In a lab the worker decodes.
   *
   * @param source - bytes, a Blob or File, all Files of one model, or an http(s) URL; a link to a file's page on the Hub works too
   * @throws {TiedError} 'bad-file' if the file is damaged, cut off, of another kind, or does not tell which tensors are the tables; 'unsupported' if no table can be read, because it is packed or of integers, if the file is one that only its own program reads, or if the server sends no ranges; 'unreachable' if the URL cannot be read; 'invalid-argument' for an invalid source or option; 'shape-mismatch' if a table is not a matrix, or has no rows or columns; 'cancelled' after `signal` was aborted
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
   * Decodes elements as files store them into floats. Exact, except for F64, which is rounded, and for blocks with a minimum, which
   * round one sum as ggml does. Types that begin with 'affine_' and 'scaled_' are in no file: blocks of 16 elements after their scale in 32 bits and,
   * for the first, their bias.
   *
   * @param bytes - little-endian, whole blocks, exactly as many as the elements take
   * @throws {TiedError} 'invalid-argument' if the type is unknown or the elements do not fill whole blocks; 'shape-mismatch' if there are more or fewer bytes
   * @example
   * ```ts
   * const floats = core.decodeElements('BF16', Uint8Array.of(0x80, 0x3f, 0x00, 0xc0), 2);
   * floats[1]; // → -2
   * ```
   */
  decodeElements(type: ElementType, bytes: Uint8Array, elements: number): Float32Array;
}
