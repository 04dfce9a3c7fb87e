import { describe, expect, test } from 'vitest';
import { ADVICE_CONTEXT, BATCH, POINT, PRECEDENT, TYING_CHANGE } from '../../../web/core/generated/records.js';
import { givenNumbers } from '../../../web/core/model/option-codec.js';
import { Answer, type Read } from '../../../web/core/runtime/answer.js';

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

describe('what the core is given', () => {
  const precedent = { ties: 1, untied: 30, tied: 20 };
  const context: Read<typeof ADVICE_CONTEXT> = {
    measured: [{ high: 0.5, low: -0.5, vocabSize: 100, untied: 7 }],
    precedents: [precedent, { ...precedent, ties: 0 }],
    lossDifference: null,
    parameterBudget: 9,
    startsFrom: 'untied',
  };
  const batch: Read<typeof BATCH> = {
    ...{ sequences: 1, tokens: 2, encoderTokens: 3, tying: 'tied-inputs', precision: 'mixed', optimizerStates: 4 },
    heads: { clusters: 8, culledVocabSize: 7, divisor: 6, samples: 5 },
  };
  const change: Read<typeof TYING_CHANGE> = { atStep: 0, condition: 'below', share: 0.25, over: 3, from: 2 };

  test('has the order of the table, whatever that of its names', () => {
    expect(givenNumbers(BATCH, batch)).toEqual([1, 2, 3, 5, 2, 4, 5, 6, 7, 8]);
    expect(givenNumbers(ADVICE_CONTEXT, context)).toEqual([
      ...[2, 9, NaN],
      ...[2, 20, 30, 1, 20, 30, 0],
      ...[1, 7, 100, -0.5, 0.5],
    ]);
  });

  test('is the reverse of an answer', () => {
    expect(answerOf(givenNumbers(BATCH, batch)).read(BATCH)).toEqual(batch);
    expect(answerOf(givenNumbers(ADVICE_CONTEXT, context)).read(ADVICE_CONTEXT)).toEqual(context);
    const changes = [change, { ...change, atStep: 7, condition: 'none' as const }];
    expect(answerOf(givenNumbers([TYING_CHANGE], changes)).read([TYING_CHANGE])).toEqual(changes);
    expect(answerOf(givenNumbers([POINT], [])).read([POINT])).toEqual([]);
  });

  test('has the names of the table, all of them and no others: the type checker reads this', () => {
    const { ties, ...rest } = precedent;
    // @ts-expect-error A member of the struct in C++ is missing.
    expect(givenNumbers(PRECEDENT, rest)).toEqual([20, 30, NaN]);
    // @ts-expect-error The struct has no such member.
    expect(givenNumbers(PRECEDENT, { ...rest, ties, shares: 1 })).toEqual([20, 30, 1]);
    // @ts-expect-error The enumeration has no such word.
    expect(givenNumbers(TYING_CHANGE, { ...change, condition: 'beside' })).toEqual([0, -1, 0.25, 3, 2]);
  });
});
