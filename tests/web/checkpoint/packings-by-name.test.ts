/** Packings whose rows are not read: each is called by its name, and has the same verdicts as any packed table. Shapes are those that the programs make of 48 tokens and 64 columns. */
import { describe, expect, test } from 'vitest';
import type { TensorParts } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { bytes, files, llama, matrix, vector } from './verdict-files.js';

const [V, D] = [48, 64];
type Tensors = Record<string, TensorParts>;
const rest = { ...llama(), 'model.norm.weight': vector(D) };
const plain: Tensors = { 'model.embed_tokens.weight': matrix(V, D) };

/** By what follows the name of the table. */
const PACKINGS: Readonly<Record<string, Tensors>> = {
  'packed by HQQ': {
    W_q: bytes('U8', [V / 2, D], 1),
    scale: bytes('BF16', [V, 1], 2),
    zero: bytes('BF16', [V, 1], 2),
    nbits: bytes('I32', [], 4),
    group_size: bytes('I32', [], 4),
    shape: bytes('I32', [2], 4),
  },
  'packed by Quanto': {
    'weight._data': bytes('U8', [V / 2, D], 1),
    'weight._scale': bytes('BF16', [V, 1], 2),
    'weight._shift': bytes('BF16', [V, 1], 2),
    input_scale: bytes('F32', [], 4),
    output_scale: bytes('F32', [], 4),
  },
  'packed by torchao': {
    _weight_qdata: bytes('I8', [V, D], 1),
    _weight_scale: bytes('F32', [V, 1], 4),
    _weight_zero_point: bytes('I8', [V, 1], 1),
  },
  'packed by PyTorch': {
    scale: bytes('F32', [], 4),
    zero_point: bytes('I64', [], 8),
    '_packed_params._packed_params.0': bytes('I8', [V, D], 1),
    '_packed_params._packed_params.1': bytes('F32', [V], 4),
  },
  'packed by AQLM': {
    codes: bytes('I8', [V, D / 8, 1], 1),
    codebooks: bytes('F16', [1, 256, 1, 8], 2),
    scales: bytes('F16', [V, 1, 1, 1], 2),
  },
  'packed by EXL2': {
    q_weight: bytes('I32', [D / 8, V], 4),
    q_scale: bytes('I32', [1, V / 8], 4),
    q_scale_max: bytes('F16', [1], 2),
    q_groups: bytes('I16', [2], 2),
    q_invperm: bytes('I32', [D], 4),
  },
  'packed by EXL3': {
    trellis: bytes('I16', [D / 16, V / 16, 64], 2),
    suh: bytes('F16', [D], 2),
    svh: bytes('F16', [V], 2),
  },
  'packed by VPTQ': {
    'centroids.weight': bytes('BF16', [1, 2048], 2),
    'res_centroids.weight': bytes('BF16', [1, 2048], 2),
    indices: bytes('I32', [1, 6, 44], 4),
    perm: bytes('I16', [D], 2),
    weight_scale: bytes('BF16', [D], 2),
    weight_bias: bytes('BF16', [D], 2),
  },
  'packed by SpQR': {
    dense_weights: bytes('I64', [V * D / 16], 8), // prettier-ignore
    row_offsets: bytes('I32', [V + 1], 4),
    col_vals: bytes('I32', [9], 4),
    in_perm: bytes('I16', [D], 2),
  },
  'packed by FP-Quant': {
    qweight: bytes('U8', [V, D / 2], 1),
    scales: bytes('U8', [V, D / 32], 1),
    weight_global_scale: bytes('F32', [1], 4),
    forward_hadamard_matrix: bytes('BF16', [32, 32], 2),
    backward_hadamard_matrix: bytes('BF16', [32, 32], 2),
  },
  'packed by HIGGS': {
    weight: bytes('I16', [D / 2, V / 2], 2),
    scales: bytes('F16', [V, 1], 2),
    tables: bytes('F16', [256, 2], 2),
    tables2: bytes('F32', [256, 256, 2], 4),
  },
  'packed by QuIP#': {
    Qidxs: bytes('I16', [V, D / 8], 2),
    SU: bytes('F16', [D], 2),
    SV: bytes('F32', [V], 4),
    Wscale: bytes('F32', [], 4),
  },
  'packed by QTIP': {
    trellis: bytes('I16', [V * D / 256, 64], 2), // prettier-ignore
    SU: bytes('F16', [D], 2),
    SV: bytes('F32', [V], 4),
    tlut: bytes('F16', [512, 2], 2),
    rcp: bytes('I64', [], 8),
  },
  'packed by EETQ': { weight: bytes('I8', [D, V], 1), weight_scales: bytes('F16', [V], 2) },
  'packed by Marlin or QQQ': {
    B: bytes('I32', [D / 16, 2 * V], 4),
    s_channel: bytes('F32', [1, V], 4),
    s_group: bytes('F16', [2, V], 2),
  },
};
const named = (stem: string, parts: Tensors): Tensors =>
  Object.fromEntries(Object.entries(parts).map(([own, part]) => [`${stem}.${own}`, part]));
