/** Which tensors are the tables, by the names of every family; what is refused, and what the caller may choose. */
import { describe, expect, test } from 'vitest';
import { TiedError } from '../../../web/core/runtime/errors.js';
import { BytesSource } from '../../../web/core/checkpoint/bytes/memory-source.js';
import { findTables, nothingNamed } from '../../../web/core/checkpoint/tables/tables.js';
import type { StoredTensor, TensorDirectory } from '../../../web/core/checkpoint/tensors.js';

const source = new BytesSource(new Uint8Array(), 'model.safetensors');
const V = 50;
const D = 8;

/** Tensors of these shapes, by default [V, D]. */
function directory(
  shapes: Readonly<Record<string, readonly number[] | string>>,
  metadata: Record<string, string> = {},
): TensorDirectory {
  const tensors = new Map<string, StoredTensor>(
    Object.entries(shapes).map(([name, of], at) => {
      const shape = typeof of === 'string' ? [V, D] : of;
      return [
        name,
        { name, shape, dtype: typeof of === 'string' ? of : 'F32', bytes: 4 * V * D, source, from: 4 * V * D * at },
      ];
    }),
  );
  const none = { values: new Map(), tokens: null, notes: [] };
  return { ...none, format: 'safetensors', tensors, metadata: new Map(Object.entries(metadata)) };
}

const found = (names: readonly string[], more: Record<string, readonly number[] | string> = {}) => {
  const { input, output } = findTables(
    directory({ ...Object.fromEntries(names.map((name) => [name, [V, D]])), ...more }),
  );
  return [input?.name ?? null, output?.name ?? null];
};

