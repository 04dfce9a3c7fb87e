import { expect, test } from 'vitest';
import {
  blockOf,
  ELEMENT_TYPES,
  isArranged,
  type ElementType,
} from '../../../web/core/checkpoint/elements/element-types.js';
import {
  bytesOf,
  elementsOf,
  GGUF_TYPES,
  isDecoded,
  SAFETENSORS_TYPES,
} from '../../../web/core/checkpoint/elements/stored-types.js';
import { areNarrow, type TableRows } from '../../../web/core/checkpoint/card/table-rows.js';

test('headers and the decoder agree about the block of each type that both support', () => {
  const stored = [...SAFETENSORS_TYPES, ...GGUF_TYPES.values()];
  for (const [name, block] of stored) if (isDecoded(name)) expect([name, block]).toEqual([name, blockOf(name)]);
  expect(new Set(stored.map(([name]) => name).filter(isDecoded))).toEqual(
    new Set(ELEMENT_TYPES.filter((type) => !isArranged(type))),
  );
});

test('tables are narrow if none of their elements takes more than 16 bits', () => {
  const rows = (type: ElementType): TableRows => {
    const { elements, bytes } = blockOf(type);
    return {
      rows: 1,
      cols: 256,
      rowBytes: (256 / elements) * bytes,
      read: () => Promise.reject(new Error('not read')),
    };
  };
  const wide = ELEMENT_TYPES.filter((type) => !areNarrow([rows(type)]));
  expect(wide).toEqual(['F32', 'F64']);
  expect(areNarrow([rows('F16'), rows('Q4_K')])).toBe(true);
  expect(areNarrow([rows('F16'), rows('F32')])).toBe(false);
});

test('inexact sizes are invalid', () => {
  expect(elementsOf([2 ** 30, 2 ** 22])).toBe(2 ** 52);
  expect(elementsOf([2 ** 30, 2 ** 30, 0])).toBeNull();
  expect(elementsOf([])).toBe(1);
  expect(bytesOf(2 ** 51, blockOf('F64'))).toBeNull();
  expect(bytesOf(33, blockOf('Q8_0'))).toBeNull();
  expect(bytesOf(64, blockOf('Q8_0'))).toBe(68);
});
