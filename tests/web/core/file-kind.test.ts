import { describe, expect, it } from 'vitest';
import { checkpointStrings as texts } from '../../../web/elements/checkpoint/checkpoint.strings.js';
import type { Lab } from '../../../web/core/types.js';
import { sortFile, type FileRole } from '../../../web/elements/checkpoint/checkpoint-files.js';
import { fileKind, headBytes, type ForeignKind } from '../../../web/core/checkpoint/formats/file-kind.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';
import { sharedFile } from './support.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (...values: readonly (number | string)[]): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => (typeof value === 'number' ? [value] : [...Buffer.from(value, 'latin1')])));
/** Files that are recognized by their first bytes are sorted without a lab. */
const noLab = {} as Lab;
const kindOf = (content: Uint8Array): string => fileKind(content.subarray(0, headBytes), content.length).kind;

/** Eight bytes of length, then the header, padded with blanks to that length, then values. */
function safetensors(length = 0): Uint8Array {
  const header = utf8('{"wte.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}'.padEnd(length));
  const file = new Uint8Array(8 + header.length + 16);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  return file;
}

const foreign: [ForeignKind, string, Uint8Array][] = [
  ['empty', 'no bytes', new Uint8Array()],
  ['safetensors', 'a whole file', safetensors()],
  // 80 02, 80 05, 1f 8b, 'PK', 'BZh'.
  ...[0x0280, 0x0580, 0x8b1f, 0x4b50, 0x685a42].map((length): [ForeignKind, string, Uint8Array] => [
    'safetensors',
    `a header of ${String(length)} bytes, as another format begins`,
    safetensors(length),
  ]),
  ['safetensors', 'one that was cut off', safetensors().subarray(0, 40)],
  ['safetensors', 'one that says it is longer than any', safetensors().fill(0xff, 0, 8)],
  ['json', 'that has a brace where safetensors have one', utf8('[     [ {"a": 1}]')],
  ['gguf', 'version 3', bytes('GGUF', 3, 0, 0, 0, 0, 0, 0, 0)],
  ['gguf', 'the older ggjt', bytes('tjgg', 3, 0, 0, 0)],
  ['pytorch', 'a zip of torch.save', bytes('PK', 3, 4, 0, 0, 'archive/data.pkl', 0x80, 2)],
  ['pytorch', 'a legacy pickle', bytes(0x80, 2, 0x8a, 0x0a, 'l')],
  ['pytorch', 'a tar of PyTorch 0.1', bytes('sys_info'.padEnd(257, '\0'), 'ustar')],
  ['pickle', 'that names PyTorch', bytes(0x80, 4, 0x95, 0, 0, 'torch._utils')],
  ['gensim', 'of its vectors', bytes(0x80, 4, 0x95, 0, 0, 0x8c, 0x1a, 'gensim.models.keyedvectors')],
  ['pickle', 'protocol 4', bytes(0x80, 4, 0x95, 0, 0)],
  ['word2vec', 'two words of two numbers', bytes('2 2\nthe ', 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, '\nof ', 0, 0, 0, 0, 1)],
  ['fasttext', 'version 12', bytes(0xba, 0x16, 0x4f, 0x2f, 12, 0, 0, 0)],
  ['numpy', 'one array', bytes(0x93, 'NUMPY', 1, 0)],
  ['numpy', 'several', bytes('PK', 3, 4, 0, 0, 'wte.npy')],
  ['hdf5', 'of Keras', bytes(0x89, 'HDF', 13, 10, 26, 10)],
  ['zip', 'of anything', bytes('PK', 3, 4, 20, 0, 'notes.txt', 0xff)],
  ['archive', 'gzip', bytes(0x1f, 0x8b, 8, 0, 0)],
  ['archive', 'xz', bytes(0xfd, '7zXZ', 0)],
  ['lfs-pointer', 'of git', utf8('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n')],
  ['web-page', 'that was saved', utf8('\n<!DOCTYPE html><html><head></head></html>')],
  ['config-json', 'of Hugging Face', utf8('{ "architectures": ["GPT2LMHeadModel"], "n_embd": 768 }')],
  ['tokenizer-json', 'of Hugging Face', utf8('{"version":"1.0","added_tokens":[],"model":{}}')],
  ['json', 'of anything', utf8('[1, 2, 3]')],
  ['json', 'pairs', utf8('[["a", "b"]]')],
  ['weights-json', 'one matrix of whole numbers', utf8('\ufeff[\r\n [1, 2], [-3, 4]]')],
  [
    'weights-json',
    'beside settings',
    utf8('{"metadata": {"n_embd": 2}, "weights": {"wte": [[1, -0.5], [2e-7, 0.1]]}}'),
  ],
  ['weights-json', 'with what Python writes', utf8('{"wte": [\n[NaN, 1.5]]}')],
  [
    'config-json',
    'with rows of integers',
    utf8('{"model_type": "x", "pinpoints": [[336, 672], [672, 336]], "dropout": 0.1}'),
  ],
  ['sentencepiece', 'of Llama', bytes(0x0a, 0x0e, 0x0a, 5, '<unk>', 0x15, 0, 0, 0, 0, 0x18, 2)],
  ['llama2c-other', 'version 1', bytes('24ka', 1, 0, 0, 0)],
  ['own-file', 'a trainer', bytes('tiedtrnr', 1, 0)],
  ['own-file', 'a tokenizer', bytes('tied-tok', 1, 0)],
  ['picture', 'PNG', bytes(0x89, 'PNG', 13, 10, 26, 10)],
  ['picture', 'PDF', utf8('%PDF-1.7\n')],
  ['text', 'English', utf8('Once upon a time\n')],
  ['text', 'Japanese, cut within a character', utf8('昔々あるところに').subarray(0, 22)],
];

