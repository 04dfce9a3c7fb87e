/** Token strings of an opened checkpoint: in its file, beside it, and those that do not fit. */
import { describe, expect, test } from 'vitest';
import type { RunnableCheckpoint } from '../../../web/core/checkpoint/types.js';
import { fileOf, safetensors, utf8 } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { json, table } from './small-tables.js';

describe('tokens that do not fit', () => {
  const model = fileOf('model.safetensors', safetensors({ 'wte.weight': table() }));
  const counts = (tokens: number): string => `vocab.json has ${tokens} tokens, the table 6 rows: `;
  const many = Array.from({ length: 13 }, (_, i) => `t${i}`);
  test.each<[string, unknown, readonly string[]]>([
    ['one row between others', { a: 0, b: 1, c: 2, d: 4, e: 5 }, [`${counts(5)}1 row has no token.`]],
    ['rows between and after', { a: 0, b: 2, c: 4 }, [`${counts(3)}3 rows have no token.`]],
    ['a few too many', many.slice(0, 8), [`${counts(8)}the last tokens are left out.`]],
    [
      'twice too many',
      many,
      [`${counts(13)}the last tokens are left out.`, 'vocab.json may be the vocabulary of another model.'],
    ],
    [
      'too few by half',
      ['a', 'b'],
      [`${counts(2)}the last rows have no token.`, 'vocab.json may be the vocabulary of another model.'],
    ],
  ])('%s: a note says so', async (_, tokens, notes) => {
    expect((await openHere([model, json('vocab.json', tokens)])).notes).toEqual(notes);
  });

  test('text in UTF-16 is named', async () => {
    const wide = Uint8Array.from([0xff, 0xfe, 0x5b, 0, 0x5d, 0]);
    expect((await openHere([model, fileOf('vocab.json', wide)])).notes).toEqual([
      'Token strings were not read: vocab.json: it is in UTF-16; expected UTF-8',
    ]);
  });
});

describe('tokens', () => {
  test('one per line, as in BERT’s vocab.txt', async () => {
    const files = [
      fileOf('model.safetensors', safetensors({ 'embeddings.word_embeddings.weight': table() })),
      fileOf('vocab.txt', utf8('!\r\n[UNK]\r\n"\r\n##s\r\n\u2019\r\nthe\r\n')),
    ];
    const checkpoint = await openHere(files);
    expect(checkpoint.tokens).toEqual(['!', '[UNK]', '"', '##s', '\u2019', 'the']);
    expect(checkpoint.notes).toEqual([]);
    expect(await (checkpoint as RunnableCheckpoint).tokenizer()).toBeNull();
    expect(checkpoint.notes).toEqual([
      'There is no tokenizer: vocab.txt has tokens, but does not say how a text is split into them.',
    ]);
  });

  const model = fileOf('model.safetensors', safetensors({ 'wte.weight': table() }));
  const names = ['<b>', 'Ġthe', 'c', 'd', 'e', 'f'];
  const vocab = Object.fromEntries(names.map((name, id) => [name, id]));

  test.each<[string, File]>([
    ['vocab.json', json('vocab.json', vocab)],
    ['encoder.json', json('encoder.json', vocab)],
    ['a list', json('my-vocab.json', names)],
    ['two lists', json('my-vocab.json', { source: ['x', 'y'], target: names })],
    [
      'tokenizer.json',
      json('tokenizer.json', {
        model: { vocab: Object.fromEntries(Object.entries(vocab).slice(0, 5)) },
        added_tokens: [{ id: 5, content: 'f' }],
      }),
    ],
    ['Unigram', json('tokenizer.json', { model: { type: 'Unigram', vocab: names.map((name) => [name, -1]) } })],
  ])('of %s are spelled as in the file', async (_, file) => {
    expect((await openHere([model, file])).tokens).toEqual(names);
  });

  test('of lists that do not fit, or that both fit, are not chosen', async () => {
    for (const lists of [
      { source: ['x'], target: ['y'] },
      { source: names, target: names },
    ]) {
      const { tokens, notes } = await openHere([model, json('vocab.json', lists)]);
      expect(tokens).toBeNull();
      expect(notes.join()).toMatch(/its lists have \d, \d tokens; expected one of 6, as the table has rows/);
    }
  });

  test('that do not fit the table are cut or padded with a note', async () => {
    const longer = await openHere([model, json('vocab.json', { ...vocab, g: 6 })]);
    expect(longer.tokens).toEqual(names);
    expect(longer.notes).toEqual(['vocab.json has 7 tokens, the table 6 rows: the last tokens are left out.']);
    expect((await openHere([model, json('vocab.json', { a: 0, c: 2 })])).tokens).toEqual(['a', '', 'c', '', '', '']);
  });

  test('with ids far beyond the table are left out and counted', async () => {
    const { tokens, notes } = await openHere([model, json('vocab.json', { a: 0, far: 2 ** 24 - 1, farther: 2 ** 23 })]);
    expect(tokens).toEqual(['a', '', '', '', '', '']);
    expect(notes).toEqual([
      'vocab.json has 3 tokens, the table 6 rows: 2 with ids up to 16777215 are left out.',
      'vocab.json has 3 tokens, the table 6 rows: 5 rows have no token.',
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'ids beyond the table only',
      { a: 2 ** 24 - 1, b: 6 },
      /its least id is 6; expected one of the 6 rows of the table/,
    ],
    ['an id that is huge', { a: 1e12 }, /the token 'a' has the id 1000000000000/],
    ['an id that is a text', { a: '1' }, /the token 'a' has the id 1; expected an integer/],
    ['two tokens of one id', { a: 1, b: 1 }, /the id 1 has two tokens, 'a' and 'b'/],
    ['no tokens', {}, /it has no tokens/],
    ['empty tokens', ['', ''], /it has no token strings/],
  ])('with %s are left out with a note', async (_, value, message) => {
    const { tokens, notes } = await openHere([model, json('vocab.json', value)]);
    expect(tokens).toBeNull();
    expect(notes).toEqual([expect.stringMatching(message)]);
  });
});
