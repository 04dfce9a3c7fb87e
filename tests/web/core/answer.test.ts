import { expect, test } from 'vitest';
import { Answer } from '../../../web/core/runtime/answer.js';

/** An answer as modules leave it: a table of addresses and sizes of the numbers, texts, ids and arrays, at 8. */
function answerOf(numbers: number[], texts: string[] = [], ids: number[] = [], arrays: number[][] = []): Answer {
  const parts = [
    Float64Array.from(numbers),
    new TextEncoder().encode(texts.map((text) => `${text}\0`).join('')),
    Uint32Array.from(ids),
    ...arrays.map((array) => Float32Array.from(array)),
  ];
  const buffer = new ArrayBuffer(1024);
  let at = 128;
  parts.forEach((part, i) => {
    new Uint32Array(buffer, 8).set([at, part.byteLength], 2 * i);
    new Uint8Array(buffer, at).set(new Uint8Array(part.buffer));
    at = Math.ceil((at + part.byteLength) / 8) * 8;
  });
  return new Answer(buffer, 8);
}

const SIZES = { rows: 'number', cols: 'number?' } as const;
const TENSOR = { name: 'text', kind: ['table', 'map'], shape: SIZES, values: 'floats', tokens: 'ids' } as const;

test('records are read by their tables, whatever they contain', () => {
  const numbers = [2, ...[1, 5, 7, 2], ...[0, 6, NaN, 1], ...[3, 0.25, 0.5, 0.75], NaN, 0, 1];
  const answer = answerOf(numbers, ['M', 'E'], [4, 9, 16], [[1, 2], []]);
  const read = answer.read({
    tensors: [TENSOR],
    cosines: 'numbers',
    ties: 'flag?',
    worst: [SIZES],
    isExact: 'flag',
  } as const);
  expect(read).toEqual({
    tensors: [
      {
        name: 'M',
        kind: 'map',
        shape: { rows: 5, cols: 7 },
        values: Float32Array.of(1, 2),
        tokens: Uint32Array.of(4, 9),
      },
      {
        name: 'E',
        kind: 'table',
        shape: { rows: 6, cols: null },
        values: Float32Array.of(),
        tokens: Uint32Array.of(16),
      },
    ],
    cosines: Float64Array.of(0.25, 0.5, 0.75),
    ties: null,
    worst: [],
    isExact: true,
  });
  expect(() => answer.check()).not.toThrow();
});

test('values are read one after another', () => {
  const answer = answerOf([0.5, 1, 1, 3]);
  expect(answer.read('number')).toBe(0.5);
  expect(answer.read('flag')).toBe(true);
  expect(answer.read('numbers')).toEqual(Float64Array.of(3));
});

test.each([
  ['more', [1, 2, 3]],
  ['less', [1]],
])('an answer with %s numbers than its record is refused', (_, numbers) => {
  const answer = answerOf(numbers);
  answer.read(SIZES);
  expect(() => answer.check()).toThrow(
    'the core gave an answer of unknown form; expected modules of this same version',
  );
});

test('an answer without a record is not checked', () => {
  const answer = answerOf([1, 2, 3]);
  expect(answer.numbers()).toEqual(Float64Array.of(1, 2, 3));
  expect(() => answer.check()).not.toThrow();
});
