/** The folders that are written for transformers, read by our own reader. Other readers judge them in tests/web/checkpoint/hugging-face.test.ts. */
import { describe, expect, test } from 'vitest';
import { createLab, loadCore, type Tokenizer, type Trainer, type TransformersFiles } from '../../../web/index.js';
import { readSafetensors } from './safetensors-reader.js';

const core = await loadCore({ modules: ['checkpoint', 'models'] });
const text = 'New York and New Jersey, né 12. '.repeat(9);
const base = { kind: 'transformer', dModel: 16, nLayers: 2, nHeads: 2, contextLength: 8, dFeedForward: 24 } as const;
const settings = {
  gpt2: { norm: 'layer-norm', biases: 'all', dropout: 0.2, normEpsilon: 3e-5 },
  llama: {
    ...{ norm: 'rms-norm', biases: 'none', positions: 'rotary', feedForward: 'swiglu' },
    ...{ nKeyValueHeads: 1, rotaryBase: 700, normEpsilon: 3e-6 },
  },
} as const;

function trained(model: object, tokenizer: Tokenizer | null, vocabSize = tokenizer?.vocabSize ?? 11): Trainer {
  const ids = tokenizer?.encode(text) ?? Uint32Array.from({ length: 200 }, (_, i) => (i * 7 + (i % 3)) % vocabSize);
  const trainer = core.createTrainer({
    model: { ...base, vocabSize, tying: 'tied', ...model },
    training: { learningRate: 0.02, batchSize: 2, seed: 5 },
    tokenIds: ids,
    ...(tokenizer ? { tokenizer } : {}),
  });
  trainer.run(3);
  return trainer;
}
const filesOf = (files: TransformersFiles): File[] =>
  Object.entries(files).map(([name, bytes]) => new File([bytes as BlobPart], name));
const configOf = (files: TransformersFiles): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(files['config.json'])) as Record<string, unknown>;

