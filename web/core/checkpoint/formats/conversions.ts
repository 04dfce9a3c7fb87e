/** Files that only the program that wrote them reads: refused by name, with two lines of Python that make of them what is read here. */
import { TiedError } from '../../runtime/errors.js';

interface Conversion {
  readonly is: string;
  /** For a file of this name, which becomes one with another ending. */
  readonly lines: (from: string, to: (ending: string) => string) => readonly [string, string];
}

const keyed: Conversion = {
  is: 'a pickle of gensim (KeyedVectors), which may run code when Python reads it',
  lines: (from, to) => [
    'from gensim.models import KeyedVectors',
    `KeyedVectors.load(${from}).save_word2vec_format(${to('bin')}, binary=True)`,
  ],
};

/** A model with a second table, which the first of the two formats of word vectors cannot hold. */
const ofGensim = (model: string): Conversion => ({
  is: `a pickle of gensim (${model}), which may run code when Python reads it`,
  lines: (from, to) => [
    `import numpy; from gensim.models import ${model}; m = ${model}.load(${from})`,
    `numpy.savez(${to('npz')}, input=m.wv.vectors, output=m.syn1neg, words=m.wv.index_to_key)`,
  ],
});

const GENSIM: readonly (readonly [sign: RegExp, conversion: Conversion])[] = [
  // The first class is that of the whole.
  [/^(?:(?!FastText).)*FastTextKeyedVectors/s, keyed],
  [
    /gensim\.models\.fasttext/,
    {
      is: 'a pickle of gensim (FastText), which may run code when Python reads it',
      lines: (from, to) => [
        'from gensim.models.fasttext import FastText, save_facebook_model',
        `save_facebook_model(FastText.load(${from}), ${to('bin')})`,
      ],
    },
  ],
  [/gensim\.models\.doc2vec/, ofGensim('Doc2Vec')],
  [/gensim\.models\.word2vec/, ofGensim('Word2Vec')],
  [/gensim\./, keyed],
];

const hdf5: Conversion = {
  is: 'an HDF5 file, as Keras writes them (.h5, .weights.h5)',
  lines: (from, to) => [
    `import h5py, numpy; f = h5py.File(${from}); names = []; f.visit(names.append)`,
    `numpy.savez(${to('npz')}, **{n: f[n][()] for n in names if isinstance(f[n], h5py.Dataset)})`,
  ],
};

const keras: Conversion = {
  is: 'a model of Keras (.keras), an archive with an HDF5 file in it',
  lines: (from, to) => [
    `import h5py, numpy, zipfile; f = h5py.File(zipfile.ZipFile(${from}).open('model.weights.h5')); names = []; f.visit(names.append)`,
    `numpy.savez(${to('npz')}, **{n: f[n][()] for n in names if isinstance(f[n], h5py.Dataset)})`,
  ],
};

/** Files that are told by their first bytes, or, where these say nothing, by their name. */
interface Foreign {
  readonly bytes?: RegExp;
  readonly name?: RegExp;
  readonly is: string;
  readonly expected: string;
}

const ITS_ORIGIN = 'the model that it was made from, such as its safetensors or ONNX file';
const FOREIGN: readonly Foreign[] = [
  {
    bytes: /^.{4}TFL3/s,
    is: 'a model of TensorFlow Lite, whose graph and tables were converted for phones',
    expected: ITS_ORIGIN,
  },
  {
    bytes: /^PAR1/,
    is: 'a Parquet file, which holds the columns of a table',
    expected: 'its columns of numbers as .npy or CSV',
  },
  {
    bytes: /^(?:ARROW1|FEA1)/,
    is: 'a file of Arrow, which holds the columns of a table',
    expected: 'its columns of numbers as .npy or CSV',
  },
  {
    bytes: /^(?:\xff\xfe|\xfe\xff)/,
    name: /\.(?:txt|csv|tsv|vec|json)$/i,
    is: 'a text in UTF-16',
    expected: 'the same text in UTF-8',
  },
  // An archive of torch.save begins with its pickle, one of TorchScript with its storages; its code is at the end.
  {
    bytes: /^PK.{28}[^/]{1,200}\/data\/\d+FB/s,
    is: 'a program of TorchScript, which holds code beside its weights',
    expected: 'the state_dict of the model that it was made from, as torch.save writes it',
  },
  {
    name: /\.distcp$/i,
    is: 'a part of a distributed checkpoint of PyTorch',
    expected: 'the one file that torch.distributed.checkpoint.format_utils.dcp_to_torch_save makes of its folder',
  },
  {
    name: /\.msgpack$/i,
    is: 'a file of MessagePack, as Flax writes them',
    expected: 'its arrays as safetensors or .npz',
  },
  {
    name: /\.(?:index|meta|data-\d{5}-of-\d{5})$/i,
    is: 'a part of a checkpoint of TensorFlow',
    expected: 'its variables as safetensors or .npz',
  },
  { name: /\.pb$/i, is: 'a graph of TensorFlow', expected: 'its variables as safetensors or .npz' },
  {
    name: /\.ml(?:model|package)$/i,
    is: 'a model of Core ML, converted for devices of Apple',
    expected: ITS_ORIGIN,
  },
];