describe('families', () => {
  test.each<[string, string, string | null]>([
    ['Llama, Mistral, Qwen, Gemma, OLMo 2, SmolLM', 'model.embed_tokens.weight', 'lm_head.weight'],
    ['Llama original', 'tok_embeddings.weight', 'output.weight'],
    ['InternLM2', 'model.tok_embeddings.weight', 'output.weight'],
    ['Gemma 3 multimodal', 'language_model.model.embed_tokens.weight', null],
    ['Llama 4', 'language_model.model.embed_tokens.weight', 'language_model.lm_head.weight'],
    ['Qwen-VL', 'model.language_model.embed_tokens.weight', 'lm_head.weight'],
    ['GPT-2 on the Hub', 'wte.weight', null],
    ['GPT-2 exported', 'transformer.wte.weight', 'lm_head.weight'],
    ['Falcon', 'transformer.word_embeddings.weight', 'lm_head.weight'],
    ['GPT-NeoX, Pythia', 'gpt_neox.embed_in.weight', 'embed_out.weight'],
    ['OPT', 'model.decoder.embed_tokens.weight', null],
    ['OPT on the Hub', 'decoder.embed_tokens.weight', 'lm_head.weight'],
    ['BLOOM', 'word_embeddings.weight', null],
    ['old Phi', 'transformer.embd.wte.weight', 'lm_head.linear.weight'],
    ['OLMo 1', 'model.transformer.wte.weight', 'model.transformer.ff_out.weight'],
    ['T5 v1.1', 'shared.weight', 'lm_head.weight'],
    ['Mamba', 'backbone.embeddings.weight', null],
    ['Mamba of its authors', 'backbone.embedding.weight', 'lm_head.weight'],
    ['RWKV', 'emb.weight', 'head.weight'],
    ['RWKV on the Hub', 'rwkv.embeddings.weight', 'head.weight'],
    ['ChatGLM', 'transformer.embedding.word_embeddings.weight', 'transformer.output_layer.weight'],
    ['Grok', 'transformer.in_out_embed.weight', null],
    ['BERT', 'bert.embeddings.word_embeddings.weight', 'cls.predictions.decoder.weight'],
    ['GGUF', 'token_embd.weight', 'output.weight'],
    ['our own', 'embedding', 'unembedding'],
    ['StripedHyena', 'backbone.embedding_layer.weight', 'backbone.unembed.weight'],
    ['models of one layer that is repeated', 'model.inner.embed_tokens.embedding_weight', 'model.inner.lm_head.weight'],
    ['MaxText', 'params.token_embedder.embedding', 'params.decoder.logits_dense.kernel'],
    ['Keras', 'token_embedding/embeddings', 'token_embedding/reverse_embeddings'],
    ['PyTorch’s transformer', 'input_emb.weight', 'decoder.weight'],
    ['PyTorch’s recurrent models', 'encoder.weight', 'decoder.weight'],
    ['the same in a module', 'model.encoder.weight', 'model.decoder.weight'],
    ['fast.ai', '0.encoder.weight', '1.decoder.weight'],
    ['OpenNMT-py', 'model.decoder.embeddings.make_embedding.emb_luts.0.weight', 'generator.0.weight'],
    ['Marian', 'Wemb', 'decoder_ff_logit_out_Wt'],
    ['Marian with two vocabularies', 'decoder_Wemb', 'decoder_ff_logit_out_W'],
  ])('%s: %s and %s', (_, input, output) => {
    expect(found(output === null ? [input] : [input, output], { 'model.layers.0.mlp.weight': [4 * D, D] })).toEqual([
      input,
      output,
    ]);
  });

  test('the annotated transformer reads with two tables, and the decoder’s is the one', () => {
    const names = ['src_embed.0.lut.weight', 'tgt_embed.0.lut.weight', 'generator.proj.weight'];
    expect(found(names, { 'decoder.layers.0.src_attn.linears.0.weight': [D, D] })).toEqual(names.slice(1));
  });

  test.each([
    ['a recurrent model', 'embed.weight', 'fc.weight'],
    ['the same, compiled', '_orig_mod.model.char_emb.weight', '_orig_mod.model.linear.weight'],
    ['a known input', 'embedding.weight', 'final_layer.weight'],
    ['a known output', 'word_embed.weight', 'output.weight'],
    ['a head in a sequence', 'token_embedding.weight', 'head.1.weight'],
    ['a module of tables', 'embedding.token.weight', 'logits.weight'],
    ['word2vec', 'u_embeddings.weight', 'v_embeddings.weight'],
    ['word2vec in other words', 'target_embeddings.weight', 'context_embeddings.weight'],
    ['a decoder', 'dec.embedding.weight', 'dec.out.weight'],
  ])('%s, with names that mean tables only together: %s and %s', (_, input, output) => {
    const gates = { 'lstm.weight_ih_l0': [4 * D, D], 'lstm.weight_hh_l0': [4 * D, D] };
    expect(found([input, output], gates)).toEqual([input, output]);
    expect(found([output, input], gates)).toEqual([input, output]);
  });

  test.each<[string, Record<string, readonly number[] | string>]>([
    ['a third matrix has their shape', { 'fc.weight': [V, D], 'other.weight': [V, D] }],
    ['another one leads back, as in a feed-forward part', { 'fc.weight': [V, D], 'down.weight': [D, V] }],
    ['there are two that could write', { 'fc.weight': [V, D], 'linear.weight': [V, D] }],
    ['the second has another shape', { 'fc.weight': [V, 2 * D] }],
    ['the second is turned', { 'fc.weight': [D, V] }],
    ['the second is in a module of an unknown kind', { 'critic.fc.weight': [V, D] }],
    ['the second is in a layer', { 'blocks.0.fc.weight': [V, D] }],
    ['the second has integers', { 'fc.weight': 'I8' }],
    ['the second stands for positions', { 'pos.fc.weight': [V, D] }],
  ])('one table if %s', (_, more) => {
    expect(found(['embedding.weight'], more)).toEqual(['embedding.weight', null]);
  });

  test('one table if it has the name of a published program, whose other table has one, too', () => {
    expect(found(['model.embed_tokens.weight', 'fc.weight'])).toEqual(['model.embed_tokens.weight', null]);
    expect(found(['word_embed.weight', 'lm_head.weight'])).toEqual([null, 'lm_head.weight']);
  });

  test('none if both are as long as wide, or neither is longer', () => {
    expect(() => found([], { 'char_emb.weight': [D, D], 'fc.weight': [D, D] })).toThrow('no tensor has a known name');
    expect(() => found([], { 'char_emb.weight': [D, V], 'fc.weight': [D, V] })).toThrow('no tensor has a known name');
  });

  test('the encoder’s own table is no third one', () => {
    const encoder = { 'en.embedding.weight': [V, D], 'src_embedding.weight': [V, D] };
    expect(found(['de.embedding.weight', 'de.out.weight'], encoder)).toEqual(['de.embedding.weight', 'de.out.weight']);
  });

  test('an encoder and a decoder of something else than tokens are no tables', () => {
    const pair = { 'encoder.weight': [V, D], 'decoder.weight': [V, D] };
    expect(findTables(directory({ ...pair, 'encoder.bias': [V] })).input).toBeNull();
    expect(findTables(directory({ 'encoder.weight': [D, V], 'decoder.weight': [V, D] })).input).toBeNull();
    expect(findTables(directory({ 'encoder.weight': [D, D], 'decoder.weight': [D, D] })).input).toBeNull();
  });

  test('copies in T5, in layers that predict further tokens, and per-layer tables are not the tables', () => {
    expect(found(['shared.weight', 'encoder.embed_tokens.weight', 'decoder.embed_tokens.weight'])).toEqual([
      'shared.weight',
      null,
    ]);
    const copies = ['model.layers.61.embed_tokens.weight', 'model.layers.61.shared_head.head.weight'];
    expect(found(['model.embed_tokens.weight', 'lm_head.weight', ...copies])).toEqual([
      'model.embed_tokens.weight',
      'lm_head.weight',
    ]);
    const perLayer = { 'model.language_model.embed_tokens_per_layer.weight': [V, 30 * D] };
    expect(found(['model.language_model.embed_tokens.weight'], perLayer)).toEqual([
      'model.language_model.embed_tokens.weight',
      null,
    ]);
    const vision = {
      'vision_tower.vision_model.embeddings.position_embedding.weight': [V, D],
      'model.visual.embed_tokens.weight': [V, D],
    };
    expect(found(['model.embed_tokens.weight'], vision)).toEqual(['model.embed_tokens.weight', null]);
  });

  test('positions and biases are not tables', () => {
    expect(found(['wte.weight'], { 'wpe.weight': [V, D], 'lm_head.bias': [V] })).toEqual(['wte.weight', null]);
  });

  test('the input table may have been left out by the writer', () => {
    expect(found(['lm_head.weight'])).toEqual([null, 'lm_head.weight']);
  });
});

