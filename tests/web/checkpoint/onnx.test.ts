/** Models of ONNX: which tensors their graphs read and write tokens with, and what is refused with which words. */
import { describe, expect, test } from 'vitest';
import { fileKind } from '../../../web/core/checkpoint/formats/file-kind.js';
import { Draw } from '../../fuzz/draw.js';
import { looksLikeOnnx } from '../../../web/core/checkpoint/formats/onnx/looks-like.js';
import { fileOf, floats, joined, ramp, utf8 } from './checkpoint-files.js';
import { field, graph, languageModel, onnx, tensor, type GraphParts, type NodeParts, type OnnxTensorParts } from './onnx-files.js'; // prettier-ignore
import { openHere } from './open-here.js';

const [V, D] = [5, 2];
const E = { dims: [V, D], data: ramp(V * D) };
/** The transpose of E, as exporters fold it. */
const columns = floats([0, 0.5, 1, 1.5, 2, 0.25, 0.75, 1.25, 1.75, 2.25]);
const product = (of: string, more: Partial<NodeParts> = {}): NodeParts => ({ op: 'MatMul', inputs: ['h', of], outputs: ['logits'], ...more }); // prettier-ignore
const transposed: readonly NodeParts[] = [{ op: 'Transpose', inputs: ['embed'], outputs: ['t'], numbers: { perm: [1, 0] } }, product('t')]; // prettier-ignore
const folded = { embed: E, 'onnx::MatMul_1234': { dims: [D, V], data: columns } };
const other = { embed: E, 'onnx::MatMul_1234': { dims: [D, V], data: ramp(V * D, 9) } };
const open = (parts: GraphParts) => openHere(onnx(parts));

test('thousands of tensors, wherever a piece that is read ends', async () => {
  const draw = new Draw(7);
  const parts = Array.from({ length: 3000 }, (_, at): [string, OnnxTensorParts] => {
    const dims = [draw.whole(1, 300), draw.whole(1, 3)];
    const bytes = 4 * dims[0]! * dims[1]!;
    const isInline = draw.odds(0.125);
    const place = isInline ? { data: new Uint8Array(bytes) } : { external: { location: 'x.data', offset: String(at), length: String(bytes) } }; // prettier-ignore
    return [`layers.${at}.${'w'.repeat(draw.whole(1, 60))}`, { dims, ...place }];
  });
  const named = { embed: E, ...Object.fromEntries(parts) };
  const { tensors, tying } = await open(languageModel(named, transposed));
  const shapes = Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]));
  expect(shapes).toMatchObject(Object.fromEntries(Object.entries(named).map(([name, { dims }]) => [name, dims])));
  expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
});

