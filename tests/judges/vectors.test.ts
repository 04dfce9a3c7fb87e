// gensim, fastText and NumPy write files of word vectors; what is read here has their names and their numbers.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Checkpoint, type OpenCheckpointOptions } from '../../web/index.js';
import { filesByPython } from './python.js';

const files = filesByPython('vectors', 'files of gensim and fastText');
const core = loadCore({ modules: ['checkpoint'] });

/** Writes each file, and what it holds as JSON. */
const SCRIPT = `
import json, random, sys, numpy as np, fasttext
from gensim.models import Word2Vec, FastText, KeyedVectors
from gensim.models.fasttext import save_facebook_model
folder = sys.argv[1]
random.seed(1)
words = [f'w{i}' for i in range(300)] + ['é', '日本', 'Straße']
sentences = [[random.choice(words) for _ in range(12)] for _ in range(300)]
text, labeled = f'{folder}/text.txt', f'{folder}/labeled.txt'
open(text, 'w').write('\\n'.join(' '.join(words) for words in sentences))
open(labeled, 'w').write('\\n'.join(f'__label__{i % 3} ' + ' '.join(words) for i, words in enumerate(sentences)))
values = {}
def rows(matrix): return [[float(x) for x in row] for row in matrix]

small = {'vector_size': 10, 'min_count': 1, 'seed': 1, 'epochs': 1, 'workers': 1}
model = Word2Vec(sentences, **small)
model.wv.save_word2vec_format(f'{folder}/gensim.bin', binary=True)
values['gensim.bin'] = {'words': model.wv.index_to_key, 'gensim.bin': rows(model.wv.vectors)}

for name, settings in {
    'cbow-ns': {'model': 'cbow', 'loss': 'ns'}, 'skipgram-ns': {'model': 'skipgram', 'loss': 'ns'},
    'cbow-hs': {'model': 'cbow', 'loss': 'hs'}, 'skipgram-softmax': {'model': 'skipgram', 'loss': 'softmax'},
    'plain': {'maxn': 0, 'minn': 0},
}.items():
    trained = fasttext.train_unsupervised(text, dim=10, minCount=1, epoch=1, bucket=50, thread=1, verbose=0, **settings)
    trained.save_model(f'{folder}/{name}.bin')
    tables, output = trained.get_input_matrix(), trained.get_output_matrix()
    n = len(trained.words)
    values[f'{name}.bin'] = {'words': trained.words, 'input.words': rows(tables[:n]), **({'input.ngrams': rows(tables[n:])} if len(tables) > n else {}), 'output.nodes' if settings.get('loss') == 'hs' else 'output.words': rows(output)}

for loss in ['softmax', 'ova', 'hs']:
    classifier = fasttext.train_supervised(labeled, dim=10, epoch=1, thread=1, verbose=0, wordNgrams=2, bucket=100, loss=loss)
    classifier.save_model(f'{folder}/classifier-{loss}.bin')
    n = len(classifier.words)
    values[f'classifier-{loss}.bin'] = {'words': classifier.words, 'input.words': rows(classifier.get_input_matrix()[:n]), 'input.ngrams': rows(classifier.get_input_matrix()[n:]), 'output.labels': rows(classifier.get_output_matrix())}
for name, settings in {'quantized': {}, 'qnorm': {'qnorm': True, 'cutoff': 280, 'retrain': True}}.items():
    classifier = fasttext.train_supervised(labeled, dim=10, epoch=1, thread=1, verbose=0, wordNgrams=2, bucket=300)
    classifier.quantize(input=labeled, verbose=0, **settings)
    classifier.save_model(f'{folder}/{name}.ftz')

facebook = FastText(sentences, bucket=50, **small)
save_facebook_model(facebook, f'{folder}/facebook.bin')
values['facebook.bin'] = {'words': facebook.wv.index_to_key, 'input.words': rows(facebook.wv.vectors_vocab), 'input.ngrams': rows(facebook.wv.vectors_ngrams), 'output.words': rows(facebook.syn1neg)}

model.save(f'{folder}/word2vec.model'); model.wv.save(f'{folder}/vectors.kv'); facebook.save(f'{folder}/fasttext.model'); facebook.wv.save(f'{folder}/fasttext.kv')
values['word2vec.npz'] = {'words': model.wv.index_to_key, 'input': rows(model.wv.vectors), 'output': rows(model.syn1neg)}
values['vectors.bin'] = {'words': model.wv.index_to_key, 'vectors.bin': rows(model.wv.vectors)}
values['fasttext.bin'] = values['facebook.bin']
import h5py, zipfile
generator = np.random.default_rng(1)
table, head = generator.normal(size=(30, 8)).astype('f4'), generator.normal(size=(8, 30)).astype('f4')
with h5py.File(f'{folder}/keras.weights.h5', 'w') as file:
    file['layers/token_embedding/vars/0'] = table
    file['layers/head/vars/0'] = head
    file['layers/norm/vars/0'] = np.ones(8, 'f4')
with zipfile.ZipFile(f'{folder}/model.keras', 'w') as archive:
    archive.writestr('metadata.json', '{"keras_version": "3.0.0"}')
    archive.writestr('config.json', '{}')
    archive.write(f'{folder}/keras.weights.h5', 'model.weights.h5')
values['keras.npz'] = values['model.npz'] = {'layers/head/vars/0': rows(head.T), 'layers/token_embedding/vars/0': rows(table)}

arrays = {'input': np.asfortranarray(table.astype('f8')), 'output': table.astype('f2'), 'step': np.int64(3), 'words': np.array([f'w{i}é' for i in range(30)])}
np.savez(f'{folder}/stored.npz', **arrays); np.savez_compressed(f'{folder}/compressed.npz', **arrays)
np.savez(f'{folder}/bf16.npz', input=(table.view('u4') >> 16).astype('u2').view('V2'), output=table)
values['stored.npz'] = values['compressed.npz'] = {'words': arrays['words'].tolist(), 'input': rows(arrays['input']), 'output': rows(arrays['output'])}
values['bf16.npz'] = {'input': rows(((table.view('u4') >> 16) << 16).view('f4')), 'output': rows(table)}
json.dump(values, open(f'{folder}/values.json', 'w'))
`;

