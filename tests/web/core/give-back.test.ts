import { expect, test } from 'vitest';
import { giveBack } from '../../../web/core/runtime/give-back.js';

test('an array that is given back has no memory left, and nobody gets it', () => {
  const bytes = new Uint8Array(1 << 20).fill(7);
  const view = bytes.subarray(5, 9);
  giveBack(view);
  expect([bytes.length, view.length, bytes.buffer.byteLength]).toEqual([0, 0, 0]);
  // Twice is once.
  expect(() => giveBack(bytes)).not.toThrow();
});

test('memory that threads share stays', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(8)).fill(3);
  giveBack(shared);
  expect([...shared]).toEqual(Array(8).fill(3));
});
