/** Detects the kind of a file from its first bytes, because names and extensions of checkpoints are unreliable. */

export type ForeignKind =
  | 'empty'
  | 'safetensors'
  | 'gguf'
  | 'pytorch'
  | 'gensim'
  | 'pickle'
  | 'word2vec'
  | 'fasttext'
  | 'numpy'
  | 'hdf5'
  | 'onnx'
  | 'zip'
  | 'archive'
  | 'lfs-pointer'
  | 'web-page'
  | 'config-json'
  | 'weights-json'
  | 'tokenizer-json'
  | 'json'
  | 'sentencepiece'
  | 'llama2c-other'
  | 'own-file'
  | 'picture'
  | 'text';

export type FileKind =
  | { readonly kind: ForeignKind }
  /** `bytes`: the file size according to its header. */
  | { readonly kind: 'weights'; readonly vocabSize: number; readonly bytes: number }
  | { readonly kind: 'tokenizer' }
  | { readonly kind: 'unknown' };

/** Number of bytes that detection needs. */
export const headBytes = 65_536;

const latin = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** `head`: the first bytes of a file of `size` bytes. */
export function fileKind(head: Uint8Array, size: number): FileKind {
  if (size === 0) return { kind: 'empty' };
  const kind = opensAsSafetensors(head) ?? marked(head) ?? safetensors(head, size) ?? written(head);
  if (kind !== null) return { kind };
  return weights(head) ?? tokenizer(head, size) ?? { kind: sentencepiece(head) ? 'sentencepiece' : 'unknown' };
}

