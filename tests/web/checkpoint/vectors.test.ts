/** Word vectors of word2vec and fastText in their binary forms: what is read of them, and what is refused with which words. */
import { describe, expect, test } from 'vitest';
import { fileKind } from '../../../web/core/checkpoint/formats/file-kind.js';
import { fileOf, floats, joined, ramp, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { fastText, LOSS, MODEL, word2vec } from './vector-files.js';

const words = ['</s>', 'the', 'ﬁsh', '日本'];
const whole = word2vec({ words, cols: 3, data: ramp(12) });
const rowsOf = async (bytes: Uint8Array, name: string, rows?: Uint32Array): Promise<number[]> => [
  ...(await (await openHere(bytes)).matrix(name, rows === undefined ? {} : { rows })).data,
];

/** Opens; the message. */
async function refused(bytes: Uint8Array, code = 'bad-file'): Promise<string> {
  const error: unknown = await openHere(bytes).then(
    () => new Error('it was opened'),
    (problem: unknown) => problem,
  );
  expect(error).toMatchObject({ name: 'TiedError', code });
  expect((error as Error).message).toMatch(/; expected /);
  expect((error as Error).message.length).toBeLessThan(400);
  return (error as Error).message;
}

describe('word2vec', () => {
  test.each([
    ['as gensim writes it', {}],
    ['as Google’s program does, with a line break after each row', { hasBreaks: true }],
    ['with a blank before the first line’s end', { firstLine: '4 3 \n' }],
    ['with the first line of another system', { firstLine: '4\t3\r\n' }],
  ])('%s', async (_, how) => {
    const bytes = word2vec({ words, cols: 3, data: ramp(12), ...how });
    const checkpoint = await openHere(bytes);
    expect(checkpoint).toMatchObject({ format: 'word2vec', tokens: words, notes: [] });
    expect(checkpoint.tables.input).toEqual({ name: 'bytes', shape: [4, 3], dtype: 'F32', bytes: 48 });
    expect(checkpoint.tying).toMatchObject({ tied: null, evidence: 'unknown' });
    expect([...(await checkpoint.matrix('input')).data]).toEqual(Array.from({ length: 12 }, (_, i) => i / 4));
    expect(await rowsOf(bytes, 'input', Uint32Array.of(2, 0))).toEqual([1.5, 1.75, 2, 0, 0.25, 0.5]);
  });

  test('numbers without a byte that no text has', async () => {
    const data = floats([0.1, 0.1]);
    expect(fileKind(word2vec({ words: ['a'], cols: 2, data }), 99).kind).toBe('word2vec');
    for (const text of ['1 2\na 0.1 0.1\n', '2 2\na 0 1\né 1 1\n', '2 9\na 0 0 0 0 0 0 0 0 0\né 1 1 1 1 1 1 1 1 1\n'])
      expect(fileKind(utf8(text), 99).kind).toBe('text');
  });

  test('names that are not UTF-8, with a note', async () => {
    const bad = Uint8Array.of(0x63, 0xe9);
    const checkpoint = await openHere(word2vec({ words: ['a', bad, 'b', bad], cols: 1, data: ramp(4) }));
    expect(checkpoint.tokens).toEqual(['a', 'c\ufffd', 'b', 'c\ufffd']);
    expect(checkpoint.notes).toEqual([
      'bytes: the name of row 1 has bytes that are not UTF-8, and so do 1 more; they were read as U+FFFD.',
    ]);
  });

  test('many rows, read over several pieces', async () => {
    const names = Array.from({ length: 5000 }, (_, i) => 'x'.repeat(i % 300) + String(i));
    const data = Float32Array.from({ length: 5000 * 50 }, (_, i) => i);
    const bytes = word2vec({ words: names, cols: 50, data: new Uint8Array(data.buffer), hasBreaks: true });
    const checkpoint = await openHere(bytes);
    expect(checkpoint.tokens).toEqual(names);
    expect((await checkpoint.matrix('input')).data).toEqual(data);
  });

  test('beside a second file, as an output table whose rows are paired by name', async () => {
    const files = [fileOf('in.bin', whole), fileOf('out.bin', word2vec({ words: [...words].reverse(), cols: 3, data: ramp(12, 9) }))]; // prettier-ignore
    const { tying, tokens } = await openHere(files, { tables: { input: 'in.bin', output: 'out.bin' } });
    expect(tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(tokens).toEqual(words);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['more rows than there are', word2vec({ words, cols: 3, data: ramp(12), firstLine: '5 3\n' }), /row 4 of 5 has no space .* it may be cut off/],
    ['far more rows', word2vec({ words, cols: 3, data: ramp(12), firstLine: '9999999 3\n' }), /says 9999999 rows of 3 numbers, at least 129999987 bytes, but \d+ follow/],
    ['fewer rows', word2vec({ words, cols: 3, data: ramp(12), firstLine: '3 3\n' }), /19 bytes follow the 3 rows that its first line says/],
    ['other columns', word2vec({ words, cols: 3, data: ramp(12), firstLine: '4 2\n' }), /row 1 of 4 begins with bytes that are no part of a name/],
    ['a file without end', whole.subarray(0, -5), /row 3 of 4, '日本', ends after the file of \d+ bytes/],
    ['no rows', joined(utf8('0 3\n'), whole.subarray(4)), /its first line is '0 3'; expected a number of rows/],
    ['no columns', joined(utf8('4 0\nthe '), new Uint8Array(9)), /(?:first line is '4 0'|it is of an unknown kind)/],
    ['a name with a space', word2vec({ words: ['New York', 'b'], cols: 3, data: ramp(6) }), /row 1 of 2 begins with bytes that are no part of a name; .* the one before, 'New', may have one/],
    ['a name without end', joined(utf8('2 1\na '), new Uint8Array(4), new Uint8Array(70_000).fill(97)), /no space within 65536 bytes/],
  ])('refuses %s', async (_, bytes, message) => {
    expect(await refused(bytes)).toMatch(message);
  }); // prettier-ignore

  test('every cut is refused or read whole', async () => {
    for (let length = 5; length < whole.length; length++) await refused(whole.subarray(0, length));
  });
});

describe('fastText', () => {
  const parts = { words: ['a', 'b', 'c'], cols: 2, bucket: 2, input: ramp(10), output: ramp(6, 20) };
  const model = fastText(parts);

  test('both tables, the n-grams apart, and what the format says of them', async () => {
    const checkpoint = await openHere(model);
    expect(checkpoint).toMatchObject({ format: 'fasttext', tokens: ['a', 'b', 'c'] });
    expect(checkpoint.tensors.map(({ name, shape }) => [name, shape])).toEqual([
      ['input.words', [3, 2]],
      ['input.ngrams', [2, 2]],
      ['output.words', [3, 2]],
    ]);
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different', candidates: [] });
    expect(checkpoint.tying.reason).toBe(
      "fastText (skipgram, negative sampling) has two tables by design; 'input.words' and 'output.words' differ.",
    );
    expect(checkpoint.notes[0]).toMatch(/the mean of its row in input\.words and of its n-grams’ rows in input\.ngrams \(3 to 6 characters\)/); // prettier-ignore
    expect(await rowsOf(model, 'output', Uint32Array.of(1))).toEqual([20.5, 20.75]);
    expect(await rowsOf(model, 'input.ngrams')).toEqual([1.5, 1.75, 2, 2.25]);
  });

  test('equal numbers are tied all the same', async () => {
    const { tying } = await openHere(fastText({ ...parts, output: ramp(6) }));
    expect(tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });

  test('version 11, and models without n-grams, have no note on them', async () => {
    const plain = await openHere(fastText({ ...parts, bucket: 0, input: ramp(6), version: 11 }));
    expect(plain.tensors.map(({ name }) => name)).toEqual(['input.words', 'output.words']);
    expect(plain.notes).toEqual([]);
  });

  test('a tree over the words is no table of words', async () => {
    const { tying, tables } = await openHere(fastText({ ...parts, loss: LOSS.hs, model: MODEL.cbow }));
    expect(tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(tying.reason).toBe("fastText (cbow, hierarchical softmax) reads with 'input.words' and predicts with 'output.nodes', a second matrix, which has a row for each node of a tree over the words."); // prettier-ignore
    expect(tables.output).toBeNull();
  });

  test('a classifier predicts no words', async () => {
    const bytes = fastText({ ...parts, model: MODEL.supervised, labels: ['__label__x'], output: ramp(2) });
    const { tying, tables, tensors, tokens } = await openHere(bytes);
    expect(tying).toMatchObject({ tied: null, evidence: 'not-a-language-model' });
    expect(tying.reason).toMatch(/a row for each of its 1 labels and none for a word\.$/);
    expect([tables.output, tensors.at(-1)!.name, tokens]).toEqual([null, 'output.labels', ['a', 'b', 'c']]);
  });

  test('the caller names other tables', async () => {
    const tables = { input: 'input.words', output: 'input.words' };
    expect((await openHere(model, { tables })).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    await expect(openHere(model, { tables: { output: 'x' } })).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  test('a quantized one is refused by name', async () => {
    expect(await refused(fastText({ ...parts, first: 1 }), 'unsupported')).toMatch(
      /its input matrix is quantized \(fasttext quantize: .*; expected the \.bin from which the \.ftz was made/,
    );
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['another version', fastText({ ...parts, version: 13 }), /is of version 13/],
    ['another loss', fastText({ ...parts, loss: 5 }), /its loss is 5; expected 1 to 4/],
    ['another model', fastText({ ...parts, model: 0 }), /its model is 0; expected 1 to 3: cbow/],
    ['vectors without numbers', fastText({ ...parts, cols: 0 }), /its vectors have 0 numbers/],
    ['vectors that are too long', fastText({ ...parts, cols: 2 ** 31 - 1 }), /its vectors have 2147483647 numbers/],
    ['fewer buckets than none', fastText({ ...parts, bucket: -1 }), /it has -1 buckets/],
    ['far too many buckets', fastText({ ...parts, bucket: 2 ** 31 - 1, input: ramp(10) }), /ends after the file/],
    ['more entries than words', fastText({ ...parts, lies: { entries: 4 } }), /4 entries, 3 words and 0 labels/],
    ['many entries', fastText({ ...parts, lies: { entries: 9_999_999, words: 9_999_999 } }), /9999999 entries, and \d+ bytes follow/],
    ['entries that are negative', fastText({ ...parts, lies: { entries: 0, words: 3, labels: -3 } }), /-3 labels/],
    ['no words', fastText({ ...parts, words: [], bucket: 0, input: ramp(0), output: ramp(0) }), /has no words/],
    ['words that are labels', fastText({ ...parts, lies: { type: 1 } }), /entry 0 of its dictionary has the type 1/],
    ['n-grams that are nowhere', fastText({ ...parts, lies: { pruned: 2 ** 40 } }), /says that 1099511627776 n-grams are kept/],
    ['other rows', fastText({ ...parts, lies: { rows: 4 } }), /its input matrix is of \[4, 2\]; expected \[5, 2\]/],
    ['other columns', fastText({ ...parts, lies: { cols: 3 } }), /its input matrix is of \[5, 3\]; expected \[5, 2\]/],
    ['a first byte of a matrix', fastText({ ...parts, first: 7 }), /its input matrix begins with 7/],
    ['bytes at its end', joined(model, Uint8Array.of(1)), /1 bytes follow its output matrix/],
  ])('refuses %s', async (_, bytes, message) => {
    expect(await refused(bytes)).toMatch(message);
  }); // prettier-ignore

  test('every cut is refused', async () => {
    for (let length = 5; length < model.length; length++) await refused(model.subarray(0, length));
  });
});