const refused = (of: TensorDirectory, wanted = {}): unknown => {
  try {
    findTables(of, wanted);
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
};

describe('the tables are refused if', () => {
  test('no tensor has a known name, and the largest matrices are listed', () => {
    const error = refused(directory({ a: [90, 3], 'b.c': [9, 3], d: [4] }));
    expect(error).toMatchObject({
      code: 'bad-file',
      message:
        "model.safetensors: no tensor has a known name of a table of tokens; the largest matrices are 'a', 'b.c'; expected tables: { input, output } with their names",
    });
  });

  test('no tensor has a known name, and two are one storage, which is said', () => {
    const { tensors, ...more } = directory({ a: [90, 3], '0.weight': [V, D], '1.weight': [V, D] });
    const shared = { ...tensors.get('1.weight')!, from: tensors.get('0.weight')!.from };
    const which = "'0.weight' and '1.weight' are two names of one storage";
    expect(refused({ ...more, tensors: new Map([...tensors, ['1.weight', shared]]) })).toMatchObject({
      message: `model.safetensors: no tensor has a known name of a table of tokens; ${which}; expected tables: { input, output } with their names`,
    });
  });

  test('no tensor has a known name, and those that read like one are offered first', () => {
    const shapes = { 'lstm.w_hh': [90, 30], dec_emb: [9, 3], fc: [9, 3], enc_emb: [20, 3] };
    const error = refused(directory(shapes)) as TiedError;
    expect(error.message).toContain("; it may be among 'dec_emb', 'enc_emb'; expected");
    expect(error.details.tables!.map(({ name }) => name)).toEqual([...['dec_emb', 'enc_emb'], ...['lstm.w_hh', 'fc']]);
  });

  test('there is a choice, with the likely ones listed first', () => {
    const tables = { 'a.embed_tokens.weight': [V, D], 'b.embed_tokens.weight': [V, D], other: [9 * V, D], bias: [V] };
    const { details } = refused(directory(tables)) as TiedError;
    expect(details.tables!.map(({ name }) => name)).toEqual([
      'a.embed_tokens.weight',
      'b.embed_tokens.weight',
      'other',
    ]);
    expect(details.tables![0]).toMatchObject({ shape: [V, D], dtype: 'F32', bytes: 4 * V * D });
    expect((nothingNamed('index', ['x', 'wte2']) as TiedError).details).toEqual({
      tables: [{ name: 'wte2', shape: null, dtype: null, bytes: null }],
    });
    expect(new TiedError('bad-file', 'x').details).toEqual({});
  });

  test('several tensors may be the input table', () => {
    expect(refused(directory({ 'a.embed_tokens.weight': [V, D], 'b.embed_tokens.weight': [V, D] }))).toMatchObject({
      message:
        "model.safetensors: several tensors may be the input table: 'a.embed_tokens.weight', 'b.embed_tokens.weight'; expected tables: { input } with one of them",
    });
  });

  test.each([
    ['lm_head.qweight', 'packed by GPTQ or AWQ'],
    ['lm_head.weight.absmax', 'packed by bitsandbytes'],
    ['lm_head.weight_scale_inv', 'stored with scales of its own'],
    ['lm_head.weight_scale_2', 'stored with scales of its own'],
    ['lm_head.input_scale', 'stored with scales of its own'],
    ['lm_head.weight_zero_point', 'stored with scales of its own'],
    ['lm_head.scales', 'packed by MLX, GPTQ or AWQ'],
    ['lm_head.trellis', 'packed by EXL3'],
    ['lm_head.q_weight', 'packed by EXL2'],
    ['lm_head.W_q', 'packed by HQQ'],
    ['lm_head.weight._data', 'packed by Quanto'],
    ['lm_head.codes', 'packed by AQLM'],
    ['lm_head.packed_bits', 'packed in a way that is not known here'],
  ])('a table with %s is packed, and cannot be read', (name, what) => {
    const weight: Record<string, string> = name === 'lm_head.packed_bits' ? {} : { 'lm_head.weight': 'U32' };
    const parts = { ...weight, [name]: name === 'lm_head.packed_bits' ? 'U8' : [V, 1] };
    const { input, output, unread } = findTables(directory({ 'model.embed_tokens.weight': [V, D], ...parts }));
    expect([input!.name, output, unread]).toEqual([
      'model.embed_tokens.weight',
      null,
      { stem: 'lm_head', packed: what, rows: null },
    ]);
    // Alone, it is a table that is made up of these.
    const alone = findTables(directory(parts));
    expect([alone.input, alone.unread]).toEqual([null, null]);
    expect(alone.output).toMatchObject({ name: 'lm_head', dtype: what });
    expect([...alone.output!.parts!.values()].map((part) => part.name)).toEqual(Object.keys(parts));
  });
});

describe('the caller chooses', () => {
  const file = directory({ dec_emb: [V, D], fc_w: [V, D], enc_emb: [9, D], line: [V] });
  test('both tables, or one for both roles', () => {
    expect(findTables(file, { input: 'dec_emb', output: 'fc_w' })).toMatchObject({
      input: { name: 'dec_emb' },
      output: { name: 'fc_w' },
      same: false,
    });
    expect(findTables(file, { input: 'dec_emb', output: 'dec_emb' })).toMatchObject({
      input: { name: 'dec_emb' },
      output: null,
      same: true,
    });
  });

  test('only existing matrices, and other names are refused', () => {
    expect(refused(file, { input: 'dec_em', output: 'fc_w' })).toMatchObject({
      code: 'invalid-argument',
      message: "options.tables.input is 'dec_em'; expected a tensor of the file; did you mean 'dec_emb'?",
    });
    expect(refused(file, { input: 'line' })).toMatchObject({ code: 'shape-mismatch' });
  });
});
