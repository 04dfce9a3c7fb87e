/** The tables of published models, from files beside the project. Their README.md describes the contents. */
import type { Core, DirectPathFactors, Matrix, Trainer } from '../../../web/index.js';
import { readSafetensors } from './safetensors-reader.js';
import { corpus, matrixOf, sharedFile } from './support.js';

export interface PublishedModel {
  /** Without an output matrix if the table is shared or there is no head. */
  tables: DirectPathFactors;
  /** The names of the rows; empty if they are unknown. */
  names: readonly string[];
  /** How often the character of each row occurs in tiny-shakespeare.txt. */
  counts?: Uint32Array;
  /** Whether the file has more digits than a table, which has single precision. */
  rounded?: true;
  /** The whole model. */
  trainer?: Trainer;
}

type Reader = (core: Core) => PublishedModel | null;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Null if a file is absent. */
function sharedFiles(names: readonly string[]): Uint8Array[] | null {
  const files = names.map((name) => sharedFile(`models/${name}`));
  return files.some((file) => file === null) ? null : (files as Uint8Array[]);
}

const transposed = ({ rows, cols, data }: Matrix): Matrix => ({
  rows: cols,
  cols: rows,
  data: Float32Array.from(data, (_, i) => data[(i % rows) * cols + Math.floor(i / rows)]!),
});

const rowsBetween = ({ cols, data }: Matrix, from: number, to: number): Matrix => ({
  rows: to - from,
  cols,
  data: data.slice(from * cols, to * cols),
});

interface SafetensorsTables {
  embedding: string;
  unembedding: string;
  /** The transpose of an output matrix whose columns are the tokens. */
  transpose?: boolean;
  /** Names of the rows, from a separate file or known in advance. */
  names?: { file: string; read: (json: unknown) => string[] };
}

const fromSafetensors =
  (file: string, { embedding, unembedding, transpose = false, names }: SafetensorsTables): Reader =>
  () => {
    const files = sharedFiles(names === undefined ? [file] : [file, names.file]);
    if (files === null) return null;
    const { tensors } = readSafetensors(files[0]!);
    const table = (name: string): Matrix => {
      const { shape, data } = tensors.get(name)!;
      return { rows: shape[0]!, cols: shape[1]!, data };
    };
    const output = table(unembedding);
    return {
      tables: { embedding: table(embedding), unembedding: transpose ? transposed(output) : output },
      names: names === undefined ? [] : names.read(JSON.parse(textOf(files[1]!))),
    };
  };

/** Opened as a whole model, not only its table. */
const stories260k: Reader = (core) => {
  const [model, vocabulary] = [sharedFile('models/stories260k.bin'), sharedFile('tokenizers/llama2c-tok512.bin')];
  if (model === null || vocabulary === null) return null;
  const trainer = core.loadModel(model, { format: 'llama2c' });
  return {
    tables: { embedding: trainer.matrix('embedding') },
    // The tokenizer's names show spaces.
    names: core.loadTokenizer(vocabulary, { format: 'llama2c' }).tokens.map((name) => name.replaceAll('␣', ' ')),
    trainer,
  };
};

/** Its tokens are bytes. */
const tinyRwkv: Reader = (core) => {
  const tables = { embedding: 'emb.weight', unembedding: 'head.weight' };
  const model = fromSafetensors('tiny-rwkv-5v1-730k-embeddings.safetensors', tables)(core);
  return model && { ...model, names: Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)) };
};

const printableRows: Reader = (core) => {
  const model = tinyRwkv(core);
  if (model === null) return null;
  const [from, to] = [32, 127];
  return {
    tables: {
      embedding: rowsBetween(model.tables.embedding, from, to),
      unembedding: rowsBetween(model.tables.unembedding!, from, to),
    },
    names: model.names.slice(from, to),
  };
};

/** A recurrent model of characters; see the names of its files. */
const charRnn = (text: string): Reader =>
  fromSafetensors(`charrnn-${text}.safetensors`, {
    embedding: 'embedding',
    unembedding: 'softmax_w',
    transpose: true,
    names: { file: `charrnn-${text}-vocab.json`, read: (json) => json as string[] },
  });

const charRnnOfShakespeare: Reader = (core) => {
  const [model, text] = [charRnn('shakespeare')(core), corpus('tiny-shakespeare.txt')];
  if (model === null || text === null) return null;
  return { ...model, counts: Uint32Array.from(model.names, (name) => text.split(name).length - 1) };
};

/** Stored in double precision, which the safetensors reader does not support; read from JSON with the same values. */
const microgpt: Reader = () => {
  const files = sharedFiles(['microgpt-names.json']);
  if (files === null) return null;
  const { metadata, weights } = JSON.parse(textOf(files[0]!)) as {
    metadata: { uchars: string[] };
    weights: Record<'wte' | 'lm_head', number[][]>;
  };
  return {
    tables: { embedding: matrixOf(weights.wte), unembedding: matrixOf(weights.lm_head) },
    names: [...metadata.uchars, 'BOS'],
    rounded: true,
  };
};

const fasttext: Reader = () => {
  const files = sharedFiles(['fasttext-wiki-news-top999.vec']);
  if (files === null) return null;
  const lines = textOf(files[0]!).trimEnd().split('\n');
  const parts = lines.map((line) => line.trimEnd().split(' '));
  return {
    tables: { embedding: matrixOf(parts.map(([, ...numbers]) => numbers.map(Number))) },
    names: parts.map(([word]) => word!),
    rounded: true,
  };
};

/** By their names in model-facts.json. */
export const PUBLISHED_MODELS: Readonly<Record<string, Reader>> = {
  'stories260k (tied)': stories260k,
  'tiny-rwkv-5v1-730k (untied)': tinyRwkv,
  'tiny-rwkv-5v1-730k (untied), printable ASCII rows 32..126 only': printableRows,
  'charrnn-shakespeare (untied)': charRnnOfShakespeare,
  'charrnn-darwin (untied)': charRnn('darwin'),
  'microgpt-names (untied)': microgpt,
  'g2p-en decoder (untied)': fromSafetensors('g2p-en.safetensors', {
    embedding: 'dec_emb',
    unembedding: 'fc_w',
    names: { file: 'g2p-en-vocab.json', read: (json) => (json as { phonemes: string[] }).phonemes },
  }),
  'aren-transliteration decoder (untied)': fromSafetensors('aren-transliteration.safetensors', {
    embedding: 'decoder/embeddings/weight',
    unembedding: 'decoder/projection/weight',
  }),
  'fasttext-wiki-news-top999 (no output matrix)': fasttext,
};
