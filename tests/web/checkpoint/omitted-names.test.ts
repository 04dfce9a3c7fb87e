/** Encoder-decoders of which a file has fewer names than tables: what writers of safetensors leave out, and what nobody says. */
import { expect, test } from 'vitest';
import { safetensors, type TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { D, matrix, table } from './verdict-files.js';

const layers: Record<string, TensorParts> = {
  'model.encoder.layers.0.fc1.weight': matrix(D, D),
  'model.decoder.layers.0.fc1.weight': matrix(D, D),
  'model.decoder.layer_norm.weight': { shape: [D], data: matrix(1, D).data },
};
const [ENCODER, DECODER] = ['model.encoder.embed_tokens.weight', 'model.decoder.embed_tokens.weight'];

async function tyingOf(tables: Record<string, number>, metadata: Record<string, string> = {}, type?: string) {
  const own = Object.fromEntries(Object.entries(tables).map(([name, seed]) => [name, table(seed)]));
  const file = safetensors({ ...own, ...layers }, { format: 'pt', ...metadata });
  if (type === undefined) return (await openHere(file)).tying;
  const config = JSON.stringify({ model_type: type, is_encoder_decoder: true });
  const files = [new File([file], 'model.safetensors'), new File([config], 'config.json')];
  return (await openHere(files)).tying;
}

test('a decoder that reads the output table, under the output’s name alone, is tied', async () => {
  const tying = await tyingOf({ [ENCODER]: 1, 'lm_head.weight': 2 }, { [DECODER]: 'lm_head.weight' });
  expect([tying.tied, tying.evidence]).toEqual([true, 'alias']);
});

test('an encoder’s table and an output, with nothing of what the decoder reads, are not known', async () => {
  const tying = await tyingOf({ [ENCODER]: 1, 'lm_head.weight': 2 });
  expect([tying.tied, tying.evidence, tying.candidates]).toEqual([null, 'unknown', ['lm_head.weight']]);
  expect(tying.reason).toBe(
    `The file has no input table of the decoder, which may share '${ENCODER}' or 'lm_head.weight'; naming both with tables: { input, output } settles it.`,
  );
});

test('a family whose decoder always reads the encoder’s table has two that differ', async () => {
  const tying = await tyingOf({ [ENCODER]: 1, 'lm_head.weight': 2 }, {}, 'mbart');
  expect([tying.tied, tying.evidence]).toEqual([false, 'different']);
});

test('an output that is the encoder’s table is compared with the decoder’s own', async () => {
  const alias = { 'lm_head.weight': ENCODER };
  const apart = await tyingOf({ [ENCODER]: 1, [DECODER]: 2 }, alias);
  expect([apart.tied, apart.evidence]).toEqual([false, 'different']);
  const equal = await tyingOf({ [ENCODER]: 1, [DECODER]: 1 }, alias);
  expect([equal.tied, equal.evidence]).toEqual([true, 'equal-bytes']);
});

test('an output that is an input table too, beside another input, is not known', async () => {
  const tying = await tyingOf(
    { [DECODER]: 1, 'lm_head.weight': 2 },
    { 'model.tok_embeddings.weight': 'lm_head.weight' },
  );
  expect([tying.tied, tying.evidence]).toEqual([null, 'unknown']);
  expect(tying.reason).toMatch(/lists 'lm_head\.weight' as 'model\.tok_embeddings\.weight' too/);
});
