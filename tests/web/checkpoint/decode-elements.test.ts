// Decoding of tables in JavaScript. The formats themselves are tested in tests/cpp/checkpoint.
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeElements } from '../../../web/core/checkpoint/elements/decode-elements.js';
import { blockOf, ELEMENT_TYPES, type ElementType } from '../../../web/core/checkpoint/elements/element-types.js';
import type { Runtime } from '../../../web/core/runtime/runtime.js';
import type { CheckpointModule } from '../../../web/core/runtime/wasm-module.js';
import { expectError } from '../core/support.js';
import { startCheckpoint } from './module.js';

let runtime: Runtime<CheckpointModule>;
beforeAll(async () => {
  runtime = await startCheckpoint();
});

const ONE_AS_HALF = [0x00, 0x3c];
const ONE = [0, 0, 0x80, 0x3f];
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

/** A block with scales of 1, minima of 0 and quants of 0, and the element that this encodes. */
const KNOWN: Readonly<Record<ElementType, readonly [bytes: readonly number[], first: number]>> = {
  F32: [[0, 0, 0xc0, 0x3f], 1.5],
  F64: [[0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 1.5],
  F16: [[0x00, 0x3e], 1.5],
  BF16: [[0xc0, 0x3f], 1.5],
  F8_E4M3: [[0x3c], 1.5],
  F8_E5M2: [[0x3e], 1.5],
  F8_E4M3FNUZ: [[0x44], 1.5],
  F8_E5M2FNUZ: [[0x42], 1.5],
  Q8_0: [[...ONE_AS_HALF, 0xff, ...zeros(31)], -1],
  Q6_K: [[...zeros(192), ...new Array<number>(16).fill(1), ...ONE_AS_HALF], -32],
  Q5_K: [[...ONE_AS_HALF, 0, 0, 2, ...zeros(11), 1, ...zeros(31), 3, ...zeros(127)], 38],
  Q4_K: [[...ONE_AS_HALF, 0, 0, 2, ...zeros(11), 3, ...zeros(127)], 6],
  Q4_0: [[...ONE_AS_HALF, 3, ...zeros(15)], -5],
  Q4_1: [[...ONE_AS_HALF, ...ONE_AS_HALF, 3, ...zeros(15)], 4],
  Q5_0: [[...ONE_AS_HALF, 1, 0, 0, 0, 3, ...zeros(15)], 3],
  Q5_1: [[...ONE_AS_HALF, ...ONE_AS_HALF, 1, 0, 0, 0, 3, ...zeros(15)], 20],
  Q2_K: [[0x21, ...zeros(15), 3, ...zeros(63), ...ONE_AS_HALF, ...ONE_AS_HALF], 1],
  Q3_K: [[...zeros(32), 3, ...zeros(63), 1, ...zeros(7), 2, 0, 0, 0, ...ONE_AS_HALF], -1],
  IQ4_NL: [[...ONE_AS_HALF, 9, ...zeros(15)], 13],
  IQ4_XS: [[...ONE_AS_HALF, 2, 0, 1, ...zeros(3), 9, ...zeros(127)], 13],
  MXFP4: [[127, 5, ...zeros(15)], 3],
  NVFP4: [[0x38, 0, 0, 0, 5, ...zeros(31)], 3],
  TQ1_0: [[200, ...zeros(51), ...ONE_AS_HALF], 1],
  TQ2_0: [[2, ...zeros(63), ...ONE_AS_HALF], 1],
  Q1_0: [[...ONE_AS_HALF, 1, ...zeros(15)], 1],
  Q2_0: [[...ONE_AS_HALF, 3, ...zeros(15)], 2],
  IQ2_XXS: [[...ONE_AS_HALF, 1, ...zeros(63)], 5.375],
  IQ2_XS: [[...ONE_AS_HALF, 1, 2, ...zeros(70)], -5.375],
  IQ2_S: [[...ONE_AS_HALF, 1, ...zeros(31), 1, ...zeros(47)], -5.375],
  IQ3_XXS: [[...ONE_AS_HALF, 1, ...zeros(95)], 5],
  IQ3_S: [[...ONE_AS_HALF, 1, ...zeros(71), 1, ...zeros(35)], -3],
  IQ1_S: [[...ONE_AS_HALF, 1, ...zeros(47)], 1.125],
  IQ1_M: [[1, ...zeros(31), 8, ...zeros(20), 0xc0, 0, 0x30], 0.875],
  affine_2: [[...ONE, ...ONE, 3, ...zeros(3)], 4],
  affine_3: [[...ONE, ...ONE, 6, ...zeros(5)], 7],
  affine_4: [[...ONE, ...ONE, 9, ...zeros(7)], 10],
  affine_5: [[...ONE, ...ONE, 21, ...zeros(9)], 22],
  affine_6: [[...ONE, ...ONE, 45, ...zeros(11)], 46],
  affine_8: [[...ONE, ...ONE, 255, ...zeros(15)], 256],
  scaled_E2M1: [[...ONE, 0x0b, ...zeros(7)], -1.5],
  scaled_E4M3: [[...ONE, 0x3c, ...zeros(15)], 1.5],
};

describe.each(ELEMENT_TYPES)('%s', (type) => {
  const block = blockOf(type);
  const [bytes, first] = KNOWN[type];

  test('has the same block and name as in the core', () => {
    expect(bytes).toHaveLength(block.bytes);
    const decoded = decodeElements(runtime, type, Uint8Array.from(bytes), block.elements);
    expect(decoded).toHaveLength(block.elements);
    expect(decoded[0]).toBe(first);
    expect(decodeElements(runtime, type, new Uint8Array(), 0)).toEqual(new Float32Array());
  });

  test('is decoded in parts into a given array, the same as at once', () => {
    // More than one call, with a partial last one.
    const blocks = Math.ceil((2 ** 18 + 1000) / block.elements);
    const elements = blocks * block.elements;
    const table = new Uint8Array(blocks * block.bytes + 3).subarray(3);
    for (let i = 0; i < blocks; i++) table.set(bytes, i * block.bytes);
    const room = new Float32Array(elements + 2).fill(7);
    const into = room.subarray(1, elements + 1);
    expect(decodeElements(runtime, type, table, elements, into)).toBe(into);
    const one = decodeElements(runtime, type, Uint8Array.from(bytes), block.elements);
    expect(into.every((value, i) => Object.is(value, one[i % block.elements]))).toBe(true);
    expect([room[0], room.at(-1)]).toEqual([7, 7]);
  });

  test('refuses other lengths, naming them', () => {
    const decode = (size: number, elements: number): void =>
      void decodeElements(runtime, type, new Uint8Array(size), elements);
    for (const size of [0, block.bytes - 1, block.bytes + 1, 2 * block.bytes]) {
      expectError(
        () => decode(size, block.elements),
        'shape-mismatch',
        new RegExp(`^bytes\\.length is ${size}; expected ${block.bytes}, ${block.elements} elements of ${type}$`),
      );
    }
    if (block.elements === 1) return;
    expectError(
      () => decode(block.bytes, block.elements + 1),
      'invalid-argument',
      new RegExp(`^elements is ${block.elements + 1}; expected a multiple of ${block.elements}, the block of ${type}$`),
    );
  });
});

test('keeps infinities, NaN and subnormal numbers', () => {
  const halves = Uint8Array.from([0x00, 0x7c, 0x00, 0xfc, 0x01, 0x7e, 0x01, 0x00, 0x00, 0x80]);
  expect([...decodeElements(runtime, 'F16', halves, 5)]).toEqual([Infinity, -Infinity, NaN, 2 ** -24, -0]);
});

test('refuses invalid numbers of elements, and an array of another length', () => {
  const none = new Uint8Array();
  for (const [elements, code] of [
    [-1, 'invalid-argument'],
    [0.5, 'invalid-argument'],
    [NaN, 'not-finite'],
  ] as const) {
    expectError(() => decodeElements(runtime, 'F16', none, elements), code, /^elements is /);
  }
  expectError(
    () => decodeElements(runtime, 'F16', new Uint8Array(4), 2, new Float32Array(3)),
    'shape-mismatch',
    /^into\.length is 3; expected 2, one for each element$/,
  );
});
