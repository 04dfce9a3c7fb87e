/** Parts of a direct path other than two tables and a norm: the card says what it leaves out. */
import { expect, test } from 'vitest';
import { leftOut, type LeftOut, type SaidOfModel } from '../../../web/core/checkpoint/card/left-out.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { loadCore } from '../../../web/index.js';
import { fileOf, floats, safetensors, utf8 } from './checkpoint-files.js';

const source = new BytesSource(new Uint8Array());
const leftOutOf = (names: readonly string[], more: Partial<SaidOfModel> = {}): LeftOut =>
  leftOut({
    tensors: new Map(names.map((name) => [name, { name, shape: [4], dtype: 'F32', bytes: 16, source, from: 0 }])),
    outputName: 'lm_head.weight',
    configuration: null,
    values: new Map(),
    ...more,
  });
const notesOf = (names: readonly string[], more: Partial<SaidOfModel> = {}): readonly string[] =>
  leftOutOf(names, more).notes;

test.each([
  ['RWKV', 'blocks.0.ln0.weight'],
  ['RWKV on the Hub', 'rwkv.blocks.0.pre_ln.weight'],
  ['BLOOM', 'transformer.word_embeddings_layernorm.weight'],
  ['BLOOM and RWKV in GGUF', 'token_embd_norm.weight'],
  ['OPT-350M', 'model.decoder.project_in.weight'],
  ['BERT', 'bert.embeddings.LayerNorm.weight'],
])('%s: %s is named', (_, name) => {
  expect(notesOf(['wte.weight', name])).toEqual([
    `The model also has '${name}' in its direct path, but only W_E W_Uᵀ is measured.`,
  ]);
});

test.each([
  ['Phi', 'lm_head.bias'],
  ['BERT', 'cls.predictions.bias'],
  ['BERT', 'cls.predictions.transform.dense.weight'],
  ['RoBERTa', 'lm_head.layer_norm.weight'],
  ['ModernBERT', 'decoder.bias'],
  ['ModernBERT', 'head.norm.weight'],
  ['BART and Marian', 'final_logits_bias'],
  ['OPT-350M', 'model.decoder.project_out.weight'],
  ['a model of this package', 'output_bias'],
])('%s: %s is a part of the output, and breaks the symmetry', (_, name) => {
  expect(leftOutOf(['lm_head.weight', name])).toMatchObject({
    output: [name],
    notes: [
      `The output also has '${name}', which W_E W_Uᵀ leaves out: with it, the model's scores need not be symmetric, even with one table.`,
    ],
  });
});

test('tensors inside layers or for other matrices are not part of it', () => {
  const names = [
    'blocks.0.ln1.weight',
    'h.0.ln_1.weight',
    'model.layers.0.project_in.weight',
    'fc.bias',
    'ln_out.weight',
  ];
  expect(notesOf(names)).toEqual([]);
});

test.each<[string, Record<string, unknown>, string]>([
  [
    'Granite',
    { model_type: 'granite', embedding_multiplier: 12, logits_scaling: 8 },
    'embedding_multiplier 12, logits_scaling 8',
  ],
  ['Cohere', { logit_scale: 0.0625 }, 'logit_scale 0.0625'],
  ['MiniCPM', { scale_emb: 12, dim_model_base: 256 }, 'scale_emb 12, dim_model_base 256'],
  ['Gemma 2', { model_type: 'gemma2', final_logit_softcapping: 30 }, 'rows times √d, final_logit_softcapping 30'],
  ['T5', { model_type: 't5' }, 'logits over √d'],
  ['a model that also reads pictures', { text_config: { logit_scale: 2 } }, 'logit_scale 2'],
])('%s: its scales are named', (_, config, scales) => {
  expect(notesOf([], { configuration: new Map(Object.entries(config)) })).toEqual([
    `The model also scales its direct path (${scales}), which is left out, also in the loss on a text.`,
  ]);
});

test('settings without an effect are not named', () => {
  const config = {
    logit_scale: 1,
    scale_emb: 1,
    final_logit_softcapping: null,
    model_type: 't5',
    tie_word_embeddings: false,
  };
  expect(notesOf([], { configuration: new Map(Object.entries(config)) })).toEqual([]);
});

test('keys of GGUF belong to its architecture', () => {
  const values = new Map<string, string | number>([
    ['general.architecture', 'command-r'],
    ['command-r.logit_scale', 0.5],
    ['other.logit_scale', 3],
  ]);
  expect(notesOf([], { values })).toEqual([expect.stringContaining('(logit_scale 0.5)')]);
});

test('the card reports it, and that Gemma stores the weight of its norm minus 1', async () => {
  const core = await loadCore({ modules: ['checkpoint'] });
  const table = { shape: [8, 4], data: floats(Array.from({ length: 32 }, (_, i) => Math.sin(i + 1))) };
  const norm = { shape: [4], data: floats([1, 2, 3, 4]) };
  const model = fileOf(
    'model.safetensors',
    safetensors({
      'model.embed_tokens.weight': table,
      'model.layers.0.self_attn.o_proj.weight': table,
      'model.norm.weight': norm,
    }),
  );
  const config = fileOf('config.json', utf8(JSON.stringify({ model_type: 'gemma2', final_logit_softcapping: 30 })));
  const notes = async (files: File[]): Promise<string[]> =>
    (await (await core.openCheckpoint(files)).identityCard()).data.notes;
  expect(await notes([model])).toEqual([]);
  expect(await notes([model, config])).toEqual([
    expect.stringContaining('final_logit_softcapping 30'),
    expect.stringContaining('minus 1'),
  ]);
});
