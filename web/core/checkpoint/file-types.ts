/** Public types of what a checkpoint's header says. */

import type { TokenTable } from '../model/types.js';

export type CheckpointFormat =
  | 'safetensors'
  | 'pytorch'
  | 'pickle'
  | 'gguf'
  | 'llama2c'
  | 'rwkv.cpp'
  | 'json'
  | 'npy'
  | 'npz'
  | 'csv'
  | 'word2vec'
  | 'fasttext'
  | 'onnx';

/** A tensor of a checkpoint, as its file describes it. */
export interface CheckpointTensor {
  readonly name: string;
  /** Row-major: the last dimension is contiguous. */
  readonly shape: readonly number[];
  /** 'F32', 'BF16', 'Q6_K' and so on, as safetensors and GGUF call them; of a table in several tensors, how it is packed, in words. */
  readonly dtype: string;
  /** Bytes in the file; of a table given as text, bytes as floats. */
  readonly bytes: number;
  /** The name of an earlier tensor with the same numbers in the same place, of which this is a view: only files of PyTorch have such. */
  readonly sharedWith?: string;
}

/**
 * The evidence for a verdict: of a tied model, of an untied one, or why there is none.
 *
 * - `same-storage`: tied. The file has two names for one storage, its graph reads and writes with one tensor, or the caller declares that one tensor has both roles
 * - `alias`: tied. The file has one table, and lists the other's name as another name of it
 * - `equal-bytes`: tied. The file has both, with the same bytes
 * - `equal-values`: tied. The file has both, with other bytes, and values that are equal: up to rounding if the types differ
 * - `missing-output`, `missing-input`: tied. The file is a whole language model with one of the two tables, and has no tensor that could be the other
 * - `different`: untied. The file has both, and they differ, or one of them has rows for something else than tokens
 * - `packed-output`, `packed-input`: untied. The file has both, one of them packed by a quantizer
 * - `not-a-language-model`: not known. The file is a part of a model, or a model that predicts no tokens
 * - `unknown`: not known. Nothing above is proved
 */
export type TyingEvidence =
  | 'same-storage'
  | 'alias'
  | 'equal-bytes'
  | 'equal-values'
  | 'missing-output'
  | 'missing-input'
  | 'different'
  | 'packed-output'
  | 'packed-input'
  | 'not-a-language-model'
  | 'unknown';

/** How far apart two tables that differ are, row by row: over all tokens or, in large tables, over a sample. */
export interface TableDistance {
  /** The mean cosine of a token's two rows. */
  readonly meanCosine: number;
  /** The share of tokens whose two rows are equal, or could be roundings of the same numbers if the types differ. Unrelated tables have none, apart from rows of zeros in both. */
  readonly equalRows: number;
  /** Chance for `meanCosine`: the mean cosine of one token's row with another token's row of the other table. Null if only one token has two directions. */
  readonly chance: number | null;
  /**
   * The mean length of the difference of a token's two rows, over the root of the sum of their squared lengths: 0 for equal rows, about 1 for unrelated
   * ones, whatever their lengths.
   */
  readonly relative: number;
  /** Tokens that were compared: all that both tables have, or ranges spread evenly over them. */
  readonly rows: number;
}

/** Which tables of an encoder-decoder are one. */
export interface RolesTying {
  /** The tensor of each role; null: the file has none of its own. `shared`: a table that is stored once for several roles. */
  readonly tensors: Readonly<Record<'shared' | TokenTable, string | null>>;
  /** For each pair of the three roles, whether they have one table, with evidence as for `CheckpointTying`. An encoder of sound or pictures has no input table, and no pair. */
  readonly pairs: readonly {
    readonly roles: readonly [TokenTable, TokenTable];
    readonly tied: boolean | null;
    readonly evidence: TyingEvidence;
  }[];
}

export interface CheckpointTying {
  /** True and false are proved by `evidence`; null: it is not known, and `reason` says what is missing. */
  readonly tied: boolean | null;
  readonly evidence: TyingEvidence;
  /** The verdict's reason in one sentence, with the names of tensors; without a verdict, what is missing and, where an option settles it, which one. */
  readonly reason: string;
  /** Names of tensors that could be the missing table, and can be named as one: no packed ones. */
  readonly candidates: readonly string[];
  /** Of two tables that differ, or of which one is packed; null for others, and for tables that cannot be compared row by row. Rows that were packed are taken as they are read. */
  readonly distance: TableDistance | null;
  /** How `config.json` contradicts this, in words; null if it agrees, is absent or does not say. */
  readonly conflict: string | null;
  /** Of an encoder-decoder; null for other models. `tied` then says whether the decoder's two tables are one. */
  readonly roles: RolesTying | null;
}

/** What a model's direct path has besides W_E W_Uᵀ. */
export interface LeftOutParts {
  /**
   * Names of the tensors that come between the last state and the logits besides the table and the final norm: a bias for each token, a norm
   * or a map. With any of these the scores of a tied model need not be symmetric.
   */
  readonly output: readonly string[];
  /** Everything that is left out, in words. */
  readonly notes: readonly string[];
}