describe.skipIf(files.isSkipped)(files.title, () => {
  const folder = files.written(SCRIPT);
  let values: Record<string, { words?: string[] } & Record<string, number[][]>>;
  beforeAll(() => {
    values = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as typeof values;
  });

  const open = async (name: string, options?: OpenCheckpointOptions): Promise<Checkpoint> =>
    (await core).openCheckpoint(new File([readFileSync(join(folder, name))], name), options);

  async function expectAll(checkpoint: Checkpoint, name: string): Promise<void> {
    const { words = null, ...matrices } = values[name]!;
    expect(checkpoint.tokens).toEqual(words);
    expect(checkpoint.tensors.filter(({ shape }) => shape.length === 2).map((one) => one.name)).toEqual(Object.keys(matrices)); // prettier-ignore
    for (const [called, rows] of Object.entries(matrices)) {
      const { data } = await checkpoint.matrix(called);
      expect(data).toEqual(Float32Array.from((rows as number[][]).flat()));
    }
  }

  const verdicts: readonly (readonly [name: string, tied: boolean | null, evidence: string, reason: RegExp])[] = [
    ['gensim.bin', null, 'unknown', /^The file is one table without a name/],
    ['cbow-ns.bin', false, 'different', /^fastText \(cbow, negative sampling\) has two tables by design; 'input\.words' and 'output\.words' differ\.$/],
    ['skipgram-ns.bin', false, 'different', /skipgram, negative sampling/],
    ['cbow-hs.bin', false, 'different', /a row for each node of a tree over the words\.$/],
    ['skipgram-softmax.bin', false, 'different', /skipgram, softmax/],
    ['plain.bin', false, 'different', /by design/],
    ['facebook.bin', false, 'different', /cbow, negative sampling/],
    ['classifier-softmax.bin', null, 'not-a-language-model', /a row for each of its 3 labels and none for a word/],
    ['classifier-ova.bin', null, 'not-a-language-model', /classifier of fastText/],
    ['classifier-hs.bin', null, 'not-a-language-model', /classifier of fastText/],
  ]; // prettier-ignore

  test.each(verdicts)('%s: tied %s by %s, with every name and number', async (name, tied, evidence, reason) => {
    const checkpoint = await open(name);
    expect(checkpoint.tying).toMatchObject({ tied, evidence });
    expect(checkpoint.tying.reason).toMatch(reason);
    await expectAll(checkpoint, name);
  });

  test.each([
    ['stored.npz', true, 'equal-values'],
    ['compressed.npz', true, 'equal-values'],
    ['bf16.npz', true, 'equal-values'],
  ])('%s of NumPy: tied %s by %s, with every number', async (name, tied, evidence) => {
    const checkpoint = await open(name);
    expect(checkpoint.tying).toMatchObject({ tied, evidence });
    await expectAll(checkpoint, name);
  });

  const keras = { input: 'layers/token_embedding/vars/0', output: 'layers/head/vars/0' };
  test.each([
    ['word2vec.model', /a pickle of gensim \(Word2Vec\)/, 'word2vec.npz', {}],
    ['vectors.kv', /a pickle of gensim \(KeyedVectors\)/, 'vectors.bin', {}],
    ['fasttext.model', /a pickle of gensim \(FastText\)/, 'fasttext.bin', {}],
    ['fasttext.kv', /a pickle of gensim \(KeyedVectors\)/, 'fasttext.bin', null],
    ['keras.weights.h5', /an HDF5 file, as Keras writes them/, 'keras.npz', { tables: keras }],
    ['model.keras', /a model of Keras \(\.keras\)/, 'model.npz', { tables: keras }],
  ])('%s is refused, and what the two lines of Python make of it is read', async (name, is, made, options) => {
    const refusal: unknown = await open(name).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'unsupported', message: expect.stringMatching(is) as string });
    const lines = (refusal as Error).message.split('\n').slice(1);
    expect(lines).toHaveLength(2);
    const ended = spawnSync(files.python, ['-'], { input: lines.join('\n'), cwd: folder, encoding: 'utf8' }); // prettier-ignore
    expect(ended.stderr).not.toMatch(/Error/);
    const checkpoint = await open(made, options ?? {});
    // The vectors of fastText's words are means of several rows.
    if (options !== null) await expectAll(checkpoint, made);
    else expect(checkpoint.format).toBe('word2vec');
  });

  test.each(['quantized.ftz', 'qnorm.ftz'])('%s is refused by name', async (name) => {
    await expect(open(name)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(open(name)).rejects.toThrow(
      /its input matrix is quantized \(fasttext quantize: .* expected the \.bin/,
    );
  });
});
