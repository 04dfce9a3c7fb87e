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

/** Null for other files. `head`: the first bytes. */
export function refusedWithAdvice(kind: string, head: Uint8Array, file: string): TiedError | null {
  const text = new TextDecoder('latin1').decode(head);
  if (text.slice(4, 8) === 'TFL3')
    return new TiedError(
      'unsupported',
      `${file}: it is a model of TensorFlow Lite, whose graph and tables were converted for phones; expected the model that it was made from, such as its safetensors or ONNX file`,
    );
  const conversion =
    kind === 'gensim'
      ? (GENSIM.find(([sign]) => sign.test(text))?.[1] ?? keyed)
      : kind === 'hdf5'
        ? hdf5
        : kind === 'zip' && /metadata\.json|model\.weights\.h5/.test(text) && /keras/i.test(text)
          ? keras
          : null;
  if (conversion === null) return null;
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