/** Foreign kinds that belong to a model that the figure can open. All others are refused. */
const roles: Partial<Record<ForeignKind, FileRole>> = {
  safetensors: 'tensors',
  gguf: 'tensors',
  numpy: 'tensors',
  pytorch: 'tensors',
  word2vec: 'tensors',
  fasttext: 'tensors',
  gensim: 'tensors',
  hdf5: 'tensors',
  onnx: 'tensors',
  zip: 'tensors',
  'weights-json': 'tensors',
  'config-json': 'configuration',
  'tokenizer-json': 'beside',
  json: 'beside',
};

describe('a file that is not a llama2.c checkpoint', () => {
  it.each(foreign)('%s: %s', async (kind, _, content) => {
    expect(kindOf(content)).toBe(kind);
    // Recognized by its content, not its name, before the whole file is read.
    const sorted = sortFile(noLab, new File([content.slice()], 'model.bin'));
    const role = roles[kind];
    if (role !== undefined) {
      await expect(sorted).resolves.toMatchObject({ role });
      return;
    }
    await expect(sorted).rejects.toMatchObject({ problem: { what: 'foreign', kind }, fileName: 'model.bin' });
    const sentence = texts.foreign('model.bin', kind);
    expect(sentence).toMatch(/^model\.bin (is|was) .*\.$/s);
    expect(sentence).not.toMatch(/hidden_dim|undefined|bytes is/);
  });

  it('is recognized even if it is too large for memory', async () => {
    const large = (content: Uint8Array, name: string): File => {
      const file = new File([content.slice()], name);
      Object.defineProperty(file, 'size', { value: 10 * 2 ** 30 });
      return file;
    };
    await expect(sortFile(noLab, large(safetensors(), 'large.safetensors'))).resolves.toMatchObject({
      role: 'tensors',
    });
    await expect(sortFile(noLab, large(bytes(0x80, 2, 0x8a, 0x0a, 'l'), 'large.pt'))).resolves.toMatchObject({
      role: 'tensors',
    });
    const pickle = sortFile(noLab, large(bytes(0x80, 2, '}.'), 'large.pkl'));
    await expect(pickle).rejects.toMatchObject({ problem: { what: 'foreign', kind: 'pickle' } });
  });
});

describe('files of llama2.c', () => {
  it('are recognized as weights, with the length from their header, tied and untied', () => {
    for (const tied of [true, false]) {
      const content = tinyModel({ tied });
      expect(fileKind(content, content.length)).toEqual({
        kind: 'weights',
        vocabSize: VOCAB.length,
        bytes: content.length,
      });
    }
  });

  it('are refused with both lengths if they are incomplete or too long', async () => {
    const whole = tinyModel({ tied: true });
    const cut = new File([whole.slice(0, 3000)], 'cut.bin');
    const problem = { what: 'cut-short', bytes: 3000, expected: whole.length };
    await expect(sortFile(noLab, cut)).rejects.toMatchObject({ problem });
    const long = new File([whole.slice(), new Uint8Array(4)], 'long.bin');
    await expect(sortFile(noLab, long)).rejects.toMatchObject({
      problem: { what: 'too-long', bytes: whole.length + 4 },
    });
  });

  it('are recognized as tokenizers, complete or truncated', () => {
    const content = tinyTokenizer();
    expect(kindOf(content)).toBe('tokenizer');
    expect(kindOf(content.subarray(0, 200))).toBe('tokenizer');
  });

  it('are not mistaken for safetensors with any number of layers', () => {
    const content = tinyModel({ tied: true });
    // 123 layers: the byte with which a JSON header begins.
    new DataView(content.buffer).setInt32(8, 123, true);
    expect(kindOf(content)).toBe('weights');
  });

  it('are not seen in random bytes, which are unknown', () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 255);
    expect(kindOf(noise)).toBe('unknown');
  });

  const story = sharedFile('models/stories260k.bin');
  it.runIf(story !== null)('are recognized as weights when published by others: stories260k', () => {
    expect(fileKind(story!.subarray(0, headBytes), story!.length)).toEqual({
      kind: 'weights',
      vocabSize: 512,
      bytes: story!.length,
    });
  });

  it('every refused kind has its own sentence', () => {
    const refused = foreign.map(([kind]) => kind).filter((kind) => roles[kind] === undefined);
    const sentences = refused.map((kind) => texts.foreign('x', kind));
    expect(new Set(sentences).size).toBe(new Set(refused).size);
  });
});
