/** Writes word vectors in the binary forms of word2vec and fastText, valid or not. */
import { joined, uint, utf8 } from './checkpoint-files.js';

export interface Word2vecParts {
  readonly words: readonly (string | Uint8Array)[];
  readonly cols: number;
  /** Of all rows. */
  readonly data: Uint8Array;
  /** What Google's program writes after each row. */
  readonly hasBreaks?: boolean;
  readonly firstLine?: string;
}

const bytesOf = (word: string | Uint8Array): Uint8Array => (typeof word === 'string' ? utf8(word) : word);

export function word2vec({ words, cols, data, hasBreaks = false, firstLine }: Word2vecParts): Uint8Array<ArrayBuffer> {
  const row = (at: number): Uint8Array => data.subarray(4 * cols * at, 4 * cols * (at + 1));
  const rows = words.map((word, at) => joined(bytesOf(word), utf8(' '), row(at), utf8(hasBreaks ? '\n' : '')));
  return joined(utf8(firstLine ?? `${words.length} ${cols}\n`), ...rows);
}

export const LOSS = { hs: 1, ns: 2, softmax: 3, ova: 4 } as const;
export const MODEL = { cbow: 1, skipgram: 2, supervised: 3 } as const;

export interface FastTextParts {
  readonly words: readonly (string | Uint8Array)[];
  readonly labels?: readonly string[];
  readonly cols: number;
  readonly bucket?: number;
  readonly loss?: number;
  readonly model?: number;
  readonly version?: number;
  readonly maxn?: number;
  /** Of words, then of n-grams. */
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  /** 1: quantized. */
  readonly first?: number;
  /** What its settings say, if they do not say what is there. */
  readonly lies?: Readonly<
    Partial<Record<'entries' | 'words' | 'labels' | 'rows' | 'cols' | 'pruned' | 'type', number>>
  >;
}

export function fastText(parts: FastTextParts): Uint8Array<ArrayBuffer> {
  const { words, labels = [], cols, bucket = 0, input, output, first = 0, lies = {} } = parts;
  const { loss = LOSS.ns, model = MODEL.skipgram, version = 12, maxn = bucket > 0 ? 6 : 0 } = parts;
  const int = (value: number): Uint8Array => uint(value < 0 ? value + 2 ** 32 : value, 4);
  const settings = [cols, 5, 5, 1, 5, 1, loss, model, bucket, 3, maxn, 100];
  const entry = (word: string | Uint8Array, type: number): Uint8Array =>
    joined(bytesOf(word), Uint8Array.of(0), uint(3, 8), Uint8Array.of(type));
  const matrix = (rows: number, data: Uint8Array): Uint8Array =>
    joined(uint(lies.rows ?? rows, 8), uint(lies.cols ?? cols, 8), data);
  const entries = words.length + labels.length;
  const predicted = model === MODEL.supervised ? labels.length : words.length;
  return joined(
    ...[0x2f4f16ba, version, ...settings].map(int),
    new Uint8Array(8),
    ...[lies.entries ?? entries, lies.words ?? words.length, lies.labels ?? labels.length].map(int),
    uint(99, 8),
    uint(BigInt.asUintN(64, BigInt(lies.pruned ?? -1)), 8),
    ...words.map((word) => entry(word, lies.type ?? 0)),
    ...labels.map((label) => entry(label, 1)),
    Uint8Array.of(first),
    matrix(words.length + bucket, input),
    Uint8Array.of(0),
    matrix(predicted, output),
  );
}
