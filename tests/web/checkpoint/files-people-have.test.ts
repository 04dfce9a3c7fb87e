/** Files that people open as they have them: packed for a download, half of a pair, saved by a module on its own, with names of other programs. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fileOf, floats, joined, ramp, safetensors, uint, utf8, type TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { floatStorage, stateDict, tensor, torchZip } from './pytorch-files.js';
import { bytes, embed, matrix, table, vector } from './verdict-files.js';

const zipOf = (name: string): Uint8Array =>
  joined(utf8('PK\u0003\u0004'), new Uint8Array(22), uint(name.length, 2), uint(0, 2), utf8(`${name}the 0.1 0.2`));
const tar = joined(utf8('model.bin'), new Uint8Array(248), utf8('ustar'), new Uint8Array(250));

test.each<[name: string, file: Uint8Array, is: string]>([
  ['glove.zip', zipOf('glove.6B.50d.txt'), "a zip archive, which begins with 'glove.6B.50d.txt'; expected the files in it"],
  ['vectors.zip', zipOf('a\u0001'), 'a zip archive; expected the files in it'],
  ['cc.en.300.vec.gz', gzipSync(utf8('the 0.1 0.2')), 'compressed with gzip; expected the file in it'],
  ['model.tar.gz', gzipSync(tar), 'compressed with gzip; expected the files in it'],
  ['model.tgz', gzipSync(tar), 'compressed with gzip; expected the files in it'],
  ['model.safetensors.zst', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3), 'compressed with Zstandard; expected the file in it'],
  ['table.xz', joined(Uint8Array.of(0xfd), utf8('7zXZ'), Uint8Array.of(0, 1)), 'compressed with xz; expected the file in it'],
  ['table.bz2', joined(utf8('BZh9'), Uint8Array.of(1)), 'compressed with bzip2; expected the file in it'],
  ['model.tar', tar, 'a tar archive; expected the files in it'],
])('%s has to be unpacked first', async (name, file, is) => {
  await expect(openHere(fileOf(name, file))).rejects.toMatchObject({
    code: 'bad-file',
    message: `${name}: it is ${is}: unpack it first`,
  });
}); // prettier-ignore

test('an index without its list is refused for that', async () => {
  const index = fileOf('model.safetensors.index.json', utf8('{"metadata":{"total_size":1}}'));
  await expect(openHere(index)).rejects.toThrow('it has no weight_map; expected the list of tensors and files');
});

test.each([
  ['[]', 'an array'],
  ['null', 'null'],
  ['"text"', '"text"'],
])('a configuration that is %s is not read, and a note says so', async (text, is) => {
  const model = fileOf('model.safetensors', safetensors({ ...embed, 'lm_head.weight': table(1) }));
  const { notes, tying } = await openHere([model, fileOf('config.json', utf8(text))]);
  expect(notes).toContain(`The configuration was not read: config.json: it is ${is}; expected a JSON object`);
  expect(tying.tied).toBe(false);
});

test.each(['a: 1', 'lr: 0.1\nsteps: 100\n'])('settings in YAML are no table: %s', async (text) => {
  await expect(openHere(fileOf('settings.yaml', utf8(text)))).rejects.toThrow(/its lines are a name, a colon and a value, as in YAML/); // prettier-ignore
});

test('a colon may be a word', async () => {
  const { tokens } = await openHere(fileOf('words.txt', utf8(': 1\na: 2\nb 3\n')));
  expect(tokens).toEqual([':', 'a:', 'b']);
});

const ofModule = torchZip(stateDict({ weight: tensor(floatStorage('0', 48 * 8), [48, 8]) }), [
  floatStorage('0', 48 * 8),
]);
test.each([
  ['embedding.safetensors', safetensors({ weight: table() })],
  ['embedding.pt', ofModule],
])('the only matrix of a module is one table: %s', async (name, file) => {
  const alone = await openHere(fileOf(name, file));
  expect(alone.tables.input).toMatchObject({ name: 'weight', shape: [48, 8] });
  expect(alone.tying).toMatchObject({ tied: null, evidence: 'unknown' });
  expect(alone.tying.reason).toMatch(/^The file is one table without a name/);
  const both = await openHere(fileOf(name, file), { tables: { input: 'weight', output: 'weight' } });
  expect(both.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
});

const openNmt = 'decoder.embeddings.make_embedding.emb_luts.0.weight';
test.each<[program: string, input: string, output: string]>([
  ['OpenNMT', openNmt, 'generator.0.weight'],
  ['ESM C', 'embed.weight', 'sequence_head.3.weight'],
  ['MDLM', 'backbone.vocab_embed.embedding', 'backbone.output_layer.linear.weight'],
])('the tables of %s are known by their names', async (_, input, output) => {
  const rest = { 'transformer.blocks.0.attn.out_proj.weight': matrix(8, 8), 'transformer.norm.weight': vector(8) };
  const verdict = async (start: number): Promise<unknown> =>
    (await openHere(safetensors({ [input]: table(), [output]: table(start), ...rest }))).tying.tied;
  expect([await verdict(0), await verdict(1)]).toEqual([true, false]);
});

const integers = (dtype: string, each: number, first = 0): TensorParts => {
  const made = bytes(dtype, [48, 8], each);
  return { ...made, data: Uint8Array.from(made.data, (_, i) => (i === 0 ? first : i % 7)) };
};
test.each([
  ['I8', 1],
  ['U8', 1],
  ['I32', 4],
] as const)('two tables of %s without scales are one if their bytes are', async (dtype, each) => {
  const of = (first: number): ReturnType<typeof openHere> =>
    openHere(safetensors({ 'model.embed_tokens.weight': integers(dtype, each), 'lm_head.weight': integers(dtype, each, first) })); // prettier-ignore
  expect((await of(0)).tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  const { tying, notes } = await of(1);
  expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
  expect(tying.reason).toContain(`are both stored as integers (${dtype}) without scales, with other bytes`);
  expect(notes.join(' ')).toContain(
    `has numbers stored as integers (${dtype}) without scales, which cannot be decoded`,
  );
});

test('one row is one row', async () => {
  const { tying } = await openHere(safetensors({ ...embed, 'lm_head.weight': { shape: [1, 8], data: ramp(8) } }));
  expect(tying.reason).toContain("'lm_head.weight' has 1 row for the 48 tokens");
});

test('files that this package saves are opened by other verbs', async () => {
  const mark = (text: string): Promise<unknown> => openHere(fileOf('mine', joined(utf8(text), floats([1, 2, 3]))));
  await expect(mark('tiedtrnr')).rejects.toThrow(
    'it is a saved trainer, which loadTrainer opens; expected safetensors',
  );
  await expect(mark('tied-tok')).rejects.toThrow('it is a saved tokenizer, which loadTokenizer opens; expected safetensors'); // prettier-ignore
});
