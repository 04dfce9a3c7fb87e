/** Which tables of an encoder-decoder are one, for each two of its three roles. */
import { expect, test } from 'vitest';
import { rolesInWords } from '../../../web/core/checkpoint/tying/roles-in-words.js';
import { safetensors, type TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { D, matrix, table, V } from './verdict-files.js';

const layers = {
  'model.encoder.layers.0.fc1.weight': matrix(D, D),
  'model.decoder.layers.0.fc1.weight': matrix(D, D),
  'model.decoder.layer_norm.weight': { shape: [D], data: matrix(1, D).data },
};

/** Whether the inputs are one table, the encoder's input and the output, the decoder's input and the output. */
async function rolesOf(tensors: Record<string, TensorParts>) {
  const { tying } = await openHere(safetensors({ ...tensors, ...layers }));
  return { tied: tying.tied, roles: tying.roles, pairs: tying.roles?.pairs.map(({ tied }) => tied) ?? null };
}

test('one shared table for all three', async () => {
  const { tied, roles, pairs } = await rolesOf({ 'model.shared.weight': table(), final_logits_bias: matrix(1, V) });
  expect([tied, pairs]).toEqual([true, [true, true, true]]);
  expect(roles!.tensors).toEqual({
    ...{ shared: 'model.shared.weight', 'encoder-input': null, 'decoder-input': null, output: null },
  });
});

test('a shared input table and another output table, as in T5 1.1', async () => {
  const { tied, roles, pairs } = await rolesOf({ 'model.shared.weight': table(), 'lm_head.weight': table(1) });
  expect([tied, pairs]).toEqual([false, [true, false, false]]);
  expect(roles!.tensors.output).toBe('lm_head.weight');
  expect(rolesInWords(roles!)).toBe(
    'The encoder’s input and the decoder’s input: one table; the encoder’s input and the output: two tables; the decoder’s input and the output: two tables.',
  );
});

test('two vocabularies, of which the decoder’s is tied, as in Marian', async () => {
  const tensors = { 'model.encoder.embed_tokens.weight': table(), 'model.decoder.embed_tokens.weight': table(1) };
  const { tied, pairs } = await rolesOf({ ...tensors, 'lm_head.weight': table(1) });
  expect([tied, pairs]).toEqual([true, [false, false, true]]);
  // The head may be left out.
  expect((await rolesOf(tensors)).pairs).toEqual([false, false, true]);
});

test('three tables', async () => {
  const tensors = { 'model.encoder.embed_tokens.weight': table(), 'model.decoder.embed_tokens.weight': table(1) };
  expect(await rolesOf({ ...tensors, 'lm_head.weight': table(2) })).toMatchObject({
    tied: false,
    pairs: [false, false, false],
  });
});

test('copies of a shared table that are stored, and differ, are what their role reads', async () => {
  const copies = { 'model.encoder.embed_tokens.weight': table(), 'model.decoder.embed_tokens.weight': table(2) };
  const { pairs } = await rolesOf({ 'model.shared.weight': table(), ...copies, 'lm_head.weight': table(1) });
  expect(pairs).toEqual([false, false, false]);
});

test('a decoder that reads from a copy unlike the shared table leaves the verdict open', async () => {
  const copies = { 'model.shared.weight': table(), 'model.decoder.embed_tokens.weight': table(2) };
  const ofCopy = await rolesOf({ ...copies, 'lm_head.weight': table(2) });
  expect([ofCopy.tied, ofCopy.pairs]).toEqual([null, [false, false, true]]);
  expect((await rolesOf(copies)).tied).toBeNull();
});

test('an encoder of sound has no input table, and no pair', async () => {
  const { tied, roles, pairs } = await rolesOf({
    'model.decoder.embed_tokens.weight': table(),
    'model.encoder.conv1.weight': { shape: [D, 4, 3], data: matrix(D, 12).data },
  });
  expect([tied, pairs, roles!.tensors['encoder-input']]).toEqual([true, [true], null]);
  expect(rolesInWords(roles!)).toBe('The encoder reads no tokens. The decoder’s input and the output: one table.');
});

test('a decoder alone has no such roles', async () => {
  const { tying } = await openHere(
    safetensors({
      'model.decoder.embed_tokens.weight': table(),
      'model.decoder.layers.0.fc1.weight': matrix(D, D),
      'model.decoder.layer_norm.weight': layers['model.decoder.layer_norm.weight'],
    }),
  );
  expect(tying).toMatchObject({ tied: true, roles: null });
});