const open = (tensors: Tensors, config?: object) => openHere(files({ ...tensors, ...rest }, config));

describe.each(Object.entries(PACKINGS))('a table %s', (how, parts) => {
  test('beside a plain one is another table, whose rows are refused by that name', async () => {
    const checkpoint = await open({ ...plain, ...named('lm_head', parts) });
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output', distance: null });
    expect(checkpoint.tying.reason).toContain(`'lm_head', which is ${how}, beside`);
    expect(checkpoint.tables.output).toBeNull();
    await expect(checkpoint.matrix('lm_head')).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  test('with an equal one is the same table, and with another one leaves it open', async () => {
    const input = named('model.embed_tokens', parts);
    const equal = await open({ ...input, ...named('lm_head', parts) });
    expect(equal.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
    expect(equal.tables.input!.dtype).toBe(how);
    await expect(equal.matrix('input')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(how) as string,
    });
    const other = Object.fromEntries(
      Object.entries(parts).map(([own, part]) => [own, { ...part, data: part.data.map((byte) => byte ^ 1) }]),
    );
    const two = await open({ ...input, ...named('lm_head', other) });
    expect(two.tying).toMatchObject({ tied: null, evidence: 'unknown' });
    expect(two.tying.reason).toContain(`are both ${how}`);
  });
});

test('a packing that no name tells is called as config.json does', async () => {
  const parts = { planes: bytes('U8', [V, D / 4], 1), planes_scale: bytes('F16', [V], 2) };
  const both = { ...named('model.embed_tokens', parts), ...named('lm_head', parts) };
  const said = await open(both, { quantization_config: { quant_method: 'sherry-1.25' } });
  expect(said.tables.input!.dtype).toBe('packed by what config.json calls sherry-1.25');
  for (const quant_method of ['<img src=x>', 7, undefined])
    expect((await open(both, { quantization_config: { quant_method } })).tables.input!.dtype).toBe(
      'packed in a way that is not known here',
    );
});

test('rows that something unknown turns or scales once more are not shown', async () => {
  const packed = {
    qweight: bytes('I32', [D / 8, V], 4),
    qzeros: bytes('I32', [2, V / 8], 4),
    scales: bytes('F16', [2, V], 2),
  };
  const shown = await open({ ...plain, ...named('lm_head', packed) });
  expect((await shown.matrix('output')).rows).toBe(V);
  const parts = { ...packed, theta: bytes('F16', [8, D / 2], 2), pairs: bytes('I16', [8, D], 2) };
  const both = await open({ ...named('model.embed_tokens', parts), ...named('lm_head', parts) });
  expect(both.tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  await expect(both.matrix('input')).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining("it also has 'model.embed_tokens.theta', and what that does to its rows is not known") as string, // prettier-ignore
  });
  // What a module keeps for its inputs changes no row.
  const scaled = { weight: bytes('F8_E4M3', [V, D], 1), weight_scale: bytes('F32', [1], 4) };
  const harmless = await open({ ...plain, ...named('lm_head', { ...scaled, input_scale: bytes('F32', [], 4) }) });
  expect((await harmless.matrix('output')).cols).toBe(D);
  const smoothed = await open({ ...plain, ...named('lm_head', { ...scaled, pre_quant_scale: bytes('BF16', [D], 2) }) });
  expect(smoothed.tying.evidence).toBe('packed-output');
  expect(smoothed.tables.output).toBeNull();
});
