// gensim, fastText and NumPy write files of word vectors; what is read here has their names and their numbers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectsPython, pythonWith } from '../../tools/setup/judges.mjs';
import { loadCore, type Checkpoint } from '../../web/index.js';

const found = pythonWith('vectors');
const core = loadCore({ modules: ['checkpoint'] });
const isSkipped = 'without' in found && !expectsPython();
const title = 'without' in found ? `${found.without}, so that it writes no files:` : 'files of gensim and fastText';

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
json.dump(values, open(f'{folder}/values.json', 'w'))
`;

describe.skipIf(isSkipped)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tied-vectors-'));
  let values: Record<string, { words: string[] } & Record<string, number[][]>>;
  beforeAll(() => {
    if (!('python' in found)) throw new Error(found.without);
    const ended = spawnSync(found.python, ['-', folder], { input: SCRIPT, encoding: 'utf8' });
    if (ended.status !== 0) throw new Error(ended.stderr);
    values = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as typeof values;
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = async (name: string): Promise<Checkpoint> =>
    (await core).openCheckpoint(new File([readFileSync(join(folder, name))], name));

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
    const { words, ...matrices } = values[name]!;
    expect(checkpoint.tokens).toEqual(words);
    expect(checkpoint.tensors.map((one) => one.name)).toEqual(Object.keys(matrices));
    for (const [called, rows] of Object.entries(matrices)) {
      const { data } = await checkpoint.matrix(called);
      expect(data).toEqual(Float32Array.from((rows as number[][]).flat()));
    }
  });

  test.each(['quantized.ftz', 'qnorm.ftz'])('%s is refused by name', async (name) => {
    await expect(open(name)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(open(name)).rejects.toThrow(
      /its input matrix is quantized \(fasttext quantize: .* expected the \.bin/,
    );
  });
});