/** Archives and compressed files of any kind of model, by their first bytes. */
const ARCHIVES: readonly (readonly [bytes: RegExp, is: string])[] = [
  [/^PK/, 'a zip archive'],
  [/^\p{Cc}[\x8b\u2039]/u, 'compressed with gzip'],
  [/^\(\xb5\/\xfd/, 'compressed with Zstandard'],
  [/^\xfd7zXZ/, 'compressed with xz'],
  [/^BZh/, 'compressed with bzip2'],
  [/^7z/, 'a 7z archive'],
  [/^Rar!/, 'a RAR archive'],
  [/^.{257}ustar/s, 'a tar archive'],
];

/** `text`: of the first bytes. The first file in a zip archive is named there. */
function archived(kind: string, text: string, head: Uint8Array, file: string): TiedError | null {
  if (kind !== 'zip' && kind !== 'archive') return null;
  const is = ARCHIVES.find(([bytes]) => bytes.test(text))?.[1] ?? 'a compressed archive';
  const length = (head[26] ?? 0) + 256 * (head[27] ?? 0);
  const first = kind === 'zip' ? text.slice(30, 30 + length) : '';
  const named = /^[\w ./+-]{1,80}$/.test(first) ? `, which begins with '${first}'` : '';
  const what = /archive$/.test(is) || /\.t(?:ar\.\w+|[gx]z|bz2?)$/i.test(file) ? 'the files in it' : 'the file in it';
  return new TiedError('bad-file', `${file}: it is ${is}${named}; expected ${what}: unpack it first`);
}

/** What the bytes say counts more than a name: a pointer to a file has the name of that file. */
const isForeign = ({ bytes, name }: Foreign, kind: string, text: string, file: string): boolean =>
  (bytes ?? /^/).test(text) &&
  (name ?? /^/).test(file) &&
  (bytes !== undefined || kind === 'unknown' || kind === 'pickle');

/** Null for other files. `head`: the first bytes. */
export function refusedWithAdvice(kind: string, head: Uint8Array, file: string): TiedError | null {
  const text = new TextDecoder('latin1').decode(head);
  const foreign = FOREIGN.find((one) => isForeign(one, kind, text, file.split('?')[0]!));
  if (foreign !== undefined)
    return new TiedError(
      'unsupported',
      `${file}: ${foreign.bytes === undefined ? 'by its name ' : ''}it is ${foreign.is}; expected ${foreign.expected}`,
    );
  const conversion =
    kind === 'gensim'
      ? (GENSIM.find(([sign]) => sign.test(text))?.[1] ?? keyed)
      : kind === 'hdf5'
        ? hdf5
        : kind === 'zip' && /metadata\.json|model\.weights\.h5/.test(text) && /keras/i.test(text)
          ? keras
          : null;
  if (conversion === null) return archived(kind, text, head, file);
  const last = file.split(/[/\\]/).at(-1)!.split('?')[0]!;
  // A name that could end the text in Python is not repeated.
  const name = /^[\w .()+-]+$/.test(last) && last !== 'bytes' ? last : 'file';
  const stem = name.replace(/(?:\.weights)?\.\w+$/, '');
  const lines = conversion.lines(`'${name}'`, (ending) => `'${stem}.${ending}'`);
  return new TiedError(
    'unsupported',
    `${file}: it is ${conversion.is}; expected what these two lines of Python make of it:\n${lines.join(';\n')}`,
  );
}
