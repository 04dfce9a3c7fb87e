/** Names the kind of a refused file, if its first bytes reveal it, because what is wrong inside it would then not help. */
import { TiedError } from '../runtime/errors.js';
import { fileKind, headBytes, type ForeignKind } from '../checkpoint/formats/file-kind.js';

const names: Readonly<Record<Exclude<ForeignKind, 'own-file'>, string>> = {
  empty: 'empty',
  safetensors: 'a safetensors file',
  gguf: 'a GGUF or GGML file',
  pytorch: 'a PyTorch checkpoint',
  gensim: 'a pickle of gensim',
  pickle: 'a Python pickle',
  word2vec: 'word vectors in the binary form of word2vec',
  fasttext: 'a model in the binary form of fastText',
  numpy: 'a NumPy file',
  hdf5: 'an HDF5 file',
  onnx: 'an ONNX model',
  zip: 'a zip archive',
  archive: 'a compressed archive',
  'lfs-pointer': 'a Git LFS pointer, which stands for the real file',
  'web-page': 'a web page',
  'config-json': 'the configuration of a model',
  'weights-json': 'weights as JSON',
  'tokenizer-json': 'a Hugging Face tokenizer',
  json: 'a JSON file',
  sentencepiece: 'a SentencePiece model',
  'llama2c-other': 'a llama2.c file of a version after 0',
  picture: 'a picture or document',
  text: 'a text',
};

/** First bytes of our own files. */
const marks = { tiedtrnr: 'a saved trainer', 'tied-tok': 'a saved tokenizer' } as const;

/** Bytes with 259 tokens, the fewest possible. Shorter files are too easily mistaken for one. */
const SHORTEST_TOKENIZER = 4 + 259 * 9;

/** What each loader can read. */
export const READABLE = {
  trainer: marks.tiedtrnr,
  tokenizer: marks['tied-tok'],
  llama2cModel: 'the weights of a llama2.c model, version 0',
  llama2cTokenizer: 'a tokenizer of llama2.c',
} as const;

/** Returns what `open` returns. `expected`: what it can read; `size`: of the file, if only its beginning is given. */
export function openFile<T>(bytes: Uint8Array, expected: string, open: () => T, size = bytes.length): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof TiedError) || error.code !== 'bad-file') throw error;
    const is = nameOf(bytes, size);
    if (is === null || is === expected) throw error;
    throw new TiedError('bad-file', `bytes is ${is}; expected ${expected}`, { cause: error });
  }
}

/** What a file is, as a message names it; null if the bytes do not tell. */
export function nameOf(bytes: Uint8Array, size = bytes.length): string | null {
  const { kind } = fileKind(bytes.subarray(0, headBytes), size);
  if (kind === 'weights') return READABLE.llama2cModel;
  if (kind === 'tokenizer') return size < SHORTEST_TOKENIZER ? null : READABLE.llama2cTokenizer;
  if (kind === 'own-file') return marks[String.fromCharCode(...bytes.subarray(0, 8)) as keyof typeof marks];
  return kind === 'unknown' ? null : names[kind];
}