describe('the tables of a graph', () => {
  test.each<[string, GraphParts]>([
    ['a product with its transpose', languageModel({ embed: E }, transposed)],
    ['a transpose without an order', languageModel({ embed: E }, [{ op: 'Transpose', inputs: ['embed'], outputs: ['t'] }, product('t')])],
    ['through casts', languageModel({ embed: E }, [{ op: 'Cast', inputs: ['embed'], outputs: ['c'] }, { op: 'Transpose', inputs: ['c'], outputs: ['t'] }, { op: 'Identity', inputs: ['t'], outputs: ['i'] }, product('i')])],
    ['a Gemm with transB', languageModel({ embed: E }, [product('embed', { op: 'Gemm', numbers: { transB: 1 } })])],
    ['before a scale, a cap and a bias', languageModel({ embed: E, bias: { dims: [V], data: ramp(V) } }, [{ ...transposed[0]! }, product('t', { outputs: ['m'] }), { op: 'Add', inputs: ['m', 'bias'], outputs: ['a'] }, { op: 'Tanh', inputs: ['a'], outputs: ['b'] }, { op: 'Cast', inputs: ['b'], outputs: ['logits'] }])],
    ['before the choice of the likeliest token', languageModel({ embed: E }, [transposed[0]!, product('t', { outputs: ['m'] }), { op: 'ArgMax', inputs: ['m'], outputs: ['logits'] }])],
    ['an Einsum', languageModel({ embed: E }, [product('embed', { op: 'Einsum', equation: 'btd,vd->btv' })])],
    ['an Einsum with its factors and letters in another order', languageModel({ embed: E }, [product('', { op: 'Einsum', inputs: ['embed', 'h'], equation: ' Vd, ...d -> ...V' })])],
    ['an Einsum of the transpose, without an arrow', languageModel({ embed: E }, [transposed[0]!, product('t', { op: 'Einsum', equation: 'ij,jk' })])],
    ['a table in a Constant', languageModel({}, [{ op: 'Constant', inputs: [], outputs: ['embed'], value: tensor('', E) }, ...transposed])],
  ])('one tensor with both roles is one table: %s', async (_, parts) => {
    const checkpoint = await open(parts);
    expect(checkpoint.format).toBe('onnx');
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(checkpoint.tying.reason).toMatch(/^The graph’s Gather reads and its (?:MatMul|Gemm|Einsum) writes with one tensor, 'embed'\.$/);
    expect(checkpoint.tables.output?.name).toBe('embed');
    expect([...(await checkpoint.matrix('output')).data]).toEqual(Array.from({ length: 10 }, (__, i) => i / 4));
  }); // prettier-ignore

  test('a folded transpose is compared, and its rows are those of tokens', async () => {
    const tied = await open(languageModel(folded, [product('onnx::MatMul_1234')]));
    expect(tied.tying).toMatchObject({ tied: true, evidence: 'equal-values' });
    expect(tied.tables.output).toMatchObject({ name: 'onnx::MatMul_1234', shape: [V, D] });
    expect((await tied.matrix('output')).data).toEqual((await tied.matrix('input')).data);
    const untied = await open(languageModel(other, [product('onnx::MatMul_1234')]));
    expect(untied.tying).toMatchObject({ tied: false, evidence: 'different' });
    expect(untied.tying.reason).toBe("The graph’s Gather reads and its MatMul writes with two tensors; 'embed' and 'onnx::MatMul_1234' differ."); // prettier-ignore
  });

  test('tables as long as wide are turned as the graph says, not as names do', async () => {
    const square = { dims: [2, 2], data: floats([1, 2, 3, 4]) };
    const turned = { dims: [2, 2], data: floats([1, 3, 2, 4]) };
    const of = (head: typeof square) => open(languageModel({ embed: square, 'lm_head.weight': head }, [product('lm_head.weight')])); // prettier-ignore
    expect((await of(turned)).tying).toMatchObject({ tied: true });
    expect((await of(square)).tying).toMatchObject({ tied: null });
    expect((await open(languageModel({ embed: square }, [product('embed')]))).tying).toMatchObject({ tied: null, reason: expect.stringContaining('a row for the one and a column for the other') as string }); // prettier-ignore
  });

  test('the letters of an Einsum say which way a square table is read', async () => {
    const square = { dims: [2, 2], data: floats([1, 2, 3, 4]) };
    const of = (equation: string) => open(languageModel({ embed: square }, [product('embed', { op: 'Einsum', equation })]));
    expect((await of('bd,vd->bv')).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect((await of('bd,dv->bv')).tying).toMatchObject({ tied: null, reason: expect.stringContaining('a row for the one and a column for the other') as string });
    // No sum over the width, a width that is kept, a sum over the tokens, three factors, no equation.
    for (const equation of ['bd,vd->bvd', 'bd,ve->bv', 'bv,vd->b', 'bd,vd,v->bv', ''])
      expect((await of(equation)).tying).toMatchObject({ tied: null, evidence: 'unknown' });
  }); // prettier-ignore

  test('names do not decide', async () => {
    const tensors = { 'lm_head.weight': E, 'model.embed_tokens.weight': { dims: [D, V], data: columns } };
    const { tables } = await open(languageModel(tensors, [product('model.embed_tokens.weight')], 'lm_head.weight'));
    expect([tables.input?.name, tables.output?.name]).toEqual(['lm_head.weight', 'model.embed_tokens.weight']);
  });

  test('tokens may have others in place of some, unless another table reads all of them', async () => {
    const tensors = { embed: E, some: { dims: [V, D], data: ramp(V * D, 9) }, zero: { dims: [], type: 7, data: new Uint8Array(8) } }; // prettier-ignore
    const replaced: readonly NodeParts[] = [
      { op: 'Less', inputs: ['input_ids', 'zero'], outputs: ['none'] },
      { op: 'Where', inputs: ['none', 'zero', 'input_ids'], outputs: ['ids'] },
    ];
    const norm: NodeParts = { op: 'LayerNormalization', inputs: ['x', 'norm'], outputs: ['h'] };
    const read = (table: string, by: string, to = 'x'): NodeParts => ({ op: 'Gather', inputs: [table, by], outputs: [to] });
    const of = (...reads: readonly NodeParts[]) =>
      open({ ...languageModel(tensors, []), nodes: [...replaced, ...reads, norm, ...transposed] });
    expect((await of(read('embed', 'ids'))).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect((await of(read('embed', 'input_ids'), read('some', 'ids', 'y'))).tying).toMatchObject({ tied: true });
    expect((await of(read('embed', 'none'))).tying).toMatchObject({ tied: null });
  }); // prettier-ignore

  test('positions, types of tokens and numbers that are counted read no tokens', async () => {
    const parts = languageModel({ embed: E, wpe: { dims: [9, D], data: ramp(18) }, types: { dims: [2, D], data: ramp(4) } }, transposed);
    const more: NodeParts[] = [
      { op: 'Gather', inputs: ['wpe', 'position_ids'], outputs: ['p'] },
      { op: 'Gather', inputs: ['types', 'token_type_ids'], outputs: ['q'] },
      { op: 'Shape', inputs: ['input_ids'], outputs: ['s'] },
      { op: 'Gather', inputs: ['wpe', 's'], outputs: ['r'] },
    ];
    const inputs = ['input_ids', 'attention_mask', 'position_ids', 'token_type_ids'];
    const { tying } = await open({ ...parts, nodes: [...more, ...parts.nodes], inputs, outputs: ['present.0.key', 'logits'] });
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
  }); // prettier-ignore

  test('branches of an If', async () => {
    const branch = (names: readonly string[]) => graph({ nodes: [{ op: 'Constant', inputs: [], outputs: ['one'], value: tensor('', { dims: [1], data: ramp(1) }) }, { op: 'Gather', inputs: ['embed', 'input_ids'], outputs: ['x'] }, product('head', { outputs: names })], inputs: [], outputs: names });
    const parts: GraphParts = {
      nodes: [{ op: 'If', inputs: ['use_cache'], outputs: ['logits'], graphs: { then_branch: branch(['a']), else_branch: branch(['b']) } }],
      tensors: { embed: E, head: { dims: [D, V], data: columns } },
    };
    expect((await open(parts)).tying).toMatchObject({ tied: true, evidence: 'equal-values' });
  }); // prettier-ignore

  test.each<[string, GraphParts, string, RegExp]>([
    ['an encoder', { ...languageModel({ embed: E }, []), outputs: ['h'] }, 'unknown', /reads tokens with 'embed', and no product with a table leads to its outputs/],
    ['a decoder without its table', { ...languageModel({ embed: E }, [product('head')]), tensors: { head: folded['onnx::MatMul_1234'] } }, 'unknown', /writes with 'head', and no Gather by an input/],
    ['a classifier', languageModel({ embed: { dims: [50, D], data: ramp(100) }, head: { dims: [D, 3], data: ramp(6) } }, [product('head')]), 'unknown', /has 3 rows for the 50 tokens/],
    ['several products', languageModel(folded, [product('onnx::MatMul_1234', { outputs: ['a'] }), product('other', { outputs: ['b'] }), { op: 'Add', inputs: ['a', 'b'], outputs: ['logits'] }, { op: 'Constant', inputs: [], outputs: ['other'], value: tensor('', { dims: [D, V], data: columns }) }]), 'unknown', /several products before its outputs/],
  ])('%s has no verdict', async (_, parts, evidence, reason) => {
    const { tying } = await open(parts);
    expect(tying).toMatchObject({ tied: null, evidence });
    expect(tying.reason).toMatch(reason);
  }); // prettier-ignore

  test('a graph that says nothing: the caller chooses', async () => {
    const parts = { nodes: [{ op: 'Custom', inputs: ['a', 'b'], outputs: ['logits'] }], tensors: { a: E, b: E } };
    await expect(open(parts)).rejects.toThrow(
      /the largest matrices are 'a', 'b'; expected tables: \{ input, output \}/,
    );
    const { tying } = await openHere(onnx(parts), { tables: { input: 'a', output: 'b' } });
    expect(tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
  });
});

describe('packed tables', () => {
  const bytes = { dims: [V, 1, 1], data: new Uint8Array(V), type: 2 };
  const blocks = (of: string): NodeParts => product(of, { op: 'MatMulNBits', numbers: { N: V, K: D, bits: 4 } });
  const int8 = { dims: [V, D], data: new Uint8Array(V * D), type: 3 };

  test('a packed head beside a table of floats', async () => {
    const { tying, tables } = await open(languageModel({ embed: E, head_Q4: bytes }, [blocks('head_Q4')]));
    expect(tying).toMatchObject({ tied: false, evidence: 'packed-output' });
    expect(tying.reason).toBe("The file stores a separate output table, 'head_Q4', which is packed in blocks of few bits (MatMulNBits), beside 'embed'."); // prettier-ignore
    expect([tables.input?.name, tables.output]).toEqual(['embed', null]);
  });

  test('one packed tensor for both', async () => {
    const parts = languageModel({ embed: bytes }, [blocks('embed')]);
    const nodes = parts.nodes.map((one) => (one.op === 'Gather' ? { ...one, op: 'GatherBlockQuantized' } : one));
    const { tying, tables, notes } = await open({ ...parts, nodes });
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(tables.input).toMatchObject({ shape: [V, D], dtype: 'packed in blocks of few bits (MatMulNBits)' });
    expect(notes.join()).toMatch(
      /cannot be decoded: its node has .* expected a number of tokens.*: its rows cannot be read/,
    );
  });

  test('integers, dequantized before the product or after the Gather', async () => {
    const dequantized: NodeParts = { op: 'DequantizeLinear', inputs: ['embed', 'scale'], outputs: ['d'] };
    const through = languageModel({ embed: int8, scale: { dims: [1], data: ramp(1) } }, [dequantized, { op: 'Transpose', inputs: ['d'], outputs: ['t'] }, product('t')]); // prettier-ignore
    expect((await open(through)).tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    const apart = languageModel({ embed: int8, head: { dims: [D, V], data: new Uint8Array(V * D), type: 3 } }, [product('head', { op: 'MatMulInteger' })]); // prettier-ignore
    expect((await open(apart)).tying).toMatchObject({ tied: null, evidence: 'unknown', reason: expect.stringMatching(/'embed' and 'head', both packed/) as string }); // prettier-ignore
    const input = languageModel({ embed: int8, head: folded['onnx::MatMul_1234'] }, [product('head')]);
    expect((await open(input)).tying).toMatchObject({ tied: false, evidence: 'packed-input' });
  });
});

describe('rows of packed tables', () => {
  const [rows, width] = [6, 40];
  const draw = new Draw(2);
  const drawnBytes = (count: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: count }, () => draw.whole(0, 255)); // prettier-ignore
  const drawnFloats = (count: number): number[] => [...Float32Array.from({ length: count }, () => draw.share() - 0.5)];
  const matrix = { dims: [rows, width], data: ramp(rows * width) };
  /** Numbers of so many bits in the bytes of each row, the lowest bits first. */
  const unpack = (data: Uint8Array, bits: number, count: number): number[] =>
    Array.from({ length: rows * count }, (_, i) => {
      const [row, at] = [Math.floor(i / count), (i % count) * bits];
      const bytes = data.subarray((row * data.length) / rows);
      return ((bytes[at >> 3]! | ((bytes[(at >> 3) + 1] ?? 0) << 8)) >> (at & 7)) & (2 ** bits - 1);
    });
  const expected = (numbers: readonly number[], zeros: readonly number[], scales: readonly number[], size: number): Float32Array =>
    Float32Array.from({ length: rows * width }, (_, i) => {
      const group = Math.floor(i / width) * Math.ceil(width / size) + Math.floor((i % width) / size);
      return (numbers[i]! - zeros[group]!) * scales[group]!;
    }); // prettier-ignore
  const byRows = (numbers: readonly number[], stored: number): number[] => numbers.filter((_, i) => i % stored < width);

  test.each([[2, 16], [4, 16], [4, 32], [8, 32]] as const)('of MatMulNBits with %i bits in blocks of %i, with and without zero points', async (bits, size) => {
    const blocks = Math.ceil(width / size);
    const [data, scales] = [drawnBytes((rows * blocks * size * bits) / 8), drawnFloats(rows * blocks)];
    const head = { dims: [rows, blocks, (size * bits) / 8], type: 2, data };
    const numbers = byRows(unpack(data, bits, blocks * size), blocks * size);
    const packed = drawnBytes(rows * Math.ceil((blocks * bits) / 8));
    const floating = drawnFloats(rows * blocks);
    for (const [zeros, stored] of [
      [Array<number>(rows * blocks).fill(2 ** (bits - 1)), null],
      [unpack(packed, bits, blocks), { dims: [packed.length], type: 2, data: packed }],
      [floating, { dims: [rows, blocks], data: floats(floating) }],
    ] as const) {
      const inputs = ['h', 'head', 'scales', ...(stored === null ? [] : ['zeros'])];
      const node = product('head', { op: 'MatMulNBits', inputs, numbers: { N: rows, K: width, bits, block_size: size } });
      const parts = languageModel({ embed: matrix, head, scales: { dims: [rows * blocks], data: floats(scales) }, ...(stored && { zeros: stored }) }, [node]);
      const checkpoint = await open(parts);
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output', distance: { rows } });
      expect(checkpoint.tables.output).toMatchObject({ name: 'head', shape: [rows, width], dtype: 'packed in blocks of few bits (MatMulNBits)' });
      expect((await checkpoint.matrix('output')).data).toEqual(expected(numbers, zeros, scales, size));
    }
  }); // prettier-ignore

  test.each([[2, 4], [2, 8], [21, 4], [22, 4]] as const)('of GatherBlockQuantized of type %i with %i bits', async (type, bits) => {
    const [size, blocks] = [16, 3];
    const [data, scales] = [drawnBytes((rows * width * bits) / 8), drawnFloats(rows * blocks)];
    const dims = type === 2 ? [rows, (width * bits) / 8] : [rows, width];
    const signed = (numbers: number[]): number[] => (type === 22 ? numbers.map((one) => (one > 7 ? one - 16 : one)) : numbers);
    const packed = drawnBytes(rows * Math.ceil((blocks * bits) / 8));
    for (const zeros of [null, { dims: type === 2 ? [rows, packed.length / rows] : [rows, 4], type, data: packed }]) {
      const gather: NodeParts = { op: 'GatherBlockQuantized', inputs: ['embed', 'input_ids', 'scales', ...(zeros === null ? [] : ['zeros'])], outputs: ['h'], numbers: { bits, block_size: size } };
      const tensors = { embed: { dims, type, data }, scales: { dims: [rows, blocks], data: floats(scales) }, ...(zeros && { zeros }), head: matrix };
      const checkpoint = await open({ nodes: [gather, product('head', { op: 'Gemm', numbers: { transB: 1 } })], tensors });
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-input' });
      const implied = Array<number>(rows * blocks).fill(type === 2 ? 2 ** (bits - 1) : 0);
      const points = zeros === null ? implied : signed(unpack(packed, bits, blocks));
      expect((await checkpoint.matrix('input')).data).toEqual(expected(signed(unpack(data, bits, width)), points, scales, size));
    }
  }); // prettier-ignore

  test.each([['all', []], ['each token', [rows]]] as const)('of products of integers, with a scale for %s', async (_, shape) => {
    const count = shape[0] ?? 1;
    const [data, zeros, scales] = [drawnBytes(rows * width), drawnBytes(count), drawnFloats(count)];
    const dynamic: NodeParts = { op: 'DynamicQuantizeLinear', inputs: ['h'], outputs: ['q', 'q_scale', 'q_zero'] };
    const after = (by: string): NodeParts[] => [{ op: 'Cast', inputs: ['m'], outputs: ['f'] }, { op: 'Mul', inputs: ['f', by], outputs: ['logits'] }];
    const both: NodeParts = { op: 'Mul', inputs: ['q_scale', 'scale'], outputs: ['both'] };
    const made = (head: NodeParts, isTurned: boolean, before: readonly NodeParts[] = [], behind: readonly NodeParts[] = []) =>
      open(languageModel({ embed: matrix, w: { dims: isTurned ? [rows, width] : [width, rows], type: 2, data }, scale: { dims: shape, data: floats(scales) }, zero: { dims: shape, type: 2, data: zeros } }, [...before, head, ...behind]));
    const integers: NodeParts = { op: 'MatMulInteger', inputs: ['q', 'w', 'q_zero', 'zero'], outputs: ['m'] };
    for (const [isTurned, opened] of [
      [false, made(integers, false, [dynamic, both], after('both'))],
      [false, made({ op: 'MatMulIntegerToFloat', inputs: ['q', 'w', 'q_scale', 'scale', 'q_zero', 'zero'], outputs: ['logits'] }, false, [dynamic])],
      [false, made({ op: 'DynamicQuantizeMatMul', inputs: ['h', 'w', 'scale', 'zero'], outputs: ['logits'] }, false)],
      [false, made({ op: 'QLinearMatMul', inputs: ['q', 'q_scale', 'q_zero', 'w', 'scale', 'zero', 's', 'z'], outputs: ['logits'] }, false, [dynamic])],
      [true, made({ op: 'QGemm', inputs: ['q', 'q_scale', 'q_zero', 'w', 'scale', 'zero'], outputs: ['logits'], numbers: { transB: 1 } }, true, [dynamic])],
    ] as const) {
      const checkpoint = await opened;
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output', distance: { rows } });
      expect([...(await checkpoint.matrix('output')).data]).toEqual(Array.from({ length: rows * width }, (__, i) => {
        const [row, col] = [Math.floor(i / width), i % width];
        const which = count === 1 ? 0 : row;
        return Math.fround((data[isTurned ? i : col * rows + row]! - zeros[which]!) * scales[which]!);
      }));
    }
    // A scale that may be a product of two says nothing of the table.
    for (const by of ['scale', 'q_scale']) {
      const { tables, notes } = await made(integers, false, [dynamic, both], after(by));
      expect(tables.output).toBeNull();
      expect(notes.join()).not.toContain('undefined');
    }
  }); // prettier-ignore

  test.each([['all', 1, 1], ['each token', rows, 1], ['each column', width, 0]] as const)('of DequantizeLinear with a scale for %s, as rows and as columns', async (_, count, axis) => {
    const [scales, zeros] = [drawnFloats(count), drawnBytes(count)];
    const value = (numbers: Uint8Array, row: number, col: number, at: number): number => {
      const which = count === 1 ? 0 : count === rows ? row : col;
      return Math.fround((numbers[at]! - zeros[which]!) * scales[which]!);
    };
    for (const isTurned of [true, false]) {
      const data = drawnBytes(rows * width);
      const along = isTurned ? axis : 1 - axis;
      const of = { op: 'DequantizeLinear', inputs: ['head', 'scales', 'zeros'], outputs: ['d'], numbers: { axis: along - 2 < 0 && along === 1 ? 1 : along } };
      const nodes = isTurned ? [of, product('d')] : [of, { op: 'Transpose', inputs: ['d'], outputs: ['t'] }, product('t')];
      const shape = count === 1 ? [] : [count];
      const checkpoint = await open(languageModel({ embed: matrix, head: { dims: isTurned ? [width, rows] : [rows, width], type: 2, data }, scales: { dims: shape, data: floats(scales) }, zeros: { dims: shape, type: 2, data: zeros } }, nodes));
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-output' });
      const found = (await checkpoint.matrix('output')).data;
      expect([...found]).toEqual(Array.from({ length: rows * width }, (__, i) => {
        const [row, col] = [Math.floor(i / width), i % width];
        return value(data, row, col, isTurned ? col * rows + row : i);
      }));
    }
  }); // prettier-ignore

  test('are refused with what is wrong', async () => {
    const head = { dims: [rows, 3, 8], type: 2, data: new Uint8Array(rows * 24) };
    const scales = { dims: [rows * 3], data: floats(drawnFloats(rows * 3)) };
    const numbers = { N: rows, K: width, bits: 4, block_size: 16 };
    const why = async (node: Partial<NodeParts>, tensors: Record<string, OnnxTensorParts>): Promise<string> => {
      const made = product('head', { op: 'MatMulNBits', inputs: ['h', 'head', 'scales'], numbers, ...node });
      const parts = languageModel({ head, scales, ...tensors }, [made], 'head');
      const nodes = parts.nodes.map((one) => (one.op === 'Gather' ? { ...one, op: 'GatherBlockQuantized' } : one));
      return (await openHere(onnx({ ...parts, nodes }))).notes.join();
    };
    expect(await why({ numbers: { ...numbers, bits: 9 } }, {})).toContain('9 bits and blocks of 16; expected');
    expect(await why({ numbers: { ...numbers, block_size: 32 } }, {})).toContain("'head' has the shape [6, 3, 8] of U8; expected 192 bytes"); // prettier-ignore
    expect(await why({ inputs: ['h', 'head'] }, {})).toContain('its scales are no tensor of the file');
    expect(await why({ inputs: ['h', 'head', 'scales', 'gone'] }, {})).toContain('its zero points are no tensor');
    expect(await why({ inputs: ['h', 'head', 'scales', '', 'order'] }, {})).toContain(
      'in an order of their own (g_idx)',
    );
    expect(await why({}, { scales: { dims: [5], data: floats(drawnFloats(5)) } })).toContain('expected 3 numbers of F32, F16 or BF16 for each of 6 rows'); // prettier-ignore
  });
});

describe('where numbers are', () => {
  test('as lists of floats and doubles, in half precision and BF16', async () => {
    const f64 = new Uint8Array(Float64Array.from({ length: V * D }, (_, i) => i / 4).buffer);
    const parts = languageModel({ embed: { ...E, as: 4 }, head: { dims: [V, D], data: f64, type: 11, as: 10 } }, [product('head', { op: 'Gemm', numbers: { transB: 1 } })]); // prettier-ignore
    expect((await open(parts)).tying).toMatchObject({ tied: true, evidence: 'equal-values' });
    const list = languageModel({ embed: { dims: [V, D], data: new Uint8Array(20), type: 10, as: 5 } }, transposed);
    const { tying, notes } = await open(list);
    expect(tying.tied).toBe(true);
    expect(notes.join()).toMatch(/'embed' has numbers stored as a list of numbers \(F16\)/);
  });

  const apart = (external: Record<string, string>) => onnx(languageModel({ embed: { dims: [V, D], external }, 'onnx::MatMul_1234': { dims: [D, V], data: columns } }, [product('onnx::MatMul_1234')])); // prettier-ignore
  const data = joined(new Uint8Array(8), ramp(V * D), new Uint8Array(4));

  test('in a file beside it', async () => {
    const model = apart({ location: './model.onnx_data', offset: '8', length: '40' });
    const files = [fileOf('model.onnx', model), fileOf('model.onnx_data', data)];
    const checkpoint = await openHere(files);
    expect(checkpoint.tying).toMatchObject({ tied: true, evidence: 'equal-values' });
    expect((await checkpoint.matrix('input', { rows: Uint32Array.of(4) })).data[1]).toBe(2.25);
    await expect(openHere(model)).rejects.toThrow(/the numbers of its tables are in model\.onnx_data; expected both files together/);
  }); // prettier-ignore

  test('one tensor is one, without the file', async () => {
    const parts = languageModel({ embed: { dims: [V, D], external: { location: 'x.data' } } }, transposed);
    const { tying, notes } = await open(parts);
    expect(tying).toMatchObject({ tied: true, evidence: 'same-storage' });
    expect(notes).toEqual(['The numbers of bytes are in x.data, which is not there.']);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ location: '../x' }, /its numbers are in '\.\.\/x'; expected a file in the same folder/],
    [{ location: '/etc/passwd' }, /expected a file in the same folder/],
    [{ offset: '0' }, /is in another file, at 'undefined'/],
    [{ location: 'model.onnx_data', length: '41' }, /with 41 bytes; expected 40 bytes/],
    [{ location: 'model.onnx_data', offset: '-1' }, /from -1 on/],
    [{ location: 'model.onnx_data', offset: '99' }, /ends at byte 139, after the file of 52 bytes/],
  ])('%j is refused', async (external, message) => {
    await expect(openHere([fileOf('model.onnx', apart(external)), fileOf('model.onnx_data', data)])).rejects.toThrow(message); // prettier-ignore
  });
});

describe('files', () => {
  const whole = onnx(languageModel(other, [product('onnx::MatMul_1234')]));
  test('are recognized by their fields, whoever wrote them', () => {
    for (const producer of ['pytorch', 'tf2onnx', '', 'my own'])
      expect(looksLikeOnnx(onnx(languageModel({ embed: E }, transposed), producer))).toBe(true);
    for (const bytes of [
      new Uint8Array(),
      utf8('no model'),
      Uint8Array.of(8, 1, 18, 2, 8, 1),
      Uint8Array.of(10, 3, 97, 98, 99),
    ])
      // prettier-ignore
      expect(looksLikeOnnx(bytes)).toBe(false);
    expect(fileKind(whole, whole.length).kind).toBe('onnx');
  });

  test('every cut is refused, or read without what is cut off', async () => {
    for (let length = 12; length < whole.length - 4; length += 3)
      await expect(openHere(whole.subarray(0, length))).rejects.toMatchObject({ name: 'TiedError' });
  });

  test('many nodes that make what has one name, and long chains, take no longer than they are', async () => {
    const same = Array.from({ length: 20_000 }, (): NodeParts => ({ op: 'Gather', inputs: ['embed', 'input_ids'], outputs: ['x'] })); // prettier-ignore
    const chain = Array.from({ length: 20_000 }, (_, i): NodeParts => ({ op: 'Add', inputs: [`c${i}`, `d${i}`], outputs: [i === 0 ? 'logits' : `c${i - 1}`] })); // prettier-ignore
    const parts = languageModel({ embed: E }, []);
    const { tying } = await open({ ...parts, nodes: [...same, ...chain, ...parts.nodes] });
    expect(tying).toMatchObject({ tied: null, evidence: 'unknown' });
  });

  const of = (inGraph: Uint8Array): Uint8Array => joined(field(1, 8), field(2, 'pytorch'), field(7, inGraph));
  const deep = (levels: number): Uint8Array => graph(levels === 0 ? { nodes: [] } : { nodes: [{ op: 'If', inputs: ['c'], outputs: ['o'], graphs: { then_branch: deep(levels - 1) } }] }); // prettier-ignore
  test.each<[string, Uint8Array, RegExp]>([
    ['a wrong field', of(Uint8Array.of(7, 7)), /begins no field of a protocol buffer/],
    ['a field that is longer than its graph', of(Uint8Array.of(42, 120, 1)), /ends after what it is a part of/],
    ['a number without end', of(new Uint8Array(30).fill(255)), /a number that has no end/],
    ['a shape without limit', onnx(languageModel({ embed: { dims: [2 ** 40, 2 ** 40] } }, transposed)), /expected one of fewer than 2\^53 bytes/],
    ['a shape that is not there', onnx(languageModel({ embed: { dims: [99, 99], data: ramp(4) } }, transposed)), /has 16 bytes; expected 39204/],
    ['a tensor twice', of(joined(field(5, tensor('a', E)), field(5, tensor('a', E)))), /two of its tensors are 'a'/],
    ['many dimensions', of(field(5, tensor('a', { dims: Array.from({ length: 70 }, () => 1) }))), /has more than 64 numbers/],
    ['graphs in graphs', of(deep(20)), /nested more than 8 deep/],
    ['two graphs', joined(whole, field(7, graph({ nodes: [] }))), /has two graphs/],
    ['no tensors', of(graph({ nodes: [] })), /it has no tensors; expected a model/],
    ['no graph', joined(field(1, 8), field(2, 'pytorch'), field(8, field(2, 17))), /has no graph/],
  ])('%s is refused', async (_, bytes, message) => {
    await expect(openHere(bytes)).rejects.toMatchObject({ name: 'TiedError' });
    await expect(openHere(bytes)).rejects.toThrow(message);
  }); // prettier-ignore
});