describe('a folder for transformers', () => {
  test.each(
    (['gpt2', 'llama'] as const).flatMap((architecture) =>
      (['tied', 'untied'] as const).map((tying) => [architecture, tying] as const),
    ),
  )('has a %s model, %s, that computes the same', async (architecture, tying) => {
    const trainer = trained({ ...settings[architecture], tying }, null);
    const files = trainer.toTransformers();
    expect(Object.keys(files)).toEqual(['model.safetensors', 'config.json']);
    const checkpoint = await core.openCheckpoint(filesOf(files));
    expect(checkpoint.tying).toMatchObject({ tied: tying === 'tied', conflict: null });
    expect(checkpoint.notes).toEqual([]);
    const again = await checkpoint.toTrainer();
    const ids = Uint32Array.of(3, 1, 4, 1, 5, 9, 2);
    expect(again.logits(ids).data).toEqual(trainer.logits(ids).data);
    for (const { name } of trainer.parameters()) expect(again.matrix(name).data).toEqual(trainer.matrix(name).data);
  });

  test('has the names and shapes of transformers', () => {
    const shapes = (architecture: keyof typeof settings): Record<string, number[]> => {
      const { tensors, metadata } = readSafetensors(
        trained({ ...settings[architecture], tying: 'untied' }, null).toTransformers()['model.safetensors'],
      );
      expect(metadata).toEqual({ format: 'pt' });
      return Object.fromEntries([...tensors].map(([name, { shape }]) => [name, shape]));
    };
    const gpt2 = shapes('gpt2');
    expect(gpt2).toMatchObject({
      'transformer.wte.weight': [11, 16],
      'transformer.wpe.weight': [8, 16],
      'transformer.h.1.attn.c_attn.weight': [16, 48],
      'transformer.h.1.attn.c_attn.bias': [48],
      'transformer.h.0.mlp.c_fc.weight': [16, 24],
      'transformer.h.0.mlp.c_proj.weight': [24, 16],
      'transformer.ln_f.bias': [16],
      'lm_head.weight': [11, 16],
    });
    expect(Object.keys(gpt2)).toHaveLength(2 + 2 * 12 + 2 + 1);
    const llama = shapes('llama');
    expect(llama).toMatchObject({
      'model.embed_tokens.weight': [11, 16],
      'model.layers.1.self_attn.q_proj.weight': [16, 16],
      'model.layers.1.self_attn.k_proj.weight': [8, 16],
      'model.layers.0.mlp.down_proj.weight': [16, 24],
      'model.norm.weight': [16],
    });
    expect(Object.keys(llama)).toHaveLength(1 + 2 * 9 + 1 + 1);
  });

  test('has the fields of GPT2Config and LlamaConfig that differ from their defaults', () => {
    const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 270 });
    expect(configOf(trained({ ...settings.gpt2, tying: 'untied' }, tokenizer).toTransformers())).toEqual({
      ...{ architectures: ['GPT2LMHeadModel'], model_type: 'gpt2', vocab_size: 270, n_positions: 8, n_embd: 16 },
      ...{ n_layer: 2, n_head: 2, n_inner: 24, activation_function: 'gelu_new', layer_norm_epsilon: 3e-5 },
      ...{ resid_pdrop: 0.2, embd_pdrop: 0.2, attn_pdrop: 0.2, bos_token_id: null, eos_token_id: null },
      ...{ tie_word_embeddings: false, torch_dtype: 'float32', tokenizer_class: 'PreTrainedTokenizerFast' },
    });
    expect(configOf(trained(settings.llama, tokenizer).toTransformers())).toEqual({
      ...{ architectures: ['LlamaForCausalLM'], model_type: 'llama', vocab_size: 270, hidden_size: 16 },
      ...{ intermediate_size: 24, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 1, head_dim: 8 },
      ...{ hidden_act: 'silu', max_position_embeddings: 8, rms_norm_eps: 3e-6, rope_theta: 700 },
      ...{ attention_bias: false, mlp_bias: false, bos_token_id: null, eos_token_id: null },
      ...{ tie_word_embeddings: true, torch_dtype: 'float32', tokenizer_class: 'PreTrainedTokenizerFast' },
    });
  });

  test('says how the tables are now, if the tying has changed', () => {
    const files = trained({ ...settings.gpt2, tying: { untieAtStep: 2 } }, null).toTransformers();
    expect(configOf(files)['tie_word_embeddings']).toBe(false);
    expect(readSafetensors(files['model.safetensors']).tensors.has('lm_head.weight')).toBe(true);
  });

  test.each([{ kind: 'word' }, { kind: 'character' }, { kind: 'bpe', vocabSize: 270 }] as const)(
    'opens again with its tokenizer, %o',
    async (options) => {
      const tokenizer = core.trainTokenizer(text, options);
      const trainer = trained(settings.gpt2, tokenizer);
      const files = trainer.toTransformers();
      expect('tokenizer.json' in files).toBe(options.kind !== 'word');
      const again = await (await core.openCheckpoint(filesOf(files))).toTrainer();
      const continued = { prompt: 'New', tokens: 5, seed: 3 };
      expect(again.generate(continued)).toEqual(trainer.generate(continued));
    },
  );

  test('is refused for other architectures', () => {
    const trainer = trained({ norm: 'layer-norm', biases: 'none' }, null);
    expect(() => trainer.toTransformers()).toThrow(
      /^the model has kind 'transformer', tying 'tied', norm 'layer-norm', biases 'none', .*; expected GPT-2's architecture/,
    );
    const path = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, seed: 1 },
      bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2, 0), 3).counts,
    });
    expect(() => path.toTransformers()).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });

  test('is the same from a lab', async () => {
    const lab = await createLab();
    const trainer = trained(settings.llama, core.trainTokenizer(text, { kind: 'character' }));
    const remote = await lab.loadTrainer(trainer.save());
    const fractions: number[] = [];
    expect(await remote.toTransformers({ onProgress: (fraction) => fractions.push(fraction) })).toEqual(
      trainer.toTransformers(),
    );
    expect(fractions.at(-1)).toBe(1);
    lab.dispose();
  });
});