/** A header length of 640 begins like a pickle, one of 35,615 like gzip, so what follows is checked before two-byte signatures. */
const opensAsSafetensors = (head: Uint8Array): ForeignKind | null =>
  head.subarray(4, 8).every((byte) => byte === 0) && /^\{[ \n\r\t]*["}]/.test(latin(head.subarray(8, 16)))
    ? 'safetensors'
    : null;

/** Formats with a signature. */
function marked(head: Uint8Array): ForeignKind | null {
  const mark = latin(head.subarray(0, 8));
  if (mark.startsWith('GGUF') || /^(ggml|ggjt|ggmf|lmgg|tjgg|fmgg)/.test(mark)) return 'gguf';
  if (mark.startsWith('\x93NUMPY')) return 'numpy';
  if (mark.startsWith('\x89HDF')) return 'hdf5';
  if (mark.startsWith('24ka') || mark.startsWith('ak42')) return 'llama2c-other';
  if (mark.startsWith('tiedtrnr') || mark.startsWith('tied-tok')) return 'own-file';
  if (mark.startsWith('PK')) {
    const names = latin(head.subarray(0, 4096));
    return /\/?data\.pkl|\.pkl/.test(names) ? 'pytorch' : names.includes('.npy') ? 'numpy' : 'zip';
  }
  // Protocols 2 to 5 of Python's pickle.
  if (head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 9) <= 5) return pickle(head);
  if (startsWith(head, 0xba, 0x16, 0x4f, 0x2f)) return 'fasttext';
  if (wordVectors(head)) return 'word2vec';
  if (startsWith(head, 0x1f, 0x8b) || startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) return 'archive';
  if (mark.startsWith('7z\xbc\xaf') || mark.startsWith('\xfd7zXZ') || mark.startsWith('BZh')) return 'archive';
  // The first of the files of PyTorch 0.1.
  if (latin(head.subarray(257, 262)) === 'ustar' && mark === 'sys_info') return 'pytorch';
  if (mark.startsWith('Rar!') || latin(head.subarray(257, 262)) === 'ustar') return 'archive';
  if (mark.startsWith('\x89PNG') || mark.startsWith('GIF8') || startsWith(head, 0xff, 0xd8, 0xff)) return 'picture';
  if (mark.startsWith('RIFF') || mark.startsWith('%PDF')) return 'picture';
  if (head[0] === 0x08 && head[2] === 0x12 && /pytorch|onnx|tf2onnx/.test(latin(head.subarray(0, 40)))) return 'onnx';
  return null;
}

/** torch.save before 1.6 begins with a number of its own; gensim names its classes. */
function pickle(head: Uint8Array): ForeignKind {
  if (startsWith(head, 0x80, 2, 0x8a, 0x0a)) return 'pytorch';
  const names = latin(head.subarray(0, 4096));
  return /gensim[.]/.test(names) ? 'gensim' : 'pickle';
}

/** A line with the size, then each word, a space and its numbers as floats. */
function wordVectors(head: Uint8Array): boolean {
  const start = latin(head.subarray(0, 4096));
  const [size, cols] = /^\d{1,15}[ \t]+(\d{1,6})\s*\n/.exec(start) ?? [];
  if (size === undefined) return false;
  const rest = head.subarray(size.length);
  const word = rest.indexOf(32);
  const numbers = rest.subarray(word + 1, word + 1 + 4 * Number(cols));
  const isText = (byte: number, at: number): boolean =>
    (byte > 8 && byte < 14) || (byte > 31 && (byte < 127 || numbers.subarray(0, at).includes(10)));
  return word > 0 && rest.subarray(0, word).every((byte) => byte > 32) && !numbers.every(isText);
}

/** The length of a JSON header in eight bytes, then the header. */
function safetensors(head: Uint8Array, size: number): ForeignKind | null {
  if (head.length < 9) return null;
  const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true));
  const header = latin(head.subarray(8, 64));
  const opens = head[8] === 0x7b || /^[ \n\r\t]*\{/.test(header);
  // A truncated file still counts, and so does one with a wrong length, unless the eight bytes are text.
  const isPlausible = length >= 2 && length <= 100_000_000 && size > 8 && head[9] !== 0;
  const isWrong =
    /^[ \n\r\t]*\{[ \n\r\t]*["}]/.test(header) && head.subarray(0, 8).some((byte) => byte < 9 || byte > 126);
  return opens && (isPlausible || isWrong) ? 'safetensors' : null;
}

/** Rows of integers may also occur in a configuration, but not if they are all there is. */
const NUMBERS_IN_ROWS = /\[\s*\[(?:[\d\s,+-]*\d[.eE]|\s*-?(?:NaN|Infinity|null)\b)|^\[\s*\[\s*-?\d/;

function written(head: Uint8Array): ForeignKind | null {
  if (head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127)) return null;
  const text = textOf(head);
  if (text === null) return isNumberedInLines(head) ? 'text' : null;
  const start = text.trimStart();
  if (start.startsWith('version https://git-lfs')) return 'lfs-pointer';
  if (/^(<!doctype html|<html)/i.test(start)) return 'web-page';
  if (!/^[[{]/.test(start)) return 'text';
  if (NUMBERS_IN_ROWS.test(start)) return 'weights-json';
  if (/"(model_type|architectures|hidden_size|n_embd)"/.test(start)) return 'config-json';
  return /"(vocab|merges|added_tokens)"/.test(start) ? 'tokenizer-json' : 'json';
}

/** Null if the bytes are not UTF-8. */
function textOf(head: Uint8Array): string | null {
  // The last character may be cut.
  for (const cut of [0, 1, 2, 3]) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut));
    } catch {
      // Try one byte less.
    }
  }
  return null;
}

const LINES_LOOKED_AT = 20;

/** A table whose names are in another encoding, or were cut within a letter: its lines end in numbers. */
function isNumberedInLines(head: Uint8Array): boolean {
  const lines = latin(head)
    .split(/\r\n|\n|\r/)
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  const some = lines.slice(0, LINES_LOOKED_AT);
  return some.length > 0 && some.every((line) => /[ \t,;"][-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(line));
}

/** No real checkpoint has larger sizes. */
const mostOfASize = 10_000_000;

/** A llama2.c file, version 0: seven sizes that make a valid model. */
function weights(head: Uint8Array): FileKind | null {
  if (head.length < 28) return null;
  const view = new DataView(head.buffer, head.byteOffset);
  const [dim, hidden, layers, heads, keyHeads, vocabulary, context] = Array.from({ length: 7 }, (_, at) =>
    view.getInt32(4 * at, true),
  ) as [number, number, number, number, number, number, number];
  const vocabSize = Math.abs(vocabulary);
  const sizes = [dim, hidden, layers, heads, keyHeads, vocabSize, context];
  if (!sizes.every((size) => size > 0 && size <= mostOfASize)) return null;
  if (dim % heads !== 0 || heads % keyHeads !== 0) return null;
  const headWidth = dim / heads;
  const table = vocabSize * dim;
  const layer = 2 * dim + 2 * dim * dim + 2 * dim * keyHeads * headWidth + 3 * dim * hidden;
  const numbers = table * (vocabulary < 0 ? 2 : 1) + layers * layer + dim + context * headWidth;
  return { kind: 'weights', vocabSize, bytes: 28 + 4 * numbers };
}

/** The length of the longest token, then each token with its score and length. */
function tokenizer(head: Uint8Array, size: number): FileKind | null {
  if (head.length < 12) return null;
  const view = new DataView(head.buffer, head.byteOffset);
  const longest = view.getUint32(0, true);
  if (longest === 0 || longest > 65_536 || longest > size) return null;
  let tokens = 0;
  for (let at = 4; at + 8 <= head.length; tokens++) {
    const length = view.getInt32(at + 4, true);
    if (length < 0 || length > longest || !Number.isFinite(view.getFloat32(at, true))) return null;
    at += 8 + length;
  }
  return tokens > 0 ? { kind: 'tokenizer' } : null;
}

/** A protocol buffer whose first piece is usually <unk>. */
const sentencepiece = (head: Uint8Array): boolean =>
  head[0] === 0x0a && head[2] === 0x0a && /^<(unk|pad|s)>/.test(latin(head.subarray(4, 16)));
