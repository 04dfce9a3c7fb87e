/** Files of two tables that leave their tying open. */
import { fileOf, floats, gguf, safetensors, utf8 } from './checkpoint-files.js';
import {
  bert,
  block,
  bytes,
  changed,
  D,
  embed,
  empty,
  half,
  halves,
  head,
  llama,
  matrix,
  one,
  packedIn,
  table,
  thirds,
  transposed,
  turned,
  V,
  type VerdictCase,
} from './verdict-files.js';

const numbers = (last: number): number[] => Array.from({ length: 32 }, (_, i) => (i === 31 ? last : 4 * i - 60));

export const TWO_OPEN: Readonly<Record<string, readonly VerdictCase[]>> = {
  'two tables for different numbers of tokens, equal for all that both have': [
    {
      ...one({ ...embed, 'lm_head.weight': matrix(V + 8, D) }),
      says: ["For the first 48 tokens, 'model.embed_tokens.weight' and 'lm_head.weight' are equal, and 'lm_head"],
    },
    {
      ...one({ 'model.embed_tokens.weight': matrix(V + 1, D), 'lm_head.weight': half(table()) }),
      says: ["'model.embed_tokens.weight' has 1 token more, so it may be the same table, padded or resized"],
    },
    // The first token of the input is none of the output's.
    {
      ...one({ 'model.embed_tokens.weight': matrix(V + 1, D), 'lm_head.weight': table(D / 4) }),
      says: ['For the last 48 tokens'],
    },
    one({ 'model.embed_tokens.weight': matrix(V - 3, D), 'lm_head.kernel': turned() }),
  ],
  'two tables whose rows have other names': [
    {
      source: [fileOf('a.csv', utf8('cat,1,2\ndog,3,4\n')), fileOf('b.csv', utf8('dog,3,4\ncow,1,2\n'))],
      options: { tables: { input: 'a.csv', output: 'b.csv' } },
      says: ['1 name is in both, once in each, whose rows are equal'],
    },
  ],
  'two tables as long as wide, equal only if one of them is turned': [
    {
      ...one({ 'model.embed_tokens.weight': matrix(D, D), 'lm_head.weight': transposed(matrix(D, D)) }),
      says: ['only if it has a column for each token, and a matrix of its name has a row for each'],
    },
    {
      ...one({ 'embed.W_E': matrix(D, D), 'unembed.W_U': matrix(D, D) }),
      says: ['only if it has a row for each token, and a matrix of its name has a column for each'],
    },
    {
      ...one({ wte: matrix(D, D), lm_head: transposed(matrix(D, D)) }),
      says: ['only if it has a column for each token, and its name does not say whether it does'],
    },
  ],
  'two tables, of which one is a multiple of the other': [
    {
      ...one({ ...embed, 'lm_head.weight': changed(table(), (x) => 11.3125 * x) }),
      says: ["'lm_head.weight' is 'model.embed_tokens.weight' times 11.31, up to rounding"],
    },
    { ...one({ ...embed, 'lm_head.weight': changed(table(), (x) => -0.7 * x) }), says: ['times -0.7'] },
  ],
  'two tables whose types blur nearly all of their numbers': [
    {
      // A quarter of the least number of 8 bits, and then zero.
      ...one({
        'model.embed_tokens.weight': changed(table(), (_, i) => 2 ** -11 * Math.sin(i)),
        'lm_head.weight': { shape: [V, D], dtype: 'F8_E4M3', data: new Uint8Array(V * D) },
      }),
      says: ['could be one table up to rounding, but so could others'],
    },
    // Nothing but zeros, of other signs: tiny numbers of two tables, perhaps.
    one({
      'model.embed_tokens.weight': { shape: [V, D], dtype: 'F16', data: new Uint8Array(2 * V * D) },
      'lm_head.weight': {
        ...{ shape: [V, D], dtype: 'F16' },
        data: Uint8Array.from({ length: 2 * V * D }, (_, i) => (i % 4 === 1 ? 0x80 : 0)),
      },
    }),
  ],
  'two tables of few bits, beside tensors that may scale them': ['scale', 'scale_weight', 'weight.scale'].map(
    (name) => ({
      ...one({
        'model.embed_tokens.weight': bytes('F8_E4M3', [V, D], 1),
        [`model.embed_tokens.${name}`]: matrix(1, 1, 1),
        'lm_head.weight': bytes('F8_E4M3', [V, D], 1),
        [`lm_head.${name}`]: matrix(1, 1, 2),
      }),
      says: [`'model.embed_tokens.${name}' may scale its table`],
    }),
  ),
  'an output table for far fewer or far more tokens than the input table': [
    {
      ...one({ 'bert.embeddings.word_embeddings.weight': table(), 'output_layer.weight': matrix(9, D), ...bert }),
      candidates: ['output_layer.weight'],
      says: ['has 9 rows for the 48 tokens of'],
    },
    {
      ...one({ ...embed, ...llama(), 'lm_head.weight': matrix(V / 2 - 1, D) }),
      candidates: ['lm_head.weight'],
      says: ['predict something other than tokens'],
    },
    // A model for time series.
    {
      ...one({ 'shared.weight': matrix(2, D), 'output_layer.weight': matrix(16, D), ...llama() }),
      candidates: ['output_layer.weight'],
    },
  ],
  'a table without elements': [
    { ...one({ ...embed, 'lm_head.weight': empty, ...llama() }), says: ['ZeRO-3; gather the weights first'] },
    {
      ...one({ 'model.embed_tokens.weight': empty, ...head(0), ...llama() }),
      says: ['ZeRO-3; gather the weights first'],
    },
  ],
  'two tables, one of a type that cannot be decoded': [
    {
      source: gguf({
        tensors: {
          'token_embd.weight': { dimensions: [256, 2], type: 15, data: new Uint8Array(584).fill(1) },
          'output.weight': { dimensions: [256, 2], type: 14, data: new Uint8Array(420) },
        },
      }),
      says: ['Q8_K cannot be decoded'],
    },
  ],
  'two packed tables with other parts': [
    {
      ...one({ ...packedIn('I32', 1, undefined, 0x77), ...packedIn('I32', 1, 'lm_head', 0x33), ...llama() }),
      says: ['with other bytes, which does not tell'],
    },
  ],
  'one packed table that does not show its shape': [
    { ...one({ ...packedIn('I32', 3), ...llama() }), says: ["has 'model.embed_tokens' alone, which is packed"] },
  ],
  'two tables, where rounding may or may not explain the difference': [
    {
      // 1 in 16 bits, and a number three quarters of its last bit away: not the nearest, but the next.
      source: safetensors({
        'model.embed_tokens.weight': {
          shape: [V, D],
          dtype: 'F16',
          data: Uint8Array.from({ length: 2 * V * D }, (_, i) => (i % 2) * 0x3c),
        },
        'lm_head.weight': { shape: [V, D], data: floats(Array<number>(V * D).fill(1 + 0.75 * 2 ** -10)) },
        ...llama(1, 'model.'),
      }),
      says: ['too far apart to be called equal, and too coarsely stored to be called different'],
    },
    // Some programs turn what is below the least normal number of 16 bits into zero.
    one({
      'model.embed_tokens.weight': changed(table(), (x) => x * 2 ** -22),
      'lm_head.weight': { shape: [V, D], dtype: 'F16', data: new Uint8Array(2 * V * D) },
    }),
    // One rounds half of the numbers to the nearest, and drops bits of the others.
    one({ 'model.embed_tokens.weight': thirds, 'lm_head.weight': half(thirds, (i) => i % 2 === 0) }),
    {
      // One number differs by a step of its block: its original may lie between the two.
      source: gguf({
        tensors: {
          'token_embd.weight': { dimensions: [32, 1], type: 8, data: block(numbers(7)) },
          'output.weight': { dimensions: [32, 1], type: 8, data: block(numbers(8)) },
        },
      }),
      says: ["'token_embd.weight' (Q8_0) and 'output.weight' (Q8_0) are too far apart"],
    },
  ],
  // NaN, the largest number, and what is left of bits that were not checked.
  'two tables that differ where one type cannot hold a number': [0x7e00, 0x7bff, 0x1234].map((stored) => ({
    ...one({
      'model.embed_tokens.weight': changed(table(), (x, i) => (i === 7 ? 70_000 : x)),
      'lm_head.weight': halves(table(), 7, stored),
    }),
    says: ["numbers that are too large for the other one's type"],
  })),
  'a model with an unmerged adapter and equal tables': [
    one({
      'base_model.model.model.embed_tokens.base_layer.weight': table(),
      'base_model.model.model.embed_tokens.lora_embedding_A.default': matrix(2, V),
      'base_model.model.lm_head.weight': table(),
    }),
  ],
  'a model of this package with a map between the two roles of its one table': [
    {
      ...one({ embedding: table(), between: matrix(D, D) }, undefined, {
        metadata: {
          config: '{"kind":"direct-path","vocabSize":48,"dModel":8,"tying":"tied-linear"}',
          unembedding: 'embedding',
        },
      }),
      says: ['one table, with a map', 'neither plain tying nor two tables'],
    },
  ],
  'two tables, and the head of a classifier': [
    {
      ...one({ ...embed, ...llama(), ...head(1), 'score.weight': matrix(1, D) }),
      candidates: ['lm_head.weight'],
      says: ["'score.weight' belongs to a head that predicts something other than tokens"],
    },
    { ...one({ ...embed, ...llama(), ...head(0), 'classifier.weight': matrix(3, D) }), candidates: ['lm_head.weight'] },
  ],
  'the input table of one model and the output table of another': [
    {
      ...one({
        'student.model.embed_tokens.weight': table(),
        'teacher.lm_head.weight': table(1),
        ...llama(2, 'student.model.'),
        ...llama(2, 'teacher.model.'),
      }),
      candidates: ['teacher.lm_head.weight'],
      says: ["belong to two models, 'student' and 'teacher'"],
    },
  ],
};
